#include "harness/harness.h"

#include <bit>
#include <cmath>

using namespace test;

using Half = _Float16;

TEST_CASE("ze_cpu: jit: 32-bit atomics of many groups lose no update") {
  constexpr int n = 64 * 256;
  std::vector<int> cells(9), before(n);
  cells = {0, 0, INT32_MAX, INT32_MIN, -1, 0, 0, -1, 0};
  run("atomics", "all_int", line(n / 64, 64), cells.data(), before.data());
  CHECK(cells[0] == 2 * n);
  CHECK(cells[1] == -3 * n);
  CHECK(cells[2] == 0);
  CHECK(cells[3] == n - 1);
  CHECK(cells[4] == ~0xff);
  CHECK(cells[5] == 0xffff);
  int parity = 0;
  for (int i = 0; i < n; ++i)
    parity ^= i;
  CHECK(cells[6] == parity);
  CHECK(cells[7] == 5);
  CHECK(cells[8] == -1); // as unsigned: 0 - 5 and its neighbours are the largest
  // Each value that the counter went through was seen by exactly one work-item.
  std::vector<bool> seen(n);
  for (int value : before) {
    REQUIRE(value % 2 == 0);
    REQUIRE(!seen[static_cast<size_t>(value / 2)]);
    seen[static_cast<size_t>(value / 2)] = true;
  }
}

TEST_CASE("ze_cpu: jit: 64-bit atomics lose no update") {
  constexpr int64_t n = 1024;
  std::vector<int64_t> cells = {0, 0, 0, 0, 0, -1};
  run("atomics", "all_long", line(n / 64, 64), cells.data());
  CHECK(cells[0] == (n * (n - 1) / 2) << 33);
  CHECK(cells[1] == -(n * (n - 1) / 2));
  CHECK(cells[2] == -(n - 1));
  CHECK(cells[3] == (n - 1) << 40);
  CHECK(cells[4] == -1);
  CHECK((cells[5] >= 0 && cells[5] < n));
}

TEST_CASE("ze_cpu: jit: compare and exchange loses no update") {
  constexpr int n = 128 * 128;
  int cell = 7;
  std::vector<int> rounds(n);
  run("atomics", "compare_exchange", line(128, 128), &cell, rounds.data());
  CHECK(cell == 7 + n);
  for (int tries : rounds)
    REQUIRE(tries >= 1);
}

TEST_CASE("ze_cpu: jit: atomics and fences take all orders and scopes") {
  constexpr int n = 256;
  std::vector<int> cells(n, -1), out(n);
  run("atomics", "orders", line(4, 64), cells.data(), out.data());
  for (int i = 0; i < n; ++i) {
    REQUIRE(out[static_cast<size_t>(i)] == i + i + (i + 1));
    REQUIRE(cells[static_cast<size_t>(i)] == 7);
  }
}

TEST_CASE("ze_cpu: jit: flags make a lock that all groups respect") {
  int lock = 0, sum = 0;
  run("atomics", "spin_lock", line(100, 50), &lock, &sum);
  CHECK(sum == 5000);
  CHECK(lock == 0);
}

TEST_CASE("ze_cpu: jit: floating-point atomics lose no update") {
  constexpr int n = 4096;
  std::vector<float> cells = {0, 5, -5};
  double wide = 1;
  run("atomics", "floats", line(n / 64, 64), cells.data(), &wide);
  CHECK(cells[0] == 1.5f * n);
  CHECK(cells[1] == -(n - 1.0f));
  CHECK(cells[2] == n - 1.0f);
  CHECK(wide == 1 + 0.25 * n);
}

TEST_CASE("ze_cpu: jit: atomics on work-group memory lose no update") {
  constexpr uint32_t groups = 50, size = 128;
  std::vector<uint32_t> in(groups * size), out(17), expected(16);
  for (size_t i = 0; i < in.size(); ++i) {
    in[i] = static_cast<uint32_t>(i * i * 31 >> 3);
    ++expected[in[i] & 15];
  }
  run("atomics", "local_histogram", line(groups, size), in.data(), out.data());
  for (size_t bin = 0; bin < 16; ++bin)
    CHECK(out[bin] == expected[bin]);
  CHECK(out[16] == groups * size);
}

TEST_CASE("ze_cpu: jit: atomics on work-group memory need no barrier in the kernel") {
  std::vector<uint32_t> out(5);
  run("atomics", "local_count_without_barrier", line(5, 100), out.data(), Local{4});
  for (uint32_t count : out)
    CHECK(count == 100);
}

TEST_CASE("ze_cpu: jit: atomics of 16 bits leave the rest of their words alone") {
  constexpr size_t n = 16384; // as bits all are finite numbers
  std::vector<Half> cells = {0, 0, 5, -5, Half(-1), 0}, before(n);
  run("atomics", "halves", line(n / 64, 64), cells.data(), before.data());
  CHECK(cells[0] == n / 64);
  CHECK(cells[1] == -Half(n / 64));
  CHECK(cells[2] == -2047);
  CHECK(cells[3] == 2047);
  CHECK(cells[5] == 0);
  // Each number was there once: either somebody found it or it is there still.
  before.push_back(cells[4]);
  std::vector<bool> seen(n);
  size_t initial = 0;
  for (Half value : before) {
    const auto bits = std::bit_cast<uint16_t>(value);
    if (value == -1) {
      ++initial;
      continue;
    }
    REQUIRE(bits < n);
    REQUIRE(!seen[bits]);
    seen[bits] = true;
  }
  CHECK(initial == 1);
}

TEST_CASE("ze_cpu: jit: minima and maxima of 16 bits leave out what is no number") {
  const auto none = std::bit_cast<Half>(uint16_t(0x7e00));
  std::vector<Half> cells = {none, none, 4, 4, none};
  run("atomics", "halves_without_number", line(1, 1), cells.data());
  for (size_t i = 0; i < 4; ++i)
    CHECK(cells[i] == (i < 2 ? 3 : 4));
  CHECK(std::isnan(static_cast<float>(cells[4])));
}

TEST_CASE("ze_cpu: jit: atomic loads and stores of 16 bits take all orders") {
  constexpr int n = 512; // denormal numbers, as bits
  std::vector<Half> cells(n, -1), out(n);
  run("atomics", "half_orders", line(n / 8, 8), cells.data(), out.data());
  for (size_t i = 0; i < n; ++i) {
    REQUIRE(std::bit_cast<uint16_t>(cells[i]) == i + 1);
    REQUIRE(out[i] == 2 * i + 1);
  }
}

TEST_CASE("ze_cpu: jit: atomics of 16 bits work on work-group memory") {
  constexpr size_t groups = 40, size = 96;
  std::vector<Half> out(6 * groups), before(groups * size);
  run("atomics", "local_halves", line(groups, size), out.data(), before.data());
  for (size_t group = 0; group < groups; ++group) {
    const Half *cells = &out[6 * group];
    REQUIRE(cells[0] == size);
    REQUIRE(cells[1] == -Half(size / 2));
    REQUIRE(cells[2] == -Half(size - 1));
    REQUIRE(cells[3] == size - 1);
    REQUIRE(cells[5] == size / 4);
    size_t sum = std::bit_cast<uint16_t>(cells[4]);
    for (size_t i = 0; i < size; ++i)
      sum += std::bit_cast<uint16_t>(before[group * size + i]);
    REQUIRE(sum == size * (size + 1) / 2);
  }
}
