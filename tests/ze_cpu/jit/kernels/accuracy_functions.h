// The functions whose accuracy is tested, for the kernels and for the test: F(function, exact, float, double, half).
// `exact` is the same in MPFR (mpfr_...; exact_... is the test's own); then what each precision may be away from it, in units
// in the last place (OpenCL C specification 3.0, 7.4), 0: correctly rounded. native_ functions may be anywhere: they are
// held to what half_ functions are; both are pow where powr is not defined. fract stays below 1 also where it would be rounded
// to that.

// Vectorised ones are with their like: a loop with other functions would not be vectorised.
#define EXPONENTIALS(F)                                                                            \
  F(exp, mpfr_exp, 3, 3, 2)                                                                        \
  F(exp2, mpfr_exp2, 3, 3, 2)                                                                      \
  F(exp10, mpfr_exp10, 3, 3, 2)                                                                    \
  F(expm1, mpfr_expm1, 3, 3, 2)                                                                    \
  F(sinh, mpfr_sinh, 4, 4, 2)                                                                      \
  F(cosh, mpfr_cosh, 4, 4, 2)                                                                      \
  F(tanh, mpfr_tanh, 5, 5, 2)

#define LOGARITHMS(F)                                                                              \
  F(log, mpfr_log, 3, 3, 2)                                                                        \
  F(log2, mpfr_log2, 3, 3, 2)                                                                      \
  F(log10, mpfr_log10, 3, 3, 2)                                                                    \
  F(log1p, mpfr_log1p, 2, 2, 2)                                                                    \
  F(asinh, mpfr_asinh, 4, 4, 2)                                                                    \
  F(acosh, mpfr_acosh, 4, 4, 2)                                                                    \
  F(atanh, mpfr_atanh, 5, 5, 2)

#define ERRORS(F)                                                                                  \
  F(erf, mpfr_erf, 16, 16, 4)                                                                      \
  F(erfc, mpfr_erfc, 16, 16, 4)

#define TRIGONOMETRIC(F)                                                                           \
  F(sin, mpfr_sin, 4, 4, 2)                                                                        \
  F(cos, mpfr_cos, 4, 4, 2)                                                                        \
  F(tan, mpfr_tan, 5, 5, 2)                                                                        \
  F(asin, mpfr_asin, 4, 4, 2)                                                                      \
  F(acos, mpfr_acos, 4, 4, 2)                                                                      \
  F(atan, mpfr_atan, 5, 5, 2)

#define OTHERS(F)                                                                                  \
  F(tgamma, mpfr_gamma, 16, 16, 4)                                                                 \
  F(cbrt, mpfr_cbrt, 2, 2, 2)                                                                      \
  F(sinpi, mpfr_sinpi, 4, 4, 2)                                                                    \
  F(cospi, mpfr_cospi, 4, 4, 2)                                                                    \
  F(tanpi, exact_tanpi, 6, 6, 2)                                                                   \
  F(asinpi, mpfr_asinpi, 5, 5, 2)                                                                  \
  F(acospi, mpfr_acospi, 5, 5, 2)                                                                  \
  F(atanpi, mpfr_atanpi, 5, 5, 2)

#define INSTRUCTIONS(F)                                                                            \
  F(sqrt, mpfr_sqrt, 3, 0, 0)                                                                      \
  F(rsqrt, exact_rsqrt, 2, 2, 1)                                                                   \
  F(reciprocal, exact_reciprocal, 2.5, 0, 0)                                                       \
  F(ceil, mpfr_rint_ceil, 0, 0, 0)                                                                 \
  F(floor, mpfr_rint_floor, 0, 0, 0)                                                               \
  F(trunc, mpfr_rint_trunc, 0, 0, 0)                                                               \
  F(round, mpfr_rint_round, 0, 0, 0)                                                               \
  F(rint, mpfr_rint_roundeven, 0, 0, 0)                                                            \
  F(fabs, mpfr_abs, 0, 0, 0)                                                                       \
  F(logb, exact_logb, 0, 0, 0)                                                                     \
  F(fract_part, exact_fract, 1, 1, 1)                                                              \
  F(sincos_sine, mpfr_sin, 4, 4, 2)                                                                \
  F(sincos_cosine, mpfr_cos, 4, 4, 2)

