// ZE_CPU_CHECK: kernels tell what they access, and which barriers they come to
// (exec/checks/group_trace.h).
#pragma once

#include <llvm/IR/Module.h>

namespace ze_cpu {

/// Puts a call of ze_cpu_trace before each access to memory that others may have, and calls of its
/// relatives at fences, around barriers and where lanes are named by masks. Functions have context parameters; builtins are lowered, and
/// synchronisation points are markers still. Only at barriers and masks unless there are to be `accesses`. Where all barriers are in
/// the module's `kernel`, and all work-items of a group come to each, only accesses need to know of them. Null: any function may be
/// called through pointers, or calls some.
void trace_accesses(llvm::Module &module, bool accesses, llvm::Function *kernel);

} // namespace ze_cpu
