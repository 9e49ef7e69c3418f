/// The types of hip_fp8.h and the conversions between their bits and other numbers. Both families
/// are there on every device.
#pragma once

#include <hip/hip_bf16.h>
#include <hip/hip_fp16.h>

#define HIP_FP8_TYPE_OCP 1
#define HIP_FP8_TYPE_FNUZ 1

/// What the bits mean.
enum __hip_fp8_interpretation_t {
  __HIP_E4M3 = 0,
  __HIP_E5M2 = 1,
  __HIP_E4M3_FNUZ = 2,
  __HIP_E5M2_FNUZ = 3
};

/// What becomes of numbers beyond the highest: infinity, or a NaN where there is none; or the
/// highest.
enum __hip_saturation_t { __HIP_NOSAT = 0, __HIP_SATFINITE = 1 };

typedef unsigned char __hip_fp8_storage_t;
typedef unsigned short __hip_fp8x2_storage_t;
typedef unsigned int __hip_fp8x4_storage_t;

namespace chip_narrow {

struct __Fp8Format {
  int fraction;         ///< Bits of the fraction.
  int bias;             ///< Of the exponent.
  unsigned int highest; ///< The bits of the highest number.
  bool is_fnuz;

  __host__ __device__ explicit constexpr __Fp8Format(__hip_fp8_interpretation_t type)
      : fraction(type == __HIP_E4M3 || type == __HIP_E4M3_FNUZ ? 3 : 2),
        bias(type == __HIP_E4M3        ? 7
             : type == __HIP_E4M3_FNUZ ? 8
             : type == __HIP_E5M2      ? 15
                                       : 16),
        highest(type == __HIP_E4M3   ? 0x7e
                : type == __HIP_E5M2 ? 0x7b
                                     : 0x7f),
        is_fnuz(type == __HIP_E4M3_FNUZ || type == __HIP_E5M2_FNUZ) {}
};

CHIP_NARROW bool is_fp8_nan(__hip_fp8_storage_t x, __hip_fp8_interpretation_t type) {
  const __Fp8Format format(type);
  if (format.is_fnuz)
    return x == 0x80;
  return (x & 0x7fu) > (type == __HIP_E5M2 ? 0x7cu : format.highest);
}

/// x without its `count` lowest bits, rounded to the nearest even.
CHIP_NARROW unsigned int round_off(unsigned int x, int count) {
  return (x + (1u << (count - 1)) - 1 + (x >> count & 1)) >> count;
}

CHIP_NARROW __hip_fp8_storage_t to_fp8(float x, __hip_saturation_t saturation,
                                       __hip_fp8_interpretation_t type) {
  const __Fp8Format format(type);
  const unsigned int bits = __builtin_bit_cast(unsigned int, x);
  const unsigned int sign = bits >> 31 << 7, magnitude = bits & 0x7fffffff;
  if (magnitude > 0x7f800000)
    return static_cast<__hip_fp8_storage_t>(format.is_fnuz ? 0x80 : sign | 0x7f);

  const int dropped = 23 - format.fraction;
  // How far the exponent lies below the lowest of a number that begins with a one.
  const int too_low = 127 - format.bias + 1 - static_cast<int>(magnitude >> 23);
  unsigned int result = 0;
  if (too_low <= 0)
    result = round_off(magnitude - (static_cast<unsigned int>(127 - format.bias) << 23), dropped);
  else if (too_low <= format.fraction + 1)
    result = round_off((magnitude & 0x7fffff) | 0x800000, dropped + too_low);

  if (result > format.highest) {
    if (saturation == __HIP_SATFINITE)
      result = format.highest;
    else if (format.is_fnuz)
      return 0x80;
    else
      result = type == __HIP_E5M2 ? 0x7c : 0x7f;
  }
  return static_cast<__hip_fp8_storage_t>(format.is_fnuz && result == 0 ? 0 : sign | result);
}

CHIP_NARROW float from_fp8(__hip_fp8_storage_t x, __hip_fp8_interpretation_t type) {
  const __Fp8Format format(type);
  const unsigned int sign = static_cast<unsigned int>(x >> 7) << 31, magnitude = x & 0x7f;
  if (is_fp8_nan(x, type))
    return __builtin_bit_cast(float, sign | 0x7fc00000);
  if (magnitude > format.highest)
    return __builtin_bit_cast(float, sign | 0x7f800000);
  if (magnitude >> format.fraction != 0) {
    // The upper part of a float, but for the bias of its exponent.
    const unsigned int rebias = static_cast<unsigned int>(127 - format.bias) << 23;
    const unsigned int shifted = magnitude << (23 - format.fraction);
    return __builtin_bit_cast(float, sign | (shifted + rebias));
  }
  // A multiple of the lowest number.
  const float value =
      static_cast<float>(magnitude) * power_of_two(1 - format.bias - format.fraction);
  return sign != 0 ? -value : value;
}

CHIP_NARROW __hip_fp8x2_storage_t pack(__hip_fp8_storage_t x, __hip_fp8_storage_t y) {
  return static_cast<__hip_fp8x2_storage_t>(x | y << 8);
}
CHIP_NARROW __hip_fp8x4_storage_t pack(__hip_fp8_storage_t x, __hip_fp8_storage_t y,
                                       __hip_fp8_storage_t z, __hip_fp8_storage_t w) {
  return static_cast<__hip_fp8x4_storage_t>(pack(x, y)) |
         static_cast<__hip_fp8x4_storage_t>(pack(z, w)) << 16;
}
CHIP_NARROW __hip_fp8_storage_t part(unsigned int x, int index) {
  return static_cast<__hip_fp8_storage_t>(x >> 8 * index);
}

} // namespace chip_narrow

