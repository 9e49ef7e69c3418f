#include "harness/harness.h"

#include <algorithm>
#include <array>
#include <bit>
#include <catch2/catch_template_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <cstdlib>
#include <limits>
#include <numeric>

using namespace test;

namespace {

template <class T> const char *opencl_name();
template <> const char *opencl_name<int8_t>() { return "char"; }
template <> const char *opencl_name<int16_t>() { return "short"; }
template <> const char *opencl_name<uint16_t>() { return "ushort"; }
template <> const char *opencl_name<int32_t>() { return "int"; }
template <> const char *opencl_name<uint32_t>() { return "uint"; }
template <> const char *opencl_name<int64_t>() { return "long"; }
template <> const char *opencl_name<uint64_t>() { return "ulong"; }
template <> const char *opencl_name<float>() { return "float"; }
template <> const char *opencl_name<double>() { return "double"; }

// Integers wrap.
template <class T> T plus(T x, T y) {
  if constexpr (std::is_integral_v<T>)
    return static_cast<T>(static_cast<uint64_t>(x) + static_cast<uint64_t>(y));
  else
    return x + y;
}
template <class T> T times(T x, T y) {
  if constexpr (std::is_integral_v<T>)
    return static_cast<T>(static_cast<uint64_t>(x) * static_cast<uint64_t>(y));
  else
    return x * y;
}

// Distinct values that use all bits of the type.
template <class T> std::vector<T> samples(size_t n) {
  std::vector<T> values(n);
  for (size_t i = 0; i < n; ++i)
    if constexpr (std::is_floating_point_v<T>)
      values[i] = static_cast<T>(static_cast<int>(i * 7 % 64) - 30) / 4;
    else
      values[i] = static_cast<T>(i * 0x9e3779b97f4a7c15ull >> 11);
  return values;
}

} // namespace

TEST_CASE("ze_cpu: jit: sub-groups are 32 wide and the last may be short") {
  constexpr uint32_t size = 75;
  std::vector<uint32_t> out(2 * size * 5);
  run("subgroups", "identity", line(2, size), out.data());
  for (uint32_t i = 0; i < 2 * size; ++i) {
    uint32_t lane = i % size, *o = &out[i * 5];
    REQUIRE(o[0] == lane % 32);
    REQUIRE(o[1] == lane / 32);
    REQUIRE(o[2] == std::min(32u, size - lane / 32 * 32));
    REQUIRE(o[3] == 3);
    REQUIRE(o[4] == 32);
  }
}

TEMPLATE_TEST_CASE("ze_cpu: jit: every kind of shuffle reads the lane that it names", "", int8_t,
                   uint16_t, int32_t, int64_t, float, double) {
  constexpr uint32_t size = 96;
  uint32_t n = GENERATE(0u, 1u, 5u, 16u, 31u);
  std::vector<TestType> in = samples<TestType>(size), out(size * 6);
  run("subgroups", std::string("shuffles_") + opencl_name<TestType>(), line(1, size), out.data(),
      in.data(), n);
  for (uint32_t i = 0; i < size; ++i) {
    uint32_t lane = i % 32;
    const TestType *group = &in[i - lane], *o = &out[i * 6];
    REQUIRE(o[0] == group[(lane * 7 + n) & 31]);
    REQUIRE(o[1] == group[lane ^ n]);
    REQUIRE(o[2] == (lane >= n ? group[lane - n] : 0)); // beyond the edge
    REQUIRE(o[3] == (lane + n < 32 ? group[lane + n] : 0));
    REQUIRE(o[4] == group[5]);
    REQUIRE(o[5] == group[0]);
  }
}

TEST_CASE("ze_cpu: jit: a lane that takes no part gives 0 to who reads from it") {
  std::vector<uint32_t> out(32 * 4);
  for (uint32_t n = 0; n < 4; ++n) {
    run("subgroups", "shuffles_of_some", line(1, 32), out.data(), n);
    const auto given = [](uint32_t lane) { return lane % 2 == 0 ? lane + 1 : 0; };
    for (uint32_t lane = 0; lane < 32; ++lane) {
      const bool reads = lane % 2 == 0;
      REQUIRE(out[lane * 4] == (reads ? given((lane * 7 + n) & 31) : 77));
      REQUIRE(out[lane * 4 + 1] == (reads ? given(lane ^ n) : 77));
      REQUIRE(out[lane * 4 + 2] == (reads ? 0 : 77));
      REQUIRE(out[lane * 4 + 3] == (reads ? 5 : 77));
    }
  }
  // The second sub-group has 20 lanes.
  out.resize(52);
  run("subgroups", "shuffle_beyond", line(1, 52), out.data());
  for (uint32_t i = 0; i < 52; ++i) {
    const uint32_t source = (i % 32 + 8) & 31;
    REQUIRE(out[i] == (i < 32 || source < 20 ? source + 1 : 0));
  }
}

