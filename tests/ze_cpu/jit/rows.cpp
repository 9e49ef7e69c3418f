// Work-groups with several rows: code for rows of known lengths (jit/rows/row_widths.h), and for what only some of them do
// (jit/rows/row_conditions.h).
#include "harness/harness.h"

#include <algorithm>
#include <catch2/generators/catch_generators.hpp>

namespace {

using namespace test;

std::vector<int> some_numbers(size_t count) {
  std::vector<int> made(count);
  for (size_t i = 0; i < count; ++i)
    made[i] = static_cast<int>(i * 7919 % 1009);
  return made;
}

TEST_CASE("ze_cpu: jit: rows of all lengths load the border of their tile") {
  const auto [columns, rows] = GENERATE(table<uint32_t, uint32_t>(
      {{8, 8}, {16, 16}, {32, 8}, {32, 32}, {8, 1}, {1, 8}, {12, 5}, {31, 3}, {4, 32}}));
  const uint32_t pitch = 3 * columns + 2, height = 2 * rows + 2;
  const std::vector<int> in = some_numbers(pitch * height);
  std::vector<int> out(in.size());
  run("rows", "border", Shape{{3, 2, 1}, {columns, rows, 1}}, in.data(), out.data(),
      static_cast<int>(pitch));
  for (uint32_t y = 1; y + 1 < height; ++y)
    for (uint32_t x = 1; x + 1 < pitch; ++x) {
      const uint32_t at = y * pitch + x;
      REQUIRE(out[at] ==
              in[at] + 2 * in[at - pitch] + 3 * in[at + pitch] + 5 * in[at - 1] + 7 * in[at + 1]);
    }
}

TEST_CASE("ze_cpu: jit: rows and planes that a kernel knows load the border of their tile") {
  constexpr uint32_t groups = 2, pitch = groups * 8 + 2, plane = pitch * pitch,
                     planes = groups * 4 + 2;
  const std::vector<int> in = some_numbers(plane * planes);
  std::vector<int> out(in.size());
  run("rows", "border_of_8", Shape{{groups, groups, groups}, {8, 8, 4}}, in.data(), out.data(),
      static_cast<int>(pitch));
  for (uint32_t z = 1; z + 1 < planes; ++z)
    for (uint32_t y = 1; y + 1 < pitch; ++y)
      for (uint32_t x = 1; x + 1 < pitch; ++x) {
        const uint32_t at = z * plane + y * pitch + x;
        REQUIRE(out[at] == in[at - 1] + 2 * in[at + 1] + 3 * in[at - pitch] + 5 * in[at + pitch] +
                               7 * in[at - plane] + 11 * in[at + plane]);
      }
}

TEST_CASE("ze_cpu: jit: lanes that diverged are parts of rows") {
  const uint32_t columns = GENERATE(8u, 16u, 32u, 12u), rows = GENERATE(1u, 4u, 6u);
  constexpr uint32_t groups = 2;
  const uint32_t size = columns * rows;
  std::vector<int> out(groups * size);
  run("rows", "parts_of_rows", Shape{{groups, 1, 1}, {columns, rows, 1}}, out.data());
  for (uint32_t i = 0; i < out.size(); ++i) {
    const int x = static_cast<int>(i % size % columns), y = static_cast<int>(i % size / columns);
    REQUIRE(out[i] == (((x + y) & 4) == 0 ? 1 + y + 10 * y + x : 0) + 1000 * y);
  }
}

TEST_CASE("ze_cpu: jit: pairs of elements lie side by side or in two rows") {
  const uint32_t width = GENERATE(1u, 5u, 16u, 37u, 100u), height = 7, count = width * height;
  const std::vector<int> in = some_numbers(4 * count);
  std::vector<int> out(count);
  run("rows", "largest_of_four", line(count / 64 + 1, 64), in.data(), out.data(),
      static_cast<int>(width), static_cast<int>(count));
  for (uint32_t i = 0; i < count; ++i) {
    const size_t from = i / width * 4 * width + i % width * 2;
    REQUIRE(out[i] ==
            std::max({in[from], in[from + 1], in[from + 2 * width], in[from + 2 * width + 1]}));
  }
}

TEST_CASE("ze_cpu: jit: tiles of any size are filled by work-groups of any shape") {
  const auto [columns, rows, planes] = GENERATE(table<uint32_t, uint32_t, uint32_t>(
      {{16, 16, 1}, {256, 1, 1}, {16, 8, 1}, {8, 32, 1}, {32, 8, 1}, {16, 4, 4}, {8, 1, 1}}));
  const int count = GENERATE(0, 1, 17, 255, 256, 324, 331);
  constexpr uint32_t groups = 3, pitch = 25;
  const std::vector<int> in = some_numbers(pitch * 20);
  std::vector<int> out(groups * 400);
  run("rows", "filled_tile", Shape{{groups, 1, 1}, {columns, rows, planes}}, in.data(), out.data(),
      static_cast<int>(pitch), count);
  std::vector<int> tile(400, -1);
  for (uint32_t y = 0; y < rows; ++y)
    for (uint32_t x = 0; x < columns; ++x)
      for (uint32_t i = y * 16 + x; i < static_cast<uint32_t>(count); i += 256)
        tile[i] = in[i / 18 * pitch + i % 18];
  for (uint32_t i = 0; i < out.size(); ++i)
    REQUIRE(out[i] == tile[i % 400]);
}

TEST_CASE("ze_cpu: jit: what is written before a tile is filled is there, and the tile is behind") {
  const int count = GENERATE(64, 70, 300);
  constexpr int groups = 2;
  std::vector<int> out(groups * 64);
  run("rows", "tile_of_own", line(groups, 64), out.data(), count);
  for (int i = 0; i < groups * 64; ++i) {
    const auto element = [&](int at) { return 3 * at + i / 64 + 1000 * (at / 10); };
    REQUIRE(out[i] == element(i % 64) + element((i + 1) % 64));
  }
}

TEST_CASE("ze_cpu: jit: sums around the elements of an image end at its borders") {
  const auto [width, height] =
      GENERATE(table<uint32_t, uint32_t>({{1, 1}, {3, 50}, {16, 16}, {37, 20}, {100, 9}}));
  const std::vector<int> in = some_numbers(width * height), weights = some_numbers(25);
  std::vector<int> out(in.size());
  run("rows", "sums_around", Shape{{width / 16 + 1, height / 16 + 1, 1}, {16, 16, 1}}, in.data(),
      weights.data(), out.data(), static_cast<int>(width), static_cast<int>(height));
  for (int y = 0; y < static_cast<int>(height); ++y)
    for (int x = 0; x < static_cast<int>(width); ++x) {
      int sum = 0;
      for (int row = std::max(y - 2, 0); row < std::min(y + 3, static_cast<int>(height)); ++row)
        for (int column = std::max(x - 2, 0); column < std::min(x + 3, static_cast<int>(width));
             ++column)
          sum += in[row * width + column] * weights[(row - y + 2) * 5 + column - x + 2];
      REQUIRE(out[y * width + x] == sum);
    }
}

TEST_CASE("ze_cpu: jit: images have borders that depend on rows and columns") {
  const auto [columns, rows] =
      GENERATE(table<uint32_t, uint32_t>({{16, 4}, {32, 1}, {33, 3}, {1, 8}, {64, 2}}));
  const int width = GENERATE(1, 2, 40, 64), height = GENERATE(1, 2, 7, 8);
  const std::vector<int> in = some_numbers(size_t(width) * size_t(height));
  std::vector<int> out(in.size());
  const Shape shape{{64 / columns + 1, 8 / rows + 1, 1}, {columns, rows, 1}};
  for (const char *kernel : {"inner_sums", "outer_values"})
    run("rows", kernel, shape, in.data(), out.data(), width, height);
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) {
      const auto at = [&](int column, int row) { return in[size_t(row * width + column)]; };
      const bool is_inside = x > 0 && x < width - 1 && y > 0 && y < height - 1;
      REQUIRE(out[size_t(y * width + x)] ==
              (is_inside ? at(x - 1, y) + at(x + 1, y) + at(x, y - 1) + at(x, y + 1) : -at(x, y)));
    }
}

