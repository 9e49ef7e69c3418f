#include "functions.h"

#include <cmath>
#include <cstdarg>
#include <cstdio>
#include <limits>
#include <numbers>

namespace ze_cpu {
namespace {

constexpr double pi = std::numbers::pi;

// Reduced so that the argument of sin and cos is at most pi/4: exact, because multiples of 1/2 are.
struct Reduced {
  double rest;       // x - n/2, in [-1/4, 1/4]
  unsigned quadrant; // n modulo 4
};
Reduced reduce(double x) {
  double cycles = x - 2 * std::rint(x / 2); // in [-1, 1]
  double halves = std::rint(2 * cycles);
  return {cycles - halves / 2, static_cast<unsigned>(static_cast<int>(halves)) & 3};
}

double sinpi(double x) {
  if (!std::isfinite(x))
    return std::numeric_limits<double>::quiet_NaN();
  if (x == std::trunc(x))
    return std::copysign(0.0, x);
  Reduced r = reduce(x);
  switch (r.quadrant) {
  case 0:
    return std::sin(pi * r.rest);
  case 1:
    return std::cos(pi * r.rest);
  case 2:
    return -std::sin(pi * r.rest);
  default:
    return -std::cos(pi * r.rest);
  }
}

double cospi(double x) {
  if (!std::isfinite(x))
    return std::numeric_limits<double>::quiet_NaN();
  Reduced r = reduce(x);
  if (r.rest == 0 && (r.quadrant & 1))
    return 0;
  switch (r.quadrant) {
  case 0:
    return std::cos(pi * r.rest);
  case 1:
    return -std::sin(pi * r.rest);
  case 2:
    return -std::cos(pi * r.rest);
  default:
    return std::sin(pi * r.rest);
  }
}

// Signs at whole and half numbers as OpenCL's edge cases want them.
double tanpi(double x) {
  if (!std::isfinite(x))
    return std::numeric_limits<double>::quiet_NaN();
  Reduced r = reduce(x);
  double parity = std::fabs(std::fmod(x, 2.0)); // exact
  if (x == std::trunc(x))
    return parity == 1 ? -std::copysign(0.0, x) : std::copysign(0.0, x);
  if (r.rest == 0)
    return std::copysign(std::numeric_limits<double>::infinity(), r.quadrant == 1 ? 1.0 : -1.0);
  double tangent = std::tan(pi * r.rest);
  return r.quadrant & 1 ? -1 / tangent : tangent;
}

double acospi(double x) { return std::acos(x) / pi; }
double asinpi(double x) { return std::asin(x) / pi; }
double atanpi(double x) { return std::atan(x) / pi; }
double atan2pi(double y, double x) { return std::atan2(y, x) / pi; }

// The C library's double is only good to 4 units in the last place, OpenCL wants 2.
double cbrt(double x) { return static_cast<double>(std::cbrt(static_cast<long double>(x))); }

double acos(double x) { return std::acos(x); }
double asin(double x) { return std::asin(x); }
double atan(double x) { return std::atan(x); }
double atan2(double y, double x) { return std::atan2(y, x); }
double cos(double x) { return std::cos(x); }
double expm1(double x) { return std::expm1(x); }
double log(double x) { return std::log(x); }
double log1p(double x) { return std::log1p(x); }
double sin(double x) { return std::sin(x); }
double tan(double x) { return std::tan(x); }
// Up to two units off in double.
double acosh(double x) { return static_cast<double>(std::acosh(static_cast<long double>(x))); }
double asinh(double x) { return static_cast<double>(std::asinh(static_cast<long double>(x))); }
double atanh(double x) { return static_cast<double>(std::atanh(static_cast<long double>(x))); }
double cosh(double x) { return static_cast<double>(std::cosh(static_cast<long double>(x))); }
double sinh(double x) { return static_cast<double>(std::sinh(static_cast<long double>(x))); }
double tanh(double x) { return static_cast<double>(std::tanh(static_cast<long double>(x))); }

double powr(double x, double y) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  if (x < 0 || std::isnan(x) || std::isnan(y))
    return nan;
  if ((x == 0 && y == 0) || (std::isinf(x) && y == 0) || (x == 1 && std::isinf(y)))
    return nan;
  return std::pow(std::fabs(x), y);
}

// The quotient 1/n is rounded, so the power is taken in a wider type.
template <class T, class Wide> T rootn_in(T x, int n) {
  if (n == 0)
    return std::numeric_limits<T>::quiet_NaN();
  bool odd = n & 1;
  if (x < 0 && !odd)
    return std::numeric_limits<T>::quiet_NaN();
  if (x == 0)
    return n > 0 ? (odd ? x : T(0))
                 : (odd ? std::copysign(std::numeric_limits<T>::infinity(), x)
                        : std::numeric_limits<T>::infinity());
  Wide root = std::pow(std::fabs(Wide(x)), Wide(1) / Wide(n));
  return std::copysign(static_cast<T>(root), odd ? x : T(1));
}
double rootn(double x, int n) { return rootn_in<double, long double>(x, n); }
float rootnf(float x, int n) { return rootn_in<float, double>(x, n); }

// Single precision through double is correct to the last place or nearly.
float sinpif(float x) { return static_cast<float>(sinpi(x)); }
float cospif(float x) { return static_cast<float>(cospi(x)); }
float tanpif(float x) { return static_cast<float>(tanpi(x)); }
float acospif(float x) { return static_cast<float>(acospi(x)); }
float asinpif(float x) { return static_cast<float>(asinpi(x)); }
float atanpif(float x) { return static_cast<float>(atanpi(x)); }
float atan2pif(float y, float x) { return static_cast<float>(atan2pi(y, x)); }
float powrf(float x, float y) { return static_cast<float>(powr(x, y)); }

// What a kernel printed is there when the host has waited for it, also where output goes to a file.
int print(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const int count = std::vprintf(format, arguments);
  va_end(arguments);
  std::fflush(stdout);
  return count < 0 ? -1 : 0; // OpenCL C specification, 6.15.14
}

template <class Function> RuntimeFunction entry(const char *name, Function *function) {
  return {name, reinterpret_cast<void *>(function)};
}

} // namespace

