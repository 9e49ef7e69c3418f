#include "frozen_indices.h"

#include "../codegen/loop_analyses.h"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/Transforms/Utils/Local.h>

namespace ze_cpu {
namespace {

/// Whether `value` counts the loop's turns. That is no poison: who decided by it to take another turn would not have come so far.
bool counts_turns(const llvm::Loop &loop, const llvm::Value &value) {
  const auto *phi = llvm::dyn_cast<llvm::PHINode>(&value);
  const llvm::BasicBlock *latch = loop.getLoopLatch();
  if (!phi || phi->getParent() != loop.getHeader() || !latch)
    return false;
  const auto *branch = llvm::dyn_cast<llvm::BranchInst>(latch->getTerminator());
  const auto *compare = branch && branch->isConditional()
                            ? llvm::dyn_cast<llvm::ICmpInst>(branch->getCondition())
                            : nullptr;
  return compare &&
         llvm::isa<llvm::ConstantInt>(phi->getIncomingValueForBlock(loop.getLoopPreheader())) &&
         llvm::is_contained(compare->operands(), phi->getIncomingValueForBlock(latch));
}

// What `value`, frozen, may be, where `b` stands. Without the promises that it keeps, a number whose operands are frozen is one of
// those that it may be. Null: that is not known.
llvm::Value *freeze_operands(llvm::IRBuilder<> &b, const llvm::Loop &loop, llvm::Value *value,
                             unsigned depth = 0) {
  constexpr unsigned deepest = 6;
  if (counts_turns(loop, *value) || llvm::isGuaranteedNotToBeUndefOrPoison(value))
    return value;
  if (loop.isLoopInvariant(value))
    return llvm::IRBuilder<>(loop.getLoopPreheader()->getTerminator()).CreateFreeze(value);
  auto *instruction = llvm::dyn_cast<llvm::Instruction>(value);
  if (!instruction || !llvm::isa<llvm::BinaryOperator, llvm::CastInst>(instruction) ||
      depth == deepest ||
      llvm::canCreateUndefOrPoison(llvm::cast<llvm::Operator>(instruction), false))
    return nullptr;
  llvm::Instruction *copy = instruction->clone();
  copy->dropPoisonGeneratingAnnotations();
  for (llvm::Use &operand : copy->operands()) {
    llvm::Value *frozen = freeze_operands(b, loop, operand, depth + 1);
    if (!frozen) {
      copy->deleteValue();
      return nullptr;
    }
    operand.set(frozen);
  }
  return b.Insert(copy);
}

} // namespace

llvm::PreservedAnalyses FreezeBeforeLanes::run(llvm::Function &function,
                                               llvm::FunctionAnalysisManager &analyses) {
  bool changed = false;
  for (llvm::Loop *loop : loops_over_lanes(analyses.getResult<llvm::LoopAnalysis>(function))) {
    llvm::SmallVector<llvm::FreezeInst *> frozen;
    for (llvm::BasicBlock *block : loop->blocks())
      for (llvm::Instruction &instruction : *block)
        if (auto *freeze = llvm::dyn_cast<llvm::FreezeInst>(&instruction);
            freeze && freeze->getType()->isIntegerTy() && !freeze->getType()->isIntegerTy(1))
          frozen.push_back(freeze);
    for (llvm::FreezeInst *freeze : frozen) {
      llvm::IRBuilder<> b(freeze);
      if (llvm::Value *value = freeze_operands(b, *loop, freeze->getOperand(0))) {
        freeze->replaceAllUsesWith(value);
        llvm::RecursivelyDeleteTriviallyDeadInstructions(freeze);
        changed = true;
      }
    }
  }
  return kept_by_pass(changed);
}

} // namespace ze_cpu
