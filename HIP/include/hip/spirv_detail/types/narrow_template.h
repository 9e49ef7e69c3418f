// The functions that __half and __hip_bfloat16 have alike: included once for each, without a guard.
// CHIP_NUMBER is the type, CHIP_PAIR the type of two, CHIP_VALUE the type that it is computed in;
// chip_narrow::value and chip_narrow::number convert to that and back. CHIP_BITS(x) are the bits of
// x, CHIP_INFINITY those of infinity. CHIP_NO_OPERATORS leaves the operators out.

#define CHIP_RESULT(value) chip_narrow::number(CHIP_NUMBER(), static_cast<CHIP_VALUE>(value))
#define CHIP_TRUTH(condition) CHIP_RESULT((condition) ? 1 : 0)

// What a number is

CHIP_NARROW bool __hisnan(CHIP_NUMBER a) { return (CHIP_BITS(a) & 0x7fff) > CHIP_INFINITY; }
CHIP_NARROW bool __hisinf(CHIP_NUMBER a) { return (CHIP_BITS(a) & 0x7fff) == CHIP_INFINITY; }
CHIP_NARROW CHIP_PAIR __hisnan2(CHIP_PAIR a) {
  return CHIP_PAIR(CHIP_TRUTH(__hisnan(a.x)), CHIP_TRUTH(__hisnan(a.y)));
}
CHIP_NARROW CHIP_PAIR __hisinf2(CHIP_PAIR a) {
  return CHIP_PAIR(CHIP_TRUTH(__hisinf(a.x)), CHIP_TRUTH(__hisinf(a.y)));
}

// Comparisons. Only those with a u hold if one of the numbers is a NaN; those with a b tell whether
// they hold for both of two, those with a 2 tell it for each as 1 or 0.

