// Takes the part of a module's IR that a unit needs.
#pragma once

#include "../program/module_ir.h"

#include <llvm/IR/LLVMContext.h>

namespace ze_cpu {

/// What a unit defines, out of the IR of a module.
struct UnitContents {
  std::vector<std::string> roots; // functions, by symbol
  bool variables = false;         // defines the program's variables, else refers to them
};

/// A module with the roots and all functions that they call directly; everything else is declared.
std::expected<std::unique_ptr<llvm::Module>, std::string>
extract_unit(const ModuleIr &ir, llvm::LLVMContext &context, const UnitContents &contents);

} // namespace ze_cpu
