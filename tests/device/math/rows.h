// The functions whose accuracy is measured: F(id, arguments, expression, reference, documented, anywhere, x range, range of the
// other arguments). N(name) is the function's name for the type T. The bounds are in units in the last place, for float and
// double; 0: correctly rounded. `documented`: what the "HIP math API" page of HIP 6.4 says for those ranges, -1: nothing; then
// the ranges are ours. `anywhere`: what is held for all arguments, special ones too; -1: nothing, since a result near a zero of
// the function says nothing.
#pragma once

#define PI 3.14159265358979323846

// clang-format off
#define ARITHMETIC(F)                                                                                                     \
  F(fabs, "x", N(fabs)(x), of_x<mpfr_abs>, B(0, 0), B(0, 0), R(-20, 20), R(0, 0))                                         \
  F(fdim, "xy", N(fdim)(x, y), of_xy<mpfr_dim>, B(0, 0), B(0, 0), R(-10, 10), R(-3, 3))                                   \
  F(fma, "xyz", N(fma)(x, y, z), fused, B(0, 0), B(0, 0), R(-100, 100), R(-10, 10))                                       \
  F(fmax, "xy", N(fmax)(x, y), of_xy<exact::exact_fmax>, B(0, 0), B(0, 0), R(-10, 10), R(-3, 3))                          \
  F(fmin, "xy", N(fmin)(x, y), of_xy<exact::exact_fmin>, B(0, 0), B(0, 0), R(-10, 10), R(-3, 3))                          \
  F(fmod, "xy", N(fmod)(x, y), of_xy<mpfr_fmod>, B(0, 0), B(0, 0), R(-10, 10), R(-3, 3))                                  \
  F(modf_fraction, "x", ({ T whole; N(modf)(x, &whole); }), fraction, B(0, 0), B(0, 0), R(-10, 10), R(0, 0))              \
  F(modf_whole, "x", ({ T whole; N(modf)(x, &whole); whole; }), of_x<mpfr_rint_trunc>, B(0, 0), B(0, 0), R(-10, 10), R(0, 0)) \
  F(remainder, "xy", N(remainder)(x, y), of_xy<mpfr_remainder>, B(0, 0), B(0, 0), R(-10, 10), R(-3, 3))                   \
  F(remquo, "xy", ({ int n; N(remquo)(x, y, &n); }), of_xy<mpfr_remainder>, B(0, 0), B(0, 0), R(-10, 10), R(-3, 3))       \
  F(remquo_quotient, "xy", ({ int n; N(remquo)(x, y, &n); n < 0 ? -(-n & 7) : n & 7; }), quotient_bits, B(0, 0), B(0, 0), R(-10, 10), R(-3, 3))

#define CLASSIFICATION(F)                                                                                                 \
  F(isfinite, "x", isfinite(x), truth<is_finite>, B(0, 0), B(0, 0), R(-1e38, 1e38), R(0, 0))                              \
  F(isinf, "x", isinf(x), truth<is_infinite>, B(0, 0), B(0, 0), R(-1e38, 1e38), R(0, 0))                                  \
  F(isnan, "x", isnan(x), truth<is_nan>, B(0, 0), B(0, 0), R(-1e38, 1e38), R(0, 0))                                       \
  F(signbit, "x", bool(signbit(x)), truth<is_negative>, B(0, 0), B(0, 0), R(-1e38, 1e38), R(0, 0))                        \
  F(nan, "x", N(nan)("1"), not_a_number, B(0, 0), B(0, 0), R(-1, 1), R(0, 0))