std::span<const RuntimeFunction> runtime_functions() {
  static const RuntimeFunction functions[] = {
      entry("ze_cpu_cbrt", cbrt),         entry("ze_cpu_acos", acos),
      entry("ze_cpu_acosh", acosh),       entry("ze_cpu_asin", asin),
      entry("ze_cpu_asinh", asinh),       entry("ze_cpu_atan", atan),
      entry("ze_cpu_atan2", atan2),       entry("ze_cpu_atanh", atanh),
      entry("ze_cpu_cos", cos),           entry("ze_cpu_cosh", cosh),
      entry("ze_cpu_expm1", expm1),       entry("ze_cpu_log", log),
      entry("ze_cpu_log1p", log1p),       entry("ze_cpu_sin", sin),
      entry("ze_cpu_sinh", sinh),         entry("ze_cpu_tan", tan),
      entry("ze_cpu_tanh", tanh),         entry("ze_cpu_sinpi", sinpi),
      entry("ze_cpu_sinpif", sinpif),     entry("ze_cpu_cospi", cospi),
      entry("ze_cpu_cospif", cospif),     entry("ze_cpu_tanpi", tanpi),
      entry("ze_cpu_tanpif", tanpif),     entry("ze_cpu_acospi", acospi),
      entry("ze_cpu_acospif", acospif),   entry("ze_cpu_asinpi", asinpi),
      entry("ze_cpu_asinpif", asinpif),   entry("ze_cpu_atanpi", atanpi),
      entry("ze_cpu_atanpif", atanpif),   entry("ze_cpu_atan2pi", atan2pi),
      entry("ze_cpu_atan2pif", atan2pif), entry("ze_cpu_powr", powr),
      entry("ze_cpu_powrf", powrf),       entry("ze_cpu_rootn", rootn),
      entry("ze_cpu_rootnf", rootnf),     entry("ze_cpu_printf", print),
  };
  return functions;
}

} // namespace ze_cpu