// Conversions, rounded to the nearest once

CHIP_NARROW __hip_fp8_storage_t __hip_cvt_float_to_fp8(const float f, const __hip_saturation_t sat,
                                                       const __hip_fp8_interpretation_t type) {
  return chip_narrow::to_fp8(f, sat, type);
}
CHIP_NARROW __hip_fp8_storage_t __hip_cvt_double_to_fp8(const double d,
                                                        const __hip_saturation_t sat,
                                                        const __hip_fp8_interpretation_t type) {
  return chip_narrow::to_fp8(chip_narrow::to_odd(d), sat, type);
}
CHIP_NARROW __hip_fp8_storage_t __hip_cvt_halfraw_to_fp8(const __half_raw x,
                                                         const __hip_saturation_t sat,
                                                         const __hip_fp8_interpretation_t type) {
  return chip_narrow::to_fp8(__half2float(x), sat, type);
}
CHIP_NARROW __hip_fp8_storage_t
__hip_cvt_bfloat16raw_to_fp8(const __hip_bfloat16_raw x, const __hip_saturation_t sat,
                             const __hip_fp8_interpretation_t type) {
  return chip_narrow::to_fp8(__bfloat162float(x), sat, type);
}
CHIP_NARROW __half_raw __hip_cvt_fp8_to_halfraw(const __hip_fp8_storage_t x,
                                                const __hip_fp8_interpretation_t type) {
  return __half(chip_narrow::from_fp8(x, type));
}

CHIP_NARROW __hip_fp8x2_storage_t __hip_cvt_float2_to_fp8x2(const float2 f,
                                                            const __hip_saturation_t sat,
                                                            const __hip_fp8_interpretation_t type) {
  return chip_narrow::pack(__hip_cvt_float_to_fp8(f.x, sat, type),
                           __hip_cvt_float_to_fp8(f.y, sat, type));
}
CHIP_NARROW __hip_fp8x2_storage_t __hip_cvt_double2_to_fp8x2(
    const double2 d, const __hip_saturation_t sat, const __hip_fp8_interpretation_t type) {
  return chip_narrow::pack(__hip_cvt_double_to_fp8(d.x, sat, type),
                           __hip_cvt_double_to_fp8(d.y, sat, type));
}
CHIP_NARROW __hip_fp8x2_storage_t __hip_cvt_halfraw2_to_fp8x2(
    const __half2_raw x, const __hip_saturation_t sat, const __hip_fp8_interpretation_t type) {
  const __half2 pair(x);
  return chip_narrow::pack(__hip_cvt_halfraw_to_fp8(pair.x, sat, type),
                           __hip_cvt_halfraw_to_fp8(pair.y, sat, type));
}
CHIP_NARROW __hip_fp8x2_storage_t
__hip_cvt_bfloat16raw2_to_fp8x2(const __hip_bfloat162_raw x, const __hip_saturation_t sat,
                                const __hip_fp8_interpretation_t type) {
  const __hip_bfloat162 pair(x);
  return chip_narrow::pack(__hip_cvt_bfloat16raw_to_fp8(pair.x, sat, type),
                           __hip_cvt_bfloat16raw_to_fp8(pair.y, sat, type));
}
CHIP_NARROW __half2_raw __hip_cvt_fp8x2_to_halfraw2(const __hip_fp8x2_storage_t x,
                                                    const __hip_fp8_interpretation_t type) {
  return __half2(__hip_cvt_fp8_to_halfraw(chip_narrow::part(x, 0), type),
                 __hip_cvt_fp8_to_halfraw(chip_narrow::part(x, 1), type));
}

