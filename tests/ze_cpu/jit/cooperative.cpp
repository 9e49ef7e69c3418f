// Cooperative launches: work-groups that wait for each other.
#include "harness/harness.h"

#include "../../support/standard_error.h"
#include "exec/pool.h"

#include <algorithm>
#include <atomic>
#include <catch2/generators/catch_generators.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <chrono>
#include <numeric>
#include <sys/mman.h>
#include <thread>

using namespace test;
using Catch::Matchers::ContainsSubstring;

namespace {

template <class... Values>
ze_cpu::Fault try_cooperative(const char *kernel, Shape shape, const Values &...values) {
  shape.cooperative = true;
  return try_run(program("cooperative"), kernel, shape, values...);
}

template <class... Values>
void run_cooperative(const char *kernel, const Shape &shape, const Values &...values) {
  ze_cpu::Fault fault = try_cooperative(kernel, shape, values...);
  INFO(fault.description);
  REQUIRE(!fault.happened);
}

std::vector<int> relayed(std::vector<int> values, size_t size, int rounds) {
  for (int round = 0; round < rounds; ++round) {
    std::vector<int> next(values.size());
    for (size_t i = 0; i < values.size(); ++i)
      next[i] = values[(i + size + 1) % values.size()] + 1;
    values = next;
  }
  return values;
}

} // namespace

TEST_CASE("ze_cpu: jit: all groups pass a barrier of the grid together, again and again") {
  auto [groups, size] = GENERATE(std::pair(2u, 1u), std::pair(3u, 33u), std::pair(64u, 64u),
                                 std::pair(500u, 4u), std::pair(16u, 1024u));
  constexpr int rounds = 7;
  std::vector<int> values(size_t(groups) * size);
  std::iota(values.begin(), values.end(), 0);
  const std::vector<int> expected = relayed(values, size, rounds);
  run_cooperative("relay", line(groups, size), values.data(), rounds);
  CHECK(values == expected);
}

TEST_CASE("ze_cpu: jit: a grid of one group may wait for itself, cooperatively or not") {
  std::vector<int> values(48);
  const std::vector<int> expected = relayed(values, 48, 3);
  run("cooperative", "relay", line(1, 48), values.data(), 3);
  CHECK(values == expected);
  std::ranges::fill(values, 0);
  run_cooperative("relay", line(1, 48), values.data(), 3);
  CHECK(values == expected);
}

TEST_CASE("ze_cpu: jit: groups keep their memory while they wait for the grid") {
  constexpr uint32_t groups = 37, size = 64;
  std::vector<int> in(groups * size), partial(groups), out(groups * size);
  for (size_t i = 0; i < in.size(); ++i)
    in[i] = static_cast<int>(i * 7 % 1000);
  run_cooperative("sum", line(groups, size), in.data(), partial.data(), out.data(),
                  Local{size * sizeof(int)});
  std::vector<int> of_group(groups);
  for (size_t i = 0; i < in.size(); ++i)
    of_group[i / size] += in[i] + static_cast<int>(i / size & 3);
  const int total = std::accumulate(of_group.begin(), of_group.end(), 0);
  for (size_t i = 0; i < in.size(); ++i)
    REQUIRE(out[i] == total - of_group[i / size] + in[i] + static_cast<int>(i / size & 3));
}

TEST_CASE("ze_cpu: jit: what has left is not waited for by the grid") {
  auto [stay, items] =
      GENERATE(std::pair(0, 8), std::pair(1, 40), std::pair(5, 1), std::pair(20, 33));
  constexpr uint32_t groups = 20, size = 40;
  int arrived = 0;
  std::vector<int> seen(groups * size, -1);
  run_cooperative("leaving", line(groups, size), &arrived, seen.data(), stay, items);
  for (uint32_t g = 0; g < groups; ++g)
    for (uint32_t i = 0; i < size; ++i) {
      bool stays = static_cast<int>(g) < stay && static_cast<int>(i) < items;
      REQUIRE(seen[g * size + i] == (stays ? stay * items : -1));
    }
}

TEST_CASE("ze_cpu: jit: a group of a cooperative launch knows its place, in three dimensions") {
  const Shape shape{{3, 4, 5}, {8, 4, 2}};
  std::vector<uint32_t> out(24 * 16 * 10);
  run_cooperative("places", shape, out.data());
  for (uint32_t z = 0; z < 10; ++z)
    for (uint32_t y = 0; y < 16; ++y)
      for (uint32_t x = 0; x < 24; ++x)
        REQUIRE(out[(z * 16 + y) * 24 + x] == 1 + x / 8 + 10 * (y / 4) + 100 * (z / 2) + 1000 * 32);
}

