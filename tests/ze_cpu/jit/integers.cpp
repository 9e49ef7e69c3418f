#include "harness/harness.h"

#include <algorithm>
#include <array>
#include <bit>
#include <catch2/catch_template_test_macros.hpp>
#include <cmath>
#include <limits>
#include <random>

using namespace test;

namespace {

template <class T> const char *opencl_name() {
  constexpr const char *names[2][4] = {{"uchar", "ushort", "uint", "ulong"},
                                       {"char", "short", "int", "long"}};
  return names[std::is_signed_v<T>][std::countr_zero(sizeof(T))];
}

template <class T> T saturate(__int128 value) {
  return static_cast<T>(
      std::clamp<__int128>(value, std::numeric_limits<T>::min(), std::numeric_limits<T>::max()));
}

} // namespace

TEMPLATE_TEST_CASE("ze_cpu: jit: integer functions return what OpenCL defines", "", int8_t, uint8_t,
                   int16_t, uint16_t, int32_t, uint32_t, int64_t, uint64_t) {
  using T = TestType;
  using U = std::make_unsigned_t<T>;
  using Limits = std::numeric_limits<T>;
  constexpr int bits = sizeof(T) * 8;
  std::vector<T> a, b;
  for (T x : {T(0), T(1), T(-1), Limits::min(), Limits::max(), T(90), T(7)})
    for (T y : {T(0), T(1), T(-1), Limits::min(), Limits::max(), T(0x55), T(3)}) {
      a.push_back(x);
      b.push_back(y);
    }
  std::mt19937_64 random(3);
  for (int i = 0; i < 60; ++i) {
    a.push_back(static_cast<T>(random()));
    b.push_back(static_cast<T>(random() >> random() % 64));
  }
  auto n = static_cast<uint32_t>(a.size());
  std::vector<T> out(n * 20);
  run("integers", std::string("integers_") + opencl_name<T>(), line(1, n), a.data(), b.data(),
      out.data());
  for (uint32_t i = 0; i < n; ++i) {
    T x = a[i], y = b[i];
    __int128 wx = x, wy = y;
    U ux = static_cast<U>(x);
    const T *o = &out[i * 20];
    CAPTURE(+x, +y);
    REQUIRE(o[0] == static_cast<T>(wx < 0 ? -wx : wx));
    REQUIRE(o[1] == static_cast<T>(wx > wy ? wx - wy : wy - wx));
    REQUIRE(o[2] == saturate<T>(wx + wy));
    REQUIRE(o[3] == saturate<T>(wx - wy));
    REQUIRE(o[4] == static_cast<T>((wx + wy) >> 1));
    REQUIRE(o[5] == static_cast<T>((wx + wy + 1) >> 1));
    REQUIRE(o[6] == static_cast<T>(std::countl_zero(ux)));
    REQUIRE(o[7] == static_cast<T>(std::countr_zero(ux)));
    REQUIRE(o[8] == static_cast<T>(std::popcount(ux)));
    REQUIRE(o[9] == static_cast<T>(std::rotl(ux, static_cast<int>(static_cast<U>(y) % bits))));
    // 64-bit unsigned products need all of 128 bits.
    T high = std::is_signed_v<T>
                 ? static_cast<T>((wx * wy) >> bits)
                 : static_cast<T>((static_cast<unsigned __int128>(ux) * static_cast<U>(y)) >> bits);
    REQUIRE(o[10] == high);
    if constexpr (bits < 64)
      REQUIRE(o[11] == saturate<T>(wx * wy + wx));
    REQUIRE(o[12] == std::min(x, y));
    REQUIRE(o[13] == std::max(x, y));
    REQUIRE(o[14] == std::clamp(x, T(3), T(90)));
    REQUIRE(o[15] == static_cast<T>(static_cast<U>(high) + ux));
    REQUIRE(o[16] == static_cast<T>((x & ~0x55) | (y & 0x55)));
    REQUIRE(o[17] == (i & 1 ? y : x));
    if (y != 0) {                                // else it is any number, but no trap
      REQUIRE(o[18] == static_cast<T>(wx / wy)); // too large a quotient wraps
      REQUIRE(o[19] == static_cast<T>(wx % wy));
    }
  }
}

