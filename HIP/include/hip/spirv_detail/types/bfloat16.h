/// __hip_bfloat16, a float without the lower half of its fraction, and __hip_bfloat162, two of
/// them. They are computed in float and rounded.
#pragma once

#if __HIP_CLANG_ONLY__
#include <hip/hip_runtime.h>
#endif

#include <hip/spirv_detail/types/narrow.h>

typedef struct alignas(2) {
  unsigned short x;
} __hip_bfloat16_raw;
typedef struct alignas(4) {
  unsigned short x, y;
} __hip_bfloat162_raw;

struct alignas(2) __hip_bfloat16 {
  __hip_bfloat16() = default;
  __host__ __device__ __hip_bfloat16(const __hip_bfloat16_raw &raw) : bits_(raw.x) {}
  /// Any number, rounded to the nearest once.
  template <typename T, typename = typename chip_narrow::__IfNumber<T, T>::__Type>
  __host__ __device__ __hip_bfloat16(T value)
      : bits_(chip_narrow::rounded_bfloat16(chip_narrow::to_odd(value))) {}

  __host__ __device__ operator float() const { return chip_narrow::float_of_bfloat16(bits_); }
  __host__ __device__ operator __hip_bfloat16_raw() const { return {bits_}; }
  __host__ __device__ operator __hip_bfloat16_raw() const volatile { return {bits_}; }

  __host__ __device__ volatile __hip_bfloat16 &operator=(const __hip_bfloat16_raw &raw) volatile {
    bits_ = raw.x;
    return *this;
  }

protected:
  unsigned short bits_;
};

struct alignas(4) __hip_bfloat162 {
  __hip_bfloat16 x, y;

  __hip_bfloat162() = default;
  __host__ __device__ __hip_bfloat162(const __hip_bfloat16 &x_, const __hip_bfloat16 &y_)
      : x(x_), y(y_) {}
  __host__ __device__ __hip_bfloat162(const __hip_bfloat162_raw &raw)
      : x(__hip_bfloat16_raw{raw.x}), y(__hip_bfloat16_raw{raw.y}) {}

  __host__ __device__ operator __hip_bfloat162_raw() const {
    return {static_cast<__hip_bfloat16_raw>(x).x, static_cast<__hip_bfloat16_raw>(y).x};
  }
  __host__ __device__ operator float2() const {
    return make_float2(static_cast<float>(x), static_cast<float>(y));
  }
};

// The same bits

CHIP_NARROW short __bfloat16_as_short(__hip_bfloat16 x) { return __builtin_bit_cast(short, x); }
CHIP_NARROW unsigned short __bfloat16_as_ushort(__hip_bfloat16 x) {
  return __builtin_bit_cast(unsigned short, x);
}
CHIP_NARROW __hip_bfloat16 __short_as_bfloat16(short x) {
  return __builtin_bit_cast(__hip_bfloat16, x);
}
CHIP_NARROW __hip_bfloat16 __ushort_as_bfloat16(unsigned short x) {
  return __builtin_bit_cast(__hip_bfloat16, x);
}

namespace chip_narrow {
CHIP_NARROW float value(__hip_bfloat16 a) { return static_cast<float>(a); }
CHIP_NARROW __hip_bfloat16 number(__hip_bfloat16, float x) { return __hip_bfloat16(x); }
/// Rounded to float first, and then again.
CHIP_NARROW float fma(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
} // namespace chip_narrow

#define CHIP_NUMBER __hip_bfloat16
#define CHIP_PAIR __hip_bfloat162
#define CHIP_VALUE float
#define CHIP_BITS(a) __bfloat16_as_ushort(a)
#define CHIP_FROM_BITS(bits) __ushort_as_bfloat16(bits)
#define CHIP_INFINITY 0x7f80
#define CHIP_NO_CONTRACTION
#include <hip/spirv_detail/types/narrow_template.h>
#undef CHIP_NO_CONTRACTION
#undef CHIP_INFINITY
#undef CHIP_FROM_BITS
#undef CHIP_BITS
#undef CHIP_VALUE
#undef CHIP_PAIR
#undef CHIP_NUMBER

// To and from other numbers: _rn to the nearest even, _rz towards zero, _rd down, _ru up

CHIP_NARROW float __bfloat162float(__hip_bfloat16 a) { return static_cast<float>(a); }
CHIP_NARROW __hip_bfloat16 __float2bfloat16(float x) { return __hip_bfloat16(x); }
CHIP_NARROW __hip_bfloat16 __float2bfloat16_rn(float x) { return __hip_bfloat16(x); }
CHIP_NARROW __hip_bfloat16 __float2bfloat16_rz(float x) {
  return __ushort_as_bfloat16(chip_narrow::truncated_bfloat16(x));
}
CHIP_NARROW __hip_bfloat16 __float2bfloat16_rd(float x) {
  const __hip_bfloat16 cut = __float2bfloat16_rz(x);
  return __bfloat162float(cut) > x
             ? __ushort_as_bfloat16(chip_narrow::below(__bfloat16_as_ushort(cut)))
             : cut;
}
CHIP_NARROW __hip_bfloat16 __float2bfloat16_ru(float x) {
  const __hip_bfloat16 cut = __float2bfloat16_rz(x);
  return __bfloat162float(cut) < x
             ? __ushort_as_bfloat16(chip_narrow::above(__bfloat16_as_ushort(cut)))
             : cut;
}
CHIP_NARROW __hip_bfloat16 __double2bfloat16(double x) { return __hip_bfloat16(x); }

// Pairs

CHIP_NARROW __hip_bfloat162 __halves2bfloat162(__hip_bfloat16 x, __hip_bfloat16 y) {
  return {x, y};
}
CHIP_NARROW __hip_bfloat162 __bfloat162bfloat162(__hip_bfloat16 x) { return {x, x}; }
/// HIP 6.4 has it not, and programs define it: theirs is preferred to a template.
template <int = 0> CHIP_NARROW __hip_bfloat162 __float2bfloat162_rn(float x) {
  return __bfloat162bfloat162(__float2bfloat16(x));
}
CHIP_NARROW __hip_bfloat162 __floats2bfloat162_rn(float x, float y) {
  return {__float2bfloat16(x), __float2bfloat16(y)};
}
CHIP_NARROW __hip_bfloat162 __float22bfloat162_rn(float2 a) {
  return {__float2bfloat16(a.x), __float2bfloat16(a.y)};
}
CHIP_NARROW float2 __bfloat1622float2(__hip_bfloat162 a) { return a; }
CHIP_NARROW __hip_bfloat16 __low2bfloat16(__hip_bfloat162 a) { return a.x; }
CHIP_NARROW __hip_bfloat16 __high2bfloat16(__hip_bfloat162 a) { return a.y; }
CHIP_NARROW __hip_bfloat162 __low2bfloat162(__hip_bfloat162 a) { return {a.x, a.x}; }
CHIP_NARROW __hip_bfloat162 __high2bfloat162(__hip_bfloat162 a) { return {a.y, a.y}; }
CHIP_NARROW __hip_bfloat162 __lows2bfloat162(__hip_bfloat162 a, __hip_bfloat162 b) {
  return {a.x, b.x};
}
CHIP_NARROW __hip_bfloat162 __highs2bfloat162(__hip_bfloat162 a, __hip_bfloat162 b) {
  return {a.y, b.y};
}
