/// The mathematical functions for float, as named in C.
#pragma once

#include <hip/spirv_detail/math/math_length.h>
#include <hip/spirv_detail/math/math_special.h>

#define CHIP_REAL float
#define CHIP_NAME(name) name##f
#include <hip/spirv_detail/math/math_template.h>
#undef CHIP_NAME
#undef CHIP_REAL

CHIP_DEVICE float fdividef(float x, float y) { return x / y; }

CHIP_DEVICE bool __isnanf(float x) { return __builtin_isnan(x); }
CHIP_DEVICE bool __isinff(float x) { return __builtin_isinf(x); }
CHIP_DEVICE bool __finitef(float x) { return __builtin_isfinite(x); }
CHIP_DEVICE bool __signbitf(float x) { return __builtin_signbit(x); }

// Fast ones: as accurate as the device makes them without effort

CHIP_DEVICE float __sinf(float x) { return __spirv_ocl_native_sin(x); }
CHIP_DEVICE float __cosf(float x) { return __spirv_ocl_native_cos(x); }
CHIP_DEVICE float __tanf(float x) { return tanf(x); } // AMD promises one unit in the last place
CHIP_DEVICE float __expf(float x) { return __spirv_ocl_native_exp(x); }
CHIP_DEVICE float __exp10f(float x) { return __spirv_ocl_native_exp10(x); }
CHIP_DEVICE float __logf(float x) { return __spirv_ocl_native_log(x); }
CHIP_DEVICE float __log2f(float x) { return __spirv_ocl_native_log2(x); }
CHIP_DEVICE float __log10f(float x) { return __spirv_ocl_native_log10(x); }
CHIP_DEVICE float __powf(float x, float y) { return powf(x, y); }
CHIP_DEVICE float __fdividef(float x, float y) { return x / y; }
CHIP_DEVICE void __sincosf(float x, float *sine, float *cosine) {
  *sine = __spirv_ocl_native_sin(x);
  *cosine = __spirv_ocl_native_cos(x);
}
/// Between 0 and 1; 0 for NaN.
CHIP_DEVICE float __saturatef(float x) {
  return chip_device::fmin(chip_device::fmax(x, 0.0f), 1.0f);
}

// Rounded to the nearest, and never joined with a neighbouring operation

CHIP_DEVICE float __fadd_rn(float x, float y) {
#pragma clang fp contract(off)
  return x + y;
}
CHIP_DEVICE float __fsub_rn(float x, float y) {
#pragma clang fp contract(off)
  return x - y;
}
CHIP_DEVICE float __fmul_rn(float x, float y) {
#pragma clang fp contract(off)
  return x * y;
}
CHIP_DEVICE float __fdiv_rn(float x, float y) { return x / y; }
CHIP_DEVICE float __frcp_rn(float x) { return 1 / x; }
CHIP_DEVICE float __fsqrt_rn(float x) { return chip_device::sqrt(x); }
CHIP_DEVICE float __fmaf_rn(float x, float y, float z) { return chip_device::fma(x, y, z); }
