// Special functions against the host's in long double, in units of the last place; Bessel functions of the first and second kind,
// which have zeros, from 8 on or of a higher order, in units of the largest values nearby.
#include "../device_test.h"

#include <algorithm>
#include <cmath>
#include <limits>

using namespace device_test;

// On the device by name, for both types.
#define FUNCTIONS(X)                                                                                                      \
  X(erfinv) X(erfcinv) X(erfcx) X(normcdf) X(normcdfinv) X(cyl_bessel_i0) X(cyl_bessel_i1) X(j0) X(j1) X(y0) X(y1) X(rcbrt)

enum Function {
#define X(name) id_##name,
  FUNCTIONS(X)
#undef X
      id_jn,
  id_yn
};

__device__ float call(int function, int, float x) {
  switch (function) {
#define X(name)                                                                                                           \
  case id_##name:                                                                                                         \
    return name##f(x);
    FUNCTIONS(X)
#undef X
  }
  return 0;
}
__device__ double call(int function, int, double x) {
  switch (function) {
#define X(name)                                                                                                           \
  case id_##name:                                                                                                         \
    return name(x);
    FUNCTIONS(X)
#undef X
  }
  return 0;
}
__device__ float call_of_order(int function, int n, float x) { return function == id_jn ? jnf(n, x) : ynf(n, x); }
__device__ double call_of_order(int function, int n, double x) { return function == id_jn ? jn(n, x) : yn(n, x); }

template <class T> __global__ void evaluate(int function, int order, const T *x, T *out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = function >= id_jn ? call_of_order(function, order, x[i]) : call(function, order, x[i]);
}

typedef long double Wide;

Wide scaled_erfc(Wide x) {
  if (x < 25)
    return std::exp(x * x) * std::erfc(x);
  // The asymptotic series; its first term left out is below what Wide holds.
  Wide sum = 1, term = 1;
  for (int k = 1; k < 20; ++k)
    sum += term *= -(2 * k - 1) / (2 * x * x);
  return sum / (x * std::sqrt(std::acos(Wide(-1))));
}
// The z for which erfc(z) is c, by Newton's method on the logarithm.
Wide inverse_erfc(Wide c) {
  if (c > 1)
    return -inverse_erfc(2 - c);
  Wide z = c > 0.5L ? (1 - c) * 0.9L : std::sqrt(-std::log(c * (2 - c)));
  for (int i = 0; i < 60; ++i) {
    const Wide step = (std::log(scaled_erfc(z)) - z * z - std::log(c)) * scaled_erfc(z) * std::sqrt(std::acos(Wide(-1))) / 2;
    z += step;
    if (std::fabs(step) < 1e-19L * std::fabs(z))
      break;
  }
  return z;
}
// The same by Newton's method on erf, for small y.
Wide inverse_erf(Wide y) {
  if (std::fabs(y) > 0.5L)
    return y > 0 ? inverse_erfc(1 - y) : -inverse_erfc(1 + y);
  Wide z = y * 0.9L;
  for (int i = 0; i < 60; ++i)
    z -= (std::erf(z) - y) * std::exp(z * z) * std::sqrt(std::acos(Wide(-1))) / 2;
  return z;
}

Wide expected(int function, int n, Wide x) {
  switch (function) {
  case id_erfinv:
    return inverse_erf(x);
  case id_erfcinv:
    return x > 0.5L && x < 1.5L ? inverse_erf(1 - x) : inverse_erfc(x);
  case id_erfcx:
    return scaled_erfc(x);
  case id_normcdf:
    return std::erfc(-x / std::sqrt(Wide(2))) / 2;
  case id_normcdfinv:
    return -std::sqrt(Wide(2)) * expected(id_erfcinv, 0, 2 * x);
  case id_cyl_bessel_i0:
    return std::cyl_bessel_i(Wide(0), std::fabs(x));
  case id_cyl_bessel_i1:
    return std::copysign(std::cyl_bessel_i(Wide(1), std::fabs(x)), x);
  case id_j0:
    return j0l(x);
  case id_j1:
    return j1l(x);
  case id_y0:
    return y0l(x);
  case id_y1:
    return y1l(x);
  case id_rcbrt:
    return 1 / std::cbrt(x);
  case id_jn:
    return jnl(n, x);
  default:
    return ynl(n, x);
  }
}

