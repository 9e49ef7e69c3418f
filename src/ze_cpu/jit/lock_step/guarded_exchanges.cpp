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
#include <llvm/IR/InstIterator.h>
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

/// Whether there is a value that lanes may take part with and make no difference to others: 1 if all lanes are asked, and else 0.
bool takes_others(const llvm::CallInst &marker) {
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
  case SyncKind::all:
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

/// Whether nothing before `end`, or in all of the block, may wait for other lanes. In a loop, what is read again may be waited for.
bool runs_through(const llvm::BasicBlock &block, const llvm::Instruction *end = nullptr,
                  bool is_repeated = false) {
  for (const llvm::Instruction &instruction : block) {
    if (&instruction == end)
      return true;
    const auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction);
    if (call && !llvm::isa<llvm::IntrinsicInst>(call) && !call->doesNotAccessMemory())
      return false;
    if (is_repeated && (instruction.isVolatile() || instruction.isAtomic()))
      return false;
  }
  return !end;
}

llvm::CallInst *first_marker(llvm::BasicBlock &block) {
  for (llvm::Instruction &instruction : block)
    if (is_sync_point(instruction))
      return llvm::cast<llvm::CallInst>(&instruction);
  return nullptr;
}

/// The one that leads there, or into the loop that begins there; null if there is no such one, or several.
llvm::BranchInst *branch_to(llvm::BasicBlock &block, const llvm::LoopInfo &loops) {
  llvm::BasicBlock *const before = loops.isLoopHeader(&block)
                                       ? loops.getLoopFor(&block)->getLoopPredecessor()
                                       : block.getSinglePredecessor();
  auto *branch = before ? llvm::dyn_cast<llvm::BranchInst>(before->getTerminator()) : nullptr;
  return branch && branch->isConditional() ? branch : nullptr;
}

llvm::BasicBlock *split(llvm::Instruction &at, const char *name, llvm::LoopInfo &loops) {
  return llvm::SplitBlock(at.getParent(), &at, static_cast<llvm::DominatorTree *>(nullptr), &loops,
                          nullptr, name);
}

void add_to(llvm::Loop &loop, llvm::BasicBlock &block, llvm::LoopInfo &loops) {
  for (llvm::Loop *around = &loop; around && !around->contains(&block);
       around = around->getParentLoop())
    around->addBlockEntry(&block);
  loops.changeLoopFor(&block, &loop);
}

/// What lanes go through from a block on until all of them come to an exchange.
struct WayToExchange {
  llvm::SmallSetVector<llvm::BasicBlock *, 8> blocks; // the last is that of the exchange
  llvm::CallInst *exchange = nullptr;
};

/// Finds it block by block, and loop by loop: each behind all that lead to it.
class WayFinder {
public:
  WayFinder(llvm::BasicBlock &from, const llvm::LoopInfo &loops)
      : loops_(loops), around_(loops.getLoopFor(&from)), reached_{&from} {
    if (loops.isLoopHeader(&from))
      around_ = around_->getParentLoop();
  }

  /// Null if anything there comes from elsewhere or goes elsewhere, or waits for other lanes before the exchange.
  std::optional<WayToExchange> find() {
    constexpr unsigned too_long = 64;
    while (!reached_.empty() && way_.blocks.size() < too_long) {
      llvm::BasicBlock *const block = reached_.pop_back_val();
      if (const llvm::Loop *loop = loop_from(*block)) {
        if (!go_through(*loop))
          return std::nullopt;
        continue;
      }
      way_.blocks.insert(block);
      if ((way_.exchange = first_marker(*block))) {
        if (reached_.empty() && awaited_.empty() && runs_through(*block, way_.exchange))
          return std::move(way_);
        return std::nullopt;
      }
      if (!runs_through(*block) || llvm::succ_empty(block))
        return std::nullopt;
      for (llvm::BasicBlock *next : llvm::successors(block))
        arrive(*next);
    }
    return std::nullopt;
  }

private:
  /// The loop that begins there, if not all of the way is in it.
  const llvm::Loop *loop_from(const llvm::BasicBlock &block) const {
    const llvm::Loop *const loop = loops_.getLoopFor(&block);
    return loop && loop->getHeader() == &block && !loop->contains(around_) ? loop : nullptr;
  }

  bool go_through(const llvm::Loop &loop) {
    for (llvm::BasicBlock *block : loop.blocks()) {
      if (first_marker(*block) || !runs_through(*block, nullptr, true))
        return false;
      way_.blocks.insert(block);
    }
    llvm::SmallVector<llvm::Loop::Edge, 4> exits;
    loop.getExitEdges(exits);
    for (const auto &[block, next] : exits)
      arrive(*next);
    return !exits.empty();
  }

  void arrive(llvm::BasicBlock &next) {
    const auto [found, is_new] = awaited_.try_emplace(&next, 0);
    if (is_new) {
      const llvm::Loop *const loop = loop_from(next);
      found->second = llvm::count_if(llvm::predecessors(&next), [&](llvm::BasicBlock *before) {
        return !loop || !loop->contains(before);
      });
    }
    if (--found->second != 0)
      return;
    awaited_.erase(found);
    reached_.push_back(&next);
  }

  const llvm::LoopInfo &loops_;
  const llvm::Loop *around_;
  WayToExchange way_;
  llvm::SmallVector<llvm::BasicBlock *, 4> reached_;            // from all that leads there
  llvm::SmallDenseMap<llvm::BasicBlock *, int64_t, 8> awaited_; // from so many more
};

