// The loop over lanes in the function of a region (regions/region_code.h).
#pragma once

#include "active_lanes.h"

#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/IRBuilder.h>

namespace ze_cpu {

/// Which lanes a function is for: numbers in the work-group, and their first place in arrays.
struct LaneSpan {
  llvm::Value *first, *last, *first_place;
};

/// for each row of the lanes: for each lane of the row. The lanes of a row lie side by side in x. What is for each lane is put between
/// `header` and `latch`; which lanes there are is only known once the loop is closed, by one of the three functions.
class LaneLoop {
public:
  /// `function` has one block, without an end, and is given the work-group's context first.
  explicit LaneLoop(llvm::Function &function);

  llvm::BasicBlock *top, *header, *latch, *after; // `top` comes before the loop, once
  llvm::PHINode *step;                            // how many lanes of the row came before
  llvm::Value *lane, *x, *place;
  llvm::Instruction *y, *z, *first_lane, *first_x; // of the row

  /// All lanes of a sub-group of `size`, in one row that begins with these numbers.
  void close_whole(uint64_t size, llvm::Value *lane, llvm::ArrayRef<llvm::Value *> local_id,
                   llvm::Value *first_place, llvm::MDNode *properties);
  /// The range may begin and end inside of a row, unless it is one of whole rows of `width` lanes.
  void close(const LaneSpan &range, llvm::MDNode *properties, std::optional<uint64_t> width = {});
  /// Only the lanes below `limit`, a number of 64 bits, of a whole work-group in one row, where that is known to be a limit. Others are
  /// left to `otherwise`, which is given the same arguments.
  void close_active(const LaneSpan &range, llvm::Value *limit, llvm::Value *is_known,
                    llvm::Function &otherwise, llvm::MDNode *properties);

  /// What leads to the loop over each row, and how many lanes that has: set by close().
  llvm::BasicBlock *before_row = nullptr;
  llvm::Value *row_length = nullptr;
  /// Whether anything depends on the row: set by close().
  bool depends_on_row = false;

private:
  llvm::Instruction *placeholder();
  llvm::BasicBlock *block(const char *name);
  bool uses_local_ids() const;
  void close_row(llvm::IRBuilder<> &b, const LaneSpan &range, llvm::Value *count);
  void close_rows(llvm::IRBuilder<> &b, const LaneSpan &range, llvm::MDNode *properties,
                  std::optional<uint64_t> width);
  void repeat(llvm::MDNode *properties);
  void repeat(llvm::BasicBlock *before, uint64_t count, llvm::MDNode *properties);

  llvm::Function &function_;
  llvm::Instruction *count_, *first_place_;
};

} // namespace ze_cpu
