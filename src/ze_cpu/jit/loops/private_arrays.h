// Arrays that each work-item has for itself.
#pragma once

#include <llvm/IR/Function.h>
#include <llvm/Target/TargetMachine.h>

namespace ze_cpu {

/// Makes values of the elements of small private arrays of `body` that are only used at places known when the loops around are
/// unrolled, and unrolls these. Values lie side by side for all lanes, arrays do not. Returns whether anything was changed.
bool take_arrays_apart(llvm::Function &body, llvm::TargetMachine &machine);

} // namespace ze_cpu