TEST_CASE("ze_cpu: jit: vectors move between lanes") {
  std::vector<std::array<float, 4>> in(32), out(32);
  for (size_t i = 0; i < 32; ++i)
    for (size_t e = 0; e < 4; ++e)
      in[i][e] = static_cast<float>(i * 10 + e);
  run("subgroups", "shuffle_vector", line(1, 32), out.data(), in.data());
  for (const auto &value : out)
    REQUIRE(value == in[9]);
}

TEST_CASE("ze_cpu: jit: rotation goes round the sub-group and round clusters") {
  std::vector<int> out(64);
  run("subgroups", "rotate_lanes", line(1, 32), out.data());
  for (int lane = 0; lane < 32; ++lane) {
    REQUIRE(out[static_cast<size_t>(lane) * 2] == (lane + 3) % 32);
    REQUIRE(out[static_cast<size_t>(lane) * 2 + 1] == lane / 8 * 8 + (lane + 3) % 8);
  }
}

TEST_CASE("ze_cpu: jit: ballots and votes see the active lanes") {
  uint32_t threshold = GENERATE(0u, 12u, 30u, 31u);
  std::vector<uint32_t> out(32 * 12);
  run("subgroups", "votes", line(1, 32), out.data(), threshold);
  uint32_t ballot = 0;
  for (uint32_t lane = threshold + 1; lane < 32; ++lane)
    ballot |= 1u << lane;
  for (uint32_t lane = 0; lane < 32; ++lane) {
    const uint32_t *o = &out[lane * 12];
    REQUIRE(o[0] == ballot);
    REQUIRE(o[1] == (ballot != 0));
    REQUIRE(o[2] == 0);
    REQUIRE(o[3] == (lane == 0));
    REQUIRE(o[4] == 1);
    REQUIRE(o[5] == 0);
    REQUIRE(o[6] == (ballot >> lane & 1));
    REQUIRE(o[7] == ballot >> 31);
    REQUIRE(o[8] == static_cast<uint32_t>(std::popcount(ballot)));
    REQUIRE(o[9] ==
            static_cast<uint32_t>(std::popcount(ballot & (lane == 31 ? ~0u : (2u << lane) - 1))));
    if (ballot) {
      REQUIRE(o[10] == static_cast<uint32_t>(std::countr_zero(ballot)));
      REQUIRE(o[11] == 31u - static_cast<uint32_t>(std::countl_zero(ballot)));
    }
  }
}

TEST_CASE("ze_cpu: jit: lane masks hold the lanes below, at and above the own one") {
  uint32_t size = GENERATE(32u, 20u);
  std::vector<uint32_t> out(32 * 5);
  run("subgroups", "masks", line(1, size), out.data());
  uint32_t all = size == 32 ? ~0u : (1u << size) - 1;
  for (uint32_t lane = 0; lane < size; ++lane) {
    const uint32_t *o = &out[lane * 5];
    uint32_t bit = 1u << lane, below = bit - 1;
    REQUIRE(o[0] == bit);
    REQUIRE(o[1] == (all & ~(below | bit)));
    REQUIRE(o[2] == (all & ~below));
    REQUIRE(o[3] == below);
    REQUIRE(o[4] == (below | bit));
  }
}

TEST_CASE("ze_cpu: jit: lanes that do not arrive take no part in divergent flow") {
  std::vector<uint32_t> out(96);
  run("subgroups", "divergent", line(1, 32), out.data());
  for (uint32_t lane = 0; lane < 32; ++lane) {
    if (lane < 13) {
      REQUIRE(out[lane] == 0x1fff);
      REQUIRE(out[32 + lane] == 78);
    } else {
      REQUIRE(out[lane] == (0xaaaaaaaa & ~0x1fffu));
      REQUIRE(out[32 + lane] == (lane == 13));
    }
    REQUIRE(out[64 + lane] == ~0u); // together again
  }
}

