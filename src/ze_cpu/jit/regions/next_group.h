// Fetches what the next work-group will load while this one computes. A group with barriers has its loads at its beginning, and
// what it does behind them leaves the memory idle; and processors look ahead in a row of loads only up to the end of a page.
#pragma once

#include <llvm/ADT/ArrayRef.h>
#include <llvm/IR/Instructions.h>

namespace ze_cpu {

class LaneLoop;

/// Adds prefetches to the top of `loop`, of which the rows are known, for the loads that each lane does, if the next lane's is near and
/// the next group's elsewhere. `group_x` is the work-group's number, which the next one has one higher.
void prefetch_next_group(const LaneLoop &loop, llvm::Value *group_x);

} // namespace ze_cpu
