// Work-items of a sub-group that exchange values through memory without a barrier.
#pragma once

#include <cstdint>

namespace llvm {
class Function;
}

namespace ze_cpu {

/// Hardware executes a sub-group's work-items in lock step, and programs count on it: they exchange
/// values through memory with no barrier in between. Puts a synchronisation point of the sub-group
/// between a store and a load, either first, where the one may be of what another lane has stored or
/// has yet to load (lane_conflicts.h): of work-group memory always, of memory of all where one of
/// them is volatile. Volatile accesses of work-group memory and those that fences order get one
/// wherever a store is involved. Returns whether any was needed. Comes before work-group variables
/// get their places. Of a function that is no `kernel`, the arguments may be different for each
/// lane, and what its callers have accessed, or will, counts as well.
bool keep_lock_step(llvm::Function &function, uint32_t sub_group_size, bool is_kernel);

} // namespace ze_cpu
