#include "uniform_divisions.h"

#include "../codegen/loop_analyses.h"

#include <llvm/ADT/MapVector.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/PatternMatch.h>

namespace ze_cpu {
namespace {

// What a divisor d of N = 32 bits is replaced by, with l = ceil(log2(d)) and the multiplier 2^N * (2^l - d) / d + 1: Granlund and
// Montgomery, Division by Invariant Integers using Multiplication, 1994, figure 4.1. Signed numbers are divided by their sizes.
struct Reciprocal {
  llvm::Value *divisor, *multiplier, *shift1, *shift2;
  llvm::Value *sign = nullptr; // -1 or 0
};

bool is_signed(const llvm::BinaryOperator &division) {
  return division.getOpcode() == llvm::Instruction::SDiv ||
         division.getOpcode() == llvm::Instruction::SRem;
}

bool is_remainder(const llvm::BinaryOperator &division) {
  return division.getOpcode() == llvm::Instruction::SRem ||
         division.getOpcode() == llvm::Instruction::URem;
}

// -number where `sign` is -1.
llvm::Value *with_sign(llvm::IRBuilder<> &b, llvm::Value *number, llvm::Value *sign) {
  return b.CreateSub(b.CreateXor(number, sign), sign);
}

Reciprocal make_reciprocal(llvm::IRBuilder<> &b, llvm::Value *divisor, bool has_sign) {
  // The division may be one that only some iterations come to, and the divisor no harmless one for others.
  Reciprocal made{b.CreateFreeze(divisor), nullptr, nullptr, nullptr};
  llvm::Value *size = made.divisor, *one = b.getInt32(1);
  if (has_sign) {
    made.sign = b.CreateAShr(size, 31);
    size = with_sign(b, size, made.sign);
  }
  size = b.CreateBinaryIntrinsic(llvm::Intrinsic::umax, size, one);
  llvm::Value *log =
      b.CreateSub(b.getInt32(32), b.CreateBinaryIntrinsic(llvm::Intrinsic::ctlz,
                                                          b.CreateSub(size, one), b.getFalse()));
  llvm::Value *wide = b.CreateZExt(size, b.getInt64Ty());
  llvm::Value *excess =
      b.CreateSub(b.CreateShl(b.getInt64(1), b.CreateZExt(log, b.getInt64Ty())), wide);
  made.multiplier =
      b.CreateAdd(b.CreateTrunc(b.CreateUDiv(b.CreateShl(excess, 32), wide), b.getInt32Ty()), one);
  made.shift1 = b.CreateBinaryIntrinsic(llvm::Intrinsic::umin, log, one);
  made.shift2 = b.CreateSub(log, made.shift1);
  return made;
}

// A divisor that is guarded (front/division.h): one on some condition, which may be that of each lane.
struct Divisor {
  llvm::Value *value;
  llvm::Value *is_one = nullptr; // null: never
};

Divisor divisor_of(const llvm::BinaryOperator &division) {
  using namespace llvm::PatternMatch;
  llvm::Value *divisor = division.getOperand(1), *condition = nullptr, *other = nullptr;
  if (match(divisor, m_Select(m_Value(condition), m_One(), m_Value(other))))
    return {other, condition};
  return {divisor};
}

void multiply(llvm::BinaryOperator &division, const Reciprocal &by, llvm::Value *is_one) {
  llvm::IRBuilder<> b(&division);
  llvm::Value *dividend = division.getOperand(0), *size = dividend, *sign = nullptr;
  if (by.sign) {
    sign = b.CreateAShr(dividend, 31);
    size = with_sign(b, size, sign);
    sign = b.CreateXor(sign, by.sign);
  }
  llvm::Type *wide = b.getInt64Ty();
  llvm::Value *product = b.CreateMul(b.CreateZExt(size, wide), b.CreateZExt(by.multiplier, wide));
  llvm::Value *high = b.CreateTrunc(b.CreateLShr(product, 32), b.getInt32Ty());
  llvm::Value *quotient =
      b.CreateLShr(b.CreateAdd(high, b.CreateLShr(b.CreateSub(size, high), by.shift1)), by.shift2);
  if (sign)
    quotient = with_sign(b, quotient, sign);
  llvm::Value *result = quotient;
  if (is_remainder(division))
    result = b.CreateSub(dividend, b.CreateMul(quotient, by.divisor));
  if (is_one)
    result = b.CreateSelect(is_one, is_remainder(division) ? b.getInt32(0) : dividend, result);
  division.replaceAllUsesWith(result);
  division.eraseFromParent();
}

} // namespace

llvm::PreservedAnalyses MultiplyByReciprocals::run(llvm::Function &function,
                                                   llvm::FunctionAnalysisManager &analyses) {
  bool changed = false;
  for (llvm::Loop *loop : loops_over_lanes(analyses.getResult<llvm::LoopAnalysis>(function))) {
    llvm::MapVector<std::pair<llvm::Value *, unsigned>, Reciprocal> reciprocals;
    for (llvm::BasicBlock *block : loop->blocks())
      for (llvm::Instruction &instruction : llvm::make_early_inc_range(*block)) {
        auto *division = llvm::dyn_cast<llvm::BinaryOperator>(&instruction);
        if (!division || !division->isIntDivRem() || !division->getType()->isIntegerTy(32))
          continue;
        const Divisor divisor = divisor_of(*division);
        if (llvm::isa<llvm::Constant>(divisor.value) || !loop->isLoopInvariant(divisor.value) ||
            loop->hasLoopInvariantOperands(division))
          continue;
        auto [known, is_new] = reciprocals.try_emplace({divisor.value, is_signed(*division)});
        if (is_new) {
          llvm::IRBuilder<> b(loop->getLoopPreheader()->getTerminator());
          known->second = make_reciprocal(b, divisor.value, is_signed(*division));
        }
        multiply(*division, known->second, divisor.is_one);
        changed = true;
      }
  }
  return kept_by_pass(changed);
}

} // namespace ze_cpu
