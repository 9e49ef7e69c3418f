// How far the results of OpenCL's mathematics are from the exact ones, which MPFR knows. Vectorised: the kernels run over
// many work-items. The environment variable ZE_CPU_TEST_VALUES says how many random values each function gets;
// ZE_CPU_TEST_REPORT=1 prints the largest error of each.
#include "harness.h"
#include "kernels/accuracy_functions.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <mpfr.h>
#include <random>
#include <string>
#include <vector>

using namespace test;

namespace {

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
  Exact() { mpfr_init2(value_, 300); }
  ~Exact() { mpfr_clear(value_); }
  Exact(const Exact &) = delete;
  Exact &operator=(const Exact &) = delete;
  operator mpfr_ptr() { return value_; }

private:
  mpfr_t value_;
};

/// A NaN has its sign too: copysign looks at it.
template <class T> void set(mpfr_ptr exact, T value) {
  const auto wide = static_cast<double>(value);
  mpfr_set_d(exact, wide, MPFR_RNDN);
  mpfr_setsign(exact, exact, std::signbit(wide), MPFR_RNDN);
}

// What MPFR has under another name, or otherwise than OpenCL.

int exact_reciprocal(mpfr_ptr result, mpfr_srcptr x, mpfr_rnd_t mode) {
  return mpfr_ui_div(result, 1, x, mode);
}

// Of -0: -infinity (OpenCL C 7.5.1 says so of rootn; C leaves it open).
int exact_rsqrt(mpfr_ptr result, mpfr_srcptr x, mpfr_rnd_t mode) {
  if (mpfr_zero_p(x)) {
    mpfr_set_inf(result, mpfr_signbit(x) ? -1 : 1);
    return 0;
  }
  return mpfr_rec_sqrt(result, x, mode);
}

// Signs at whole and half numbers as in OpenCL C 7.5.1.
int exact_tanpi(mpfr_ptr result, mpfr_srcptr x, mpfr_rnd_t mode) {
  const int inexact = mpfr_tanpi(result, x, mode);
  if (mpfr_number_p(x) && (mpfr_zero_p(result) || mpfr_inf_p(result))) {
    const double parity = std::fmod(mpfr_get_d(x, MPFR_RNDN), 2.0);
    if (mpfr_zero_p(result))
      mpfr_setsign(result, result, mpfr_signbit(x) != (std::fabs(parity) == 1), mode);
    else
      mpfr_setsign(result, result, parity == 1.5 || parity == -0.5, mode);
  }
  return inexact;
}

