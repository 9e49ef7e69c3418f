#include "row_conditions.h"

#include "../codegen/loop_analyses.h"

#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Transforms/Scalar/LICM.h>
#include <llvm/Transforms/Scalar/LoopPassManager.h>
#include <llvm/Transforms/Scalar/SimplifyCFG.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Cloning.h>

#include <optional>

namespace ze_cpu {
namespace {

// How many loops there may be in the end, and by how many instructions they may be more than the one, as each is vectorised: that, or
// half of what it has.
constexpr size_t most_loops = 9, most_more_instructions = 640, largest_loop = 4000;

bool accesses_memory(const llvm::BasicBlock &block) {
  return llvm::any_of(block, [](const llvm::Instruction &instruction) {
    return llvm::isa<llvm::LoadInst, llvm::StoreInst>(instruction);
  });
}

// What the end of a block decides on, if that is not known.
llvm::Value *condition_of(const llvm::BasicBlock &block) {
  const llvm::Instruction *end = block.getTerminator();
  llvm::Value *condition = nullptr;
  if (auto *branch = llvm::dyn_cast<llvm::BranchInst>(end))
    condition = branch->isConditional() ? branch->getCondition() : nullptr;
  else if (auto *choice = llvm::dyn_cast<llvm::SwitchInst>(end))
    condition = choice->getCondition();
  return condition && !llvm::isa<llvm::Constant>(condition) ? condition : nullptr;
}

size_t ways(const llvm::BasicBlock &block) {
  return llvm::SmallPtrSet<const llvm::BasicBlock *, 4>(llvm::succ_begin(&block),
                                                        llvm::succ_end(&block))
      .size();
}

// A loop, and those that are made of it.
class Separation {
public:
  Separation(llvm::Loop &loop, llvm::LoopInfo &loops, llvm::DominatorTree &dominators)
      : loop_(loop), loops_(loops), dominators_(dominators) {}

  bool run() {
    if (!loop_.isLoopSimplifyForm() || !loop_.isSafeToClone() || !loop_.getExitingBlock())
      return false;
    const bool changed = ask_shared_first();
    if (!find_decision(loop_).condition || size_of(loop_) > largest_loop)
      return changed;
    llvm::formLCSSARecursively(loop_, dominators_, &loops_, nullptr);
    lower_choices();
    size_t left = std::max(most_more_instructions, size_of(loop_) / 2);
    llvm::SmallVector<Decision, most_loops> decisions{find_decision(loop_)};
    while (decisions.size() < most_loops) {
      Decision &best = *llvm::min_element(decisions);
      if (!best.condition)
        break;
      if (best.growth > left) {
        best.condition = nullptr;
        continue;
      }
      left -= best.growth;
      llvm::Loop &loop = *best.loop, &other = separate(loop, *best.condition);
      best = find_decision(loop);
      decisions.push_back(find_decision(other));
    }
    return true;
  }

private:
  /// Makes two branches of those that depend on what all lanes share and on what they do not, as that of
  /// (x > 0 && x < n - 1 && y > 0 && y < n - 1).
  bool ask_shared_first() {
    bool changed = false;
    for (llvm::BasicBlock *block : llvm::to_vector(loop_.blocks()))
      if (loops_.getLoopFor(block) == &loop_)
        changed |= ask_shared_first(*block);
    if (changed)
      dominators_.recalculate(*loop_.getHeader()->getParent());
    return changed;
  }