// The types

#define CHIP_FP8_CONSTANTS(interpretation)                                                         \
  static constexpr __hip_saturation_t __default_saturation = __HIP_SATFINITE;                      \
  static constexpr __hip_fp8_interpretation_t __default_interpret = interpretation;                \
  static constexpr unsigned int __we =                                                             \
      interpretation == __HIP_E4M3 || interpretation == __HIP_E4M3_FNUZ ? 4 : 5;                   \
  static constexpr unsigned int __wm = 7 - __we;

/// To an integer: cut off, the nearest that there is, and 0 for a NaN.
#define CHIP_FP8_INTEGER(type)                                                                     \
  __host__ __device__ operator type() const {                                                      \
    return chip_narrow::to_integer<type>(static_cast<float>(*this));                               \
  }

#define CHIP_FP8(name, interpretation)                                                             \
  struct name {                                                                                    \
    __hip_fp8_storage_t __x;                                                                       \
    CHIP_FP8_CONSTANTS(interpretation)                                                             \
                                                                                                   \
    name() = default;                                                                              \
    template <typename T, typename = typename chip_narrow::__IfNumber<T, T>::__Type>               \
    __host__ __device__ name(T value)                                                              \
        : __x(chip_narrow::to_fp8(chip_narrow::to_odd(value), __default_saturation,                \
                                  interpretation)) {}                                              \
    __host__ __device__ name(const __half value)                                                   \
        : __x(chip_narrow::to_fp8(__half2float(value), __default_saturation, interpretation)) {}   \
    __host__ __device__ name(const __hip_bfloat16 value)                                           \
        : __x(chip_narrow::to_fp8(__bfloat162float(value), __default_saturation,                   \
                                  interpretation)) {}                                              \
                                                                                                   \
    __host__ __device__ operator float() const {                                                   \
      return chip_narrow::from_fp8(__x, interpretation);                                           \
    }                                                                                              \
    __host__ __device__ operator double() const {                                                  \
      return static_cast<double>(chip_narrow::from_fp8(__x, interpretation));                      \
    }                                                                                              \
    __host__ __device__ operator __half() const {                                                  \
      return __half(chip_narrow::from_fp8(__x, interpretation));                                   \
    }                                                                                              \
    __host__ __device__ operator __hip_bfloat16() const {                                          \
      return __hip_bfloat16(chip_narrow::from_fp8(__x, interpretation));                           \
    }                                                                                              \
    __host__ __device__ operator bool() const {                                                    \
      return chip_narrow::from_fp8(__x, interpretation) != 0;                                      \
    }                                                                                              \
    CHIP_FP8_INTEGER(char)                                                                         \
    CHIP_FP8_INTEGER(signed char)                                                                  \
    CHIP_FP8_INTEGER(unsigned char)                                                                \
    CHIP_FP8_INTEGER(short)                                                                        \
    CHIP_FP8_INTEGER(unsigned short)                                                               \
    CHIP_FP8_INTEGER(int)                                                                          \
    CHIP_FP8_INTEGER(unsigned int)                                                                 \
    CHIP_FP8_INTEGER(long)                                                                         \
    CHIP_FP8_INTEGER(unsigned long)                                                                \
    CHIP_FP8_INTEGER(long long)                                                                    \
    CHIP_FP8_INTEGER(unsigned long long)                                                           \
  };
CHIP_FP8(__hip_fp8_e4m3, __HIP_E4M3)
CHIP_FP8(__hip_fp8_e5m2, __HIP_E5M2)
CHIP_FP8(__hip_fp8_e4m3_fnuz, __HIP_E4M3_FNUZ)
CHIP_FP8(__hip_fp8_e5m2_fnuz, __HIP_E5M2_FNUZ)
#undef CHIP_FP8
#undef CHIP_FP8_INTEGER

