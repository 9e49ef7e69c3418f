// Lines of the source that a SPIR-V module has (OpLine) without debug information: the translator drops them.
#pragma once

#include <cstddef>
#include <llvm/IR/Module.h>
#include <span>

namespace ze_cpu {

/// Gives accesses to memory and barriers of the translated module the lines that its SPIR-V has for them, where a function has
/// as many of these as its SPIR-V. Functions that have debug information are left as they are.
void add_source_lines(llvm::Module &module, std::span<const std::byte> spirv);

/// Takes them away again. Debugging information stays.
void forget_lines(llvm::Module &module);

} // namespace ze_cpu
