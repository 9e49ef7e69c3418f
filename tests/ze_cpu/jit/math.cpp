#include "harness/harness.h"

#include <algorithm>
#include <array>
#include <catch2/catch_template_test_macros.hpp>
#include <cmath>
#include <limits>
#include <numbers>
#include <random>

using namespace test;

namespace {

using Wide = long double;
constexpr Wide pi = std::numbers::pi_v<Wide>;

// Units in the last place between a result and the exact value; 0 for what agrees in kind (NaN,
// infinity).
template <class T> Wide ulps(T result, Wide exact) {
  using Limits = std::numeric_limits<T>;
  if (std::isnan(exact))
    return std::isnan(result) ? 0 : INFINITY;
  auto nearest = static_cast<T>(exact);
  if (result == nearest)
    return 0;
  if (std::isnan(result))
    return INFINITY;
  // Results that the type cannot hold in full may be zero or the largest number.
  if (std::fabs(exact) < Limits::min())
    return std::fabs(result) <= Limits::min() ? 0 : INFINITY;
  if (std::isinf(nearest) || std::isinf(result))
    return std::fabs(std::fabs(exact) - Limits::max()) <= Limits::max() * 4 * Limits::epsilon()
               ? 0
               : INFINITY;
  int exponent = std::ilogb(exact);
  return std::fabs(result - exact) / std::ldexp(Wide(1), exponent - Limits::digits + 1);
}

template <class T> const char *opencl_name() { return sizeof(T) == 4 ? "float" : "double"; }

template <class T> std::vector<T> samples(size_t n, unsigned seed) {
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> unit(-1, 1), small(-30, 30), exponent(-100, 100);
  std::vector<T> values = {T(0),
                           T(-0.0),
                           T(1),
                           T(-1),
                           T(0.5),
                           T(-0.5),
                           T(2),
                           T(1.5),
                           T(2.5),
                           T(INFINITY),
                           T(-INFINITY),
                           T(NAN),
                           std::numeric_limits<T>::max(),
                           std::numeric_limits<T>::min(),
                           T(88.5),
                           T(-104),
                           T(700),
                           T(1e5),
                           T(3.25)};
  while (values.size() < n) {
    values.push_back(static_cast<T>(unit(random)));
    values.push_back(static_cast<T>(small(random)));
    values.push_back(static_cast<T>(std::copysign(std::exp2(exponent(random)), unit(random))));
    values.push_back(std::fabs(values.back()));
  }
  values.resize(n);
  return values;
}

Wide sine_of_pi(Wide x) {
  if (!std::isfinite(x))
    return NAN;
  Wide rest = std::fmod(x, Wide(2));
  return std::fmod(rest, Wide(1)) == 0 ? std::copysign(Wide(0), x) : std::sin(pi * rest);
}
Wide cosine_of_pi(Wide x) {
  if (!std::isfinite(x))
    return NAN;
  Wide rest = std::fabs(std::fmod(x, Wide(2)));
  if (rest == 0.5L || rest == 1.5L)
    return 0;
  // Near the zeros by the sine of the distance.
  return rest < 1 ? std::sin(pi * (0.5L - rest)) : std::sin(pi * (rest - 1.5L));
}

Wide tangent_of_pi(Wide x) {
  Wide c = cosine_of_pi(x), s = sine_of_pi(x);
  if (c == 0) // infinite, with the sign of the side that OpenCL chose
    return std::fmod(std::fabs(x), Wide(2)) == 0.5L ? std::copysign(Wide(INFINITY), x)
                                                    : -std::copysign(Wide(INFINITY), x);
  return s / c;
}

struct Unary {
  const char *name;
  Wide (*exact)(Wide);
  Wide bound; // OpenCL's, in units of the last place
};

const Unary unary[] = {
    {"exp", [](Wide x) { return std::exp(x); }, 3},
    {"exp2", [](Wide x) { return std::exp2(x); }, 3},
    {"exp10", [](Wide x) { return std::pow(Wide(10), x); }, 3},
    {"expm1", [](Wide x) { return std::expm1(x); }, 3},
    {"log", [](Wide x) { return std::log(x); }, 3},
    {"log2", [](Wide x) { return std::log2(x); }, 3},
    {"log10", [](Wide x) { return std::log10(x); }, 3},
    {"log1p", [](Wide x) { return std::log1p(x); }, 2},
    {"sin", [](Wide x) { return std::sin(x); }, 4},
    {"cos", [](Wide x) { return std::cos(x); }, 4},
    {"tan", [](Wide x) { return std::tan(x); }, 5},
    {"asin", [](Wide x) { return std::asin(x); }, 4},
    {"acos", [](Wide x) { return std::acos(x); }, 4},
    {"atan", [](Wide x) { return std::atan(x); }, 5},
    {"sinh", [](Wide x) { return std::sinh(x); }, 4},
    {"cosh", [](Wide x) { return std::cosh(x); }, 4},
    {"tanh", [](Wide x) { return std::tanh(x); }, 5},
    {"asinh", [](Wide x) { return std::asinh(x); }, 4},
    {"acosh", [](Wide x) { return std::acosh(x); }, 4},
    {"atanh", [](Wide x) { return std::atanh(x); }, 5},
    {"cbrt", [](Wide x) { return std::cbrt(x); }, 2},
    {"sqrt", [](Wide x) { return std::sqrt(x); }, 0.5L},
    {"rsqrt", [](Wide x) { return 1 / std::sqrt(x); }, 2},
    {"erf", [](Wide x) { return std::erf(x); }, 16},
    {"erfc", [](Wide x) { return std::erfc(x); }, 16},
    {"tgamma", [](Wide x) { return std::tgamma(x); }, 16},
    {"sinpi", sine_of_pi, 4},
    {"cospi", cosine_of_pi, 4},
    {"tanpi", tangent_of_pi, 6},
    {"asinpi", [](Wide x) { return std::asin(x) / pi; }, 5},
    {"acospi", [](Wide x) { return std::acos(x) / pi; }, 5},
    {"atanpi", [](Wide x) { return std::atan(x) / pi; }, 5},
    {"ceil", [](Wide x) { return std::ceil(x); }, 0},
    {"floor", [](Wide x) { return std::floor(x); }, 0},
    {"trunc", [](Wide x) { return std::trunc(x); }, 0},
    {"round", [](Wide x) { return std::round(x); }, 0},
    {"rint", [](Wide x) { return std::nearbyint(x); }, 0},
    {"fabs", [](Wide x) { return std::fabs(x); }, 0},
    {"sign", [](Wide x) { return std::isnan(x) || x == 0 ? Wide(0) : std::copysign(Wide(1), x); },
     0},
    {"logb", [](Wide x) { return std::logb(x); }, 0},
};

Wide power(Wide x, Wide y) { return std::pow(x, y); }
Wide positive_power(Wide x, Wide y) {
  if (x < 0 || std::isnan(x) || std::isnan(y) || (x == 0 && y == 0) || (std::isinf(x) && y == 0) ||
      (x == 1 && std::isinf(y)))
    return NAN;
  return std::pow(std::fabs(x), y);
}
Wide root(Wide x, int n) {
  if (n == 0 || (x < 0 && n % 2 == 0))
    return NAN;
  if (x == 0)
    return n > 0 ? (n % 2 ? x : Wide(0))
                 : (n % 2 ? std::copysign(Wide(INFINITY), x) : Wide(INFINITY));
  return std::copysign(std::pow(std::fabs(x), 1 / Wide(n)), n % 2 ? x : Wide(1));
}

struct Binary {
  const char *name;
  Wide (*exact)(Wide, Wide, int index);
  Wide bound;
};

Wide larger_magnitude(Wide x, Wide y) {
  return std::fabs(x) > std::fabs(y) ? x : std::fabs(y) > std::fabs(x) ? y : std::fmax(x, y);
}
Wide smaller_magnitude(Wide x, Wide y) {
  return std::fabs(x) < std::fabs(y) ? x : std::fabs(y) < std::fabs(x) ? y : std::fmin(x, y);
}

const Binary binary[] = {
    {"pow", [](Wide x, Wide y, int) { return power(x, y); }, 16},
    {"powr", [](Wide x, Wide y, int) { return positive_power(x, y); }, 16},
    {"atan2", [](Wide x, Wide y, int) { return std::atan2(x, y); }, 6},
    {"atan2pi", [](Wide x, Wide y, int) { return std::atan2(x, y) / pi; }, 6},
    {"fmod", [](Wide x, Wide y, int) { return std::fmod(x, y); }, 0},
    {"remainder", [](Wide x, Wide y, int) { return std::remainder(x, y); }, 0},
    {"hypot", [](Wide x, Wide y, int) { return std::hypot(x, y); }, 4},
    {"fdim", [](Wide x, Wide y, int) { return std::fdim(x, y); }, 0.5L},
    {"fmax", [](Wide x, Wide y, int) { return std::fmax(x, y); }, 0},
    {"fmin", [](Wide x, Wide y, int) { return std::fmin(x, y); }, 0},
    {"maxmag", [](Wide x, Wide y, int) { return larger_magnitude(x, y); }, 0},
    {"minmag", [](Wide x, Wide y, int) { return smaller_magnitude(x, y); }, 0},
    {"nextafter", nullptr, 0}, // depends on the type: below
    {"copysign", [](Wide x, Wide y, int) { return std::copysign(x, y); }, 0},
    {"pown", [](Wide x, Wide, int i) { return std::pow(x, Wide(i % 21 - 10)); }, 16},
    {"rootn", [](Wide x, Wide, int i) { return root(x, i % 15 - 7); }, 16},
    {"ldexp", [](Wide x, Wide, int i) { return std::ldexp(x, i % 41 - 20); }, 0.5L},
    {"divide", [](Wide x, Wide y, int) { return x / y; }, 0.5L},
};

} // namespace

