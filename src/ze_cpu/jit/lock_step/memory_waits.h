// Loops that wait for what others write.
#pragma once

namespace llvm {
class Function;
}

namespace ze_cpu {

/// Whether `function` has a loop that does nothing but read memory by volatile or atomic loads: what it waits for may come from
/// another work-group, as in scans that look back at their predecessors' sums.
bool waits_for_memory(llvm::Function &function);

} // namespace ze_cpu
