#include "empty_masks.h"

#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include <optional>

namespace ze_cpu {
namespace {

// Null unless `instruction` is a gather or scatter of so many lanes.
llvm::Value *mask_of(const llvm::Instruction &instruction) {
  auto *call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
  if (!call)
    return nullptr;
  llvm::Value *mask = nullptr;
  if (call->getIntrinsicID() == llvm::Intrinsic::masked_gather)
    mask = call->getArgOperand(call->arg_size() - 2);
  else if (call->getIntrinsicID() == llvm::Intrinsic::masked_scatter)
    mask = call->getArgOperand(call->arg_size() - 1);
  return mask && llvm::isa<llvm::FixedVectorType>(mask->getType()) ? mask : nullptr;
}

// The lanes of a mask of which that is known, if they are few.
std::optional<llvm::SmallVector<unsigned, 4>> few_known_lanes(const llvm::Value &mask) {
  const auto *constant = llvm::dyn_cast<llvm::Constant>(&mask);
  if (!constant)
    return std::nullopt;
  const unsigned lanes = llvm::cast<llvm::FixedVectorType>(mask.getType())->getNumElements();
  llvm::SmallVector<unsigned, 4> set;
  for (unsigned lane = 0; lane < lanes; ++lane) {
    const auto *element =
        llvm::dyn_cast_or_null<llvm::ConstantInt>(constant->getAggregateElement(lane));
    if (!element)
      return std::nullopt;
    if (element->isOne())
      set.push_back(lane);
  }
  return set.size() <= std::max(lanes / 4, 1u) ? std::optional(set) : std::nullopt;
}

void access_lanes(llvm::IntrinsicInst &access, llvm::ArrayRef<unsigned> lanes) {
  llvm::IRBuilder<> b(&access);
  const bool stores = access.getType()->isVoidTy();
  llvm::Value *const places = access.getArgOperand(stores ? 1 : 0);
  const llvm::Align align = llvm::cast<llvm::ConstantInt>(access.getArgOperand(stores ? 2 : 1))
                                ->getMaybeAlignValue()
                                .valueOrOne();
  llvm::Value *values = stores ? access.getArgOperand(0) : access.getArgOperand(3);
  for (const unsigned lane : lanes) {
    llvm::Value *const place = b.CreateExtractElement(places, lane);
    if (stores)
      b.CreateAlignedStore(b.CreateExtractElement(values, lane), place, align);
    else
      values = b.CreateInsertElement(
          values, b.CreateAlignedLoad(access.getType()->getScalarType(), place, align), lane);
  }
  if (!stores)
    access.replaceAllUsesWith(values);
  access.eraseFromParent();
}

// A scatter of a few lanes is faster as a store of each.
void store_few(llvm::IntrinsicInst &scatter, llvm::Value &mask) {
  const unsigned lanes = llvm::cast<llvm::FixedVectorType>(mask.getType())->getNumElements();
  const unsigned few = lanes / 4;
  if (few == 0 || lanes > 64 || scatter.getArgOperand(0)->getType()->getScalarSizeInBits() % 8)
    return;
  llvm::Function &function = *scatter.getFunction();
  llvm::Value *const values = scatter.getArgOperand(0), *const places = scatter.getArgOperand(1);
  const llvm::Align align =
      llvm::cast<llvm::ConstantInt>(scatter.getArgOperand(2))->getMaybeAlignValue().valueOrOne();
  llvm::IRBuilder<> b(&function.getEntryBlock(), function.getEntryBlock().begin());
  llvm::AllocaInst *const kept_values = b.CreateAlloca(values->getType()),
                          *const kept_places = b.CreateAlloca(places->getType());
  b.SetInsertPoint(&scatter);
  auto *const i64 = b.getInt64Ty();
  llvm::Value *const all = b.CreateZExt(b.CreateBitCast(&mask, b.getIntNTy(lanes)), i64);
  llvm::Value *const is_few =
      b.CreateICmpULE(b.CreateUnaryIntrinsic(llvm::Intrinsic::ctpop, all), b.getInt64(few));
  llvm::Instruction *one_by_one = nullptr, *together = nullptr;
  llvm::SplitBlockAndInsertIfThenElse(is_few, scatter.getIterator(), &one_by_one, &together);
  scatter.moveBefore(together->getIterator());
  b.SetInsertPoint(one_by_one);
  b.CreateStore(values, kept_values);
  b.CreateStore(places, kept_places);
  llvm::BasicBlock *const before = one_by_one->getParent();
  llvm::BasicBlock *const after = llvm::SplitBlock(before, one_by_one);
  auto *const loop = llvm::BasicBlock::Create(b.getContext(), "one.lane", &function, after);
  before->getTerminator()->setSuccessor(0, loop);
  b.SetInsertPoint(loop);
  llvm::PHINode *const left = b.CreatePHI(i64, 2);
  left->addIncoming(all, before);
  llvm::Value *const lane = b.CreateIntrinsic(llvm::Intrinsic::cttz, {i64}, {left, b.getTrue()});
  const auto element = [&](llvm::AllocaInst *vector) {
    llvm::Type *const type = vector->getAllocatedType()->getScalarType();
    return b.CreateLoad(type, b.CreateInBoundsGEP(type, vector, lane));
  };
  llvm::Value *const place = element(kept_places);
  b.CreateAlignedStore(element(kept_values), place, align);
  llvm::Value *const next = b.CreateAnd(left, b.CreateSub(left, b.getInt64(1)));
  left->addIncoming(next, loop);
  b.CreateCondBr(b.CreateICmpEQ(next, b.getInt64(0)), after, loop);
}

// The place that all lanes have alike, computed where `b` stands; null: they do not.
llvm::Value *common_place(llvm::IRBuilder<> &b, llvm::Value *places) {
  if (!places->getType()->isVectorTy())
    return places;
  if (llvm::Value *same = llvm::getSplatValue(places))
    return same;
  auto *address = llvm::dyn_cast<llvm::GetElementPtrInst>(places);
  if (!address)
    return nullptr;
  llvm::SmallVector<llvm::Value *, 4> operands;
  for (llvm::Value *operand : address->operands()) {
    llvm::Value *same = common_place(b, operand);
    if (!same)
      return nullptr;
    operands.push_back(same);
  }
  return b.CreateGEP(address->getSourceElementType(), operands.front(),
                     llvm::ArrayRef(operands).drop_front(), "", address->getNoWrapFlags());
}

// What all lanes store to the same place is what the last of them stores.
void store_last(llvm::IntrinsicInst &scatter, llvm::Value &mask, llvm::Value &place) {
  llvm::IRBuilder<> b(&scatter);
  llvm::Value *const values = scatter.getArgOperand(0);
  const unsigned lanes = llvm::cast<llvm::FixedVectorType>(mask.getType())->getNumElements();
  llvm::Value *const all = b.CreateBitCast(&mask, b.getIntNTy(lanes));
  llvm::Value *const last =
      b.CreateSub(b.getIntN(lanes, lanes - 1),
                  b.CreateIntrinsic(llvm::Intrinsic::ctlz, {all->getType()}, {all, b.getTrue()}));
  b.CreateAlignedStore(
      b.CreateExtractElement(values, last), &place,
      llvm::cast<llvm::ConstantInt>(scatter.getArgOperand(2))->getMaybeAlignValue());
  scatter.eraseFromParent();
}

// What some lanes load from the same place: where there are any, one load does for all.
llvm::Value *load_once(llvm::IntrinsicInst &gather, llvm::Value &mask, llvm::Value &place) {
  llvm::IRBuilder<> b(&gather);
  auto *type = llvm::cast<llvm::FixedVectorType>(gather.getType());
  llvm::Value *const loaded = b.CreateVectorSplat(
      type->getNumElements(),
      b.CreateAlignedLoad(
          type->getElementType(), &place,
          llvm::cast<llvm::ConstantInt>(gather.getArgOperand(1))->getMaybeAlignValue()));
  llvm::Value *const otherwise = gather.getArgOperand(3);
  return llvm::isa<llvm::UndefValue>(otherwise) ? loaded : b.CreateSelect(&mask, loaded, otherwise);
}

void skip_if_empty(llvm::IntrinsicInst &access, llvm::Value &mask) {
  const bool stores = access.getType()->isVoidTy();
  llvm::IRBuilder<> b(&access);
  llvm::Value *const place = common_place(b, access.getArgOperand(stores ? 1 : 0));
  const unsigned lanes = llvm::cast<llvm::FixedVectorType>(mask.getType())->getNumElements();
  llvm::Value *some =
      b.CreateICmpNE(b.CreateBitCast(&mask, b.getIntNTy(lanes)), b.getIntN(lanes, 0));
  llvm::BasicBlock *before = access.getParent();
  llvm::Instruction *end = llvm::SplitBlockAndInsertIfThen(some, access.getIterator(), false);
  access.moveBefore(end->getIterator());
  if (stores)
    return place ? store_last(access, mask, *place) : store_few(access, mask);
  llvm::Value *const loaded = place ? load_once(access, mask, *place) : &access;
  // What a gather gives where the mask is not set.
  llvm::Value *const otherwise = access.getArgOperand(3);
  b.SetInsertPoint(end->getSuccessor(0), end->getSuccessor(0)->begin());
  llvm::PHINode *result = b.CreatePHI(access.getType(), 2);
  access.replaceAllUsesWith(result);
  result->addIncoming(loaded, end->getParent());
  result->addIncoming(otherwise, before);
  if (place)
    access.eraseFromParent();
}

} // namespace

bool access_known_lanes(llvm::Function &function) {
  llvm::SmallVector<std::pair<llvm::IntrinsicInst *, llvm::SmallVector<unsigned, 4>>> accesses;
  for (llvm::Instruction &instruction : llvm::instructions(function))
    if (llvm::Value *mask = mask_of(instruction))
      if (auto lanes = few_known_lanes(*mask))
        accesses.push_back({llvm::cast<llvm::IntrinsicInst>(&instruction), *lanes});
  for (auto &[access, lanes] : accesses)
    access_lanes(*access, lanes);
  return !accesses.empty();
}

void skip_empty_masks(llvm::Function &function) {
  llvm::SmallVector<std::pair<llvm::IntrinsicInst *, llvm::Value *>> accesses;
  for (llvm::Instruction &instruction : llvm::instructions(function))
    if (llvm::Value *mask = mask_of(instruction); mask && !llvm::isa<llvm::Constant>(mask))
      accesses.push_back({llvm::cast<llvm::IntrinsicInst>(&instruction), mask});
  for (auto [access, mask] : accesses)
    skip_if_empty(*access, *mask);
}

} // namespace ze_cpu
