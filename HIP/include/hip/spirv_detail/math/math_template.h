// The functions of <math.h> and HIP's own, for one type: included once for each, without a guard.
// CHIP_REAL is the type, CHIP_NAME(name) the name of the function for that type.

#define CHIP_MATH_1(name)                                                                          \
  CHIP_DEVICE CHIP_REAL CHIP_NAME(name)(CHIP_REAL x) { return __spirv_ocl_##name(x); }
CHIP_MATH_1(acos)
CHIP_MATH_1(acosh)
CHIP_MATH_1(asin)
CHIP_MATH_1(asinh)
CHIP_MATH_1(atan)
CHIP_MATH_1(atanh)
CHIP_MATH_1(cbrt)
CHIP_MATH_1(cos)
CHIP_MATH_1(cosh)
CHIP_MATH_1(cospi)
CHIP_MATH_1(erf)
CHIP_MATH_1(erfc)
CHIP_MATH_1(exp)
CHIP_MATH_1(exp10)
CHIP_MATH_1(exp2)
CHIP_MATH_1(expm1)
CHIP_MATH_1(lgamma)
CHIP_MATH_1(log)
CHIP_MATH_1(log10)
CHIP_MATH_1(log1p)
CHIP_MATH_1(log2)
CHIP_MATH_1(logb)
CHIP_MATH_1(rsqrt)
CHIP_MATH_1(sin)
CHIP_MATH_1(sinh)
CHIP_MATH_1(sinpi)
CHIP_MATH_1(tan)
CHIP_MATH_1(tanh)
CHIP_MATH_1(tgamma)
#undef CHIP_MATH_1

#define CHIP_MATH_2(name)                                                                          \
  CHIP_DEVICE CHIP_REAL CHIP_NAME(name)(CHIP_REAL x, CHIP_REAL y) {                                \
    return __spirv_ocl_##name(x, y);                                                               \
  }
CHIP_MATH_2(atan2)
CHIP_MATH_2(fdim)
CHIP_MATH_2(fmod)
CHIP_MATH_2(hypot)
CHIP_MATH_2(nextafter)
CHIP_MATH_2(remainder)
#undef CHIP_MATH_2

// Those that the compiler knows

#define CHIP_MATH_1(name)                                                                          \
  CHIP_DEVICE CHIP_REAL CHIP_NAME(name)(CHIP_REAL x) { return chip_device::name(x); }
CHIP_MATH_1(ceil)
CHIP_MATH_1(fabs)
CHIP_MATH_1(floor)
CHIP_MATH_1(rint)
CHIP_MATH_1(round)
CHIP_MATH_1(sqrt)
CHIP_MATH_1(trunc)
#undef CHIP_MATH_1

#define CHIP_MATH_2(name)                                                                          \
  CHIP_DEVICE CHIP_REAL CHIP_NAME(name)(CHIP_REAL x, CHIP_REAL y) {                                \
    return chip_device::name(x, y);                                                                \
  }
CHIP_MATH_2(copysign)
CHIP_MATH_2(fmax)
CHIP_MATH_2(fmin)
#undef CHIP_MATH_2

CHIP_DEVICE CHIP_REAL CHIP_NAME(fma)(CHIP_REAL x, CHIP_REAL y, CHIP_REAL z) {
  return chip_device::fma(x, y, z);
}

/// The compiler turns squares and other powers by a known exponent into something cheaper.
CHIP_DEVICE CHIP_REAL CHIP_NAME(pow)(CHIP_REAL x, CHIP_REAL y) {
  return __builtin_constant_p(y) ? chip_device::pow(x, y) : __spirv_ocl_pow(x, y);
}
CHIP_DEVICE CHIP_REAL CHIP_NAME(powi)(CHIP_REAL x, int n) {
  if (__builtin_constant_p(n))
    return chip_device::pow(x, static_cast<CHIP_REAL>(n));
  return __spirv_ocl_pown(x, n);
}

// Rounding to integers; there is one rounding mode, to the nearest even.

CHIP_DEVICE CHIP_REAL CHIP_NAME(nearbyint)(CHIP_REAL x) { return chip_device::rint(x); }
CHIP_DEVICE long CHIP_NAME(lrint)(CHIP_REAL x) { return static_cast<long>(chip_device::rint(x)); }
CHIP_DEVICE long long CHIP_NAME(llrint)(CHIP_REAL x) {
  return static_cast<long long>(chip_device::rint(x));
}
CHIP_DEVICE long CHIP_NAME(lround)(CHIP_REAL x) { return static_cast<long>(chip_device::round(x)); }
CHIP_DEVICE long long CHIP_NAME(llround)(CHIP_REAL x) {
  return static_cast<long long>(chip_device::round(x));
}

// Parts of a number

CHIP_DEVICE CHIP_REAL CHIP_NAME(modf)(CHIP_REAL x, CHIP_REAL *integer) {
  *integer = chip_device::trunc(x);
  const CHIP_REAL fraction = __builtin_isinf(x) ? 0 : x - *integer;
  return chip_device::copysign(fraction, x);
}

CHIP_DEVICE CHIP_REAL CHIP_NAME(frexp)(CHIP_REAL x, int *exponent) {
  typedef chip_device::Format<CHIP_REAL> Format;
  *exponent = 0;
  if (x == 0 || !__builtin_isfinite(x))
    return x;
  // Numbers too small for the usual form are made larger first.
  const bool is_small = !__builtin_isnormal(x);
  if (is_small)
    x *= static_cast<CHIP_REAL>(1l << Format::mantissa);
  const Format::__Bits bits = __builtin_bit_cast(Format::__Bits, x);
  const int biased = static_cast<int>(bits >> Format::mantissa) & Format::exponents;
  const int half = Format::exponents / 2 - 1;
  *exponent = biased - half - (is_small ? Format::mantissa : 0);
  const Format::__Bits mask = static_cast<Format::__Bits>(Format::exponents) << Format::mantissa;
  return __builtin_bit_cast(CHIP_REAL, (bits & ~mask) |
                                           (static_cast<Format::__Bits>(half) << Format::mantissa));
}

/// OpenCL leaves it open what a NaN has; here it is INT_MIN.
CHIP_DEVICE int CHIP_NAME(ilogb)(CHIP_REAL x) {
  return __builtin_isnan(x) ? -__INT_MAX__ - 1 : __spirv_ocl_ilogb(x);
}
CHIP_DEVICE CHIP_REAL CHIP_NAME(ldexp)(CHIP_REAL x, int n) { return __spirv_ocl_ldexp(x, n); }
CHIP_DEVICE CHIP_REAL CHIP_NAME(scalbn)(CHIP_REAL x, int n) { return __spirv_ocl_ldexp(x, n); }
CHIP_DEVICE CHIP_REAL CHIP_NAME(scalbln)(CHIP_REAL x, long n) {
  // Far more than any number can be scaled by.
  const long limit = 1 << 16;
  return __spirv_ocl_ldexp(x, static_cast<int>(n < -limit ? -limit : n > limit ? limit : n));
}

/// The remainder, and a number with the quotient's lowest three bits and its sign.
CHIP_DEVICE CHIP_REAL CHIP_NAME(remquo)(CHIP_REAL x, CHIP_REAL y, int *quotient) {
  const CHIP_REAL dividend = chip_device::fabs(x);
  const CHIP_REAL divisor = chip_device::fabs(y);
  // What is left of the dividend has the same lowest bits, and is small enough to divide.
  const CHIP_REAL rest = __spirv_ocl_fmod(dividend, 8 * divisor);
  const CHIP_REAL remainder = __spirv_ocl_remainder(dividend, divisor);
  const CHIP_REAL multiple = chip_device::rint(rest / divisor - remainder / divisor);
  // From 0 to 8, since what is left is rounded as well; 8 says as much of the lowest bits as 0.
  const int bits = __builtin_isfinite(multiple) ? static_cast<int>(multiple) : 0;
  *quotient = __builtin_signbit(x) != __builtin_signbit(y) ? -bits : bits;
  return __builtin_signbit(x) ? -remainder : remainder;
}

/// A quiet NaN; its bits do not depend on the text.
CHIP_DEVICE CHIP_REAL CHIP_NAME(nan)(const char *) {
  return static_cast<CHIP_REAL>(__builtin_nanf(""));
}

// Of HIP, not of C

CHIP_DEVICE void CHIP_NAME(sincos)(CHIP_REAL x, CHIP_REAL *sine, CHIP_REAL *cosine) {
  *sine = __spirv_ocl_sin(x);
  *cosine = __spirv_ocl_cos(x);
}
CHIP_DEVICE void CHIP_NAME(sincospi)(CHIP_REAL x, CHIP_REAL *sine, CHIP_REAL *cosine) {
  *sine = __spirv_ocl_sinpi(x);
  *cosine = __spirv_ocl_cospi(x);
}
CHIP_DEVICE CHIP_REAL CHIP_NAME(rcbrt)(CHIP_REAL x) { return 1 / __spirv_ocl_cbrt(x); }

#define CHIP_SPECIAL(name, function)                                                               \
  CHIP_DEVICE CHIP_REAL CHIP_NAME(name)(CHIP_REAL x) { return chip_device::function(x); }
CHIP_SPECIAL(cyl_bessel_i0, bessel_i0)
CHIP_SPECIAL(cyl_bessel_i1, bessel_i1)
CHIP_SPECIAL(erfcinv, erfcinv)
CHIP_SPECIAL(erfcx, erfcx)
CHIP_SPECIAL(erfinv, erfinv)
CHIP_SPECIAL(j0, bessel_j0)
CHIP_SPECIAL(j1, bessel_j1)
CHIP_SPECIAL(normcdf, normcdf)
CHIP_SPECIAL(normcdfinv, normcdfinv)
CHIP_SPECIAL(y0, bessel_y0)
CHIP_SPECIAL(y1, bessel_y1)
#undef CHIP_SPECIAL
CHIP_DEVICE CHIP_REAL CHIP_NAME(jn)(int n, CHIP_REAL x) { return chip_device::bessel_jn(n, x); }
CHIP_DEVICE CHIP_REAL CHIP_NAME(yn)(int n, CHIP_REAL x) { return chip_device::bessel_yn(n, x); }

// Lengths, and what to multiply with to make the length one

CHIP_DEVICE CHIP_REAL CHIP_NAME(rhypot)(CHIP_REAL x, CHIP_REAL y) {
  const CHIP_REAL values[] = {x, y};
  return chip_device::reciprocal_length(2, values);
}
CHIP_DEVICE CHIP_REAL CHIP_NAME(norm3d)(CHIP_REAL x, CHIP_REAL y, CHIP_REAL z) {
  const CHIP_REAL values[] = {x, y, z};
  return chip_device::length(3, values);
}
CHIP_DEVICE CHIP_REAL CHIP_NAME(rnorm3d)(CHIP_REAL x, CHIP_REAL y, CHIP_REAL z) {
  const CHIP_REAL values[] = {x, y, z};
  return chip_device::reciprocal_length(3, values);
}
CHIP_DEVICE CHIP_REAL CHIP_NAME(norm4d)(CHIP_REAL x, CHIP_REAL y, CHIP_REAL z, CHIP_REAL w) {
  const CHIP_REAL values[] = {x, y, z, w};
  return chip_device::length(4, values);
}
CHIP_DEVICE CHIP_REAL CHIP_NAME(rnorm4d)(CHIP_REAL x, CHIP_REAL y, CHIP_REAL z, CHIP_REAL w) {
  const CHIP_REAL values[] = {x, y, z, w};
  return chip_device::reciprocal_length(4, values);
}
CHIP_DEVICE CHIP_REAL CHIP_NAME(norm)(int count, const CHIP_REAL *values) {
  return chip_device::length(count, values);
}
CHIP_DEVICE CHIP_REAL CHIP_NAME(rnorm)(int count, const CHIP_REAL *values) {
  return chip_device::reciprocal_length(count, values);
}
