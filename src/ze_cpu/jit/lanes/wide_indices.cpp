#include "wide_indices.h"

#include "../lower/work_item.h"
#include "from_parameters.h"

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/PatternMatch.h>

#include <optional>

namespace ze_cpu {
namespace {

constexpr uint64_t largest_stride = 64;
constexpr unsigned most_levels = 8; // of an expression

// The factor of the local id in x, modulo the type's range; none if it depends on a work-item in another way.
std::optional<uint64_t> stride_of(const llvm::Value *value, unsigned level = 0) {
  using namespace llvm::PatternMatch;
  if (llvm::isa<llvm::ConstantInt>(value))
    return 0;
  if (const auto *parameter = llvm::dyn_cast<llvm::Argument>(value))
    switch (parameter->getArgNo()) {
    case context_parameter::local_x:
      return 1;
    case context_parameter::local_y:
    case context_parameter::local_z:
    case context_parameter::lane:
      return std::nullopt;
    default:
      return 0;
    }
  const auto *instruction = llvm::dyn_cast<llvm::Instruction>(value);
  if (!instruction || level == most_levels || !FromParameters::may_move(*instruction))
    return std::nullopt;
  const auto of = [&](unsigned i) { return stride_of(instruction->getOperand(i), level + 1); };
  const llvm::APInt *factor;
  if (match(instruction, m_AddLike(m_Value(), m_Value()))) {
    const auto left = of(0), right = of(1);
    return left && right ? std::optional(*left + *right) : std::nullopt;
  }
  if (match(instruction, m_Trunc(m_Value())))
    return of(0);
  if (match(instruction, m_Mul(m_Value(), m_APInt(factor))) && factor->ule(largest_stride)) {
    const auto whole = of(0);
    return whole ? std::optional(*whole * factor->getZExtValue()) : std::nullopt;
  }
  if (match(instruction, m_Shl(m_Value(), m_APInt(factor))) && factor->ule(6)) {
    const auto whole = of(0);
    return whole ? std::optional(*whole << factor->getZExtValue()) : std::nullopt;
  }
  for (unsigned i = 0; i < instruction->getNumOperands(); ++i)
    if (llvm::isa<llvm::Instruction, llvm::Argument>(instruction->getOperand(i)) && of(i) != 0)
      return std::nullopt;
  return 0;
}

} // namespace

llvm::Value *
WideIndex::base(llvm::IRBuilder<> &b,
                const std::function<llvm::Value *(llvm::Argument &)> &parameter) const {
  FromParameters values(b, [&](llvm::Argument &of) -> llvm::Value * {
    return of.getArgNo() == context_parameter::local_x ? llvm::ConstantInt::get(of.getType(), 0)
                                                       : parameter(of);
  });
  llvm::Value *const sum = values.value(extension->getOperand(0));
  return b.CreateCast(extension->getOpcode(), sum, extension->getType());
}

llvm::Value *WideIndex::stays_in_range(llvm::IRBuilder<> &b, llvm::Value *base,
                                       llvm::Value *size_x) const {
  llvm::Value *const last =
      b.CreateAdd(base, b.CreateMul(b.getInt64(stride), b.CreateSub(size_x, b.getInt64(1))));
  const bool is_signed = llvm::isa<llvm::SExtInst>(extension);
  return b.CreateICmpSLE(last, b.getInt64(is_signed ? INT32_MAX : UINT32_MAX));
}

std::vector<WideIndex> wide_indices(llvm::Function &body) {
  std::vector<WideIndex> found;
  for (llvm::Instruction &instruction : llvm::instructions(body)) {
    auto *extension = llvm::dyn_cast<llvm::CastInst>(&instruction);
    if (!extension || !llvm::isa<llvm::SExtInst, llvm::ZExtInst>(extension) ||
        !extension->getSrcTy()->isIntegerTy(32) || !extension->getDestTy()->isIntegerTy(64))
      continue;
    const std::optional<uint64_t> stride = stride_of(extension->getOperand(0));
    if (stride && *stride > 0 && *stride <= largest_stride)
      found.push_back({extension, *stride});
  }
  return found;
}

} // namespace ze_cpu
