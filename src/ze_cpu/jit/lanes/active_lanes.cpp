#include "active_lanes.h"

#include "../../contract/program.h"
#include "../front/check_calls.h"
#include "../lower/work_item.h"
#include "../regions/regions.h"

#include <llvm/IR/PatternMatch.h>

namespace ze_cpu {
namespace {

using namespace llvm::PatternMatch;

/// The blocks that lanes come through which do nothing, from the one that tells them apart to the region's end.
using Way = llvm::SmallVector<const llvm::BasicBlock *, 8>;

// What `value` is for lanes that have come through the first `gone` blocks of the way. Of blocks that they have yet to come to, it is
// that of the last time.
const llvm::Value *on_the_way(const RegionPlan &plan, const Region &region,
                              const llvm::Value *value, const Way &way, size_t gone) {
  const auto *phi = llvm::dyn_cast<llvm::PHINode>(value);
  if (!phi || !region.members.contains(phi->getParent()))
    return value;
  if (const auto at = llvm::find(way, phi->getParent()); at > way.begin() && at != way.end()) {
    const auto index = static_cast<size_t>(at - way.begin());
    return index < gone
               ? on_the_way(plan, region, phi->getIncomingValueForBlock(at[-1]), way, index)
               : value;
  }
  const llvm::Value *only = nullptr; // what the region begins with
  for (const llvm::BasicBlock *from : phi->blocks())
    if (region.members.contains(from) && !plan.cut_at(from)) {
      if (only)
        return nullptr;
      only = phi->getIncomingValueForBlock(from);
    }
  return only;
}

// Whether lanes that go that way leave memory as it is: later regions find what the lanes had, and a synchronisation point is given
// nothing.
bool keeps_all(const RegionPlan &plan, const Region &region, const Way &way) {
  const Cut &cut = plan.cuts[region.exits.front()];
  for (const unsigned next : cut.next)
    for (const llvm::Instruction *value : plan.regions[next].stored) {
      if (!region.members.contains(value->getParent()) || plan.is_control_phi(value))
        continue;
      const auto at = llvm::find(way, value->getParent());
      if (!llvm::isa<llvm::PHINode>(value) || at == way.begin() || at == way.end())
        return false;
      const auto *had = llvm::dyn_cast_or_null<llvm::Instruction>(
          on_the_way(plan, region, value, way, way.size()));
      // The value itself is that of the last time.
      if (!had || (had != value && region.members.contains(had->getParent())) ||
          !plan.has_slot(had) || plan.slot(value).uniform ||
          plan.slot(had).offset != plan.slot(value).offset)
        return false;
    }
  return llvm::none_of(cut.markers, [&](const llvm::CallInst *marker) {
    const RegionPlan::Operands &carried = plan.operands(marker);
    return carried.value || carried.parameter;
  });
}

bool has_effects(const llvm::BasicBlock &block) {
  return llvm::any_of(block, [](const llvm::Instruction &instruction) {
    if (is_sync_point(instruction) || is_meeting(instruction))
      return false;
    const auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
    return load ? !load->isSimple()
                : instruction.mayHaveSideEffects() || instruction.mayReadFromMemory();
  });
}

// From `block` to the region's end, by its successor `first` and no other branch, if nothing is done there; else empty.
Way way_to_end(const RegionPlan &plan, const Region &region, const llvm::BasicBlock *block,
               const llvm::BasicBlock *first) {
  constexpr unsigned most_blocks = 8;
  Way way{block};
  for (block = first; block && way.size() < most_blocks; block = block->getSingleSuccessor()) {
    if (!region.members.contains(block) || has_effects(*block))
      break;
    way.push_back(block);
    if (plan.cut_at(block) || llvm::isa<llvm::ReturnInst>(block->getTerminator()))
      return way;
  }
  return {};
}

// Whether `value` is the number of each lane, as wide as all of them need.
bool is_number(const RegionPlan &plan, llvm::Function &body, const llvm::Value *value) {
  const llvm::Argument *number =
      value->getType()->getScalarSizeInBits() >= 16 ? plan.lane_bits().number(value) : nullptr;
  // That in x is one where there are no others.
  return number && (number->getArgNo() == context_parameter::lane ||
                    (body.getArg(context_parameter::local_y)->use_empty() &&
                     body.getArg(context_parameter::local_z)->use_empty()));
}

} // namespace

std::optional<uint64_t> few_lanes(const llvm::Value &limit) {
  constexpr uint64_t most = 64;
  const auto *constant = llvm::dyn_cast<llvm::ConstantInt>(&limit);
  return constant && !constant->isZero() && constant->getValue().ule(most)
             ? std::optional(constant->getZExtValue())
             : std::nullopt;
}

std::optional<ActiveLanes> active_lanes(const RegionPlan &plan, const Region &region,
                                        llvm::Function &body) {
  if (region.exits.size() != 1)
    return std::nullopt;
  llvm::BasicBlock *block = region.entry;
  while (block->getSingleSuccessor() && !plan.cut_at(block)) {
    if (has_effects(*block))
      return std::nullopt;
    block = block->getSingleSuccessor();
    if (block == region.entry || !region.members.contains(block))
      return std::nullopt;
  }
  const auto *branch = llvm::dyn_cast<llvm::BranchInst>(block->getTerminator());
  if (!branch || !branch->isConditional() || plan.cut_at(block) || has_effects(*block))
    return std::nullopt;
  const auto *compare = llvm::dyn_cast<llvm::ICmpInst>(branch->getCondition());
  if (!compare || !compare->getOperand(0)->getType()->isIntegerTy())
    return std::nullopt;
  const auto is_idle = [&](unsigned successor) {
    const Way way = way_to_end(plan, region, block, branch->getSuccessor(successor));
    return !way.empty() && keeps_all(plan, region, way);
  };
  const bool is_last_idle = is_idle(1);
  if (!is_last_idle && !is_idle(0))
    return std::nullopt;
  const auto is_uniform = [&](const llvm::Value *value) {
    return plan.uniformity().is_uniform(value);
  };
  ActiveLanes active{block, is_last_idle ? 0u : 1u, nullptr, nullptr, false, false};
  const auto is_sum = [&](llvm::Value *value) {
    llvm::Value *left, *right;
    if (is_number(plan, body, value))
      return true;
    if (!match(value, m_Add(m_Value(left), m_Value(right))))
      return false;
    if (!is_number(plan, body, left))
      std::swap(left, right);
    active.offset = right;
    return is_number(plan, body, left) && is_uniform(right);
  };
  llvm::CmpInst::Predicate predicate =
      is_last_idle ? compare->getPredicate() : compare->getInversePredicate();
  llvm::Value *number = compare->getOperand(0);
  active.limit = compare->getOperand(1);
  if (is_uniform(number)) {
    std::swap(number, active.limit);
    predicate = llvm::CmpInst::getSwappedPredicate(predicate);
  }
  active.is_signed = llvm::CmpInst::isSigned(predicate);
  active.is_inclusive = llvm::CmpInst::isNonStrictPredicate(predicate);
  if (!is_uniform(active.limit) || !is_sum(number) || (active.offset && !active.is_signed))
    return std::nullopt;
  switch (predicate) {
  case llvm::CmpInst::ICMP_EQ:
    if (!match(active.limit, m_Zero()))
      return std::nullopt;
    active.limit = nullptr;
    active.is_inclusive = false;
    return active;
  case llvm::CmpInst::ICMP_ULT:
  case llvm::CmpInst::ICMP_SLT:
  case llvm::CmpInst::ICMP_ULE:
  case llvm::CmpInst::ICMP_SLE:
    return active;
  default:
    return std::nullopt;
  }
}

// Of a number that is larger than any of a lane is taken what is so, too, and has a number above.
LaneLimit lane_limit(llvm::IRBuilder<> &b, const ActiveLanes &active, bool is_compared,
                     llvm::function_ref<llvm::Value *(llvm::Value *)> at_beginning) {
  constexpr uint64_t large = uint64_t(1) << 32;
  if (!active.limit)
    return {b.getInt64(1), b.getTrue()};
  const auto *constant = llvm::dyn_cast<llvm::ConstantInt>(active.limit);
  if (constant && !active.offset) {
    const llvm::APInt &number = constant->getValue();
    const int64_t limit = active.is_signed
                              ? std::min(number.getSExtValue(), static_cast<int64_t>(large))
                              : static_cast<int64_t>(number.getLimitedValue(large));
    return {b.getInt64(static_cast<uint64_t>(limit + active.is_inclusive)), b.getTrue()};
  }
  if (!is_compared)
    return {b.getInt64(1), b.getFalse()};
  llvm::Value *limit = at_beginning(active.limit), *is_known = b.getTrue();
  llvm::Value *offset = active.offset ? at_beginning(active.offset) : nullptr;
  if (!limit || (active.offset && !offset))
    return {b.getInt64(1), b.getFalse()};
  if (offset) { // neither the lanes' sums nor the difference may wrap around
    llvm::Type *type = offset->getType();
    llvm::Value *last = llvm::ConstantInt::get(
        type, llvm::APInt::getSignedMaxValue(type->getIntegerBitWidth()) - max_group_size);
    is_known = b.CreateICmpSLE(offset, last);
    llvm::Value *difference =
        b.CreateBinaryIntrinsic(llvm::Intrinsic::ssub_with_overflow, limit, offset);
    limit = b.CreateExtractValue(difference, 0);
    is_known = b.CreateAnd(is_known, b.CreateNot(b.CreateExtractValue(difference, 1)));
  }
  limit = b.CreateIntCast(limit, b.getInt64Ty(), active.is_signed);
  limit = b.CreateBinaryIntrinsic(active.is_signed ? llvm::Intrinsic::smin : llvm::Intrinsic::umin,
                                  limit, b.getInt64(large));
  return {active.is_inclusive ? b.CreateAdd(limit, b.getInt64(1)) : limit, is_known};
}

} // namespace ze_cpu
