// Makes a translated module ready for compilation.
#pragma once

#include "../../program/units.h"

#include <expected>
#include <llvm/IR/Module.h>
#include <llvm/Target/TargetMachine.h>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace ze_cpu {

/// Finds the kernels and variables of a translated module, gives everything that is shared between
/// kernels a symbol, and refuses modules that call builtins nobody has.
std::expected<ModuleIr, std::string> make_module_ir(llvm::Module &module,
                                                    const llvm::TargetMachine &machine,
                                                    const BuildOptions &options);

/// Functions of a module, by symbol, whose address is taken.
std::set<std::string, std::less<>> address_taken_functions(const llvm::Module &module);

} // namespace ze_cpu
