/// Arithmetic with a chosen rounding: _rz towards zero, _rd down, _ru up.
///
/// Devices round to the nearest. The sign of what that lost is found by exact operations, on
/// numbers scaled to where nothing overflows or vanishes; it tells whether the neighbour is meant.
#pragma once

#include <hip/spirv_detail/math/math_double.h>
#include <hip/spirv_detail/math/math_float.h>

// With -ffast-math the compiler would take the errors of rounding for zeros.
#define CHIP_AS_WRITTEN _Pragma("clang fp contract(off) reassociate(off)")

namespace chip_device {

enum __Rounding { to_zero, down, up };

CHIP_DEVICE float frexp(float x, int *exponent) { return frexpf(x, exponent); }
CHIP_DEVICE double frexp(double x, int *exponent) { return ::frexp(x, exponent); }

template <typename __Real> CHIP_DEVICE bool is_finite(__Real x) {
  typedef Format<__Real> __F;
  const auto bits = __builtin_bit_cast(typename __F::__Bits, x);
  return (static_cast<int>(bits >> __F::mantissa) & __F::exponents) != __F::exponents;
}
template <typename __Real> CHIP_DEVICE bool is_negative(__Real x) {
  return __builtin_bit_cast(typename Format<__Real>::__Bits, x) < 0;
}
template <typename __Real> CHIP_DEVICE int sign_of(__Real x) { return x > 0 ? 1 : x < 0 ? -1 : 0; }

/// The neighbour away from zero, or towards it.
template <typename __Real> CHIP_DEVICE __Real next(__Real x, int step) {
  typedef typename Format<__Real>::__Bits __Bits;
  return __builtin_bit_cast(__Real, __builtin_bit_cast(__Bits, x) + static_cast<__Bits>(step));
}
template <typename __Real> CHIP_DEVICE __Real next_above(__Real x) {
  if (x == 0)
    return __builtin_bit_cast(__Real, static_cast<typename Format<__Real>::__Bits>(1));
  return next(x, is_negative(x) ? -1 : 1);
}
template <typename __Real> CHIP_DEVICE __Real next_below(__Real x) { return -next_above(-x); }

/// `nearest` moved by one if need be; `lost` is the sign of the exact value minus `nearest`.
template <typename __Real>
CHIP_DEVICE __Real directed(__Rounding rounding, __Real nearest, int lost) {
  if (rounding == to_zero) {
    const bool is_below_zero = nearest == 0 ? lost < 0 : is_negative(nearest);
    rounding = is_below_zero ? up : down;
  }
  if (rounding == down)
    return lost < 0 ? next_below(nearest) : nearest;
  return lost > 0 ? next_above(nearest) : nearest;
}

/// A sum that is exactly zero, of terms with different signs, is a negative zero when rounded down.
template <typename __Real>
CHIP_DEVICE __Real exact_zero(__Rounding rounding, __Real sum, bool any_negative) {
  return rounding == down && any_negative ? -chip_device::fabs(sum) : sum;
}

/// The exact a + b is the sum and the error.
template <typename __Real> struct __Sum {
  __Real sum, error;
  __device__ __forceinline__ __Sum(__Real a, __Real b) {
    CHIP_AS_WRITTEN
    sum = a + b;
    const __Real of_b = sum - a, of_a = sum - of_b;
    error = (a - of_a) + (b - of_b);
  }
};

template <typename __Real> CHIP_DEVICE __Real add(__Rounding rounding, __Real x, __Real y) {
  const __Sum<__Real> exact(x, y);
  if (!is_finite(x) || !is_finite(y))
    return exact.sum;
  if (!is_finite(exact.sum))
    return directed(rounding, exact.sum, -sign_of(exact.sum));
  if (exact.sum == 0)
    return exact_zero(rounding, exact.sum, is_negative(x) || is_negative(y));
  return directed(rounding, exact.sum, sign_of(exact.error));
}

template <typename __Real> CHIP_DEVICE __Real multiply(__Rounding rounding, __Real x, __Real y) {
  CHIP_AS_WRITTEN
  const __Real product = x * y;
  if (!is_finite(x) || !is_finite(y) || x == 0 || y == 0)
    return product;
  if (!is_finite(product))
    return directed(rounding, product, -sign_of(product));
  int x_exponent, y_exponent;
  const __Real x_part = frexp(x, &x_exponent), y_part = frexp(y, &y_exponent);
  const __Real scaled = __spirv_ocl_ldexp(product, -x_exponent - y_exponent);
  return directed(rounding, product, sign_of(chip_device::fma(x_part, y_part, -scaled)));
}

/// Whether the quotient is right for the device's division does not matter: it is put right.
template <typename __Real> CHIP_DEVICE __Real divide(__Rounding rounding, __Real x, __Real y) {
  CHIP_AS_WRITTEN
  const __Real quotient = x / y;
  if (!is_finite(x) || !is_finite(y) || x == 0 || y == 0)
    return quotient;
  if (!is_finite(quotient))
    return directed(rounding, quotient, -sign_of(quotient));
  int x_exponent, y_exponent;
  const __Real x_part = frexp(x, &x_exponent), y_part = frexp(y, &y_exponent);
  const __Real scaled = __spirv_ocl_ldexp(quotient, y_exponent - x_exponent);
  const int lost = sign_of(chip_device::fma(-scaled, y_part, x_part));
  return directed(rounding, quotient, y < 0 ? -lost : lost);
}

template <typename __Real> CHIP_DEVICE __Real square_root(__Rounding rounding, __Real x) {
  CHIP_AS_WRITTEN
  const __Real root = chip_device::sqrt(x);
  if (!(x > 0) || !is_finite(x))
    return root;
  int exponent;
  __Real part = frexp(x, &exponent);
  if (exponent % 2 != 0) {
    part *= 2;
    --exponent;
  }
  const __Real scaled = __spirv_ocl_ldexp(root, -exponent / 2);
  return directed(rounding, root, sign_of(chip_device::fma(-scaled, scaled, part)));
}

template <typename __Real>
CHIP_DEVICE __Real multiply_add(__Rounding rounding, __Real x, __Real y, __Real z) {
  CHIP_AS_WRITTEN
  const __Real result = chip_device::fma(x, y, z);
  if (!is_finite(x) || !is_finite(y) || !is_finite(z))
    return result;
  if (!is_finite(result))
    return directed(rounding, result, -sign_of(result));
  if (x == 0 || y == 0)
    return result != 0
               ? result
               : exact_zero(rounding, result, is_negative(x) != is_negative(y) || is_negative(z));
  // Far below the other term, of the product or of z only the sign counts.
  const int far = 120;
  int x_exponent, y_exponent, z_exponent;
  const __Real x_part = frexp(x, &x_exponent), y_part = frexp(y, &y_exponent);
  __Real z_part = frexp(z, &z_exponent);
  const int lowest = -(Format<__Real>::exponents / 2 + Format<__Real>::mantissa);
  const int of_product = x_exponent + y_exponent, of_z = z == 0 ? lowest : z_exponent;
  const int largest = of_product > of_z ? of_product : of_z;
  const int scale = of_product - largest < -far ? -far : of_product - largest;
  z_part = __spirv_ocl_ldexp(z_part, of_z - largest < -far ? -far : of_z - largest);
  const __Real scaled = __spirv_ocl_ldexp(result, -largest);
  // The product and z in three parts, of which the first two together are near the result. Scaled
  // last, a product is nothing that a device could join with an addition after all.
  const __Real product = x_part * y_part;
  const __Real rest_of_product = chip_device::fma(x_part, y_part, -product);
  const __Sum<__Real> low(z_part, __spirv_ocl_ldexp(rest_of_product, scale));
  const __Sum<__Real> high(__spirv_ocl_ldexp(product, scale), low.sum);
  const __Real rest = (high.sum - scaled) + high.error;
  const int lost = sign_of(rest + low.error);
  if (result == 0 && lost == 0)
    return exact_zero(rounding, result, true);
  return directed(rounding, result, lost);
}

} // namespace chip_device