#define ERRORS_AND_GAMMA(F)                                                                                               \
  F(erf, "x", N(erf)(x), of_x<mpfr_erf>, B(4, 4), B(4, 4), R(-4, 4), R(0, 0))                                             \
  F(erfc, "x", N(erfc)(x), of_x<mpfr_erfc>, B(2, 2), B(8, 8), R(-4, 4), R(0, 0))                                          \
  F(erfcx, "x", N(erfcx)(x), scaled_erfc, B(5, 5), B(5, 5), R(-2, 2), R(0, 0))                                            \
  F(lgamma, "x", N(lgamma)(x), reference::lgamma, B(4, 2), B(-1, -1), R(0.5, 20), R(0, 0))                                           \
  F(tgamma, "x", N(tgamma)(x), of_x<mpfr_gamma>, B(6, 6), B(16, 16), R(0.5, 15), R(0, 0))

#define EXPONENTIALS(F)                                                                                                   \
  F(exp, "x", N(exp)(x), of_x<mpfr_exp>, B(1, 1), B(1, 1), R(-10, 10), R(0, 0))                                           \
  F(exp2, "x", N(exp2)(x), of_x<mpfr_exp2>, B(1, 1), B(1, 1), R(-10, 10), R(0, 0))                                        \
  F(exp10, "x", N(exp10)(x), of_x<mpfr_exp10>, B(1, 1), B(1, 1), R(-4, 4), R(0, 0))                                       \
  F(expm1, "x", N(expm1)(x), of_x<mpfr_expm1>, B(1, 1), B(1, 1), R(-10, 10), R(0, 0))                                     \
  F(log10, "x", N(log10)(x), of_x<mpfr_log10>, B(2, 1), B(2, 1), R(1e-6, 1e6), R(0, 0))                                   \
  F(log1p, "x", N(log1p)(x), of_x<mpfr_log1p>, B(1, 1), B(1, 1), R(-0.9, 10), R(0, 0))                                    \
  F(log2, "x", N(log2)(x), of_x<mpfr_log2>, B(1, 1), B(1, 1), R(1e-6, 1e6), R(0, 0))                                      \
  F(log, "x", N(log)(x), of_x<mpfr_log>, B(2, 1), B(2, 1), R(1e-6, 1e6), R(0, 0))

#define MANIPULATION(F)                                                                                                   \
  F(copysign, "xy", N(copysign)(x, y), of_xy<exact::exact_copysign>, B(0, 0), B(0, 0), R(-10, 10), R(-3, 3))              \
  F(frexp_mantissa, "x", ({ int e; N(frexp)(x, &e); }), mantissa, B(0, 0), B(0, 0), R(-10, 10), R(0, 0))                  \
  F(frexp_exponent, "x", ({ int e; N(frexp)(x, &e); isfinite(x) ? e : 0; }), exponent, B(0, 0), B(0, 0), R(-10, 10), R(0, 0)) \
  F(ilogb, "x", N(ilogb)(x), reference::ilogb, B(0, 0), B(0, 0), R(0.01, 100), R(0, 0))                                              \
  F(logb, "x", N(logb)(x), of_x<exact::exact_logb>, B(0, 0), B(0, 0), R(1e-6, 1e6), R(0, 0))                              \
  F(ldexp, "xk", N(ldexp)(x, k), of_xk<exact::exact_ldexp>, B(0, 0), B(0, 0), R(-10, 10), R(-4, 4))                       \
  F(nextafter, "xy", N(nextafter)(x, y), next_after<T>, B(0, 0), B(0, 0), R(-10, 10), R(-3, 3))                           \
  F(scalbln, "xk", N(scalbln)(x, k), of_xk<exact::exact_ldexp>, B(0, 0), B(0, 0), R(-10, 10), R(-4, 4))                   \
  F(scalbn, "xk", N(scalbn)(x, k), of_xk<exact::exact_ldexp>, B(0, 0), B(0, 0), R(-10, 10), R(-4, 4))

