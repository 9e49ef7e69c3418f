#include "lane_numbers.h"

#include "../lower/work_item.h"

#include "../../contract/kernel_code.h"
#include "../../contract/program.h"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/GetElementPtrTypeIterator.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Operator.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Support/KnownBits.h>

#include <bit>

namespace ze_cpu {
namespace {

using namespace llvm::PatternMatch;
using Kind = LaneNumbers::Symbol::Kind;

constexpr unsigned max_depth = 24, max_guards = 64;
constexpr size_t max_terms = 24;

const llvm::Value *without_casts(const llvm::Value *value) {
  while (llvm::isa<llvm::ZExtInst, llvm::SExtInst, llvm::TruncInst, llvm::FreezeInst>(value) &&
         value->getType()->isIntegerTy() && value->getType()->getIntegerBitWidth() >= 32)
    value = llvm::cast<llvm::Instruction>(value)->getOperand(0);
  return value;
}

/// The offset of a member of the group's context, which a load of it reads.
std::optional<uint64_t> context_member(const llvm::Instruction &instruction,
                                       const llvm::DataLayout &layout) {
  const auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
  if (!load)
    return std::nullopt;
  const llvm::Value *pointer = load->getPointerOperand();
  llvm::APInt offset(64, 0);
  const llvm::Value *base = pointer->stripAndAccumulateConstantOffsets(layout, offset, true);
  if (base != instruction.getFunction()->getArg(context_parameter::group))
    return std::nullopt;
  return offset.getZExtValue();
}

/// It is below max_group_size.
bool is_coordinate(const Polynomial &number) {
  return llvm::any_of(llvm::seq(0u, static_cast<uint32_t>(Kind::uniform)),
                      [&](uint32_t i) { return number == Polynomial::of_symbol(i); });
}

/// By a power of two; nothing if that leaves a remainder.
std::optional<Polynomial> divided(const Polynomial &number, unsigned bits) {
  Polynomial result;
  for (const auto &[product, factor] : number.terms) {
    if (factor & ((int64_t(1) << bits) - 1))
      return std::nullopt;
    result.add(product, factor >> bits);
  }
  return result;
}

} // namespace

LaneNumbers::LaneNumbers(llvm::Function &function, uint32_t sub_group_size, bool is_kernel)
    : function_(function), layout_(function.getParent()->getDataLayout()),
      sub_group_size_(sub_group_size), is_kernel_(is_kernel),
      uniformity_(function, {.is_sub_group = true, .sub_group_size = sub_group_size}),
      dominators_(function) {
  for (Kind kind : {Kind::x, Kind::y, Kind::z, Kind::lane}) {
    symbols_.push_back({kind, nullptr, false});
    const unsigned parameter = kind == Kind::lane
                                   ? unsigned(context_parameter::lane)
                                   : context_parameter::local_x + static_cast<unsigned>(kind);
    // Synchronisation points name the lane without asking for it.
    uses_[static_cast<size_t>(kind)] = !function.getArg(parameter)->use_empty();
  }
  is_line_ = !uses(Kind::y) && !uses(Kind::z);
}

size_t LaneNumbers::width_offset() { return offsetof(GroupContext, group_size); }

bool LaneNumbers::is_uniform(const llvm::Value *value) const {
  return llvm::isa<llvm::Constant>(value) || (is_kernel_ && uniformity_.is_uniform(value));
}

uint32_t LaneNumbers::symbol_for(const llvm::Value *value, uint64_t tag, Symbol symbol) {
  const auto [at, is_new] =
      numbers_.try_emplace({value, tag}, static_cast<uint32_t>(symbols_.size()));
  if (is_new)
    symbols_.push_back(symbol);
  return at->second;
}

uint32_t LaneNumbers::member_symbol(uint64_t offset) {
  return symbol_for(function_.getArg(context_parameter::group), member + offset,
                    {Kind::uniform, nullptr, false});
}

/// A number of which nothing is known but what it is a multiple of.
Polynomial LaneNumbers::leaf(const llvm::Value *value) {
  llvm::KnownBits bits(1);
  if (value->getType()->isIntegerTy())
    bits = llvm::computeKnownBits(value, layout_);
  const unsigned zeros = std::min(bits.countMinTrailingZeros(), 31u);
  return Polynomial::of_symbol(
             symbol_for(value, itself,
                        {is_uniform(value) ? Kind::uniform : Kind::varying,
                         llvm::dyn_cast<llvm::Instruction>(value), !bits.isNonNegative()}))
      .scaled(int64_t(1) << zeros);
}

Polynomial LaneNumbers::number(const llvm::Value *value) {
  if (const auto found = known_.find(value); found != known_.end())
    return found->second;
  if (depth_ >= max_depth)
    return leaf(value);
  ++depth_;
  Polynomial result = compute(value);
  --depth_;
  if (result.terms.size() > max_terms)
    result = leaf(value);
  known_[value] = result;
  return result;
}

Polynomial LaneNumbers::compute(const llvm::Value *value) {
  if (const auto *constant = llvm::dyn_cast<llvm::ConstantInt>(value))
    return constant->getValue().getSignificantBits() <= 64 ? Polynomial(constant->getSExtValue())
                                                           : leaf(value);
  if (const auto *argument = llvm::dyn_cast<llvm::Argument>(value)) {
    switch (argument->getArgNo()) {
    case context_parameter::local_x:
    case context_parameter::local_y:
    case context_parameter::local_z:
      return Polynomial::of_symbol(argument->getArgNo() - context_parameter::local_x);
    case context_parameter::lane: // in a line the same as x
      return Polynomial::of_symbol(
          static_cast<uint32_t>(is_line_ && uses(Kind::x) ? Kind::x : Kind::lane));
    }
  }
  const auto *instruction = llvm::dyn_cast<llvm::Instruction>(value);
  if (!instruction || !value->getType()->isIntegerTy() || value->getType()->isIntegerTy(1))
    return leaf(value);
  return of_instruction(*instruction);
}

Polynomial LaneNumbers::of_instruction(const llvm::Instruction &instruction) {
  if (const auto offset = context_member(instruction, layout_))
    return Polynomial::of_symbol(member_symbol(*offset));
  const unsigned width = instruction.getType()->getIntegerBitWidth();
  auto operand = [&](unsigned i) { return number(instruction.getOperand(i)); };
  const llvm::APInt *constant;
  switch (instruction.getOpcode()) {
  case llvm::Instruction::Trunc:
    return width >= 32 || is_exact(&instruction) ? operand(0) : leaf(&instruction);
  case llvm::Instruction::ZExt:
    if (is_exact(instruction.getOperand(0)))
      return operand(0);
    [[fallthrough]];
  case llvm::Instruction::SExt:
    return instruction.getOperand(0)->getType()->getIntegerBitWidth() >= 32 ? operand(0)
                                                                            : leaf(&instruction);
  case llvm::Instruction::Freeze:
    return operand(0);
  case llvm::Instruction::Add:
    return operand(0).plus(operand(1));
  case llvm::Instruction::Sub:
    return operand(0).minus(operand(1));
  case llvm::Instruction::Mul:
    return operand(0).multiplied(operand(1));
  case llvm::Instruction::Or:
    if (llvm::cast<llvm::PossiblyDisjointInst>(instruction).isDisjoint() ||
        llvm::haveNoCommonBitsSet(instruction.getOperand(0), instruction.getOperand(1),
                                  llvm::SimplifyQuery(layout_)))
      return operand(0).plus(operand(1));
    return leaf(&instruction);
  case llvm::Instruction::Shl:
    if (match(instruction.getOperand(1), m_APInt(constant)) && constant->ult(48))
      return operand(0).scaled(int64_t(1) << constant->getZExtValue());
    if (is_uniform(instruction.getOperand(1)) &&
        (!is_uniform(&instruction) || match(instruction.getOperand(0), m_One())))
      return operand(0).multiplied(power_of(instruction.getOperand(1)));
    return leaf(&instruction);
  case llvm::Instruction::And:
    if (!match(instruction.getOperand(1), m_APInt(constant))) {
      for (unsigned i : {0u, 1u})
        if (const auto end = end_of_mask(instruction.getOperand(1 - i), is_coordinate(operand(i))))
          return remainder(&instruction, {operand(i), *end});
      return leaf(&instruction);
    }
    if (constant->isMask())
      if (const auto high = quotient_of(instruction.getOperand(0), constant->countr_one()))
        return operand(0).minus(*high);
    if (constant->isNegatedPowerOf2() || (width == 32 && (~*constant).isMask()))
      if (const auto high = quotient_of(instruction.getOperand(0), constant->countr_zero()))
        return *high;
    return leaf(&instruction);
  case llvm::Instruction::LShr:
  case llvm::Instruction::AShr:
    if (match(instruction.getOperand(1), m_APInt(constant)) && constant->ult(48)) {
      const auto bits = static_cast<unsigned>(constant->getZExtValue());
      const auto high = quotient_of(instruction.getOperand(0), bits);
      if (auto shifted = divided(high ? *high : operand(0), bits))
        return *shifted;
    }
    return leaf(&instruction);
  case llvm::Instruction::URem:
  case llvm::Instruction::SRem:
    if (is_uniform(instruction.getOperand(1)) &&
        (is_natural(operand(0)) || is_exact(instruction.getOperand(0))))
      return remainder(&instruction, {operand(0), operand(1)});
    return leaf(&instruction);
  case llvm::Instruction::PHI:
    return number_of_phi(llvm::cast<llvm::PHINode>(instruction));
  default:
    return leaf(&instruction);
  }
}

/// Whether a number is not negative, nor too large for its type if that is a narrow one, in which
/// programs may well count on it that numbers wrap around.
bool LaneNumbers::is_exact(const llvm::Value *value, unsigned depth) {
  if (const auto *constant = llvm::dyn_cast<llvm::ConstantInt>(value))
    return !constant->isNegative();
  if (!ranges_)
    ranges_ = std::make_unique<LoopAnalyses>(function_);
  llvm::ScalarEvolution &evolution = ranges_->evolution;
  const auto scev = [&](const llvm::Value *of) {
    return evolution.getSCEV(const_cast<llvm::Value *>(of));
  };
  const unsigned width = value->getType()->getIntegerBitWidth();
  const auto *instruction = llvm::dyn_cast<llvm::Instruction>(value);
  if (width >= 32)
    return evolution.isKnownNonNegative(scev(value));
  if (!instruction || depth == 0)
    return false;
  const auto operand = [&](unsigned i) { return instruction->getOperand(i); };
  switch (instruction->getOpcode()) {
  case llvm::Instruction::Trunc:
    return evolution.getUnsignedRangeMax(scev(operand(0))).isIntN(width);
  case llvm::Instruction::Add:
    return is_exact(operand(0), depth - 1) && is_exact(operand(1), depth - 1) &&
           evolution.willNotOverflow(llvm::Instruction::Add, false, scev(operand(0)),
                                     scev(operand(1)));
  case llvm::Instruction::URem:
    return is_exact(operand(0), depth - 1) && is_exact(operand(1), depth - 1);
  case llvm::Instruction::PHI:
    return joins(*llvm::cast<llvm::PHINode>(instruction)) &&
           llvm::all_of(instruction->operands(),
                        [&](const llvm::Use &one) { return is_exact(one.get(), depth - 1); });
  default:
    return false;
  }
}

Polynomial LaneNumbers::power_of(const llvm::Value *exponent) {
  exponent = without_casts(exponent);
  return Polynomial::of_symbol(symbol_for(
      exponent, power, {Kind::uniform, llvm::dyn_cast<llvm::Instruction>(exponent), false}));
}

Polynomial LaneNumbers::remainder(const llvm::Value *value, Remainder of) {
  // Also where it is computed from several values that are known to be the same number.
  const auto is_uniform_number = [&](const Polynomial &number) {
    return llvm::all_of(number.terms, [&](const auto &term) {
      return llvm::all_of(term.first,
                          [&](uint32_t symbol) { return symbols_[symbol].kind == Kind::uniform; });
    });
  };
  const bool uniform = is_uniform_number(of.dividend) && is_uniform_number(of.divisor);
  const uint32_t symbol =
      symbol_for(value, itself,
                 {uniform ? Kind::uniform : Kind::varying, llvm::cast<llvm::Instruction>(value),
                  !llvm::computeKnownBits(value, layout_).isNonNegative()});
  remainders_[symbol] = std::move(of);
  return Polynomial::of_symbol(symbol);
}

/// The power of two below which are all bits of `mask`, or zero if it has all bits, of those that a
/// number may have; nothing if it is no such mask.
std::optional<Polynomial> LaneNumbers::end_of_mask(const llvm::Value *mask, bool is_of_coordinate) {
  const llvm::Value *a;
  const llvm::APInt *constant;
  mask = without_casts(mask);
  if (!is_uniform(mask))
    return std::nullopt;
  if (match(mask, m_Not(m_Shl(m_AllOnes(), m_Value(a)))))
    return power_of(a);
  // One less, in as many bits as coordinates have.
  static_assert(std::has_single_bit(max_group_size));
  if (match(mask, m_Add(m_Value(a), m_APInt(constant))) &&
      (constant->isAllOnes() ||
       (is_of_coordinate && (*constant + 1).countr_zero() >= std::bit_width(max_group_size) - 1)) &&
      llvm::isKnownToBeAPowerOfTwo(a, layout_, true))
    return number(a);
  return std::nullopt;
}

/// A coordinate that numbers the lanes of a sub-group one after the other, without its low `bits`:
/// the same for all of them if those tell them apart.
std::optional<Polynomial> LaneNumbers::quotient_of(const llvm::Value *value, unsigned bits) {
  const llvm::Value *coordinate = without_casts(value);
  const bool counts = coordinate == function_.getArg(context_parameter::lane) ||
                      (is_line_ && coordinate == function_.getArg(context_parameter::local_x));
  if (is_line_)
    coordinate = function_.getArg(context_parameter::local_x);
  if (!counts || bits >= 32 || (uint64_t(1) << bits) < sub_group_size_)
    return std::nullopt;
  const uint32_t symbol = symbol_for(coordinate, quotient + bits, {Kind::uniform, nullptr, false});
  return Polynomial::of_symbol(symbol).scaled(int64_t(1) << bits);
}

/// Whether it chooses among values that were computed before, not in the iteration before.
bool LaneNumbers::joins(const llvm::PHINode &phi) const {
  return llvm::none_of(phi.blocks(), [&](const llvm::BasicBlock *from) {
    return dominators_.dominates(phi.getParent(), from);
  });
}

/// One of several values that are the same number. Or a number that grows by the same in each
/// iteration: so many times the step, each lane at its own.
Polynomial LaneNumbers::number_of_phi(const llvm::PHINode &phi) {
  if (joins(phi)) {
    known_[&phi] = leaf(&phi); // for loops with several entries
    const Polynomial first = number(phi.getIncomingValue(0));
    return llvm::all_of(phi.incoming_values(),
                        [&](const llvm::Use &value) { return number(value.get()) == first; })
               ? first
               : leaf(&phi);
  }
  if (is_uniform(&phi) || phi.getNumIncomingValues() != 2)
    return leaf(&phi);
  for (unsigned i = 0; i < 2; ++i) {
    const llvm::Value *step = nullptr;
    const llvm::Value *next = phi.getIncomingValue(i), *start = phi.getIncomingValue(1 - i);
    if (!match(next, m_c_Add(m_Specific(&phi), m_Value(step))) || !is_uniform(step))
      continue;
    if (!dominators_.dominates(phi.getIncomingBlock(1 - i), phi.getParent()))
      continue;
    const auto *computed = llvm::dyn_cast<llvm::Instruction>(step);
    if (computed && !dominators_.dominates(computed, &phi))
      continue; // it may be another in each iteration
    const Polynomial count = leaf(&phi);
    return number(start).plus(number(step).multiplied(count));
  }
  return leaf(&phi);
}

LaneNumbers::Address LaneNumbers::address(const llvm::Value *pointer) {
  llvm::SmallVector<const llvm::Value *> objects;
  llvm::getUnderlyingObjects(pointer, objects, nullptr, 0);
  if (objects.size() != 1)
    return {};
  const llvm::Value *object = objects.front();
  if (!llvm::isa<llvm::GlobalVariable, llvm::Argument>(object))
    return {};
  return {object, offset_from(pointer, object)};
}

Polynomial LaneNumbers::offset_of(const llvm::GEPOperator &gep) {
  Polynomial offset;
  for (auto i = llvm::gep_type_begin(gep), end = llvm::gep_type_end(gep); i != end; ++i) {
    if (llvm::StructType *type = i.getStructTypeOrNull()) {
      const auto index =
          static_cast<unsigned>(llvm::cast<llvm::ConstantInt>(i.getOperand())->getZExtValue());
      offset.add({}, static_cast<int64_t>(
                         layout_.getStructLayout(type)->getElementOffset(index).getFixedValue()));
    } else {
      const auto stride =
          static_cast<int64_t>(i.getSequentialElementStride(layout_).getFixedValue());
      offset = offset.plus(number(i.getOperand()), stride);
    }
  }
  return offset;
}

/// Where a pointer that moves on by the same in each iteration begins, and how far it has come.
std::optional<std::pair<const llvm::Value *, Polynomial>>
LaneNumbers::recurring_pointer(const llvm::PHINode &phi) {
  if (is_uniform(&phi) || phi.getNumIncomingValues() != 2)
    return std::nullopt;
  for (unsigned i = 0; i < 2; ++i) {
    const auto *next = llvm::dyn_cast<llvm::GEPOperator>(phi.getIncomingValue(i));
    if (!next || next->getPointerOperand() != &phi ||
        !dominators_.dominates(phi.getIncomingBlock(1 - i), phi.getParent()) ||
        !llvm::all_of(next->indices(), [&](const llvm::Use &index) {
          const auto *computed = llvm::dyn_cast<llvm::Instruction>(index.get());
          return is_uniform(index.get()) && (!computed || dominators_.dominates(computed, &phi));
        }))
      continue;
    return std::pair(phi.getIncomingValue(1 - i), offset_of(*next).multiplied(leaf(&phi)));
  }
  return std::nullopt;
}

Polynomial LaneNumbers::offset_from(const llvm::Value *pointer, const llvm::Value *object) {
  Polynomial offset;
  while (pointer != object) {
    if (const auto *gep = llvm::dyn_cast<llvm::GEPOperator>(pointer)) {
      offset = offset.plus(offset_of(*gep));
      pointer = gep->getPointerOperand();
      continue;
    }
    const auto *operation = llvm::dyn_cast<llvm::Operator>(pointer);
    const unsigned opcode = operation ? operation->getOpcode() : 0;
    if (opcode == llvm::Instruction::AddrSpaceCast || opcode == llvm::Instruction::BitCast ||
        opcode == llvm::Instruction::Freeze) {
      pointer = operation->getOperand(0);
      continue;
    }
    if (const auto *phi = llvm::dyn_cast<llvm::PHINode>(pointer))
      if (const auto moved = recurring_pointer(*phi)) {
        offset = offset.plus(moved->second);
        pointer = moved->first;
        continue;
      }
    return offset.plus(leaf(pointer)); // one of several
  }
  return offset;
}

const LaneNumbers::Guards &LaneNumbers::guards(const llvm::BasicBlock *block) {
  const auto [at, is_new] = guards_.try_emplace(block);
  if (!is_new)
    return at->second;
  Guards found;
  unsigned steps = 0;
  const auto *node = dominators_.getNode(block);
  for (node = node ? node->getIDom() : nullptr; node && steps < max_guards;
       node = node->getIDom(), ++steps) {
    const auto *branch = llvm::dyn_cast<llvm::BranchInst>(node->getBlock()->getTerminator());
    if (!branch || !branch->isConditional() || branch->getSuccessor(0) == branch->getSuccessor(1))
      continue;
    for (unsigned way : {0u, 1u})
      if (dominators_.dominates({node->getBlock(), branch->getSuccessor(way)}, block))
        add_condition(branch->getCondition(), way == 0, found);
  }
  // Coordinates are smaller than the group, and that than any.
  for (uint32_t i = 0; i <= static_cast<uint32_t>(Kind::lane); ++i)
    found.not_positive.push_back(
        Polynomial::of_symbol(i).minus(Polynomial(int64_t(max_group_size) - 1)));
  for (uint32_t i = 0; i < 3; ++i)
    found.not_positive.push_back(
        Polynomial::of_symbol(i)
            .minus(Polynomial::of_symbol(member_symbol(width_offset() + i * sizeof(uint64_t))))
            .plus(Polynomial(1)));
  return guards_[block] = std::move(found);
}

void LaneNumbers::add_condition(const llvm::Value *condition, bool holds, Guards &guards) {
  const llvm::Value *a, *b;
  if (match(condition, m_Not(m_Value(a))))
    return add_condition(a, !holds, guards);
  if (holds ? match(condition, m_LogicalAnd(m_Value(a), m_Value(b)))
            : match(condition, m_LogicalOr(m_Value(a), m_Value(b)))) {
    add_condition(a, holds, guards);
    return add_condition(b, holds, guards);
  }
  if (const auto *comparison = llvm::dyn_cast<llvm::ICmpInst>(condition))
    add_comparison(*comparison, holds, guards);
}

/// No term of it is negative.
bool LaneNumbers::is_natural(const Polynomial &number) const {
  return llvm::all_of(number.terms, [&](const auto &term) {
    return term.second > 0 &&
           llvm::none_of(term.first, [&](uint32_t symbol) { return symbols_[symbol].is_negative; });
  });
}

void LaneNumbers::add_comparison(const llvm::ICmpInst &comparison, bool holds, Guards &guards) {
  using llvm::CmpInst;
  const llvm::Value *left = comparison.getOperand(0), *right = comparison.getOperand(1);
  if (!left->getType()->isIntegerTy() || left->getType()->getIntegerBitWidth() < 32)
    return;
  CmpInst::Predicate predicate =
      holds ? comparison.getPredicate() : comparison.getInversePredicate();
  if (llvm::ICmpInst::isGT(predicate) || llvm::ICmpInst::isGE(predicate)) {
    std::swap(left, right);
    predicate = CmpInst::getSwappedPredicate(predicate);
  }
  const llvm::Value *a, *b;
  if (predicate == CmpInst::ICMP_EQ && match(right, m_Zero()) &&
      match(left, m_Or(m_Value(a), m_Value(b)))) {
    guards.zero.push_back(number(a));
    guards.zero.push_back(number(b));
    return;
  }
  const Polynomial difference = number(left).minus(number(right));
  if (predicate == CmpInst::ICMP_EQ) {
    guards.zero.push_back(difference);
    guards.not_positive.push_back(difference);
    guards.not_positive.push_back(difference.scaled(-1));
    return;
  }
  if (predicate == CmpInst::ICMP_NE)
    return;
  const bool strict = llvm::ICmpInst::isLT(predicate);
  if (strict)
    guards.greater.push_back({without_casts(right), without_casts(left)});
  // Unsigned, what looks negative is greater than anything.
  if (CmpInst::isUnsigned(predicate)) {
    if (!is_natural(number(right)) && !is_uniform(right))
      return;
    guards.not_positive.push_back(number(left).scaled(-1));
  }
  guards.not_positive.push_back(difference.plus(Polynomial(strict)));
}

} // namespace ze_cpu
