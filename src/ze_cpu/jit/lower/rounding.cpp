#include "rounding.h"

namespace ze_cpu {
namespace {

using llvm::Value;

// The representable number next to `value` on one side. Floats order like their bits read as sign
// and magnitude.
Value *neighbour(llvm::IRBuilder<> &b, Value *value, bool up) {
  llvm::Type *type = value->getType(), *integer = bits_type(type);
  Value *bits = b.CreateBitCast(value, integer);
  auto constant = [&](uint64_t n) { return llvm::ConstantInt::get(integer, n); };
  Value *zero = b.CreateFCmpOEQ(value, llvm::Constant::getNullValue(type));
  Value *negative = b.CreateICmpSLT(bits, constant(0));
  Value *away = b.CreateAdd(bits, constant(1)), *nearer = b.CreateSub(bits, constant(1));
  Value *next =
      up ? b.CreateSelect(negative, nearer, away) : b.CreateSelect(negative, away, nearer);
  llvm::APInt smallest(integer->getScalarSizeInBits(), 1);
  if (!up)
    smallest.setSignBit();
  next = b.CreateSelect(zero, llvm::ConstantInt::get(integer, smallest), next);
  return b.CreateBitCast(next, type);
}

} // namespace

llvm::Type *bits_type(llvm::Type *type) {
  llvm::Type *integer = llvm::IntegerType::get(type->getContext(), type->getScalarSizeInBits());
  auto *vector = llvm::dyn_cast<llvm::FixedVectorType>(type);
  return vector ? llvm::FixedVectorType::get(integer, vector->getNumElements()) : integer;
}

Value *apply_rounding(llvm::IRBuilder<> &b, Rounding rounding, Value *nearest,
                      Value *exact_is_below, Value *exact_is_above) {
  auto down = [&] { return b.CreateSelect(exact_is_below, neighbour(b, nearest, false), nearest); };
  auto up = [&] { return b.CreateSelect(exact_is_above, neighbour(b, nearest, true), nearest); };
  switch (rounding) {
  case Rounding::down:
    return down();
  case Rounding::up:
    return up();
  case Rounding::to_zero: {
    Value *bits = b.CreateBitCast(nearest, bits_type(nearest->getType()));
    Value *negative = b.CreateICmpSLT(bits, llvm::Constant::getNullValue(bits->getType()));
    return b.CreateSelect(negative, up(), down());
  }
  default:
    return nearest;
  }
}

Value *narrow_float(llvm::IRBuilder<> &b, Rounding rounding, Value *value, llvm::Type *type) {
  if (value->getType()->getScalarSizeInBits() <= type->getScalarSizeInBits())
    return b.CreateFPCast(value, type);
  Value *nearest = b.CreateFPTrunc(value, type);
  Value *back = b.CreateFPExt(nearest, value->getType());
  return apply_rounding(b, rounding, nearest, b.CreateFCmpOLT(value, back),
                        b.CreateFCmpOGT(value, back));
}

} // namespace ze_cpu
