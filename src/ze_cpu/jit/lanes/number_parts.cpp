#include "number_parts.h"

#include "../loops/vectorizer_workaround.h"

#include <llvm/IR/PatternMatch.h>

namespace ze_cpu {

using namespace llvm::PatternMatch;

std::optional<NumberPart> number_part(const llvm::Instruction &instruction, uint32_t size) {
  const unsigned bits = llvm::Log2_32(size);
  const auto part_if = [](bool holds, NumberPart part) {
    return holds ? std::optional(part) : std::nullopt;
  };
  if (const std::optional<llvm::APInt> mask = index_mask(instruction))
    return mask->countr_zero() >= bits ? std::optional(NumberPart::same)
                                       : part_if(mask->countr_one() >= bits, NumberPart::counting);
  const llvm::APInt *by;
  if (!llvm::isa<llvm::BinaryOperator>(instruction) ||
      !match(instruction.getOperand(1), m_APInt(by)))
    return std::nullopt;
  const bool is_multiple = by->isStrictlyPositive() && by->countr_zero() >= bits;
  switch (instruction.getOpcode()) {
  case llvm::Instruction::LShr:
  case llvm::Instruction::AShr:
    return part_if(by->uge(bits) && by->ult(by->getBitWidth()), NumberPart::same);
  case llvm::Instruction::SDiv:
  case llvm::Instruction::UDiv:
    return part_if(is_multiple, NumberPart::same);
  case llvm::Instruction::SRem:
  case llvm::Instruction::URem:
    return part_if(is_multiple, NumberPart::counting);
  default:
    return std::nullopt;
  }
}

llvm::Value *number_part_of_lane(llvm::IRBuilder<> &b, const llvm::Instruction &instruction,
                                 uint32_t size, llvm::Value *first, llvm::Value *lanes_before) {
  const std::optional<llvm::APInt> mask = index_mask(instruction);
  const auto lower = [&] { return b.CreateTrunc(lanes_before, instruction.getType()); };
  if (mask && mask->isMask(llvm::Log2_32(size)))
    return lower();
  llvm::Value *const of_first =
      b.CreateBinOp(llvm::cast<llvm::BinaryOperator>(instruction).getOpcode(), first,
                    mask ? b.getInt(*mask) : instruction.getOperand(1));
  return number_part(instruction, size) == NumberPart::same
             ? of_first
             : b.CreateAdd(of_first, lower(), "", true, true);
}

} // namespace ze_cpu
