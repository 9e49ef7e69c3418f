#include "lane_memory.h"

#include "../../contract/kernel_code.h"
#include "../lower/work_item.h"

namespace ze_cpu {

llvm::AllocaInst *make_stack(llvm::IRBuilder<> &b, const RegionPlan &plan, Team team) {
  const uint64_t bytes = uint64_t(plan.stack_bytes) * team.sub_group_size;
  llvm::AllocaInst *stack = b.CreateAlloca(llvm::ArrayType::get(b.getInt8Ty(), bytes));
  stack->setAlignment(llvm::Align(64));
  return stack;
}

llvm::Value *LaneMemory::index_of(llvm::IRBuilder<> &b, llvm::Value *lane) const {
  if (!whole_)
    return team_.is_sub_group ? b.CreateAnd(lane, team_.sub_group_size - 1) : lane;
  if (lane == whole_->first)
    return b.getInt64(0);
  return b.CreateSub(lane, whole_->first, "", true, true);
}

llvm::Value *LaneMemory::array(llvm::IRBuilder<> &b, const Slot &slot) const {
  if (whole_ && slot.stack_offset)
    return b.CreateConstInBoundsGEP1_64(b.getInt8Ty(), whole_->stack,
                                        uint64_t(*slot.stack_offset) * team_.sub_group_size);
  llvm::Value *memory = load_member(b, context_, offsetof(GroupContext, lane_memory), b.getPtrTy());
  if (team_.is_sub_group)
    return b.CreateConstInBoundsGEP1_64(b.getInt8Ty(), memory,
                                        uint64_t(slot.offset) * team_.sub_group_size);
  llvm::Value *lanes =
      load_member(b, context_, offsetof(GroupContext, lane_capacity), b.getInt64Ty());
  llvm::Value *begin = b.CreateInBoundsGEP(
      b.getInt8Ty(), memory, b.CreateMul(lanes, b.getInt64(slot.offset), "", true, true));
  return whole_ ? element(b, slot, begin, whole_->first) : begin;
}

llvm::Value *LaneMemory::element(llvm::IRBuilder<> &b, const Slot &slot, llvm::Value *array,
                                 llvm::Value *index) const {
  return b.CreateInBoundsGEP(llvm::ArrayType::get(b.getInt8Ty(), slot.bytes), array, index);
}

llvm::Value *LaneMemory::uniform(llvm::IRBuilder<> &b, const Slot &slot) const {
  return b.CreateConstInBoundsGEP1_64(b.getInt8Ty(), uniform_, slot.offset);
}

llvm::Value *LaneMemory::load(llvm::IRBuilder<> &b, const llvm::Instruction *value,
                              llvm::Value *address, llvm::MDNode *access_group) const {
  llvm::Type *stored = plan_.stored_type(value);
  llvm::LoadInst *loaded = b.CreateAlignedLoad(stored, address, plan_.slot(value).align);
  loaded->setMetadata(llvm::LLVMContext::MD_access_group, access_group);
  if (is_sync_point(*value)) {
    const bool is_signed = plan_.operands(llvm::cast<llvm::CallInst>(value)).is_signed;
    return is_signed ? b.CreateSExt(loaded, value->getType())
                     : b.CreateZExt(loaded, value->getType());
  }
  return b.CreateTrunc(loaded, value->getType()); // or the same
}

void LaneMemory::store(llvm::IRBuilder<> &b, llvm::Value *value, const llvm::Instruction *as,
                       llvm::Value *address, llvm::MDNode *access_group) const {
  b.CreateAlignedStore(b.CreateZExt(value, plan_.stored_type(as)), address, plan_.slot(as).align)
      ->setMetadata(llvm::LLVMContext::MD_access_group, access_group);
}

} // namespace ze_cpu
