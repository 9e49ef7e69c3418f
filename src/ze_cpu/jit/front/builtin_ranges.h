// What is known of built-in variables before they have a value.
#pragma once

#include <cstdint>
#include <llvm/IR/Module.h>

namespace ze_cpu {

/// Declares between which values the built-in variables lie. Kernels narrow them to 32 bits and widen
/// the result to an address: without this, that is a mask, and what it indexes is not vectorised.
/// Before builtins are lowered.
void declare_builtin_ranges(llvm::Module &module, uint32_t sub_group_size);

} // namespace ze_cpu