#define LENGTHS(F)                                                                                                        \
  F(hypot, "xy", N(hypot)(x, y), of_xy<mpfr_hypot>, B(1, 1), B(1, 1), R(-10, 10), R(0, 10))                               \
  F(rhypot, "xy", N(rhypot)(x, y), (length<2, true>), B(1, 1), B(1, 1), R(-100, 100), R(-10, 100))                        \
  F(norm3d, "xyz", N(norm3d)(x, y, z), (length<3, false>), B(1, 1), B(1, 1), R(-10, 10), R(-10, 10))                      \
  F(norm4d, "xyzw", N(norm4d)(x, y, z, w), (length<4, false>), B(2, 2), B(2, 2), R(-10, 10), R(-10, 10))                  \
  F(rnorm3d, "xyz", N(rnorm3d)(x, y, z), (length<3, true>), B(1, 1), B(1, 1), R(-10, 10), R(-10, 10))                     \
  F(rnorm4d, "xyzw", N(rnorm4d)(x, y, z, w), (length<4, true>), B(2, 1), B(2, 1), R(-10, 10), R(-10, 10))                 \
  F(norm_of_2, "xy", ({ const T v[] = {x, y}; N(norm)(2, v); }), (length<2, false>), B(1, 1), B(1, 1), R(-10, 10), R(-10, 10)) \
  F(norm_of_3, "xyz", ({ const T v[] = {x, y, z}; N(norm)(3, v); }), (length<3, false>), B(1, 1), B(1, 1), R(-10, 10), R(-10, 10)) \
  F(norm_of_4, "xyzw", ({ const T v[] = {x, y, z, w}; N(norm)(4, v); }), (length<4, false>), B(1, 1), B(1, 1), R(-10, 10), R(-10, 10)) \
  F(rnorm_of_2, "xy", ({ const T v[] = {x, y}; N(rnorm)(2, v); }), (length<2, true>), B(1, 1), B(1, 1), R(-10, 10), R(-10, 10)) \
  F(rnorm_of_3, "xyz", ({ const T v[] = {x, y, z}; N(rnorm)(3, v); }), (length<3, true>), B(1, 1), B(1, 1), R(-10, 10), R(-10, 10)) \
  F(rnorm_of_4, "xyzw", ({ const T v[] = {x, y, z, w}; N(rnorm)(4, v); }), (length<4, true>), B(1, 1), B(1, 1), R(-10, 10), R(-10, 10))

#define POWERS_AND_ROOTS(F)                                                                                               \
  F(cbrt, "x", N(cbrt)(x), of_x<mpfr_cbrt>, B(2, 1), B(2, 1), R(-100, 100), R(0, 0))                                      \
  F(pow, "xy", N(pow)(x, y), of_xy<mpfr_pow>, B(1, 1), B(1, 1), R(-4, 4), R(-2, 2))                                       \
  F(powi, "xk", N(powi)(x, k), of_xk<exact::exact_pown>, B(1, 1), B(1, 1), R(-10, 10), R(-4, 4))                          \
  F(sqrt, "x", N(sqrt)(x), of_x<mpfr_sqrt>, B(1, 1), B(0, 0), R(0, 100), R(0, 0))                                         \
  F(rsqrt, "x", N(rsqrt)(x), of_x<exact::exact_rsqrt>, B(1, 1), B(1, 1), R(0.01, 100), R(0, 0))                           \
  F(rcbrt, "x", N(rcbrt)(x), of_x<reciprocal_cbrt>, B(1, 1), B(1, 1), R(-100, 100), R(0, 0))