TEST_CASE("ze_cpu: jit: lanes that left a loop no longer take part in it") {
  std::vector<uint32_t> out(32);
  run("subgroups", "divergent_loop", line(1, 32), out.data());
  for (uint32_t lane = 0; lane < 32; ++lane) {
    uint32_t seen = 0;
    for (uint32_t i = 0; i <= lane; ++i)
      seen += 32 - i;
    REQUIRE(out[lane] == seen);
  }
}

TEST_CASE("ze_cpu: jit: lanes that leave an inner loop early wait for the others") {
  constexpr uint32_t rounds = 5, no_lane = 0;
  std::vector<uint32_t> out((rounds + 4) * 32);
  run("subgroups", "uneven_inner_loop", line(1, 32), out.data(), rounds);
  for (uint32_t lane = 0; lane < 32; ++lane) {
    for (uint32_t i = 0; i < rounds; ++i)
      REQUIRE(out[i * 32 + lane] == ~0u);
    constexpr uint32_t still_inside[] = {~0u, 0xeeeeeeee, 0xcccccccc, 0x88888888};
    for (uint32_t n = 0; n < 4; ++n)
      REQUIRE(out[(rounds + n) * 32 + lane] == ((lane & 3) < n ? no_lane : still_inside[n]));
  }
}

TEST_CASE("ze_cpu: jit: lanes that skip an operation in a loop wait for the others at its end") {
  constexpr uint32_t rounds = 7;
  std::vector<uint32_t> out(64);
  run("subgroups", "skipped_in_loop", line(1, 32), out.data(), rounds);
  for (uint32_t lane = 0; lane < 32; ++lane) {
    uint32_t inner = 0;
    for (uint32_t i = 0; i < rounds; ++i)
      if ((lane + i) % 3 == 0)
        for (uint32_t other = 0; other < 32; ++other)
          inner += (other + i) % 3 == 0;
    REQUIRE(out[lane * 2] == 32 * rounds);
    REQUIRE(out[lane * 2 + 1] == inner);
  }
}

TEST_CASE("ze_cpu: jit: lanes that leave a loop at different times meet behind it") {
  std::vector<uint32_t> out(32);
  run("subgroups", "early_exit_then_together", line(1, 32), out.data());
  for (uint32_t value : out)
    REQUIRE(value == ~0u);
}

TEMPLATE_TEST_CASE("ze_cpu: jit: reductions and scans combine the lanes in order", "", int8_t,
                   int16_t, uint16_t, int32_t, uint32_t, int64_t, uint64_t, float, double) {
  constexpr uint32_t size = 50;
  std::vector<TestType> in = samples<TestType>(size), out(size * 9);
  run("subgroups", std::string("arithmetic_") + opencl_name<TestType>(), line(1, size), out.data(),
      in.data());
  using Limits = std::numeric_limits<TestType>;
  constexpr bool floating = std::is_floating_point_v<TestType>;
  for (uint32_t first = 0; first < size; first += 32) {
    uint32_t count = std::min(32u, size - first);
    const TestType *v = &in[first];
    TestType sum = 0, product = 1, running_sum = 0;
    TestType lowest = floating ? Limits::infinity() : Limits::max(),
             highest = floating ? -Limits::infinity() : Limits::lowest();
    TestType smallest = lowest, largest = highest;
    for (uint32_t i = 0; i < count; ++i) {
      sum = plus(sum, v[i]);
      product = times(product, v[i]);
      smallest = std::min(smallest, v[i]);
      largest = std::max(largest, v[i]);
    }
    for (uint32_t i = 0; i < count; ++i) {
      const TestType *o = &out[(first + i) * 9];
      REQUIRE(o[0] == sum);
      REQUIRE(o[1] == smallest);
      REQUIRE(o[2] == largest);
      REQUIRE(o[5] == running_sum);
      REQUIRE(o[6] == lowest);
      REQUIRE(o[7] == highest);
      running_sum = plus(running_sum, v[i]);
      lowest = std::min(lowest, v[i]);
      highest = std::max(highest, v[i]);
      REQUIRE(o[3] == running_sum);
      REQUIRE(o[4] == highest);
      REQUIRE(o[8] == product);
    }
  }
}