TEMPLATE_TEST_CASE("ze_cpu: jit: functions of one argument keep OpenCL's accuracy", "", float,
                   double) {
  constexpr uint32_t n = 16384;
  std::vector<TestType> in = samples<TestType>(n, 11), out(n * std::size(unary));
  run("math", std::string("unary_") + opencl_name<TestType>(), line(n / 64, 64), in.data(),
      out.data(), n);
  for (size_t f = 0; f < std::size(unary); ++f) {
    Wide worst = 0;
    TestType at = 0, got = 0;
    for (uint32_t i = 0; i < n; ++i) {
      Wide error = ulps(out[f * n + i], unary[f].exact(in[i]));
      if (error > worst) {
        worst = error;
        at = in[i];
        got = out[f * n + i];
      }
    }
    CAPTURE(unary[f].name, at, got);
    CHECK(worst <= unary[f].bound);
  }
}

TEMPLATE_TEST_CASE("ze_cpu: jit: functions of two arguments keep OpenCL's accuracy", "", float,
                   double) {
  constexpr uint32_t n = 16384;
  std::vector<TestType> a = samples<TestType>(n, 21), b = samples<TestType>(n, 22),
                        out(n * std::size(binary));
  std::shuffle(a.begin(), a.end(), std::mt19937(5));
  run("math", std::string("binary_") + opencl_name<TestType>(), line(n / 64, 64), a.data(),
      b.data(), out.data(), n);
  for (size_t f = 0; f < std::size(binary); ++f) {
    Wide worst = 0;
    TestType x = 0, y = 0, got = 0;
    for (uint32_t i = 0; i < n; ++i) {
      Wide exact = binary[f].exact ? binary[f].exact(a[i], b[i], static_cast<int>(i))
                                   : Wide(std::nextafter(a[i], b[i]));
      Wide error = ulps(out[f * n + i], exact);
      if (error > worst) {
        worst = error;
        x = a[i];
        y = b[i];
        got = out[f * n + i];
      }
    }
    CAPTURE(binary[f].name, x, y, got);
    CHECK(worst <= binary[f].bound);
  }
}