#define CHIP_COMPARISON(name, condition)                                                           \
  CHIP_NARROW bool __h##name(CHIP_NUMBER a, CHIP_NUMBER b) {                                       \
    const CHIP_VALUE x = chip_narrow::value(a), y = chip_narrow::value(b);                         \
    return condition;                                                                              \
  }                                                                                                \
  CHIP_NARROW bool __h##name##u(CHIP_NUMBER a, CHIP_NUMBER b) {                                    \
    return __hisnan(a) || __hisnan(b) || __h##name(a, b);                                          \
  }                                                                                                \
  CHIP_NARROW bool __hb##name##2(CHIP_PAIR a, CHIP_PAIR b) {                                       \
    return __h##name(a.x, b.x) && __h##name(a.y, b.y);                                             \
  }                                                                                                \
  CHIP_NARROW bool __hb##name##u2(CHIP_PAIR a, CHIP_PAIR b) {                                      \
    return __h##name##u(a.x, b.x) && __h##name##u(a.y, b.y);                                       \
  }                                                                                                \
  CHIP_NARROW CHIP_PAIR __h##name##2(CHIP_PAIR a, CHIP_PAIR b) {                                   \
    return CHIP_PAIR(CHIP_TRUTH(__h##name(a.x, b.x)), CHIP_TRUTH(__h##name(a.y, b.y)));            \
  }                                                                                                \
  CHIP_NARROW CHIP_PAIR __h##name##u2(CHIP_PAIR a, CHIP_PAIR b) {                                  \
    return CHIP_PAIR(CHIP_TRUTH(__h##name##u(a.x, b.x)), CHIP_TRUTH(__h##name##u(a.y, b.y)));      \
  }
CHIP_COMPARISON(eq, x == y)
CHIP_COMPARISON(ne, x > y || x < y)
CHIP_COMPARISON(lt, x < y)
CHIP_COMPARISON(le, x <= y)
CHIP_COMPARISON(gt, x > y)
CHIP_COMPARISON(ge, x >= y)
#undef CHIP_COMPARISON

// Arithmetic

CHIP_NARROW CHIP_NUMBER __hneg(CHIP_NUMBER a) {
  return CHIP_FROM_BITS(static_cast<unsigned short>(CHIP_BITS(a) ^ 0x8000));
}
CHIP_NARROW CHIP_NUMBER __habs(CHIP_NUMBER a) {
  return CHIP_FROM_BITS(static_cast<unsigned short>(CHIP_BITS(a) & 0x7fff));
}
CHIP_NARROW CHIP_PAIR __hneg2(CHIP_PAIR a) { return CHIP_PAIR(__hneg(a.x), __hneg(a.y)); }
CHIP_NARROW CHIP_PAIR __habs2(CHIP_PAIR a) { return CHIP_PAIR(__habs(a.x), __habs(a.y)); }

/// Of two numbers; a NaN loses, with _nan it wins.
CHIP_NARROW CHIP_NUMBER __hmin(CHIP_NUMBER a, CHIP_NUMBER b) {
  return __hisnan(a) || __hlt(b, a) ? b : a;
}
CHIP_NARROW CHIP_NUMBER __hmax(CHIP_NUMBER a, CHIP_NUMBER b) {
  return __hisnan(a) || __hgt(b, a) ? b : a;
}
CHIP_NARROW CHIP_NUMBER __hmin_nan(CHIP_NUMBER a, CHIP_NUMBER b) {
  return __hisnan(a) ? a : __hisnan(b) ? b : __hmin(a, b);
}
CHIP_NARROW CHIP_NUMBER __hmax_nan(CHIP_NUMBER a, CHIP_NUMBER b) {
  return __hisnan(a) ? a : __hisnan(b) ? b : __hmax(a, b);
}

namespace chip_narrow {
/// Between 0 and 1; a NaN stays one, as on AMD's devices, where it is 0 on others.
CHIP_NARROW CHIP_NUMBER saturate(CHIP_NUMBER a) {
  const CHIP_NUMBER zero = CHIP_TRUTH(false), one = CHIP_TRUTH(true);
  return __hlt(a, zero) ? zero : __hgt(a, one) ? one : a;
}
} // namespace chip_narrow

/// _rn is rounded before anything else is done with it, _sat is between 0 and 1.
#define CHIP_ARITHMETIC(name, pair_name, op)                                                       \
  CHIP_NARROW CHIP_NUMBER name(CHIP_NUMBER a, CHIP_NUMBER b) {                                     \
    return CHIP_RESULT(chip_narrow::value(a) op chip_narrow::value(b));                            \
  }                                                                                                \
  CHIP_NARROW CHIP_NUMBER name##_rn(CHIP_NUMBER a, CHIP_NUMBER b) {                                \
    CHIP_NO_CONTRACTION                                                                            \
    return CHIP_RESULT(chip_narrow::value(a) op chip_narrow::value(b));                            \
  }                                                                                                \
  CHIP_NARROW CHIP_NUMBER name##_sat(CHIP_NUMBER a, CHIP_NUMBER b) {                               \
    return chip_narrow::saturate(name(a, b));                                                      \
  }                                                                                                \
  CHIP_NARROW CHIP_PAIR pair_name(CHIP_PAIR a, CHIP_PAIR b) {                                      \
    return CHIP_PAIR(name(a.x, b.x), name(a.y, b.y));                                              \
  }                                                                                                \
  CHIP_NARROW CHIP_PAIR pair_name##_rn(CHIP_PAIR a, CHIP_PAIR b) {                                 \
    return CHIP_PAIR(name##_rn(a.x, b.x), name##_rn(a.y, b.y));                                    \
  }                                                                                                \
  CHIP_NARROW CHIP_PAIR pair_name##_sat(CHIP_PAIR a, CHIP_PAIR b) {                                \
    return CHIP_PAIR(name##_sat(a.x, b.x), name##_sat(a.y, b.y));                                  \
  }
CHIP_ARITHMETIC(__hadd, __hadd2, +)
CHIP_ARITHMETIC(__hsub, __hsub2, -)
CHIP_ARITHMETIC(__hmul, __hmul2, *)
CHIP_ARITHMETIC(__hdiv, __h2div, /)
#undef CHIP_ARITHMETIC

/// a * b + c; _sat is between 0 and 1, _relu is not negative.
CHIP_NARROW CHIP_NUMBER __hfma(CHIP_NUMBER a, CHIP_NUMBER b, CHIP_NUMBER c) {
  return CHIP_RESULT(
      chip_narrow::fma(chip_narrow::value(a), chip_narrow::value(b), chip_narrow::value(c)));
}
CHIP_NARROW CHIP_NUMBER __hfma_sat(CHIP_NUMBER a, CHIP_NUMBER b, CHIP_NUMBER c) {
  return chip_narrow::saturate(__hfma(a, b, c));
}
CHIP_NARROW CHIP_NUMBER __hfma_relu(CHIP_NUMBER a, CHIP_NUMBER b, CHIP_NUMBER c) {
  return __hmax_nan(__hfma(a, b, c), CHIP_TRUTH(false));
}
#define CHIP_FMA(name, pair_name)                                                                  \
  CHIP_NARROW CHIP_PAIR pair_name(CHIP_PAIR a, CHIP_PAIR b, CHIP_PAIR c) {                         \
    return CHIP_PAIR(name(a.x, b.x, c.x), name(a.y, b.y, c.y));                                    \
  }
CHIP_FMA(__hfma, __hfma2)
CHIP_FMA(__hfma_sat, __hfma2_sat)
CHIP_FMA(__hfma_relu, __hfma2_relu)
#undef CHIP_FMA

