// assert, abort and trap in kernels: the message, the error, and that what the thread would have done afterwards is not done.
// Each case is a process of its own, since its device is lost.
#include "device_test.h"

#include <sys/wait.h>
#include <unistd.h>

#include <cassert>
#include <csetjmp>
#include <csignal>
#include <cstdio>
#include <fstream>
#include <functional>
#include <sstream>
#include <string>

using namespace device_test;

__global__ void checked(int *out, int limit) {
  const int i = threadIdx.x;
  assert(i < limit && "the index");
  out[i] = 1;
}
// Others of the block never come to the barrier, or end there: the kernel ends with the first that gives up.
__device__ __attribute__((noinline)) int may_abort(int i) {
  if (i % 2 == 0)
    abort();
  return i;
}
__global__ void aborts(int *out) {
  const int i = threadIdx.x;
  out[i] = may_abort(i);
  __syncthreads();
  out[i + 64] = 5;
}
__global__ void traps(int *out, int n) {
  for (int i = 0; i < n; ++i) {
    if (i == 3)
      __builtin_trap();
    out[i] = 1;
  }
}
__global__ void traps_by_name(int *out) {
  out[0] = 1;
  __trap();
}
struct Base {
  virtual __device__ int value(int n) const = 0;
};
struct Derived : Base {
  __device__ int value(int n) const override {
    assert(n != 3);
    return n * 2;
  }
};
__global__ void calls_virtual(int *out, int n) {
  Derived derived;
  const Base *base = &derived;
  out[0] = base->value(n);
}
#define NDEBUG
#include <cassert>
__global__ void not_checked(int *out, int limit) {
  assert(limit > 100);
  out[0] = limit;
}

struct Outcome {
  int status;
  std::string errors;
};

Outcome outcome_of(const std::function<int()> &function, bool skip_abort) {
  char path[] = "/tmp/assert_test.XXXXXX";
  const int file = mkstemp(path);
  std::fflush(stdout);
  const pid_t child = fork();
  if (child == 0) {
    setenv("HIP_SKIP_ABORT_ON_GPU_ERROR", skip_abort ? "1" : "0", 1);
    dup2(file, 2);
    std::_Exit(function());
  }
  Outcome outcome{};
  waitpid(child, &outcome.status, 0);
  close(file);
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  outcome.errors = text.str();
  std::remove(path);
  return outcome;
}

#define EXPECT(...)                                                                                                    \
  if (!(__VA_ARGS__) && !unchecked()) {                                                                                \
    std::printf("line %d: FAILED in a process of its own: %s\n", __LINE__, #__VA_ARGS__);                              \
    std::fflush(stdout);                                                                                               \
    return 1;                                                                                                          \
  }
bool passed(const Outcome &outcome) { return WIFEXITED(outcome.status) && WEXITSTATUS(outcome.status) == 0; }

int fails(hipError_t expected, const std::function<void(int *)> &launch, const std::function<bool(int *)> &good) {
  int *memory;
  EXPECT(hipMallocManaged(&memory, 1024) == hipSuccess);
  std::fill_n(memory, 256, 0);
  launch(memory);
  EXPECT(hipGetLastError() == hipSuccess);
  EXPECT(hipDeviceSynchronize() == expected);
  EXPECT(good(memory));
  // It stays.
  EXPECT(hipStreamSynchronize(nullptr) == expected);
  launch(memory);
  EXPECT(hipGetLastError() == expected);
  return 0;
}

jmp_buf before_abort;

int main() {
  // As a user of AMD's runtime sees it: the message, and the end of the program.
  Outcome outcome = outcome_of(
      [] {
        int *memory;
        EXPECT(hipMallocManaged(&memory, 1024) == hipSuccess);
        checked<<<1, 40>>>(memory, 39);
        (void)hipDeviceSynchronize();
        return 1;
      },
      false);
  CHECK(WIFSIGNALED(outcome.status) && WTERMSIG(outcome.status) == SIGABRT);
  CHECK(outcome.errors.find("assert.hip:") != std::string::npos);
  CHECK(outcome.errors.find("void checked(int *, int): block (0,0,0), thread (39,0,0): "
                            "Device-side assertion `i < limit && \"the index\"' failed.\n") != std::string::npos);
  CHECK(outcome.errors.find("thread (38,0,0)") == std::string::npos);

  // A handler of SIGABRT that jumps back keeps the program alive: the error stays, and exit() is no second abort.
  CHECK(passed(outcome_of(
      []() -> int {
        int *memory;
        EXPECT(hipMallocManaged(&memory, 1024) == hipSuccess);
        signal(SIGABRT, [](int) { longjmp(before_abort, 1); });
        if (setjmp(before_abort) == 0) {
          checked<<<1, 40>>>(memory, 39);
          (void)hipDeviceSynchronize();
          return 1;
        }
        signal(SIGABRT, SIG_DFL);
        EXPECT(hipDeviceSynchronize() == hipErrorAssert);
        std::exit(0);
      },
      false)));

  outcome = outcome_of(
      [] {
        return fails(hipErrorAssert, [](int *memory) { checked<<<1, 40>>>(memory, 30); },
                     [](int *memory) { return memory[29] == 1 && memory[30] == 0 && memory[39] == 0; });
      },
      true);
  CHECK(passed(outcome));
  CHECK(outcome.errors.find("Device-side assertion") != std::string::npos);
  CHECK(passed(outcome_of(
      [] {
        return fails(hipErrorLaunchFailure, [](int *memory) { aborts<<<1, 64>>>(memory); },
                     [](int *memory) { return memory[65] == 0 && memory[2] == 0 && memory[66] == 0; });
      },
      false)));
  CHECK(passed(outcome_of(
      [] {
        return fails(hipErrorLaunchFailure, [](int *memory) { traps<<<1, 1>>>(memory, 9); },
                     [](int *memory) { return memory[3] == 0 && memory[4] == 0; });
      },
      false)));
  CHECK(passed(outcome_of(
      [] {
        return fails(hipErrorLaunchFailure, [](int *memory) { traps_by_name<<<1, 1>>>(memory); },
                     [](int *memory) { return memory[0] == 1; });
      },
      false)));
  CHECK(passed(outcome_of(
      [] {
        return fails(hipErrorAssert, [](int *memory) { calls_virtual<<<1, 1>>>(memory, 3); }, [](int *) { return true; });
      },
      true)));

  // Assertions that hold cost nothing but themselves.
  Array<int> memory(64);
  checked<<<1, 40>>>(memory.get(), 40);
  wait();
  CHECK(memory[0] == 1 && memory[39] == 1 && memory[40] == 0);
  calls_virtual<<<1, 1>>>(memory.get(), 4);
  wait();
  CHECK(memory[0] == 8);
  not_checked<<<1, 1>>>(memory.get(), 7);
  wait();
  CHECK(memory[0] == 7);
  return result();
}
