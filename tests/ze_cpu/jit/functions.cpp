#include "harness/harness.h"

using namespace test;

namespace {
int collatz(int n, int depth) {
  return n == 1 ? depth : collatz(n & 1 ? 3 * n + 1 : n / 2, depth + 1);
}
int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }
} // namespace

TEST_CASE("ze_cpu: jit: functions call themselves") {
  std::vector<int> out(200);
  run("functions", "recursion", line(4, 25), out.data(), 12);
  for (int i = 0; i < 100; ++i) {
    REQUIRE(out[static_cast<size_t>(i) * 2] == collatz(i + 1, 0));
    REQUIRE(out[static_cast<size_t>(i) * 2 + 1] == fibonacci(i % 12));
  }
}

TEST_CASE("ze_cpu: jit: work-items meet at barriers inside recursion") {
  std::vector<int> out(16);
  run("functions", "barrier_in_recursion", line(1, 16), out.data());
  for (int value : out)
    CHECK(value == 136);
}

TEST_CASE("ze_cpu: jit: functions called through pointers know the work-item's coordinates") {
  std::vector<int> which(60), out(60);
  for (size_t i = 0; i < 60; ++i)
    which[i] = static_cast<int>(i * 5 % 3);
  run("functions", "choose", line(3, 20), out.data(), which.data());
  for (int i = 0; i < 60; ++i) {
    int kind = i * 5 % 3;
    REQUIRE(out[static_cast<size_t>(i)] == (kind == 0 ? 2 * i : kind == 1 ? i + i % 20 : -i));
  }
}

TEST_CASE("ze_cpu: jit: work-items meet in functions called through pointers") {
  for (int which : {0, 1}) {
    std::vector<int> out(64);
    run("functions", "barrier_through_pointer", line(1, 64), out.data(), which);
    for (int i = 0; i < 64; ++i)
      REQUIRE(out[static_cast<size_t>(i)] == (i + i / 32 * 32 + 3) * (which + 1));
  }
}

TEST_CASE("ze_cpu: jit: a function's address means the same in all kernels") {
  uint64_t address = 0;
  run("functions", "store_address", line(1, 1), &address, 1);
  REQUIRE(address != 0);
  std::vector<int> out(3);
  run("functions", "call_address", line(1, 3), out.data(), address);
  CHECK(out == std::vector<int>{42, 42, 42});
  run("functions", "store_address", line(1, 1), &address, 0);
  run("functions", "call_address", line(1, 3), out.data(), address);
  CHECK(out == std::vector<int>{-21, -21, -21});
}

TEST_CASE("ze_cpu: jit: functions found by name can be called by kernels") {
  ze_cpu::Program &module = program("functions");
  void *twice = module.function("twice");
  REQUIRE(twice);
  std::vector<int> out(1);
  run("functions", "call_address", line(1, 1), out.data(), twice);
  CHECK(out[0] == 42);
  CHECK(module.function("no_such_function") == nullptr);
}

TEST_CASE("ze_cpu: jit: a variable is initialised with functions") {
  for (uint32_t which : {0u, 1u}) {
    uint32_t out = 0;
    run("tables", "through_table", line(1, 1), &out, which);
    CHECK(out == which + (which ? 10 : 1));
  }
  auto table = program("tables").global("table");
  REQUIRE(table);
  CHECK(static_cast<void **>(table->address)[0] == program("tables").function("add_one"));
}

TEST_CASE("ze_cpu: jit: private vectors are aligned on every kind of stack") {
  std::vector<uint64_t> fiber(40), own(8);
  run("functions", "private_in_fiber", line(1, 40), fiber.data());
  run("functions", "private_beside_recursion", line(1, 8), own.data(), 3);
  for (const auto &addresses : {fiber, own})
    for (uint64_t address : addresses)
      CHECK(address % 16 == 0);
}
