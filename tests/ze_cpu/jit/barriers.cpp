#include "harness/harness.h"

#include "contract/kernel_code.h"

#include <algorithm>
#include <catch2/generators/catch_generators.hpp>
#include <functional>
#include <numeric>

using namespace test;

TEST_CASE("ze_cpu: jit: a barrier separates writing from reading") {
  uint32_t size = GENERATE(1u, 5u, 32u, 33u, 250u);
  constexpr uint32_t groups = 9;
  std::vector<int> data(groups * size);
  std::iota(data.begin(), data.end(), 0);
  run("barriers", "reverse", line(groups, size), data.data());
  for (uint32_t g = 0; g < groups; ++g)
    for (uint32_t i = 0; i < size; ++i)
      REQUIRE(data[g * size + i] == static_cast<int>(g * size + size - 1 - i));
}

TEST_CASE("ze_cpu: jit: a reduction has barriers in a loop, in dynamic work-group memory") {
  constexpr uint32_t groups = 40, size = 128;
  std::vector<uint32_t> in(groups * size), out(groups);
  for (size_t i = 0; i < in.size(); ++i)
    in[i] = static_cast<uint32_t>(i * 2654435761u);
  run("barriers", "reduce", line(groups, size), in.data(), out.data(), Local{size * 4});
  for (uint32_t g = 0; g < groups; ++g)
    REQUIRE(out[g] == std::accumulate(in.begin() + g * size, in.begin() + (g + 1) * size, 0u));
}

TEST_CASE("ze_cpu: jit: work-items of a sub-group exchange memory in lock step") {
  const char *kernel = GENERATE("lock_step_volatile", "lock_step_fences");
  constexpr uint32_t groups = 3;
  const uint32_t size = GENERATE(32u, 256u);
  std::vector<int> in(groups * size), out(in.size());
  for (size_t i = 0; i < in.size(); ++i)
    in[i] = static_cast<int>(i * i % 1001);
  run("barriers", kernel, line(groups, size), out.data(), in.data(), 16);
  for (size_t first = 0; first < in.size(); first += 32) {
    std::vector<int> memory(in.begin() + static_cast<ptrdiff_t>(first),
                            in.begin() + static_cast<ptrdiff_t>(first) + 32);
    for (size_t distance = 16; distance > 0; distance /= 2)
      for (size_t i = 0; i < distance; ++i)
        memory[i] += memory[i + distance];
    REQUIRE(out[first] == memory[0]);
    for (size_t i = 1; i < 32; ++i)
      REQUIRE(out[first + i] == memory[i - 1]);
  }
}

TEST_CASE("ze_cpu: jit: a kernel without a barrier exchanges memory in lock step") {
  constexpr uint32_t size = 256;
  std::vector<int> in(2 * size), out(in.size());
  std::iota(in.begin(), in.end(), 0);
  run("barriers", "lock_step_alone", line(2, size), out.data(), in.data());
  for (size_t i = 0; i < in.size(); ++i)
    REQUIRE(out[i] == static_cast<int>(i / 32 * 32 + (i * 5 + 3) % 32));
}

TEST_CASE("ze_cpu: jit: work-items that left are not waited for") {
  int limit = GENERATE(1, 17, 32, 63, 64);
  std::vector<int> data(64, -1);
  run("barriers", "early_return", line(1, 64), data.data(), limit);
  for (int i = 0; i < 64; ++i)
    REQUIRE(data[static_cast<size_t>(i)] == (i < limit ? limit : -1));
}

TEST_CASE("ze_cpu: jit: a tiled matrix product meets at barriers in two dimensions") {
  constexpr uint32_t n = 48;
  std::vector<float> a(n * n), b(n * n), c(n * n);
  for (uint32_t i = 0; i < n * n; ++i) {
    a[i] = static_cast<float>(i % 7);
    b[i] = static_cast<float>(i % 5) - 2;
  }
  run("barriers", "matmul", Shape{{n / 8, n / 8, 1}, {8, 8, 1}}, a.data(), b.data(), c.data(), n);
  for (uint32_t row = 0; row < n; ++row)
    for (uint32_t col = 0; col < n; ++col) {
      float sum = 0; // whole numbers: exact in any order
      for (uint32_t k = 0; k < n; ++k)
        sum += a[row * n + k] * b[k * n + col];
      REQUIRE(c[row * n + col] == sum);
    }
}

