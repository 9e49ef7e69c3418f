#include "guarded_exchanges.h"

#include "../lanes/lane_bits.h"
#include "../lower/work_item.h"
#include "../regions/joined_points.h"
#include "../regions/sync_points.h"

#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/Analysis/CFG.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include <optional>

namespace ze_cpu {
namespace {

using namespace llvm::PatternMatch;
using Builder = llvm::IRBuilder<>;

/// Whether lanes only meet there. The synchronisation of a warp in HIP is a vote whose result nobody wants.
bool orders_only(const llvm::CallInst &marker) {
  const SyncOperation operation = operation_of(marker);
  return operation.scope == SyncScope::sub_group &&
         (operation.kind == SyncKind::reconverge ||
          (operation.kind == SyncKind::ballot && marker.use_empty()));
}

/// Whether lanes that take part with 0 make no difference to others.
bool takes_zeros(const llvm::CallInst &marker) {
  const SyncOperation operation = operation_of(marker);
  if (operation.scope != SyncScope::sub_group)
    return false;
  switch (operation.kind) {
  case SyncKind::reconverge:
  case SyncKind::shuffle:
  case SyncKind::shuffle_xor:
  case SyncKind::shuffle_up:
  case SyncKind::shuffle_down:
  case SyncKind::ballot:
  case SyncKind::any:
    return true;
  default:
    return false;
  }
}

/// Whether all work-items have the same: a parameter of the kernel, the size of the work-group, or what is computed from these.
bool is_common(const llvm::Value *value) {
  if (llvm::isa<llvm::Constant>(value))
    return true;
  if (const auto *parameter = llvm::dyn_cast<llvm::Argument>(value))
    return parameter->getArgNo() >= context_parameter::count;
  const auto *instruction = llvm::cast<llvm::Instruction>(value);
  return is_member(value) || (llvm::isa<llvm::BinaryOperator, llvm::CastInst>(instruction) &&
                              llvm::all_of(instruction->operand_values(), is_common));
}

/// Which conditions not all lanes of a sub-group find the same.
class VaryingConditions {
public:
  VaryingConditions(llvm::Function &body, uint32_t sub_group_size)
      : uniformity_(body, {.is_sub_group = true, .sub_group_size = sub_group_size}),
        bits_(body, uniformity_, sub_group_size) {}

  bool has(const llvm::Value &condition) const { return !bits_.is_same(condition); }

private:
  Uniformity uniformity_;
  LaneBits bits_;
};

/// A condition that only the first lanes of a sub-group meet.
struct Guard {
  llvm::CmpInst::Predicate below;
  llvm::Value *number, *limit;
  bool is_in_sub_group;                        // the number; else that in the work-group
  llvm::SmallVector<llvm::Value *, 2> further; // conditions that these lanes meet as well

  /// What all who meet the condition meet, and hardly anybody in sub-groups where none does; null: all do.
  llvm::Value *of_sub_group(Builder &b, uint32_t size) const {
    llvm::Value *some = nullptr;
    if (!is_in_sub_group) {
      llvm::Value *const first =
          b.CreateAnd(number, llvm::ConstantInt::getSigned(number->getType(), -int64_t(size)));
      some = b.CreateICmp(below, first, limit);
    }
    // Where the others are not met, these may be anything.
    for (llvm::Value *condition : further)
      some = some ? b.CreateAnd(some, b.CreateFreeze(condition)) : b.CreateFreeze(condition);
    return some;
  }

