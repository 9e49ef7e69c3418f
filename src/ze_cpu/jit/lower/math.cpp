// Floating-point functions of OpenCL.std.
//
// Where the machine has an instruction, LLVM's intrinsic is used; else the C library's function by
// its name, which LLVM knows how to replace by the vectorised one; else a function of ours
// (runtime/functions.cpp). All are applied element by element. native_ and half_ functions are the
// precise ones: they are as fast here.
#include "builtins.h"

#include <cmath>
#include <llvm/IR/Module.h>
#include <numbers>

namespace ze_cpu {
namespace {

using Builder = llvm::IRBuilder<>;
using llvm::Value;
using Values = llvm::ArrayRef<Value *>;

// A function outside of the module, without side effects.
Value *call_pure(Builder &b, const std::string &name, llvm::Type *result, Values arguments) {
  llvm::SmallVector<llvm::Type *, 3> types;
  for (Value *argument : arguments)
    types.push_back(argument->getType());
  llvm::Module &module = *b.GetInsertBlock()->getModule();
  llvm::FunctionCallee callee =
      module.getOrInsertFunction(name, llvm::FunctionType::get(result, types, false));
  if (auto *function = llvm::dyn_cast<llvm::Function>(callee.getCallee())) {
    function->setDoesNotAccessMemory();
    function->setDoesNotThrow();
    function->setWillReturn();
  }
  return b.CreateCall(callee, arguments);
}

// `name` for double, with an f for float; half is computed in float.
Value *call_by_precision(Builder &b, const std::string &name, llvm::Type *result,
                         Values arguments) {
  llvm::Type *type = arguments[0]->getType();
  if (type->isDoubleTy())
    return call_pure(b, name, result, arguments);
  if (type->isFloatTy())
    return call_pure(b, name + "f", result, arguments);
  llvm::SmallVector<Value *, 3> wide;
  for (Value *argument : arguments)
    wide.push_back(argument->getType()->isFloatingPointTy()
                       ? b.CreateFPExt(argument, b.getFloatTy())
                       : argument);
  bool same = result == type;
  Value *value = call_pure(b, name + "f", same ? b.getFloatTy() : result, wide);
  return same ? b.CreateFPTrunc(value, type) : value;
}

// `name` for double, and for float rounded from that.
Lower function_in_double(const char *name) {
  return [name = std::string(name)](Builtin &call) {
    return for_each_element(call, [&](Values arguments) {
      Builder &b = call.builder;
      llvm::SmallVector<Value *, 2> wide;
      for (Value *argument : arguments)
        wide.push_back(argument->getType()->isIntegerTy()
                           ? b.CreateSIToFP(argument, b.getDoubleTy())
                           : b.CreateFPCast(argument, b.getDoubleTy()));
      Value *result = call_pure(b, name, b.getDoubleTy(), wide);
      if (call.type()->getScalarType()->isHalfTy()) // machines convert to it from float
        result = b.CreateFPTrunc(result, b.getFloatTy());
      return b.CreateFPCast(result, call.type()->getScalarType());
    });
  };
}

Lower function(const char *name) {
  return [name = std::string(name)](Builtin &call) {
    return for_each_element(call, [&](Values arguments) {
      return call_by_precision(call.builder, name, call.type()->getScalarType(), arguments);
    });
  };
}

Lower by_type(Lower others, Lower for_double) {
  return [others = std::move(others), for_double = std::move(for_double)](Builtin &call) {
    return call.type()->getScalarType()->isDoubleTy() ? for_double(call) : others(call);
  };
}

Lower for_float(Lower for_float, Lower others) {
  return [for_float = std::move(for_float), others = std::move(others)](Builtin &call) {
    return call.type()->getScalarType()->isFloatTy() ? for_float(call) : others(call);
  };
}

// Intrinsics that are overloaded on one type take vectors as they are.
Lower intrinsic(llvm::Intrinsic::ID id) {
  return [id](Builtin &call) -> Value * {
    llvm::SmallVector<Value *, 3> arguments(call.call.args());
    return call.builder.CreateIntrinsic(id, {call.type()}, arguments);
  };
}

Value *constant(Value *like, double value) { return llvm::ConstantFP::get(like->getType(), value); }
Value *widened(Builder &b, Value *x) {
  return b.CreateFPExt(x, x->getType()->getWithNewType(b.getFloatTy()));
}
Value *fabs(Builder &b, Value *x) { return b.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, x); }

// Functions that also return something through a pointer; vectors of results lie one behind the
// other there.
Lower with_pointer(const std::function<Value *(Builder &, Values, Value *)> &scalar,
                   unsigned pointer_index) {
  return [scalar, pointer_index](Builtin &call) -> Value * {
    Builder &b = call.builder;
    Value *pointer = call.argument(pointer_index);
    auto *vector = llvm::dyn_cast<llvm::FixedVectorType>(call.type());
    if (!vector) {
      llvm::SmallVector<Value *, 3> arguments(call.call.args());
      arguments.erase(arguments.begin() + pointer_index);
      return scalar(b, arguments, pointer);
    }
    // What the pointer points to is as wide as an element, or an int.
    bool integer =
        call.name == "ocl_frexp" || call.name == "ocl_remquo" || call.name == "ocl_lgamma_r";
    llvm::Type *stored = integer ? b.getInt32Ty() : vector->getElementType();
    Value *result = llvm::PoisonValue::get(vector);
    for (unsigned i = 0; i < vector->getNumElements(); ++i) {
      llvm::SmallVector<Value *, 3> arguments;
      for (unsigned a = 0; a < call.arguments(); ++a)
        if (a != pointer_index)
          arguments.push_back(b.CreateExtractElement(call.argument(a), i));
      Value *element = scalar(b, arguments, b.CreateConstInBoundsGEP1_64(stored, pointer, i));
      result = b.CreateInsertElement(result, element, i);
    }
    return result;
  };
}

// C library functions with an int* or a T* at the end, through a variable of the right width.
std::function<Value *(Builder &, Values, Value *)> through_variable(const char *name,
                                                                    bool integer) {
  return
      [name = std::string(name), integer](Builder &b, Values arguments, Value *pointer) -> Value * {
        llvm::Type *type = arguments[0]->getType(),
                   *computed = type->isHalfTy() ? b.getFloatTy() : type;
        llvm::Type *stored = integer ? b.getInt32Ty() : computed;
        llvm::Function *caller = b.GetInsertBlock()->getParent();
        Builder entry(&*caller->getEntryBlock().getFirstInsertionPt());
        llvm::AllocaInst *variable = entry.CreateAlloca(stored);
        llvm::SmallVector<Value *, 3> all;
        llvm::SmallVector<llvm::Type *, 3> types;
        for (Value *argument : arguments)
          all.push_back(b.CreateFPCast(argument, computed));
        all.push_back(variable);
        for (Value *argument : all)
          types.push_back(argument->getType());
        auto callee = caller->getParent()->getOrInsertFunction(
            computed->isDoubleTy() ? name
            : name.ends_with("_r") ? name.substr(0, name.size() - 2) + "f_r"
                                   : name + "f",
            llvm::FunctionType::get(computed, types, false));
        Value *result = b.CreateFPCast(b.CreateCall(callee, all), type);
        Value *second = b.CreateLoad(stored, variable);
        b.CreateStore(integer ? second : b.CreateFPCast(second, type), pointer);
        return result;
      };
}

Value *fract(Builder &b, Values arguments, Value *pointer) {
  Value *x = arguments[0];
  Value *whole = b.CreateUnaryIntrinsic(llvm::Intrinsic::floor, x);
  b.CreateStore(whole, pointer);
  const llvm::fltSemantics &semantics = x->getType()->getFltSemantics();
  llvm::APFloat below_one(semantics, 1);
  below_one.next(true);
  Value *rest = b.CreateBinaryIntrinsic(llvm::Intrinsic::minnum, b.CreateFSub(x, whole),
                                        llvm::ConstantFP::get(x->getType(), below_one));
  Value *zero = llvm::ConstantFP::getZero(x->getType());
  Value *none = b.CreateOr(b.CreateFCmpOEQ(fabs(b, x), llvm::ConstantFP::getInfinity(x->getType())),
                           b.CreateFCmpOEQ(x, zero));
  rest = b.CreateSelect(none, b.CreateCopySign(zero, x), rest);
  return b.CreateSelect(b.CreateFCmpUNO(x, x), x, rest);
}

Value *sine_and_cosine(Builder &b, Values arguments, Value *pointer) {
  llvm::Type *type = arguments[0]->getType();
  const auto accurate = [&](const std::string &name) {
    if (type->isFloatTy())
      return b.CreateFPTrunc(
          call_pure(b, name, b.getDoubleTy(), b.CreateFPExt(arguments[0], b.getDoubleTy())), type);
    return call_by_precision(b, type->isDoubleTy() ? "ze_cpu_" + name : name, type, arguments);
  };
  b.CreateStore(accurate("cos"), pointer);
  return accurate("sin");
}

// exp and exp2, which the C library's vectorised functions miss by up to three units in the last
// place. x of exp is n ln 2 + r with |r| <= ln 2 / 2, exp(r) its Taylor series, and 2^n is multiplied
// in two factors, so that a subnormal result is rounded once.
template <bool of_two = false> Value *exponential(Builtin &call) {
  Builder &b = call.builder;
  Value *x = call.argument(0);
  const bool is_double = x->getType()->getScalarType()->isDoubleTy();
  auto multiply_add = [&](Value *factor, Value *other, Value *addend) {
    return b.CreateIntrinsic(llvm::Intrinsic::fmuladd, {x->getType()}, {factor, other, addend});
  };
  // Beyond these it is 0 or infinite. What is not a number stays that all the way.
  const double unit = of_two ? std::numbers::ln2 : 1;
  Value *lowest = constant(x, std::floor((is_double ? -745.5 : -104) / unit));
  Value *highest = constant(x, std::ceil((is_double ? 709.8 : 89) / unit));
  Value *bounded = b.CreateSelect(b.CreateFCmpOLT(x, lowest), lowest, x);
  bounded = b.CreateSelect(b.CreateFCmpOGT(bounded, highest), highest, bounded);
  // Numbers that large have no fractions: adding rounds to the integer n, which the lowest bits then
  // hold, with twice the bias of exponents added for the two factors below.
  const int mantissa = is_double ? 52 : 23, bias = is_double ? 1023 : 127;
  Value *large = constant(x, std::ldexp(1.5, mantissa) + 2 * bias);
  Value *sum = of_two ? b.CreateFAdd(bounded, large)
                      : multiply_add(bounded, constant(x, std::numbers::log2e), large);
  Value *n = b.CreateFSub(sum, large);
  // The upper part of ln 2 is so short that its product with n is exact.
  const double ln2_high = is_double ? 0x1.62e42feep-1 : 0x1.62e4p-1;
  const double ln2_low = is_double ? 0x1.a39ef35793c76p-33 : 0x1.7f7d1cf79abcap-20;
  Value *r = of_two ? b.CreateFMul(b.CreateFSub(bounded, n), constant(x, std::numbers::ln2))
                    : multiply_add(n, constant(x, -ln2_low),
                                   multiply_add(n, constant(x, -ln2_high), bounded));
  const int terms = is_double ? 13 : 7;
  double factorial = 1;
  for (int i = 2; i <= terms; ++i)
    factorial *= i;
  Value *series = constant(x, 1 / factorial);
  for (int i = terms; i > 2; --i) {
    factorial /= i;
    series = multiply_add(series, r, constant(x, 1 / factorial));
  }
  series = multiply_add(b.CreateFMul(r, r), series, r);
  Value *result = b.CreateFAdd(series, constant(x, 1));
  llvm::Type *integer = x->getType()->getWithNewType(b.getIntNTy(is_double ? 64 : 32));
  Value *biased = b.CreateBitCast(sum, integer);
  Value *half = b.CreateShl(b.CreateLShr(biased, 1), mantissa);
  Value *rest = b.CreateSub(b.CreateShl(biased, mantissa), half);
  for (Value *factor : {half, rest})
    result = b.CreateFMul(result, b.CreateBitCast(factor, x->getType()));
  return result;
}

// nan(code): a quiet NaN with the code as its payload.
Value *not_a_number(Builtin &call) {
  Builder &b = call.builder;
  Value *code = call.argument(0);
  unsigned width = call.type()->getScalarSizeInBits();
  uint64_t quiet = width == 64 ? 0x7ff8000000000000 : width == 32 ? 0x7fc00000 : 0x7e00;
  uint64_t payload = width == 64 ? 0x0007ffffffffffff : width == 32 ? 0x003fffff : 0x01ff;
  Value *bits =
      b.CreateOr(b.CreateAnd(code, payload), llvm::ConstantInt::get(code->getType(), quiet));
  return b.CreateBitCast(bits, call.type());
}

Lower larger_magnitude(bool larger) {
  return [larger](Builtin &call) -> Value * {
    Builder &b = call.builder;
    Value *x = call.argument(0), *y = call.argument(1), *ax = fabs(b, x), *ay = fabs(b, y);
    Value *x_wins = larger ? b.CreateFCmpOGT(ax, ay) : b.CreateFCmpOLT(ax, ay);
    Value *y_wins = larger ? b.CreateFCmpOGT(ay, ax) : b.CreateFCmpOLT(ay, ax);
    Value *tie =
        b.CreateBinaryIntrinsic(larger ? llvm::Intrinsic::maxnum : llvm::Intrinsic::minnum, x, y);
    return b.CreateSelect(x_wins, x, b.CreateSelect(y_wins, y, tie));
  };
}

Value *scale_by(Builtin &call, double factor) {
  return call.builder.CreateFMul(call.argument(0), constant(call.argument(0), factor));
}

Value *sign(Builtin &call) {
  Builder &b = call.builder;
  Value *x = call.argument(0), *zero = constant(x, 0);
  Value *one = b.CreateBinaryIntrinsic(llvm::Intrinsic::copysign, constant(x, 1), x);
  Value *result = b.CreateSelect(b.CreateFCmpOEQ(x, zero), x, one);
  return b.CreateSelect(b.CreateFCmpUNO(x, x), zero, result);
}

// (edge0, edge1, x)
Value *smooth_step(Builtin &call) {
  Builder &b = call.builder;
  Value *low = call.argument(0), *high = call.argument(1), *x = call.argument(2);
  Value *t = b.CreateFDiv(b.CreateFSub(x, low), b.CreateFSub(high, low));
  t = b.CreateBinaryIntrinsic(llvm::Intrinsic::maxnum, t, constant(t, 0));
  t = b.CreateBinaryIntrinsic(llvm::Intrinsic::minnum, t, constant(t, 1));
  return b.CreateFMul(b.CreateFMul(t, t),
                      b.CreateFSub(constant(t, 3), b.CreateFMul(constant(t, 2), t)));
}

// Squares must neither overflow nor vanish: float is computed in double, double with a power of two
// taken out.
Value *length(Builder &b, Value *vector) {
  llvm::SmallVector<Value *, 4> parts = elements(b, vector);
  llvm::Type *type = parts[0]->getType();
  Value *scale = nullptr;
  if (type->isDoubleTy()) {
    Value *largest = fabs(b, parts[0]);
    for (Value *part : parts)
      largest = b.CreateBinaryIntrinsic(llvm::Intrinsic::maxnum, largest, fabs(b, part));
    scale = b.CreateSelect(b.CreateFCmpOGT(largest, constant(largest, 0x1p500)),
                           constant(largest, 0x1p-600), constant(largest, 1));
    scale = b.CreateSelect(b.CreateFCmpOLT(largest, constant(largest, 0x1p-500)),
                           constant(largest, 0x1p600), scale);
  }
  Value *sum = nullptr;
  for (Value *part : parts) {
    Value *wide = scale ? b.CreateFMul(part, scale) : b.CreateFPExt(part, b.getDoubleTy());
    Value *square = b.CreateFMul(wide, wide);
    sum = sum ? b.CreateFAdd(sum, square) : square;
  }
  Value *root = b.CreateUnaryIntrinsic(llvm::Intrinsic::sqrt, sum);
  return scale ? b.CreateFDiv(root, scale) : b.CreateFPTrunc(root, type);
}

Value *normalize(Builtin &call) {
  Builder &b = call.builder;
  Value *vector = call.argument(0), *size = length(b, vector);
  Value *zero = b.CreateFCmpOEQ(size, constant(size, 0));
  Value *divisor = b.CreateSelect(zero, constant(size, 1), size);
  if (auto *type = llvm::dyn_cast<llvm::FixedVectorType>(vector->getType()))
    divisor = b.CreateVectorSplat(type->getNumElements(), divisor);
  return b.CreateFDiv(vector, divisor);
}

Value *cross(Builtin &call) {
  Builder &b = call.builder;
  auto x = elements(b, call.argument(0)), y = elements(b, call.argument(1));
  Value *result = llvm::Constant::getNullValue(call.type());
  for (unsigned i = 0; i < 3; ++i) {
    unsigned j = (i + 1) % 3, k = (i + 2) % 3;
    result = b.CreateInsertElement(
        result, b.CreateFSub(b.CreateFMul(x[j], y[k]), b.CreateFMul(x[k], y[j])), i);
  }
  return result;
}

void add_common(BuiltinTable &table) {
  table["ocl_fclamp"] = [](Builtin &call) -> Value * {
    Value *x = call.builder.CreateBinaryIntrinsic(llvm::Intrinsic::maxnum, call.argument(0),
                                                  call.argument(1));
    return call.builder.CreateBinaryIntrinsic(llvm::Intrinsic::minnum, x, call.argument(2));
  };
  table["ocl_degrees"] = [](Builtin &call) { return scale_by(call, 180 / std::numbers::pi); };
  table["ocl_radians"] = [](Builtin &call) { return scale_by(call, std::numbers::pi / 180); };
  table["ocl_mix"] = [](Builtin &call) {
    Builder &b = call.builder;
    Value *x = call.argument(0);
    return b.CreateFAdd(x, b.CreateFMul(b.CreateFSub(call.argument(1), x), call.argument(2)));
  };
  table["ocl_step"] = [](Builtin &call) {
    Value *edge = call.argument(0), *x = call.argument(1);
    return call.builder.CreateSelect(call.builder.CreateFCmpOLT(x, edge), constant(x, 0),
                                     constant(x, 1));
  };
  table["ocl_smoothstep"] = smooth_step;
  table["ocl_sign"] = sign;
  table["ocl_cross"] = cross;
  table["ocl_length"] = table["ocl_fast_length"] = [](Builtin &call) {
    return length(call.builder, call.argument(0));
  };
  table["ocl_distance"] = table["ocl_fast_distance"] = [](Builtin &call) {
    return length(call.builder, call.builder.CreateFSub(call.argument(0), call.argument(1)));
  };
  table["ocl_normalize"] = table["ocl_fast_normalize"] = normalize;
}

Value *reciprocal(Builtin &call) {
  return call.builder.CreateFDiv(constant(call.argument(0), 1), call.argument(0));
}
Value *divide(Builtin &call) { return call.builder.CreateFDiv(call.argument(0), call.argument(1)); }
// In float for half: rounded twice in half it would be too far off.
Value *reciprocal_root(Builtin &call) {
  Builder &b = call.builder;
  Value *x = call.argument(0);
  const bool half = call.type()->getScalarType()->isHalfTy();
  Value *root = b.CreateUnaryIntrinsic(llvm::Intrinsic::sqrt, half ? widened(b, x) : x);
  Value *result = b.CreateFDiv(constant(root, 1), root);
  return half ? b.CreateFPTrunc(result, call.type()) : result;
}

// Half's is computed in float, where the product is exact and the sum is not: it would be rounded twice. So the sum is
// rounded to odd: what has been lost makes the last bit 1, and the second rounding sees that it is no tie.
Value *fused(Builtin &call) {
  Builder &b = call.builder;
  if (!call.type()->getScalarType()->isHalfTy())
    return b.CreateIntrinsic(llvm::Intrinsic::fma, {call.type()},
                             {call.argument(0), call.argument(1), call.argument(2)});
  llvm::IRBuilderBase::FastMathFlagGuard guard(b);
  b.clearFastMathFlags();
  Value *product = b.CreateFMul(widened(b, call.argument(0)), widened(b, call.argument(1)));
  Value *addend = widened(b, call.argument(2)), *sum = b.CreateFAdd(product, addend);
  // What the sum lacks (Knuth's two-sum); NaN where it is not finite, which is then left alone.
  Value *rest = b.CreateFSub(sum, product);
  Value *lost =
      b.CreateFAdd(b.CreateFSub(product, b.CreateFSub(sum, rest)), b.CreateFSub(addend, rest));
  Value *bits = b.CreateBitCast(sum, sum->getType()->getWithNewBitWidth(32));
  auto number = [&](uint64_t value) { return llvm::ConstantInt::get(bits->getType(), value); };
  Value *even = b.CreateICmpEQ(b.CreateAnd(bits, number(1)), number(0));
  Value *inexact = b.CreateFCmpONE(lost, llvm::ConstantFP::getZero(lost->getType()));
  Value *outward =
      b.CreateICmpSGE(b.CreateXor(bits, b.CreateBitCast(lost, bits->getType())), number(0));
  Value *odd = b.CreateAdd(bits, b.CreateSelect(outward, number(1), number(0xffffffff)));
  bits = b.CreateSelect(b.CreateAnd(even, inexact), odd, bits);
  return b.CreateFPTrunc(b.CreateBitCast(bits, sum->getType()), call.type());
}

// The fast forms, which promise less.
void add_fast(BuiltinTable &table) {
  for (std::string prefix : {"ocl_native_", "ocl_half_"}) {
    for (const char *name : {"cos", "exp", "exp2", "exp10", "log10", "sin", "tan"})
      table[prefix + name] = function(name);
    for (const char *name : {"log", "log2"})
      table[prefix + name] = function_in_double(name);
    table[prefix + "powr"] = function("pow");
    table[prefix + "sqrt"] = intrinsic(llvm::Intrinsic::sqrt);
    table[prefix + "rsqrt"] = reciprocal_root;
    table[prefix + "recip"] = reciprocal;
    table[prefix + "divide"] = divide;
  }
}

} // namespace