#define CHIP_EXTREMUM(name, pair_name)                                                             \
  CHIP_NARROW CHIP_PAIR pair_name(CHIP_PAIR a, CHIP_PAIR b) {                                      \
    return CHIP_PAIR(name(a.x, b.x), name(a.y, b.y));                                              \
  }
CHIP_EXTREMUM(__hmin, __hmin2)
CHIP_EXTREMUM(__hmax, __hmax2)
CHIP_EXTREMUM(__hmin_nan, __hmin2_nan)
CHIP_EXTREMUM(__hmax_nan, __hmax2_nan)
#undef CHIP_EXTREMUM

// Operators. A number of another type on one side becomes one of this type. Operands are references
// as on other platforms: applications have operators of their own for the host, which take values.

#ifndef CHIP_NO_OPERATORS
#define CHIP_MIXED(result, op)                                                                     \
  template <typename T>                                                                            \
  CHIP_NARROW typename chip_narrow::__IfNumber<T, result>::__Type operator op(CHIP_NUMBER a,       \
                                                                              T b) {               \
    return a op CHIP_NUMBER(b);                                                                    \
  }                                                                                                \
  template <typename T>                                                                            \
  CHIP_NARROW typename chip_narrow::__IfNumber<T, result>::__Type operator op(T a,                 \
                                                                              CHIP_NUMBER b) {     \
    return CHIP_NUMBER(a) op b;                                                                    \
  }

#define CHIP_OPERATOR(op, name, pair_name)                                                         \
  CHIP_NARROW CHIP_NUMBER operator op(const CHIP_NUMBER &a, const CHIP_NUMBER &b) {                \
    return name(a, b);                                                                             \
  }                                                                                                \
  CHIP_MIXED(CHIP_NUMBER, op)                                                                      \
  CHIP_NARROW CHIP_NUMBER &operator op## = (CHIP_NUMBER & a, CHIP_NUMBER b) {                      \
    return a = name(a, b);                                                                         \
  }                                                                                                \
  CHIP_NARROW CHIP_PAIR operator op(const CHIP_PAIR &a, const CHIP_PAIR &b) {                      \
    return pair_name(a, b);                                                                        \
  }                                                                                                \
  CHIP_NARROW CHIP_PAIR &operator op## = (CHIP_PAIR & a, CHIP_PAIR b) {                            \
    return a = pair_name(a, b);                                                                    \
  }
CHIP_OPERATOR(+, __hadd, __hadd2)
CHIP_OPERATOR(-, __hsub, __hsub2)
CHIP_OPERATOR(*, __hmul, __hmul2)
CHIP_OPERATOR(/, __hdiv, __h2div)
#undef CHIP_OPERATOR

#define CHIP_OPERATOR(op, condition)                                                               \
  CHIP_NARROW bool operator op(const CHIP_NUMBER &a, const CHIP_NUMBER &b) { return condition; }   \
  CHIP_MIXED(bool, op)
CHIP_OPERATOR(==, __heq(a, b))
CHIP_OPERATOR(!=, !__heq(a, b))
CHIP_OPERATOR(<, __hlt(a, b))
CHIP_OPERATOR(<=, __hle(a, b))
CHIP_OPERATOR(>, __hgt(a, b))
CHIP_OPERATOR(>=, __hge(a, b))
#undef CHIP_OPERATOR
#undef CHIP_MIXED

CHIP_NARROW bool operator==(const CHIP_PAIR &a, const CHIP_PAIR &b) { return __hbeq2(a, b); }
CHIP_NARROW bool operator!=(const CHIP_PAIR &a, const CHIP_PAIR &b) { return !__hbeq2(a, b); }
CHIP_NARROW bool operator<(const CHIP_PAIR &a, const CHIP_PAIR &b) { return __hblt2(a, b); }
CHIP_NARROW bool operator<=(const CHIP_PAIR &a, const CHIP_PAIR &b) { return __hble2(a, b); }
CHIP_NARROW bool operator>(const CHIP_PAIR &a, const CHIP_PAIR &b) { return __hbgt2(a, b); }
CHIP_NARROW bool operator>=(const CHIP_PAIR &a, const CHIP_PAIR &b) { return __hbge2(a, b); }

// Not for what converts to several of these types and to numbers: members on other platforms.
#define CHIP_SIGN(type, op, value)                                                                 \
  template <typename T>                                                                            \
  CHIP_NARROW typename chip_narrow::__IfSame<T, type>::__Type operator op(const T &a) {            \
    return value;                                                                                  \
  }
