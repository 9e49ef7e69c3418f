// ZE_CPU_CHECK: kernels ask before they touch memory (exec/memory_check.h).
#pragma once

#include <llvm/IR/Module.h>

namespace ze_cpu {

/// Puts a call of ze_cpu_check before each access whose place is not certain: everything but a
/// work-item's own variables and constant parts of program-scope ones. Functions have context
/// parameters; builtins are lowered.
void check_memory_accesses(llvm::Module &module);

/// Lets the code itself look whether the same memory was allowed there before. Once kernels have been made into loops: until
/// then a check is no branch.
void ask_only_where_needed(llvm::Module &module);

} // namespace ze_cpu