void add_math(BuiltinTable &table) {
  struct Entry {
    const char *name;
    llvm::Intrinsic::ID id;
  };
  constexpr Entry instructions[] = {
      {"ceil", llvm::Intrinsic::ceil},          {"copysign", llvm::Intrinsic::copysign},
      {"fabs", llvm::Intrinsic::fabs},          {"floor", llvm::Intrinsic::floor},
      {"fmax", llvm::Intrinsic::maxnum},        {"fmin", llvm::Intrinsic::minnum},
      {"mad", llvm::Intrinsic::fmuladd},        {"rint", llvm::Intrinsic::rint},
      {"round", llvm::Intrinsic::round},        {"sqrt", llvm::Intrinsic::sqrt},
      {"trunc", llvm::Intrinsic::trunc},        {"fmax_common", llvm::Intrinsic::maxnum},
      {"fmin_common", llvm::Intrinsic::minnum},
  };
  for (const Entry &entry : instructions)
    table[std::string("ocl_") + entry.name] = intrinsic(entry.id);
  for (const char *name :
       {"acos",      "acosh", "asin",      "asinh",  "atan",  "atanh", "atan2", "cos",
        "cosh",      "erf",   "erfc",      "exp2",   "exp10", "expm1", "fdim",  "fmod",
        "hypot",     "ilogb", "ldexp",     "lgamma", "log2",  "log10", "log1p", "logb",
        "nextafter", "pow",   "remainder", "sin",    "sinh",  "tan",   "tanh",  "tgamma"})
    table[std::string("ocl_") + name] = function(name);
  for (const char *name :
       {"acospi", "asinpi", "atanpi", "atan2pi", "cospi", "sinpi", "tanpi", "powr", "rootn"})
    table[std::string("ocl_") + name] = [own = "ze_cpu_" + std::string(name)](Builtin &call) {
      return for_each_element(call, [&](Values arguments) {
        return call_by_precision(call.builder, own, call.type()->getScalarType(), arguments);
      });
    };
  // The vectorised functions for float are up to 4 units in the last place off, and those for double good enough for float.
  for (const char *name : {"acos", "acosh", "asinh", "atan2", "atanh", "cos", "cosh", "exp10",
                           "expm1", "log", "log1p", "log2", "sin", "sinh", "tan"})
    table[std::string("ocl_") + name] = for_float(function_in_double(name), function(name));
  // More than one unit off for double: the C library's usual ones.
  for (const std::string name : {"acos", "acosh", "asin", "asinh", "atan", "atan2", "atanh", "cos",
                                 "cosh", "expm1", "log", "log1p", "sin", "sinh", "tan", "tanh"}) {
    Lower &lower = table["ocl_" + name];
    lower = by_type(std::move(lower), function(("ze_cpu_" + name).c_str()));
  }
  table["ocl_exp"] = by_type(for_float(exponential<>, function("exp")), exponential<>);
  table["ocl_exp2"] = by_type(for_float(exponential<true>, function("exp2")), exponential<true>);
  table["ocl_cbrt"] = by_type(function_in_double("cbrt"), function("ze_cpu_cbrt"));
  table["ocl_pown"] = function_in_double("pow");
  table["ocl_fma"] = fused;
  table["ocl_rsqrt"] = reciprocal_root;
  table["ocl_maxmag"] = larger_magnitude(true);
  table["ocl_minmag"] = larger_magnitude(false);
  table["ocl_nan"] = [](Builtin &call) { return not_a_number(call); };
  table["ocl_fract"] = with_pointer(fract, 1);
  table["ocl_sincos"] = with_pointer(sine_and_cosine, 1);
  table["ocl_modf"] = with_pointer(through_variable("modf", false), 1);
  table["ocl_frexp"] = with_pointer(through_variable("frexp", true), 1);
  table["ocl_lgamma_r"] = with_pointer(through_variable("lgamma_r", true), 1);
  table["ocl_remquo"] = with_pointer(through_variable("remquo", true), 2);
  add_common(table);
  add_fast(table);
}

} // namespace ze_cpu