#define ROUNDING(F)                                                                                                       \
  F(ceil, "x", N(ceil)(x), of_x<mpfr_rint_ceil>, B(0, 0), B(0, 0), R(-4, 4), R(0, 0))                                     \
  F(floor, "x", N(floor)(x), of_x<mpfr_rint_floor>, B(0, 0), B(0, 0), R(-4, 4), R(0, 0))                                  \
  F(lround, "x", N(lround)(x), (to_integer<mpfr_rint_round>), B(0, 0), B(0, 0), R(-4, 4), R(0, 0))                        \
  F(llround, "x", N(llround)(x), (to_integer<mpfr_rint_round>), B(0, 0), B(0, 0), R(-4, 4), R(0, 0))                      \
  F(lrint, "x", N(lrint)(x), (to_integer<mpfr_rint_roundeven>), B(0, 0), B(0, 0), R(-4, 4), R(0, 0))                      \
  F(llrint, "x", N(llrint)(x), (to_integer<mpfr_rint_roundeven>), B(0, 0), B(0, 0), R(-4, 4), R(0, 0))                    \
  F(nearbyint, "x", N(nearbyint)(x), of_x<mpfr_rint_roundeven>, B(0, 0), B(0, 0), R(-4, 4), R(0, 0))                      \
  F(round, "x", N(round)(x), of_x<mpfr_rint_round>, B(0, 0), B(0, 0), R(-4, 4), R(0, 0))                                  \
  F(rint, "x", N(rint)(x), of_x<mpfr_rint_roundeven>, B(0, 0), B(0, 0), R(-4, 4), R(0, 0))                                \
  F(trunc, "x", N(trunc)(x), of_x<mpfr_rint_trunc>, B(0, 0), B(0, 0), R(-4, 4), R(0, 0))

#define TRIGONOMETRIC(F)                                                                                                  \
  F(acos, "x", N(acos)(x), of_x<mpfr_acos>, B(1, 1), B(1, 1), R(-1, 1), R(0, 0))                                          \
  F(acosh, "x", N(acosh)(x), of_x<mpfr_acosh>, B(1, 1), B(1, 1), R(1, 100), R(0, 0))                                      \
  F(asin, "x", N(asin)(x), of_x<mpfr_asin>, B(2, 1), B(2, 1), R(-1, 1), R(0, 0))                                          \
  F(asinh, "x", N(asinh)(x), of_x<mpfr_asinh>, B(1, 1), B(1, 1), R(-10, 10), R(0, 0))                                     \
  F(atan, "x", N(atan)(x), of_x<mpfr_atan>, B(2, 1), B(2, 1), R(-10, 10), R(0, 0))                                        \
  F(atan2, "xy", N(atan2)(x, y), of_xy<mpfr_atan2>, B(1, 1), B(1, 1), R(-4, 4), R(-2, 2))                                 \
  F(atanh, "x", N(atanh)(x), of_x<mpfr_atanh>, B(1, 1), B(1, 1), R(-0.9, 0.9), R(0, 0))                                   \
  F(cos, "x", N(cos)(x), of_x<mpfr_cos>, B(1, 1), B(1, 1), R(-PI, PI), R(0, 0))                                           \
  F(cosh, "x", N(cosh)(x), of_x<mpfr_cosh>, B(1, 1), B(1, 1), R(-5, 5), R(0, 0))                                          \
  F(sin, "x", N(sin)(x), of_x<mpfr_sin>, B(1, 1), B(1, 1), R(-PI, PI), R(0, 0))                                           \
  F(sinh, "x", N(sinh)(x), of_x<mpfr_sinh>, B(1, 1), B(1, 1), R(-5, 5), R(0, 0))                                          \
  F(sincos_sine, "x", ({ T s, c; N(sincos)(x, &s, &c); s; }), of_x<mpfr_sin>, B(1, 1), B(1, 1), R(-3, 3), R(0, 0))        \
  F(sincos_cosine, "x", ({ T s, c; N(sincos)(x, &s, &c); c; }), of_x<mpfr_cos>, B(1, 1), B(1, 1), R(-3, 3), R(0, 0))      \
  F(tan, "x", N(tan)(x), of_x<mpfr_tan>, B(1, 1), B(1, 1), R(-1.47 * PI, 1.47 * PI), R(0, 0))                             \
  F(tanh, "x", N(tanh)(x), of_x<mpfr_tanh>, B(2, 1), B(2, 1), R(-5, 5), R(0, 0))                                          \
  F(cospi, "x", N(cospi)(x), of_x<mpfr_cospi>, B(1, 2), B(2, 2), R(-0.3, 0.3), R(0, 0))                                   \
  F(sinpi, "x", N(sinpi)(x), of_x<mpfr_sinpi>, B(2, 2), B(2, 2), R(-0.625, 0.625), R(0, 0))                               \
  F(sincospi_sine, "x", ({ T s, c; N(sincospi)(x, &s, &c); s; }), of_x<mpfr_sinpi>, B(2, 2), B(2, 2), R(-0.3, 0.3), R(0, 0)) \
  F(sincospi_cosine, "x", ({ T s, c; N(sincospi)(x, &s, &c); c; }), of_x<mpfr_cospi>, B(1, 2), B(2, 2), R(-0.3, 0.3), R(0, 0))