  bool ask_shared_first(llvm::BasicBlock &block) {
    using namespace llvm::PatternMatch;
    auto *branch = llvm::dyn_cast<llvm::BranchInst>(block.getTerminator());
    if (!branch || !branch->isConditional() || branch->getSuccessor(0) == branch->getSuccessor(1) ||
        !llvm::all_of(branch->successors(), [&](auto *next) { return loop_.contains(next); }))
      return false;
    llvm::Value *condition = branch->getCondition();
    const bool all = match(condition, m_LogicalAnd());
    if (!all && !match(condition, m_LogicalOr()))
      return false;
    llvm::SmallVector<llvm::Value *> shared, own;
    take_apart(condition, all, shared, own);
    llvm::BasicBlock *decided = branch->getSuccessor(all ? 1 : 0),
                     *other = branch->getSuccessor(all ? 0 : 1);
    if (shared.empty() || own.empty() || !accesses_memory(*other))
      return false;
    const auto combine = [all](llvm::IRBuilder<> &b, llvm::ArrayRef<llvm::Value *> parts) {
      llvm::Value *whole = parts.front();
      for (llvm::Value *part : parts.drop_front())
        whole = all ? b.CreateLogicalAnd(whole, part) : b.CreateLogicalOr(whole, part);
      return whole;
    };
    // What was only asked after something else may be poison.
    llvm::IRBuilder<> before(loop_.getLoopPreheader()->getTerminator());
    for (llvm::Value *&part : shared)
      part = before.CreateFreeze(part);
    llvm::Value *of_all = combine(before, shared);
    auto *next =
        llvm::BasicBlock::Create(block.getContext(), "own", block.getParent(), block.getNextNode());
    loop_.addBasicBlockToLoop(next, loops_);
    llvm::IRBuilder<> b(next);
    branch->setCondition(combine(b, own));
    branch->removeFromParent();
    b.Insert(branch);
    other->replacePhiUsesWith(&block, next);
    for (llvm::PHINode &phi : decided->phis())
      phi.addIncoming(phi.getIncomingValueForBlock(&block), next);
    llvm::BranchInst::Create(all ? next : decided, all ? decided : next, of_all, &block);
    return true;
  }

  /// The parts of a condition that all have to hold, or one of which has to.
  void take_apart(llvm::Value *condition, bool all, llvm::SmallVectorImpl<llvm::Value *> &shared,
                  llvm::SmallVectorImpl<llvm::Value *> &own) const {
    using namespace llvm::PatternMatch;
    llvm::Value *left, *right;
    if (all ? match(condition, m_LogicalAnd(m_Value(left), m_Value(right)))
            : match(condition, m_LogicalOr(m_Value(left), m_Value(right)))) {
      take_apart(left, all, shared, own);
      take_apart(right, all, shared, own);
    } else {
      (loop_.isLoopInvariant(condition) ? shared : own).push_back(condition);
    }
  }

  /// How many instructions lanes may come to, if the condition is known.
  static size_t size_of(const llvm::Loop &loop, llvm::Value *condition = nullptr,
                        bool holds = false) {
    size_t size = 0;
    for (llvm::BasicBlock *block : reached(loop, *loop.getHeader(), condition, holds))
      size += block->size();
    return size;
  }

  using Blocks = llvm::SetVector<llvm::BasicBlock *>;

  /// The blocks with accesses that not every lane comes to.
  static Blocks conditional_accesses(const llvm::Loop &loop) {
    Blocks found;
    for (llvm::BasicBlock *block : reached(loop, *loop.getHeader()))
      if (accesses_memory(*block) && block != loop.getHeader() && block != loop.getLoopLatch() &&
          reached(loop, *loop.getHeader(), nullptr, false, block).contains(loop.getLoopLatch()))
        found.insert(block);
    return found;
  }

  /// Whether the end of a block does not depend on the lane, and it decides about accesses.
  static bool decides(const llvm::Loop &loop, llvm::BasicBlock &block, const Blocks &accesses) {
    llvm::Value *condition = condition_of(block);
    if (!condition || !loop.isLoopInvariant(condition) || loop.isLoopExiting(&block) ||
        ways(block) < 2)
      return false;
    // What lanes come to, if accesses are chosen there, or what these access.
    llvm::SmallVector<Blocks, 3> ways_on;
    for (llvm::BasicBlock *next : llvm::successors(&block))
      ways_on.push_back(reached(loop, *next));
    return !llvm::all_equal(ways_on) && llvm::any_of(ways_on, [&](auto &way) {
      return llvm::any_of(accesses, [&](llvm::BasicBlock *access) { return way.contains(access); });
    });
  }

