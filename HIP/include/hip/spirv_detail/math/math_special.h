/// Special functions that devices lack: inverses of the error function, its scaled complement, the
/// normal distribution, and Bessel functions. For float and double, each in its own precision.
#pragma once

#include <hip/spirv_detail/math/math_tables.h>

namespace chip_device {

template <typename __Real> CHIP_DEVICE __Real infinity() {
  return static_cast<__Real>(__builtin_huge_valf());
}
template <typename __Real> CHIP_DEVICE __Real constant(double value) {
  return static_cast<__Real>(value);
}

/// erfc(x) exp(x^2)
template <typename __Real> CHIP_DEVICE __Real erfcx(__Real x) {
  const __Real size = chip_device::fabs(x);
  // (1 + 2x) erfcx(x), as a function of what maps all of 0 <= x to -1 <= t < 1.
  __Real result = erfcx_part((size - 2) / (size + 2)) / (1 + 2 * size);
  if (size > constant<__Real>(1e9))
    result = constant<__Real>(0.56418958354775628695) / size;
  if (!(x < 0))
    return result;
  const __Real square = x * x, lost = chip_device::fma(x, x, -square);
  if (square > 1000)
    return infinity<__Real>();
  return 2 * (__spirv_ocl_exp(square) * (1 + lost)) - result;
}

// Inverses of the error function. erfinv(y) / y depends on w = -log(1 - y^2) alone; it begins as
// sqrt(pi) / 2, and far out is nearly the root of w.

CHIP_DEVICE float inverse_error_far(float root) {
  return root < 7 ? inverse_error_3((root - 5.5f) / 1.5f) : inverse_error_4((root - 8.75f) / 1.75f);
}
CHIP_DEVICE double inverse_error_far(double root) {
  return root < 7    ? inverse_error_3((root - 5.5) / 1.5)
         : root < 14 ? inverse_error_4((root - 10.5) / 3.5)
                     : inverse_error_5((root - 20.75) / 6.75);
}
/// erfinv(y), where `rest` is 1 - y^2.
template <typename __Real> CHIP_DEVICE __Real inverse_error(__Real y, __Real rest) {
  const __Real w = -__spirv_ocl_log(rest), root = chip_device::sqrt(w);
  if (w > 16)
    return y * inverse_error_far(root);
  if (w > 5)
    return y * inverse_error_2((root - constant<__Real>(3.1)) / constant<__Real>(0.9));
  // In two parts: the first is exact, the second, with its errors, the smaller one.
  const __Real part = inverse_error_1(w / constant<__Real>(2.5) - 1);
  const __Real second = chip_device::fma(w, part, constant<__Real>(0.01122692545275801365));
  return chip_device::fma(y, constant<__Real>(0.875), y * second);
}
template <typename __Real> CHIP_DEVICE __Real erfinv(__Real y) {
  const __Real size = chip_device::fabs(y);
  return size == 1 ? y * infinity<__Real>() : inverse_error(y, chip_device::fma(-y, y, __Real(1)));
}
template <typename __Real> CHIP_DEVICE __Real erfcinv(__Real x) {
  if (x == 0 || x == 2)
    return (1 - x) * infinity<__Real>();
  return inverse_error(1 - x, x * (2 - x));
}

template <typename __Real> CHIP_DEVICE __Real normcdfinv(__Real p) {
  return p == constant<__Real>(0.5) ? 0
                                    : constant<__Real>(-1.41421356237309504880) * erfcinv(2 * p);
}
template <typename __Real> CHIP_DEVICE __Real normcdf(__Real x) {
  const __Real half_root = constant<__Real>(0.70710678118654752440);
  const __Real z = -x * half_root;
  const __Real result = constant<__Real>(0.5) * __spirv_ocl_erfc(z);
  if (!(z > 1 && z < 40))
    return result;
  // The function is so steep there that what z lost to rounding counts; its derivative is about
  // -2 z times itself.
  const __Real rest_of_root = constant<__Real>(
      (0.70710678118654752440 - static_cast<double>(half_root)) - 4.833646656726457e-17);
  const __Real lost = chip_device::fma(-x, half_root, -z) - x * rest_of_root;
  return result - result * (2 * z * lost);
}

// Modified Bessel functions: the series, and beyond 8 as e^x / sqrt(x) times a function of 1 / x.

template <typename __Real> CHIP_DEVICE __Real bessel_i_high(__Real x, __Real part) {
  if (__builtin_isinf(x))
    return x;
  // In two steps, since e^x overflows before the result does.
  const __Real power = __spirv_ocl_exp(x / 2);
  return power * (power * part / chip_device::sqrt(x));
}
template <typename __Real> CHIP_DEVICE __Real bessel_i0(__Real x) {
  x = chip_device::fabs(x);
  return x < 8 ? bessel_i0_low(x * x / 4) : bessel_i_high(x, bessel_i0_high(16 / x - 1));
}
template <typename __Real> CHIP_DEVICE __Real bessel_i1(__Real x) {
  const __Real size = chip_device::fabs(x);
  if (size < 8)
    return x / 2 * bessel_i1_low(x * x / 4);
  return chip_device::copysign(bessel_i_high(size, bessel_i1_high(16 / size - 1)), x);
}

// Bessel functions: the series below 2, polynomials up to 8, which are multiplied with the distance
// from a zero where there is one, and then an oscillation with slowly changing amplitudes P and Q.
// The error of that is small compared to the largest values nearby; near a zero beyond 8 it is not
// small compared to the value.

/// x less a zero, which is the sum of two numbers.
template <typename __Real> CHIP_DEVICE __Real distance(__Real x, double zero, double rest_of_zero) {
  const __Real near = constant<__Real>(zero);
  return (x - near) - constant<__Real>((zero - static_cast<double>(near)) + rest_of_zero);
}

/// (p a + q b) sqrt(1 / (pi x)), where p and q belong to the function of order n at x.
template <int n, typename __Real> CHIP_DEVICE __Real oscillation(__Real x, __Real a, __Real b) {
  if (__builtin_isinf(x))
    return 0;
  const __Real ratio = 8 / x, t = 2 * ratio * ratio - 1;
  const __Real p = n == 0 ? bessel_p0(t) : bessel_p1(t);
  const __Real q = ratio * (n == 0 ? bessel_q0(t) : bessel_q1(t));
  return constant<__Real>(0.56418958354775628695) / chip_device::sqrt(x) * (p * a + q * b);
}

template <typename __Real> CHIP_DEVICE __Real bessel_j0(__Real x) {
  x = chip_device::fabs(x);
  if (x < 2)
    return bessel_j0_low(x * x / 4);
  if (x < 4)
    return distance(x, 2.4048255576957729, -1.1766916515308940e-16) * bessel_j0_1(x - 3);
  if (x < 6)
    return distance(x, 5.5200781102863106, 8.0885971461467223e-17) * bessel_j0_2(x - 5);
  if (x < 8)
    return bessel_j0_3(x - 7);
  const __Real sine = __spirv_ocl_sin(x), cosine = __spirv_ocl_cos(x);
  return oscillation<0>(x, cosine + sine, cosine - sine);
}
template <typename __Real> CHIP_DEVICE __Real bessel_j1(__Real x) {
  const __Real size = chip_device::fabs(x);
  if (size < 2)
    return x * bessel_j1_low(x * x / 4);
  __Real result;
  if (size < 4) {
    result = distance(size, 3.8317059702075125, -1.5269184090088067e-16) * bessel_j1_1(size - 3);
  } else if (size < 6) {
    result = distance(size, 3.8317059702075125, -1.5269184090088067e-16) * bessel_j1_2(size - 5);
  } else if (size < 8) {
    result = distance(size, 7.0155866698156188, -9.4141656534103889e-17) * bessel_j1_3(size - 7);
  } else {
    const __Real sine = __spirv_ocl_sin(size), cosine = __spirv_ocl_cos(size);
    result = oscillation<1>(size, sine - cosine, sine + cosine);
  }
  return x < 0 ? -result : result;
}
template <typename __Real> CHIP_DEVICE __Real bessel_y0(__Real x) {
  const __Real two_by_pi = constant<__Real>(0.63661977236758134308);
  if (x > constant<__Real>(0.6) && x < constant<__Real>(1.4))
    return distance(x, 0.89357696627916749, 2.6596231539720385e-17) *
           bessel_y0_1((x - 1) / constant<__Real>(0.4));
  if (x < 2)
    return two_by_pi * __spirv_ocl_log(x) * bessel_j0(x) + bessel_y0_low(x * x / 2 - 1);
  if (x < 4)
    return distance(x, 3.9576784193148580, -1.0764340697562706e-16) * bessel_y0_2(x - 3);
  if (x < 6)
    return distance(x, 3.9576784193148580, -1.0764340697562706e-16) * bessel_y0_3(x - 5);
  if (x < 8)
    return distance(x, 7.0860510603017728, -8.8352857230854081e-17) * bessel_y0_4(x - 7);
  const __Real sine = __spirv_ocl_sin(x), cosine = __spirv_ocl_cos(x);
  return oscillation<0>(x, sine - cosine, sine + cosine);
}
template <typename __Real> CHIP_DEVICE __Real bessel_y1(__Real x) {
  const __Real two_by_pi = constant<__Real>(0.63661977236758134308);
  if (x == 0)
    return -infinity<__Real>();
  if (x < 2)
    return two_by_pi * __spirv_ocl_log(x) * bessel_j1(x) - two_by_pi / x +
           x * bessel_y1_low(x * x / 2 - 1);
  if (x < 4)
    return distance(x, 2.1971413260310171, -4.8259835876454966e-17) * bessel_y1_1(x - 3);
  if (x < 6)
    return distance(x, 5.4296810407941347, 4.1625140266703770e-16) * bessel_y1_2(x - 5);
  if (x < 8)
    return bessel_y1_3(x - 7);
  const __Real sine = __spirv_ocl_sin(x), cosine = __spirv_ocl_cos(x);
  return oscillation<1>(x, -sine - cosine, sine - cosine);
}

// Of higher order, by recurrence: upwards where that is stable, else downwards from far above.

template <typename __Real> CHIP_DEVICE __Real bessel_j_above(int n, __Real x) {
  // The first term of the series, where it is all that counts.
  if (x < constant<__Real>(sizeof(__Real) == 4 ? 0x1p-12 : 0x1p-26)) {
    __Real term = 1;
    for (int k = 1; k <= n && term != 0; ++k)
      term *= x / 2 / static_cast<__Real>(k);
    return term;
  }
  __Real above = 0, value = 1, result = 0;
  const int start = n + 24 + static_cast<int>(chip_device::sqrt(160 * static_cast<__Real>(n)));
  for (int k = start; k > 0; --k) {
    const __Real below = 2 * static_cast<__Real>(k) / x * value - above;
    above = value;
    value = below;
    if (k - 1 == n)
      result = value;
    if (chip_device::fabs(value) > constant<__Real>(1e10)) {
      above *= constant<__Real>(1e-10);
      value *= constant<__Real>(1e-10);
      result *= constant<__Real>(1e-10);
    }
  }
  // Known but for a factor, which the larger of the first two tells.
  return chip_device::fabs(value) > chip_device::fabs(above) ? result * (bessel_j0(x) / value)
                                                             : result * (bessel_j1(x) / above);
}
template <typename __Real> CHIP_DEVICE __Real bessel_jn(int n, __Real x) {
  // J of -n at x is J of n at -x.
  const bool is_odd = n % 2 != 0;
  if (n < 0) {
    n = -n;
    x = -x;
  }
  if (n == 0)
    return bessel_j0(x);
  if (n == 1)
    return bessel_j1(x);
  const __Real size = chip_device::fabs(x);
  __Real result = 0;
  if (static_cast<__Real>(n) > size) {
    if (size != 0)
      result = bessel_j_above(n, size);
  } else {
    __Real below = bessel_j0(size);
    result = bessel_j1(size);
    for (int k = 1; k < n; ++k) {
      const __Real above = 2 * static_cast<__Real>(k) / size * result - below;
      below = result;
      result = above;
    }
  }
  return is_odd && x < 0 ? -result : result;
}
template <typename __Real> CHIP_DEVICE __Real bessel_yn(int n, __Real x) {
  const bool is_odd_below_zero = n < 0 && n % 2 != 0;
  n = n < 0 ? -n : n;
  __Real below = bessel_y0(x), result = n == 0 ? below : bessel_y1(x);
  for (int k = 1; k < n && !__builtin_isinf(result); ++k) {
    const __Real above = 2 * static_cast<__Real>(k) / x * result - below;
    below = result;
    result = above;
  }
  return is_odd_below_zero ? -result : result;
}

} // namespace chip_device