TEST_CASE("ze_cpu: jit: private arrays live across barriers") {
  constexpr int size = 100;
  std::vector<int> out(3 * size);
  run("barriers", "private_array", line(3, size), out.data());
  for (int g = 0; g < 3; ++g)
    for (int i = 0; i < size; ++i) {
      int next = (i + 1) % size;
      int expected = next * 100 + (next & 15) + 16 * i * 100 + 15 * 16 / 2;
      REQUIRE(out[static_cast<size_t>(g * size + i)] == expected);
    }
}

TEST_CASE("ze_cpu: jit: a ring passes values on through many barriers") {
  constexpr int size = 50, rounds = 137;
  std::vector<int> out(2 * size);
  run("barriers", "ring", line(2, size), out.data(), rounds);
  for (int i = 0; i < 2 * size; ++i)
    REQUIRE(out[static_cast<size_t>(i)] ==
            ((i % size) + size * 10 - rounds % size) % size + rounds);
}

TEST_CASE("ze_cpu: jit: barriers hold groups of three dimensions together") {
  std::vector<int> out(2 * 4 * 3 * 5);
  run("barriers", "barrier_3d", Shape{{2, 1, 1}, {4, 3, 5}}, out.data());
  int sum = 15 * (0 + 1 + 2 + 3) + 10 * 20 * (0 + 1 + 2) + 100 * 12 * (0 + 1 + 2 + 3 + 4);
  for (int value : out)
    REQUIRE(value == sum);
}

TEST_CASE("ze_cpu: jit: a loop with barriers leaves its last values behind") {
  constexpr uint32_t size = 40;
  uint32_t n = GENERATE(0u, 1u, 5u);
  std::vector<uint32_t> in(size), out(size);
  for (uint32_t i = 0; i < size; ++i)
    in[i] = 3 * i + 7;
  run("barriers", "ways_out", line(1, size), out.data(), in.data(), n);
  const uint32_t total = std::accumulate(in.begin(), in.begin() + n, 0u);
  for (uint32_t i = 0; i < size; ++i)
    REQUIRE(out[i] == (n ? in[i] * (n - 1) + size * (size - 1) / 2 : 1) + total);
}

TEST_CASE("ze_cpu: jit: what only some work-items do between barriers is done by these") {
  struct Case {
    const char *kernel;
    std::function<bool(int64_t, int64_t)> acts; // by local id in x and limit
  };
  const auto is_below = [](int64_t t, int64_t limit) { return t < limit; };
  const auto is_up_to = [](int64_t t, int64_t limit) { return t <= limit; };
  const auto [kernel, acts] = GENERATE_COPY(
      Case{"some_below", is_below}, Case{"some_up_to", is_up_to}, Case{"some_not_from", is_below},
      Case{"some_below_unsigned",
           [](int64_t t, int64_t limit) { return t < static_cast<uint32_t>(limit); }},
      Case{"some_up_to_unsigned",
           [](int64_t t, int64_t limit) { return t <= static_cast<uint32_t>(limit); }},
      Case{"some_below_byte",
           [](int64_t t, int64_t limit) {
             return static_cast<int8_t>(t) < static_cast<int8_t>(limit);
           }},
      Case{"some_above", [](int64_t t, int64_t limit) { return t > limit; }},
      Case{"some_below_5", [](int64_t t, int64_t limit) { return t < 5 || limit == 77; }},
      Case{"only_below_5", [](int64_t t, int64_t) { return t < 5; }},
      Case{"only_below_100", [](int64_t t, int64_t) { return t < 100; }},
      Case{"only_first", [](int64_t t, int64_t) { return t == 0; }});
  const int limit = GENERATE(INT32_MIN, -1, 0, 1, 6, 64, 77, 128, 1000, INT32_MAX);
  for (const Shape shape : {line(2, 1), line(2, 3), line(2, 7), line(3, 64), line(2, 101),
                            Shape{{2, 1, 1}, {16, 4, 1}}, Shape{{2, 1, 1}, {3, 2, 5}}}) {
    std::vector<int> out(3 * 128);
    run("barriers", kernel, shape, out.data(), limit);
    const auto [columns, rows, layers] = shape.size;
    for (uint32_t i = 0; i < out.size(); ++i) {
      const uint32_t group = i / 128, t = i % 128;
      INFO(kernel << " with " << limit << ": work-item " << t << " of " << columns << " x "
                  << rows);
      const bool exists = group < shape.groups[0] && t < columns;
      REQUIRE(out[i] == (exists && acts(t, limit) ? static_cast<int>(rows * layers) : 0));
    }
  }
}