/// The exchanges that all come to who come to `guarded`, to which `branch` leads. Returns what comes behind them; null if they are
/// no such exchanges. Lanes that leave a loop exchange nothing before those that go on leave it, too; they may meet.
llvm::BasicBlock *widen(llvm::BranchInst &branch, llvm::BasicBlock &guarded, bool leaves_loop,
                        llvm::LoopInfo &loops) {
  const auto is_right = [&](const llvm::CallInst &marker) {
    return leaves_loop ? orders_only(marker) : takes_others(marker);
  };
  const auto way = WayFinder(guarded, loops).find();
  if (!way || !is_right(*way->exchange))
    return nullptr;
  llvm::CallInst *const first = way->exchange, *last = first;
  while (is_joined_with_next(*last)) {
    last = llvm::cast<llvm::CallInst>(last->getNextNode());
    if (!is_right(*last))
      return nullptr;
  }
  llvm::BasicBlock *const end = first->getParent(); // of the way
  const unsigned where = branch.getSuccessor(0) == &guarded ? 0 : 1;
  llvm::BasicBlock *const before = branch.getParent(), *const other =
                                                           branch.getSuccessor(1 - where);
  // A loop that `guarded` lies behind goes through the exchange.
  llvm::Loop *loop = loops.getLoopFor(before);
  if (!loop || !loop->contains(other) || loop->contains(&guarded))
    loop = nullptr;
  if (loop && way->blocks.size() > 1)
    return nullptr;
  llvm::BasicBlock *const exchange = split(*first, "exchange", loops);
  llvm::BasicBlock *const behind = split(*last->getNextNode(), "guarded", loops);
  for (llvm::BasicBlock *in_loop : {end, exchange})
    if (loop)
      add_to(*loop, *in_loop, loops);
  exchange->getTerminator()->eraseFromParent();
  llvm::BranchInst *const again =
      Builder(exchange).CreateCondBr(branch.getCondition(), behind, other);
  if (where == 1)
    again->swapSuccessors();
  branch.setSuccessor(1 - where, exchange);
  other->replacePhiUsesWith(before, exchange);
  // What lanes that do not meet the condition come with.
  Builder b(exchange, exchange->begin());
  const auto is_behind = [&](const llvm::Use &use) {
    return !way->blocks.contains(llvm::cast<llvm::Instruction>(use.getUser())->getParent());
  };
  for (llvm::BasicBlock *block : way->blocks)
    for (llvm::Instruction &value : *block) {
      if (llvm::none_of(value.uses(), is_behind))
        continue;
      llvm::PHINode *const known = b.CreatePHI(value.getType(), 2);
      value.replaceUsesWithIf(known, is_behind);
      known->addIncoming(&value, end);
      known->addIncoming(llvm::Constant::getNullValue(value.getType()), before);
    }
  const auto or_else = [&](llvm::Value *value, uint64_t others) -> llvm::Value * {
    auto *known = llvm::dyn_cast<llvm::PHINode>(value);
    if (known && known->getParent() == exchange) {
      if (others == 0)
        return known;
      value = known->getIncomingValueForBlock(end);
    }
    known = b.CreatePHI(value->getType(), 2);
    known->addIncoming(value, end);
    known->addIncoming(llvm::ConstantInt::get(value->getType(), others), before);
    return known;
  };
  for (llvm::Instruction *marker = first;; marker = marker->getNextNode()) {
    auto *call = llvm::cast<llvm::CallInst>(marker);
    if (!orders_only(*call))
      set_value(*call, or_else(value_of(*call), operation_of(*call).kind == SyncKind::all));
    if (!llvm::isa<llvm::Constant>(parameter_of(*call)))
      set_parameter(*call, or_else(parameter_of(*call), 0));
    if (marker == last)
      return behind;
  }
}

} // namespace

bool widen_guarded_exchanges(llvm::Function &body, uint32_t sub_group_size, bool is_kernel) {
  const auto may_be_widened = [](const llvm::Instruction &instruction) {
    if (!is_sync_point(instruction))
      return false;
    const auto &marker = llvm::cast<llvm::CallInst>(instruction);
    return takes_others(marker) || orders_only(marker);
  };
  if (llvm::none_of(llvm::instructions(body), may_be_widened))
    return false;
  const llvm::DominatorTree dominators(body);
  llvm::LoopInfo loops(dominators);
  llvm::ReversePostOrderTraversal<llvm::Function *> order(&body);
  const bool has_unknown_loops = llvm::containsIrreducibleCFG<llvm::BasicBlock *>(order, loops);
  std::optional<VaryingConditions> varying;
  if (is_kernel)
    varying.emplace(body, sub_group_size);
  // Where lanes come by different ways. They have gone different ways before they come to what is in there, too.
  llvm::DenseSet<const llvm::BasicBlock *> apart;
  for (llvm::BasicBlock *block : order) {
    const llvm::BranchInst *const branch = branch_to(*block, loops);
    const auto *const dominator = dominators.getNode(block)->getIDom();
    const llvm::BasicBlock *const above = dominator ? dominator->getBlock() : nullptr;
    if ((branch && (!varying || varying->has(*branch->getCondition()))) ||
        (apart.contains(above) && loops.getLoopFor(above) == loops.getLoopFor(block)))
      apart.insert(block);
  }
  bool changed = false;
  // What is in there first: all who go there come to its exchanges then.
  const llvm::SmallVector<llvm::BasicBlock *> blocks(order.begin(), order.end());
  for (llvm::BasicBlock *guarded : llvm::reverse(blocks)) {
    llvm::BranchInst *branch = branch_to(*guarded, loops);
    if (!branch)
      continue;
    const auto guard = branch->getSuccessor(0) == guarded
                           ? Guard::of(branch->getCondition(), is_kernel, sub_group_size)
                           : std::nullopt;
    if (!guard && !apart.contains(guarded))
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
