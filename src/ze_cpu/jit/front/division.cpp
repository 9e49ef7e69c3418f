#include "division.h"

#include "../codegen/loop_analyses.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

namespace ze_cpu {
namespace {

// Division by zero divides by one instead. The smallest number divided by minus one wraps.
void guard(llvm::BinaryOperator &division) {
  bool is_signed = division.getOpcode() == llvm::Instruction::SDiv ||
                   division.getOpcode() == llvm::Instruction::SRem;
  llvm::Value *dividend = division.getOperand(0), *divisor = division.getOperand(1);
  if (auto *constant = llvm::dyn_cast<llvm::ConstantInt>(divisor))
    if (!constant->isZero() && !(is_signed && constant->isMinusOne()))
      return;
  llvm::IRBuilder<> builder(&division);
  llvm::Type *type = divisor->getType();
  // A poison operand must not become undefined behaviour either: what a GPU divides is always some
  // number.
  divisor = builder.CreateFreeze(divisor);
  llvm::Value *bad = builder.CreateICmpEQ(divisor, llvm::Constant::getNullValue(type));
  if (is_signed) {
    dividend = builder.CreateFreeze(dividend);
    division.setOperand(0, dividend);
    auto *smallest =
        llvm::ConstantInt::get(type, llvm::APInt::getSignedMinValue(type->getScalarSizeInBits()));
    llvm::Value *overflows =
        builder.CreateAnd(builder.CreateICmpEQ(dividend, smallest),
                          builder.CreateICmpEQ(divisor, llvm::Constant::getAllOnesValue(type)));
    bad = builder.CreateOr(bad, overflows); // smallest / 1 is smallest, smallest % 1 is 0
  }
  division.setOperand(1, builder.CreateSelect(bad, llvm::ConstantInt::get(type, 1), divisor));
}

} // namespace

void guard_divisions(llvm::Module &module) {
  for (llvm::Function &function : module) {
    llvm::SmallVector<llvm::BinaryOperator *> divisions;
    for (llvm::Instruction &instruction : llvm::instructions(function))
      if (instruction.isIntDivRem())
        divisions.push_back(llvm::cast<llvm::BinaryOperator>(&instruction));
    for (llvm::BinaryOperator *division : divisions)
      guard(*division);
  }
}

llvm::PreservedAnalyses HoistDivisions::run(llvm::Function &function,
                                            llvm::FunctionAnalysisManager &analyses) {
  llvm::LoopInfo &loops = analyses.getResult<llvm::LoopAnalysis>(function);
  bool changed = false;
  for (llvm::Loop *loop : llvm::reverse(loops.getLoopsInPreorder())) {
    llvm::BasicBlock *before = loop->getLoopPreheader();
    if (!before)
      continue;
    for (llvm::BasicBlock *block : loop->blocks())
      for (llvm::Instruction &instruction : llvm::make_early_inc_range(*block)) {
        if (!instruction.isIntDivRem() || !loop->hasLoopInvariantOperands(&instruction))
          continue;
        // A condition on the way to it may have been the guard.
        instruction.dropPoisonGeneratingFlags();
        instruction.moveBefore(before->getTerminator()->getIterator());
        guard(llvm::cast<llvm::BinaryOperator>(instruction));
        changed = true;
      }
  }
  return kept_by_pass(changed);
}

} // namespace ze_cpu
