// Values of a kernel's body that are known better in a sub-group that has all its lanes.
#pragma once

#include "group_indices.h"
#include "lane_bits.h"
#include "lane_loop.h"

#include <llvm/ADT/ArrayRef.h>
#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SmallPtrSet.h>

namespace ze_cpu {

class KnownValues {
public:
  using Parameters = GroupIndex::Parameters;

  KnownValues(const LaneBits &bits, llvm::ArrayRef<GroupIndex> indices, uint32_t sub_group_size)
      : bits_(bits), indices_(indices), size_(sub_group_size) {}

  /// What `instruction` of the body is for the lane whose turn it is in `loop`, which is not closed yet. Null if no more is known of it
  /// than its operands say. `parameter` gives the kernel's parameters.
  llvm::Value *compute(llvm::IRBuilder<> &b, const llvm::Instruction &instruction,
                       const LaneLoop &loop, const Parameters &parameter);

  bool contains(const llvm::Instruction &instruction) const {
    return known_.contains(&instruction);
  }

private:
  llvm::Value *group_index(llvm::IRBuilder<> &b, const llvm::Instruction &instruction,
                           const LaneLoop &loop, const Parameters &parameter);

  const LaneBits &bits_;
  llvm::ArrayRef<GroupIndex> indices_;
  uint32_t size_; // of the sub-group
  llvm::DenseMap<const llvm::Instruction *, llvm::Value *> bases_;
  llvm::SmallPtrSet<const llvm::Instruction *, 4> known_;
};

} // namespace ze_cpu
