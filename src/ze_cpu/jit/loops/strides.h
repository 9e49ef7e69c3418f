// How far apart neighbouring work-items have their values.
#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

#include <optional>

namespace ze_cpu {

/// How far apart in bytes, or as numbers, neighbours in a row of work-items have a value. Overflow is not thought of: this is about
/// cost.
class Strides {
public:
  /// `roughly`: what a condition chooses counts for nothing if it is a number more or less; of two values, the one counts of which
  /// neighbours are further apart. So do numbers that become coordinates of textures, in steps of about an element.
  /// With a `sub_group_size` for the lanes of sub-groups that begin at a multiple of it.
  explicit Strides(llvm::Function &body, bool roughly = false, uint32_t sub_group_size = 0)
      : layout_(body.getParent()->getDataLayout()), roughly_(roughly),
        sub_group_size_(sub_group_size) {}

  /// None where that is not known, or no constant.
  std::optional<int64_t> of(llvm::Value *value);

private:
  std::optional<int64_t> compute(llvm::Instruction &value);
  std::optional<int64_t> of_intrinsic(llvm::IntrinsicInst &value);
  std::optional<int64_t> compute_alike(llvm::Instruction &value);

  const llvm::DataLayout &layout_;
  bool roughly_;
  uint32_t sub_group_size_;
  llvm::DenseMap<llvm::Value *, std::optional<int64_t>> strides_;
};

/// How much a load or store reads or writes.
uint64_t accessed_bytes(const llvm::Instruction &access);

} // namespace ze_cpu
