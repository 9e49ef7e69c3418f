/// What the device offers to compute with: OpenCL's functions, and those that the compiler knows.
///
/// A SPIR-V back end recognises the first kind by their mangled names, which the declarations below
/// have as C++ functions. The optimiser understands the second kind, but not the first.
#pragma once

#include <hip/api/types/qualifiers.h>

#define CHIP_DEVICE static __device__ __forceinline__
#define CHIP_OPENCL __attribute__((const)) __device__

#define CHIP_OPENCL_1(name)                                                                        \
  CHIP_OPENCL float __spirv_ocl_##name(float) noexcept;                                            \
  CHIP_OPENCL double __spirv_ocl_##name(double) noexcept;
CHIP_OPENCL_1(acos)
CHIP_OPENCL_1(acosh)
CHIP_OPENCL_1(asin)
CHIP_OPENCL_1(asinh)
CHIP_OPENCL_1(atan)
CHIP_OPENCL_1(atanh)
CHIP_OPENCL_1(cbrt)
CHIP_OPENCL_1(cos)
CHIP_OPENCL_1(cosh)
CHIP_OPENCL_1(cospi)
CHIP_OPENCL_1(erf)
CHIP_OPENCL_1(erfc)
CHIP_OPENCL_1(exp)
CHIP_OPENCL_1(exp10)
CHIP_OPENCL_1(exp2)
CHIP_OPENCL_1(expm1)
CHIP_OPENCL_1(lgamma)
CHIP_OPENCL_1(log)
CHIP_OPENCL_1(log10)
CHIP_OPENCL_1(log1p)
CHIP_OPENCL_1(log2)
CHIP_OPENCL_1(logb)
CHIP_OPENCL_1(rsqrt)
CHIP_OPENCL_1(sin)
CHIP_OPENCL_1(sinh)
CHIP_OPENCL_1(sinpi)
CHIP_OPENCL_1(tan)
CHIP_OPENCL_1(tanh)
CHIP_OPENCL_1(tgamma)
#undef CHIP_OPENCL_1

#define CHIP_OPENCL_2(name)                                                                        \
  CHIP_OPENCL float __spirv_ocl_##name(float, float) noexcept;                                     \
  CHIP_OPENCL double __spirv_ocl_##name(double, double) noexcept;
CHIP_OPENCL_2(atan2)
CHIP_OPENCL_2(fdim)
CHIP_OPENCL_2(fmod)
CHIP_OPENCL_2(hypot)
CHIP_OPENCL_2(nextafter)
CHIP_OPENCL_2(pow)
CHIP_OPENCL_2(remainder)
#undef CHIP_OPENCL_2

CHIP_OPENCL int __spirv_ocl_ilogb(float) noexcept;
CHIP_OPENCL int __spirv_ocl_ilogb(double) noexcept;
CHIP_OPENCL float __spirv_ocl_ldexp(float, int) noexcept;
CHIP_OPENCL double __spirv_ocl_ldexp(double, int) noexcept;
CHIP_OPENCL float __spirv_ocl_pown(float, int) noexcept;
CHIP_OPENCL double __spirv_ocl_pown(double, int) noexcept;

#define CHIP_OPENCL_NATIVE(name) CHIP_OPENCL float __spirv_ocl_native_##name(float) noexcept;
CHIP_OPENCL_NATIVE(cos)
CHIP_OPENCL_NATIVE(exp)
CHIP_OPENCL_NATIVE(exp10)
CHIP_OPENCL_NATIVE(log)
CHIP_OPENCL_NATIVE(log10)
CHIP_OPENCL_NATIVE(log2)
CHIP_OPENCL_NATIVE(sin)
#undef CHIP_OPENCL_NATIVE
#undef CHIP_OPENCL

namespace chip_device {

#define CHIP_COMPILER_1(name)                                                                      \
  CHIP_DEVICE float name(float x) { return __builtin_##name##f(x); }                               \
  CHIP_DEVICE double name(double x) { return __builtin_##name(x); }
CHIP_COMPILER_1(ceil)
CHIP_COMPILER_1(fabs)
CHIP_COMPILER_1(floor)
CHIP_COMPILER_1(rint)
CHIP_COMPILER_1(round)
CHIP_COMPILER_1(sqrt)
CHIP_COMPILER_1(trunc)
#undef CHIP_COMPILER_1

#define CHIP_COMPILER_2(name)                                                                      \
  CHIP_DEVICE float name(float x, float y) { return __builtin_##name##f(x, y); }                   \
  CHIP_DEVICE double name(double x, double y) { return __builtin_##name(x, y); }
CHIP_COMPILER_2(copysign)
CHIP_COMPILER_2(fmax)
CHIP_COMPILER_2(fmin)
CHIP_COMPILER_2(pow)
#undef CHIP_COMPILER_2

CHIP_DEVICE float fma(float x, float y, float z) { return __builtin_fmaf(x, y, z); }
CHIP_DEVICE double fma(double x, double y, double z) { return __builtin_fma(x, y, z); }

/// How a number is stored: `mantissa` bits below the exponent's.
template <typename __Real> struct Format;
template <> struct Format<float> {
  typedef int __Bits;
  static constexpr int mantissa = 23;
  static constexpr int exponents = 0xff;
};
template <> struct Format<double> {
  typedef long __Bits;
  static constexpr int mantissa = 52;
  static constexpr int exponents = 0x7ff;
};

} // namespace chip_device
