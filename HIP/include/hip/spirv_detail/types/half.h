/// __half, the scalar number of 16 bits, and __half2, two of them.
#pragma once

#if __HIP_CLANG_ONLY__
#include <hip/hip_runtime.h>
#endif

#include <hip/spirv_detail/types/narrow.h>

// A type of the compiler's own, that standards older than C++23 do not know.
namespace chip_narrow {
__extension__ typedef _Float16 __Float16;
#if !defined(__clang__)
template <> struct __IsNumber<__Float16> : std::true_type {};
#endif
} // namespace chip_narrow

struct __half_raw {
  union {
    chip_narrow::__Float16 data;
    unsigned short x;
  };
};
struct __half2_raw {
#ifdef __clang__
  __extension__ union {
    __extension__ struct {
      __half_raw x, y;
    };
    chip_narrow::__Float16 data __attribute__((ext_vector_type(2)));
  };
#else
  __half_raw x, y;
#endif
};

struct __half {
  chip_narrow::__Float16 data;

  __half() = default;
  __host__ __device__ __half(const __half_raw &raw)
      : data(__builtin_bit_cast(chip_narrow::__Float16, raw.x)) {}
  __host__ __device__ __half(const volatile __half_raw &raw)
      : data(__builtin_bit_cast(chip_narrow::__Float16, raw.x)) {}
  __host__ __device__ __half(const volatile __half_raw &&raw) : __half(raw) {}
  /// What converts to a number, and any number, rounded to the nearest.
  __host__ __device__ __half(chip_narrow::__Float16 value) : data(value) {}
  template <typename T, typename = typename chip_narrow::__IfNumber<T, T>::__Type>
  __host__ __device__ __half(T value) : data(static_cast<chip_narrow::__Float16>(value)) {}

  __host__ __device__ operator float() const { return static_cast<float>(data); }
  __host__ __device__ operator __half_raw() const {
    __half_raw raw;
    raw.x = __builtin_bit_cast(unsigned short, data);
    return raw;
  }
};
typedef __half half;

struct alignas(4) __half2 {
#ifdef __clang__
  __extension__ union {
    __extension__ struct {
      __half x, y;
    };
    /// As the compiler computes with it; one number stands for two.
    chip_narrow::__Float16 data __attribute__((ext_vector_type(2)));
  };
#else
  __half x, y; // g++ has no constructors in such a structure
#endif

  __half2() = default;
#ifdef __clang__
  __host__ __device__ __half2(decltype(data) numbers) : data(numbers) {}
#endif
  __host__ __device__ __half2(__half x_, __half y_) : x(x_), y(y_) {}
  __host__ __device__ __half2(const __half2_raw &raw) : x(raw.x), y(raw.y) {}

  __host__ __device__ operator __half2_raw() const {
    __half2_raw raw;
    raw.x = x;
    raw.y = y;
    return raw;
  }
};
typedef __half2 half2;

// The same bits

CHIP_NARROW short __half_as_short(__half x) { return __builtin_bit_cast(short, x); }
CHIP_NARROW unsigned short __half_as_ushort(__half x) {
  return __builtin_bit_cast(unsigned short, x);
}
CHIP_NARROW __half __short_as_half(short x) { return __builtin_bit_cast(__half, x); }
CHIP_NARROW __half __ushort_as_half(unsigned short x) { return __builtin_bit_cast(__half, x); }

namespace chip_narrow {
CHIP_NARROW __Float16 value(__half a) { return a.data; }
CHIP_NARROW __half number(__half, __Float16 x) { return __half(x); }
CHIP_NARROW __Float16 fma(__Float16 a, __Float16 b, __Float16 c) {
#if defined(__HIP_DEVICE_COMPILE__) && __HIP_DEVICE_COMPILE__
  return __builtin_fmaf16(a, b, c);
#else
  // The product is exact, the sum rounded to odd: what is lost of it decides where it stands.
  const double product = static_cast<double>(a) * static_cast<double>(b), x = c;
  const double sum = product + x, part = sum - product;
  const double lost = (product - (sum - part)) + (x - part);
  unsigned long long bits = __builtin_bit_cast(unsigned long long, sum);
  if (lost == lost && lost != 0 && (bits & 1) == 0)
    bits += (lost > 0) == (sum > 0) ? 1 : -1ull;
  return static_cast<__Float16>(__builtin_bit_cast(double, bits));
#endif
}
} // namespace chip_narrow

