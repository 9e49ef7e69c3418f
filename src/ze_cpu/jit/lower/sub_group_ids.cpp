#include "sub_group_ids.h"

#include "work_item.h"

namespace ze_cpu {

SubGroupIds::SubGroupIds(llvm::IRBuilder<> &b, llvm::Value *group, uint64_t width) : width_(width) {
  for (unsigned i = 0; i < 3; ++i) {
    size_[i] = load_group_size(b, group, i);
    id_[i] = b.CreateAlloca(b.getInt64Ty());
    b.CreateStore(b.getInt64(0), id_[i]);
  }
}

std::array<llvm::Value *, 3> SubGroupIds::load(llvm::IRBuilder<> &b) const {
  std::array<llvm::Value *, 3> ids;
  for (unsigned i = 0; i < 3; ++i)
    ids[i] = b.CreateLoad(b.getInt64Ty(), id_[i]);
  return ids;
}

void SubGroupIds::advance(llvm::IRBuilder<> &b) const {
  llvm::Value *step = b.getInt64(width_);
  for (unsigned i = 0; i < 3; ++i) {
    llvm::Value *next = b.CreateAdd(b.CreateLoad(b.getInt64Ty(), id_[i]), step);
    llvm::Value *wraps = b.CreateICmpEQ(next, size_[i]);
    b.CreateStore(b.CreateSelect(wraps, b.getInt64(0), next), id_[i]);
    step = b.CreateZExt(wraps, b.getInt64Ty());
  }
}

llvm::Value *SubGroupIds::are_in_rows(llvm::IRBuilder<> &b, llvm::Value *lanes) const {
  llvm::Value *rest = b.CreateAnd(size_[0], b.getInt64(width_ - 1));
  return b.CreateOr(b.CreateICmpEQ(size_[0], lanes), b.CreateICmpEQ(rest, b.getInt64(0)));
}

} // namespace ze_cpu
