/// Conversions between numbers with a chosen rounding: _rn to the nearest even, _rz towards zero,
/// _rd down, _ru up.
#pragma once

#include <hip/spirv_detail/math/math_builtins.h>
#include <hip/spirv_detail/types/narrow.h>

// To integers: the nearest that there is for what lies beyond them, and 0 for a NaN.

#define CHIP_TO_INTEGER(name, to, from)                                                            \
  CHIP_DEVICE to name##_rn(from x) { return chip_narrow::to_integer<to>(chip_device::rint(x)); }   \
  CHIP_DEVICE to name##_rz(from x) { return chip_narrow::to_integer<to>(x); }                      \
  CHIP_DEVICE to name##_rd(from x) { return chip_narrow::to_integer<to>(chip_device::floor(x)); }  \
  CHIP_DEVICE to name##_ru(from x) { return chip_narrow::to_integer<to>(chip_device::ceil(x)); }
CHIP_TO_INTEGER(__float2int, int, float)
CHIP_TO_INTEGER(__float2uint, unsigned int, float)
CHIP_TO_INTEGER(__float2ll, long long, float)
CHIP_TO_INTEGER(__float2ull, unsigned long long, float)
CHIP_TO_INTEGER(__double2int, int, double)
CHIP_TO_INTEGER(__double2uint, unsigned int, double)
CHIP_TO_INTEGER(__double2ll, long long, double)
CHIP_TO_INTEGER(__double2ull, unsigned long long, double)
#undef CHIP_TO_INTEGER

// To double, which holds all integers of 32 bits

CHIP_DEVICE double __int2double_rn(int x) { return x; }
CHIP_DEVICE double __uint2double_rn(unsigned int x) { return x; }

namespace chip_device {

/// Whether `y`, the double nearest to `x`, lies above or below it.
CHIP_DEVICE bool is_above(double y, long long x) {
  return y >= 9223372036854775808.0 || static_cast<long long>(y) > x;
}
CHIP_DEVICE bool is_above(double y, unsigned long long x) {
  return y >= 18446744073709551616.0 || static_cast<unsigned long long>(y) > x;
}
CHIP_DEVICE bool is_below(double y, long long x) {
  return y < 9223372036854775808.0 && static_cast<long long>(y) < x;
}
CHIP_DEVICE bool is_below(double y, unsigned long long x) {
  return y < 18446744073709551616.0 && static_cast<unsigned long long>(y) < x;
}
CHIP_DEVICE bool is_above(float y, double x) { return y > x; }
CHIP_DEVICE bool is_below(float y, double x) { return y < x; }

template <typename __To, typename __From> CHIP_DEVICE __To round_down(__From x) {
  const __To nearest = static_cast<__To>(x);
  const __To lowest = -static_cast<__To>(__builtin_inff());
  return is_above(nearest, x) ? __spirv_ocl_nextafter(nearest, lowest) : nearest;
}
template <typename __To, typename __From> CHIP_DEVICE __To round_up(__From x) {
  const __To nearest = static_cast<__To>(x);
  const __To highest = static_cast<__To>(__builtin_inff());
  return is_below(nearest, x) ? __spirv_ocl_nextafter(nearest, highest) : nearest;
}

} // namespace chip_device

#define CHIP_TO_REAL(name, to, from)                                                               \
  CHIP_DEVICE to name##_rn(from x) { return static_cast<to>(x); }                                  \
  CHIP_DEVICE to name##_rd(from x) { return chip_device::round_down<to>(x); }                      \
  CHIP_DEVICE to name##_ru(from x) { return chip_device::round_up<to>(x); }                        \
  CHIP_DEVICE to name##_rz(from x) { return x < 0 ? name##_ru(x) : name##_rd(x); }
CHIP_TO_REAL(__double2float, float, double)
CHIP_TO_REAL(__ll2double, double, long long)
#undef CHIP_TO_REAL

CHIP_DEVICE double __ull2double_rn(unsigned long long x) { return static_cast<double>(x); }
CHIP_DEVICE double __ull2double_rd(unsigned long long x) {
  return chip_device::round_down<double>(x);
}
CHIP_DEVICE double __ull2double_ru(unsigned long long x) {
  return chip_device::round_up<double>(x);
}
CHIP_DEVICE double __ull2double_rz(unsigned long long x) { return __ull2double_rd(x); }

// To float, by way of double: rounding twice in the same direction is rounding once. To the nearest
// it is not, and is done at once.

#define CHIP_TO_FLOAT(name, from, double_rd, double_ru, double_rz)                                 \
  CHIP_DEVICE float name##_rn(from x) { return static_cast<float>(x); }                            \
  CHIP_DEVICE float name##_rd(from x) { return __double2float_rd(double_rd(x)); }                  \
  CHIP_DEVICE float name##_ru(from x) { return __double2float_ru(double_ru(x)); }                  \
  CHIP_DEVICE float name##_rz(from x) { return __double2float_rz(double_rz(x)); }
CHIP_TO_FLOAT(__int2float, int, __int2double_rn, __int2double_rn, __int2double_rn)
CHIP_TO_FLOAT(__uint2float, unsigned int, __uint2double_rn, __uint2double_rn, __uint2double_rn)
CHIP_TO_FLOAT(__ll2float, long long, __ll2double_rd, __ll2double_ru, __ll2double_rz)
CHIP_TO_FLOAT(__ull2float, unsigned long long, __ull2double_rd, __ull2double_ru, __ull2double_rz)
#undef CHIP_TO_FLOAT