template <class T> void test(int function, const char *name, int order, double low, double high, double allowed, bool logarithmic = false) {
  constexpr size_t count = 2048;
  Array<T> x(count), out(count);
  for (size_t i = 0; i < count; ++i) {
    const double part = (double(i) + 0.5) / count;
    x[i] = T(logarithmic ? std::exp(std::log(low) * (1 - part) + std::log(high) * part) : low + (high - low) * part);
  }
  evaluate<<<count / 64, 64>>>(function, order, x.get(), out.get());
  wait();
  double worst = 0;
  T at = 0;
  const bool is_of_order = function == id_jn || function == id_yn;
  const bool oscillates = is_of_order || ((function == id_j0 || function == id_j1 || function == id_y0 || function == id_y1) && std::max(-low, high) > 8);
  for (size_t i = 0; i < count; ++i) {
    const Wide value = expected(function, order, Wide(x[i]));
    Wide scale = std::fabs(value);
    if (oscillates)
      scale = std::max(scale, std::min(Wide(1), std::sqrt(2 / (std::fabs(Wide(x[i])) * Wide(3.1415926535L)))));
    if ((function == id_jn || function == id_j0 || function == id_j1) && order > std::fabs(x[i]))
      scale = std::fabs(value);
    const Wide unit = std::max(scale * std::numeric_limits<T>::epsilon(), Wide(std::numeric_limits<T>::denorm_min()));
    const double error = double(std::fabs(Wide(out[i]) - value) / unit);
    if (!(error <= worst) && !std::isnan(worst)) {
      worst = error;
      at = x[i];
    }
  }
  if (!(worst <= allowed) && !unchecked())
    std::printf("%s of %s, order %d, from %g to %g: %g units at %.17g\n", name, sizeof(T) == 4 ? "float" : "double", order, low, high, worst, double(at));
  CHECK(worst <= allowed);
  if (std::getenv("CHIP_TEST_VERBOSE"))
    std::printf("%-14s %-6s order %3d from %-8g to %-8g: %.2f\n", name, sizeof(T) == 4 ? "float" : "double", order, low, high, worst);
}

template <class T> void test_all() {
  const bool is_float = sizeof(T) == 4;
#define TEST(name, ...) test<T>(id_##name, #name, 0, __VA_ARGS__)
  TEST(erfinv, -1, 1, 4);
  TEST(erfinv, 1e-30, 0.5, 4, true);
  TEST(erfcinv, 0, 2, 4);
  TEST(erfcinv, is_float ? 1e-37 : 1e-300, 0.5, 4, true);
  TEST(normcdfinv, 0, 1, 4);
  TEST(normcdfinv, is_float ? 1e-38 : 1e-307, 0.3, 4, true);
  TEST(erfcx, 0, 10, 4);
  TEST(erfcx, -5, 0, 6);
  TEST(erfcx, is_float ? -9 : -26.5, -5, 6);
  TEST(erfcx, 1e-10, is_float ? 1e38 : 1e300, 4, true);
  TEST(normcdf, -5, 5, 6);
  TEST(normcdf, is_float ? -13 : -37, -5, 16);
  TEST(cyl_bessel_i0, -8, 8, 4);
  TEST(cyl_bessel_i0, 8, is_float ? 91.5 : 713, 8);
  TEST(cyl_bessel_i1, -8, 8, 4);
  TEST(cyl_bessel_i1, is_float ? -91.5 : -713, -8, 8);
  TEST(j0, -8, 8, 4);
  TEST(j0, 8, 1000, 4);
  TEST(j1, -8, 8, 4);
  TEST(j1, -1000, -8, 4);
  TEST(j1, 1e-30, 1, 4, true);
  TEST(y0, 0, 8, 4);
  TEST(y0, 8, 1000, 4);
  TEST(y0, 1e-30, 1, 4, true);
  TEST(y1, 0, 8, 4);
  TEST(y1, 8, 1000, 4);
  TEST(y1, 1e-30, 1, 4, true);
  TEST(y1, is_float ? 1.88e-39 : 3.6e-309, 1e-30, 4, true);
  TEST(rcbrt, 1e-30, 1e30, 3, true);
#undef TEST
  for (int n : {-3, -2, 0, 1, 2, 3, 7, 30}) {
    test<T>(id_jn, "jn", n, -30, 30, 40);
    test<T>(id_jn, "jn", n, 30, 300, 40);
    if (n > 0)
      test<T>(id_jn, "jn", n, n > 6 ? 0.1 : 1e-5, n * 0.9, 40, true);
    test<T>(id_yn, "yn", n, n > 6 ? 5 : 0.5, 100, 40);
  }
}