TEST_CASE("ze_cpu: jit: reductions take half precision") {
  std::vector<_Float16> in(32), out(32 * 9);
  for (int i = 0; i < 32; ++i)
    in[static_cast<size_t>(i)] = static_cast<_Float16>(i - 4);
  run("subgroups", "arithmetic_half", line(1, 32), out.data(), in.data());
  CHECK(static_cast<float>(out[0]) == 368); // small whole numbers: exact
  CHECK(static_cast<float>(out[1]) == -4);
  CHECK(static_cast<float>(out[2]) == 27);
  CHECK(static_cast<float>(out[31 * 9 + 3]) == 368);
  CHECK(static_cast<float>(out[31 * 9 + 5]) == 341);
  CHECK(static_cast<float>(out[6]) == std::numeric_limits<float>::infinity());
}

TEST_CASE("ze_cpu: jit: reductions take logical values and clusters") {
  std::vector<uint32_t> in = samples<uint32_t>(32), out(32 * 6);
  run("subgroups", "logic", line(1, 32), out.data(), in.data());
  uint32_t all = ~0u, any = 0, odd = 0, parity = 0;
  for (uint32_t v : in) {
    all &= v;
    any |= v;
    odd ^= v;
    parity ^= v & 1;
  }
  for (uint32_t lane = 0; lane < 32; ++lane) {
    const uint32_t *o = &out[lane * 6];
    REQUIRE(o[0] == all);
    REQUIRE(o[1] == any);
    REQUIRE(o[2] == odd);
    REQUIRE(o[3] == parity);
    auto four = in.begin() + lane / 4 * 4, eight = in.begin() + lane / 8 * 8;
    REQUIRE(o[4] == std::accumulate(four, four + 4, 0u));
    REQUIRE(o[5] == *std::max_element(eight, eight + 8));
  }
}

TEST_CASE("ze_cpu: jit: a kernel gets the sub-group size of 8 that it requires") {
  std::vector<uint32_t> out(24 * 3);
  run("subgroups", "narrow", line(1, 24), out.data());
  for (uint32_t i = 0; i < 24; ++i) {
    REQUIRE(out[i * 3] == 0xff);
    REQUIRE(out[i * 3 + 1] == i / 8);
    REQUIRE(out[i * 3 + 2] == (i ^ 7));
  }
}

TEST_CASE("ze_cpu: jit: sub-group operations and barriers mix") {
  constexpr uint32_t size = 200;
  std::vector<uint32_t> out(3 * size);
  run("subgroups", "mixed", line(3, size), out.data());
  for (uint32_t i = 0; i < 3 * size; ++i) {
    uint32_t first = i % size / 32 * 32, last = std::min(first + 32, size), own = 0;
    for (uint32_t lane = first; lane < last; ++lane)
      own += lane;
    REQUIRE(out[i] == size * (size - 1) / 2 + own);
  }
}

TEST_CASE("ze_cpu: jit: a sub-group keeps its number between its operations") {
  constexpr uint32_t size = 128, turns = 3;
  std::vector<uint32_t> out(size * 3), in = {5, 6, 7, 8};
  run("subgroups", "numbered", line(1, size), out.data(), in.data(), turns);
  for (uint32_t i = 0; i < size; ++i) {
    REQUIRE(out[i * 3] == turns * (i / 32 * 3 + in[i / 32]));
    REQUIRE(out[i * 3 + 1] == (i ^ 1 ^ 2));
    REQUIRE(out[i * 3 + 2] == i / 32);
  }
}

TEST_CASE("ze_cpu: jit: a scan begins with the identity of the operand's type") {
  std::vector<int> in(32, 7);
  std::vector<int64_t> out(32);
  run("subgroups", "narrow_scan", line(1, 32), out.data(), in.data());
  REQUIRE(out[0] == -1);
  for (size_t i = 1; i < 32; ++i)
    REQUIRE(out[i] == 7);
}

TEST_CASE("ze_cpu: jit: indices of whole sub-groups wrap around where their type does") {
  const char *kernel = GENERATE("indices", "indices_beside_barriers");
  const uint32_t size = GENERATE(128u, 100u);
  const int base = GENERATE(0, INT32_MAX - 1000, INT32_MAX - 300, INT32_MAX - 40, INT32_MAX,
                            INT32_MIN, -300, -40, -1, INT32_MAX / 32 - 1, INT32_MAX / 32);
  std::vector<int64_t> out(2 * size * 9);
  run("subgroups", kernel, line(2, size), out.data(), base);
  for (uint32_t i = 0; i < 2 * size; ++i) {
    INFO(kernel << " from " << base << ": " << i << " of " << size);
    const uint32_t t = i % size, first = static_cast<uint32_t>(base);
    const int64_t *const of = &out[i * 9];
    REQUIRE(of[0] == static_cast<int32_t>(first + 3 * t));
    REQUIRE(of[1] == first + i / size * 16 + t);
    REQUIRE(of[2] == t % 32 + 1000 * (t / 32));
    REQUIRE(of[3] == t % 64 + 1000 * (t / 32 * 32));
    REQUIRE(of[4] == t % 16 + 1000 * (t & 100));
    REQUIRE(of[5] == (t ^ 3));
    const uint32_t number = first * 32 + t;
    const int32_t as_signed = static_cast<int32_t>(number);
    REQUIRE(of[6] == as_signed / 32 + 1'000'000'000'000 * (as_signed % 64));
    REQUIRE(of[7] == number / 96 + 1'000'000'000'000 * (number % 96));
    REQUIRE(of[8] == i / 64 + 1000 * (i % 32));
  }
}

