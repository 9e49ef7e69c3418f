#include "harness/harness.h"

#include <algorithm>
#include <catch2/generators/catch_generators.hpp>
#include <numeric>

using namespace test;

namespace {
struct Small {
  int a;
  float b[3];
  int64_t c;
};
struct Large {
  int values[1000];
};
struct Float4 {
  float x, y, z, w;
};
} // namespace

TEST_CASE("ze_cpu: jit: structs by value are each work-item's own copy") {
  std::vector<int64_t> out(64);
  Small s = {1000, {1, 2, 3}, 1ll << 40};
  run("memory", "by_value", line(2, 32), out.data(), s, Float4{0, 0, 0, 7}, int8_t(-3));
  for (int64_t i = 0; i < 64; ++i) {
    int64_t sum = 6 - (i % 3 + 1) + 100;
    REQUIRE(out[static_cast<size_t>(i)] == 1000 + i + sum + (1ll << 40) + 7 - 3);
  }
}

TEST_CASE("ze_cpu: jit: a struct of 4000 bytes is passed by value") {
  Large l;
  for (int i = 0; i < 1000; ++i)
    l.values[i] = i * i;
  std::vector<int> out(500);
  run("memory", "large_by_value", line(5, 100), out.data(), l, 1000);
  for (int i = 0; i < 500; ++i)
    REQUIRE(out[static_cast<size_t>(i)] == l.values[i * 7 % 1000] + l.values[999]);
}

TEST_CASE("ze_cpu: jit: program-scope variables have initial values, and kernels and the host "
          "share them") {
  auto module = fresh_program("memory");
  std::vector<int> out(3);
  REQUIRE(!try_run(*module, "globals", line(4, 16), out.data()).happened);
  CHECK(out[0] == 30); // through the pointer that another variable was initialised with
  CHECK(out[1] == 24);
  CHECK(out[2] == 3);
  REQUIRE(!try_run(*module, "globals_again", line(1, 1), out.data()).happened);
  CHECK(out[0] == 5 + 64);
  CHECK(out[1] == 77);
  CHECK(out[2] == 3);

  auto counter = module->global("counter");
  REQUIRE(counter);
  CHECK(counter->size == 4);
  CHECK(*static_cast<int *>(counter->address) == 69);
  *static_cast<int *>(counter->address) = -4;
  REQUIRE(!try_run(*module, "globals_again", line(1, 1), out.data()).happened);
  CHECK(out[0] == -4);
  auto table = module->global("table");
  REQUIRE(table);
  CHECK(table->size == 16);
  auto indirect = module->global("indirect");
  REQUIRE(indirect);
  CHECK(*static_cast<int **>(indirect->address) == module->global("third")->address);
  CHECK(!module->global("no_such_variable"));
  CHECK(!module->global(""));
}

TEST_CASE("ze_cpu: jit: every program has its own variables") {
  auto first = fresh_program("memory"), second = fresh_program("memory");
  auto a = first->global("counter"), b = second->global("counter");
  REQUIRE(a);
  REQUIRE(b);
  CHECK(a->address != b->address);
  *static_cast<int *>(a->address) = 1;
  CHECK(*static_cast<int *>(b->address) == 5);
}

TEST_CASE("ze_cpu: jit: generic pointers reach global, work-group and private memory") {
  for (int which = 0; which < 3; ++which) {
    std::vector<int> g(2 + 8);
    g[0] = 100;
    g[1] = 200;
    run("memory", "generic_pointers", line(1, 8), g.data(), which);
    for (size_t i = 2; i < 10; ++i)
      REQUIRE(g[i] == (which == 0 ? 300 : which == 1 ? 3 : 7));
  }
}

TEST_CASE("ze_cpu: jit: a generic pointer tells what it points to") {
  std::vector<int> g(10);
  run("memory", "pointer_kinds", line(1, 1), g.data());
  for (size_t kind = 0; kind < 3; ++kind)
    for (size_t question = 0; question < 3; ++question)
      CHECK(g[kind * 3 + question] == (kind == question));
  CHECK(g[9] == 3);
}

TEST_CASE("ze_cpu: jit: private arrays are each work-item's own in kernels without barriers") {
  std::vector<int> out(130);
  run("memory", "private_scratch", line(2, 65), out.data(), 32);
  for (int i = 0; i < 130; ++i)
    REQUIRE(out[static_cast<size_t>(i)] == 32 * i + 31 * 32 / 2);
}

