// How far the results of OpenCL's mathematics are from the exact ones, which MPFR knows. Vectorised: the kernels run over
// many work-items. The environment variable ZE_CPU_TEST_VALUES says how many random values each function gets;
// ZE_CPU_TEST_REPORT=1 prints the largest error of each.
#include "exact/exact.h"
#include "harness/harness.h"
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

using namespace exact;
using namespace test;

namespace {

// What MPFR has under another name, or otherwise than OpenCL.

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

int exact_maxmag(mpfr_ptr result, mpfr_srcptr x, mpfr_srcptr y, mpfr_rnd_t mode) {
  const int order = mpfr_unordered_p(x, y) ? 0 : mpfr_cmpabs(x, y);
  return order ? mpfr_set(result, order > 0 ? x : y, mode) : mpfr_max(result, x, y, mode);
}
int exact_minmag(mpfr_ptr result, mpfr_srcptr x, mpfr_srcptr y, mpfr_rnd_t mode) {
  const int order = mpfr_unordered_p(x, y) ? 0 : mpfr_cmpabs(x, y);
  return order ? mpfr_set(result, order < 0 ? x : y, mode) : mpfr_min(result, x, y, mode);
}

int exact_rootn(mpfr_ptr result, mpfr_srcptr x, int n, mpfr_rnd_t mode) {
  return mpfr_rootn_si(result, x, n, mode);
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

template <class T, class Function>
void check(const char *group, std::initializer_list<Row<Function>> rows) {
  static const Inputs<T> inputs;
  const size_t n = inputs.a.size();
  std::vector<T> out(n * rows.size());
  const std::string kernel = std::string(group) + "_" + Format<T>::name;
  run("accuracy", kernel, line(static_cast<uint32_t>(n / 61), 61), inputs.a.data(), inputs.b.data(),
      inputs.integers.data(), out.data(), static_cast<uint32_t>(n));
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
    INFO(row.name << " of " << Format<T>::name << ": " << static_cast<double>(results[at])
                  << " from (" << std::hexfloat << static_cast<double>(inputs.a[at]) << ", "
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

TEST_CASE("ze_cpu: jit: float functions keep their accuracy") {
  check_all<float>();
  CHECK_GROUP(float, FAST, Unary);
  CHECK_GROUP(float, FAST_OF_TWO, Binary);
}

TEST_CASE("ze_cpu: jit: double functions keep their accuracy") { check_all<double>(); }

TEST_CASE("ze_cpu: jit: half functions keep their accuracy") { check_all<_Float16>(); }

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
      return half == 0x7c00
                 ? 65536.0
                 : static_cast<double>(std::bit_cast<_Float16>(static_cast<uint16_t>(half)));
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

TEST_CASE("ze_cpu: jit: conversions to bfloat16 round, those from it are exact") {
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