template <class T> __global__ void edges(T *out) {
  const T infinity = T(__builtin_huge_valf()), nan = T(__builtin_nanf(""));
  int n = 0;
  // 1: infinite, and with the sign expected
  out[n++] = call(id_erfinv, 0, T(1)) == infinity && call(id_erfinv, 0, T(-1)) == -infinity;
  out[n++] = call(id_erfcinv, 0, T(0)) == infinity && call(id_erfcinv, 0, T(2)) == -infinity;
  out[n++] = call(id_normcdfinv, 0, T(0)) == -infinity && call(id_normcdfinv, 0, T(1)) == infinity;
  out[n++] = call(id_erfcx, 0, -infinity) == infinity && call(id_erfcx, 0, T(-1e5)) == infinity;
  out[n++] = call(id_cyl_bessel_i0, 0, infinity) == infinity && call(id_cyl_bessel_i1, 0, -infinity) == -infinity;
  out[n++] = call(id_y0, 0, T(0)) == -infinity && call(id_y1, 0, T(0)) == -infinity && call_of_order(id_yn, 5, T(0)) == -infinity;
  out[n++] = call_of_order(id_yn, 50, T(1e-20)) == -infinity && call_of_order(id_yn, -3, T(0)) == infinity;
  // 7: zeros
  out[n++] = call(id_erfinv, 0, T(0)) == 0 && call(id_erfcinv, 0, T(1)) == 0 && call(id_normcdfinv, 0, T(0.5)) == 0;
  out[n++] = call(id_erfcx, 0, infinity) == 0 && call(id_normcdf, 0, -infinity) == 0 && call(id_normcdf, 0, infinity) == 1;
  out[n++] = call(id_j0, 0, infinity) == 0 && call(id_j1, 0, -infinity) == 0 && call(id_y0, 0, infinity) == 0;
  out[n++] = call(id_y1, 0, infinity) == 0 && call_of_order(id_jn, 4, T(0)) == 0 && call_of_order(id_jn, 4, infinity) == 0;
  out[n++] = call_of_order(id_jn, 1000, T(1e-30)) == 0 && call(id_j1, 0, T(0)) == 0 && call(id_cyl_bessel_i1, 0, T(0)) == 0;
  out[n++] = call(id_j0, 0, T(0)) == 1 && call(id_cyl_bessel_i0, 0, T(0)) == 1 && call(id_erfcx, 0, T(0)) > T(1 - 1e-6);
  // 13: none
  bool all = true;
  for (int f = 0; f < id_jn; ++f) {
    const T value = call(f, 0, nan);
    all &= value != value;
  }
  out[n++] = all;
  const T values[] = {call(id_erfinv, 0, T(1.5)), call(id_erfcinv, 0, T(-1)), call(id_erfcinv, 0, T(3)), call(id_normcdfinv, 0, T(2)),
                      call(id_y0, 0, T(-1)),      call(id_y1, 0, T(-1)),      call_of_order(id_jn, 3, nan), call_of_order(id_yn, 3, nan)};
  all = true;
  for (T value : values)
    all &= value != value;
  out[n++] = all;
}

template <class T> void test_edges() {
  Array<T> out(15);
  edges<<<1, 1>>>(out.get());
  wait();
  for (size_t i = 0; i < 15; ++i) {
    if (out[i] != 1 && !unchecked())
      std::printf("edge %zu of %s is wrong\n", i, sizeof(T) == 4 ? "float" : "double");
    CHECK(out[i] == 1);
  }
}

int main() {
  test_edges<float>();
  test_edges<double>();
  test_all<float>();
  test_all<double>();
  return result();
}
