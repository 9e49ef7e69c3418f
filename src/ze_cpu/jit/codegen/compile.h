// From the IR of a module to object code: one unit per kernel, and one for what all kernels share.
#pragma once

#include "../../program/units.h"

#include <expected>
#include <llvm/Target/TargetMachine.h>
#include <string>

namespace ze_cpu {

/// Variables and address-taken functions of the program. Errors are text for the build log.
std::expected<Unit, std::string> compile_shared(const ModuleIr &ir, llvm::TargetMachine &machine);

/// Kernel `index`, given what compile_shared found, as one of the kinds of kernels.
std::expected<Unit, std::string> compile_kernel(const ModuleIr &ir, size_t index, UnitKind kind,
                                                const Unit &shared, llvm::TargetMachine &machine);

/// An exported function that is not address-taken, under its own symbol.
std::expected<Unit, std::string> compile_function(const ModuleIr &ir, const std::string &symbol,
                                                  const Unit &shared, llvm::TargetMachine &machine);

} // namespace ze_cpu
