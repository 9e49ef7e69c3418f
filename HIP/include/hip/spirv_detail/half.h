/// __half, the scalar number of 16 bits, and __half2, two of them.
#pragma once

#include <hip/spirv_detail/cmath.h>

#define CHIP_HALF static inline __host__ __device__

struct __half_raw {
  unsigned short x;
};

struct __half {
  _Float16 data;

  __half() = default;
  __host__ __device__ __half(const __half_raw &raw) : data(__builtin_bit_cast(_Float16, raw.x)) {}
  /// Any number, rounded to the nearest.
  template <typename T,
            typename = typename chip_device::EnableIf<__is_arithmetic(T), T>::Type>
  __host__ __device__ __half(T value) : data(static_cast<_Float16>(value)) {}

  __host__ __device__ operator float() const { return static_cast<float>(data); }
  __host__ __device__ operator __half_raw() const {
    return {__builtin_bit_cast(unsigned short, data)};
  }
};
typedef __half half;

/// With a number of another type on one side, which becomes a __half.
#define CHIP_HALF_MIXED(result, op)                                                                \
  template <typename T>                                                                            \
  CHIP_HALF typename chip_device::EnableIf<__is_arithmetic(T), result>::Type operator op(__half a, \
                                                                                         T b) {    \
    return a op __half(b);                                                                         \
  }                                                                                                \
  template <typename T>                                                                            \
  CHIP_HALF typename chip_device::EnableIf<__is_arithmetic(T), result>::Type operator op(          \
      T a, __half b) {                                                                             \
    return __half(a) op b;                                                                         \
  }

#define CHIP_HALF_OPERATOR(op)                                                                     \
  CHIP_HALF __half operator op(__half a, __half b) {                                               \
    return __half(static_cast<_Float16>(a.data op b.data));                                        \
  }                                                                                                \
  CHIP_HALF_MIXED(__half, op)                                                                      \
  CHIP_HALF __half &operator op##=(__half &a, __half b) { return a = a op b; }
CHIP_HALF_OPERATOR(+)
CHIP_HALF_OPERATOR(-)
CHIP_HALF_OPERATOR(*)
CHIP_HALF_OPERATOR(/)
#undef CHIP_HALF_OPERATOR
CHIP_HALF __half operator-(__half a) { return __half(static_cast<_Float16>(-a.data)); }

#define CHIP_HALF_COMPARISON(op, name)                                                             \
  CHIP_HALF bool operator op(__half a, __half b) { return a.data op b.data; }                      \
  CHIP_HALF_MIXED(bool, op)                                                                        \
  CHIP_HALF bool name(__half a, __half b) { return a.data op b.data; }
CHIP_HALF_COMPARISON(==, __heq)
CHIP_HALF_COMPARISON(!=, __hne)
CHIP_HALF_COMPARISON(<, __hlt)
CHIP_HALF_COMPARISON(<=, __hle)
CHIP_HALF_COMPARISON(>, __hgt)
CHIP_HALF_COMPARISON(>=, __hge)
#undef CHIP_HALF_COMPARISON
#undef CHIP_HALF_MIXED

// Conversions

CHIP_HALF __half __float2half(float x) { return __half(x); }
CHIP_HALF __half __float2half_rn(float x) { return __half(x); }
CHIP_HALF float __half2float(__half x) { return static_cast<float>(x.data); }
CHIP_HALF short __half_as_short(__half x) { return __builtin_bit_cast(short, x.data); }
CHIP_HALF unsigned short __half_as_ushort(__half x) {
  return __builtin_bit_cast(unsigned short, x.data);
}
CHIP_HALF __half __short_as_half(short x) { return __half(__builtin_bit_cast(_Float16, x)); }
CHIP_HALF __half __ushort_as_half(unsigned short x) {
  return __half(__builtin_bit_cast(_Float16, x));
}

// Arithmetic

