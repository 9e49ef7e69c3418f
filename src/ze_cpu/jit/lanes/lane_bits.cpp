#include "lane_bits.h"

#include "../lower/work_item.h"
#include "number_parts.h"

#include <llvm/IR/PatternMatch.h>

namespace ze_cpu {

using namespace llvm::PatternMatch;

const llvm::Argument *LaneBits::number(const llvm::Value *value) const {
  match(value, m_Trunc(m_Value(value)));
  const auto *parameter = llvm::dyn_cast<llvm::Argument>(value);
  return parameter && (parameter->getArgNo() == context_parameter::local_x ||
                       parameter->getArgNo() == context_parameter::lane)
             ? parameter
             : nullptr;
}

// Comparisons with a multiple of the sub-group's size, or with the number before one. None of these numbers is negative.
bool LaneBits::compares_upper_bits(const llvm::Instruction &instruction) const {
  const auto *compare = llvm::dyn_cast<llvm::ICmpInst>(&instruction);
  const llvm::APInt *limit;
  if (!compare || !number(compare->getOperand(0)) || !match(compare->getOperand(1), m_APInt(limit)))
    return false;
  const unsigned bits = llvm::Log2_32(size_);
  switch (compare->getPredicate()) {
  case llvm::CmpInst::ICMP_ULT:
  case llvm::CmpInst::ICMP_SLT:
  case llvm::CmpInst::ICMP_UGE:
  case llvm::CmpInst::ICMP_SGE:
    return limit->countr_zero() >= bits;
  case llvm::CmpInst::ICMP_ULE:
  case llvm::CmpInst::ICMP_SLE:
  case llvm::CmpInst::ICMP_UGT:
  case llvm::CmpInst::ICMP_SGT:
    return limit->countr_one() >= bits;
  default:
    return false;
  }
}

bool LaneBits::takes_upper_bits(const llvm::Instruction &instruction) const {
  return number_part(instruction, size_) == NumberPart::same && number(instruction.getOperand(0));
}

bool LaneBits::is_same(const llvm::Value &value) const {
  if (llvm::isa<llvm::Constant>(value))
    return true;
  const auto *instruction = llvm::dyn_cast<llvm::Instruction>(&value);
  if (!instruction)
    return uniformity_.is_uniform(&value);
  if (uniformity_.is_uniform(instruction) || takes_upper_bits(*instruction) ||
      compares_upper_bits(*instruction))
    return true;
  return llvm::isa<llvm::BinaryOperator, llvm::CastInst, llvm::CmpInst, llvm::SelectInst>(
             instruction) &&
         llvm::all_of(instruction->operands(),
                      [&](const llvm::Use &operand) { return is_same(*operand); });
}

llvm::Value *LaneBits::compute(llvm::IRBuilder<> &b, const llvm::Instruction &instruction,
                               const std::function<llvm::Value *(const llvm::Argument &)> &first_of,
                               llvm::Value *lanes_before) const {
  if (!llvm::isa<llvm::BinaryOperator, llvm::ICmpInst>(instruction))
    return nullptr;
  const llvm::Argument *const parameter = number(instruction.getOperand(0));
  if (!parameter)
    return nullptr;
  const auto first = [&] {
    return b.CreateTrunc(first_of(*parameter), instruction.getOperand(0)->getType());
  };
  if (compares_upper_bits(instruction))
    return b.CreateICmp(llvm::cast<llvm::ICmpInst>(instruction).getPredicate(), first(),
                        instruction.getOperand(1));
  return number_part(instruction, size_)
             ? number_part_of_lane(b, instruction, size_, first(), lanes_before)
             : nullptr;
}

} // namespace ze_cpu