int exact_logb(mpfr_ptr result, mpfr_srcptr x, mpfr_rnd_t mode) {
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

int exact_copysign(mpfr_ptr result, mpfr_srcptr x, mpfr_srcptr y, mpfr_rnd_t mode) {
  return mpfr_copysign(result, x, y, mode);
}
int exact_fmax(mpfr_ptr result, mpfr_srcptr x, mpfr_srcptr y, mpfr_rnd_t mode) {
  return mpfr_max(result, x, y, mode);
}
int exact_fmin(mpfr_ptr result, mpfr_srcptr x, mpfr_srcptr y, mpfr_rnd_t mode) {
  return mpfr_min(result, x, y, mode);
}
int exact_maxmag(mpfr_ptr result, mpfr_srcptr x, mpfr_srcptr y, mpfr_rnd_t mode) {
  const int order = mpfr_unordered_p(x, y) ? 0 : mpfr_cmpabs(x, y);
  return order ? mpfr_set(result, order > 0 ? x : y, mode) : mpfr_max(result, x, y, mode);
}
int exact_minmag(mpfr_ptr result, mpfr_srcptr x, mpfr_srcptr y, mpfr_rnd_t mode) {
  const int order = mpfr_unordered_p(x, y) ? 0 : mpfr_cmpabs(x, y);
  return order ? mpfr_set(result, order < 0 ? x : y, mode) : mpfr_min(result, x, y, mode);
}

int exact_pown(mpfr_ptr result, mpfr_srcptr x, int n, mpfr_rnd_t mode) {
  return mpfr_pow_si(result, x, n, mode);
}
int exact_rootn(mpfr_ptr result, mpfr_srcptr x, int n, mpfr_rnd_t mode) {
  return mpfr_rootn_si(result, x, n, mode);
}
int exact_ldexp(mpfr_ptr result, mpfr_srcptr x, int n, mpfr_rnd_t mode) {
  return mpfr_mul_2si(result, x, n, mode);
}

int exact_fract(mpfr_ptr result, mpfr_srcptr x, mpfr_rnd_t mode) {
  if (mpfr_inf_p(x) || mpfr_zero_p(x)) {
    mpfr_set_zero(result, mpfr_signbit(x) ? -1 : 1);
    return 0;
  }
  Exact whole;
  mpfr_floor(whole, x);
  return mpfr_sub(result, x, whole, mode);
}

/// Errors of a result in units in the last place. Infinite when it is of another kind: NaN, infinity, or zero.
template <class T> double error_of(T got, mpfr_ptr exact, mpfr_ptr scratch) {
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
  const long exponent = std::clamp<long>(mpfr_get_exp(exact), 3 - F::max_exponent, F::max_exponent);
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
  for (const double x :
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

size_t random_count() {
  const char *text = std::getenv("ZE_CPU_TEST_VALUES");
  return text ? std::strtoul(text, nullptr, 10) : 500;
}

template <class T> struct Inputs {
  std::vector<T> a = values<T>(random_count(), 1), b = values<T>(random_count(), 2);
  std::vector<int> integers;

  Inputs() {
    std::mt19937 random(3);
    for (size_t i = 0; i < a.size(); ++i)
      integers.push_back(i % 3 == 0   ? static_cast<int>(random())
                         : i % 3 == 1 ? static_cast<int>(random() % 9) - 4
                                      : static_cast<int>(random() % 401) - 200);
    // So many that each thread gets a vectorised part and some that are left.
    while (a.size() % 61 != 0) {
      a.push_back(1);
      b.push_back(1);
      integers.push_back(1);
    }
  }
};

using Unary = int (*)(mpfr_ptr, mpfr_srcptr, mpfr_rnd_t);
using Binary = int (*)(mpfr_ptr, mpfr_srcptr, mpfr_srcptr, mpfr_rnd_t);
using WithInteger = int (*)(mpfr_ptr, mpfr_srcptr, int, mpfr_rnd_t);

int apply(Unary exact, mpfr_ptr result, mpfr_ptr x, mpfr_ptr, int) {
  return exact(result, x, MPFR_RNDN);
}
int apply(Binary exact, mpfr_ptr result, mpfr_ptr x, mpfr_ptr y, int) {
  return exact(result, x, y, MPFR_RNDN);
}
int apply(WithInteger exact, mpfr_ptr result, mpfr_ptr x, mpfr_ptr, int n) {
  return exact(result, x, n, MPFR_RNDN);
}

template <class Function> struct Row {
  const char *name;
  Function exact;
  double bounds[3]; // float, double, half
};

/// 0 stands for correctly rounded.
double allowed(double bound) { return bound == 0 ? 0.5 : bound; }

struct Worst {
  double error = 0;
  size_t index = 0;

  void add(double another, size_t at) {
    if (another > error)
      *this = {another, at};
  }
};

template <class T, class Function>
void check(const char *group, std::initializer_list<Row<Function>> rows) {
  static const Inputs<T> inputs;
  const size_t n = inputs.a.size();
  std::vector<T> out(n * rows.size());
  const std::string kernel = std::string(group) + "_" + Format<T>::name;
  run("accuracy", kernel, line(static_cast<uint32_t>(n / 61), 61), inputs.a.data(),
      inputs.b.data(), inputs.integers.data(), out.data(), static_cast<uint32_t>(n));
  Exact exact, x, y, scratch;
  const T *results = out.data();
  for (const auto &row : rows) {
    Worst worst;
    for (size_t i = 0; i < n; ++i) {
      set(x, inputs.a[i]);
      set(y, inputs.b[i]);
      apply(row.exact, exact, x, y, inputs.integers[i]);
      worst.add(error_of(results[i], exact, scratch), i);
    }
    const size_t at = worst.index;
    if (std::getenv("ZE_CPU_TEST_REPORT"))
      std::printf("%-7s %-14s %8.3f of %g\n", Format<T>::name, row.name, worst.error,
                  row.bounds[Format<T>::column]);
    INFO(row.name << " of " << Format<T>::name << ": "
                  << static_cast<double>(results[at]) << " from (" << std::hexfloat
                  << static_cast<double>(inputs.a[at]) << ", "
                  << static_cast<double>(inputs.b[at]) << " or " << inputs.integers[at] << ")");
    CHECK(worst.error <= allowed(row.bounds[Format<T>::column]));
    results += n;
  }
}

#define ROW(name, exact, ...) {#name, exact, {__VA_ARGS__}},
#define CHECK_GROUP(T, group, Function) check<T, Function>(#group, {group(ROW)})

template <class T> void check_all() {
  CHECK_GROUP(T, EXPONENTIALS, Unary);
  CHECK_GROUP(T, LOGARITHMS, Unary);
  CHECK_GROUP(T, ERRORS, Unary);
  CHECK_GROUP(T, TRIGONOMETRIC, Unary);
  CHECK_GROUP(T, OTHERS, Unary);
  CHECK_GROUP(T, INSTRUCTIONS, Unary);
  CHECK_GROUP(T, POWERS, Binary);
  CHECK_GROUP(T, OTHERS_OF_TWO, Binary);
  CHECK_GROUP(T, WITH_INTEGER, WithInteger);
}

/// Also sums where what is far below decides how a product in the middle between two numbers is rounded.
template <class T> void check_fused() {
  std::vector<T> a = values<T>(2 * random_count(), 4), b = values<T>(2 * random_count(), 5),
                 c = values<T>(2 * random_count(), 6);
  constexpr int digits = Format<T>::digits;
  std::mt19937_64 random(7);
  const auto odd_number = [&](int bits) {
    const uint64_t top = uint64_t(1) << (bits - 1);
    return static_cast<double>(top | (random() & (top - 1)) | 1);
  };
  for (size_t i = 0; i < random_count(); ++i) {
    const double x = odd_number((digits + 1) / 2), y = odd_number(digits + 1 - (digits + 1) / 2);
    a.push_back(static_cast<T>(std::ldexp(x, -digits / 2)));
    b.push_back(static_cast<T>(std::ldexp(i % 2 ? y : -y, -digits / 2 + static_cast<int>(i % 5))));
    c.push_back(std::numeric_limits<T>::denorm_min() * static_cast<T>(i % 3 == 0 ? 1 : -3));
  }
  std::vector<T> out(a.size());
  const std::string kernel = std::string("fused_") + Format<T>::name;
  run("accuracy", kernel, line(1, static_cast<uint32_t>(c.size())), a.data(), b.data(), c.data(),
      out.data());
  Exact exact, x, y, z, scratch;
  mpfr_set_prec(scratch, 5000);
  mpfr_set_prec(exact, 5000); // a product and what is 1,000 bits below
  Worst worst;
  for (size_t i = 0; i < c.size(); ++i) {
    set(x, a[i]);
    set(y, b[i]);
    set(z, c[i]);
    mpfr_fma(exact, x, y, z, MPFR_RNDN);
    worst.add(error_of(out[i], exact, scratch), i);
  }
  const size_t at = worst.index;
  INFO(std::hexfloat << static_cast<double>(a[at]) << " * " << static_cast<double>(b[at]) << " + "
                     << static_cast<double>(c[at]) << " = " << static_cast<double>(out[at]));
  CHECK(worst.error <= allowed(0));
}

} // namespace

TEST_CASE("ze_cpu: jit: accuracy of float") {
  check_all<float>();
  CHECK_GROUP(float, FAST, Unary);
  CHECK_GROUP(float, FAST_OF_TWO, Binary);
}

TEST_CASE("ze_cpu: jit: accuracy of double") { check_all<double>(); }

TEST_CASE("ze_cpu: jit: accuracy of half") { check_all<_Float16>(); }

TEST_CASE("ze_cpu: jit: fused multiplication and addition is rounded once") {
  check_fused<float>();
  check_fused<double>();
  check_fused<_Float16>();
}

TEST_CASE("ze_cpu: jit: every half becomes the float and the double that it is") {
  std::vector<_Float16> in(65536);
  for (uint32_t i = 0; i < in.size(); ++i)
    in[i] = std::bit_cast<_Float16>(static_cast<uint16_t>(i));
  std::vector<float> singles(in.size());
  std::vector<double> doubles(in.size());
  run("accuracy", "from_half", line(256, 256), in.data(), singles.data(), doubles.data());
  int wrong = 0;
  for (uint32_t i = 0; i < in.size(); ++i) {
    const uint32_t magnitude = i & 0x7fff;
    const double sign = i & 0x8000 ? -1 : 1;
    const double exact = magnitude < 0x400 // subnormal
                             ? sign * std::ldexp(magnitude, -24)
                             : sign * std::ldexp((magnitude & 0x3ff) + 0x400,
                                                 static_cast<int>(magnitude >> 10) - 25);
    if (magnitude > 0x7c00)
      wrong += !std::isnan(singles[i]) || !std::isnan(doubles[i]);
    else if (magnitude == 0x7c00)
      wrong += singles[i] != sign * INFINITY || doubles[i] != sign * INFINITY;
    else
      wrong += singles[i] != exact || doubles[i] != exact || std::signbit(singles[i]) != (sign < 0);
  }
  CHECK(wrong == 0);
}

TEST_CASE("ze_cpu: jit: conversions to half are rounded once") {
  // Each half, the middle to the next one, and what is just beside the middle: a double may be so near to it that it would
  // become the middle as a float.
  std::vector<float> singles;
  std::vector<double> doubles;
  for (uint32_t bits = 0; bits < 0x7c00; ++bits) {
    const auto value_of = [](uint32_t half) {
      return half == 0x7c00 ? 65536.0
                            : static_cast<double>(
                                  std::bit_cast<_Float16>(static_cast<uint16_t>(half)));
    };
    const double low = value_of(bits), middle = (low + value_of(bits + 1)) / 2;
    const double sign = bits % 2 ? -1 : 1;
    for (const double value :
         {low, middle, std::nextafter(middle, 0.0), std::nextafter(middle, 1e9)})
      doubles.push_back(sign * value);
    const auto single = static_cast<float>(middle);
    for (const float value : {single, std::nextafter(single, 0.0f), std::nextafter(single, 1e9f),
                              static_cast<float>(low)})
      singles.push_back(static_cast<float>(sign) * value);
  }
  const size_t n = doubles.size();
  std::vector<_Float16> out(2 * n);
  run("accuracy", "to_half", line(0x7c00 / 64, 256), singles.data(), doubles.data(), out.data());
  Exact exact, scratch;
  Worst worst;
  int not_even = 0;
  for (size_t i = 0; i < 2 * n; ++i) {
    set(exact, i < n ? static_cast<double>(singles[i]) : doubles[i - n]);
    const double error = error_of(out[i], exact, scratch);
    worst.add(error, i);
    not_even += error == 0.5 && (std::bit_cast<uint16_t>(out[i]) & 1);
  }
  CHECK(worst.error <= 0.5);
  CHECK(not_even == 0);
}

TEST_CASE("ze_cpu: jit: conversions to and from bfloat16") {
  std::vector<float> in = {INFINITY, -INFINITY, NAN, std::bit_cast<float>(0x7f800001)};
  for (uint32_t upper = 0; upper < 0x10000; upper += 5)
    for (const uint32_t lower : {0x0000u, 0x7fffu, 0x8000u, 0x8001u})
      in.push_back(std::bit_cast<float>(upper << 16 | lower));
  in.resize(in.size() / 64 * 64);
  std::vector<uint16_t> narrow(in.size());
  std::vector<float> back(in.size());
  run("accuracy", "bfloat16", line(static_cast<uint32_t>(in.size() / 64), 64), in.data(),
      narrow.data(), back.data());
  int wrong = 0;
  for (size_t i = 0; i < in.size(); ++i) {
    const auto bits = std::bit_cast<uint32_t>(in[i]);
    const uint32_t below = bits >> 16, rest = bits & 0xffff;
    const uint32_t nearest = below + (rest > 0x8000 || (rest == 0x8000 && (below & 1)));
    if (std::isnan(in[i])) {
      wrong += !std::isnan(back[i]);
      continue;
    }
    wrong += narrow[i] != nearest;
    wrong += std::bit_cast<uint32_t>(back[i]) != uint32_t(narrow[i]) << 16;
  }
  CHECK(wrong == 0);
}