TEST_CASE("ze_cpu: jit: the largest limit of what some work-items do is none") {
  for (const int64_t limit : {INT64_MAX, INT64_MAX - 1, int64_t(1) << 32, int64_t(-1)}) {
    std::vector<int> out(128);
    run("barriers", "some_up_to_long", line(1, 128), out.data(), limit);
    REQUIRE(std::ranges::all_of(out, [&](int count) { return count == (limit > 0); }));
  }
}

TEST_CASE("ze_cpu: jit: what only the first work-items do, they do in all rows") {
  const int limit = GENERATE(-3, 0, 1, 7, 40, 1000);
  for (const Shape shape : {line(2, 60), Shape{{2, 1, 1}, {16, 4, 1}}, Shape{{2, 1, 1}, {3, 2, 5}},
                            Shape{{2, 1, 1}, {2, 1, 1}}}) {
    std::vector<int> out(2 * 128);
    run("barriers", "some_of_all", shape, out.data(), limit);
    const auto size = static_cast<int>(shape.size[0] * shape.size[1] * shape.size[2]);
    for (int i = 0; i < 2 * 128; ++i) {
      const int t = i % 128;
      REQUIRE(out[static_cast<size_t>(i)] ==
              (t < size ? (t < limit ? 1 : 0) + (t < 5 ? 10 : 0) : 0));
    }
  }
}

TEST_CASE("ze_cpu: jit: sums that only some work-items have below a limit may wrap around") {
  const int limit = GENERATE(INT32_MIN, INT32_MIN + 50, -1, 0, 70, INT32_MAX),
            base = GENERATE(INT32_MIN, INT32_MIN + 10, -100, -30, 0, 30, INT32_MAX - 40, INT32_MAX);
  const auto first = static_cast<uint32_t>(base);
  const auto counts = [&](const char *kernel, auto acts) {
    for (const Shape shape : {line(1, 100), line(1, 5), Shape{{1, 1, 1}, {16, 4, 1}}}) {
      std::vector<int> out(128);
      if (std::string_view(kernel).ends_with("long"))
        run("barriers", kernel, shape, out.data(), int64_t(limit), int64_t(base));
      else
        run("barriers", kernel, shape, out.data(), limit, base);
      for (uint32_t t = 0; t < 128; ++t) {
        INFO(kernel << ": " << base << " + " << t << " and " << limit);
        REQUIRE(out[t] == (t < shape.size[0] && acts(t) ? static_cast<int>(shape.size[1]) : 0));
      }
    }
  };
  counts("some_sums", [&](uint32_t t) { return static_cast<int>(first + t) < limit; });
  counts("some_sums_up_to", [&](uint32_t t) { return static_cast<int>(first + t) <= limit; });
  counts("some_sums_long", [&](uint32_t t) { return int64_t(base) + t < limit; });
  counts("some_sums_unsigned",
         [&](uint32_t t) { return first + t < static_cast<uint32_t>(limit); });
}

TEST_CASE("ze_cpu: jit: sums of 64 bits may wrap around as well") {
  for (const int64_t base : {INT64_MAX - 40, INT64_MIN, INT64_MIN + 1})
    for (const int64_t limit : {INT64_MIN, INT64_MIN + 30, int64_t(0), INT64_MAX}) {
      std::vector<int> out(128);
      run("barriers", "some_sums_long", line(1, 100), out.data(), limit, base);
      for (uint64_t t = 0; t < 100; ++t)
        REQUIRE(out[t] == (static_cast<int64_t>(static_cast<uint64_t>(base) + t) < limit));
    }
}