#define SPECIAL(F)                                                                                                        \
  F(j0, "x", N(j0)(x), (bessel<mpfr_j0, 0>), B(-1, -1), B(8, 8), R(-20, 20), R(0, 0))                                     \
  F(j1, "x", N(j1)(x), (bessel<mpfr_j1, 1>), B(-1, -1), B(8, 8), R(-20, 20), R(0, 0))                                     \
  F(jn, "kx", N(jn)(k, x), bessel_of_order<mpfr_jn>, B(-1, -1), B(-1, -1), R(-20, 20), R(-4, 4))                          \
  F(y0, "x", N(y0)(x), (bessel<mpfr_y0, 0>), B(-1, -1), B(8, 8), R(0, 20), R(0, 0))                                       \
  F(y1, "x", N(y1)(x), (bessel<mpfr_y1, 1>), B(-1, -1), B(8, 8), R(0, 20), R(0, 0))                                       \
  F(yn, "kx", N(yn)(k, x), bessel_of_order<mpfr_yn>, B(-1, -1), B(-1, -1), R(0, 20), R(-4, 4))                            \
  F(erfcinv, "x", N(erfcinv)(x), reference::erfcinv, B(-1, -1), B(5, 5), R(0, 2), R(0, 0))                                           \
  F(erfinv, "x", N(erfinv)(x), reference::erfinv, B(-1, -1), B(2, 2), R(-1, 1), R(0, 0))                                             \
  F(normcdf, "x", N(normcdf)(x), reference::normcdf, B(-1, -1), B(5, 5), R(-10, 10), R(0, 0))                                        \
  F(normcdfinv, "x", N(normcdfinv)(x), reference::normcdfinv, B(-1, -1), B(5, 5), R(0, 1), R(0, 0))                                  \
  F(cyl_bessel_i0, "x", N(cyl_bessel_i0)(x), bessel_i<0>, B(-1, -1), B(6, 6), R(-20, 20), R(0, 0))                        \
  F(cyl_bessel_i1, "x", N(cyl_bessel_i1)(x), bessel_i<1>, B(-1, -1), B(6, 6), R(-20, 20), R(0, 0))

#define FUNCTIONS(F)                                                                                                      \
  ARITHMETIC(F) CLASSIFICATION(F) ERRORS_AND_GAMMA(F) EXPONENTIALS(F) MANIPULATION(F) LENGTHS(F) POWERS_AND_ROOTS(F)      \
  ROUNDING(F) TRIGONOMETRIC(F) SPECIAL(F)

