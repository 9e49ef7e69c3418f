#include "wide_arithmetic.h"

#include "../builtins.h"

#include <llvm/IR/Constants.h>

using namespace llvm;

namespace chip {

Pair WideArithmetic::zero_extended(Value *value) {
  return {builder_.CreateZExt(value, builder_.getInt64Ty()), builder_.getInt64(0)};
}

Pair WideArithmetic::sign_extended(Value *value) {
  Value *low = builder_.CreateSExt(value, builder_.getInt64Ty());
  return {low, builder_.CreateAShr(low, 63)};
}

Pair WideArithmetic::constant(const APInt &value) {
  return {builder_.getInt64(value.extractBitsAsZExtValue(64, 0)),
          builder_.getInt64(value.extractBitsAsZExtValue(64, 64))};
}

Value *WideArithmetic::is_negative(Pair a) {
  return builder_.CreateICmpSLT(a.high, builder_.getInt64(0));
}

Value *WideArithmetic::is_nonzero(Value *a) {
  return builder_.CreateICmpNE(a, builder_.getInt64(0));
}

Value *WideArithmetic::upper_half_of_product(Value *a, Value *b) {
  for (Value *factor : {a, b})
    if (auto *number = dyn_cast<ConstantInt>(factor); number && number->getValue().ule(1))
      return builder_.getInt64(0);
  return call_builtin(builder_, "__spirv_ocl_u_mul_hi", builder_.getInt64Ty(), {a, b});
}

Pair WideArithmetic::add(Pair a, Pair b) {
  Value *low = builder_.CreateAdd(a.low, b.low);
  Value *carry = builder_.CreateZExt(builder_.CreateICmpULT(low, a.low), builder_.getInt64Ty());
  return {low, builder_.CreateAdd(builder_.CreateAdd(a.high, b.high), carry)};
}

Pair WideArithmetic::subtract(Pair a, Pair b) {
  Value *borrow = builder_.CreateZExt(builder_.CreateICmpULT(a.low, b.low), builder_.getInt64Ty());
  return {builder_.CreateSub(a.low, b.low),
          builder_.CreateSub(builder_.CreateSub(a.high, b.high), borrow)};
}

Pair WideArithmetic::multiply(Pair a, Pair b) {
  Value *high = upper_half_of_product(a.low, b.low);
  high = builder_.CreateAdd(high, builder_.CreateMul(a.low, b.high));
  return {builder_.CreateMul(a.low, b.low),
          builder_.CreateAdd(high, builder_.CreateMul(a.high, b.low))};
}

Pair WideArithmetic::bitwise(Instruction::BinaryOps operation, Pair a, Pair b) {
  return {builder_.CreateBinOp(operation, a.low, b.low),
          builder_.CreateBinOp(operation, a.high, b.high)};
}

Pair WideArithmetic::shifted_by_constant(Instruction::BinaryOps operation, Pair a,
                                         unsigned amount) {
  if (amount == 0)
    return a;
  if (operation == Instruction::Shl) {
    if (amount >= 64)
      return {builder_.getInt64(0), builder_.CreateShl(a.low, amount - 64)};
    return {builder_.CreateShl(a.low, amount),
            builder_.CreateOr(builder_.CreateShl(a.high, amount),
                              builder_.CreateLShr(a.low, 64 - amount))};
  }
  const bool keeps_sign = operation == Instruction::AShr;
  auto right = [&](Value *value, unsigned by) {
    return keeps_sign ? builder_.CreateAShr(value, by) : builder_.CreateLShr(value, by);
  };
  if (amount >= 64)
    return {right(a.high, amount - 64),
            keeps_sign ? builder_.CreateAShr(a.high, 63) : builder_.getInt64(0)};
  return {builder_.CreateOr(builder_.CreateLShr(a.low, amount),
                            builder_.CreateShl(a.high, 64 - amount)),
          right(a.high, amount)};
}

Pair WideArithmetic::shifted(Instruction::BinaryOps operation, Pair a, Value *amount) {
  if (auto *number = dyn_cast<ConstantInt>(amount))
    return shifted_by_constant(operation, a, unsigned(number->getZExtValue() & 127));
  // Both halves are shifted by less than 64. What crosses over is shifted the other way by 64 less
  // the amount, which is done in two steps, as it may be 64.
  Value *by = builder_.CreateAnd(amount, 63), *rest = builder_.CreateXor(by, 63);
  Value *crosses = is_nonzero(builder_.CreateAnd(amount, 64));
  if (operation == Instruction::Shl) {
    Value *low = builder_.CreateShl(a.low, by);
    Value *over = builder_.CreateLShr(builder_.CreateLShr(a.low, 1), rest);
    Value *high = builder_.CreateOr(builder_.CreateShl(a.high, by), over);
    return select(crosses, {builder_.getInt64(0), low}, {low, high});
  }
  const bool keeps_sign = operation == Instruction::AShr;
  Value *high = builder_.CreateBinOp(operation, a.high, by);
  Value *over = builder_.CreateShl(builder_.CreateShl(a.high, 1), rest);
  Value *low = builder_.CreateOr(builder_.CreateLShr(a.low, by), over);
  Value *above = keeps_sign ? builder_.CreateAShr(a.high, 63) : builder_.getInt64(0);
  return select(crosses, {high, above}, {low, high});
}

Pair WideArithmetic::select(Value *condition, Pair yes, Pair no) {
  return {builder_.CreateSelect(condition, yes.low, no.low),
          builder_.CreateSelect(condition, yes.high, no.high)};
}

Value *WideArithmetic::compare(CmpInst::Predicate predicate, Pair a, Pair b) {
  if (ICmpInst::isEquality(predicate)) {
    Value *difference =
        builder_.CreateOr(builder_.CreateXor(a.low, b.low), builder_.CreateXor(a.high, b.high));
    return builder_.CreateICmp(predicate, difference, builder_.getInt64(0));
  }
  return builder_.CreateSelect(
      builder_.CreateICmpEQ(a.high, b.high),
      builder_.CreateICmp(ICmpInst::getUnsignedPredicate(predicate), a.low, b.low),
      builder_.CreateICmp(predicate, a.high, b.high));
}

WideArithmetic::Checked WideArithmetic::checked_unsigned_product(Pair a, Pair b) {
  Value *lower = upper_half_of_product(a.low, b.low);
  Value *overflow = builder_.CreateAnd(is_nonzero(a.high), is_nonzero(b.high));
  overflow = builder_.CreateOr(overflow, is_nonzero(upper_half_of_product(a.high, b.low)));
  overflow = builder_.CreateOr(overflow, is_nonzero(upper_half_of_product(a.low, b.high)));
  // Of the two products of a low and a high half, one is zero unless there is overflow already.
  Value *crossed =
      builder_.CreateAdd(builder_.CreateMul(a.high, b.low), builder_.CreateMul(a.low, b.high));
  Value *high = builder_.CreateAdd(lower, crossed);
  overflow = builder_.CreateOr(overflow, builder_.CreateICmpULT(high, lower));
  return {{builder_.CreateMul(a.low, b.low), high}, overflow};
}

WideArithmetic::Checked WideArithmetic::checked_signed_product(Pair a, Pair b) {
  auto [size, overflow] = checked_unsigned_product(magnitude(a), magnitude(b));
  Value *negative = builder_.CreateXor(is_negative(a), is_negative(b));
  Pair value = select(negative, negated(size), size);
  // The sign is wrong: zero has none, and what is negated may be as small as there is.
  Value *wrong = builder_.CreateAnd(builder_.CreateXor(is_negative(value), negative),
                                    is_nonzero(builder_.CreateOr(value.low, value.high)));
  return {value, builder_.CreateOr(overflow, wrong)};
}

WideArithmetic::Checked WideArithmetic::checked(Instruction::BinaryOps operation, bool is_signed,
                                                Pair a, Pair b) {
  if (operation == Instruction::Mul)
    return is_signed ? checked_signed_product(a, b) : checked_unsigned_product(a, b);
  const bool adds = operation == Instruction::Add;
  Pair value = adds ? add(a, b) : subtract(a, b);
  if (!is_signed)
    return {value,
            adds ? compare(ICmpInst::ICMP_ULT, value, a) : compare(ICmpInst::ICMP_ULT, a, b)};
  // The result's sign differs from that of the first operand, though the second one does not
  // lead there.
  Value *changed = builder_.CreateXor(a.high, value.high);
  Value *other = builder_.CreateXor(adds ? value.high : a.high, b.high);
  return {value, builder_.CreateICmpSLT(builder_.CreateAnd(changed, other), builder_.getInt64(0))};
}

Pair WideArithmetic::saturated(Intrinsic::ID id, Pair a, Pair b) {
  const bool adds = id == Intrinsic::uadd_sat || id == Intrinsic::sadd_sat;
  const bool is_signed = id == Intrinsic::sadd_sat || id == Intrinsic::ssub_sat;
  auto [value, overflow] = checked(adds ? Instruction::Add : Instruction::Sub, is_signed, a, b);
  if (!is_signed)
    return select(overflow, constant(adds ? APInt::getAllOnes(128) : APInt::getZero(128)), value);
  return select(overflow,
                select(is_negative(a), constant(APInt::getSignedMinValue(128)),
                       constant(APInt::getSignedMaxValue(128))),
                value);
}

Pair WideArithmetic::funnel_shifted(bool left, Pair a, Pair b, Value *amount) {
  Value *by = builder_.CreateAnd(amount, 127), *rest = builder_.CreateXor(by, 127);
  Pair one_further =
      shifted_by_constant(left ? Instruction::LShr : Instruction::Shl, left ? b : a, 1);
  return left ? bitwise(Instruction::Or, shifted(Instruction::Shl, a, by),
                        shifted(Instruction::LShr, one_further, rest))
              : bitwise(Instruction::Or, shifted(Instruction::LShr, b, by),
                        shifted(Instruction::Shl, one_further, rest));
}

Pair WideArithmetic::intrinsic(const IntrinsicInst &call, ArrayRef<Pair> arguments) {
  auto either = [&](CmpInst::Predicate predicate) {
    return select(compare(predicate, arguments[0], arguments[1]), arguments[0], arguments[1]);
  };
  auto unary = [&](Intrinsic::ID id, Value *value) {
    return builder_.CreateUnaryIntrinsic(id, value);
  };
  auto count_zeros = [&](Intrinsic::ID id, Value *first, Value *second) {
    Value *one = builder_.CreateBinaryIntrinsic(id, first, builder_.getFalse());
    Value *both = builder_.CreateBinaryIntrinsic(id, second, builder_.getFalse());
    both = builder_.CreateAdd(both, builder_.getInt64(64));
    return zero_extended(builder_.CreateSelect(is_nonzero(first), one, both));
  };
  switch (Intrinsic::ID id = call.getIntrinsicID()) {
  case Intrinsic::umin:
    return either(ICmpInst::ICMP_ULT);
  case Intrinsic::umax:
    return either(ICmpInst::ICMP_UGT);
  case Intrinsic::smin:
    return either(ICmpInst::ICMP_SLT);
  case Intrinsic::smax:
    return either(ICmpInst::ICMP_SGT);
  case Intrinsic::abs:
    return magnitude(arguments[0]);
  case Intrinsic::ctpop:
    return zero_extended(
        builder_.CreateAdd(unary(id, arguments[0].low), unary(id, arguments[0].high)));
  case Intrinsic::ctlz:
    return count_zeros(id, arguments[0].high, arguments[0].low);
  case Intrinsic::cttz:
    return count_zeros(id, arguments[0].low, arguments[0].high);
  case Intrinsic::bswap:
  case Intrinsic::bitreverse:
    return {unary(id, arguments[0].high), unary(id, arguments[0].low)};
  case Intrinsic::fshl:
  case Intrinsic::fshr:
    return funnel_shifted(id == Intrinsic::fshl, arguments[0], arguments[1], arguments[2].low);
  case Intrinsic::uadd_sat:
  case Intrinsic::sadd_sat:
  case Intrinsic::usub_sat:
  case Intrinsic::ssub_sat:
    return saturated(id, arguments[0], arguments[1]);
  case Intrinsic::expect:
  case Intrinsic::expect_with_probability:
    return arguments[0];
  default:
    return {};
  }
}

// The 64 bits from the highest one that is set decide the result, together with whether any is set
// below them, which is put into the last.
Value *WideArithmetic::unsigned_to_floating_point(Pair value, Type *type) {
  if (type->isHalfTy()) {
    // The half's largest number is 65504. All numbers here are exact in a float, so that one
    // rounding remains; 65536 is out of range and becomes infinity.
    constexpr uint64_t beyond = 65536;
    Value *fits = builder_.CreateAnd(builder_.CreateNot(is_nonzero(value.high)),
                                     builder_.CreateICmpULT(value.low, builder_.getInt64(beyond)));
    Value *number = builder_.CreateSelect(fits, value.low, builder_.getInt64(beyond));
    return builder_.CreateFPTrunc(builder_.CreateUIToFP(number, builder_.getFloatTy()), type);
  }
  Value *above = builder_.CreateBinaryIntrinsic(Intrinsic::ctlz, value.high, builder_.getFalse());
  Value *below = builder_.CreateBinaryIntrinsic(Intrinsic::ctlz, value.low, builder_.getFalse());
  Value *zeros = builder_.CreateSelect(is_nonzero(value.high), above,
                                       builder_.CreateAdd(below, builder_.getInt64(64)));
  Pair aligned = shifted(Instruction::Shl, value, zeros);
  Value *sticky = builder_.CreateZExt(is_nonzero(aligned.low), builder_.getInt64Ty());
  Value *number = builder_.CreateUIToFP(builder_.CreateOr(aligned.high, sticky), type);
  // Times 2 to the power of (64 - zeros), written as the bits of a number. All zeros: the number is
  // zero, and the power is a normal one as well.
  const bool is_double = type->isDoubleTy();
  Type *bits = is_double ? builder_.getInt64Ty() : builder_.getInt32Ty();
  const uint64_t bias = is_double ? 1023 : 127, mantissa_bits = is_double ? 52 : 23;
  Value *exponent = builder_.CreateSub(builder_.getInt64(bias + 64), zeros);
  Value *scale = builder_.CreateShl(builder_.CreateTrunc(exponent, bits), mantissa_bits);
  return builder_.CreateFMul(number, builder_.CreateBitCast(scale, type));
}

Value *WideArithmetic::to_floating_point(Pair value, bool is_signed, Type *type) {
  if (!type->isHalfTy() && !type->isFloatTy() && !type->isDoubleTy())
    return nullptr;
  if (!is_signed)
    return unsigned_to_floating_point(value, type);
  Value *result = unsigned_to_floating_point(magnitude(value), type);
  return builder_.CreateSelect(is_negative(value), builder_.CreateFNeg(result), result);
}

Pair WideArithmetic::from_floating_point(Value *value, bool is_signed) {
  Type *type = value->getType(), *number = builder_.getInt64Ty();
  if (type->isHalfTy())
    return is_signed ? sign_extended(builder_.CreateFPToSI(value, number))
                     : zero_extended(builder_.CreateFPToUI(value, number));
  if (!type->isFloatTy() && !type->isDoubleTy())
    return {};
  // Every step is exact, as scaling is by powers of two and the difference has no more bits than
  // the value.
  Value *size = is_signed ? builder_.CreateUnaryIntrinsic(Intrinsic::fabs, value) : value;
  Value *high =
      builder_.CreateFPToUI(builder_.CreateFMul(size, ConstantFP::get(type, 0x1p-64)), number);
  Value *upper =
      builder_.CreateFMul(builder_.CreateUIToFP(high, type), ConstantFP::get(type, 0x1p64));
  Pair result = {builder_.CreateFPToUI(builder_.CreateFSub(size, upper), number), high};
  if (!is_signed)
    return result;
  Value *negative = builder_.CreateFCmpOLT(value, ConstantFP::getZero(type));
  return select(negative, negated(result), result);
}

} // namespace chip