/// Two of them; the first is in the lower bits.
#define CHIP_FP8(name, interpretation)                                                             \
  struct name {                                                                                    \
    __hip_fp8x2_storage_t __x;                                                                     \
    CHIP_FP8_CONSTANTS(interpretation)                                                             \
                                                                                                   \
    name() = default;                                                                              \
    __host__ __device__ name(const double2 value)                                                  \
        : __x(__hip_cvt_double2_to_fp8x2(value, __default_saturation, interpretation)) {}          \
    __host__ __device__ name(const float2 value)                                                   \
        : __x(__hip_cvt_float2_to_fp8x2(value, __default_saturation, interpretation)) {}           \
    __host__ __device__ name(const __half2 value)                                                  \
        : __x(__hip_cvt_halfraw2_to_fp8x2(value, __default_saturation, interpretation)) {}         \
    __host__ __device__ name(const __hip_bfloat162 value)                                          \
        : __x(__hip_cvt_bfloat16raw2_to_fp8x2(value, __default_saturation, interpretation)) {}     \
                                                                                                   \
    __host__ __device__ operator __half2() const {                                                 \
      return __half2(__hip_cvt_fp8x2_to_halfraw2(__x, interpretation));                            \
    }                                                                                              \
    __host__ __device__ operator float2() const {                                                  \
      return make_float2(chip_narrow::from_fp8(chip_narrow::part(__x, 0), interpretation),         \
                         chip_narrow::from_fp8(chip_narrow::part(__x, 1), interpretation));        \
    }                                                                                              \
  };
CHIP_FP8(__hip_fp8x2_e4m3, __HIP_E4M3)
CHIP_FP8(__hip_fp8x2_e5m2, __HIP_E5M2)
CHIP_FP8(__hip_fp8x2_e4m3_fnuz, __HIP_E4M3_FNUZ)
CHIP_FP8(__hip_fp8x2_e5m2_fnuz, __HIP_E5M2_FNUZ)
#undef CHIP_FP8

/// Four of them; the first is in the lowest bits.
#define CHIP_FP8(name, interpretation)                                                             \
  struct name {                                                                                    \
    __hip_fp8x4_storage_t __x;                                                                     \
    CHIP_FP8_CONSTANTS(interpretation)                                                             \
                                                                                                   \
    name() = default;                                                                              \
    __host__ __device__ name(const double4 v)                                                      \
        : __x(chip_narrow::pack(                                                                   \
              __hip_cvt_double_to_fp8(v.x, __default_saturation, interpretation),                  \
              __hip_cvt_double_to_fp8(v.y, __default_saturation, interpretation),                  \
              __hip_cvt_double_to_fp8(v.z, __default_saturation, interpretation),                  \
              __hip_cvt_double_to_fp8(v.w, __default_saturation, interpretation))) {}              \
    __host__ __device__ name(const float4 v)                                                       \
        : __x(chip_narrow::pack(                                                                   \
              __hip_cvt_float_to_fp8(v.x, __default_saturation, interpretation),                   \
              __hip_cvt_float_to_fp8(v.y, __default_saturation, interpretation),                   \
              __hip_cvt_float_to_fp8(v.z, __default_saturation, interpretation),                   \
              __hip_cvt_float_to_fp8(v.w, __default_saturation, interpretation))) {}               \
    __host__ __device__ name(const __half2 low, const __half2 high)                                \
        : name(make_float4(__low2float(low), __high2float(low), __low2float(high),                 \
                           __high2float(high))) {}                                                 \
    __host__ __device__ name(const __hip_bfloat162 low, const __hip_bfloat162 high)                \
        : name(make_float4(__low2float(low), __high2float(low), __low2float(high),                 \
                           __high2float(high))) {}                                                 \
                                                                                                   \
    __host__ __device__ operator float4() const {                                                  \
      return make_float4(chip_narrow::from_fp8(chip_narrow::part(__x, 0), interpretation),         \
                         chip_narrow::from_fp8(chip_narrow::part(__x, 1), interpretation),         \
                         chip_narrow::from_fp8(chip_narrow::part(__x, 2), interpretation),         \
                         chip_narrow::from_fp8(chip_narrow::part(__x, 3), interpretation));        \
    }                                                                                              \
  };
CHIP_FP8(__hip_fp8x4_e4m3, __HIP_E4M3)
CHIP_FP8(__hip_fp8x4_e5m2, __HIP_E5M2)
CHIP_FP8(__hip_fp8x4_e4m3_fnuz, __HIP_E4M3_FNUZ)
CHIP_FP8(__hip_fp8x4_e5m2_fnuz, __HIP_E5M2_FNUZ)
#undef CHIP_FP8
#undef CHIP_FP8_CONSTANTS
