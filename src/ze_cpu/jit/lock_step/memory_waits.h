// Loops that wait for what others write.
#pragma once

namespace llvm {
class Function;
}

namespace ze_cpu {

/// Where `function` has loops that do nothing but read memory again and again, what they wait for may come from another
/// work-group, as in scans that look back at their predecessors' sums: adds a call of ze_cpu_wait (exec/group_wait.h) to each of
/// their rounds. Returns whether there is one.
bool mark_memory_waits(llvm::Function &function);

} // namespace ze_cpu
