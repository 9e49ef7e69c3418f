// Kernels that end their device, with work before and behind them. Each case is a process of its own.
#pragma once

#include "../fixture.h"

#include <atomic>
#include <chrono>
#include <csignal>
#include <functional>
#include <future>
#include <sys/wait.h>
#include <unistd.h>

#define REQUIRE_LOST(call) REQUIRE((call) == hipErrorLaunchFailure)
/// In a child of status_of().
#define DEMAND(condition) ((condition) ? void() : _exit(__LINE__ % 90 + 1))

namespace fixture {

/// Kernels and memory; a fault comes when the gate is open, so that what is ordered behind it is there before.
struct Scene {
  hipFunction_t add = function("add"), wait_for_flag = function("wait_for_flag");
  HostMemory<int> cells{64}, flag{1};
  int *device = nullptr;

  Scene() { REQUIRE_HIP(hipMalloc(reinterpret_cast<void **>(&device), 64)); }
  ~Scene() {
    open();
    (void)hipFree(device);
  }

  void fail(hipStream_t stream) {
    REQUIRE_HIP(launch(add, stream, 1, reinterpret_cast<int *>(64), 1));
  }
  void fail_behind_gate(hipStream_t stream) {
    REQUIRE_HIP(launch(wait_for_flag, stream, 1, flag.get()));
    fail(stream);
  }
  /// cells[i] becomes 1.
  hipError_t set(hipStream_t stream, int i) { return launch(add, stream, 1, cells.get() + i, 1); }
  void open() { std::atomic_ref(flag[0]).store(1); }
};

/// Runs `body`, which ends the process itself, in a child that has used nothing of HIP yet; returns how it ended.
inline int status_of(const std::function<void()> &body) {
  const pid_t child = fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    for (int signal : {SIGSEGV, SIGABRT, SIGFPE, SIGBUS, SIGILL, SIGTERM})
      std::signal(signal, SIG_DFL); // the test framework's handlers are of its own process
    alarm(60);
    body();
    _exit(99);
  }
  int status = 0;
  REQUIRE(waitpid(child, &status, 0) == child);
  return status;
}

struct Told {
  std::atomic<int> calls{0};
  std::promise<hipError_t> status;

  static void tell(hipStream_t, hipError_t status, void *data) {
    auto &told = *static_cast<Told *>(data);
    if (told.calls++ == 0)
      told.status.set_value(status);
  }
};
inline constexpr auto watchdog = std::chrono::seconds(60);

} // namespace fixture