  static std::optional<Guard> of(llvm::Value *condition, bool is_kernel, uint32_t size) {
    llvm::Value *one, *other;
    if (match(condition, m_LogicalAnd(m_Value(one), m_Value(other)))) {
      auto guard = of(other, is_kernel, size);
      if (!guard) {
        std::swap(one, other);
        guard = of(other, is_kernel, size);
      }
      if (guard)
        guard->further.push_back(one);
      return guard;
    }
    llvm::Value *number, *limit;
    llvm::CmpPredicate below;
    if (!match(condition, m_ICmp(below, m_Value(number), m_Value(limit))) ||
        (below != llvm::CmpInst::ICMP_ULT && below != llvm::CmpInst::ICMP_SLT))
      return std::nullopt;
    const auto *known = llvm::dyn_cast<llvm::ConstantInt>(limit);
    if (known ? !known->getValue().isStrictlyPositive() || known->getValue().urem(size) == 0
              : !is_kernel || !is_common(limit))
      return std::nullopt;
    llvm::Value *whole = number;
    const llvm::APInt *mask;
    const bool is_in_sub_group =
        match(number, m_And(m_Value(whole), m_APInt(mask))) && *mask == size - 1;
    match(whole, m_Trunc(m_Value(whole)));
    const auto *parameter = llvm::dyn_cast<llvm::Argument>(whole);
    if (!parameter || (parameter->getArgNo() != context_parameter::local_x &&
                       parameter->getArgNo() != context_parameter::lane))
      return std::nullopt;
    return Guard{below, number, limit, is_in_sub_group, {}};
  }
};

/// Whether nothing before `end` may wait for other lanes.
bool runs_through(const llvm::BasicBlock &block, const llvm::Instruction &end) {
  for (const llvm::Instruction &instruction : block) {
    if (&instruction == &end)
      return true;
    if (llvm::isa<llvm::CallBase>(instruction) && !llvm::isa<llvm::IntrinsicInst>(instruction))
      return false;
  }
  return false;
}

llvm::CallInst *first_marker(llvm::BasicBlock &block) {
  for (llvm::Instruction &instruction : block)
    if (is_sync_point(instruction))
      return llvm::cast<llvm::CallInst>(&instruction);
  return nullptr;
}

llvm::BranchInst *branch_to(llvm::BasicBlock &guarded) {
  llvm::BasicBlock *const before = guarded.getSinglePredecessor();
  auto *branch = before ? llvm::dyn_cast<llvm::BranchInst>(before->getTerminator()) : nullptr;
  return branch && branch->isConditional() ? branch : nullptr;
}

llvm::BasicBlock *split(llvm::Instruction &at, const char *name, llvm::LoopInfo &loops) {
  return llvm::SplitBlock(at.getParent(), &at, static_cast<llvm::DominatorTree *>(nullptr), &loops,
                          nullptr, name);
}

/// The exchanges at the beginning of what is left of `guarded`, which `branch` leads to. Returns what comes behind them; null if they are
/// no such exchanges. Lanes that leave a loop exchange nothing before those that go on leave it, too; they may meet.
llvm::BasicBlock *widen(llvm::BranchInst &branch, llvm::BasicBlock &guarded, bool leaves_loop,
                        llvm::LoopInfo &loops) {
  const auto is_right = [&](const llvm::CallInst &marker) {
    return leaves_loop ? orders_only(marker) : takes_zeros(marker);
  };
  llvm::CallInst *const first = first_marker(guarded);
  if (!first || !is_right(*first) || !runs_through(guarded, *first))
    return nullptr;
  llvm::CallInst *last = first;
  while (is_joined_with_next(*last)) {
    last = llvm::cast<llvm::CallInst>(last->getNextNode());
    if (!is_right(*last))
      return nullptr;
  }
  const unsigned where = branch.getSuccessor(0) == &guarded ? 0 : 1;
  llvm::BasicBlock *const before = branch.getParent(), *const other =
                                                           branch.getSuccessor(1 - where);
  llvm::BasicBlock *const exchange = split(*first, "exchange", loops);
  llvm::BasicBlock *const behind = split(*last->getNextNode(), "guarded", loops);
  exchange->getTerminator()->eraseFromParent();
  llvm::BranchInst *const again =
      Builder(exchange).CreateCondBr(branch.getCondition(), behind, other);
  if (where == 1)
    again->swapSuccessors();
  branch.setSuccessor(1 - where, exchange);
  other->replacePhiUsesWith(before, exchange);
  // What lanes that do not meet the condition come with.
  Builder b(exchange, exchange->begin());
  for (llvm::Instruction &value : guarded) {
    if (value.getType()->isVoidTy() || llvm::none_of(value.users(), [&](llvm::User *user) {
          return llvm::cast<llvm::Instruction>(user)->getParent() != &guarded;
        }))
      continue;
    llvm::PHINode *const known = b.CreatePHI(value.getType(), 2);
    value.replaceUsesOutsideBlock(known, &guarded);
    known->addIncoming(&value, &guarded);
    known->addIncoming(llvm::Constant::getNullValue(value.getType()), before);
  }
  const auto or_zero = [&](llvm::Value *value) -> llvm::Value * {
    if (auto *phi = llvm::dyn_cast<llvm::PHINode>(value); phi && phi->getParent() == exchange)
      return phi;
    llvm::PHINode *const known = b.CreatePHI(value->getType(), 2);
    known->addIncoming(value, &guarded);
    known->addIncoming(llvm::Constant::getNullValue(value->getType()), before);
    return known;
  };
  for (llvm::Instruction *marker = first;; marker = marker->getNextNode()) {
    auto *call = llvm::cast<llvm::CallInst>(marker);
    if (!orders_only(*call))
      set_value(*call, or_zero(value_of(*call)));
    if (!llvm::isa<llvm::Constant>(parameter_of(*call)))
      set_parameter(*call, or_zero(parameter_of(*call)));
    if (marker == last)
      return behind;
  }
}

} // namespace

bool widen_guarded_exchanges(llvm::Function &body, uint32_t sub_group_size, bool is_kernel) {
  llvm::SmallVector<llvm::BasicBlock *> blocks;
  for (llvm::BasicBlock &block : body)
    blocks.push_back(&block);
  const llvm::DominatorTree dominators(body);
  llvm::LoopInfo loops(dominators);
  llvm::ReversePostOrderTraversal<const llvm::Function *> order(&body);
  const bool has_unknown_loops =
      llvm::containsIrreducibleCFG<const llvm::BasicBlock *>(order, loops);
  std::optional<VaryingConditions> varying; // made when it is first needed
  const auto varies = [&](const llvm::Value &condition) {
    if (is_kernel && !varying)
      varying.emplace(body, sub_group_size);
    return !is_kernel || varying->has(condition);
  };
  bool changed = false;
  for (llvm::BasicBlock *guarded : blocks) {
    llvm::BranchInst *branch = branch_to(*guarded);
    if (!branch)
      continue;
    const auto guard = branch->getSuccessor(0) == guarded
                           ? Guard::of(branch->getCondition(), is_kernel, sub_group_size)
                           : std::nullopt;
    if (!guard && (!first_marker(*guarded) || !varies(*branch->getCondition())))
      continue;
    llvm::BasicBlock *const before = branch->getParent();
    llvm::BasicBlock *const other =
        branch->getSuccessor(branch->getSuccessor(0) == guarded ? 1 : 0);
    llvm::BasicBlock *const first = guarded;
    if (other == guarded)
      continue;
    const llvm::Loop *const loop = loops.getLoopFor(before);
    const bool leaves_loop = has_unknown_loops || (loop && loop->isLoopExiting(before));
    while (llvm::BasicBlock *behind = widen(*branch, *guarded, leaves_loop, loops)) {
      branch = llvm::cast<llvm::BranchInst>(behind->getSinglePredecessor()->getTerminator());
      guarded = behind;
    }
    if (guarded == first)
      continue;
    changed = true;
    if (!guard)
      continue;
    // Sub-groups without any of the lanes go on at once.
    Builder b(before->getTerminator());
    if (llvm::Value *some = guard->of_sub_group(b, sub_group_size)) {
      llvm::BasicBlock *const inside = split(*before->getTerminator(), "sub.group", loops);
      before->getTerminator()->eraseFromParent();
      Builder(before).CreateCondBr(some, inside, other);
      for (llvm::PHINode &phi : other->phis())
        phi.addIncoming(phi.getIncomingValueForBlock(branch->getParent()), before);
    }
  }
  return changed;
}

} // namespace ze_cpu
