/// min and max, which HIP has in the global namespace.
#pragma once

#include <hip/spirv_detail/math/math_builtins.h>

#define CHIP_MIN_MAX(result, a, b)                                                                 \
  CHIP_DEVICE result min(a x, b y) {                                                               \
    return static_cast<result>(x) < static_cast<result>(y) ? static_cast<result>(x)                \
                                                           : static_cast<result>(y);               \
  }                                                                                                \
  CHIP_DEVICE result max(a x, b y) {                                                               \
    return static_cast<result>(x) > static_cast<result>(y) ? static_cast<result>(x)                \
                                                           : static_cast<result>(y);               \
  }
/// Where one type is unsigned, the other is converted to it, as in a comparison.
#define CHIP_MIN_MAX_INTEGERS(type, unsigned_type)                                                 \
  CHIP_MIN_MAX(type, type, type)                                                                   \
  CHIP_MIN_MAX(unsigned_type, unsigned_type, unsigned_type)                                        \
  CHIP_MIN_MAX(unsigned_type, type, unsigned_type)                                                 \
  CHIP_MIN_MAX(unsigned_type, unsigned_type, type)
CHIP_MIN_MAX_INTEGERS(int, unsigned int)
CHIP_MIN_MAX_INTEGERS(long, unsigned long)
CHIP_MIN_MAX_INTEGERS(long long, unsigned long long)
#undef CHIP_MIN_MAX_INTEGERS
#undef CHIP_MIN_MAX

/// A NaN loses against a number.
#define CHIP_MIN_MAX(result, a, b)                                                                 \
  CHIP_DEVICE result min(a x, b y) {                                                               \
    return chip_device::fmin(static_cast<result>(x), static_cast<result>(y));                      \
  }                                                                                                \
  CHIP_DEVICE result max(a x, b y) {                                                               \
    return chip_device::fmax(static_cast<result>(x), static_cast<result>(y));                      \
  }
CHIP_MIN_MAX(float, float, float)
CHIP_MIN_MAX(double, double, double)
CHIP_MIN_MAX(double, float, double)
CHIP_MIN_MAX(double, double, float)
#undef CHIP_MIN_MAX

#ifndef __HIPCC_RTC__
static inline __host__ int min(int x, int y) { return x < y ? x : y; }
static inline __host__ int max(int x, int y) { return x > y ? x : y; }
#endif

#if __cplusplus < 201402L
namespace std {
// Until C++14 the standard library's own are not constexpr, and so for the host only.
template <typename T> CHIP_DEVICE const T &min(const T &x, const T &y) { return y < x ? y : x; }
template <typename T> CHIP_DEVICE const T &max(const T &x, const T &y) { return x < y ? y : x; }
} // namespace std
#endif
