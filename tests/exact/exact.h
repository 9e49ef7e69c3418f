/// How far results are from the exact ones, which MPFR knows: in units in the last place, for float, double and half; and the
/// arguments to try.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <mpfr.h>
#include <random>
#include <vector>

namespace exact {

template <class T> struct Format;
template <> struct Format<float> {
  using Bits = uint32_t;
  static constexpr const char *name = "float";
  static constexpr int digits = 24, max_exponent = 128, column = 0;
};
template <> struct Format<double> {
  using Bits = uint64_t;
  static constexpr const char *name = "double";
  static constexpr int digits = 53, max_exponent = 1024, column = 1;
};
template <> struct Format<_Float16> {
  using Bits = uint16_t;
  static constexpr const char *name = "half";
  static constexpr int digits = 11, max_exponent = 16, column = 2;
};

/// Wide enough that what is lost does not show, also in a sum of numbers far apart.
class Exact {
public:
  explicit Exact(double value = 0) {
    mpfr_init2(value_, 300);
    mpfr_set_d(value_, value, MPFR_RNDN);
  }
  ~Exact() { mpfr_clear(value_); }
  Exact(const Exact &) = delete;
  Exact &operator=(const Exact &) = delete;
  operator mpfr_ptr() { return value_; }
  /// The same, for MPFR's macros.
  mpfr_ptr get() { return value_; }

private:
  mpfr_t value_;
};

/// A NaN has its sign too: copysign looks at it.
template <class T> void set(mpfr_ptr exact, T value) {
  const auto wide = static_cast<double>(value);
  mpfr_set_d(exact, wide, MPFR_RNDN);
  mpfr_setsign(exact, exact, std::signbit(wide), MPFR_RNDN);
}

// What MPFR has under another name, or otherwise than C and OpenCL.

inline int exact_reciprocal(mpfr_ptr result, mpfr_srcptr x, mpfr_rnd_t mode) {
  return mpfr_ui_div(result, 1, x, mode);
}

// Of -0: -infinity (OpenCL C 7.5.1 says so of rootn; C leaves it open).
inline int exact_rsqrt(mpfr_ptr result, mpfr_srcptr x, mpfr_rnd_t mode) {
  if (mpfr_zero_p(x)) {
    mpfr_set_inf(result, mpfr_signbit(x) ? -1 : 1);
    return 0;
  }
  return mpfr_rec_sqrt(result, x, mode);
}

inline int exact_logb(mpfr_ptr result, mpfr_srcptr x, mpfr_rnd_t mode) {
  if (mpfr_zero_p(x))
    mpfr_set_inf(result, -1);
  else if (mpfr_inf_p(x))
    mpfr_set_inf(result, 1);
  else if (mpfr_nan_p(x))
    mpfr_set_nan(result);
  else
    mpfr_set_si(result, mpfr_get_exp(x) - 1, mode);
  return 0;
}

inline int exact_copysign(mpfr_ptr result, mpfr_srcptr x, mpfr_srcptr y, mpfr_rnd_t mode) {
  return mpfr_copysign(result, x, y, mode);
}

inline int exact_fmax(mpfr_ptr result, mpfr_srcptr x, mpfr_srcptr y, mpfr_rnd_t mode) {
  return mpfr_max(result, x, y, mode);
}

inline int exact_fmin(mpfr_ptr result, mpfr_srcptr x, mpfr_srcptr y, mpfr_rnd_t mode) {
  return mpfr_min(result, x, y, mode);
}

inline int exact_pown(mpfr_ptr result, mpfr_srcptr x, int n, mpfr_rnd_t mode) {
  return mpfr_pow_si(result, x, n, mode);
}

inline int exact_ldexp(mpfr_ptr result, mpfr_srcptr x, int n, mpfr_rnd_t mode) {
  return mpfr_mul_2si(result, x, n, mode);
}

/// Errors of a result in units in the last place. Infinite when it is of another kind: NaN, infinity, or zero. The unit is
/// that of numbers below 2^least_exponent or of the exact result, whichever is larger.
template <class T>
double error_of(T got, mpfr_ptr exact, mpfr_ptr scratch,
                long least_exponent = 3 - Format<T>::max_exponent) {
  using F = Format<T>;
  constexpr double wrong = std::numeric_limits<double>::infinity();
  const auto value = static_cast<double>(got);
  if (mpfr_nan_p(exact))
    return std::isnan(value) ? 0 : wrong;
  if (std::isnan(value))
    return wrong;
  if (mpfr_inf_p(exact))
    return std::isinf(value) && (value < 0) == (mpfr_sgn(exact) < 0) ? 0 : wrong;
  if (mpfr_zero_p(exact))
    return value == 0 && std::signbit(value) == mpfr_signbit(exact) ? 0 : wrong;
  mpfr_set_d(scratch, value, MPFR_RNDN);
  if (std::isinf(value)) {
    // The number that would come next, if there were one.
    mpfr_set_si_2exp(scratch, value < 0 ? -1 : 1, F::max_exponent, MPFR_RNDN);
    if (mpfr_sgn(scratch) == mpfr_sgn(exact) && mpfr_cmpabs(exact, scratch) >= 0)
      return 0;
  }
  mpfr_sub(scratch, scratch, exact, MPFR_RNDN);
  const long exponent = std::clamp<long>(mpfr_get_exp(exact), least_exponent, F::max_exponent);
  mpfr_mul_2si(scratch, scratch, F::digits - exponent, MPFR_RNDN);
  return std::fabs(mpfr_get_d(scratch, MPFR_RNDN));
}

/// Zeros, infinities, NaN, subnormals and what lies around where functions change, then random ones: of any size, and
/// of common size.
template <class T> std::vector<T> values(size_t count, unsigned seed) {
  using Limits = std::numeric_limits<T>;
  using Bits = Format<T>::Bits;
  std::vector<T> result;
  const double pi = std::acos(-1.0);
  for (
      const double x :
      {0.0, 1.0, 0.5, 1.5, 2.0, 2.5, 3.0, 3.5, 4.0, 10.0, 100.0, 1e-3, 1e-5, 0.1, 0.25, 0.75, pi,
       pi / 2, pi / 4, 3 * pi / 4, 2 * pi, 100 * pi, 22.0, 11356.0, 65504.0, 1e5, 1e6, 1e7, 1e10,
       1e22, 1e38, 1e300, 16777215.0, 16777217.0, 88.72284, 88.0, 89.4, 87.33655, 103.97, 104.0,
       709.78, 709.79, 745.13, 745.14, 127.0, 128.0, 126.0, 149.0, 150.0, 1023.0, 1024.0, 1074.0,
       1075.0, 38.53, 44.8, 45.2, 308.25, 323.3, 35.04, 34.0, 171.62, 170.0, 11.09, 16.0, 24.0,
       17.33, 9.01, 10.05, 26.5, 27.2, 0.41421356, 0.9999999, 1.0000001,
       // Where vectorised functions are furthest off: exp, log, log1p, cbrt for float; exp, expm1, cbrt for double.
       0x1.205c2cp+2, 0x1.c457aep-1, 0x1.c3db7ap-1, 0x1.559efep-2, 0x1.b01f96p-1,
       0x1.694e02d1e78dep-1, 0x1.d0c41792c6d3cp+3, 0x1.6d57e66e6dap-9, 0x0.212ea98429aa9p-1022})
    for (const double sign : {1.0, -1.0}) {
      const T value = static_cast<T>(sign * x);
      const auto bits = std::bit_cast<Bits>(value);
      result.push_back(value);
      if (std::isfinite(static_cast<double>(value)) && value != 0)
        for (const Bits near : {bits - 1, bits + 1})
          result.push_back(std::bit_cast<T>(near));
    }
  for (const double sign : {1.0, -1.0})
    for (const T x : {Limits::infinity(), Limits::max(), Limits::min(), Limits::denorm_min(),
                      static_cast<T>(Limits::min() / 2), static_cast<T>(3 * Limits::denorm_min()),
                      Limits::epsilon()})
      result.push_back(static_cast<T>(static_cast<T>(sign) * x));
  result.push_back(Limits::quiet_NaN());
  std::mt19937_64 random(seed);
  std::shuffle(result.begin(), result.end(), random); // two arguments are not to be alike
  std::uniform_real_distribution<double> unit(-1, 1), common(-12, 12), large(-800, 800);
  const auto any = [&] {
    const T value = std::bit_cast<T>(static_cast<Bits>(random()));
    return std::isnan(static_cast<double>(value)) ? Limits::quiet_NaN() : value; // not signalling
  };
  for (size_t i = 0; i < count; ++i)
    result.push_back(i % 4 == 0   ? any()
                     : i % 4 == 1 ? static_cast<T>(unit(random))
                     : i % 4 == 2 ? static_cast<T>(common(random))
                                  : static_cast<T>(large(random)));
  return result;
}

/// 0 stands for correctly rounded.
inline double allowed(double bound) { return bound == 0 ? 0.5 : bound; }

struct Worst {
  double error = 0;
  size_t index = 0;

  void add(double another, size_t at) {
    if (another > error)
      *this = {another, at};
  }
};

} // namespace exact