TEST_CASE("ze_cpu: jit: rows become columns in work-groups of any shape") {
  const auto [columns, rows, planes] = GENERATE(table<uint32_t, uint32_t, uint32_t>(
      {{16, 16, 1}, {32, 32, 1}, {4, 48, 2}, {16, 8, 2}, {1, 64, 1}, {33, 16, 1}}));
  constexpr uint32_t groups = 2;
  const uint32_t width = groups * columns, height = groups * rows;
  SECTION("inside of bounds") {
    const uint32_t missing = GENERATE(0u, 1u);
    const std::vector<int> in = some_numbers(width * height);
    std::vector<int> out(in.size());
    run("rows", "transposed", Shape{{groups, groups, 1}, {columns, rows, 1}}, in.data(), out.data(),
        static_cast<int>(width - missing), static_cast<int>(height - missing));
    for (uint32_t y = 0; y < height - missing; ++y)
      for (uint32_t x = 0; x < width - missing; ++x)
        REQUIRE(out[x * (height - missing) + y] == in[y * (width - missing) + x]);
  }
  SECTION("in several planes") {
    const uint32_t depth = groups * planes;
    std::vector<int> out(width * height * depth);
    run("rows", "transposed_numbers", Shape{{groups, groups, groups}, {columns, rows, planes}},
        out.data(), static_cast<int>(height));
    for (uint32_t i = 0; i < out.size(); ++i)
      REQUIRE(out[i] == static_cast<int>(100 * (i / height / width) + 10 * (i % height) +
                                         i / height % width));
  }
}

} // namespace
