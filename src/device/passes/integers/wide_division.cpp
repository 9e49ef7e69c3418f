#include "wide_division.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/Transforms/Utils/IntegerDivision.h>

using namespace llvm;

namespace chip {
namespace {

// Long division by a number of 32 bits, digit by digit: a remainder and the next digit are no more
// than 64 bits together.
Value *divided_by_digit(IRBuilder<> &builder, Value *dividend, Value *divisor) {
  Type *wide = dividend->getType(), *half = builder.getInt64Ty();
  Value *by = builder.CreateTrunc(divisor, half);
  Value *quotient = ConstantInt::get(wide, 0), *remainder = builder.getInt64(0);
  for (unsigned place : {96u, 64u, 32u, 0u}) {
    Value *digit = builder.CreateAnd(builder.CreateTrunc(builder.CreateLShr(dividend, place), half),
                                     UINT32_MAX);
    Value *part = builder.CreateOr(builder.CreateShl(remainder, 32), digit);
    Value *result = builder.CreateUDiv(part, by);
    remainder = builder.CreateSub(part, builder.CreateMul(result, by));
    quotient = builder.CreateOr(builder.CreateShl(quotient, 32), builder.CreateZExt(result, wide));
  }
  return quotient;
}

// udiv as a function.
Function &division_function(Module &module) {
  LLVMContext &context = module.getContext();
  Type *wide = Type::getInt128Ty(context), *half = Type::getInt64Ty(context);
  Function *function = Function::Create(FunctionType::get(wide, {wide, wide}, false),
                                        GlobalValue::InternalLinkage, "__chip_udiv128", module);
  function->setCallingConv(CallingConv::SPIR_FUNC);
  function->setDoesNotThrow();
  function->setDoesNotAccessMemory();
  function->setWillReturn();
  Value *dividend = function->getArg(0), *divisor = function->getArg(1);

  auto block = [&](const char *name) { return BasicBlock::Create(context, name, function); };
  BasicBlock *entry = block("entry"), *narrow = block("narrow"), *no_narrow = block("no_narrow"),
             *by_digit = block("by_digit"), *by_bit = block("by_bit");
  auto is_below = [&](IRBuilder<> &builder, Value *value, unsigned bits) {
    return builder.CreateICmpULT(value, ConstantInt::get(context, APInt::getOneBitSet(128, bits)));
  };
  IRBuilder<> builder(entry);
  builder.CreateCondBr(is_below(builder, builder.CreateOr(dividend, divisor), 64), narrow,
                       no_narrow);
  builder.SetInsertPoint(narrow);
  Value *quotient =
      builder.CreateUDiv(builder.CreateTrunc(dividend, half), builder.CreateTrunc(divisor, half));
  builder.CreateRet(builder.CreateZExt(quotient, wide));
  builder.SetInsertPoint(no_narrow);
  builder.CreateCondBr(is_below(builder, divisor, 32), by_digit, by_bit);
  builder.SetInsertPoint(by_digit);
  builder.CreateRet(divided_by_digit(builder, dividend, divisor));
  builder.SetInsertPoint(by_bit);
  Value *division = builder.Insert(BinaryOperator::CreateUDiv(dividend, divisor));
  builder.CreateRet(division);
  // LLVM's own form takes as many steps as the quotient has bits.
  expandDivision(cast<BinaryOperator>(division));
  return *function;
}

void call_division(Function &function, BinaryOperator &operation) {
  IRBuilder<> builder(&operation);
  const unsigned opcode = operation.getOpcode();
  const bool is_signed = opcode == Instruction::SDiv || opcode == Instruction::SRem;
  Value *zero = ConstantInt::get(operation.getType(), 0);
  Value *operands[2], *negative[2];
  for (unsigned i : {0u, 1u}) {
    // Used twice below, and has to be the same both times.
    operands[i] = builder.CreateFreeze(operation.getOperand(i));
    if (!is_signed)
      continue;
    negative[i] = builder.CreateICmpSLT(operands[i], zero);
    operands[i] = builder.CreateBinaryIntrinsic(Intrinsic::abs, operands[i], builder.getFalse());
  }
  CallInst *quotient = builder.CreateCall(&function, operands);
  quotient->setCallingConv(CallingConv::SPIR_FUNC);
  Value *result = quotient;
  const bool is_remainder = opcode == Instruction::URem || opcode == Instruction::SRem;
  if (is_remainder)
    result = builder.CreateSub(operands[0], builder.CreateMul(quotient, operands[1]));
  if (is_signed) {
    Value *negates = is_remainder ? negative[0] : builder.CreateXor(negative[0], negative[1]);
    result = builder.CreateSelect(negates, builder.CreateSub(zero, result), result);
  }
  operation.replaceAllUsesWith(result);
  operation.eraseFromParent();
}

} // namespace

void call_wide_divisions(Module &module) {
  SmallVector<BinaryOperator *> divisions;
  for (Function &function : module)
    for (Instruction &instruction : instructions(function))
      if (auto *operation = dyn_cast<BinaryOperator>(&instruction);
          operation && operation->isIntDivRem() && operation->getType()->isIntegerTy(128))
        divisions.push_back(operation);
  if (divisions.empty())
    return;
  Function &function = division_function(module);
  for (BinaryOperator *division : divisions)
    call_division(function, *division);
}

} // namespace chip