#define FLOAT_INTRINSICS(F)                                                                                               \
  F(fdividef, "xy", fdividef(x, y), of_xy<mpfr_div>, B(0, 0), B(0, 0), R(-100, 100), R(-100, 100))                        \
  F(__fdividef, "xy", __fdividef(x, y), of_xy<mpfr_div>, B(-1, -1), B(2, 2), R(-100, 100), R(-100, 100))                  \
  F(__cosf, "x", __cosf(x), of_x<mpfr_cos>, B(4, 4), B(4, 4), R(-PI, PI), R(0, 0))                                        \
  F(__exp10f, "x", __exp10f(x), of_x<mpfr_exp10>, B(18, 18), B(18, 18), R(-4, 4), R(0, 0))                                \
  F(__expf, "x", __expf(x), of_x<mpfr_exp>, B(6, 6), B(6, 6), R(-10, 10), R(0, 0))                                        \
  F(__fadd_rn, "xy", __fadd_rn(x, y), of_xy<mpfr_add>, B(0, 0), B(0, 0), R(-1000, 1000), R(-1000, 1000))                  \
  F(__fdiv_rn, "xy", __fdiv_rn(x, y), of_xy<mpfr_div>, B(0, 0), B(0, 0), R(-100, 100), R(-100, 100))                      \
  F(__fmaf_rn, "xyz", __fmaf_rn(x, y, z), fused, B(0, 0), B(0, 0), R(-100, 100), R(-10, 10))                              \
  F(__fmul_rn, "xy", __fmul_rn(x, y), of_xy<mpfr_mul>, B(0, 0), B(0, 0), R(-100, 100), R(-100, 100))                      \
  F(__frcp_rn, "x", __frcp_rn(x), of_x<exact::exact_reciprocal>, B(0, 0), B(0, 0), R(-100, 100), R(0, 0))                 \
  F(__frsqrt_rn, "x", __frsqrt_rn(x), of_x<exact::exact_rsqrt>, B(1, 1), B(0, 0), R(0.01, 100), R(0, 0))                  \
  F(__fsqrt_rn, "x", __fsqrt_rn(x), of_x<mpfr_sqrt>, B(1, 1), B(0, 0), R(0, 100), R(0, 0))                                \
  F(__fsub_rn, "xy", __fsub_rn(x, y), of_xy<mpfr_sub>, B(0, 0), B(0, 0), R(-1000, 1000), R(-1000, 1000))                  \
  F(__log10f, "x", __log10f(x), of_x<mpfr_log10>, B(2, 2), B(2, 2), R(1e-6, 1e6), R(0, 0))                                \
  F(__log2f, "x", __log2f(x), of_x<mpfr_log2>, B(1, 1), B(1, 1), R(1e-6, 1e6), R(0, 0))                                   \
  F(__logf, "x", __logf(x), of_x<mpfr_log>, B(2, 2), B(2, 2), R(1e-6, 1e6), R(0, 0))                                      \
  F(__powf, "xy", __powf(x, y), of_xy<mpfr_pow>, B(1, 1), B(1, 1), R(-4, 4), R(-2, 2))                                    \
  F(__saturatef, "x", __saturatef(x), saturated, B(0, 0), B(0, 0), R(-2, 3), R(0, 0))                                     \
  F(__sincosf_sine, "x", ({ T s, c; __sincosf(x, &s, &c); s; }), of_x<mpfr_sin>, B(18, 18), B(18, 18), R(-3, 3), R(0, 0)) \
  F(__sincosf_cosine, "x", ({ T s, c; __sincosf(x, &s, &c); c; }), of_x<mpfr_cos>, B(4, 4), B(4, 4), R(-3, 3), R(0, 0))   \
  F(__sinf, "x", __sinf(x), of_x<mpfr_sin>, B(18, 18), B(18, 18), R(-PI, PI), R(0, 0))                                    \
  F(__tanf, "x", __tanf(x), of_x<mpfr_tan>, B(1, 1), B(1, 1), R(-1.47 * PI, 1.47 * PI), R(0, 0))

#define DOUBLE_INTRINSICS(F)                                                                                              \
  F(__dadd_rn, "xy", __dadd_rn(x, y), of_xy<mpfr_add>, B(0, 0), B(0, 0), R(-1000, 1000), R(-1000, 1000))                  \
  F(__ddiv_rn, "xy", __ddiv_rn(x, y), of_xy<mpfr_div>, B(0, 0), B(0, 0), R(-100, 100), R(-100, 100))                      \
  F(__dmul_rn, "xy", __dmul_rn(x, y), of_xy<mpfr_mul>, B(0, 0), B(0, 0), R(-100, 100), R(-100, 100))                      \
  F(__drcp_rn, "x", __drcp_rn(x), of_x<exact::exact_reciprocal>, B(0, 0), B(0, 0), R(-100, 100), R(0, 0))                 \
  F(__dsqrt_rn, "x", __dsqrt_rn(x), of_x<mpfr_sqrt>, B(0, 0), B(0, 0), R(0, 100), R(0, 0))                                \
  F(__dsub_rn, "xy", __dsub_rn(x, y), of_xy<mpfr_sub>, B(0, 0), B(0, 0), R(-1000, 1000), R(-1000, 1000))                  \
  F(__fma_rn, "xyz", __fma_rn(x, y, z), fused, B(0, 0), B(0, 0), R(-100, 100), R(-10, 10))

