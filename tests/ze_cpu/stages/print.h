// What an analysis found, as lines of text that a test can compare.
#pragma once

#include "../../../src/ze_cpu/jit/regions/regions.h"
#include "../../../src/ze_cpu/jit/regions/uniformity.h"

#include <llvm/IR/Module.h>
#include <llvm/Support/raw_ostream.h>

/// One line for each block and each value of `body`: "uniform" or "varying", and its name.
void print(const ze_cpu::Uniformity &uniformity, const llvm::Function &body,
           llvm::raw_ostream &out);

/// The cuts, regions, slots, private variables and operands of `plan`, a line for each.
void print(const ze_cpu::RegionPlan &plan, llvm::Function &body, llvm::raw_ostream &out);