#define CHIP_NUMBER __half
#define CHIP_PAIR __half2
#define CHIP_VALUE chip_narrow::__Float16
#define CHIP_BITS(a) __half_as_ushort(a)
#define CHIP_FROM_BITS(bits) __ushort_as_half(bits)
#define CHIP_INFINITY 0x7c00
#if defined(__clang__)
#define CHIP_NO_CONTRACTION _Pragma("clang fp contract(off)")
#else
#define CHIP_NO_CONTRACTION
#endif
#ifdef __HIP_NO_HALF_OPERATORS__
#define CHIP_NO_OPERATORS
#endif
#include <hip/spirv_detail/types/narrow_template.h>
#undef CHIP_NO_OPERATORS
#undef CHIP_NO_CONTRACTION
#undef CHIP_INFINITY
#undef CHIP_FROM_BITS
#undef CHIP_BITS
#undef CHIP_VALUE
#undef CHIP_PAIR
#undef CHIP_NUMBER

// To and from float: _rn to the nearest even, _rz towards zero, _rd down, _ru up

CHIP_NARROW float __half2float(__half x) { return static_cast<float>(x.data); }
CHIP_NARROW __half __float2half(float x) { return __half(x); }
CHIP_NARROW __half __float2half_rn(float x) { return __half(x); }
CHIP_NARROW __half __float2half_rd(float x) {
  const __half nearest(x);
  return __half2float(nearest) > x ? __ushort_as_half(chip_narrow::below(__half_as_ushort(nearest)))
                                   : nearest;
}
CHIP_NARROW __half __float2half_ru(float x) {
  const __half nearest(x);
  return __half2float(nearest) < x ? __ushort_as_half(chip_narrow::above(__half_as_ushort(nearest)))
                                   : nearest;
}
CHIP_NARROW __half __float2half_rz(float x) {
  return x < 0 ? __float2half_ru(x) : __float2half_rd(x);
}
CHIP_NARROW __half __double2half(double x) { return __half(x); }

// To and from integers. Float holds all of those below the point where a half is infinite.

#define CHIP_HALF_ROUNDED(name, type, mode, round)                                                 \
  CHIP_NARROW type __half2##name##_##mode(__half x) {                                              \
    return chip_narrow::to_integer<type>(round(__half2float(x)));                                  \
  }                                                                                                \
  CHIP_NARROW __half __##name##2half_##mode(type x) {                                              \
    return __float2half_##mode(static_cast<float>(x));                                             \
  }
#define CHIP_HALF_INTEGER(name, type)                                                              \
  CHIP_HALF_ROUNDED(name, type, rn, __builtin_rintf)                                               \
  CHIP_HALF_ROUNDED(name, type, rz, __builtin_truncf)                                              \
  CHIP_HALF_ROUNDED(name, type, rd, __builtin_floorf)                                              \
  CHIP_HALF_ROUNDED(name, type, ru, __builtin_ceilf)
CHIP_HALF_INTEGER(short, short)
CHIP_HALF_INTEGER(ushort, unsigned short)
CHIP_HALF_INTEGER(int, int)
CHIP_HALF_INTEGER(uint, unsigned int)
CHIP_HALF_INTEGER(ll, long long)
CHIP_HALF_INTEGER(ull, unsigned long long)
#undef CHIP_HALF_INTEGER
#undef CHIP_HALF_ROUNDED

/// The nearest number from 0 to 1, as _sat has it.
CHIP_NARROW __half __clamp_01(__half a) { return chip_narrow::saturate(a); }

// Pairs

CHIP_NARROW __half2 make_half2(__half x, __half y) { return {x, y}; }
CHIP_NARROW __half2 __halves2half2(__half x, __half y) { return {x, y}; }
CHIP_NARROW __half2 __half2half2(__half x) { return {x, x}; }
CHIP_NARROW __half2 __float2half2_rn(float x) { return {__half(x), __half(x)}; }
CHIP_NARROW __half2 __floats2half2_rn(float x, float y) { return {__half(x), __half(y)}; }
CHIP_NARROW __half2 __float22half2_rn(float2 a) { return {__half(a.x), __half(a.y)}; }
CHIP_NARROW float2 __half22float2(__half2 a) {
  return make_float2(__half2float(a.x), __half2float(a.y));
}
CHIP_NARROW __half __low2half(__half2 a) { return a.x; }
CHIP_NARROW __half __high2half(__half2 a) { return a.y; }
CHIP_NARROW __half2 __low2half2(__half2 a) { return {a.x, a.x}; }
CHIP_NARROW __half2 __high2half2(__half2 a) { return {a.y, a.y}; }
CHIP_NARROW __half2 __lows2half2(__half2 a, __half2 b) { return {a.x, b.x}; }
CHIP_NARROW __half2 __highs2half2(__half2 a, __half2 b) { return {a.y, b.y}; }

#if __HIP_CLANG_ONLY__
/// The products of two pairs, added to c; with `saturate`, between 0 and 1.
CHIP_DEVICE float amd_mixed_dot(__half2 a, __half2 b, float c, bool saturate) {
  const float sum = chip_device::fma(__low2float(a), __low2float(b),
                                     chip_device::fma(__high2float(a), __high2float(b), c));
  return saturate ? __saturatef(sum) : sum;
}
#endif
