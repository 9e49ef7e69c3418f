// Elements of arrays as kernels read and write them, whatever their type.
#pragma once

#include "../../hipblas/elements.h"

#include <hip/hip_fp8.h>
#include <hip/hip_runtime.h>
#include <hip/library_types.h>

#include <limits>

namespace hipblaslt {

/// The interpretation of an 8-bit float.
__device__ inline __hip_fp8_interpretation_t interpretation(int type) {
  switch (type) {
  case HIP_R_8F_E4M3:
    return __HIP_E4M3;
  case HIP_R_8F_E5M2:
    return __HIP_E5M2;
  case HIP_R_8F_E4M3_FNUZ:
    return __HIP_E4M3_FNUZ;
  default:
    return __HIP_E5M2_FNUZ;
  }
}

/// Rounded to the nearest integer that Integer has.
template <class Integer, class T> __device__ Integer saturated(T value) {
  constexpr T lowest = std::numeric_limits<Integer>::min(),
              highest = std::numeric_limits<Integer>::max();
  if constexpr (std::is_floating_point_v<T>) {
    if (!(value > lowest)) // Not a number is the lowest.
      return std::numeric_limits<Integer>::min();
    if (value >= highest) // As a float, the highest integer may be one more.
      return std::numeric_limits<Integer>::max();
    return Integer(rint(value));
  } else {
    return Integer(value < lowest ? lowest : value > highest ? highest : value);
  }
}

// Doubles are left out for arithmetic in other types: kernels that mention them need devices that have them.
template <class T> inline constexpr bool with_doubles = std::is_same_v<T, double>;

/// Halves and bfloats by their bits, as types of their own.
enum class Half : uint16_t {};
enum class Bfloat : uint16_t {};

__device__ inline float to_float(float value) { return value; }
__device__ inline float to_float(Half value) { return hipblas::from_half(uint16_t(value)); }
__device__ inline float to_float(Bfloat value) { return hipblas::from_bfloat(uint16_t(value)); }
__device__ inline void from_float(float value, float &result) { result = value; }
__device__ inline void from_float(float value, Half &result) {
  result = Half(hipblas::to_half(value));
}
__device__ inline void from_float(float value, Bfloat &result) {
  result = Bfloat(hipblas::to_bfloat(value));
}

/// The element at `index` of an array of `type`.
template <class T> __device__ T load(const void *data, int type, int64_t index) {
  switch (type) {
  case HIP_R_32F:
    return T(static_cast<const float *>(data)[index]);
  case HIP_R_16F:
    return T(hipblas::from_half(static_cast<const uint16_t *>(data)[index]));
  case HIP_R_16BF:
    return T(hipblas::from_bfloat(static_cast<const uint16_t *>(data)[index]));
  case HIP_R_64F:
    if constexpr (with_doubles<T>)
      return static_cast<const double *>(data)[index];
    return T(0);
  case HIP_R_32I:
    return T(static_cast<const int32_t *>(data)[index]);
  case HIP_R_8I:
    return T(static_cast<const int8_t *>(data)[index]);
  default:
    // Each 8-bit float is a half.
    return T(hipblas::from_half(
        __hip_cvt_fp8_to_halfraw(static_cast<const uint8_t *>(data)[index], interpretation(type))
            .x));
  }
}

/// Rounds to the nearest element. Integers and 8-bit floats saturate.
template <class T> __device__ void store(void *data, int type, int64_t index, T value) {
  switch (type) {
  case HIP_R_32F:
    static_cast<float *>(data)[index] = float(value);
    return;
  case HIP_R_16F:
    static_cast<uint16_t *>(data)[index] = hipblas::to_half(float(value));
    return;
  case HIP_R_16BF:
    static_cast<uint16_t *>(data)[index] = hipblas::to_bfloat(float(value));
    return;
  case HIP_R_64F:
    if constexpr (with_doubles<T>)
      static_cast<double *>(data)[index] = value;
    return;
  case HIP_R_32I:
    static_cast<int32_t *>(data)[index] = saturated<int32_t>(value);
    return;
  case HIP_R_8I:
    static_cast<int8_t *>(data)[index] = saturated<int8_t>(value);
    return;
  default:
    static_cast<uint8_t *>(data)[index] =
        __hip_cvt_float_to_fp8(float(value), __HIP_SATFINITE, interpretation(type));
  }
}

} // namespace hipblaslt
