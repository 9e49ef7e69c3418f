// Indices that are right for vectors only in some work-groups, which is looked at for each:
//
//   int i = blockIdx.x * blockDim.x + threadIdx.x; ... a[i] ... b[i / 32]
//
// Where a sum of 32 bits may wrap around before it is extended to 64, neighbouring work-items need not access neighbouring memory, and
// LLVM makes a loop for each case. And where a work-group's first number is no multiple of the sub-group's size, the lanes of a sub-group
// have several quotients.
#pragma once

#include "lane_loop.h"

#include <llvm/IR/IRBuilder.h>

#include <functional>
#include <vector>

namespace ze_cpu {

/// An extension or part (number_parts.h) of a number, which is base + stride * (the local id in x) with a base that a work-group's
/// work-items share.
struct GroupIndex {
  using Parameters = std::function<llvm::Value *(llvm::Argument &)>;

  llvm::Instruction *instruction;
  uint64_t stride; // from 1 to 64, of parts 1

  /// The base, extended to 64 bits, computed from the kernel's parameters, which `parameter` gives.
  llvm::Value *base(llvm::IRBuilder<> &b, const Parameters &parameter) const;
  /// Whether no number of a work-group wraps around, whose rows are `size_x` long, and, of a part, the sub-groups of `size` begin at
  /// multiples of that and have no negative number.
  llvm::Value *is_regular(llvm::IRBuilder<> &b, llvm::Value *base, llvm::Value *size_x,
                          uint32_t size) const;
  /// What the instruction gives the lane whose turn it is in `loop`, in such a work-group.
  llvm::Value *of_lane(llvm::IRBuilder<> &b, llvm::Value *base, const LaneLoop &loop,
                       uint32_t size) const;
};

/// Those of `body`, a kernel with context parameters and sub-groups of `size`.
std::vector<GroupIndex> group_indices(llvm::Function &body, uint32_t size);

} // namespace ze_cpu
