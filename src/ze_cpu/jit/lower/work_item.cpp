#include "work_item.h"

#include "../../contract/kernel_code.h"
#include "../../contract/program.h"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/MDBuilder.h>

namespace ze_cpu {

llvm::FunctionType *with_context(llvm::FunctionType *type) {
  llvm::LLVMContext &context = type->getContext();
  llvm::SmallVector<llvm::Type *> parameters(context_parameter::count,
                                             llvm::Type::getInt64Ty(context));
  parameters[context_parameter::group] = llvm::PointerType::get(context, 0);
  parameters.append(type->param_begin(), type->param_end());
  return llvm::FunctionType::get(type->getReturnType(), parameters, type->isVarArg());
}

llvm::Value *load_member(llvm::IRBuilder<> &b, llvm::Value *context, size_t offset,
                         llvm::Type *type) {
  llvm::Value *address = b.CreateConstInBoundsGEP1_64(b.getInt8Ty(), context, offset);
  llvm::LoadInst *load = b.CreateAlignedLoad(type, address, llvm::Align(8));
  load->setMetadata(llvm::LLVMContext::MD_invariant_load, llvm::MDNode::get(b.getContext(), {}));
  return load;
}

bool is_member(const llvm::Value *value) {
  const auto *load = llvm::dyn_cast<llvm::LoadInst>(value);
  return load && load->hasMetadata(llvm::LLVMContext::MD_invariant_load) &&
         llvm::getUnderlyingObject(load->getPointerOperand()) ==
             load->getFunction()->getArg(context_parameter::group);
}

llvm::Value *load_group_size(llvm::IRBuilder<> &b, llvm::Value *context, unsigned dimension) {
  llvm::Value *size =
      load_member(b, context, offsetof(GroupContext, group_size) + dimension * sizeof(uint64_t),
                  b.getInt64Ty());
  llvm::cast<llvm::LoadInst>(size)->setMetadata(
      llvm::LLVMContext::MD_range,
      llvm::MDBuilder(b.getContext())
          .createRange(llvm::APInt(64, 1), llvm::APInt(64, max_group_size + 1)));
  return size;
}

namespace {

llvm::Value *load_number(llvm::IRBuilder<> &b, llvm::Value *context, size_t array,
                         unsigned dimension = 0) {
  return load_member(b, context, array + dimension * sizeof(uint64_t), b.getInt64Ty());
}

// Counts of work-items are far below 2^63: neither signed nor unsigned arithmetic wraps.
llvm::Value *multiply(llvm::IRBuilder<> &b, llvm::Value *x, llvm::Value *y) {
  return b.CreateMul(x, y, "", true, true);
}
llvm::Value *add(llvm::IRBuilder<> &b, llvm::Value *x, llvm::Value *y) {
  return b.CreateAdd(x, y, "", true, true);
}

} // namespace

llvm::Value *WorkItem::local_id(Builder &, unsigned dimension) {
  return function_.getArg(context_parameter::local_x + place_of(dimension));
}

llvm::Value *WorkItem::group_id(Builder &b, unsigned dimension) {
  if (dimension == 0)
    return function_.getArg(context_parameter::group_x);
  return load_number(b, context(), offsetof(GroupContext, group), dimension);
}

llvm::Value *WorkItem::group_size(Builder &b, unsigned dimension) {
  return load_group_size(b, context(), place_of(dimension));
}

llvm::Value *WorkItem::groups(Builder &b, unsigned dimension) {
  return load_number(b, context(), offsetof(GroupContext, groups), dimension);
}

llvm::Value *WorkItem::global_offset(Builder &b, unsigned dimension) {
  return load_number(b, context(), offsetof(GroupContext, global_offset), dimension);
}

llvm::Value *WorkItem::global_id(Builder &b, unsigned dimension) {
  llvm::Value *first = multiply(b, group_id(b, dimension), group_size(b, dimension));
  return add(b, add(b, first, global_offset(b, dimension)), local_id(b, dimension));
}

llvm::Value *WorkItem::global_size(Builder &b, unsigned dimension) {
  return multiply(b, groups(b, dimension), group_size(b, dimension));
}

llvm::Value *WorkItem::work_dimensions(Builder &b) {
  return load_number(b, context(), offsetof(GroupContext, work_dimensions));
}

llvm::Value *WorkItem::lanes(Builder &b) {
  return multiply(b, multiply(b, group_size(b, 0), group_size(b, 1)), group_size(b, 2));
}

llvm::Value *WorkItem::local_memory(Builder &b) {
  return load_member(b, context(), offsetof(GroupContext, local), b.getPtrTy());
}

llvm::Value *WorkItem::local_bytes(Builder &b) {
  return load_number(b, context(), offsetof(GroupContext, local_bytes));
}

llvm::Value *WorkItem::stack_low(Builder &b) {
  return load_member(b, context(), offsetof(GroupContext, stack_low), b.getPtrTy());
}

llvm::Value *WorkItem::stack_high(Builder &b) {
  return load_member(b, context(), offsetof(GroupContext, stack_high), b.getPtrTy());
}

} // namespace ze_cpu