#define FAST(F)                                                                                    \
  F(half_cos, mpfr_cos, 8192, 0, 0)                                                                \
  F(half_exp, mpfr_exp, 8192, 0, 0)                                                                \
  F(half_exp2, mpfr_exp2, 8192, 0, 0)                                                              \
  F(half_exp10, mpfr_exp10, 8192, 0, 0)                                                            \
  F(half_log, mpfr_log, 8192, 0, 0)                                                                \
  F(half_log2, mpfr_log2, 8192, 0, 0)                                                              \
  F(half_log10, mpfr_log10, 8192, 0, 0)                                                            \
  F(half_recip, exact_reciprocal, 8192, 0, 0)                                                      \
  F(half_rsqrt, exact_rsqrt, 8192, 0, 0)                                                           \
  F(half_sin, mpfr_sin, 8192, 0, 0)                                                                \
  F(half_sqrt, mpfr_sqrt, 8192, 0, 0)                                                              \
  F(half_tan, mpfr_tan, 8192, 0, 0)                                                                \
  F(native_cos, mpfr_cos, 8192, 0, 0)                                                              \
  F(native_exp, mpfr_exp, 8192, 0, 0)                                                              \
  F(native_exp2, mpfr_exp2, 8192, 0, 0)                                                            \
  F(native_exp10, mpfr_exp10, 8192, 0, 0)                                                          \
  F(native_log, mpfr_log, 8192, 0, 0)                                                              \
  F(native_log2, mpfr_log2, 8192, 0, 0)                                                            \
  F(native_log10, mpfr_log10, 8192, 0, 0)                                                          \
  F(native_recip, exact_reciprocal, 8192, 0, 0)                                                    \
  F(native_rsqrt, exact_rsqrt, 8192, 0, 0)                                                         \
  F(native_sin, mpfr_sin, 8192, 0, 0)                                                              \
  F(native_sqrt, mpfr_sqrt, 8192, 0, 0)                                                            \
  F(native_tan, mpfr_tan, 8192, 0, 0)

// Of two values.
#define POWERS(F)                                                                                  \
  F(pow, mpfr_pow, 16, 16, 4)                                                                      \
  F(hypot, mpfr_hypot, 4, 4, 2)                                                                    \
  F(atan2, mpfr_atan2, 6, 6, 2)

#define OTHERS_OF_TWO(F)                                                                           \
  F(powr, mpfr_powr, 16, 16, 4)                                                                    \
  F(atan2pi, mpfr_atan2pi, 6, 6, 2)                                                                \
  F(fmod, mpfr_fmod, 0, 0, 0)                                                                      \
  F(remainder, mpfr_remainder, 0, 0, 0)                                                            \
  F(remquo_rest, mpfr_remainder, 0, 0, 0)                                                          \
  F(quotient, mpfr_div, 2.5, 0, 0)                                                                 \
  F(fdim, mpfr_dim, 0, 0, 0)                                                                       \
  F(fmax, exact_fmax, 0, 0, 0)                                                                     \
  F(fmin, exact_fmin, 0, 0, 0)                                                                     \
  F(maxmag, exact_maxmag, 0, 0, 0)                                                                 \
  F(minmag, exact_minmag, 0, 0, 0)                                                                 \
  F(copysign, exact_copysign, 0, 0, 0)

#define FAST_OF_TWO(F)                                                                             \
  F(half_powr, mpfr_pow, 8192, 0, 0)                                                               \
  F(half_divide, mpfr_div, 8192, 0, 0)                                                             \
  F(native_powr, mpfr_pow, 8192, 0, 0)                                                             \
  F(native_divide, mpfr_div, 8192, 0, 0)

// Of a value and an int.
#define WITH_INTEGER(F)                                                                            \
  F(pown, exact_pown, 16, 16, 4)                                                                   \
  F(rootn, exact_rootn, 16, 16, 4)                                                                 \
  F(ldexp, exact_ldexp, 0, 0, 0)
