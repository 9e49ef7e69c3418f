/// The mathematical functions for double, as named in C.
#pragma once

#include <hip/spirv_detail/math/math_length.h>
#include <hip/spirv_detail/math/math_special.h>

#define CHIP_REAL double
#define CHIP_NAME(name) name
#include <hip/spirv_detail/math/math_template.h>
#undef CHIP_NAME
#undef CHIP_REAL

CHIP_DEVICE bool __isnan(double x) { return __builtin_isnan(x); }
CHIP_DEVICE bool __isinf(double x) { return __builtin_isinf(x); }
CHIP_DEVICE bool __finite(double x) { return __builtin_isfinite(x); }
CHIP_DEVICE bool __signbit(double x) { return __builtin_signbit(x); }

// Rounded to the nearest, and never joined with a neighbouring operation

CHIP_DEVICE double __dadd_rn(double x, double y) {
#pragma clang fp contract(off)
  return x + y;
}
CHIP_DEVICE double __dsub_rn(double x, double y) {
#pragma clang fp contract(off)
  return x - y;
}
CHIP_DEVICE double __dmul_rn(double x, double y) {
#pragma clang fp contract(off)
  return x * y;
}
CHIP_DEVICE double __ddiv_rn(double x, double y) { return x / y; }
CHIP_DEVICE double __drcp_rn(double x) { return 1 / x; }
CHIP_DEVICE double __dsqrt_rn(double x) { return chip_device::sqrt(x); }
CHIP_DEVICE double __fma_rn(double x, double y, double z) { return chip_device::fma(x, y, z); }