TEST_CASE("ze_cpu: jit: functions that return through a pointer write both results") {
  std::vector<float> in = {0.3f, -0.3f, 1.75f, -2.5f, 100.125f, 1e-30f, 0.0f, 6.0f},
                     out(in.size() * 8);
  std::vector<int> ints(in.size() * 3);
  run("math", "with_pointers", line(1, static_cast<uint32_t>(in.size())), in.data(), out.data(),
      ints.data());
  for (size_t i = 0; i < in.size(); ++i) {
    float x = in[i];
    const float *o = &out[i * 8];
    CAPTURE(x);
    CHECK(o[0] == std::fmin(x - std::floor(x), 0x1.fffffep-1f));
    CHECK(o[1] == std::floor(x));
    CHECK(ulps(o[2], std::sin(Wide(x))) <= 4);
    CHECK(ulps(o[3], std::cos(Wide(x))) <= 4);
    float whole = 0;
    int exponent = 0, quotient = 0;
    CHECK(o[4] == std::modf(x, &whole));
    CHECK(o[5] == whole);
    CHECK(o[6] == std::frexp(x, &exponent));
    CHECK(ints[i * 3] == exponent);
    CHECK(o[7] == std::remquo(x, 0.7f, &quotient));
    CHECK(ints[i * 3 + 1] == (quotient & 7));
    CHECK(ints[i * 3 + 2] == std::ilogb(x));
  }
}