TEST_CASE("ze_cpu: jit: 24-bit products and upsample return what OpenCL defines") {
  std::vector<int> a = {3, -3, 0x7fffff, -0x800000, 12345}, b = {5, 5, 2, 1, -678};
  std::vector<int> out(a.size() * 4);
  run("integers", "small", line(1, static_cast<uint32_t>(a.size())), a.data(), b.data(),
      out.data());
  for (size_t i = 0; i < a.size(); ++i) {
    CHECK(out[i * 4] == a[i] * b[i]);
    CHECK(out[i * 4 + 1] == static_cast<int>((static_cast<unsigned>(a[i]) & 0xffffff) *
                                             (static_cast<unsigned>(b[i]) & 0xffffff)));
    CHECK(out[i * 4 + 2] == a[i] * b[i] + 7);
    CHECK(out[i * 4 + 3] ==
          static_cast<int>(static_cast<unsigned>(static_cast<int16_t>(a[i])) << 16 |
                           static_cast<uint16_t>(b[i])));
  }
}

TEST_CASE("ze_cpu: jit: shuffles take integer vectors and variable masks") {
  using Vector = std::array<int, 4>;
  std::vector<Vector> a = {{1, -2, 300, 0x7fffffff}, {-1, 0, 5, 6}, {7, 8, 9, 10}};
  std::vector<Vector> out(a.size() * 5);
  run("integers", "vector_integers", line(1, 3), a.data(), out.data());
  for (size_t i = 0; i < a.size(); ++i) {
    const Vector &v = a[i];
    auto either = [&](size_t index) { return index < 4 ? v[index] : -v[index - 4]; };
    for (size_t e = 0; e < 4; ++e) {
      CHECK(out[i * 5][e] == std::popcount(static_cast<unsigned>(v[e])));
      CHECK(out[i * 5 + 1][e] == (v[e] > 0 ? -v[e] : v[e]));
    }
    CHECK(out[i * 5 + 2] == Vector{v[3], v[2], v[1], v[i & 3]});
    CHECK(out[i * 5 + 3] == Vector{v[0], either(4), either(i & 7), either(7)});
    Vector swapped = {v[1], v[0], v[3], v[2]};
    for (size_t e = 0; e < 4; ++e)
      CHECK(out[i * 5 + 4][e] == std::min(std::max(v[e], -5), swapped[e]));
  }
}

// Zero gives some result. -1 divides what has no opposite as 1 does.
TEST_CASE("ze_cpu: jit: a divisor that all lanes share divides all numbers exactly") {
  std::vector<int> in = {0, 1, -1, 2, -2, 3, INT32_MAX, INT32_MAX - 1, INT32_MIN, INT32_MIN + 1};
  for (int bit = 2; bit < 32; ++bit)
    for (int near = -1; near <= 1; ++near)
      in.push_back(static_cast<int>((uint32_t(1) << bit) + uint32_t(near)));
  const std::vector<int> divisors = in;
  for (int divisor : {7, 10, 641, 1000003, 6700417})
    for (uint32_t times : {1u, 2u, 99u, 320u})
      for (uint32_t near : {~0u, 0u, 1u})
        in.push_back(static_cast<int>(uint32_t(divisor) * times + near));
  const size_t n = in.size();
  std::vector<int> out(4 * n), expected = out;
  const auto check = [&](int divisor) {
    const auto by = std::max(1u, uint32_t(divisor));
    for (size_t i = 0; i < n; ++i) {
      const int64_t from = in[i], to = divisor == 0 ? 1 : divisor;
      expected[i] = static_cast<int>(from / to);
      expected[n + i] = static_cast<int>(from % to);
      expected[2 * n + i] = static_cast<int>(uint32_t(in[i]) / by);
      expected[3 * n + i] = static_cast<int>(uint32_t(in[i]) % by);
    }
    run("integers", "divide_by", line(uint32_t(n) / 2, 2), in.data(), out.data(), divisor);
    return divisor == 0 || out == expected;
  };
  for (int divisor : divisors) {
    CAPTURE(divisor);
    CHECK(check(divisor));
  }
  for (int divisor : {5, 7, -7, 10, 641, 1000003, 6700417}) {
    CAPTURE(divisor);
    CHECK(check(divisor));
  }
}

