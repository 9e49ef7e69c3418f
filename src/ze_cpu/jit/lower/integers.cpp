// Integer functions of OpenCL.std and integer instructions of SPIR-V.
#include "builtins.h"

namespace ze_cpu {
namespace {

using Builder = llvm::IRBuilder<>;
using llvm::Value;
using llvm::Intrinsic::ID;

enum Sign { is_unsigned, is_signed };

// All of these work on vectors as they are.
Lower unary(Value *(*emit)(Builder &, Value *)) {
  return [emit](Builtin &call) { return emit(call.builder, call.argument(0)); };
}
Lower binary(Value *(*emit)(Builder &, Value *, Value *)) {
  return [emit](Builtin &call) { return emit(call.builder, call.argument(0), call.argument(1)); };
}
Lower ternary(Value *(*emit)(Builder &, Value *, Value *, Value *)) {
  return [emit](Builtin &call) {
    return emit(call.builder, call.argument(0), call.argument(1), call.argument(2));
  };
}
Lower binary_intrinsic(ID id) {
  return [id](Builtin &call) -> Value * {
    return call.builder.CreateBinaryIntrinsic(id, call.argument(0), call.argument(1));
  };
}

llvm::Type *wider(llvm::Type *type) {
  return type->getWithNewBitWidth(2 * type->getScalarSizeInBits());
}

Value *number(Value *like, uint64_t value) {
  return llvm::ConstantInt::get(like->getType(), value);
}

Value *extend(Builder &b, Value *value, llvm::Type *type, bool sign) {
  return sign ? b.CreateSExt(value, type) : b.CreateZExt(value, type);
}

template <Sign sign> Value *multiply_high(Builder &b, Value *x, Value *y) {
  llvm::Type *type = x->getType(), *wide = wider(type);
  Value *product = b.CreateMul(extend(b, x, wide, sign), extend(b, y, wide, sign));
  return b.CreateTrunc(b.CreateLShr(product, type->getScalarSizeInBits()), type);
}

template <Sign sign> Value *multiply_add_high(Builder &b, Value *x, Value *y, Value *z) {
  return b.CreateAdd(multiply_high<sign>(b, x, y), z);
}

template <Sign sign> Value *multiply_24(Builder &b, Value *x, Value *y) {
  auto low = [&](Value *value) {
    return sign ? b.CreateAShr(b.CreateShl(value, 8), 8) : b.CreateAnd(value, 0xffffff);
  };
  return b.CreateMul(low(x), low(y));
}

template <Sign sign> Value *multiply_add_24(Builder &b, Value *x, Value *y, Value *z) {
  return b.CreateAdd(multiply_24<sign>(b, x, y), z);
}

// (x + y) / 2 rounded down, and rounded up, in a type where the sum cannot overflow.
template <Sign sign> Value *half_add(Builder &b, Value *x, Value *y) {
  llvm::Type *wide = wider(x->getType());
  return b.CreateTrunc(
      b.CreateLShr(b.CreateAdd(extend(b, x, wide, sign), extend(b, y, wide, sign)), 1),
      x->getType());
}
template <Sign sign> Value *rounded_half_add(Builder &b, Value *x, Value *y) {
  llvm::Type *wide = wider(x->getType());
  Value *sum = b.CreateAdd(extend(b, x, wide, sign), extend(b, y, wide, sign));
  return b.CreateTrunc(b.CreateLShr(b.CreateAdd(sum, number(sum, 1)), 1), x->getType());
}

template <Sign sign> Value *absolute_difference(Builder &b, Value *x, Value *y) {
  Value *less = sign ? b.CreateICmpSLT(x, y) : b.CreateICmpULT(x, y);
  return b.CreateSelect(less, b.CreateSub(y, x), b.CreateSub(x, y));
}

template <Sign sign> Value *clamp(Builder &b, Value *x, Value *low, Value *high) {
  x = b.CreateBinaryIntrinsic(sign ? llvm::Intrinsic::smax : llvm::Intrinsic::umax, x, low);
  return b.CreateBinaryIntrinsic(sign ? llvm::Intrinsic::smin : llvm::Intrinsic::umin, x, high);
}

// a * b + c, saturated. The wide type holds the product and the sum.
template <Sign sign> Value *multiply_add_saturate(Builder &b, Value *x, Value *y, Value *z) {
  llvm::Type *type = x->getType();
  unsigned width = type->getScalarSizeInBits();
  llvm::Type *wide = type->getWithNewBitWidth(2 * width + 1);
  Value *result = b.CreateAdd(b.CreateMul(extend(b, x, wide, sign), extend(b, y, wide, sign)),
                              extend(b, z, wide, sign));
  unsigned bits = 2 * width + 1;
  if (sign) {
    auto limit = [&](llvm::APInt value) { return llvm::ConstantInt::get(wide, value.sext(bits)); };
    result = clamp<is_signed>(b, result, limit(llvm::APInt::getSignedMinValue(width)),
                              limit(llvm::APInt::getSignedMaxValue(width)));
  } else {
    result = b.CreateBinaryIntrinsic(
        llvm::Intrinsic::umin, result,
        llvm::ConstantInt::get(wide, llvm::APInt::getMaxValue(width).zext(bits)));
  }
  return b.CreateTrunc(result, type);
}

Value *count_zeros(Builtin &call, ID id) {
  return call.builder.CreateBinaryIntrinsic(id, call.argument(0), call.builder.getFalse());
}

Value *rotate_left(Builder &b, Value *x, Value *by) {
  return b.CreateIntrinsic(llvm::Intrinsic::fshl, {x->getType()}, {x, x, by});
}

// (high half, low half)
Value *upsample(Builtin &call, bool sign) {
  Builder &b = call.builder;
  Value *high = call.argument(0);
  Value *shifted =
      b.CreateShl(extend(b, high, call.type(), sign), high->getType()->getScalarSizeInBits());
  return b.CreateOr(shifted, b.CreateZExt(call.argument(1), call.type()));
}

// Offsets and counts are 32-bit scalars whatever the base is. A count of zero extracts 0 and
// inserts nothing.
struct Field {
  Value *offset, *mask;
};
Field field(Builder &b, Value *base, Value *offset, Value *count) {
  llvm::Type *type = base->getType();
  unsigned width = type->getScalarSizeInBits();
  auto spread = [&](Value *scalar) {
    Value *same = b.CreateZExtOrTrunc(scalar, type->getScalarType());
    auto *vector = llvm::dyn_cast<llvm::FixedVectorType>(type);
    return vector ? b.CreateVectorSplat(vector->getNumElements(), same) : same;
  };
  Value *bits = spread(count);
  Value *all = llvm::Constant::getAllOnesValue(type);
  Value *full = b.CreateICmpUGE(bits, number(base, width));
  Value *safe = b.CreateSelect(full, number(base, 0), bits);
  Value *mask = b.CreateSelect(full, all, b.CreateNot(b.CreateShl(all, safe)));
  return {b.CreateAnd(spread(offset), number(base, width - 1)), mask};
}

Value *bit_field_insert(Builtin &call) {
  Builder &b = call.builder;
  Value *base = call.argument(0), *insert = call.argument(1);
  Field place = field(b, base, call.argument(2), call.argument(3));
  Value *mask = b.CreateShl(place.mask, place.offset);
  return b.CreateOr(b.CreateAnd(base, b.CreateNot(mask)),
                    b.CreateAnd(b.CreateShl(insert, place.offset), mask));
}

Value *bit_field_extract(Builtin &call, bool sign) {
  Builder &b = call.builder;
  Value *base = call.argument(0);
  Field place = field(b, base, call.argument(1), call.argument(2));
  Value *bits = b.CreateAnd(b.CreateLShr(base, place.offset), place.mask);
  if (!sign)
    return bits;
  // The highest bit of the field, spread upwards.
  Value *highest = b.CreateXor(place.mask, b.CreateLShr(place.mask, 1));
  return b.CreateSub(b.CreateXor(bits, highest), highest);
}

// OpIAddCarry and friends return a struct of the low part and the carry or high part; the
// translator may pass the struct as the result or through a pointer argument.
Value *pair(Builtin &call, Value *low, Value *high) {
  Builder &b = call.builder;
  if (call.type()->isVoidTy()) {
    llvm::Type *type = llvm::StructType::get(low->getType(), high->getType());
    Value *both =
        b.CreateInsertValue(b.CreateInsertValue(llvm::PoisonValue::get(type), low, 0), high, 1);
    b.CreateStore(both, call.argument(0));
    return nullptr;
  }
  return b.CreateInsertValue(b.CreateInsertValue(llvm::PoisonValue::get(call.type()), low, 0), high,
                             1);
}

Lower extended(Value *(*low)(Builder &, Value *, Value *),
               Value *(*high)(Builder &, Value *, Value *)) {
  return [low, high](Builtin &call) {
    unsigned first = call.type()->isVoidTy() ? 1 : 0;
    Value *x = call.argument(first), *y = call.argument(first + 1);
    return pair(call, low(call.builder, x, y), high(call.builder, x, y));
  };
}

Value *dot_product(Builtin &call, bool sign_x, bool sign_y, bool accumulate) {
  Builder &b = call.builder;
  llvm::Type *type = call.type();
  Value *x = call.argument(0), *y = call.argument(1);
  // Packed operands are four bytes in a word.
  auto *bytes = llvm::FixedVectorType::get(b.getInt8Ty(), 4);
  if (!x->getType()->isVectorTy()) {
    x = b.CreateBitCast(x, bytes);
    y = b.CreateBitCast(y, bytes);
  }
  // In a type that no sum of products leaves, so that saturation sees the true sum.
  llvm::Type *wide = b.getIntNTy(std::max(2 * type->getIntegerBitWidth(), 64u));
  Value *sum = llvm::ConstantInt::get(wide, 0);
  for (unsigned i = 0; i < llvm::cast<llvm::FixedVectorType>(x->getType())->getNumElements(); ++i)
    sum = b.CreateAdd(sum, b.CreateMul(extend(b, b.CreateExtractElement(x, i), wide, sign_x),
                                       extend(b, b.CreateExtractElement(y, i), wide, sign_y)));
  if (!accumulate)
    return b.CreateTrunc(sum, type);
  bool sign = sign_x || sign_y;
  sum = b.CreateAdd(sum, extend(b, call.argument(2), wide, sign));
  unsigned width = type->getIntegerBitWidth(), wide_width = wide->getIntegerBitWidth();
  auto limit = [&](llvm::APInt value) {
    return llvm::ConstantInt::get(wide, sign ? value.sext(wide_width) : value.zext(wide_width));
  };
  if (sign)
    sum = clamp<is_signed>(b, sum, limit(llvm::APInt::getSignedMinValue(width)),
                           limit(llvm::APInt::getSignedMaxValue(width)));
  else
    sum =
        b.CreateBinaryIntrinsic(llvm::Intrinsic::umin, sum, limit(llvm::APInt::getMaxValue(width)));
  return b.CreateTrunc(sum, type);
}

void add_dot_products(BuiltinTable &table) {
  struct Entry {
    const char *name;
    bool sign_x, sign_y;
  };
  for (Entry entry :
       {Entry{"SDot", true, true}, Entry{"UDot", false, false}, Entry{"SUDot", true, false}})
    for (const char *khr : {"", "KHR"}) {
      table[std::string(entry.name) + khr] = [entry](Builtin &call) {
        return dot_product(call, entry.sign_x, entry.sign_y, false);
      };
      table[std::string(entry.name) + "AccSat" + khr] = [entry](Builtin &call) {
        return dot_product(call, entry.sign_x, entry.sign_y, true);
      };
    }
}

} // namespace

void add_integers(BuiltinTable &table) {
  table["ocl_s_abs"] = unary([](Builder &b, Value *x) -> Value * {
    return b.CreateBinaryIntrinsic(llvm::Intrinsic::abs, x, b.getFalse());
  });
  table["ocl_u_abs"] = unary([](Builder &, Value *x) { return x; });
  table["ocl_s_abs_diff"] = binary(absolute_difference<is_signed>);
  table["ocl_u_abs_diff"] = binary(absolute_difference<is_unsigned>);
  table["ocl_s_add_sat"] = binary_intrinsic(llvm::Intrinsic::sadd_sat);
  table["ocl_u_add_sat"] = binary_intrinsic(llvm::Intrinsic::uadd_sat);
  table["ocl_s_sub_sat"] = binary_intrinsic(llvm::Intrinsic::ssub_sat);
  table["ocl_u_sub_sat"] = binary_intrinsic(llvm::Intrinsic::usub_sat);
  table["ocl_s_hadd"] = binary(half_add<is_signed>);
  table["ocl_u_hadd"] = binary(half_add<is_unsigned>);
  table["ocl_s_rhadd"] = binary(rounded_half_add<is_signed>);
  table["ocl_u_rhadd"] = binary(rounded_half_add<is_unsigned>);
  table["ocl_s_min"] = binary_intrinsic(llvm::Intrinsic::smin);
  table["ocl_u_min"] = binary_intrinsic(llvm::Intrinsic::umin);
  table["ocl_s_max"] = binary_intrinsic(llvm::Intrinsic::smax);
  table["ocl_u_max"] = binary_intrinsic(llvm::Intrinsic::umax);
  table["ocl_s_clamp"] = ternary(clamp<is_signed>);
  table["ocl_u_clamp"] = ternary(clamp<is_unsigned>);
  table["ocl_s_mul_hi"] = binary(multiply_high<is_signed>);
  table["ocl_u_mul_hi"] = binary(multiply_high<is_unsigned>);
  table["ocl_s_mad_hi"] = ternary(multiply_add_high<is_signed>);
  table["ocl_u_mad_hi"] = ternary(multiply_add_high<is_unsigned>);
  table["ocl_s_mad_sat"] = ternary(multiply_add_saturate<is_signed>);
  table["ocl_u_mad_sat"] = ternary(multiply_add_saturate<is_unsigned>);
  table["ocl_s_mul24"] = binary(multiply_24<is_signed>);
  table["ocl_u_mul24"] = binary(multiply_24<is_unsigned>);
  table["ocl_s_mad24"] = ternary(multiply_add_24<is_signed>);
  table["ocl_u_mad24"] = ternary(multiply_add_24<is_unsigned>);
  table["ocl_s_upsample"] = [](Builtin &call) { return upsample(call, true); };
  table["ocl_u_upsample"] = [](Builtin &call) { return upsample(call, false); };
  table["ocl_clz"] = [](Builtin &call) { return count_zeros(call, llvm::Intrinsic::ctlz); };
  table["ocl_ctz"] = [](Builtin &call) { return count_zeros(call, llvm::Intrinsic::cttz); };
  table["ocl_rotate"] = binary(rotate_left);
  table["ocl_popcount"] = table["BitCount"] = [](Builtin &call) {
    Value *count = call.builder.CreateUnaryIntrinsic(llvm::Intrinsic::ctpop, call.argument(0));
    return call.builder.CreateZExtOrTrunc(count, call.type());
  };
  table["BitReverse"] = [](Builtin &call) -> Value * {
    return call.builder.CreateUnaryIntrinsic(llvm::Intrinsic::bitreverse, call.argument(0));
  };
  table["BitFieldInsert"] = bit_field_insert;
  table["BitFieldSExtract"] = [](Builtin &call) { return bit_field_extract(call, true); };
  table["BitFieldUExtract"] = [](Builtin &call) { return bit_field_extract(call, false); };

  using Emit = Value *(*)(Builder &, Value *, Value *);
  Emit sum = [](Builder &b, Value *x, Value *y) { return b.CreateAdd(x, y); };
  Emit difference = [](Builder &b, Value *x, Value *y) { return b.CreateSub(x, y); };
  Emit product = [](Builder &b, Value *x, Value *y) { return b.CreateMul(x, y); };
  Emit carry = [](Builder &b, Value *x, Value *y) {
    return b.CreateZExt(b.CreateICmpULT(b.CreateAdd(x, y), x), x->getType());
  };
  Emit borrow = [](Builder &b, Value *x, Value *y) {
    return b.CreateZExt(b.CreateICmpULT(x, y), x->getType());
  };
  table["IAddCarry"] = extended(sum, carry);
  table["ISubBorrow"] = extended(difference, borrow);
  table["UMulExtended"] = extended(product, multiply_high<is_unsigned>);
  table["SMulExtended"] = extended(product, multiply_high<is_signed>);
  add_dot_products(table);
}

} // namespace ze_cpu