TEST_CASE("ze_cpu: jit: work-items that do nothing in a turn keep what they have") {
  const uint32_t size = GENERATE(100u, 31u);
  const int turns = GENERATE(0, 1, 2, 17);
  std::vector<int> out(2 * size);
  run("barriers", "some_go_on", line(2, size), out.data(), turns);
  for (uint32_t i = 0; i < 2 * size; ++i) {
    const int t = static_cast<int>(i % size);
    uint32_t a = static_cast<uint32_t>(t), b = 1;
    for (int k = 0; k < turns; ++k) {
      if (t + 7 * k < 3 * turns)
        a += static_cast<uint32_t>(k) * b;
      if (t < k)
        b += a;
    }
    REQUIRE(static_cast<uint32_t>(out[i]) == a + 1000 * b);
  }
}

TEST_CASE("ze_cpu: jit: what only some work-items change all of them have") {
  std::vector<int> out(64, 10);
  run("barriers", "all_act", line(1, 64), out.data(), 20);
  for (size_t i = 0; i < out.size(); ++i)
    REQUIRE(out[i] == (i < 20 ? 11 : 4));
}

TEST_CASE("ze_cpu: jit: only kernels that need stacks of their own are fibers") {
  CHECK(code("barriers", "reduce").in_regions);
  CHECK(!code("barriers", "reduce").by_sub_group);
  CHECK(code("subgroups", "divergent_loop").by_sub_group);
  CHECK(!code("cooperative", "relay").in_regions);
  auto fibers = ze_cpu::build_program(spirv("barriers"), "-ze-cpu-fibers", {});
  REQUIRE(fibers);
  CHECK(!code(**fibers, "reduce").in_regions);
}

TEST_CASE("ze_cpu: jit: code grows no faster than the number of synchronisation points") {
  // Counted is what the optimiser would be given: there is no need to run it.
  const auto module = fresh_program("subgroups", "-ze-opt-disable");
  const uint32_t one = code(*module, "chain_1").instructions,
                 ten = code(*module, "chain_10").instructions,
                 hundred = code(*module, "chain_100").instructions;
  CHECK(hundred - ten <= 11 * (ten - one));
}

TEST_CASE("ze_cpu: jit: static and several dynamic work-group arrays do not overlap") {
  constexpr int n = 5;
  std::vector<int> out(32);
  run("barriers", "two_locals", line(1, 32), out.data(), Local{32 * 4}, Local{32 * n * 4}, n);
  for (int value : out)
    REQUIRE(value == 111);
  CHECK(footprint(code(program("barriers"), "two_locals")).local_bytes == 32 * 4);
}

TEST_CASE("ze_cpu: jit: work-group collectives combine the values of all work-items") {
  constexpr int size = 70, groups = 2;
  std::vector<int> in(groups * size), out(groups * size * 8);
  for (int i = 0; i < groups * size; ++i)
    in[static_cast<size_t>(i)] = (i * 37) % 101 - (i < size ? 0 : 200);
  run("barriers", "group_collectives", line(groups, size), out.data(), in.data());
  for (int g = 0; g < groups; ++g) {
    const int *v = &in[static_cast<size_t>(g * size)];
    int sum = std::accumulate(v, v + size, 0), largest = *std::max_element(v, v + size);
    int running = 0, smallest = INT32_MAX;
    for (int i = 0; i < size; ++i) {
      const int *o = &out[static_cast<size_t>(g * size + i) * 8];
      running += v[i];
      REQUIRE(o[0] == sum);
      REQUIRE(o[1] == largest);
      REQUIRE(o[2] == running);
      REQUIRE(o[3] == smallest);
      REQUIRE(o[4] == v[3]);
      REQUIRE(o[5] == (largest > 90));
      REQUIRE(o[6] == 0);
      REQUIRE(o[7] == sum);
      smallest = std::min(smallest, v[i]);
    }
  }
}
