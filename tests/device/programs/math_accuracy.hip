// The math functions, by both of their names, against those of the host. Tolerances are in units of the last place, as OpenCL's
// specification bounds them.
#include "check.h"

#include <algorithm>
#include <cmath>
#include <limits>

struct Function {
  const char *name;
  double tolerance;
  double low, high; // of the arguments
  double (*of_double)(double, double);
};

// One case per function: index, tolerance for float, arguments, expression in x and y.
#define FUNCTIONS(F)                                                                               \
  F(0, 4, -10, 10, std::sin(x))                                                                    \
  F(1, 4, -10, 10, std::cos(x))                                                                    \
  F(2, 5, -1.5, 1.5, std::tan(x))                                                                  \
  F(3, 4, -1, 1, std::asin(x))                                                                     \
  F(4, 4, -1, 1, std::acos(x))                                                                     \
  F(5, 5, -50, 50, std::atan(x))                                                                   \
  F(6, 6, 0.5, 50, std::atan2(x, y))                                                               \
  F(7, 4, -5, 5, std::sinh(x))                                                                     \
  F(8, 4, -5, 5, std::cosh(x))                                                                     \
  F(9, 5, -5, 5, std::tanh(x))                                                                     \
  F(10, 3, -10, 10, std::exp(x))                                                                   \
  F(11, 3, -10, 10, std::exp2(x))                                                                  \
  F(12, 3, -1, 1, std::expm1(x))                                                                   \
  F(13, 3, 2, 100, std::log(x))                                                                    \
  F(14, 3, 2, 100, std::log2(x))                                                                   \
  F(15, 3, 2, 100, std::log10(x))                                                                  \
  F(16, 2, 0, 1, std::log1p(x))                                                                    \
  F(17, 16, 0.5, 10, std::pow(x, y))                                                               \
  F(18, 3, 0, 1000, std::sqrt(x))                                                                  \
  F(19, 2, -100, 100, std::cbrt(x))                                                                \
  F(20, 4, 0.1, 100, std::hypot(x, y))                                                             \
  F(21, 16, -2, 2, std::erf(x))                                                                    \
  F(22, 16, -2, 2, std::erfc(x))                                                                   \
  F(23, 16, 0.5, 10, std::tgamma(x))                                                               \
  F(24, 4, 1, 10, std::acosh(x))                                                                   \
  F(25, 4, -10, 10, std::asinh(x))                                                                 \
  F(26, 5, -0.9, 0.9, std::atanh(x))                                                               \
  F(27, 0, -10, 10, std::floor(x))                                                                 \
  F(28, 0, -10, 10, std::ceil(x))                                                                  \
  F(29, 0, -10, 10, std::trunc(x))                                                                 \
  F(30, 0, -10, 10, std::round(x))                                                                 \
  F(31, 0, -10, 10, std::rint(x))                                                                  \
  F(32, 0, -10, 10, std::fabs(x))                                                                  \
  F(33, 0, 0.5, 10, std::fmod(x, y))                                                               \
  F(34, 0, 0.5, 10, std::remainder(x, y))                                                          \
  F(35, 0, -10, 10, std::fmin(x, y))                                                               \
  F(36, 0, -10, 10, std::fmax(x, y))                                                               \
  F(37, 0, -10, 10, std::copysign(x, y))                                                           \
  F(38, 1, -10, 10, std::fdim(x, y))                                                               \
  F(39, 0, -10, 10, std::fma(x, y, x))                                                             \
  F(40, 0, -10, 10, std::abs(x))                                                                   \
  F(41, 0, -10, 10, std::max(x, y))                                                                \
  F(42, 0, -10, 10, std::min(x, y))                                                                \
  F(43, 0, -10, 10, std::ldexp(x, 3))                                                              \
  F(44, 0, 0.5, 10, std::logb(x))                                                                  \
  F(45, 0, -10, 10, std::nextafter(x, y))
constexpr int function_count = 46;

template <class T> __host__ __device__ T value_of(int function, T x, T y) {
  switch (function) {
#define CASE(index, tolerance, low, high, expression)                                              \
  case index:                                                                                      \
    return expression;
    FUNCTIONS(CASE)
#undef CASE
  }
  return 0;
}

template <class T> __global__ void evaluate(int function, const T *x, const T *y, T *result) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  result[i] = value_of(function, x[i], y[i]);
}

template <class T> static double ulp_distance(T value, double expected) {
  if (std::isnan(expected) || std::isnan(value))
    return std::isnan(expected) && std::isnan(value) ? 0 : INFINITY;
  const T rounded = static_cast<T>(expected);
  const T unit = std::max(std::nextafter(std::fabs(rounded), std::numeric_limits<T>::infinity()) - std::fabs(rounded),
                          std::numeric_limits<T>::denorm_min());
  return std::fabs((static_cast<double>(value) - expected) / static_cast<double>(unit));
}

