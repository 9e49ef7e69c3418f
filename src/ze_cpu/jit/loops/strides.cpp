#include "strides.h"

#include "../lanes/number_parts.h"
#include "../lower/work_item.h"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Support/KnownBits.h>

namespace ze_cpu {
namespace {

bool is_step(llvm::Value *value, llvm::Instruction &phi) {
  auto *step = llvm::dyn_cast<llvm::Instruction>(value);
  return step && llvm::is_contained(step->operands(), &phi);
}
std::optional<int64_t> combine(std::optional<int64_t> a, std::optional<int64_t> b, int64_t sign) {
  constexpr int64_t large = int64_t(1) << 60;
  if (!a || !b || std::abs(*a) > large || std::abs(*b) > large)
    return std::nullopt;
  return *a + sign * *b;
}
std::optional<int64_t> scaled(std::optional<int64_t> stride, const llvm::APInt &factor) {
  if (stride == 0)
    return 0;
  if (!stride || std::abs(*stride) > INT16_MAX || factor.abs().ugt(uint64_t(1) << 32))
    return std::nullopt;
  return *stride * factor.getSExtValue();
}

// The greater distance.
std::optional<int64_t> further(std::optional<int64_t> a, std::optional<int64_t> b) {
  if (!a || !b)
    return std::nullopt;
  return std::abs(*a) >= std::abs(*b) ? a : b;
}

// As the size of an element is.
bool is_small(llvm::Value &factor, const llvm::DataLayout &layout) {
  constexpr uint64_t most = 128;
  return llvm::computeKnownBits(&factor, layout).getMaxValue().ule(most);
}

} // namespace

std::optional<int64_t> Strides::of_intrinsic(llvm::IntrinsicInst &value) {
  auto operand = [&](unsigned i) { return of(value.getOperand(i)); };
  switch (value.getIntrinsicID()) {
  case llvm::Intrinsic::floor:
  case llvm::Intrinsic::fabs:
    return operand(0);
  case llvm::Intrinsic::smin:
  case llvm::Intrinsic::smax:
  case llvm::Intrinsic::umin:
  case llvm::Intrinsic::umax:
  case llvm::Intrinsic::minnum:
  case llvm::Intrinsic::maxnum:
    return further(operand(0), operand(1));
  case llvm::Intrinsic::fma:
  case llvm::Intrinsic::fmuladd:
    if (operand(0) == 0 || operand(1) == 0)
      return further(further(operand(0), operand(1)), operand(2));
    return std::nullopt;
  default:
    return compute_alike(value);
  }
}

std::optional<int64_t> Strides::of(llvm::Value *value) {
  if (auto *parameter = llvm::dyn_cast<llvm::Argument>(value))
    return parameter->getArgNo() == context_parameter::local_x ||
                   parameter->getArgNo() == context_parameter::lane
               ? 1
               : 0;
  auto *instruction = llvm::dyn_cast<llvm::Instruction>(value);
  if (!instruction)
    return 0;
  auto [known, is_new] = strides_.try_emplace(value, 0); // around a loop: as on the way in
  if (!is_new)
    return known->second;
  const std::optional<int64_t> stride = compute(*instruction);
  strides_[value] = stride;
  return stride;
}

std::optional<int64_t> Strides::compute(llvm::Instruction &value) {
  auto operand = [&](unsigned i) { return of(value.getOperand(i)); };
  if (sub_group_size_ && llvm::isa<llvm::BinaryOperator>(value))
    if (const auto part = number_part(value, sub_group_size_); part && operand(0) == 1)
      return part == NumberPart::counting ? 1 : 0;
  switch (value.getOpcode()) {
  case llvm::Instruction::Add:
  case llvm::Instruction::Or:
    return combine(operand(0), operand(1), 1);
  case llvm::Instruction::Sub:
    return combine(operand(0), operand(1), -1);
  case llvm::Instruction::Mul:
    if (auto *factor = llvm::dyn_cast<llvm::ConstantInt>(value.getOperand(1)))
      return scaled(operand(0), factor->getValue());
    if (roughly_ && operand(1) == 0 && is_small(*value.getOperand(1), layout_))
      return operand(0);
    break;
  // Coordinates of textures, of which neighbours read about the next element, whatever unit they count in.
  case llvm::Instruction::SIToFP:
  case llvm::Instruction::UIToFP:
  case llvm::Instruction::FPToSI:
  case llvm::Instruction::FPToUI:
    if (roughly_)
      return operand(0);
    break;
  case llvm::Instruction::FAdd:
    if (roughly_)
      return combine(operand(0), operand(1), 1);
    break;
  case llvm::Instruction::FSub:
    if (roughly_)
      return combine(operand(0), operand(1), -1);
    break;
  case llvm::Instruction::FMul:
    if (roughly_ && (operand(0) == 0 || operand(1) == 0))
      return further(operand(0), operand(1));
    break;
  case llvm::Instruction::Call:
    if (auto *intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&value); roughly_ && intrinsic)
      return of_intrinsic(*intrinsic);
    break;
  case llvm::Instruction::AShr:
  case llvm::Instruction::LShr:
    if (auto *bits = llvm::dyn_cast<llvm::ConstantInt>(value.getOperand(1));
        bits && bits->getValue().ult(63)) {
      const std::optional<int64_t> stride = operand(0);
      if (stride && llvm::countr_zero(uint64_t(*stride)) >= int(bits->getZExtValue()))
        return *stride >> bits->getZExtValue();
      if (roughly_)
        return stride; // at most
    }
    break;
  case llvm::Instruction::Shl:
    if (auto *bits = llvm::dyn_cast<llvm::ConstantInt>(value.getOperand(1));
        bits && bits->getValue().ule(32))
      return scaled(operand(0), llvm::APInt(64, uint64_t(1) << bits->getZExtValue()));
    break;
  case llvm::Instruction::Select:
    if (roughly_)
      return further(operand(1), operand(2));
    break;
  case llvm::Instruction::SExt:
  case llvm::Instruction::ZExt:
    if (roughly_ && value.getOperand(0)->getType()->isIntegerTy(1))
      return 0;
    return operand(0);
  case llvm::Instruction::Trunc:
  case llvm::Instruction::Freeze:
  case llvm::Instruction::AddrSpaceCast:
  case llvm::Instruction::IntToPtr:
  case llvm::Instruction::PtrToInt:
    return operand(0);
  case llvm::Instruction::GetElementPtr: {
    auto &address = llvm::cast<llvm::GetElementPtrInst>(value);
    llvm::APInt fixed(64, 0);
    llvm::SmallMapVector<llvm::Value *, llvm::APInt, 4> parts;
    if (value.getType()->isVectorTy() || !address.collectOffset(layout_, 64, parts, fixed))
      return std::nullopt;
    std::optional<int64_t> sum = of(address.getPointerOperand());
    for (auto &[index, scale] : parts)
      sum = combine(sum, scaled(of(index), scale), 1);
    return sum;
  }
  case llvm::Instruction::PHI: {
    std::optional<int64_t> all = operand(0);
    for (unsigned i = 1; i < value.getNumOperands(); ++i)
      if (operand(i) != all && !is_step(value.getOperand(i), value))
        return std::nullopt;
    return all;
  }
  default:
    break;
  }
  return compute_alike(value);
}

// What comes from values that neighbours share, they share.
std::optional<int64_t> Strides::compute_alike(llvm::Instruction &value) {
  for (llvm::Value *from : value.operands())
    if (of(from) != 0)
      return std::nullopt;
  return 0;
}

uint64_t accessed_bytes(const llvm::Instruction &access) {
  const llvm::DataLayout &layout = access.getModule()->getDataLayout();
  return layout.getTypeStoreSize(llvm::getLoadStoreType(&access)).getFixedValue();
}

} // namespace ze_cpu