TEST_CASE("ze_cpu: jit: a pointer may be to private or to global memory") {
  std::vector<int> in(64), out(64);
  for (size_t i = 0; i < 64; ++i)
    in[i] = i == 40;
  run("memory", "private_or_global", line(1, 64), in.data(), out.data());
  for (int i = 0; i < 64; ++i)
    REQUIRE(out[static_cast<size_t>(i)] == (i == 40 ? 1 : 2 * i + 1));
}

TEST_CASE("ze_cpu: jit: private memory may be larger than a thread's stack") {
  constexpr int n = 5000;
  std::vector<int> out(8);
  run("memory", "large_private", line(4, 2), out.data(), n);
  for (int i = 0; i < 8; ++i) {
    int sum = 0;
    for (int j = 0; j < n; ++j)
      sum += j ^ i;
    REQUIRE(out[static_cast<size_t>(i)] == sum);
  }
  CHECK(footprint(code(program("memory"), "large_private")).private_bytes >= 65536 * 4);
}

TEST_CASE("ze_cpu: jit: integer division never traps") {
  std::vector<int> a = {7, -7, INT32_MIN, 0, 5, INT32_MIN, 100, -1},
                   b = {0, 0, -1, 0, 3, 0, -7, -1};
  size_t n = a.size();
  std::vector<int> out(n * 4);
  run("memory", "divide", line(1, static_cast<uint32_t>(n)), a.data(), b.data(), out.data());
  for (size_t i = 0; i < n; ++i) {
    if (b[i] == 0 || (a[i] == INT32_MIN && b[i] == -1))
      continue; // any result, but no trap
    CHECK(out[i * 4] == a[i] / b[i]);
    CHECK(out[i * 4 + 1] == a[i] % b[i]);
    CHECK(out[i * 4 + 2] ==
          static_cast<int>(static_cast<unsigned>(a[i]) / static_cast<unsigned>(b[i])));
  }
  CHECK(out[2 * 4 + 3] == INT32_MIN); // 2^31 in 64 bits, cut
}

TEST_CASE("ze_cpu: jit: vload and vstore take packed vectors and halves") {
  std::vector<float> f(12);
  for (size_t i = 0; i < 12; ++i)
    f[i] = static_cast<float>(i);
  std::vector<uint16_t> h(4);
  std::vector<int> out(4);
  run("memory", "vload_vstore", line(1, 1), f.data(), h.data(), out.data());
  CHECK(f[6] == 6.0f);
  CHECK(f[7] == 8.0f);
  CHECK(f[8] == 10.0f);
  // 1.0009 lies between 1 and 1 + 2^-10, nearer to the latter.
  CHECK(h[0] == 0x3c01);
  CHECK(h[1] == 0x3c01);
  CHECK(h[2] == 0x3c00);
  CHECK(h[3] == 0xbc00);
  CHECK(out == std::vector<int>{1000976, 1000976, 1000000, -1000000});
}

TEST_CASE("ze_cpu: jit: an index that wraps is not taken for one that does not") {
  constexpr uint32_t size = 64;
  std::vector<uint32_t> in(256), out(size);
  for (uint32_t i = 0; i < 256; ++i)
    in[i] = i + 1;
  run("memory", "masked_indices", line(1, size), in.data(), out.data());
  for (uint32_t i = 0; i < size; ++i)
    REQUIRE(out[i] == in[i] + in[i & 3] * 1000);
}

TEST_CASE("ze_cpu: jit: places are found by bits of numbers") {
  const uint32_t mask = GENERATE(0u, 1u, 3u, 7u, 15u, 63u, 255u, 511u, 16u, 0x1f0u, 0x1efu, 0x10fu,
                                 0x1ffu),
                 from = GENERATE(0u, 1u, 5u, 16u, 100u, 0x80000000u - 40, 0u - 1, 0u - 100);
  const uint32_t groups = 3, size = GENERATE(64u, 50u, 7u), count = groups * size;
  SECTION("loaded") {
    std::vector<int> in(512), out(count);
    std::iota(in.begin(), in.end(), 1000);
    run("memory", "masked_loads", line(groups, size), in.data(), out.data(), mask, from);
    for (uint32_t i = 0; i < count; ++i)
      REQUIRE(out[i] == in[(i + from) & mask]);
  }
  SECTION("stored") {
    std::vector<int> out(512, -1), expected = out;
    run("memory", "masked_stores", line(groups, size), out.data(), mask, from);
    for (uint32_t i = 0; i < count; ++i)
      if (((i + from) & ~mask) == 0)
        expected[(i + from) & mask] = static_cast<int>(i + 1);
    REQUIRE(out == expected);
  }
}