// Computed in float, and rounded to half.
#define HALF_FUNCTIONS(F)                                                                                                 \
  F(hceil, "x", hceil(x), of_x<mpfr_rint_ceil>, B(-1, -1), B(0, 0), R(-10, 10), R(0, 0))                                  \
  F(hcos, "x", hcos(x), of_x<mpfr_cos>, B(-1, -1), B(1, 1), R(-10, 10), R(0, 0))                                          \
  F(hexp, "x", hexp(x), of_x<mpfr_exp>, B(-1, -1), B(1, 1), R(-10, 10), R(0, 0))                                          \
  F(hexp10, "x", hexp10(x), of_x<mpfr_exp10>, B(-1, -1), B(1, 1), R(-10, 10), R(0, 0))                                    \
  F(hexp2, "x", hexp2(x), of_x<mpfr_exp2>, B(-1, -1), B(1, 1), R(-10, 10), R(0, 0))                                       \
  F(hfloor, "x", hfloor(x), of_x<mpfr_rint_floor>, B(-1, -1), B(0, 0), R(-10, 10), R(0, 0))                               \
  F(hlog, "x", hlog(x), of_x<mpfr_log>, B(-1, -1), B(1, 1), R(0, 10), R(0, 0))                                            \
  F(hlog10, "x", hlog10(x), of_x<mpfr_log10>, B(-1, -1), B(1, 1), R(0, 10), R(0, 0))                                      \
  F(hlog2, "x", hlog2(x), of_x<mpfr_log2>, B(-1, -1), B(1, 1), R(0, 10), R(0, 0))                                         \
  F(hrcp, "x", hrcp(x), of_x<exact::exact_reciprocal>, B(-1, -1), B(0, 0), R(-10, 10), R(0, 0))                           \
  F(hrint, "x", hrint(x), of_x<mpfr_rint_roundeven>, B(-1, -1), B(0, 0), R(-10, 10), R(0, 0))                             \
  F(hrsqrt, "x", hrsqrt(x), of_x<exact::exact_rsqrt>, B(-1, -1), B(1, 1), R(0, 10), R(0, 0))                              \
  F(hsin, "x", hsin(x), of_x<mpfr_sin>, B(-1, -1), B(1, 1), R(-10, 10), R(0, 0))                                          \
  F(hsqrt, "x", hsqrt(x), of_x<mpfr_sqrt>, B(-1, -1), B(0, 0), R(0, 10), R(0, 0))                                         \
  F(htrunc, "x", htrunc(x), of_x<mpfr_rint_trunc>, B(-1, -1), B(0, 0), R(-10, 10), R(0, 0))                               \
  F(__hadd, "xy", __hadd(x, y), of_xy<mpfr_add>, B(-1, -1), B(0, 0), R(-10, 10), R(-10, 10))                              \
  F(__hsub, "xy", __hsub(x, y), of_xy<mpfr_sub>, B(-1, -1), B(0, 0), R(-10, 10), R(-10, 10))                              \
  F(__hmul, "xy", __hmul(x, y), of_xy<mpfr_mul>, B(-1, -1), B(0, 0), R(-10, 10), R(-10, 10))                              \
  F(__hdiv, "xy", __hdiv(x, y), of_xy<mpfr_div>, B(-1, -1), B(0, 0), R(-10, 10), R(-10, 10))                              \
  F(__hfma, "xyz", __hfma(x, y, z), fused, B(-1, -1), B(0, 0), R(-10, 10), R(-10, 10))
