// Fetches what the next work-group will load while this one computes. A group with barriers has its loads at its beginning, and
// what it does behind them leaves the memory idle; and processors look ahead in a row of loads only up to the end of a page.
#pragma once

#include <llvm/ADT/ArrayRef.h>
#include <llvm/IR/Instructions.h>

namespace ze_cpu {

/// A loop over lanes in the function of a region.
struct LaneLoop {
  llvm::BasicBlock *top, *header, *latch; // `top` comes before it, once
  llvm::Value *group_x;                   // the work-group's number, which the next has one higher
  llvm::PHINode *step;                    // 0 for the first lane
  llvm::Value *count;                     // of lanes, known in `top`
  /// What else the loop finds for its first lane, and what that is in `top`.
  llvm::SmallVector<std::pair<llvm::Value *, llvm::Value *>, 5> at_first;
};

/// Adds prefetches to `loop.top` for the loads that each lane does, if the next lane's is near and the next group's elsewhere.
void prefetch_next_group(const LaneLoop &loop);

} // namespace ze_cpu
