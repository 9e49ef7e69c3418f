/// What the number types of 16 and 8 bits share: rounding, decided by bits. For any C++ compiler.
#pragma once

#include <hip/api/types/qualifiers.h>
#include <hip/hip_vector_types.h>

#if !defined(__clang__)
#include <type_traits>
#endif

#define CHIP_NARROW static inline __host__ __device__

namespace chip_narrow {

#if defined(__clang__)
template <typename T> struct __IsNumber {
  static constexpr bool value = __is_arithmetic(T);
};
#else
template <typename T> struct __IsNumber : std::is_arithmetic<T> {};
#endif

/// R, for functions that take any built-in number.
template <typename T, typename __R, bool = __IsNumber<T>::value> struct __IfNumber {};
template <typename T, typename __R> struct __IfNumber<T, __R, true> {
  typedef __R __Type;
};

/// T, if the two are the same.
template <typename T, typename U> struct __IfSame {};
template <typename T> struct __IfSame<T, T> {
  typedef T __Type;
};

/// As a float; for exponents of floats that begin with a one.
CHIP_NARROW float power_of_two(int exponent) {
  return __builtin_bit_cast(float, static_cast<unsigned int>(127 + exponent) << 23);
}

// Values on the way to a type with fewer bits are rounded to odd: cut off, and the last bit set if
// anything was lost. Rounding such a value once more, to the nearest, is as good as rounding once.

CHIP_NARROW float to_odd(float x) { return x; }
CHIP_NARROW float to_odd(double x) {
  float nearest = static_cast<float>(x);
  const double back = static_cast<double>(nearest);
  if (back == x || back != back)
    return nearest;
  unsigned int bits = __builtin_bit_cast(unsigned int, nearest);
  if ((x > 0 && back > x) || (x < 0 && back < x))
    --bits;
  return __builtin_bit_cast(float, bits | 1);
}
CHIP_NARROW float to_odd(unsigned long long x) {
  int shift = 0;
  for (; x >> 24 != 0; ++shift)
    x = x >> 1 | (x & 1);
  return static_cast<float>(x) * power_of_two(shift);
}
CHIP_NARROW float to_odd(long long x) {
  return x < 0 ? -to_odd(0 - static_cast<unsigned long long>(x))
               : to_odd(static_cast<unsigned long long>(x));
}
CHIP_NARROW float to_odd(bool x) { return x; }
CHIP_NARROW float to_odd(char x) { return x; }
CHIP_NARROW float to_odd(signed char x) { return x; }
CHIP_NARROW float to_odd(unsigned char x) { return x; }
CHIP_NARROW float to_odd(short x) { return x; }
CHIP_NARROW float to_odd(unsigned short x) { return x; }
CHIP_NARROW float to_odd(int x) { return to_odd(static_cast<long long>(x)); }
CHIP_NARROW float to_odd(unsigned int x) { return to_odd(static_cast<unsigned long long>(x)); }
CHIP_NARROW float to_odd(long x) { return to_odd(static_cast<long long>(x)); }
CHIP_NARROW float to_odd(unsigned long x) { return to_odd(static_cast<unsigned long long>(x)); }

/// What lies above and below a number of 16 bits, which are a sign and a magnitude.
CHIP_NARROW unsigned short above(unsigned short bits) {
  if (bits == 0x8000)
    return 1;
  return static_cast<unsigned short>((bits & 0x8000) != 0 ? bits - 1 : bits + 1);
}
CHIP_NARROW unsigned short below(unsigned short bits) {
  return static_cast<unsigned short>(above(bits ^ 0x8000) ^ 0x8000);
}

/// The bits of a bfloat16: those of a float without the lower half. To the nearest, and to the even
/// one of two that are equally near. Decided by bits, since with -ffast-math the compiler takes
/// every float for a finite one.
CHIP_NARROW unsigned short truncated_bfloat16(float x) {
  const unsigned int bits = __builtin_bit_cast(unsigned int, x);
  // All that makes a NaN may be in the lower half; without it, infinity would be left.
  const unsigned int keep_nan = (bits & 0x7f800000) == 0x7f800000 && (bits & 0xffff) != 0;
  return static_cast<unsigned short>(bits >> 16 | keep_nan);
}
CHIP_NARROW unsigned short rounded_bfloat16(float x) {
  const unsigned int bits = __builtin_bit_cast(unsigned int, x);
  if ((bits & 0x7f800000) == 0x7f800000)
    return truncated_bfloat16(x);
  // The lower half carries into the upper one from the middle on, at the middle only if that makes
  // it even. The carry may run into the exponent: that is the next number, or infinity.
  return static_cast<unsigned short>((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}
CHIP_NARROW float float_of_bfloat16(unsigned short bits) {
  return __builtin_bit_cast(float, static_cast<unsigned int>(bits) << 16);
}

/// To an integer: the nearest that T has, and 0 for a NaN.
template <typename T, typename __Real> CHIP_NARROW T to_integer(__Real x) {
  constexpr bool is_signed = static_cast<T>(-1) < static_cast<T>(0);
  constexpr T highest = static_cast<T>(~0ull >> (64 - 8 * sizeof(T) + is_signed));
  constexpr T lowest = is_signed ? static_cast<T>(-highest - 1) : T(0);
  if (x != x)
    return 0;
  // As a Real, the highest is one more than it is, except for types that Real holds exactly.
  if (x >= static_cast<__Real>(highest))
    return highest;
  return x <= static_cast<__Real>(lowest) ? lowest : static_cast<T>(x);
}

} // namespace chip_narrow
