// Loops that are interchanged with that over the work-items (jit/interchange.h).
#include "contract/kernel_code.h"
#include "harness/harness.h"

#include <algorithm>
#include <catch2/generators/catch_generators.hpp>
#include <cmath>

namespace {

using namespace test;

struct Output {}; // where the results go

TEST_CASE("ze_cpu: jit: loops are interchanged with that over the work-items where it pays") {
  CHECK(code("interchange", "nbody").in_regions);
  CHECK(code("interchange", "product").in_regions);
  CHECK(code("interchange", "filter").in_regions);
  CHECK(code("interchange", "strided").in_regions);
  CHECK(code("interchange", "strided_sums").in_regions);
  CHECK(code("interchange", "rows").in_regions);
  CHECK(code("interchange", "rows_backwards").in_regions);
  CHECK_FALSE(code("interchange", "strided_end").in_regions);
  CHECK_FALSE(code("interchange", "triangle").in_regions);
  CHECK_FALSE(code("interchange", "rank").in_regions);
}

// With the kernel as it is written, each work-item on a stack of its own.
template <class T, class... Values>
void compare(const char *kernel, const Shape &shape, std::vector<T> &out, const Values &...values) {
  static auto fibers = ze_cpu::build_program(spirv("interchange"), "-ze-cpu-fibers", {});
  static auto all = ze_cpu::build_program(spirv("interchange"), "-ze-cpu-interchange", {});
  REQUIRE(fibers);
  REQUIRE(all);
  std::vector<T> expected = out, without_asking = out;
  T *const results = out.data(), *const wanted = expected.data();
  auto with = [&](T *to) {
    return [to](auto value) {
      if constexpr (std::is_same_v<decltype(value), Output>)
        return to;
      else
        return value;
    };
  };
  run("interchange", kernel, shape, with(results)(values)...);
  REQUIRE_FALSE(try_run(**fibers, kernel, shape, with(wanted)(values)...).happened);
  REQUIRE(std::memcmp(out.data(), expected.data(), out.size() * sizeof(T)) == 0);
  // And whether it pays or not.
  T *const third = without_asking.data();
  REQUIRE_FALSE(try_run(**all, kernel, shape, with(third)(values)...).happened);
  REQUIRE(std::memcmp(without_asking.data(), expected.data(), out.size() * sizeof(T)) == 0);
}

std::vector<float> numbers(size_t count) {
  std::vector<float> made(count);
  for (size_t i = 0; i < count; ++i)
    made[i] = static_cast<float>(i * 7919 % 1009) / 64 - 7;
  return made;
}

TEST_CASE("ze_cpu: jit: interchanged loops add in the order of the source") {
  const uint32_t size = GENERATE(1u, 7u, 8u, 30u, 64u, 100u);
  const int n = GENERATE(0, 1, 2, 77);
  const std::vector<float> in = numbers(4 * std::max<size_t>(2 * size, 77));
  std::vector<float> out(4 * 2 * size, -1);
  compare("nbody", line(2, size), out, in.data(), Output{}, n);
  for (uint32_t i = 0; i < 2 * size; ++i)
    REQUIRE(out[4 * i + 3] == 0);
}

TEST_CASE("ze_cpu: jit: work-items read rows of their own side by side") {
  const uint32_t size = GENERATE(1u, 7u, 8u, 16u, 30u, 64u);
  const int n = GENERATE(0, 1, 2, 15, 16, 17, 77);
  const std::vector<float> in = numbers(2 * 64 * 77 + 77);
  std::vector<float> out(2 * size, -1);
  compare("rows", line(2, size), out, in.data(), Output{}, n);
  double sum = 0;
  for (int i = 0; i < n; ++i)
    sum += in[size_t(n) + size_t(i)];
  if (size > 1)
    REQUIRE(std::abs(out[1] - sum) < 1e-3);
  const std::vector<double> large(in.begin(), in.end());
  std::vector<double> products(2 * size, -1);
  compare("rows_backwards", line(2, size), products, large.data(), in.data(), Output{}, n);
}

TEST_CASE("ze_cpu: jit: private arrays that are values hold what the arrays held") {
  const uint32_t size = GENERATE(1u, 8u, 20u, 64u);
  const int n = GENERATE(0, 1, 5);
  const std::vector<float> in = numbers(2 * 64 * 16);
  std::vector<float> out(2 * size * 16, -1);
  compare("private_sums", line(2, size), out, in.data(), Output{}, n);
}

TEST_CASE("ze_cpu: jit: neighbouring work-groups are run as one row") {
  const uint32_t width = GENERATE(1u, 4u, 8u, 30u), groups = GENERATE(1u, 3u, 20u);
  const Shape shape = {{groups, 2, 1}, {width, 3, 1}};
  const auto whole = static_cast<int>(width * groups);
  const int n = std::max(1, GENERATE_COPY(1, whole / 2, whole - 1, whole));
  const auto size = static_cast<size_t>(n);
  const std::vector<float> in = numbers(size * size);
  std::vector<float> out(size * size, -1), expected = out;
  for (size_t y = 0; y < std::min<size_t>(size, 6); ++y)
    for (size_t x = 0; x < size; ++x) {
      const size_t at = y * size + x;
      expected[at] = in[x + 1 < size ? at + 1 : at] - in[x > 0 ? at - 1 : at];
    }
  run("interchange", "differences", shape, in.data(), out.data(), n);
  REQUIRE(out == expected);
}

TEST_CASE("ze_cpu: jit: work-groups of another size than the kernel counts with stay apart") {
  const uint32_t width = GENERATE(3u, 8u);
  constexpr uint32_t groups = 20;
  std::vector<int> out(groups * 8, -1), expected = out;
  for (uint32_t i = 0; i < groups * 8; ++i)
    if (i % 8 < width)
      expected[i] = int(i);
  run("interchange", "numbers_by_8", line(groups, width), out.data());
  REQUIRE(out == expected);
}

TEST_CASE("ze_cpu: jit: interchanged loops leave work-items outside of the bounds alone") {
  const int n = GENERATE(1, 16, 20, 33);
  const auto size = static_cast<size_t>(n);
  const Shape shape = {{3, 9, 1}, {16, 4, 1}};
  const std::vector<float> a = numbers(size * size), b = numbers(size * size);
  std::vector<float> out(size * size, -1);
  compare("product", shape, out, a.data(), b.data(), Output{}, n);
  double sum = 0;
  for (size_t k = 0; k < size; ++k)
    sum += double(a[(size - 1) * size + k]) * b[k * size + size - 1];
  REQUIRE(std::abs(out.back() - sum) < 1e-3);
}

TEST_CASE("ze_cpu: jit: loops inside of others are interchanged") {
  const int reach = GENERATE(0, 1, 3);
  constexpr int width = 64;
  const Shape shape = {{2, 2, 1}, {20, 3, 1}};
  const std::vector<float> in = numbers(width * 16), weights = numbers(49);
  std::vector<float> out(40 * 6, -1);
  compare("filter", shape, out, in.data(), weights.data(), Output{}, width, reach);
}

TEST_CASE("ze_cpu: jit: work-items go by steps that all share, and end each at its time") {
  const uint32_t groups = GENERATE(1u, 3u), size = GENERATE(1u, 8u, 24u, 64u);
  const int n = GENERATE(0, 1, 63, 64, 65, 500);
  const std::vector<float> in = numbers(512);
  std::vector<float> out(512, -1);
  compare("strided", line(groups, size), out, in.data(), Output{}, n);
  for (int i = 0; i < 512; ++i)
    REQUIRE(out[size_t(i)] == (i < n ? in[size_t(i)] * 2 + float(i) : -1));
  out.assign(512, -1);
  compare("strided_at_least_once", line(groups, size), out, in.data(), Output{}, n);
  for (int i = 0; i < int(groups * size); ++i)
    REQUIRE(out[size_t(i)] == in[size_t(i)] * 2 + float(i));
  compare("strided_sums", line(groups, size), out, in.data(), Output{}, uint64_t(n));
  std::vector<int> whole(512, 3), ends(512, -1);
  compare("strided_end", line(groups, size), ends, whole.data(), Output{}, n);
  out.assign(512, -1);
  compare("strided_rows", {{1, 2, 1}, {size, 2, 1}}, out, in.data(), Output{}, n / 4);
}

// A work-item that is done is not to begin again because the others' steps take its number once
// around.
TEST_CASE("ze_cpu: jit: shared steps end where the numbers do") {
  const uint32_t step = GENERATE(8u, 64u, 1000u), left = GENERATE(0u, 1u, 40u, 1100u);
  const uint32_t n = UINT32_MAX - step - left;
  std::vector<uint32_t> in(64);
  for (uint32_t i = 0; i < 64; ++i)
    in[i] = i * 77;
  for (uint32_t before : {60u, 64u, 700u}) {
    std::vector<uint32_t> out(64, 0);
    compare("strided_from", line(1, 64), out, in.data(), Output{}, n - before, n, step);
    out.assign(64, 0);
    compare("strided_block_from", line(1, 64), out, in.data(), Output{}, n - before, n, step);
    out.assign(64, 0);
    const int last = INT32_MAX - int(step + left);
    compare("strided_block_signed", line(1, 64), out, in.data(), Output{}, last - int(before), last,
            int(step));
    compare("strided_block_signed", line(1, 64), out, in.data(), Output{}, INT32_MIN,
            int(INT32_MIN + before), int(step));
  }
}

TEST_CASE("ze_cpu: jit: shared steps in kernels that synchronise") {
  const uint32_t width = GENERATE(1u, 8u, 30u), height = GENERATE(1u, 2u);
  const int n = GENERATE(0, 1, 29, 64, 200);
  const std::vector<float> in = numbers(600);
  std::vector<float> out(600, -1);
  compare("strided_block", {{3, 1, 1}, {width, height, 1}}, out, in.data(), Output{}, n);
  for (int group = 0; group < 3; ++group) {
    double sum = 0;
    for (int i = 0; i < n; ++i)
      sum += in[size_t(group * n + i)];
    for (int i = 0; i < n; ++i)
      REQUIRE(std::abs(out[size_t(group * n + i)] - sum * in[size_t(group * n + i)]) < 0.1);
  }
}

TEST_CASE("ze_cpu: jit: work-items count what lies side by side") {
  const uint32_t size = GENERATE(1u, 8u, 100u, 256u);
  std::vector<uint32_t> in(3 * 4096);
  for (uint32_t i = 0; i < in.size(); ++i)
    in[i] = i * 2654435761u >> 7;
  std::vector<int> out(3 * 256, -1), all(4);
  run("interchange", "histogram", line(3, size), in.data(), out.data(), all.data());
  std::vector<int> expected(3 * 256), expected_all(4);
  for (uint32_t i = 0; i < in.size(); ++i)
    ++expected[i / 4096 * 256 + (in[i] >> 8 & 255)];
  for (uint32_t group = 0; group < 3; ++group)
    for (uint32_t t = 0; t < size; ++t)
      for (uint32_t i = t; i < 1024; i += 64)
        ++expected_all[in[group * 4096 + i] & 3];
  REQUIRE(out == expected);
  REQUIRE(all == expected_all);
}

TEST_CASE("ze_cpu: jit: lanes go through rows together") {
  const uint32_t size = GENERATE(32u, 64u, 48u, 30u);
  const int columns = GENERATE(0, 1, 31, 32, 33, 70, -1, INT32_MIN);
  const uint32_t items = 4 * size, width = static_cast<uint32_t>(std::max(columns, 0));
  const std::vector<float> in = numbers((items / 32 + 1) * width + 1);
  std::vector<float> out(items, -1);
  run("interchange", "strided_lanes", line(4, size), in.data(), out.data(), columns);
  for (uint32_t i = 0; i < items; ++i) {
    const uint32_t other = i / size * size + ((i % size) ^ 1);
    float sum = 0;
    for (uint32_t k = other % size % 32; k < width; k += 32)
      sum += in[other / 32 * width + k];
    INFO(i << " of " << size << " with " << columns << " columns");
    REQUIRE(out[i] == sum);
  }
}

TEST_CASE("ze_cpu: jit: work-items count in places of their own side by side") {
  const uint32_t size = GENERATE(1u, 8u, 30u, 256u);
  const int turns = GENERATE(0, 1, 100), items = static_cast<int>(3 * size);
  std::vector<uint8_t> in(size_t(items) * 100);
  for (size_t i = 0; i < in.size(); ++i)
    in[i] = static_cast<uint8_t>(i * 7919 >> 3);
  std::vector<int> out(size_t(items) * 16);
  run("interchange", "private_bins", line(3, size), in.data(), out.data(), items, turns);
  for (int i = 0; i < items; ++i) {
    int bins[16];
    std::ranges::fill(bins, i);
    for (int k = 0; k < turns; ++k)
      ++bins[in[size_t(k * items + i)] & 15];
    for (int k = 0; k < 16; ++k)
      REQUIRE(out[size_t(k * items + i)] == bins[k]);
  }
}

} // namespace
