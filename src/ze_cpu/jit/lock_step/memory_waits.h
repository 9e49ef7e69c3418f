// Loops that wait for what others write.
#pragma once

namespace llvm {
class Function;
class Loop;
class Value;
} // namespace llvm

namespace ze_cpu {

/// Where `function` has loops that do nothing but read memory or try to take a lock again and again, alone or as a sub-group, what they wait for may come
/// from another sub-group of the work-group or from another work-group, as in scans that look back at their predecessors' sums. Adds
/// to each of their rounds but the last a call of ze_cpu_wait (exec/group_wait.h) and a point at which other sub-groups get their
/// turn. Returns whether there is one.
bool mark_memory_waits(llvm::Function &function);

/// Where the lock is that `loop` does nothing but try to take, or null: who leaves the loop has it.
const llvm::Value *lock_taken_by(const llvm::Loop &loop);

} // namespace ze_cpu