TEST_CASE("ze_cpu: jit: functions of vectors return what OpenCL defines") {
  using Vector = std::array<float, 4>;
  std::vector<Vector> in = {{1, 2, 4, 8}, {0.5f, 0.25f, 9, 1}, {1e25f, 1, 1, 1}, {1e-30f, 0, 0, 0}},
                      out(in.size() * 5);
  std::vector<float> scalars(in.size() * 4);
  run("math", "vectors", line(1, static_cast<uint32_t>(in.size())), in.data(), out.data(),
      scalars.data());
  const Wide exponents[] = {2, 3, 0.5L, 1};
  for (size_t i = 0; i < in.size(); ++i) {
    const Vector &v = in[i];
    Wide squares = 0, differences = 0;
    for (size_t e = 0; e < 4; ++e) {
      squares += Wide(v[e]) * v[e];
      float difference = v[e] - v[(e + 1) % 4];
      differences += Wide(difference) * difference;
    }
    for (size_t e = 0; e < 4; ++e) {
      CHECK(ulps(out[i * 5][e], std::exp(Wide(v[e]))) <= 3);
      CHECK(ulps(out[i * 5 + 1][e], std::pow(Wide(v[e]), exponents[e])) <= 16);
      CHECK(std::fabs(out[i * 5 + 2][e] - (std::sin(Wide(v[e])) + std::cos(Wide(v[e])))) < 1e-6L);
      CHECK(ulps(out[i * 5 + 3][e], v[e] / std::sqrt(squares)) <= 4);
      CHECK(ulps(out[i * 5 + 4][e], v[e] + (Wide(v[3 - e]) - v[e]) * 0.25L) <= 4);
    }
    CHECK(ulps(scalars[i * 4 + 1], std::sqrt(squares)) <= 4);
    CHECK(ulps(scalars[i * 4 + 2], std::sqrt(differences)) <= 4);
    if (i < 2) {
      CHECK(ulps(scalars[i * 4], squares) <= 4);
      CHECK(ulps(scalars[i * 4 + 3], Wide(v[0]) * v[2] - Wide(v[1]) * v[1]) <= 4);
    }
  }
}

TEST_CASE("ze_cpu: jit: common and native functions return what OpenCL defines") {
  std::vector<float> in = {-3, -0.75f, -0.1f, 0, 0.25f, 0.3f, 1, 40}, out(in.size() * 7);
  run("math", "common", line(1, static_cast<uint32_t>(in.size())), in.data(), out.data());
  for (size_t i = 0; i < in.size(); ++i) {
    float x = in[i];
    const float *o = &out[i * 7];
    CHECK(o[0] == std::fmin(std::fmax(x, -0.5f), 0.5f));
    CHECK(ulps(o[1], x * 180 / pi) <= 2);
    CHECK(ulps(o[2], x * pi / 180) <= 2);
    CHECK(o[3] == (x < 0.25f ? 0.0f : 1.0f));
    float t = std::fmin(std::fmax((x + 1) / 2, 0.0f), 1.0f);
    CHECK(std::fabs(o[4] - t * t * (3 - 2 * t)) < 1e-6f);
    CHECK(std::fabs(o[5] - (std::sin(x) + std::cos(x) + x / 3 + 1 / std::sqrt(std::fabs(x) + 1))) <
          1e-5f);
    CHECK(std::fabs(o[6] - (x * 2 + 1 + std::fma(x, x, x))) <= 1e-6f * std::fabs(o[6]));
  }
}

TEST_CASE("ze_cpu: jit: classification tells all kinds of numbers apart") {
  std::vector<float> in = {0, -0.0f, 1, -2.5f, INFINITY, -INFINITY, NAN, 1e-42f};
  std::vector<int> out(in.size());
  run("math", "classify", line(1, static_cast<uint32_t>(in.size())), in.data(), out.data());
  for (size_t i = 0; i < in.size(); ++i) {
    float x = in[i];
    bool nan = std::isnan(x);
    int sign = nan ? out[i] & 16 : std::signbit(x) << 4; // a NaN's sign may be either
    int expected = nan | std::isinf(x) << 1 | std::isfinite(x) << 2 | std::isnormal(x) << 3 | sign |
                   (!nan && x != 1) << 5 | !nan << 6 | nan << 7;
    CHECK(out[i] == expected);
  }
}

TEST_CASE("ze_cpu: jit: half precision arithmetic keeps its accuracy") {
  std::vector<_Float16> in = {0, 1, static_cast<_Float16>(0.5f), -2, 10}, out(in.size() * 4);
  run("math", "half_precision", line(1, static_cast<uint32_t>(in.size())), in.data(), out.data());
  for (size_t i = 0; i < in.size(); ++i) {
    auto x = static_cast<float>(in[i]);
    auto close = [&](_Float16 value, float exact) {
      return (std::isnan(static_cast<float>(value)) && std::isnan(exact)) ||
             std::fabs(static_cast<float>(value) - exact) <= std::fabs(exact) * 0x1p-9f;
    };
    CHECK(close(out[i * 4], std::exp(x)));
    CHECK(close(out[i * 4 + 1], std::sqrt(x)));
    CHECK(close(out[i * 4 + 2], x * x + x));
    CHECK(close(out[i * 4 + 3], std::fmax(x, 1.0f)));
  }
}
