#include "lane_range.h"

#include "../../contract/program.h"
#include "../loops/vectorizer_workaround.h"
#include "../lower/work_item.h"

#include <llvm/IR/Instructions.h>

namespace ze_cpu {
namespace {

constexpr uint64_t limit = 1 << 20;

bool fits(uint64_t number, const llvm::Type &type) {
  const unsigned bits = type.getScalarSizeInBits();
  return number <= limit && (bits > 32 || number < uint64_t(1) << (bits - 1));
}

std::optional<uint64_t> compute_largest(llvm::Value *value) {
  if (auto *parameter = llvm::dyn_cast<llvm::Argument>(value))
    return parameter->getArgNo() >= context_parameter::local_x &&
                   parameter->getArgNo() <= context_parameter::lane
               ? std::optional<uint64_t>(max_group_size - 1)
               : std::nullopt;
  if (auto *constant = llvm::dyn_cast<llvm::ConstantInt>(value))
    return constant->getValue().isNegative() ? std::nullopt
                                             : std::optional(constant->getLimitedValue());
  auto *instruction = llvm::dyn_cast<llvm::Instruction>(value);
  if (!instruction)
    return std::nullopt;
  auto operand = [&](unsigned i) { return LaneRange::largest_of(instruction->getOperand(i)); };
  auto *number = instruction->getNumOperands() == 2
                     ? llvm::dyn_cast<llvm::ConstantInt>(instruction->getOperand(1))
                     : nullptr;
  switch (instruction->getOpcode()) {
  case llvm::Instruction::ZExt:
  case llvm::Instruction::SExt:
  case llvm::Instruction::Trunc:
  case llvm::Instruction::Freeze:
    return operand(0);
  case llvm::Instruction::And: {
    const std::optional<llvm::APInt> mask = index_mask(*instruction);
    return mask && mask->isNonNegative() ? std::optional(mask->getLimitedValue()) : std::nullopt;
  }
  case llvm::Instruction::LShr:
    return operand(0);
  case llvm::Instruction::Shl:
    if (auto whole = operand(0); whole && number && number->getValue().ule(20))
      return *whole << number->getZExtValue();
    return std::nullopt;
  case llvm::Instruction::Add:
  case llvm::Instruction::Or:
  case llvm::Instruction::Mul: {
    const auto left = operand(0), right = operand(1);
    if (!left || !right)
      return std::nullopt;
    return instruction->getOpcode() == llvm::Instruction::Mul ? *left * *right : *left + *right;
  }
  default:
    return std::nullopt;
  }
}

} // namespace

std::optional<LaneRange::Parts> LaneRange::of(llvm::IRBuilder<> &b, llvm::Value *value) const {
  if (uniformity_.is_uniform(value))
    return Parts{value, 0};
  if (const auto alone = without_shared(value))
    return alone;
  auto *instruction = llvm::dyn_cast<llvm::Instruction>(value);
  if (!instruction)
    return std::nullopt;
  switch (instruction->getOpcode()) {
  case llvm::Instruction::Or:
    if (!llvm::cast<llvm::PossiblyDisjointInst>(instruction)->isDisjoint())
      return std::nullopt;
    [[fallthrough]];
  case llvm::Instruction::Add: {
    const auto left = of(b, instruction->getOperand(0)), right = of(b, instruction->getOperand(1));
    if (!left || !right || left->largest + right->largest > limit)
      return std::nullopt;
    return Parts{!left->shared    ? right->shared
                 : !right->shared ? left->shared
                                  : b.CreateAdd(left->shared, right->shared),
                 left->largest + right->largest};
  }
  case llvm::Instruction::Trunc: {
    const auto whole = of(b, instruction->getOperand(0));
    if (!whole || !fits(whole->largest, *value->getType()))
      return std::nullopt;
    return Parts{whole->shared ? b.CreateTrunc(whole->shared, value->getType()) : nullptr,
                 whole->largest};
  }
  default:
    return std::nullopt;
  }
}

std::optional<LaneRange::Parts> LaneRange::without_shared(llvm::Value *value) {
  const auto largest = largest_of(value);
  return largest ? std::optional(Parts{nullptr, *largest}) : std::nullopt;
}

std::optional<uint64_t> LaneRange::largest_of(llvm::Value *value) {
  std::optional<uint64_t> found = compute_largest(value);
  return found && value->getType()->isIntegerTy() && fits(*found, *value->getType()) ? found
                                                                                     : std::nullopt;
}

} // namespace ze_cpu
