#include "locked_sections.h"

#include "../regions/sync_points.h"
#include "memory_waits.h"

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Dominators.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

namespace ze_cpu {
namespace {

// Whether nobody has the lock behind the instruction, as far as can be told.
bool may_free(const llvm::Instruction &instruction, const llvm::Value &lock) {
  if (is_sync_point(instruction))
    return true;
  if (const auto *load =
          llvm::dyn_cast<llvm::LoadInst>(&instruction)) // the first half of an update
    return load->getOrdering() == llvm::AtomicOrdering::Unordered;
  if (const auto *store = llvm::dyn_cast<llvm::StoreInst>(&instruction))
    return store->isAtomic() || llvm::getUnderlyingObject(store->getPointerOperand()) ==
                                    llvm::getUnderlyingObject(&lock);
  return instruction.mayWriteToMemory() && !llvm::isa<llvm::FenceInst>(instruction);
}

// The branch on the same condition that leads to the block by one way, if all other ways to it lead through the other way.
llvm::BranchInst *asked_before(llvm::BasicBlock &block, const llvm::BranchInst &again) {
  const auto asks = [&](llvm::BasicBlock *before) {
    const auto *branch = llvm::dyn_cast<llvm::BranchInst>(before->getTerminator());
    return branch && branch->isConditional() && branch->getCondition() == again.getCondition() &&
           branch->getSuccessor(0) != branch->getSuccessor(1);
  };
  const auto found = llvm::find_if(llvm::predecessors(&block), asks);
  if (found == llvm::pred_end(&block) || *found == &block)
    return nullptr;
  auto *branch = llvm::cast<llvm::BranchInst>((*found)->getTerminator());
  const llvm::BasicBlockEdge other(*found, branch->getSuccessor(branch->getSuccessor(0) == &block));
  const llvm::DominatorTree dominators(*block.getParent());
  const bool is_known = llvm::all_of(llvm::predecessors(&block), [&](llvm::BasicBlock *before) {
    return before == *found || dominators.dominates(other, before);
  });
  return is_known ? branch : nullptr;
}

} // namespace

void lead_past_known_branches(llvm::Function &function) {
  for (llvm::BasicBlock &block : llvm::make_early_inc_range(function)) {
    const auto *again = llvm::dyn_cast<llvm::BranchInst>(&block.front());
    if (!again || !again->isConditional())
      continue;
    const llvm::BranchInst *const asked = asked_before(block, *again);
    if (!asked)
      continue;
    const unsigned way = asked->getSuccessor(0) == &block ? 0 : 1;
    const llvm::SmallVector<llvm::BasicBlock *> all_before(llvm::predecessors(&block));
    for (llvm::BasicBlock *before : all_before) {
      llvm::BasicBlock *const next =
          again->getSuccessor(before == asked->getParent() ? way : 1 - way);
      before->getTerminator()->replaceSuccessorWith(&block, next);
      for (llvm::PHINode &phi : next->phis())
        phi.addIncoming(phi.getIncomingValueForBlock(&block), before);
    }
    llvm::DeleteDeadBlock(&block);
  }
}

LockedSections::LockedSections(llvm::Function &function) {
  const llvm::DominatorTree dominators(function);
  const llvm::LoopInfo loops(dominators);
  for (llvm::Loop *loop : loops.getLoopsInPreorder()) {
    llvm::BasicBlock *const behind = loop->getUniqueExitBlock();
    if (!behind || !llvm::all_of(llvm::predecessors(behind), [&](const llvm::BasicBlock *from) {
          return loop->contains(from);
        }))
      continue;
    const llvm::Value *lock = lock_taken_by(*loop);
    if (!lock)
      continue;
    const auto section = static_cast<unsigned>(before_.size());
    before_.push_back(loop->getLoopPredecessor());
    for (const llvm::BasicBlock *block : loop->blocks())
      for (const llvm::Instruction &instruction : *block)
        if (instruction.mayReadOrWriteMemory())
          sections_of_[&instruction].push_back(section);
    follow(*behind, *lock, dominators, section);
  }
}

void LockedSections::follow(llvm::BasicBlock &begin, const llvm::Value &lock,
                            const llvm::DominatorTree &dominators, unsigned section) {
  llvm::SmallPtrSet<const llvm::BasicBlock *, 8> seen;
  llvm::SmallVector<llvm::BasicBlock *> pending{&begin};
  while (!pending.empty()) {
    llvm::BasicBlock *const block = pending.pop_back_val();
    if (!dominators.dominates(&begin, block) || !seen.insert(block).second)
      continue;
    bool is_free = false;
    for (const llvm::Instruction &instruction : *block) {
      // What frees the lock is done by who still has it.
      if (instruction.mayReadOrWriteMemory() && !is_sync_point(instruction))
        sections_of_[&instruction].push_back(section);
      is_free = may_free(instruction, lock);
      if (is_free)
        break;
    }
    if (!is_free)
      pending.append(llvm::succ_begin(block), llvm::succ_end(block));
  }
}

bool LockedSections::are_in_one(const llvm::Instruction &a, const llvm::Instruction &b) const {
  const auto of_a = sections_of_.find(&a), of_b = sections_of_.find(&b);
  return of_a != sections_of_.end() && of_b != sections_of_.end() &&
         llvm::any_of(of_a->second,
                      [&](unsigned section) { return llvm::is_contained(of_b->second, section); });
}

llvm::BasicBlock *LockedSections::before(const llvm::Instruction &access) const {
  const auto found = sections_of_.find(&access);
  return found == sections_of_.end() ? nullptr : before_[found->second.front()];
}

} // namespace ze_cpu
