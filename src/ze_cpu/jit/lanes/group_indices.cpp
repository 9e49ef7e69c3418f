#include "group_indices.h"

#include "../../contract/kernel_code.h"
#include "../lower/work_item.h"
#include "from_parameters.h"
#include "number_parts.h"

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

bool is_local_x(const llvm::Value *value) {
  using namespace llvm::PatternMatch;
  match(value, m_Trunc(m_Value(value)));
  const auto *parameter = llvm::dyn_cast<llvm::Argument>(value);
  return parameter && parameter->getArgNo() == context_parameter::local_x;
}

bool is_row_length(const llvm::Value *value) {
  using namespace llvm::PatternMatch;
  match(value, m_Trunc(m_Value(value)));
  const auto *load = llvm::dyn_cast<llvm::LoadInst>(value);
  const llvm::Value *place;
  const llvm::APInt *offset;
  return load && match(load->getPointerOperand(), m_PtrAdd(m_Value(place), m_APInt(offset))) &&
         place == load->getFunction()->getArg(context_parameter::group) &&
         *offset == offsetof(GroupContext, group_size);
}

// A multiple of the sub-group's size, or of the length of the work-group's rows, which is one as a rule.
bool is_multiple(const llvm::Value *value, uint32_t size) {
  using namespace llvm::PatternMatch;
  const llvm::APInt *factor;
  if (match(value, m_Shl(m_Value(), m_APInt(factor))))
    return factor->uge(llvm::Log2_32(size));
  if (match(value, m_Mul(m_Value(), m_APInt(factor))))
    return factor->countr_zero() >= llvm::Log2_32(size);
  const llvm::Value *left, *right;
  return match(value, m_Mul(m_Value(left), m_Value(right))) &&
         (is_row_length(left) || is_row_length(right));
}

// Of an extension of 32 bits to 64.
std::optional<uint64_t> stride_of_extension(const llvm::Instruction &instruction) {
  if (!llvm::isa<llvm::SExtInst, llvm::ZExtInst>(instruction) ||
      !instruction.getOperand(0)->getType()->isIntegerTy(32) ||
      !instruction.getType()->isIntegerTy(64))
    return std::nullopt;
  const std::optional<uint64_t> stride = stride_of(instruction.getOperand(0));
  return stride && *stride > 0 && *stride <= largest_stride ? stride : std::nullopt;
}

// Whether it is a part of the local id in x and what is likely to be a multiple: where it is none, all sub-groups of a work-group are
// executed as if they had not all lanes.
bool is_part_of_number(const llvm::Instruction &instruction, uint32_t size) {
  using namespace llvm::PatternMatch;
  llvm::Value *left, *right;
  if (!instruction.getType()->isIntegerTy(32) || !number_part(instruction, size) ||
      !match(instruction.getOperand(0), m_AddLike(m_Value(left), m_Value(right))))
    return false;
  if (is_local_x(left))
    std::swap(left, right);
  return is_local_x(right) && is_multiple(left, size) && stride_of(left) == 0;
}

} // namespace

llvm::Value *GroupIndex::base(llvm::IRBuilder<> &b, const Parameters &parameter) const {
  FromParameters values(b, [&](llvm::Argument &of) -> llvm::Value * {
    return of.getArgNo() == context_parameter::local_x ? llvm::ConstantInt::get(of.getType(), 0)
                                                       : parameter(of);
  });
  llvm::Value *const number = values.value(instruction->getOperand(0));
  return llvm::isa<llvm::ZExtInst>(instruction) ? b.CreateZExt(number, b.getInt64Ty())
                                                : b.CreateSExt(number, b.getInt64Ty());
}

llvm::Value *GroupIndex::is_regular(llvm::IRBuilder<> &b, llvm::Value *base, llvm::Value *size_x,
                                    uint32_t size) const {
  llvm::Value *const last =
      b.CreateAdd(base, b.CreateMul(b.getInt64(stride), b.CreateSub(size_x, b.getInt64(1))));
  llvm::Value *const in_range = b.CreateICmpSLE(
      last, b.getInt64(llvm::isa<llvm::ZExtInst>(instruction) ? UINT32_MAX : INT32_MAX));
  if (llvm::isa<llvm::CastInst>(instruction))
    return in_range;
  // With the sign: no number is negative then, since the first is not.
  llvm::Value *const lower = b.CreateAnd(base, b.getInt64((size - 1) | uint64_t(1) << 63));
  return b.CreateAnd(in_range, b.CreateICmpEQ(lower, b.getInt64(0)));
}

llvm::Value *GroupIndex::of_lane(llvm::IRBuilder<> &b, llvm::Value *base, const LaneLoop &loop,
                                 uint32_t size) const {
  if (llvm::isa<llvm::CastInst>(instruction))
    return b.CreateAdd(base, b.CreateMul(loop.x, b.getInt64(stride)), "", false, true);
  llvm::Value *const first = b.CreateTrunc(b.CreateAdd(base, loop.first_x), instruction->getType());
  return number_part_of_lane(b, *instruction, size, first, loop.step);
}

std::vector<GroupIndex> group_indices(llvm::Function &body, uint32_t size) {
  std::vector<GroupIndex> found;
  for (llvm::Instruction &instruction : llvm::instructions(body))
    if (const std::optional<uint64_t> stride = stride_of_extension(instruction))
      found.push_back({&instruction, *stride});
    else if (is_part_of_number(instruction, size))
      found.push_back({&instruction, 1});
  return found;
}

} // namespace ze_cpu
