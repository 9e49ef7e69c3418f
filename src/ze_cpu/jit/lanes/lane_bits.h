// What is known of the numbers of lanes in a sub-group that has all of them, in one row of work-items: it begins at a multiple of its
// size, in the row and in the work-group. So the lower bits of a lane's local id in x, and of its number in the work-group, count the
// lanes, and the upper ones are the same for all.
#pragma once

#include "../regions/uniformity.h"

#include <llvm/IR/IRBuilder.h>

#include <functional>

namespace ze_cpu {

class LaneBits {
public:
  /// Of `body`, which has context parameters, with what `uniformity` knows of it.
  LaneBits(llvm::Function &body, const Uniformity &uniformity, uint32_t sub_group_size)
      : body_(body), uniformity_(uniformity), size_(sub_group_size) {}

  /// Whether all lanes find the same, those that compute it.
  bool is_same(const llvm::Value &value) const;

  /// What `instruction` of the body gives, from the numbers of the first lane, which `first` tells, and how many lanes come before this
  /// one. Null if it needs more than that.
  llvm::Value *compute(llvm::IRBuilder<> &b, const llvm::Instruction &instruction,
                       const std::function<llvm::Value *(const llvm::Argument &)> &first,
                       llvm::Value *lanes_before) const;

  /// The local id in x, or number in the work-group, that `value` is, whole or its lower bits; null if it is another.
  const llvm::Argument *number(const llvm::Value *value) const;

private:
  bool compares_upper_bits(const llvm::Instruction &instruction) const;
  bool takes_upper_bits(const llvm::Instruction &instruction) const;

  llvm::Function &body_;
  const Uniformity &uniformity_;
  uint32_t size_;
};

} // namespace ze_cpu
