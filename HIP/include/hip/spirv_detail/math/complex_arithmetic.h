/// What the compiler calls for products and quotients of complex numbers, those of std::complex too.
/// They are as annex G of the C standard wants them: an infinite operand makes an infinite product
/// even where the other's parts are NaN, and quotients neither overflow nor vanish on the way.
#pragma once

#include <hip/spirv_detail/math/cmath.h>

namespace chip_device {

template <typename __Real> struct __Complex {
  __Real re, im;
};

/// One with the sign of x for an infinite part, zero for a finite one.
template <typename __Real> CHIP_DEVICE __Real one_if_infinite(__Real x) {
  return chip_device::copysign(static_cast<__Real>(__builtin_isinf(x) ? 1 : 0), x);
}
template <typename __Real> CHIP_DEVICE __Real zero_if_nan(__Real x) {
  return __builtin_isnan(x) ? chip_device::copysign(static_cast<__Real>(0), x) : x;
}
template <typename __Real> CHIP_DEVICE bool any_infinite(__Real x, __Real y) {
  return __builtin_isinf(x) || __builtin_isinf(y);
}
template <typename __Real> CHIP_DEVICE bool all_finite(__Real x, __Real y) {
  return __builtin_isfinite(x) && __builtin_isfinite(y);
}

/// (a + ib) (c + id)
template <typename __Real>
CHIP_DEVICE __Complex<__Real> multiply(__Real a, __Real b, __Real c, __Real d) {
  const __Real ac = a * c, bd = b * d, ad = a * d, bc = b * c;
  const __Complex<__Real> product{ac - bd, ad + bc};
  if (!__builtin_isnan(product.re) || !__builtin_isnan(product.im))
    return product;
  const bool left = any_infinite(a, b), right = any_infinite(c, d);
  if (!left && !right && !any_infinite(ac, bd) && !any_infinite(ad, bc))
    return product;
  if (left) {
    a = one_if_infinite(a);
    b = one_if_infinite(b);
  }
  if (right) {
    c = one_if_infinite(c);
    d = one_if_infinite(d);
  }
  a = zero_if_nan(a);
  b = zero_if_nan(b);
  c = zero_if_nan(c);
  d = zero_if_nan(d);
  return {infinity<__Real>() * (a * c - b * d), infinity<__Real>() * (a * d + b * c)};
}

/// (a + ib) / (c + id)
template <typename __Real>
CHIP_DEVICE __Complex<__Real> divide(__Real a, __Real b, __Real c, __Real d) {
  const __Real largest = chip_device::fmax(chip_device::fabs(c), chip_device::fabs(d));
  const bool is_scaled = largest != 0 && __builtin_isfinite(largest);
  const int scale = is_scaled ? -__spirv_ocl_ilogb(largest) : 0;
  const __Real scaled_c = __spirv_ocl_ldexp(c, scale), scaled_d = __spirv_ocl_ldexp(d, scale);
  const __Real square = scaled_c * scaled_c + scaled_d * scaled_d;
  const __Complex<__Real> quotient{
      __spirv_ocl_ldexp((a * scaled_c + b * scaled_d) / square, scale),
      __spirv_ocl_ldexp((b * scaled_c - a * scaled_d) / square, scale)};
  if (!__builtin_isnan(quotient.re) || !__builtin_isnan(quotient.im))
    return quotient;
  if (square == 0 && (!__builtin_isnan(a) || !__builtin_isnan(b))) {
    const __Real signed_infinity = chip_device::copysign(infinity<__Real>(), c);
    return {signed_infinity * a, signed_infinity * b};
  }
  if (any_infinite(a, b) && all_finite(c, d)) {
    a = one_if_infinite(a);
    b = one_if_infinite(b);
    return {infinity<__Real>() * (a * c + b * d), infinity<__Real>() * (b * c - a * d)};
  }
  if (__builtin_isinf(largest) && all_finite(a, b)) {
    c = one_if_infinite(c);
    d = one_if_infinite(d);
    return {0 * (a * c + b * d), 0 * (b * c - a * d)};
  }
  return quotient;
}

} // namespace chip_device

#define CHIP_COMPLEX(name, function, real)                                                         \
  extern "C" __device__ inline real _Complex name(real a, real b, real c, real d) {                \
    const chip_device::__Complex<real> result = chip_device::function(a, b, c, d);                 \
    return __builtin_complex(result.re, result.im);                                                \
  }
CHIP_COMPLEX(__mulsc3, multiply, float)
CHIP_COMPLEX(__muldc3, multiply, double)
CHIP_COMPLEX(__divsc3, divide, float)
CHIP_COMPLEX(__divdc3, divide, double)
#undef CHIP_COMPLEX