template <class T> static void check_functions() {
  constexpr int count = 1024;
  static const struct {
    double tolerance, low, high;
    const char *text;
  } functions[] = {
#define ENTRY(index, tolerance, low, high, expression) {tolerance, low, high, #expression},
      FUNCTIONS(ENTRY)
#undef ENTRY
  };
  static_assert(sizeof functions / sizeof *functions == function_count);
  for (int f = 0; f < function_count; ++f) {
    const auto &function = functions[f];
    std::vector<T> x(count), y(count);
    for (int i = 0; i < count; ++i) {
      x[i] = static_cast<T>(function.low + (function.high - function.low) * (i + 0.5) / count);
      y[i] = static_cast<T>(function.low + (function.high - function.low) * ((i * 37 + 11) % count + 0.5) / count);
    }
    Buffer<T> device_x(x), device_y(y), device_result(count);
    evaluate<T><<<count / 64, 64>>>(f, device_x, device_y, device_result);
    launched();
    const auto &result = device_result.read();
    // The host's own double functions are not the last word on doubles, so one unit more is granted there. What has no
    // tolerance is exact, and computed in the same precision.
    double worst = 0;
    for (int i = 0; i < count; ++i)
      worst = std::max(worst, function.tolerance == 0 || sizeof(T) == 8
                                  ? ulp_distance(result[i], static_cast<double>(value_of(f, x[i], y[i])))
                                  : ulp_distance(result[i], value_of(f, static_cast<double>(x[i]), static_cast<double>(y[i]))));
    const double allowed = function.tolerance + (sizeof(T) == 8 && function.tolerance > 0 ? 1 : 0);
    if (results_count() && !(worst <= allowed)) {
      ++failures;
      std::fprintf(stderr, "%s of %s: %g units off, %g allowed\n", function.text,
                   sizeof(T) == 4 ? "float" : "double", worst, allowed);
    }
  }
}

__global__ void c_names(float *f, double *d) {
  f[0] = sinf(0.5f);
  f[1] = powf(2.0f, 10.0f);
  f[2] = rsqrtf(16.0f);
  f[3] = fmaf(2, 3, 4);
  f[4] = floorf(-1.5f);
  f[5] = sinpif(0.5f);
  f[6] = exp10f(2.0f);
  float s, c;
  sincosf(0.25f, &s, &c);
  f[7] = s * s + c * c;
  int exponent;
  f[8] = frexpf(24.0f, &exponent);
  f[9] = exponent;
  float whole;
  f[10] = modff(-3.25f, &whole);
  f[11] = whole;
  d[0] = sin(0.5);
  d[1] = pow(2.0, 10.0);
  d[2] = rsqrt(16.0);
  d[3] = fma(2.0, 3.0, 4.0);
  d[4] = rint(2.5);
  d[5] = llround(-2.5);
  d[6] = isnan(NAN) + 2 * isinf(INFINITY) + 4 * isfinite(1.0);
  d[7] = pow(2.0, 3);
}

__global__ void fast_and_integer(float *f, int *i) {
  const float x = f[0];
  f[1] = __expf(x);
  f[2] = __logf(x);
  f[3] = __sinf(x);
  f[4] = __fdividef(1.0f, x);
  i[1] = __popc(i[0]);
  i[2] = __clz(i[0]);
  i[3] = __ffs(i[0]);
  i[4] = __brev(i[0]);
  i[5] = __umulhi(0x80000000u, 6u);
  i[6] = __mul24(-3, 5);
  i[7] = abs(-i[0]);
  i[8] = __float_as_int(1.0f);
  i[9] = max(i[0], 7) + min(i[0], 7);
  i[10] = __clz(0) + __ffs(0);
  i[11] = __popcll(0xff00000000ffull) + __clzll(1);
}

int main() {
  check_functions<float>();
  check_functions<double>();
  {
    Buffer<float> f(12);
    Buffer<double> d(8);
    c_names<<<1, 1>>>(f, d);
    launched();
    const auto &r = f.read();
    CHECK(std::fabs(r[0] - 0.479425539f) < 1e-6f);
    CHECK(std::fabs(r[1] - 1024) < 1e-2f);
    CHECK(std::fabs(r[2] - 0.25f) < 1e-6f);
    CHECK(r[3] == 10);
    CHECK(r[4] == -2);
    CHECK(std::fabs(r[5] - 1) < 1e-6f);
    CHECK(std::fabs(r[6] - 100) < 1e-3f);
    CHECK(std::fabs(r[7] - 1) < 1e-5f);
    CHECK(r[8] == 0.75f && r[9] == 5);
    CHECK(r[10] == -0.25f && r[11] == -3);
    const auto &s = d.read();
    CHECK(std::fabs(s[0] - std::sin(0.5)) < 1e-14);
    CHECK(std::fabs(s[1] - 1024) < 1e-10);
    CHECK(std::fabs(s[2] - 0.25) < 1e-15);
    CHECK(s[3] == 10);
    CHECK(s[4] == 2);
    CHECK(s[5] == -3);
    CHECK(s[6] == 7);
    CHECK(std::fabs(s[7] - 8) < 1e-13);
  }
  {
    Buffer<float> f(std::vector<float>{1.5f, 0, 0, 0, 0});
    std::vector<int> values(12);
    values[0] = 0x00f0;
    Buffer<int> i(values);
    fast_and_integer<<<1, 1>>>(f, i);
    launched();
    const auto &r = f.read();
    CHECK(std::fabs(r[1] / std::exp(1.5f) - 1) < 1e-4f);
    CHECK(std::fabs(r[2] / std::log(1.5f) - 1) < 1e-4f);
    CHECK(std::fabs(r[3] / std::sin(1.5f) - 1) < 1e-3f);
    CHECK(std::fabs(r[4] * 1.5f - 1) < 1e-5f);
    const auto &n = i.read();
    CHECK(n[1] == 4);
    CHECK(n[2] == 24);
    CHECK(n[3] == 5);
    CHECK(n[4] == 0x0f000000);
    CHECK(n[5] == 3);
    CHECK(n[6] == -15);
    CHECK(n[7] == 0xf0);
    CHECK(n[8] == 0x3f800000);
    CHECK(n[9] == 0xf0 + 7);
    CHECK(n[10] == 32);
    CHECK(n[11] == 16 + 63);
  }
  return verdict();
}