TEST_CASE("ze_cpu: jit: a divisor that all lanes share harms none that does not divide") {
  constexpr uint32_t n = 200;
  std::vector<uint32_t> table(32), in(n), out(n);
  for (uint32_t i = 0; i < 32; ++i)
    table[i] = 100 + i;
  for (uint32_t i = 0; i < n; ++i)
    in[i] = i * 7 % 26; // in each vector others
  in[0] = in[64] = 20;
  for (const auto &[a, b] : {std::pair{6u, 1u}, {30u, 4u}, {5u, 9u}, {7u, 0u}}) {
    CAPTURE(a, b);
    run("integers", "divide_where_needed", line(1, n), table.data(), in.data(), out.data(), a, b);
    for (uint32_t i = 0; i < n; ++i)
      REQUIRE(out[i] == (in[i] < 13 ? table[a / std::max(b, 1u)] : 0));
    run("integers", "remainder_where_needed", line(1, n), table.data(), in.data(), out.data(), a,
        b);
    for (uint32_t i = 0; i < n; ++i)
      REQUIRE(out[i] == (in[i] < b ? table[a % b] : 0));
  }
}

TEST_CASE("ze_cpu: jit: conversions round and saturate as they are told") {
  std::vector<float> f = {0.5f, 1.5f, 2.5f,  -0.5f,  -1.5f,  127.6f,
                          300,  -300, 1e20f, -1e20f, 255.5f, 0.1f};
  std::vector<int64_t> l = {0,      1,         -1,        16777217,  -16777217, 40000,
                            -40000, 1ll << 40, INT64_MAX, INT64_MIN, 33554435,  200};
  auto n = static_cast<uint32_t>(f.size());
  std::vector<int> out(n * 16);
  std::vector<float> floats(n * 6);
  run("integers", "conversions", line(1, n), f.data(), l.data(), out.data(), floats.data());
  for (uint32_t i = 0; i < n; ++i) {
    double x = f[i];
    const int *o = &out[i * 16];
    CAPTURE(x, l[i]);
    if (std::fabs(x) < 1e9) {
      CHECK(o[0] == static_cast<int>(std::nearbyint(x)));
      CHECK(o[1] == static_cast<int>(x));
      CHECK(o[2] == static_cast<int>(std::ceil(x)));
      CHECK(o[3] == static_cast<int>(std::floor(x)));
      CHECK(o[11] == static_cast<int>(std::floor(-x)));
    }
    CHECK(o[4] == static_cast<int>(std::trunc(std::clamp(x, -128.0, 127.0))));
    CHECK(o[5] == static_cast<int>(std::nearbyint(std::clamp(x, 0.0, 255.0))));
    CHECK(o[6] == static_cast<int>(std::min<uint64_t>(static_cast<uint64_t>(l[i]), 32767)));
    CHECK(o[7] == std::clamp<int64_t>(l[i], 0, 65535));
    CHECK(o[8] == std::max(0, static_cast<int>(static_cast<int8_t>(l[i]))));
    CHECK(o[9] == std::min(127, static_cast<int>(static_cast<uint8_t>(l[i]))));
    CHECK(static_cast<unsigned>(o[10]) == static_cast<unsigned>(std::clamp(x, 0.0, 4294967295.0)));

    auto nearest = static_cast<float>(l[i]);
    auto exact = static_cast<long double>(l[i]);
    auto down = nearest > exact ? std::nextafter(nearest, -INFINITY) : nearest;
    auto up = nearest < exact ? std::nextafter(nearest, INFINITY) : nearest;
    const float *g = &floats[i * 6];
    CHECK(g[0] == (l[i] < 0 ? up : down));
    CHECK(g[1] == up);
    CHECK(g[2] == down);
    CHECK(g[3] == nearest);
    double third = static_cast<double>(l[i]) / 3;
    auto close = static_cast<float>(third);
    auto toward_zero = std::fabs(close) > std::fabs(third) ? std::nextafter(close, 0.0f) : close;
    CHECK(g[4] == toward_zero);
    CHECK(g[5] == (close < third ? std::nextafter(close, INFINITY) : close));
  }
}

TEST_CASE("ze_cpu: jit: bit-field functions insert, extract and reverse") {
  std::vector<uint32_t> words = {0x12345fa8, 0xab, 0, 0};
  run("specialized", "bits", line(1, 1), words.data());
  CHECK(words[0] == 0x12345ab8); // bits 4 to 11 replaced
  CHECK(words[1] == 0xfffffffa); // bits 4 to 11 are 0xfa: negative
  CHECK(words[2] == 0xfa);
  CHECK(words[3] == 0x15fa2c48);
}