TEST_CASE("ze_cpu: jit: whole sub-groups take one way or several") {
  struct Case {
    const char *kernel;
    bool (*goes)(uint32_t, uint32_t);
  };
  const auto [kernel, goes] =
      GENERATE(Case{"ways_64", [](uint32_t t, uint32_t) { return t < 64; }},
               Case{"ways_from_96", [](uint32_t t, uint32_t) { return t > 95; }},
               Case{"ways_40", [](uint32_t t, uint32_t) { return t < 40; }},
               Case{"ways_not_negative", [](uint32_t, uint32_t) { return true; }},
               Case{"ways_of_one", [](uint32_t t, uint32_t n) { return t / 32 == n; }},
               Case{"ways_of_two", [](uint32_t t, uint32_t n) { return t / 32 == n || (t & 128); }},
               Case{"ways_of_some", [](uint32_t t, uint32_t n) { return t / 16 == n; }});
  const uint32_t size = GENERATE(256u, 96u, 20u, 200u), n = GENERATE(0u, 2u, 9u);
  std::vector<int> out(size);
  run("subgroups", kernel, line(1, size), out.data(), n);
  for (uint32_t i = 0; i < size; ++i) {
    int expected = goes(i, n) ? 0 : -1;
    for (uint32_t lane = i / 32 * 32; goes(i, n) && lane < std::min(i / 32 * 32 + 32, size); ++lane)
      if (goes(lane, n))
        expected += 1 + (lane % 4 && 255 - lane < size ? static_cast<int>(255 - lane) : 0);
    INFO(kernel << " with " << n << ": " << i << " of " << size);
    REQUIRE(out[i] == expected);
  }
}

TEST_CASE("ze_cpu: jit: exchanges of the first lanes of sub-groups do what those of any lanes do") {
  const Shape shape = GENERATE(line(1, 96), line(1, 40), Shape{{1, 1, 1}, {48, 2, 1}});
  const std::string kernel = GENERATE("first_8", "first_40", "first_8_of_each", "first_as_many");
  const auto widened = fresh_program("subgroups", ""),
             plain = fresh_program("subgroups", "-ze-opt-disable");
  const std::vector<int> in = samples<int>(96);
  for (const int rounds : {0, 2}) {
    // Others' addresses are behind the end: of eight lanes' elements, or of all that there are.
    std::vector<int> of_some(kernel == "first_40" ? 32 * 4096 : 7 * 4096 + 2), out(2 * 96, -1);
    std::ranges::generate(of_some, [n = 5]() mutable { return n = n * 37 % 1009; });
    std::vector<int> expected = out;
    REQUIRE_FALSE(
        try_run(*widened, kernel, shape, out.data(), in.data(), of_some.data(), rounds).happened);
    REQUIRE_FALSE(try_run(*plain, kernel, shape, expected.data(), in.data(), of_some.data(), rounds)
                      .happened);
    CHECK(out == expected);
  }
}

TEST_CASE(
    "ze_cpu: jit: work-groups that are not made up of whole sub-groups have code of their own") {
  auto &subgroups = program("subgroups");
  for (const char *kernel : {"long_sections", "first_8"}) {
    INFO(kernel);
    const auto &usual = code(subgroups, kernel),
               &for_parts = code_for(subgroups, kernel, {100, 1, 1});
    CHECK(&for_parts != &usual);
    CHECK(usual.has_small_parts);
    CHECK_FALSE(for_parts.has_small_parts);
    CHECK(&code_for(subgroups, kernel, {16, 6, 1}) == &for_parts);
    CHECK(&code_for(subgroups, kernel, {96, 1, 1}) == &usual);
    CHECK(&code_for(subgroups, kernel, {32, 2, 2}) == &usual);
  }
  auto &coordinates = program("coordinates");
  CHECK(&code_for(coordinates, "add", {100, 1, 1}) == &code(coordinates, "add"));
}