CHIP_SIGN(CHIP_NUMBER, +, a)
CHIP_SIGN(CHIP_NUMBER, -, __hneg(a))
CHIP_SIGN(CHIP_PAIR, +, a)
CHIP_SIGN(CHIP_PAIR, -, __hneg2(a))
#undef CHIP_SIGN

#define CHIP_STEP(type, op, one, function)                                                         \
  CHIP_NARROW type &operator op(type &a) { return a = function(a, one); }                          \
  CHIP_NARROW type operator op(type &a, int) {                                                     \
    const type before = a;                                                                         \
    a = function(a, one);                                                                          \
    return before;                                                                                 \
  }
CHIP_STEP(CHIP_NUMBER, ++, CHIP_TRUTH(true), __hadd)
CHIP_STEP(CHIP_NUMBER, --, CHIP_TRUTH(true), __hsub)
CHIP_STEP(CHIP_PAIR, ++, CHIP_PAIR(CHIP_TRUTH(true), CHIP_TRUTH(true)), __hadd2)
CHIP_STEP(CHIP_PAIR, --, CHIP_PAIR(CHIP_TRUTH(true), CHIP_TRUTH(true)), __hsub2)
#undef CHIP_STEP
#endif

// Halves of a pair

CHIP_NARROW float __low2float(CHIP_PAIR a) { return static_cast<float>(a.x); }
CHIP_NARROW float __high2float(CHIP_PAIR a) { return static_cast<float>(a.y); }
CHIP_NARROW CHIP_PAIR __lowhigh2highlow(CHIP_PAIR a) { return CHIP_PAIR(a.y, a.x); }

#if __HIP_CLANG_ONLY__

// The device's mathematical functions, in float

#define CHIP_MATH(name, function)                                                                  \
  CHIP_DEVICE CHIP_NUMBER h##name(CHIP_NUMBER x) {                                                 \
    return CHIP_NUMBER(function(static_cast<float>(x)));                                           \
  }                                                                                                \
  CHIP_DEVICE CHIP_PAIR h2##name(CHIP_PAIR x) { return CHIP_PAIR(h##name(x.x), h##name(x.y)); }
CHIP_MATH(ceil, chip_device::ceil)
CHIP_MATH(cos, __spirv_ocl_cos)
CHIP_MATH(exp, __spirv_ocl_exp)
CHIP_MATH(exp10, __spirv_ocl_exp10)
CHIP_MATH(exp2, __spirv_ocl_exp2)
CHIP_MATH(floor, chip_device::floor)
CHIP_MATH(log, __spirv_ocl_log)
CHIP_MATH(log10, __spirv_ocl_log10)
CHIP_MATH(log2, __spirv_ocl_log2)
CHIP_MATH(rcp, 1 /)
CHIP_MATH(rint, chip_device::rint)
CHIP_MATH(rsqrt, __spirv_ocl_rsqrt)
CHIP_MATH(sin, __spirv_ocl_sin)
CHIP_MATH(sqrt, chip_device::sqrt)
CHIP_MATH(trunc, chip_device::trunc)
#undef CHIP_MATH

// Values of other threads

#define CHIP_SHUFFLE(name, argument, lane)                                                         \
  CHIP_DEVICE CHIP_NUMBER name(CHIP_NUMBER value, argument, int width = warpSize) {                \
    return chip_device::value_from(value, chip_device::lane);                                      \
  }                                                                                                \
  CHIP_DEVICE CHIP_PAIR name(CHIP_PAIR value, argument, int width = warpSize) {                    \
    return chip_device::value_from(value, chip_device::lane);                                      \
  }
CHIP_SHUFFLE(__shfl, int lane, lane_of(lane, width))
CHIP_SHUFFLE(__shfl_up, unsigned int distance, lane_below(distance, width))
CHIP_SHUFFLE(__shfl_down, unsigned int distance, lane_above(distance, width))
CHIP_SHUFFLE(__shfl_xor, int mask, lane_across(mask, width))
#undef CHIP_SHUFFLE

/// Adds both numbers at once, and returns those from before.
CHIP_DEVICE CHIP_PAIR unsafeAtomicAdd(CHIP_PAIR *address, CHIP_PAIR value) {
  unsigned int *const bits = reinterpret_cast<unsigned int *>(address);
  unsigned int old = __hip_atomic_load(bits, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
  unsigned int sum;
  do
    sum = __builtin_bit_cast(unsigned int, __hadd2(__builtin_bit_cast(CHIP_PAIR, old), value));
  while (!__hip_atomic_compare_exchange_strong(bits, &old, sum, __ATOMIC_RELAXED, __ATOMIC_RELAXED,
                                               __HIP_MEMORY_SCOPE_AGENT));
  return __builtin_bit_cast(CHIP_PAIR, old);
}
#endif

#undef CHIP_TRUTH
#undef CHIP_RESULT