CHIP_HALF __half __hadd(__half a, __half b) { return a + b; }
CHIP_HALF __half __hsub(__half a, __half b) { return a - b; }
CHIP_HALF __half __hmul(__half a, __half b) { return a * b; }
CHIP_HALF __half __hdiv(__half a, __half b) { return a / b; }
CHIP_HALF __half __hneg(__half a) { return -a; }
CHIP_HALF __half __habs(__half a) { return a.data < 0 ? -a : a; }
CHIP_HALF bool __hisnan(__half a) { return a.data != a.data; }
CHIP_HALF bool __hisinf(__half a) { return (__half_as_ushort(a) & 0x7fff) == 0x7c00; }
/// Of two numbers; a NaN loses.
CHIP_HALF __half __hmin(__half a, __half b) { return __hisnan(a) || b < a ? b : a; }
CHIP_HALF __half __hmax(__half a, __half b) { return __hisnan(a) || b > a ? b : a; }

struct __half2 {
  __half x, y;
  __half2() = default;
  __host__ __device__ __half2(__half x_, __half y_) : x(x_), y(y_) {}
};
typedef __half2 half2;

#define CHIP_HALF2_OPERATOR(op, name)                                                              \
  CHIP_HALF __half2 operator op(__half2 a, __half2 b) { return {a.x op b.x, a.y op b.y}; }         \
  CHIP_HALF __half2 name(__half2 a, __half2 b) { return a op b; }
CHIP_HALF2_OPERATOR(+, __hadd2)
CHIP_HALF2_OPERATOR(-, __hsub2)
CHIP_HALF2_OPERATOR(*, __hmul2)
CHIP_HALF2_OPERATOR(/, __h2div)
#undef CHIP_HALF2_OPERATOR

CHIP_HALF __half2 __halves2half2(__half x, __half y) { return {x, y}; }
CHIP_HALF __half2 __half2half2(__half x) { return {x, x}; }
CHIP_HALF __half2 __floats2half2_rn(float x, float y) { return {__half(x), __half(y)}; }
CHIP_HALF __half __low2half(__half2 a) { return a.x; }
CHIP_HALF __half __high2half(__half2 a) { return a.y; }
CHIP_HALF float __low2float(__half2 a) { return __half2float(a.x); }
CHIP_HALF float __high2float(__half2 a) { return __half2float(a.y); }

// The device's mathematical functions, in float

#define CHIP_HALF_MATH(name, function)                                                             \
  CHIP_DEVICE __half name(__half x) { return __half(function(static_cast<float>(x.data))); }
CHIP_HALF_MATH(hceil, chip_device::ceil)
CHIP_HALF_MATH(hcos, __spirv_ocl_cos)
CHIP_HALF_MATH(hexp, __spirv_ocl_exp)
CHIP_HALF_MATH(hexp10, __spirv_ocl_exp10)
CHIP_HALF_MATH(hexp2, __spirv_ocl_exp2)
CHIP_HALF_MATH(hfloor, chip_device::floor)
CHIP_HALF_MATH(hlog, __spirv_ocl_log)
CHIP_HALF_MATH(hlog10, __spirv_ocl_log10)
CHIP_HALF_MATH(hlog2, __spirv_ocl_log2)
CHIP_HALF_MATH(hrint, chip_device::rint)
CHIP_HALF_MATH(hrsqrt, __spirv_ocl_rsqrt)
CHIP_HALF_MATH(hsin, __spirv_ocl_sin)
CHIP_HALF_MATH(hsqrt, chip_device::sqrt)
CHIP_HALF_MATH(htrunc, chip_device::trunc)
#undef CHIP_HALF_MATH

/// a * b + c, rounded twice: to float and to half.
CHIP_DEVICE __half __hfma(__half a, __half b, __half c) {
  return __half(chip_device::fma(static_cast<float>(a.data), static_cast<float>(b.data),
                                 static_cast<float>(c.data)));
}
CHIP_DEVICE __half2 __hfma2(__half2 a, __half2 b, __half2 c) {
  return {__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y)};
}

#undef CHIP_HALF