TEST_CASE("ze_cpu: jit: a fault ends a cooperative launch, on whichever thread it is") {
  void *page = mmap(nullptr, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  int memory = 0;
  auto offset = static_cast<uint64_t>(
      (reinterpret_cast<intptr_t>(page) - reinterpret_cast<intptr_t>(&memory)) / 4);
  for (int round = 0; round < 10; ++round) {
    auto fault = try_cooperative("fault_after_barrier", line(100, 32), &memory, offset);
    REQUIRE(fault.happened);
    CHECK_THAT(fault.description, ContainsSubstring("fault_after_barrier"));
  }
  munmap(page, 4096);
  std::vector<int> values(4, 0);
  run_cooperative("relay", line(2, 2), values.data(), 1);
  CHECK(values == std::vector<int>(4, 1));
}

TEST_CASE("ze_cpu: jit: waiting for the grid in a plain launch is a fault, not waiting is none") {
  std::vector<int> out(64);
  run("cooperative", "barrier_if", line(2, 32), out.data(), 0);
  CHECK(out == std::vector<int>(64, 1));
  auto fault = try_run(program("cooperative"), "barrier_if", line(2, 32), out.data(), 1);
  REQUIRE(fault.happened);
  CHECK_THAT(fault.description,
             ContainsSubstring("barrier_if") && ContainsSubstring("cooperative"));
}

TEST_CASE("ze_cpu: jit: cooperative launches of several threads do not mix") {
  std::vector<std::thread> threads;
  std::atomic<int> wrong = 0;
  const auto &compiled = code("cooperative", "relay");
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      for (int repeat = 0; repeat < 5; ++repeat) {
        std::vector<int> values(30 * 16, t);
        struct {
          int *values;
          int rounds;
        } arguments = {values.data(), 4};
        ze_cpu::Launch launch = {.code = &compiled,
                                 .arguments = reinterpret_cast<std::byte *>(&arguments),
                                 .groups = {30, 1, 1},
                                 .group_size = {16, 1, 1},
                                 .global_offset = {},
                                 .local_bytes = 0,
                                 .cooperative = true};
        wrong += execute(launch).happened || values != std::vector<int>(30 * 16, t + 4);
      }
    });
  for (std::thread &thread : threads)
    thread.join();
  CHECK(wrong == 0);
}

TEST_CASE("ze_cpu: jit: how many groups may be resident depends on their size and on memory") {
  const auto &relay = code("cooperative", "relay"), &plain = code("coordinates", "add");
  constexpr uint64_t plenty = uint64_t(1) << 40;
  constexpr uint32_t items = 65'536;
  CHECK(max_cooperative_groups(relay, 64, 0, items, plenty, 2) == 1024);
  CHECK(max_cooperative_groups(relay, 1024, 0, items, plenty, 2) == 64);
  CHECK(max_cooperative_groups(relay, 1000, 0, items, plenty, 2) ==
        64); // a part of a sub-group counts
  CHECK(max_cooperative_groups(relay, 1, 0, items, plenty, 2) == 2048);
  CHECK(max_cooperative_groups(relay, 64, 64 * 1024, items, uint64_t(1) << 24, 2) < 256);
  CHECK(max_cooperative_groups(relay, 1024, 0, items, 0, 2) == 1);
  CHECK(max_cooperative_groups(plain, 64, 0, items, 0, 2) == 1024); // needs no stacks
  for (unsigned processors : {1u, 2u, 64u, 96u, 512u})
    CHECK(max_cooperative_groups(relay, 1024, 0, ze_cpu::max_resident_items(processors),
                                 uint64_t(1) << 50, processors) >= processors);
}

