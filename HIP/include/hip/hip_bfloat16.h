/// hip_bfloat16: a float without the lower half of its fraction, for storage. Arithmetic is
/// float's.
#ifndef _HIP_BFLOAT16_H_
#define _HIP_BFLOAT16_H_

#include <hip/hip_common.h>

#if !defined(__cplusplus) || !__HIP_CLANG_ONLY__

#include <stdint.h>

/// Code that is not compiled as HIP can only keep the bits.
typedef struct {
  uint16_t data;
} hip_bfloat16;

#else

#include <hip/hip_runtime.h>

#include <hip/spirv_detail/types/narrow.h>

#ifndef __HIPCC_RTC__
#include <ostream>
#endif

struct hip_bfloat16 {
  uint16_t data;

  /// Asks for a conversion that cuts off instead of rounding.
  enum truncate_t { truncate };

  hip_bfloat16() = default;
  explicit __host__ __device__ hip_bfloat16(float value)
      : data(chip_narrow::rounded_bfloat16(value)) {}
  explicit __host__ __device__ hip_bfloat16(float value, truncate_t)
      : data(chip_narrow::truncated_bfloat16(value)) {}

  __host__ __device__ hip_bfloat16 &operator=(const float &value) {
    data = chip_narrow::rounded_bfloat16(value);
    return *this;
  }

  __host__ __device__ operator float() const { return chip_narrow::float_of_bfloat16(data); }

  /// To the nearest, and to the even one of two that are equally near.
  static __host__ __device__ hip_bfloat16 round_to_bfloat16(float value) {
    return hip_bfloat16(value);
  }
  static __host__ __device__ hip_bfloat16 round_to_bfloat16(float value, truncate_t) {
    return hip_bfloat16(value, truncate);
  }
};

/// The same bits for code that is not compiled as HIP.
typedef struct {
  uint16_t data;
} hip_bfloat16_public;

static_assert(sizeof(hip_bfloat16) == sizeof(hip_bfloat16_public) &&
                  __is_standard_layout(hip_bfloat16) && __is_trivially_copyable(hip_bfloat16),
              "host and device code exchange hip_bfloat16 as 16 bits");

inline __host__ __device__ hip_bfloat16 operator+(hip_bfloat16 a) { return a; }
inline __host__ __device__ hip_bfloat16 operator-(hip_bfloat16 a) {
  a.data ^= 0x8000;
  return a;
}

#define HIP_BFLOAT16_ARITHMETIC(op)                                                                \
  inline __host__ __device__ hip_bfloat16 operator op(hip_bfloat16 a, hip_bfloat16 b) {            \
    return hip_bfloat16(static_cast<float>(a) op static_cast<float>(b));                           \
  }                                                                                                \
  inline __host__ __device__ hip_bfloat16 &operator op## = (hip_bfloat16 & a, hip_bfloat16 b) {    \
    return a = a op b;                                                                             \
  }
HIP_BFLOAT16_ARITHMETIC(+)
HIP_BFLOAT16_ARITHMETIC(-)
HIP_BFLOAT16_ARITHMETIC(*)
HIP_BFLOAT16_ARITHMETIC(/)
#undef HIP_BFLOAT16_ARITHMETIC

#define HIP_BFLOAT16_COMPARISON(op)                                                                \
  inline __host__ __device__ bool operator op(hip_bfloat16 a, hip_bfloat16 b) {                    \
    return static_cast<float>(a) op static_cast<float>(b);                                         \
  }
HIP_BFLOAT16_COMPARISON(==)
HIP_BFLOAT16_COMPARISON(!=)
HIP_BFLOAT16_COMPARISON(<)
HIP_BFLOAT16_COMPARISON(<=)
HIP_BFLOAT16_COMPARISON(>)
HIP_BFLOAT16_COMPARISON(>=)
#undef HIP_BFLOAT16_COMPARISON

inline __host__ __device__ hip_bfloat16 &operator++(hip_bfloat16 &a) {
  return a += hip_bfloat16(1.0f);
}
inline __host__ __device__ hip_bfloat16 &operator--(hip_bfloat16 &a) {
  return a -= hip_bfloat16(1.0f);
}
inline __host__ __device__ hip_bfloat16 operator++(hip_bfloat16 &a, int) {
  const hip_bfloat16 before = a;
  ++a;
  return before;
}
inline __host__ __device__ hip_bfloat16 operator--(hip_bfloat16 &a, int) {
  const hip_bfloat16 before = a;
  --a;
  return before;
}

namespace std {

constexpr __host__ __device__ bool isinf(hip_bfloat16 a) { return (a.data & 0x7fff) == 0x7f80; }
constexpr __host__ __device__ bool isnan(hip_bfloat16 a) { return (a.data & 0x7fff) > 0x7f80; }
constexpr __host__ __device__ bool iszero(hip_bfloat16 a) { return (a.data & 0x7fff) == 0; }

} // namespace std

#ifndef __HIPCC_RTC__
inline std::ostream &operator<<(std::ostream &stream, const hip_bfloat16 &value) {
  return stream << static_cast<float>(value);
}
#endif

#endif

#endif
