#include "lane_memory.h"

#include "../../contract/kernel_code.h"
#include "../../contract/region_table.h"
#include "../codegen/kernel_entries.h"
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

llvm::Function *common_cut(llvm::Function &body) {
  llvm::Module &module = *body.getParent();
  const std::string name = (body.getName() + ".common_cut").str();
  if (llvm::Function *function = module.getFunction(name))
    return function;
  llvm::LLVMContext &context = module.getContext();
  auto *i32 = llvm::Type::getInt32Ty(context), *i64 = llvm::Type::getInt64Ty(context);
  auto *type = llvm::FunctionType::get(i32, {llvm::PointerType::get(context, 0), i64}, false);
  auto *function = llvm::Function::Create(type, llvm::GlobalValue::InternalLinkage, name, module);
  function->addFnAttr(llvm::Attribute::NoUnwind);
  function->addFnAttr(llvm::Attribute::NoInline);
  llvm::IRBuilder<> b(llvm::BasicBlock::Create(context, "entry", function));
  auto state = [&](llvm::Value *index) {
    return b.CreateAlignedLoad(i32, b.CreateInBoundsGEP(i32, function->getArg(0), index),
                               llvm::Align(4));
  };
  llvm::Value *of_first = state(b.getInt64(0));
  llvm::PHINode *differences = nullptr;
  llvm::Value *all = nullptr;
  llvm::BasicBlock *before = b.GetInsertBlock();
  llvm::BranchInst *loop =
      make_loop(b, b.getInt64(0), function->getArg(1), "compare", [&](llvm::Value *index) {
        differences = b.CreatePHI(i32, 2);
        differences->addIncoming(b.getInt32(0), before);
        all = b.CreateOr(differences, b.CreateXor(state(index), of_first));
        differences->addIncoming(all, b.GetInsertBlock());
      });
  loop->setMetadata(llvm::LLVMContext::MD_loop, short_loop(context));
  b.CreateRet(
      b.CreateSelect(b.CreateICmpEQ(all, b.getInt32(0)), of_first, b.getInt32(lanes_diverged)));
  return function;
}

} // namespace ze_cpu
