// Where sub-groups that have all their lanes are in their work-group.
#pragma once

#include <llvm/IR/IRBuilder.h>

#include <array>

namespace ze_cpu {

/// The local id of the first lane, from sub-group to sub-group.
class SubGroupIds {
public:
  /// Begins with the work-group's first work-item. `b` adds code, here to the function's entry.
  SubGroupIds(llvm::IRBuilder<> &b, llvm::Value *group, uint64_t width);

  std::array<llvm::Value *, 3> load(llvm::IRBuilder<> &b) const;
  void advance(llvm::IRBuilder<> &b) const;

  /// Whether each sub-group that begins where a row of work-items does lies in that row: all rows are made of whole sub-groups, or
  /// there is only one.
  llvm::Value *are_in_rows(llvm::IRBuilder<> &b, llvm::Value *lanes) const;

private:
  uint64_t width_;
  std::array<llvm::Value *, 3> size_;
  std::array<llvm::AllocaInst *, 3> id_;
};

} // namespace ze_cpu