  /// The blocks that a lane may come to from `begin`, which is one, before the next lane's turn.
  /// `condition` is known, if it is not null, and nobody goes through `closed`.
  static Blocks reached(const llvm::Loop &loop, llvm::BasicBlock &begin,
                        llvm::Value *condition = nullptr, bool holds = false,
                        const llvm::BasicBlock *closed = nullptr) {
    Blocks found;
    found.insert(&begin);
    for (size_t i = 0; i < found.size(); ++i) {
      auto *branch = llvm::dyn_cast<llvm::BranchInst>(found[i]->getTerminator());
      std::optional<bool> known;
      if (branch && branch->isConditional()) {
        if (auto *constant = llvm::dyn_cast<llvm::ConstantInt>(branch->getCondition()))
          known = constant->isOne();
        else if (branch->getCondition() == condition)
          known = holds;
      }
      for (llvm::BasicBlock *next : llvm::successors(found[i]))
        if (loop.contains(next) && next != loop.getHeader() && next != closed &&
            (!known || next == branch->getSuccessor(*known ? 0 : 1)))
          found.insert(next);
    }
    return found;
  }

  /// Makes branches of the choices among them, one for each of the ways.
  void lower_choices() {
    const Blocks accesses = conditional_accesses(loop_);
    llvm::SmallVector<llvm::SwitchInst *> choices;
    for (llvm::BasicBlock *block : loop_.blocks())
      if (auto *choice = llvm::dyn_cast<llvm::SwitchInst>(block->getTerminator());
          choice && decides(loop_, *block, accesses))
        choices.push_back(choice);
    for (llvm::SwitchInst *choice : choices)
      lower(*choice);
    dominators_.recalculate(*loop_.getHeader()->getParent());
  }

  void lower(llvm::SwitchInst &choice) {
    llvm::BasicBlock *block = choice.getParent(), *otherwise = choice.getDefaultDest();
    llvm::IRBuilder<> before(loop_.getLoopPreheader()->getTerminator());
    // It may be one that the loop never comes to.
    llvm::Value *&number = frozen_[choice.getCondition()];
    if (!number)
      number = before.CreateFreeze(choice.getCondition());
    llvm::MapVector<llvm::BasicBlock *, llvm::Value *> conditions;
    for (auto &option : choice.cases()) {
      if (option.getCaseSuccessor() == otherwise)
        continue;
      llvm::Value *&condition = conditions[option.getCaseSuccessor()];
      llvm::Value *&is_this = compared_[{number, option.getCaseValue()}];
      if (!is_this)
        is_this = before.CreateICmpEQ(number, option.getCaseValue());
      condition = condition ? before.CreateOr(condition, is_this) : is_this;
    }
    // Each way keeps one edge.
    llvm::SmallPtrSet<llvm::BasicBlock *, 4> seen;
    for (llvm::BasicBlock *to : llvm::successors(block))
      if (!seen.insert(to).second)
        to->removePredecessor(block, true);
    choice.eraseFromParent();
    llvm::BasicBlock *from = block;
    for (auto &[to, condition] : conditions) {
      auto *next = llvm::BasicBlock::Create(block->getContext(), "", block->getParent(),
                                            block->getNextNode());
      loops_.getLoopFor(block)->addBasicBlockToLoop(next, loops_);
      llvm::BranchInst::Create(to, next, condition, from);
      to->replacePhiUsesWith(block, from);
      from = next;
    }
    llvm::BranchInst::Create(otherwise, from);
    otherwise->replacePhiUsesWith(block, from);
  }

  /// What may be decided in front of a loop: then there are two, which come to `growth` instructions more.
  struct Decision {
    llvm::Loop *loop;
    llvm::Value *condition; // null: nothing
    size_t growth, size;    // of the one loop

    /// Decisions that leave less of the loop to both outcomes come first.
    bool operator<(const Decision &other) const {
      if (!condition || !other.condition)
        return condition != nullptr && !other.condition;
      return growth * other.size < other.growth * size;
    }
  };

