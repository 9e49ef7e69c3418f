/// The mathematical functions as C++ names them: one name for all types, also in namespace std.
///
/// The standard library's own functions stay for the host. Where it has a template for integers and
/// this file has one too, device code gets this file's: the compiler prefers a device function.
#pragma once

// The compiler lets a constexpr function of the standard library stand beside one of ours with the
// same parameters only if ours comes from a system header.
#pragma GCC system_header

#include <hip/spirv_detail/math/math_double.h>
#include <hip/spirv_detail/math/math_float.h>

namespace chip_device {

template <bool condition, typename T> struct __EnableIf {};
template <typename T> struct __EnableIf<true, T> {
  typedef T __Type;
};

/// T, for functions that compute in double what they get as integers, or as numbers of two types.
template <typename __A, typename T> struct __IfInteger : __EnableIf<__is_integral(__A), T> {};
template <typename __A, typename __B, typename T>
struct __IfNumbers : __EnableIf<__is_arithmetic(__A) && __is_arithmetic(__B), T> {};

} // namespace chip_device

// Of one argument

#define CHIP_OVERLOADS(name)                                                                       \
  CHIP_DEVICE float name(float x) { return name##f(x); }                                           \
  template <typename __A>                                                                          \
  CHIP_DEVICE typename chip_device::__IfInteger<__A, double>::__Type name(__A x) {                 \
    return name(static_cast<double>(x));                                                           \
  }
CHIP_OVERLOADS(acos)
CHIP_OVERLOADS(acosh)
CHIP_OVERLOADS(asin)
CHIP_OVERLOADS(asinh)
CHIP_OVERLOADS(atan)
CHIP_OVERLOADS(atanh)
CHIP_OVERLOADS(cbrt)
CHIP_OVERLOADS(ceil)
CHIP_OVERLOADS(cos)
CHIP_OVERLOADS(cosh)
CHIP_OVERLOADS(cospi)
CHIP_OVERLOADS(cyl_bessel_i0)
CHIP_OVERLOADS(cyl_bessel_i1)
CHIP_OVERLOADS(erf)
CHIP_OVERLOADS(erfc)
CHIP_OVERLOADS(erfcinv)
CHIP_OVERLOADS(erfcx)
CHIP_OVERLOADS(erfinv)
CHIP_OVERLOADS(exp)
CHIP_OVERLOADS(exp10)
CHIP_OVERLOADS(exp2)
CHIP_OVERLOADS(expm1)
CHIP_OVERLOADS(fabs)
CHIP_OVERLOADS(floor)
CHIP_OVERLOADS(j0)
CHIP_OVERLOADS(j1)
CHIP_OVERLOADS(lgamma)
CHIP_OVERLOADS(log)
CHIP_OVERLOADS(log10)
CHIP_OVERLOADS(log1p)
CHIP_OVERLOADS(log2)
CHIP_OVERLOADS(logb)
CHIP_OVERLOADS(nearbyint)
CHIP_OVERLOADS(normcdf)
CHIP_OVERLOADS(normcdfinv)
CHIP_OVERLOADS(rcbrt)
CHIP_OVERLOADS(rint)
CHIP_OVERLOADS(round)
CHIP_OVERLOADS(rsqrt)
CHIP_OVERLOADS(sin)
CHIP_OVERLOADS(sinh)
CHIP_OVERLOADS(sinpi)
CHIP_OVERLOADS(sqrt)
CHIP_OVERLOADS(tan)
CHIP_OVERLOADS(tanh)
CHIP_OVERLOADS(tgamma)
CHIP_OVERLOADS(trunc)
CHIP_OVERLOADS(y0)
CHIP_OVERLOADS(y1)
#undef CHIP_OVERLOADS

#define CHIP_OVERLOADS(name, result)                                                               \
  CHIP_DEVICE result name(float x) { return name##f(x); }                                          \
  template <typename __A>                                                                          \
  CHIP_DEVICE typename chip_device::__IfInteger<__A, result>::__Type name(__A x) {                 \
    return name(static_cast<double>(x));                                                           \
  }
CHIP_OVERLOADS(ilogb, int)
CHIP_OVERLOADS(llrint, long long)
CHIP_OVERLOADS(llround, long long)
CHIP_OVERLOADS(lrint, long)
CHIP_OVERLOADS(lround, long)
#undef CHIP_OVERLOADS

// Of two or three arguments

#define CHIP_OVERLOADS(name)                                                                       \
  CHIP_DEVICE float name(float x, float y) { return name##f(x, y); }                               \
  template <typename __A, typename __B>                                                            \
  CHIP_DEVICE typename chip_device::__IfNumbers<__A, __B, double>::__Type name(__A x, __B y) {     \
    return name(static_cast<double>(x), static_cast<double>(y));                                   \
  }
CHIP_OVERLOADS(atan2)
CHIP_OVERLOADS(copysign)
CHIP_OVERLOADS(fdim)
CHIP_OVERLOADS(fmax)
CHIP_OVERLOADS(fmin)
CHIP_OVERLOADS(fmod)
CHIP_OVERLOADS(hypot)
CHIP_OVERLOADS(nextafter)
CHIP_OVERLOADS(pow)
CHIP_OVERLOADS(remainder)
#undef CHIP_OVERLOADS

/// HIP keeps the base's type for an integer exponent.
CHIP_DEVICE float pow(float x, int n) { return powif(x, n); }
CHIP_DEVICE double pow(double x, int n) { return powi(x, n); }

CHIP_DEVICE float fma(float x, float y, float z) { return fmaf(x, y, z); }
template <typename __A, typename __B, typename __C>
CHIP_DEVICE typename chip_device::__EnableIf<
    __is_arithmetic(__A) && __is_arithmetic(__B) && __is_arithmetic(__C), double>::__Type
fma(__A x, __B y, __C z) {
  return fma(static_cast<double>(x), static_cast<double>(y), static_cast<double>(z));
}
CHIP_DEVICE float hypot(float x, float y, float z) { return norm3df(x, y, z); }
CHIP_DEVICE double hypot(double x, double y, double z) { return norm3d(x, y, z); }
CHIP_DEVICE float frexp(float x, int *exponent) { return frexpf(x, exponent); }
CHIP_DEVICE float ldexp(float x, int n) { return ldexpf(x, n); }
CHIP_DEVICE float modf(float x, float *integer) { return modff(x, integer); }
CHIP_DEVICE float remquo(float x, float y, int *quotient) { return remquof(x, y, quotient); }
CHIP_DEVICE float scalbln(float x, long n) { return scalblnf(x, n); }
CHIP_DEVICE float scalbn(float x, int n) { return scalbnf(x, n); }
CHIP_DEVICE void sincos(float x, float *sine, float *cosine) { sincosf(x, sine, cosine); }
CHIP_DEVICE void sincospi(float x, float *sine, float *cosine) { sincospif(x, sine, cosine); }

// What a number is

#define CHIP_OVERLOADS(name)                                                                       \
  CHIP_DEVICE bool name(float x) { return __builtin_##name(x); }                                   \
  CHIP_DEVICE bool name(double x) { return __builtin_##name(x); }                                  \
  template <typename __A>                                                                          \
  CHIP_DEVICE typename chip_device::__IfInteger<__A, bool>::__Type name(__A x) {                   \
    return name(static_cast<double>(x));                                                           \
  }
CHIP_OVERLOADS(isfinite)
CHIP_OVERLOADS(isinf)
CHIP_OVERLOADS(isnan)
CHIP_OVERLOADS(isnormal)
CHIP_OVERLOADS(signbit)
#undef CHIP_OVERLOADS

CHIP_DEVICE int fpclassify(float x) { return __builtin_fpclassify(0, 1, 4, 3, 2, x); }
CHIP_DEVICE int fpclassify(double x) { return __builtin_fpclassify(0, 1, 4, 3, 2, x); }

// Comparisons that a NaN makes false, without complaint

#define CHIP_OVERLOADS(name)                                                                       \
  CHIP_DEVICE bool name(float x, float y) { return __builtin_##name(x, y); }                       \
  CHIP_DEVICE bool name(double x, double y) { return __builtin_##name(x, y); }                     \
  template <typename __A, typename __B>                                                            \
  CHIP_DEVICE typename chip_device::__IfNumbers<__A, __B, bool>::__Type name(__A x, __B y) {       \
    return __builtin_##name(static_cast<double>(x), static_cast<double>(y));                       \
  }
CHIP_OVERLOADS(isgreater)
CHIP_OVERLOADS(isgreaterequal)
CHIP_OVERLOADS(isless)
CHIP_OVERLOADS(islessequal)
CHIP_OVERLOADS(islessgreater)
CHIP_OVERLOADS(isunordered)
#undef CHIP_OVERLOADS

// Absolute values

CHIP_DEVICE int abs(int x) { return x < 0 ? -x : x; }
CHIP_DEVICE long abs(long x) { return x < 0 ? -x : x; }
CHIP_DEVICE long long abs(long long x) { return x < 0 ? -x : x; }
CHIP_DEVICE float abs(float x) { return fabsf(x); }
CHIP_DEVICE double abs(double x) { return fabs(x); }
CHIP_DEVICE long labs(long x) { return x < 0 ? -x : x; }
CHIP_DEVICE long long llabs(long long x) { return x < 0 ? -x : x; }

namespace std {
using ::abs;
using ::acos;
using ::acosf;
using ::acosh;
using ::acoshf;
using ::asin;
using ::asinf;
using ::asinh;
using ::asinhf;
using ::atan;
using ::atan2;
using ::atan2f;
using ::atanf;
using ::atanh;
using ::atanhf;
using ::cbrt;
using ::cbrtf;
using ::ceil;
using ::ceilf;
using ::copysign;
using ::copysignf;
using ::cos;
using ::cosf;
using ::cosh;
using ::coshf;
using ::erf;
using ::erfc;
using ::erfcf;
using ::erff;
using ::exp;
using ::exp2;
using ::exp2f;
using ::expf;
using ::expm1;
using ::expm1f;
using ::fabs;
using ::fabsf;
using ::fdim;
using ::fdimf;
using ::floor;
using ::floorf;
using ::fma;
using ::fmaf;
using ::fmax;
using ::fmaxf;
using ::fmin;
using ::fminf;
using ::fmod;
using ::fmodf;
using ::fpclassify;
using ::frexp;
using ::frexpf;
using ::hypot;
using ::hypotf;
using ::ilogb;
using ::ilogbf;
using ::isfinite;
using ::isgreater;
using ::isgreaterequal;
using ::isinf;
using ::isless;
using ::islessequal;
using ::islessgreater;
using ::isnan;
using ::isnormal;
using ::isunordered;
using ::labs;
using ::ldexp;
using ::ldexpf;
using ::lgamma;
using ::lgammaf;
using ::llabs;
using ::llrint;
using ::llrintf;
using ::llround;
using ::llroundf;
using ::log;
using ::log10;
using ::log10f;
using ::log1p;
using ::log1pf;
using ::log2;
using ::log2f;
using ::logb;
using ::logbf;
using ::logf;
using ::lrint;
using ::lrintf;
using ::lround;
using ::lroundf;
using ::modf;
using ::modff;
using ::nan;
using ::nanf;
using ::nearbyint;
using ::nearbyintf;
using ::nextafter;
using ::nextafterf;
using ::pow;
using ::powf;
using ::remainder;
using ::remainderf;
using ::remquo;
using ::remquof;
using ::rint;
using ::rintf;
using ::round;
using ::roundf;
using ::scalbln;
using ::scalblnf;
using ::scalbn;
using ::scalbnf;
using ::signbit;
using ::sin;
using ::sinf;
using ::sinh;
using ::sinhf;
using ::sqrt;
using ::sqrtf;
using ::tan;
using ::tanf;
using ::tanh;
using ::tanhf;
using ::tgamma;
using ::tgammaf;
using ::trunc;
using ::truncf;
} // namespace std