TEST_CASE("ze_cpu: jit: places are found by crossing numbers") {
  const int distance = GENERATE(0, 1, 2, 4, 8, 16, 64, 128, 3, 48),
            other = GENERATE(0, 1, 8, 16, 32, 17);
  std::vector<int64_t> in(256), out(256);
  std::iota(in.begin(), in.end(), 1000);
  run("memory", "crossed", line(4, 64), in.data(), out.data(), distance, other);
  for (int i = 0; i < 256; ++i)
    REQUIRE(out[size_t(i ^ distance)] == in[size_t(i ^ other)]);
}

TEST_CASE("ze_cpu: jit: places before a pointer are found by bits of numbers") {
  const int mask = GENERATE(-1, -16, -2, ~64, 15), from = GENERATE(-100, -64, -33, 0, 40);
  constexpr int center = 256, count = 192;
  std::vector<int> in(1024), out(count);
  std::iota(in.begin(), in.end(), 1000);
  run("memory", "masked_negative", line(3, 64), in.data(), out.data(), mask, from, center);
  for (int i = 0; i < count; ++i)
    REQUIRE(out[size_t(i)] == in[size_t(center + ((i + from) & mask))]);
}

TEST_CASE("ze_cpu: jit: places are kept in bounds") {
  const int from = GENERATE(-1000, -65, -16, -1, 0, 1, 30, 1000), last = GENERATE(0, 5, 99, 191);
  const int count = GENERATE(1, 63, 150, 192);
  std::vector<int> in(192), out(192, -1);
  std::iota(in.begin(), in.end(), 1000);
  run("memory", "clamped", line(3, 64), in.data(), out.data(), from, last, count);
  for (int i = 0; i < 192; ++i)
    REQUIRE(out[size_t(i)] == (i < count ? in[size_t(std::clamp(i + from, 0, last))] +
                                               2 * in[size_t((i + count) % (last + 1))]
                                         : -1));
}

TEST_CASE("ze_cpu: jit: a work-item accesses what it owns in order") {
  constexpr int count = 150;
  std::vector<int> all(4 * count), expected(4 * count);
  std::iota(all.begin(), all.end(), 1000);
  expected = all;
  const int part = GENERATE(0, 1, 2, 3);
  SECTION("reading a part") {
    run("memory", "read_own_part", line(3, 50), all.data(), part);
    for (int i = 0; i < count; ++i) {
      int *own = &expected[size_t(4 * i)];
      own[0] = i, own[1] = i + 100;
      const int found = own[part];
      own[2] = found + 1, own[3] = found + 2;
    }
  }
  SECTION("writing a part") {
    run("memory", "write_own_part", line(3, 50), all.data(), part);
    for (int i = 0; i < count; ++i) {
      int *own = &expected[size_t(4 * i)];
      const int first = own[0];
      own[part] = 7 * i;
      own[3] = first + own[1] + own[2];
    }
  }
  SECTION("in place") {
    run("memory", "rotate", line(3, 50), all.data(), all.data());
    for (int i = 0; i < count; ++i) {
      int *own = &expected[size_t(2 * i)];
      own[0] = 3 * own[0] - own[1];
      own[1] = own[0] + 3 * own[1];
    }
  }
  SECTION("of a variable") {
    run("memory", "swap_own_part", line(3, 50), all.data(), part);
    for (int i = 0; i < count; ++i) {
      int *own = &expected[size_t(4 * i)];
      for (int k = 0; k < 4; ++k)
        own[k] = i + 100 * k;
      std::swap(own[0], own[part]);
    }
  }
  SECTION("of which parts overlap") {
    run("memory", "overlapping_parts", line(3, 50), all.data());
    for (int i = 0; i < count; ++i) {
      expected[size_t(2 * i)] = i + (3 << 16);
      expected[size_t(2 * i + 1)] = 2 + ((i + 3) << 16);
    }
  }
  REQUIRE(all == expected);
}
