// Conversions with a rounding mode or saturation. Plain ones arrive as LLVM instructions.
//
// Names are like ConvertFToS_Rint4_sat_rte: the suffix is the destination type, then saturation,
// then the rounding mode.
#include "builtins.h"
#include "rounding.h"

namespace ze_cpu {
namespace {

using Builder = llvm::IRBuilder<>;
using llvm::Value;

struct Mode {
  bool saturate = false;
  Rounding rounding = Rounding::unspecified;
};

Mode mode_of(llvm::StringRef suffix) {
  Mode mode;
  llvm::SmallVector<llvm::StringRef> parts;
  suffix.split(parts, '_');
  for (llvm::StringRef part : parts) {
    if (part == "sat")
      mode.saturate = true;
    else if (part == "rte")
      mode.rounding = Rounding::to_even;
    else if (part == "rtz")
      mode.rounding = Rounding::to_zero;
    else if (part == "rtp")
      mode.rounding = Rounding::up;
    else if (part == "rtn")
      mode.rounding = Rounding::down;
  }
  return mode;
}

// Floating point to integer: round in floating point, then convert exactly. Out of range the plain
// conversion is undefined in SPIR-V; saturating is what processors can agree on.
Value *float_to_integer(Builtin &call, bool is_signed) {
  Builder &b = call.builder;
  Value *value = call.argument(0);
  switch (mode_of(call.suffix).rounding) {
  case Rounding::to_even:
    value = b.CreateUnaryIntrinsic(llvm::Intrinsic::roundeven, value);
    break;
  case Rounding::up:
    value = b.CreateUnaryIntrinsic(llvm::Intrinsic::ceil, value);
    break;
  case Rounding::down:
    value = b.CreateUnaryIntrinsic(llvm::Intrinsic::floor, value);
    break;
  default:
    break; // conversion truncates
  }
  auto id = is_signed ? llvm::Intrinsic::fptosi_sat : llvm::Intrinsic::fptoui_sat;
  return b.CreateIntrinsic(id, {call.type(), value->getType()}, {value});
}

Value *integer_to_integer(Builtin &call, bool from_signed, bool to_signed) {
  Builder &b = call.builder;
  Value *value = call.argument(0);
  llvm::Type *from = value->getType(), *to = call.type();
  unsigned from_width = from->getScalarSizeInBits(), to_width = to->getScalarSizeInBits();
  if (!mode_of(call.suffix).saturate)
    return from_signed ? b.CreateSExtOrTrunc(value, to) : b.CreateZExtOrTrunc(value, to);
  // In a signed type with room for both.
  unsigned width = std::max(from_width, to_width) + 1;
  llvm::Type *wide = from->getWithNewBitWidth(width);
  Value *exact = from_signed ? b.CreateSExt(value, wide) : b.CreateZExt(value, wide);
  llvm::APInt low = to_signed ? llvm::APInt::getSignedMinValue(to_width).sext(width)
                              : llvm::APInt::getZero(width);
  llvm::APInt high = to_signed ? llvm::APInt::getSignedMaxValue(to_width).sext(width)
                               : llvm::APInt::getMaxValue(to_width).zext(width);
  exact = b.CreateBinaryIntrinsic(llvm::Intrinsic::smax, exact, llvm::ConstantInt::get(wide, low));
  exact = b.CreateBinaryIntrinsic(llvm::Intrinsic::smin, exact, llvm::ConstantInt::get(wide, high));
  return b.CreateTrunc(exact, to);
}

Value *float_to_float(Builtin &call) {
  return narrow_float(call.builder, mode_of(call.suffix).rounding, call.argument(0), call.type());
}

Value *integer_to_float(Builtin &call, bool is_signed) {
  Builder &b = call.builder;
  Value *value = call.argument(0);
  llvm::Type *type = call.type();
  Value *nearest = is_signed ? b.CreateSIToFP(value, type) : b.CreateUIToFP(value, type);
  Rounding rounding = mode_of(call.suffix).rounding;
  if (rounding == Rounding::unspecified || rounding == Rounding::to_even)
    return nearest;
  // Two bits more: one for the sign, one because the nearest may be the next power of two.
  llvm::Type *wide =
      value->getType()->getWithNewBitWidth(value->getType()->getScalarSizeInBits() + 2);
  Value *exact = is_signed ? b.CreateSExt(value, wide) : b.CreateZExt(value, wide);
  Value *back = b.CreateIntrinsic(llvm::Intrinsic::fptosi_sat, {wide, type}, {nearest});
  return apply_rounding(b, rounding, nearest, b.CreateICmpSLT(exact, back),
                        b.CreateICmpSGT(exact, back));
}

// SPV_INTEL_bfloat16_conversion: a bfloat16 is the upper half of a float, in an integer.
Value *from_bfloat16(Builtin &call) {
  Builder &b = call.builder;
  Value *bits = b.CreateZExt(call.argument(0), call.type()->getWithNewType(b.getInt32Ty()));
  return b.CreateBitCast(b.CreateShl(bits, 16), call.type());
}

// To nearest, ties to even. What would carry a NaN over into infinity is made quiet instead.
Value *to_bfloat16(Builtin &call) {
  Builder &b = call.builder;
  Value *value = call.argument(0);
  Value *bits = b.CreateBitCast(value, value->getType()->getWithNewType(b.getInt32Ty()));
  auto number = [&](uint32_t n) { return llvm::ConstantInt::get(bits->getType(), n); };
  Value *even = b.CreateAnd(b.CreateLShr(bits, 16), number(1));
  Value *rounded = b.CreateAdd(bits, b.CreateAdd(even, number(0x7fff)));
  Value *quiet = b.CreateOr(bits, number(0x400000));
  bits = b.CreateSelect(b.CreateFCmpUNO(value, value), quiet, rounded);
  return b.CreateTrunc(b.CreateLShr(bits, 16), call.type());
}

} // namespace

void add_conversions(BuiltinTable &table) {
  table["ConvertFToS"] = [](Builtin &call) { return float_to_integer(call, true); };
  table["ConvertFToU"] = [](Builtin &call) { return float_to_integer(call, false); };
  table["ConvertSToF"] = [](Builtin &call) { return integer_to_float(call, true); };
  table["ConvertUToF"] = [](Builtin &call) { return integer_to_float(call, false); };
  table["FConvert"] = float_to_float;
  table["SConvert"] = [](Builtin &call) { return integer_to_integer(call, true, true); };
  table["UConvert"] = [](Builtin &call) { return integer_to_integer(call, false, false); };
  auto saturating = [](bool from_signed, bool to_signed) -> Lower {
    return [=](Builtin &call) {
      if (!call.suffix.contains("sat"))
        call.unsupported("its name");
      return integer_to_integer(call, from_signed, to_signed);
    };
  };
  table["ConvertBF16ToFINTEL"] = from_bfloat16;
  table["ConvertFToBF16INTEL"] = to_bfloat16;
  table["SatConvertSToU"] = saturating(true, false);
  table["SatConvertUToS"] = saturating(false, true);
}

} // namespace ze_cpu
