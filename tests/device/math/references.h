// The exact functions, as MPFR has them or as they follow from what it has. Results are good for 200 bits or more.
#pragma once

#include "../../exact/exact.h"

#include <climits>

namespace reference {

using exact::Exact;

struct Arguments {
  Exact x, y, z, w;
  int k = 0;
  /// The exact result is not known, or left open.
  bool is_open = false;
  /// Results below 2^least_exponent are to be as good as those at it: for functions with zeros that nobody hits.
  long least_exponent = 0;
};
using Function = void (*)(mpfr_ptr, Arguments &);

template <auto function> void of_x(mpfr_ptr result, Arguments &a) {
  function(result, a.x, MPFR_RNDN);
}
template <auto function> void of_xy(mpfr_ptr result, Arguments &a) {
  function(result, a.x, a.y, MPFR_RNDN);
}
template <auto function> void of_xk(mpfr_ptr result, Arguments &a) {
  function(result, a.x, a.k, MPFR_RNDN);
}

inline void fused(mpfr_ptr result, Arguments &a) {
  mpfr_set_prec(result, 5000); // a product and what is far below
  mpfr_fma(result, a.x, a.y, a.z, MPFR_RNDN);
}

// Parts

inline void fraction(mpfr_ptr result, Arguments &a) {
  if (mpfr_inf_p(a.x.get()))
    mpfr_set_zero(result, 0);
  else
    mpfr_frac(result, a.x, MPFR_RNDN);
  if (!mpfr_nan_p(result))
    mpfr_setsign(result, result, mpfr_signbit(a.x.get()), MPFR_RNDN);
}
inline void mantissa(mpfr_ptr result, Arguments &a) {
  mpfr_set(result, a.x, MPFR_RNDN);
  if (mpfr_regular_p(a.x.get()))
    mpfr_set_exp(result, 0);
}
inline void exponent(mpfr_ptr result, Arguments &a) {
  mpfr_set_si(result, mpfr_regular_p(a.x.get()) ? mpfr_get_exp(a.x.get()) : 0, MPFR_RNDN);
}
inline void ilogb(mpfr_ptr result, Arguments &a) {
  // As in <math.h>.
  const int special = mpfr_zero_p(a.x.get())  ? FP_ILOGB0
                      : mpfr_nan_p(a.x.get()) ? FP_ILOGBNAN
                                              : INT_MAX;
  mpfr_set_si(result, mpfr_regular_p(a.x.get()) ? mpfr_get_exp(a.x.get()) - 1 : special, MPFR_RNDN);
}
inline void quotient_bits(mpfr_ptr result, Arguments &a) {
  if (!mpfr_number_p(a.x.get()) || !mpfr_regular_p(a.y.get())) {
    mpfr_set_zero(result, 0);
    return;
  }
  Exact rest;
  long quotient;
  mpfr_remquo(rest, &quotient, a.x, a.y, MPFR_RNDN);
  mpfr_set_si(result, quotient < 0 ? -(-quotient & 7) : quotient & 7, MPFR_RNDN);
}
/// Whether something holds, as a number.
template <auto condition> void truth(mpfr_ptr result, Arguments &a) {
  mpfr_set_si(result, condition(a.x.get()), MPFR_RNDN);
}
inline bool is_finite(mpfr_srcptr x) { return mpfr_number_p(x); }
inline bool is_infinite(mpfr_srcptr x) { return mpfr_inf_p(x); }
inline bool is_nan(mpfr_srcptr x) { return mpfr_nan_p(x); }
inline bool is_negative(mpfr_srcptr x) { return mpfr_signbit(x); }
inline void not_a_number(mpfr_ptr result, Arguments &) { mpfr_set_nan(result); }
inline void saturated(mpfr_ptr result, Arguments &a) {
  if (mpfr_nan_p(a.x.get()) || mpfr_sgn(a.x.get()) <= 0)
    mpfr_set_zero(result, 0);
  else if (mpfr_cmp_ui(a.x.get(), 1) > 0)
    mpfr_set_ui(result, 1, MPFR_RNDN);
  else
    mpfr_set(result, a.x, MPFR_RNDN);
}
template <class T> void next_after(mpfr_ptr result, Arguments &a) {
  const T x = static_cast<T>(mpfr_get_d(a.x, MPFR_RNDN)),
          y = static_cast<T>(mpfr_get_d(a.y, MPFR_RNDN));
  exact::set(result, std::nextafter(x, y));
}

/// To long, which has no number for the others.
template <auto round> void to_integer(mpfr_ptr result, Arguments &a) {
  a.is_open = !mpfr_number_p(a.x.get()) || mpfr_cmpabs(a.x.get(), Exact(0x1p63).get()) >= 0;
  if (a.is_open)
    return;
  round(result, a.x, MPFR_RNDN);
  if (mpfr_zero_p(result))
    mpfr_setsign(result, result, 0, MPFR_RNDN);
}

// Gamma, error functions and what belongs to them

inline void lgamma(mpfr_ptr result, Arguments &a) {
  int sign;
  mpfr_lgamma(result, &sign, a.x, MPFR_RNDN);
}

inline void erfcx(mpfr_ptr result, mpfr_srcptr x) {
  Exact square;
  mpfr_sqr(square, x, MPFR_RNDN);
  if (!mpfr_number_p(x) || mpfr_cmp_d(x, 1e3) < 0) {
    if (mpfr_inf_p(x)) {
      mpfr_sgn(x) > 0 ? mpfr_set_zero(result, 0) : mpfr_set_inf(result, 1);
      return;
    }
    mpfr_erfc(result, x, MPFR_RNDN);
    mpfr_set_prec(square, 400); // of which the exponential loses some
    mpfr_sqr(square, x, MPFR_RNDN);
    mpfr_exp(square, square, MPFR_RNDN);
    mpfr_mul(result, result, square, MPFR_RNDN);
    return;
  }
  // 1 / (x sqrt(pi)) (1 - 1/(2 x^2) + 1 3/(2 x^2)^2 - ...)
  Exact term, sum;
  mpfr_set_ui(sum, 1, MPFR_RNDN);
  mpfr_set_ui(term, 1, MPFR_RNDN);
  for (unsigned k = 1; k < 20; k += 2) {
    mpfr_mul_ui(term, term, k, MPFR_RNDN);
    mpfr_div(term, term, square, MPFR_RNDN);
    mpfr_div_si(term, term, -2, MPFR_RNDN);
    mpfr_add(sum, sum, term, MPFR_RNDN);
  }
  mpfr_const_pi(term, MPFR_RNDN);
  mpfr_sqrt(term, term, MPFR_RNDN);
  mpfr_mul(term, term, x, MPFR_RNDN);
  mpfr_div(result, sum, term, MPFR_RNDN);
}
inline void scaled_erfc(mpfr_ptr result, Arguments &a) { erfcx(result, a.x); }

/// The z for which erfc(z) is c, 0 < c <= 1: Newton's method on the logarithm, whose slope is nearly straight.
inline void inverse_erfc_above(mpfr_ptr z, mpfr_srcptr c) {
  Exact value, slope, scale, step, wanted;
  mpfr_log(wanted, c, MPFR_RNDN);
  mpfr_neg(z, wanted, MPFR_RNDN);
  mpfr_sqrt(z, z, MPFR_RNDN); // right of the root
  mpfr_const_pi(scale, MPFR_RNDN);
  mpfr_sqrt(scale, scale, MPFR_RNDN);
  mpfr_ui_div(scale, 2, scale, MPFR_RNDN);
  for (int i = 0; i < 40; ++i) {
    mpfr_erfc(value, z, MPFR_RNDN);
    mpfr_sqr(slope, z, MPFR_RNDN);
    mpfr_neg(slope, slope, MPFR_RNDN);
    mpfr_exp(slope, slope, MPFR_RNDN);
    mpfr_mul(slope, slope, scale, MPFR_RNDN);
    mpfr_div(slope, slope, value, MPFR_RNDN); // of -log(erfc)
    mpfr_log(step, value, MPFR_RNDN);
    mpfr_sub(step, step, wanted, MPFR_RNDN);
    mpfr_div(step, step, slope, MPFR_RNDN);
    mpfr_add(z, z, step, MPFR_RNDN);
    if (mpfr_zero_p(step.get()) || mpfr_get_exp(step.get()) < mpfr_get_exp(z) - 130)
      break; // the next one has twice as many right digits
  }
}
/// The same for erf and a small y.
inline void inverse_erf_below(mpfr_ptr z, mpfr_srcptr y) {
  Exact value, slope, scale, step;
  mpfr_const_pi(scale, MPFR_RNDN);
  mpfr_sqrt(scale, scale, MPFR_RNDN);
  mpfr_div_ui(scale, scale, 2, MPFR_RNDN);
  mpfr_mul(z, y, scale, MPFR_RNDN);
  for (int i = 0; i < 40; ++i) {
    mpfr_erf(value, z, MPFR_RNDN);
    mpfr_sub(step, y, value, MPFR_RNDN);
    mpfr_sqr(slope, z, MPFR_RNDN);
    mpfr_exp(slope, slope, MPFR_RNDN);
    mpfr_mul(step, step, slope, MPFR_RNDN);
    mpfr_mul(step, step, scale, MPFR_RNDN);
    mpfr_add(z, z, step, MPFR_RNDN);
    if (mpfr_zero_p(step.get()) || mpfr_get_exp(step.get()) < mpfr_get_exp(z) - 130)
      break;
  }
}
inline void inverse_erf(mpfr_ptr result, mpfr_srcptr y) {
  if (mpfr_zero_p(y)) {
    mpfr_set(result, y, MPFR_RNDN);
  } else if (mpfr_nan_p(y) || mpfr_cmpabs(y, Exact(1).get()) > 0) {
    mpfr_set_nan(result);
  } else if (mpfr_cmpabs(y, Exact(1).get()) == 0) {
    mpfr_set_inf(result, mpfr_sgn(y));
  } else if (mpfr_cmpabs(y, Exact(0.5).get()) < 0) {
    inverse_erf_below(result, y);
  } else {
    Exact rest;
    mpfr_abs(rest, y, MPFR_RNDN);
    mpfr_ui_sub(rest, 1, rest, MPFR_RNDN);
    inverse_erfc_above(result, rest);
    mpfr_setsign(result, result, mpfr_signbit(y), MPFR_RNDN);
  }
}
inline void inverse_erfc(mpfr_ptr result, mpfr_srcptr c) {
  if (mpfr_zero_p(c)) {
    mpfr_set_inf(result, 1);
  } else if (mpfr_nan_p(c) || mpfr_sgn(c) < 0) {
    mpfr_set_nan(result);
  } else if (mpfr_cmp_d(c, 0.5) < 0) {
    inverse_erfc_above(result, c);
  } else {
    Exact rest;
    mpfr_ui_sub(rest, 1, c, MPFR_RNDN);
    inverse_erf(result, rest);
  }
}
inline void erfinv(mpfr_ptr result, Arguments &a) { inverse_erf(result, a.x); }
inline void erfcinv(mpfr_ptr result, Arguments &a) { inverse_erfc(result, a.x); }

inline mpfr_ptr root_of_two() {
  static Exact value = Exact(2);
  static const int inexact = mpfr_sqrt(value, value, MPFR_RNDN);
  (void)inexact;
  return value;
}
inline void normcdf(mpfr_ptr result, Arguments &a) {
  Exact z;
  mpfr_div_2ui(z, a.x, 1, MPFR_RNDN);
  mpfr_mul(z, z, root_of_two(), MPFR_RNDN);
  mpfr_neg(z, z, MPFR_RNDN);
  mpfr_erfc(result, z, MPFR_RNDN);
  mpfr_div_2ui(result, result, 1, MPFR_RNDN);
}
inline void normcdfinv(mpfr_ptr result, Arguments &a) {
  Exact c;
  mpfr_mul_2ui(c, a.x, 1, MPFR_RNDN);
  inverse_erfc(result, c);
  mpfr_mul(result, result, root_of_two(), MPFR_RNDN);
  if (!mpfr_zero_p(result))
    mpfr_neg(result, result, MPFR_RNDN);
}

// Bessel functions

/// The series (x/2)^n sum (x^2/4)^k / (k! (k + n)!) for n = 0 or 1.
template <unsigned n> void bessel_i(mpfr_ptr result, Arguments &a) {
  if (!mpfr_number_p(a.x.get()) || mpfr_cmpabs(a.x.get(), Exact(800).get()) > 0) {
    mpfr_set(result, a.x, MPFR_RNDN); // large enough to be infinite
    if (mpfr_number_p(a.x.get()))
      mpfr_set_inf(result, mpfr_sgn(a.x.get()));
    if (n == 0)
      mpfr_abs(result, result, MPFR_RNDN);
    return;
  }
  Exact square, term;
  mpfr_sqr(square, a.x, MPFR_RNDN);
  mpfr_div_2ui(square, square, 2, MPFR_RNDN);
  mpfr_set_ui(term, 1, MPFR_RNDN);
  mpfr_set_ui(result, 1, MPFR_RNDN);
  for (unsigned k = 1;
       !mpfr_zero_p(term.get()) && mpfr_get_exp(term.get()) > mpfr_get_exp(result) - 250; ++k) {
    mpfr_mul(term, term, square, MPFR_RNDN);
    mpfr_div_ui(term, term, k * (k + n), MPFR_RNDN);
    mpfr_add(result, result, term, MPFR_RNDN);
  }
  if (n == 1) {
    mpfr_mul(result, result, a.x, MPFR_RNDN);
    mpfr_div_2ui(result, result, 1, MPFR_RNDN);
  }
}

/// Beyond the order the functions swing with the amplitude sqrt(2 / (pi x)): results are to be good compared to that.
inline void least_of_oscillation(Arguments &a, int order) {
  const double x = std::fabs(mpfr_get_d(a.x, MPFR_RNDN));
  if (std::isfinite(x) && x > std::abs(order) && x > 0.5)
    a.least_exponent = static_cast<long>(std::ceil(std::log2(std::sqrt(0.6366 / x))));
}
template <auto function, int order> void bessel(mpfr_ptr result, Arguments &a) {
  if (mpfr_inf_p(a.x.get())) {
    mpfr_set_zero(result, order % 2 && mpfr_signbit(a.x.get()) ? -1 : 1);
    if (function == mpfr_y0 || function == mpfr_y1)
      mpfr_sgn(a.x.get()) > 0 ? mpfr_set_zero(result, 1) : mpfr_set_nan(result);
    return;
  }
  a.is_open = mpfr_number_p(a.x.get()) &&
              mpfr_cmpabs(a.x.get(), Exact(1e4).get()) > 0; // MPFR would take long
  if (a.is_open)
    return;
  if (mpfr_cmpabs(a.x.get(), Exact(8).get()) >= 0) // below, zeros are met exactly
    least_of_oscillation(a, order);
  function(result, a.x, MPFR_RNDN);
}
template <auto function> void bessel_of_order(mpfr_ptr result, Arguments &a) {
  least_of_oscillation(a, a.k);
  function(result, a.k, a.x, MPFR_RNDN);
}

// Lengths

template <int count, bool reciprocal> void length(mpfr_ptr result, Arguments &a) {
  Exact square, sum;
  bool is_infinite = false;
  for (mpfr_ptr value : {a.x.get(), a.y.get(), a.z.get(), a.w.get()}) {
    if (value == (count == 2 ? a.z.get() : count == 3 ? a.w.get() : nullptr))
      break;
    is_infinite |= mpfr_inf_p(value);
    mpfr_sqr(square, value, MPFR_RNDN);
    mpfr_add(sum, sum, square, MPFR_RNDN);
  }
  if (is_infinite) // also beside a NaN, as hypot
    mpfr_set_inf(sum, 1);
  reciprocal ? mpfr_rec_sqrt(result, sum, MPFR_RNDN) : mpfr_sqrt(result, sum, MPFR_RNDN);
}
inline int reciprocal_cbrt(mpfr_ptr result, mpfr_srcptr x, mpfr_rnd_t mode) {
  return mpfr_rootn_si(result, x, -3, mode);
}

} // namespace reference
