#include "vectorizer_workaround.h"

#include "../../contract/kernel_code.h"
#include "../lower/work_item.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/Analysis/LoopAccessAnalysis.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/PatternMatch.h>

namespace ze_cpu {

void hide_index_masks(llvm::Function &function) {
  using namespace llvm::PatternMatch;
  llvm::SmallVector<llvm::BinaryOperator *> masked;
  for (llvm::Instruction &instruction : llvm::instructions(function))
    if (const llvm::APInt *mask; match(&instruction, m_And(m_Value(), m_APInt(mask))) &&
                                 mask->isMask() && mask->countr_one() < 32 &&
                                 instruction.getType()->isIntegerTy() &&
                                 instruction.getType()->getIntegerBitWidth() >= 32 &&
                                 instruction.getType()->getIntegerBitWidth() <= 64)
      masked.push_back(llvm::cast<llvm::BinaryOperator>(&instruction));
  for (llvm::BinaryOperator *instruction : masked) {
    llvm::IRBuilder<> b(instruction);
    llvm::Value *all = load_member(b, function.getArg(context_parameter::group),
                                   offsetof(GroupContext, all_bits), b.getInt64Ty());
    all = b.CreateTrunc(all, instruction->getType());
    instruction->setOperand(1, b.CreateAnd(all, instruction->getOperand(1)));
  }
}

llvm::PreservedAnalyses ForgetScopes::run(llvm::Function &function,
                                          llvm::FunctionAnalysisManager &) {
  bool changed = false;
  for (llvm::Instruction &instruction : llvm::make_early_inc_range(llvm::instructions(function)))
    if (llvm::isa<llvm::NoAliasScopeDeclInst>(instruction)) {
      instruction.eraseFromParent();
      changed = true;
    }
  if (!changed)
    return llvm::PreservedAnalyses::all();
  llvm::PreservedAnalyses preserved;
  preserved.preserveSet<llvm::CFGAnalyses>();
  return preserved;
}

llvm::PreservedAnalyses KeepVectorizerChecks::run(llvm::Function &function,
                                                  llvm::FunctionAnalysisManager &analyses) {
  constexpr const char *request = "llvm.loop.vectorize.enable";
  constexpr unsigned most_checks = 128;
  bool changed = false;
  auto &accesses = analyses.getResult<llvm::LoopAccessAnalysis>(function);
  for (llvm::Loop *loop : analyses.getResult<llvm::LoopAnalysis>(function).getLoopsInPreorder()) {
    if (!loop->isInnermost() || !llvm::getBooleanLoopAttribute(loop, request) ||
        loop->isAnnotatedParallel() ||
        accesses.getInfo(*loop).getNumRuntimePointerChecks() <= most_checks)
      continue;
    loop->setLoopID(llvm::makePostTransformationMetadata(function.getContext(), loop->getLoopID(),
                                                         {request}, {}));
    changed = true;
  }
  return changed ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
}

std::optional<llvm::APInt> index_mask(const llvm::Instruction &instruction) {
  using namespace llvm::PatternMatch;
  const llvm::APInt *mask;
  const llvm::Value *place;
  const llvm::APInt *offset;
  auto all_bits = m_Load(m_PtrAdd(m_Value(place), m_APInt(offset)));
  if (match(&instruction, m_And(m_Value(), m_APInt(mask))))
    return *mask;
  if (match(&instruction,
            m_And(m_Value(), m_And(m_CombineOr(m_Trunc(all_bits), all_bits), m_APInt(mask)))) &&
      place == instruction.getFunction()->getArg(context_parameter::group) &&
      *offset == offsetof(GroupContext, all_bits))
    return *mask;
  return std::nullopt;
}

} // namespace ze_cpu
