// Integer division as GPUs do it: a zero divisor gives some value, never a trap.
#pragma once

#include <llvm/IR/Module.h>

namespace ze_cpu {

/// Guards every division of the module whose divisor is not known to be harmless.
void guard_divisions(llvm::Module &module);

} // namespace ze_cpu