/// To the nearest: what the device gives is near enough for one step of Newton's method with an
/// exact residual.
CHIP_DEVICE float __frsqrt_rn(float x) {
  CHIP_AS_WRITTEN
  if (!(x > 0) || !chip_device::is_finite(x))
    return __spirv_ocl_rsqrt(x);
  int exponent;
  float part = frexpf(x, &exponent);
  if (exponent % 2 != 0) {
    part *= 2;
    --exponent;
  }
  const float root = __spirv_ocl_rsqrt(part), square = root * root;
  const float rest_of_square = chip_device::fma(root, root, -square);
  const float residual =
      chip_device::fma(-part, rest_of_square, chip_device::fma(-part, square, 1.0f));
  return __spirv_ocl_ldexp(chip_device::fma(root / 2, residual, root), -exponent / 2);
}

#define CHIP_ROUNDED(name, type, suffix, rounding)                                                 \
  CHIP_DEVICE type __##name##add_##suffix(type x, type y) {                                        \
    return chip_device::add(chip_device::rounding, x, y);                                          \
  }                                                                                                \
  CHIP_DEVICE type __##name##sub_##suffix(type x, type y) {                                        \
    return chip_device::add(chip_device::rounding, x, -y);                                         \
  }                                                                                                \
  CHIP_DEVICE type __##name##mul_##suffix(type x, type y) {                                        \
    return chip_device::multiply(chip_device::rounding, x, y);                                     \
  }                                                                                                \
  CHIP_DEVICE type __##name##div_##suffix(type x, type y) {                                        \
    return chip_device::divide(chip_device::rounding, x, y);                                       \
  }                                                                                                \
  CHIP_DEVICE type __##name##rcp_##suffix(type x) {                                                \
    return chip_device::divide(chip_device::rounding, static_cast<type>(1), x);                    \
  }                                                                                                \
  CHIP_DEVICE type __##name##sqrt_##suffix(type x) {                                               \
    return chip_device::square_root(chip_device::rounding, x);                                     \
  }
#define CHIP_ROUNDED_ALL(suffix, rounding)                                                         \
  CHIP_ROUNDED(f, float, suffix, rounding)                                                         \
  CHIP_ROUNDED(d, double, suffix, rounding)                                                        \
  CHIP_DEVICE float __fmaf_##suffix(float x, float y, float z) {                                   \
    return chip_device::multiply_add(chip_device::rounding, x, y, z);                              \
  }                                                                                                \
  CHIP_DEVICE double __fma_##suffix(double x, double y, double z) {                                \
    return chip_device::multiply_add(chip_device::rounding, x, y, z);                              \
  }
CHIP_ROUNDED_ALL(rz, to_zero)
CHIP_ROUNDED_ALL(rd, down)
CHIP_ROUNDED_ALL(ru, up)
#undef CHIP_ROUNDED_ALL
#undef CHIP_ROUNDED
#undef CHIP_AS_WRITTEN
