#include "narrow_indices.h"

#include "../codegen/loop_analyses.h"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Transforms/Utils/Local.h>

namespace ze_cpu {
namespace {

using namespace llvm::PatternMatch;

constexpr unsigned most_terms = 8;

/// The upper half of a sum whose lower half is 0, added up in 32 bits where `b` stands; null: it is no such sum.
llvm::Value *upper_half(llvm::IRBuilder<> &b, const llvm::Loop &loop, llvm::Value *sum,
                        unsigned &terms) {
  if (++terms > most_terms)
    return nullptr;
  llvm::Value *first = nullptr, *second = nullptr;
  if (match(sum, m_Shl(m_Value(first), m_SpecificInt(32))))
    return b.CreateTrunc(first, b.getInt32Ty());
  const bool adds = match(sum, m_Add(m_Value(first), m_Value(second)));
  if ((adds || match(sum, m_Sub(m_Value(first), m_Value(second)))) && !loop.isLoopInvariant(sum)) {
    llvm::Value *left = upper_half(b, loop, first, terms);
    llvm::Value *right = left ? upper_half(b, loop, second, terms) : nullptr;
    if (!right)
      return nullptr;
    return adds ? b.CreateAdd(left, right) : b.CreateSub(left, right);
  }
  if (!loop.isLoopInvariant(sum) ||
      llvm::computeKnownBits(sum, b.GetInsertBlock()->getDataLayout()).countMinTrailingZeros() < 32)
    return nullptr;
  llvm::IRBuilder<> before(loop.getLoopPreheader()->getTerminator());
  return before.CreateTrunc(before.CreateLShr(sum, 32), b.getInt32Ty());
}

bool narrow(llvm::Instruction &shift, const llvm::Loop &loop) {
  const llvm::APInt *bits = nullptr;
  if (!shift.getType()->isIntegerTy(64) || loop.isLoopInvariant(&shift) ||
      !match(&shift, m_AShr(m_Value(), m_APInt(bits))) || bits->isZero() || bits->ugt(32) ||
      match(shift.getOperand(0), m_Shl(m_Value(), m_Value()))) // which LLVM knows
    return false;
  llvm::IRBuilder<> b(&shift);
  unsigned terms = 0;
  llvm::Value *index = upper_half(b, loop, shift.getOperand(0), terms);
  if (!index)
    return false;
  llvm::Value *wide = b.CreateSExt(index, b.getInt64Ty());
  if (const uint64_t scale = 32 - bits->getZExtValue())
    wide = b.CreateShl(wide, scale, "", false, true);
  shift.replaceAllUsesWith(wide);
  return true;
}

} // namespace

llvm::PreservedAnalyses NarrowIndices::run(llvm::Function &function,
                                           llvm::FunctionAnalysisManager &analyses) {
  bool changed = false;
  for (llvm::Loop *loop : loops_over_lanes(analyses.getResult<llvm::LoopAnalysis>(function))) {
    llvm::SmallVector<llvm::WeakTrackingVH> replaced;
    for (llvm::BasicBlock *block : loop->blocks())
      for (llvm::Instruction &instruction : *block)
        if (narrow(instruction, *loop))
          replaced.push_back(&instruction);
    changed |= !replaced.empty();
    llvm::RecursivelyDeleteTriviallyDeadInstructions(replaced);
  }
  return kept_by_pass(changed);
}

} // namespace ze_cpu
