// Fetches what the next work-group will access while this one computes. A group with barriers has its loads at its beginning, and
// what it does behind them leaves the memory idle; and processors look ahead in a row of accesses only up to the end of a page, and
// in short rows, as of tiles, not at all.
#pragma once

#include <llvm/ADT/ArrayRef.h>
#include <llvm/IR/Instructions.h>

namespace ze_cpu {

class LaneLoop;

/// Adds prefetches before each row of `loop`, of which the rows are known, for what all of its lanes load or store, if the next lane's is
/// near and the next group's elsewhere. `group` is the work-group's context, and `group_x` its number, which the next one has one higher.
void prefetch_next_group(const LaneLoop &loop, llvm::Value *group, llvm::Value *group_x);

} // namespace ze_cpu
