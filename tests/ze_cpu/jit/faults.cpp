#include "harness/harness.h"

#include "exec/pool.h"

#include <catch2/matchers/catch_matchers_string.hpp>
#include <csignal>
#include <filesystem>
#include <iterator>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace test;
using Catch::Matchers::ContainsSubstring;

namespace {

// A page that nobody may touch.
struct Nowhere {
  void *page = mmap(nullptr, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  // In ints from `base`.
  uint64_t from(const void *base) const {
    return static_cast<uint64_t>(
        (reinterpret_cast<intptr_t>(page) - reinterpret_cast<intptr_t>(base)) / 4);
  }
};
const Nowhere nowhere;

// After a fault everything still works.
void check_alive() {
  std::vector<float> a(64, 1), b(64, 2), c(64);
  run("coordinates", "add", line(2, 32), a.data(), b.data(), c.data());
  CHECK(c == std::vector<float>(64, 3));
  std::vector<int> data(64, -1);
  run("barriers", "early_return", line(1, 64), data.data(), 20);
  CHECK(data[0] == 20);
}

} // namespace

TEST_CASE("ze_cpu: jit: a bad pointer ends the launch and says where") {
  std::vector<int> memory(16);
  auto fault = try_run(program("memory"), "bad_write", line(1, 1), memory.data(),
                       nowhere.from(memory.data()));
  REQUIRE(fault.happened);
  CHECK_THAT(fault.description, ContainsSubstring("bad_write"));
  CHECK_THAT(fault.description, ContainsSubstring("SIGSEGV"));
  char address[32];
  auto wrong = reinterpret_cast<uintptr_t>(memory.data()) + nowhere.from(memory.data()) * 4;
  std::snprintf(address, sizeof address, "0x%llx", static_cast<unsigned long long>(wrong));
  CHECK_THAT(fault.description, ContainsSubstring(address));
  check_alive();
}

TEST_CASE("ze_cpu: jit: a bad pointer in a fiber ends the launch") {
  std::vector<int> memory(16);
  for (int round = 0; round < 20; ++round) {
    auto fault = try_run(program("memory"), "bad_write_after_barrier", line(3, 16), memory.data(),
                         nowhere.from(memory.data()));
    REQUIRE(fault.happened);
    CHECK_THAT(fault.description, ContainsSubstring("bad_write_after_barrier"));
  }
  check_alive();
}

TEST_CASE("ze_cpu: jit: a bad pointer on a thread of the pool ends the launch") {
  constexpr uint32_t groups = 400, size = 64;
  std::vector<int> memory(groups * size);
  for (int round = 0; round < 10; ++round) {
    auto fault = try_run(program("memory"), "bad_last_group", line(groups, size), memory.data(),
                         nowhere.from(memory.data()));
    REQUIRE(fault.happened);
    CHECK_THAT(fault.description, ContainsSubstring("bad_last_group"));
  }
  check_alive();
}

TEST_CASE("ze_cpu: jit: faults of many threads at the same time end their launches only") {
  std::vector<std::thread> threads;
  std::atomic<int> faults = 0;
  const auto &compiled = code("memory", "bad_write");
  for (int t = 0; t < 8; ++t)
    threads.emplace_back([&] {
      for (int i = 0; i < 50; ++i) {
        std::vector<int> memory(16);
        struct {
          int *pointer;
          uint64_t offset;
        } arguments = {memory.data(), nowhere.from(memory.data())};
        ze_cpu::Launch launch = {&compiled, reinterpret_cast<std::byte *>(&arguments),
                                 {2, 1, 1}, {4, 1, 1},
                                 {0, 0, 0}, 0};
        faults += execute(launch).happened;
      }
    });
  for (std::thread &thread : threads)
    thread.join();
  CHECK(faults == 400);
  check_alive();
}

TEST_CASE("ze_cpu: jit: recursion without end is a fault") {
  std::vector<int> out(64);
  auto fault = try_run(program("functions"), "overflow", line(1, 1), out.data(), 1 << 30);
  REQUIRE(fault.happened);
  CHECK_THAT(fault.description, ContainsSubstring("overflow"));
  auto fine = try_run(program("functions"), "overflow", line(1, 1), out.data(), 50);
  CHECK(!fine.happened);
  check_alive();
}

TEST_CASE("ze_cpu: jit: write-protected memory is a fault too") {
  size_t page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  void *memory = mmap(nullptr, page, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  REQUIRE(memory != MAP_FAILED);
  CHECK(try_run(program("memory"), "bad_write", line(1, 8), memory, uint64_t(0)).happened);
  munmap(memory, page);
  check_alive();
}

#ifndef __SANITIZE_THREAD__
TEST_CASE("ze_cpu: jit: an address that no memory can have is a fault") {
  std::vector<int> memory(16);
  // Not in the highest byte, which AArch64 does not look at.
  auto fault =
      try_run(program("memory"), "bad_write", line(1, 1), memory.data(), uint64_t(1) << 52);
  REQUIRE(fault.happened);
  // x86 tells of such an address in another way when it is made with a register of the stack.
  CHECK_THAT(fault.description,
             ContainsSubstring("bad_write: SIGSEGV") || ContainsSubstring("bad_write: SIGBUS"));
  check_alive();
}

#ifdef __x86_64__
TEST_CASE("ze_cpu: jit: a misaligned access is not told of as a wrong address alone") {
  alignas(16) int memory[8] = {};
  const auto fault = try_run(program("memory"), "bad_write_of_vector", line(1, 1), memory + 1, 5);
  REQUIRE(fault.happened);
  CHECK_THAT(fault.description, ContainsSubstring("SIGSEGV") && ContainsSubstring("aligned"));
  check_alive();
}
#endif

TEST_CASE("ze_cpu: jit: a fault outside of kernels goes to the program's own handler") {
  for (bool has_handler : {true, false}) {
    pid_t child = fork();
    REQUIRE(child >= 0);
    if (child == 0) {
      // Installed after ours, as test frameworks do; a launch later ours is in front again, and
      // passes on.
      signal(SIGSEGV, has_handler ? +[](int) { _exit(42); } : SIG_DFL);
      usleep(100);
      std::vector<int> memory(16);
      if (!try_run(program("memory"), "bad_write", line(1, 1), memory.data(),
                   nowhere.from(memory.data()))
               .happened)
        _exit(1);
      *static_cast<volatile int *>(nowhere.page) = 1;
      _exit(2);
    }
    int status = 0;
    REQUIRE(waitpid(child, &status, 0) == child);
    if (has_handler) {
      CHECK((WIFEXITED(status) && WEXITSTATUS(status) == 42));
    } else {
      CHECK((WIFSIGNALED(status) && WTERMSIG(status) == SIGSEGV));
    }
  }
}

TEST_CASE("ze_cpu: jit: a child of fork runs kernels, and its parent goes on") {
  // Pool threads exist, and one is busy while the child is made.
  constexpr uint32_t groups = 2000;
  std::atomic<bool> stop = false;
  const auto &compiled = code("coordinates", "count");
  std::thread busy([&] {
    uint32_t counter = 0;
    uint32_t *argument = &counter;
    ze_cpu::Launch launch = {&compiled,     reinterpret_cast<std::byte *>(&argument),
                             {20000, 1, 1}, {16, 1, 1},
                             {0, 0, 0},     0};
    while (!stop)
      execute(launch);
  });
  for (int round = 0; round < 100; ++round) {
    ze_cpu::Pool::before_fork(); // what the driver calls in its handlers
    pid_t child = fork();
    ze_cpu::Pool::after_fork(child == 0);
    REQUIRE(child >= 0);
    if (child == 0) {
      uint32_t counter = 0;
      uint32_t *argument = &counter;
      ze_cpu::Launch launch = {&compiled,      reinterpret_cast<std::byte *>(&argument),
                               {groups, 1, 1}, {64, 1, 1},
                               {0, 0, 0},      0};
      bool bad = execute(launch).happened;
      std::filesystem::directory_iterator threads("/proc/self/task"), end;
      bool has_helpers = std::distance(threads, end) > 1;
      _exit(!bad && counter == groups * 64 && has_helpers ? 0 : 1);
    }
    int status = 0;
    REQUIRE(waitpid(child, &status, 0) == child);
    CHECK(WIFEXITED(status));
    CHECK(WEXITSTATUS(status) == 0);
  }
  stop = true;
  busy.join();
  check_alive();
}
#endif
