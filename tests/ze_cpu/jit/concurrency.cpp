#include "harness/harness.h"

#include <atomic>
#include <numeric>
#include <thread>

using namespace test;

namespace {

// Catch2's assertions are for one thread: threads count what is wrong.
template <class Work> int wrong_in_threads(int count, Work &&work) {
  std::atomic<int> wrong = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < count; ++t)
    threads.emplace_back([&, t] { wrong += work(t); });
  for (std::thread &thread : threads)
    thread.join();
  return wrong;
}

template <class... Values>
bool launch(const ze_cpu::KernelCode &code, uint32_t groups, uint32_t size, uint32_t local,
            Values... values) {
  // All arguments are pointers or 8 bytes wide here.
  uint64_t arguments[] = {std::bit_cast<uint64_t>(values)...};
  ze_cpu::Launch launch = {&code,          reinterpret_cast<std::byte *>(arguments),
                           {groups, 1, 1}, {size, 1, 1},
                           {0, 0, 0},      local};
  return !execute(launch).happened;
}

} // namespace

TEST_CASE("ze_cpu: jit: eight threads execute at the same time") {
  const auto &add = code("coordinates", "add");
  const auto &reduce = code("barriers", "reduce");
  int wrong = wrong_in_threads(8, [&](int t) {
    int bad = 0;
    constexpr uint32_t n = 64 * 64;
    std::vector<float> a(n, static_cast<float>(t)), b(n, 1), c(n);
    std::vector<uint32_t> in(n, static_cast<uint32_t>(t)), out(64);
    for (int round = 0; round < 30; ++round) {
      bad += !launch(add, 64, 64, 0, a.data(), b.data(), c.data());
      for (float value : c)
        bad += value != static_cast<float>(t) + 1;
      bad += !launch(reduce, 64, 64, 64 * 4, in.data(), out.data(), uint64_t(0));
      for (uint32_t value : out)
        bad += value != 64u * static_cast<uint32_t>(t);
      std::fill(c.begin(), c.end(), 0.0f);
    }
    return bad;
  });
  CHECK(wrong == 0);
}

TEST_CASE("ze_cpu: jit: threads compile the same and different kernels at the same time") {
  auto module = fresh_program("barriers");
  std::atomic<const ze_driver::CompiledKernel *> seen[32] = {};
  int wrong = wrong_in_threads(8, [&](int t) {
    int bad = 0;
    for (size_t k = 0; k < module->kernels().size(); ++k) {
      size_t index = (k + static_cast<size_t>(t) / 2) % module->kernels().size();
      auto compiled = module->kernel(index);
      if (!compiled)
        return 1;
      const ze_driver::CompiledKernel *none = nullptr;
      if (!seen[index].compare_exchange_strong(none, *compiled))
        bad += none != *compiled;
    }
    return bad;
  });
  CHECK(wrong == 0);
}

TEST_CASE("ze_cpu: jit: threads build modules at the same time") {
  std::vector<std::byte> module = spirv("coordinates");
  int wrong = wrong_in_threads(6, [&](int) {
    auto built = ze_cpu::build_program(module, "", {});
    if (!built)
      return 1;
    for (size_t k = 0; k < (*built)->kernels().size(); ++k)
      if ((*built)->kernels()[k].name == "count") {
        auto compiled = (*built)->kernel(k);
        uint32_t counter = 0;
        if (!compiled || !launch(ze_cpu::code_of(**compiled), 10, 10, 0, &counter) ||
            counter != 100)
          return 1;
      }
    return 0;
  });
  CHECK(wrong == 0);
}

TEST_CASE("ze_cpu: jit: a large launch is shared between threads") {
  // Only one group is left in the end: the others wait for it, and each was run exactly once.
  constexpr uint32_t groups = 300, size = 64;
  std::vector<int> out(groups * size);
  ze_cpu::Program &module = program("memory");
  for (int round = 0; round < 5; ++round) {
    std::fill(out.begin(), out.end(), 0);
    REQUIRE(
        !try_run(module, "bad_last_group", line(groups, size), out.data(), uint64_t(0)).happened);
    out[0] = 2000;
    CHECK(std::accumulate(out.begin(), out.end(), 0) == 2000 * static_cast<int>(groups * size));
  }
}

TEST_CASE("ze_cpu: jit: threads come and go") {
  const auto &ring = code("barriers", "barrier_3d");
  for (int round = 0; round < 50; ++round) {
    int wrong = wrong_in_threads(2, [&](int) {
      std::vector<int> out(33);
      bool ok = launch(ring, 1, 33, footprint(ring).local_bytes, out.data());
      return !ok || out[5] != 33 * 32 / 2;
    });
    REQUIRE(wrong == 0);
  }
}

TEST_CASE("ze_cpu: jit: 1024 work-items are fibers with private arrays") {
  constexpr uint32_t size = 128;
  std::vector<int> out(size * 64);
  run("barriers", "private_array", line(64, size), out.data());
  CHECK(out[0] == 100 + 1 + 0 + 15 * 16 / 2);
  std::vector<int> data(1024 * 4);
  std::iota(data.begin(), data.end(), 0);
  run("barriers", "early_return", line(4, 1024), data.data(), 1000);
  CHECK(data[999] == 1000);
}
