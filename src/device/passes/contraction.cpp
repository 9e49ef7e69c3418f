// Joins multiplications and additions where the program allows it.
//
// HIP contracts a*b+c by default: clang marks operations that may be joined, and leaves the mark off where the program asks for
// the roundings it wrote (__fmul_rn, `#pragma clang fp contract(off)`, -ffp-contract=off). SPIR-V knows only one switch for a
// whole kernel, and consumers that see it on join what is not marked, too. So what may be joined is joined here, and the back
// end, without permission for the module, forbids the rest (execution mode ContractionOff). Can go when SPIR-V's float controls
// for single operations (SPV_KHR_float_controls2) are known to Intel's compiler.
#include "builtins.h"
#include "passes.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

using namespace llvm;

namespace chip {
namespace {

/// Its operands with the sign of the product, when `value` is a product with this one use that may be joined.
struct Product {
  BinaryOperator *multiplication = nullptr;
  bool is_negated = false;

  explicit Product(Value *value) {
    auto *operation = dyn_cast<Instruction>(value);
    if (operation && operation->getOpcode() == Instruction::FNeg && operation->hasOneUse()) {
      is_negated = true;
      operation = dyn_cast<Instruction>(operation->getOperand(0));
    }
    if (operation && operation->getOpcode() == Instruction::FMul && operation->hasOneUse() &&
        operation->hasAllowContract())
      multiplication = cast<BinaryOperator>(operation);
  }
};

// OpenCL's mad is one instruction, where the device has one, and never a call of a function as fma may be.
bool has_mad(Type *type) {
  if (auto *vector = dyn_cast<FixedVectorType>(type))
    return is_contained({2u, 3u, 4u, 8u, 16u}, vector->getNumElements()) &&
           has_mad(vector->getElementType());
  return type->isHalfTy() || type->isFloatTy() || type->isDoubleTy();
}

bool join(BinaryOperator &sum) {
  const bool is_difference = sum.getOpcode() == Instruction::FSub;
  for (unsigned side : {0u, 1u}) {
    const Product product(sum.getOperand(side));
    if (!product.multiplication)
      continue;
    IRBuilder<> builder(&sum);
    builder.setFastMathFlags(sum.getFastMathFlags());
    Value *factor = product.multiplication->getOperand(0), *addend = sum.getOperand(1 - side);
    if (product.is_negated != (is_difference && side == 1))
      factor = builder.CreateFNeg(factor);
    if (is_difference && side == 0)
      addend = builder.CreateFNeg(addend);
    Value *joined = call_builtin(builder, "__spirv_ocl_mad", sum.getType(),
                                 {factor, product.multiplication->getOperand(1), addend});
    cast<Instruction>(joined)->copyFastMathFlags(sum.getFastMathFlags());
    joined->takeName(&sum);
    sum.replaceAllUsesWith(joined);
    sum.eraseFromParent();
    return true;
  }
  return false;
}

} // namespace

PreservedAnalyses Contraction::run(Module &module, ModuleAnalysisManager &) {
  bool changed = false;
  for (Function &function : module)
    for (BasicBlock &block : function)
      // The product comes before its sum, and stays until unused code is deleted.
      for (Instruction &instruction : make_early_inc_range(block)) {
        const unsigned opcode = instruction.getOpcode();
        if ((opcode == Instruction::FAdd || opcode == Instruction::FSub) &&
            instruction.hasAllowContract() && has_mad(instruction.getType()))
          changed |= join(cast<BinaryOperator>(instruction));
      }
  return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace chip