TEST_CASE("ze_cpu: jit: as many groups as may be resident are") {
  const auto &relay = code("cooperative", "relay");
  const uint32_t groups = max_cooperative_groups(relay, 256, 0, 65'536, uint64_t(1) << 40, 2);
  std::vector<int> values(size_t(groups) * 256);
  run_cooperative("relay", line(groups, 256), values.data(), 2);
  CHECK(std::ranges::count(values, 2) == static_cast<ptrdiff_t>(values.size()));
}

TEST_CASE("ze_cpu: jit: groups that wait for each other through memory all get their turn") {
  const auto &meet = code("cooperative", "meet_in_memory");
  CHECK(meet.waits_for_memory);
  const uint32_t groups = max_cooperative_groups(meet, 32, 0, 65'536, uint64_t(1) << 40, 2);
  CHECK(groups == 16);
  for (int round = 0; round < 20; ++round) {
    uint32_t arrived = 0;
    std::vector<uint32_t> seen(groups);
    run("cooperative", "meet_in_memory", line(groups, 32), &arrived, seen.data(), groups);
    CHECK(std::ranges::count(seen, groups) == groups);
  }
  // The first waits for the last, so that what begins alone does not end alone.
  uint32_t arrived = 0;
  std::vector<uint32_t> seen(2);
  run("cooperative", "meet_in_memory", line(2, 32), &arrived, seen.data(), 2u);
  CHECK(seen == std::vector<uint32_t>{2, 2});
}

TEST_CASE("ze_cpu: jit: sub-groups that wait for each other through memory all get their turn") {
  const auto flags = GENERATE("", "-ze-cpu-fibers");
  INFO(flags);
  const auto program = fresh_program("cooperative", flags);
  const auto run = [&](const char *kernel, const Shape &shape, const auto &...values) {
    const ze_cpu::Fault fault = try_run(*program, kernel, shape, values...);
    INFO(fault.description);
    REQUIRE(!fault.happened);
  };
  constexpr int rounds = 11;
  int value = 0;
  for (int i = 0; i < 2 * rounds; ++i)
    value = static_cast<int>(static_cast<uint32_t>(value) * 3 + static_cast<uint32_t>(i % 2) + 1);
  std::vector<int> out(3 * 64);
  run("take_turns", line(3, 64), Local{2 * sizeof(int)}, out.data(), rounds);
  CHECK(std::ranges::count(out, value) == 3 * 64);

  for (const uint32_t size : {64u, 40u, 1024u}) {
    const size_t sub_groups = (size + 31) / 32;
    std::vector<int> done(sub_groups), numbers(sub_groups), expected(sub_groups);
    std::iota(expected.rbegin(), expected.rend(), 1);
    run("wait_for_later", line(1, size), done.data(), numbers.data());
    CHECK(numbers == expected);
  }

  int lock = 0, count = 0;
  run("count_with_lock", line(16, 256), &lock, &count);
  CHECK(count == 16 * 256);
  CHECK(lock == 0);

  std::vector<int> counts(3);
  run("lock_each", line(3, 70), Local{sizeof(int)}, counts.data(), 4);
  CHECK(counts == std::vector<int>(3, 2 * 70 * 6));

  counts.assign(3, 0);
  run("lock_first_then_each", line(3, 64), Local{sizeof(int)}, counts.data());
  CHECK(counts == std::vector<int>(3, 2 * 100 + 64));
}

TEST_CASE("ze_cpu: jit: a sub-group that waits does not keep others from branches and loops that "
          "all take alike") {
  const auto flags = GENERATE("", "-ze-cpu-interchange", "-ze-cpu-fibers", "-ze-opt-disable");
  INFO(flags);
  const auto program = fresh_program("cooperative", flags);
  constexpr uint32_t size = 64;
  std::vector<int> out(size);
  const auto run = [&](const char *kernel, const auto &...values) {
    const ze_cpu::Fault fault = try_run(*program, kernel, line(1, size), values...);
    INFO(fault.description);
    REQUIRE(!fault.happened);
  };
  constexpr int rounds = 9;
  int sum = 0, mixed = 0;
  for (int i = 0; i < rounds; ++i) {
    sum += 32 * (i + 1) + i;
    mixed = mixed * 3 + i;
  }
  int flag = 0;
  SECTION("a loop around an operation") {
    run("wait_ahead", &flag, out.data(), rounds);
    CHECK(std::ranges::count(out, sum) == size);
  }
  SECTION("a loop around a barrier, one ahead") {
    flag = -1;
    run("wait_for_next_round", &flag, out.data(), rounds);
    CHECK(std::ranges::count(out, mixed) == size);
  }
  SECTION("a loop around a barrier, one before it") {
    run("wait_before_barriers", &flag, out.data(), rounds);
    CHECK(std::ranges::count(out, mixed) == size);
  }
  SECTION("a branch") {
    const int sums = GENERATE(0, 3);
    run("wait_before_branch", &flag, out.data(), sums);
    CHECK(std::ranges::count(out, sums ? 32 * sums : 1) == size);
  }
  SECTION("a loop without operations") {
    std::vector<float> in(1000), sums(size), expected(size);
    for (size_t i = 0; i < in.size(); ++i)
      in[i] = static_cast<float>(i % 7);
    for (size_t item = 0; item < size; ++item)
      for (const float x : in)
        expected[item] += x * (x - static_cast<float>(item));
    run("wait_before_loop", &flag, in.data(), sums.data(), static_cast<int>(in.size()));
    CHECK(sums == expected);
  }
  SECTION("a loop that writes while it waits") {
    run("work_and_wait", &flag, out.data());
    CHECK(std::ranges::count(out, 1) == size);
  }
  SECTION("an ordinary load") {
    int value = 3;
    std::vector<int> both(2);
    run("read_before_and_after", both.data(), &value, out.data());
    CHECK(std::ranges::count(std::span(out).first(32), 5 * 1000 + 5 * 32) == 32);
    CHECK(std::ranges::count(std::span(out).last(32), 3 * 1000 + 3 * 32) == 32);
  }
}

TEST_CASE("ze_cpu: jit: a wait without end is told, once, and goes on", "[.patience]") {
  const fixture::StandardError output;
  uint32_t arrived = 0, seen = 0;
  std::string told;
  std::thread others([&] {
    for (int i = 0; i < 600 && told.empty(); ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
      told = output.text();
    }
    std::atomic_ref(arrived).store(2);
  });
  run("cooperative", "meet_in_memory", line(1, 32), &arrived, &seen, 2u);
  others.join();
  CHECK(seen == 2);
  CHECK(told.starts_with("ze_cpu: kernel meet_in_memory: a work-item has waited for 10 s "));
  CHECK(std::ranges::count(output.text(), '\n') == 1);
}
