#include "active_lanes.h"

#include "../lower/work_item.h"
#include "../regions/regions.h"

#include <llvm/IR/PatternMatch.h>

namespace ze_cpu {
namespace {

using namespace llvm::PatternMatch;

// What later regions are given, or a synchronisation point.
bool keeps_something(const RegionPlan &plan, const Region &region) {
  const Cut &cut = plan.cuts[region.exits.front()];
  for (const unsigned next : cut.next)
    for (const llvm::Instruction *value : plan.regions[next].stored)
      if (region.members.contains(value->getParent()))
        return true;
  return llvm::any_of(cut.markers, [&](const llvm::CallInst *marker) {
    const RegionPlan::Operands &carried = plan.operands(marker);
    return carried.value || carried.parameter;
  });
}

bool has_effects(const llvm::BasicBlock &block) {
  return llvm::any_of(block, [](const llvm::Instruction &instruction) {
    if (is_sync_point(instruction))
      return false;
    const auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
    return load ? !load->isSimple()
                : instruction.mayHaveSideEffects() || instruction.mayReadFromMemory();
  });
}

// Whether nothing is done from `block` on, by a way without branches.
bool leads_to_end(const RegionPlan &plan, const Region &region, const llvm::BasicBlock *block) {
  constexpr unsigned most_blocks = 8;
  for (unsigned i = 0; block && i < most_blocks; ++i) {
    if (!region.members.contains(block) || has_effects(*block))
      return false;
    if (plan.cut_at(block) || llvm::isa<llvm::ReturnInst>(block->getTerminator()))
      return true;
    block = block->getSingleSuccessor();
  }
  return false;
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
  if (region.exits.size() != 1 || !body.getArg(context_parameter::local_y)->use_empty() ||
      !body.getArg(context_parameter::local_z)->use_empty() || keeps_something(plan, region))
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
  const bool is_last_idle = leads_to_end(plan, region, branch->getSuccessor(1));
  if (!is_last_idle && !leads_to_end(plan, region, branch->getSuccessor(0)))
    return std::nullopt;
  const auto *compare = llvm::dyn_cast<llvm::ICmpInst>(branch->getCondition());
  if (!compare)
    return std::nullopt;
  const auto is_number = [&](llvm::Value *value) {
    if (value->getType()->getIntegerBitWidth() >= 16) // enough for all numbers
      match(value, m_Trunc(m_Value(value)));
    return value == body.getArg(context_parameter::local_x) ||
           value == body.getArg(context_parameter::lane);
  };
  llvm::CmpInst::Predicate predicate =
      is_last_idle ? compare->getPredicate() : compare->getInversePredicate();
  llvm::Value *number = compare->getOperand(0), *limit = compare->getOperand(1);
  if (!is_number(number)) {
    std::swap(number, limit);
    predicate = llvm::CmpInst::getSwappedPredicate(predicate);
  }
  if (!is_number(number) || !plan.uniformity().is_uniform(limit))
    return std::nullopt;
  const unsigned taken = is_last_idle ? 0 : 1;
  switch (predicate) {
  case llvm::CmpInst::ICMP_EQ:
    return match(limit, m_Zero()) ? std::optional(ActiveLanes{block, taken, nullptr, false, false})
                                  : std::nullopt;
  case llvm::CmpInst::ICMP_ULT:
  case llvm::CmpInst::ICMP_SLT:
  case llvm::CmpInst::ICMP_ULE:
  case llvm::CmpInst::ICMP_SLE:
    return ActiveLanes{block, taken, limit, llvm::CmpInst::isSigned(predicate),
                       llvm::CmpInst::isNonStrictPredicate(predicate)};
  default:
    return std::nullopt;
  }
}

} // namespace ze_cpu
