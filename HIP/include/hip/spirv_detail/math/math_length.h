/// Lengths of vectors and their reciprocals, without overflow on the way, to about half a unit in
/// the last place.
#pragma once

#include <hip/spirv_detail/math/math_builtins.h>

namespace chip_device {

/// Where squares and their rounding errors can be computed, and what brings other numbers there.
template <typename __Real> struct __SquareRange;
template <> struct __SquareRange<float> {
  static constexpr float low = 0x1p-50f, high = 0x1p60f, larger = 0x1p100f, smaller = 0x1p-80f;
};
template <> struct __SquareRange<double> {
  static constexpr double low = 0x1p-400, high = 0x1p480, larger = 0x1p700, smaller = 0x1p-600;
};

/// A sum of squares of scaled numbers: `sum`, and in `rest` what rounding lost.
template <typename __Real> struct __SumOfSquares {
  __Real scale, sum = 0, rest = 0;

  /// `largest` of the numbers' sizes.
  __device__ __forceinline__ explicit __SumOfSquares(__Real largest)
      : scale(largest > __SquareRange<__Real>::high  ? __SquareRange<__Real>::smaller
              : largest < __SquareRange<__Real>::low ? __SquareRange<__Real>::larger
                                                     : 1) {}
  __device__ __forceinline__ void add(__Real value) {
#pragma clang fp contract(off) reassociate(off)
    value *= scale;
    const __Real square = value * value;
    rest += chip_device::fma(value, value, -square);
    const __Real total = sum + square, of_square = total - sum;
    rest += (sum - (total - of_square)) + (square - of_square);
    sum = total;
  }
};

/// One step of Newton's method with the whole sum, which leaves hardly more than the last rounding.
template <typename __Real> CHIP_DEVICE __Real square_root(const __SumOfSquares<__Real> &squares) {
  const __Real root = chip_device::sqrt(squares.sum);
  if (!(root > 0) || __builtin_isinf(root))
    return root;
  const __Real residual = chip_device::fma(-root, root, squares.sum) + squares.rest;
  return chip_device::fma(residual, 1 / (2 * root), root) * (1 / squares.scale);
}
template <typename __Real>
CHIP_DEVICE __Real reciprocal_square_root(const __SumOfSquares<__Real> &squares) {
#pragma clang fp contract(off) reassociate(off)
  const __Real root = __spirv_ocl_rsqrt(squares.sum);
  if (!(root > 0) || __builtin_isinf(root))
    return root;
  const __Real square = root * root, rest_of_square = chip_device::fma(root, root, -square);
  const __Real residual = chip_device::fma(-squares.sum, square, static_cast<__Real>(1)) -
                          chip_device::fma(squares.sum, rest_of_square, squares.rest * square);
  return chip_device::fma(root / 2, residual, root) * squares.scale;
}

template <typename __Real>
CHIP_DEVICE __SumOfSquares<__Real> sum_of_squares(int count, const __Real *values) {
  __Real largest = 0;
  bool is_infinite = false;
  for (int i = 0; i < count; ++i) {
    largest = chip_device::fmax(largest, chip_device::fabs(values[i]));
    is_infinite |= __builtin_isinf(values[i]);
  }
  __SumOfSquares<__Real> squares(largest);
  for (int i = 0; i < count; ++i)
    squares.add(values[i]);
  if (is_infinite) // also beside a NaN, as C demands of hypot
    squares.sum = static_cast<__Real>(__builtin_huge_valf());
  return squares;
}
template <typename __Real> CHIP_DEVICE __Real length(int count, const __Real *values) {
  return square_root(sum_of_squares(count, values));
}
template <typename __Real> CHIP_DEVICE __Real reciprocal_length(int count, const __Real *values) {
  return reciprocal_square_root(sum_of_squares(count, values));
}

} // namespace chip_device