TEST_CASE("ze_cpu: jit: partial sub-groups go through many operations beside barriers") {
  const Shape shape = GENERATE(line(1, 96), line(1, 40), line(1, 7), Shape{{1, 1, 1}, {16, 6, 1}});
  const auto module = fresh_program("subgroups", GENERATE("", "-ze-opt-disable"));
  const uint32_t size = shape.size[0] * shape.size[1];
  const auto in = samples<uint32_t>(size);
  std::vector<uint32_t> expected = in;
  for (uint32_t k = 0; k < 28; ++k) {
    uint32_t sum = 0;
    for (uint32_t t = 0; t < size; ++t) {
      sum = (expected[t] ^ k) + (t % 32 ? sum : 0);
      expected[t] = 3 * expected[t] + sum;
    }
  }
  const std::string kernel = "long_sections";
  for (const auto *compiled : {&code(*module, kernel), &code_for(*module, kernel, shape.size)}) {
    std::vector<uint32_t> out(size);
    REQUIRE_FALSE(try_run(*compiled, *module, kernel, shape, out.data(), in.data()).happened);
    CHECK(out == expected);
  }
}

TEST_CASE("ze_cpu: jit: work-groups of one column go through loops over it") {
  auto &subgroups = program("subgroups");
  const bool unchecked =
      std::getenv("ZE_CPU_CHECK") == nullptr; // else places are told as the program has them
  REQUIRE(code(subgroups, "columns").of_columns == unchecked);
  REQUIRE(code(subgroups, "columns_plain").of_columns == unchecked);
  REQUIRE(code(subgroups, "columns_of_any_width").of_columns == unchecked);
  for (const char *kernel : {"long_sections", "tile", "linear"})
    REQUIRE_FALSE(code(subgroups, kernel).of_columns);
  REQUIRE(code_for(subgroups, "long_sections", {1, 64, 1}).of_columns == unchecked);
  REQUIRE(&code_for(subgroups, "columns", {1, 64, 1}) == &code(subgroups, "columns"));
  const Shape shape = GENERATE(Shape{{2, 1, 1}, {1, 64, 1}}, Shape{{2, 1, 1}, {1, 40, 1}},
                               Shape{{2, 1, 1}, {1, 6, 1}}, Shape{{2, 1, 1}, {4, 16, 1}},
                               Shape{{2, 1, 1}, {64, 1, 1}}, Shape{{2, 1, 1}, {2, 6, 1}});
  const uint32_t width = shape.size[0], size = width * shape.size[1];
  REQUIRE(code_for(subgroups, "columns", shape.size).of_columns == (unchecked && width == 1));
  for (const uint32_t ways : {0u, 4u}) {
    std::vector<uint64_t> out(2 * size);
    run("subgroups", "columns", shape, out.data(), ways, Local{4 * size});
    for (uint32_t i = 0, sum = 0; i < 2 * size; ++i) {
      const uint32_t lane = i % size, y = lane / width;
      sum = lane % 32 ? sum + y + 1 : y + 1;
      INFO(i << " of " << width << " x " << shape.size[1]);
      REQUIRE(out[i] == sum + (y % 4 < ways ? lane / 32 * 32 / width * 1000 : 0) +
                            (lane ^ 1) / width * 1'000'000 + y * uint64_t(10'000'000'000));
    }
  }
  std::vector<uint32_t> wide(size), in(shape.size[1], 7), tiles(2 * size);
  run("subgroups", "columns_of_any_width", shape, wide.data(), in.data());
  run("subgroups", "tile", shape, tiles.data());
  for (uint32_t i = 0; i < size; ++i)
    REQUIRE(wide[i] == 7u + (i % width == 0));
  for (uint32_t i = 0; i < 2 * size; ++i) {
    const uint32_t y = i / (2 * width);
    REQUIRE(tiles[i] == y * 100 + i % (2 * width) + (y == 3));
  }
  if (width == 1) {
    const uint32_t n = shape.size[1];
    std::vector<uint64_t> out(2 * n);
    run("subgroups", "columns_plain", shape, out.data());
    for (uint32_t i = 0; i < 2 * n; ++i)
      REQUIRE(out[i] == i % n * 100 + n);
  }
}