  static Decision find_decision(llvm::Loop &loop) {
    Decision best = {&loop, nullptr, SIZE_MAX, size_of(loop)};
    llvm::SmallPtrSet<llvm::Value *, 4> seen;
    const Blocks accesses = conditional_accesses(loop);
    for (llvm::BasicBlock *block : reached(loop, *loop.getHeader()))
      if (llvm::Value *condition = condition_of(*block);
          condition && seen.insert(condition).second && decides(loop, *block, accesses)) {
        const size_t growth =
            size_of(loop, condition, true) + size_of(loop, condition, false) - best.size;
        if (growth < best.growth) {
          best.condition = condition;
          best.growth = growth;
        }
      }
    return best;
  }

  /// Makes `loop` the one in which the condition holds, and returns the other.
  llvm::Loop &separate(llvm::Loop &loop, llvm::Value &condition) {
    llvm::BasicBlock *before = loop.getLoopPreheader(), *exit = loop.getExitBlock(),
                     *exiting = loop.getExitingBlock();
    llvm::BasicBlock *entry = llvm::SplitEdge(before, loop.getHeader(), &dominators_, &loops_);
    llvm::ValueToValueMapTy copies;
    llvm::SmallVector<llvm::BasicBlock *, 8> blocks;
    llvm::Loop &other = *llvm::cloneLoopWithPreheader(entry, before, &loop, copies, ".other",
                                                      &loops_, &dominators_, blocks);
    llvm::remapInstructionsInBlocks(blocks, copies);
    auto copy_of = [&](llvm::Value *value) {
      llvm::Value *copy = copies.lookup(value);
      return copy ? copy : value;
    };
    for (llvm::PHINode &phi : exit->phis())
      phi.addIncoming(copy_of(phi.getIncomingValueForBlock(exiting)),
                      llvm::cast<llvm::BasicBlock>(copy_of(exiting)));
    llvm::IRBuilder<> b(before->getTerminator());
    b.CreateCondBr(b.CreateFreeze(&condition), entry, llvm::cast<llvm::BasicBlock>(copy_of(entry)));
    before->getTerminator()->eraseFromParent();
    decide(loop, condition, b.getTrue());
    decide(other, condition, b.getFalse());
    dominators_.recalculate(*exit->getParent());
    return other;
  }

  static void decide(llvm::Loop &loop, llvm::Value &condition, llvm::Constant *outcome) {
    for (llvm::BasicBlock *block : loop.blocks())
      if (condition_of(*block) == &condition)
        if (auto *branch = llvm::dyn_cast<llvm::BranchInst>(block->getTerminator()))
          branch->setCondition(outcome);
  }

  llvm::Loop &loop_;
  llvm::LoopInfo &loops_;
  llvm::DominatorTree &dominators_;
  // Of the choices: their numbers, and which of them these are. Several choices have the same.
  llvm::DenseMap<llvm::Value *, llvm::Value *> frozen_;
  llvm::DenseMap<std::pair<llvm::Value *, llvm::Value *>, llvm::Value *> compared_;
};

} // namespace

llvm::PreservedAnalyses SeparateRowConditions::run(llvm::Function &function,
                                                   llvm::FunctionAnalysisManager &analyses) {
  llvm::LoopInfo &loops = analyses.getResult<llvm::LoopAnalysis>(function);
  llvm::DominatorTree &dominators = analyses.getResult<llvm::DominatorTreeAnalysis>(function);
  bool changed = false;
  for (llvm::Loop *loop : all_loops_over_lanes(loops))
    changed |= Separation(*loop, loops, dominators).run();
  if (!changed)
    return llvm::PreservedAnalyses::all();
  analyses.invalidate(function, llvm::PreservedAnalyses::none());
  // What does not change in the loops, now that all of them come to it, leaves them.
  llvm::FunctionPassManager passes;
  passes.addPass(llvm::SimplifyCFGPass());
  passes.addPass(llvm::createFunctionToLoopPassAdaptor(llvm::LICMPass(llvm::LICMOptions()), true));
  passes.run(function, analyses);
  return llvm::PreservedAnalyses::none();
}

} // namespace ze_cpu
