#include "faults.h"
#include "ze_counter.h"

#include <catch2/catch_test_macros.hpp>
#include <level_zero/ze_api.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <string>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

/// What a call was to destroy leaks where the call is made to fail, which LeakSanitizer would take for a fault of libCHIP's.
extern "C" [[gnu::visibility("default")]] const char *__asan_default_options() {
  return "detect_leaks=0";
}

namespace faults {
namespace {

constexpr unsigned seconds_until_it_hangs = 60;

struct Failure {
  uint32_t result;
  const char *name;
  hipError_t expected;
};
constexpr Failure failures[] = {
    {ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY, "OUT_OF_DEVICE_MEMORY", hipErrorOutOfMemory},
    {ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY, "OUT_OF_HOST_MEMORY", hipErrorOutOfMemory},
    {ZE_RESULT_ERROR_DEVICE_LOST, "DEVICE_LOST", hipErrorLaunchFailure},
    {ZE_RESULT_ERROR_UNKNOWN, "UNKNOWN", hipErrorUnknown},
};

hipError_t expected_for(uint32_t result) {
  for (const Failure &failure : failures)
    if (failure.result == result)
      return failure.expected;
  return hipSuccess;
}

template <class Function> Function preloaded(Function, const char *name) {
  auto function = reinterpret_cast<Function>(dlsym(RTLD_DEFAULT, name));
  if (!function)
    failed(__FILE__, __LINE__, "ze_counter is preloaded", nullptr);
  return function;
}
#define PRELOADED(function) preloaded(&function, #function)

int report_descriptor = STDERR_FILENO; // of a child, to the test

struct Outcome {
  uint64_t calls = 0;
  std::string failing; // the function that was made to fail
  std::string problem; // empty if all was well
  bool missed = false; // the call that was to fail was not made
};

std::string read_all(int descriptor) {
  std::string text;
  char buffer[4096];
  ssize_t n;
  while ((n = read(descriptor, buffer, sizeof buffer)) > 0)
    text.append(buffer, size_t(n));
  return text;
}

Outcome run_in_child(const std::function<void(Attempt &)> &body, uint64_t number, uint32_t result) {
  int ends[2];
  REQUIRE(pipe(ends) == 0);
  std::fflush(nullptr);
  pid_t child = fork(); // this process has no other thread: HIP is used in the children only
  REQUIRE(child >= 0);
  if (child == 0) {
    close(ends[0]);
    report_descriptor = ends[1];
    alarm(seconds_until_it_hangs);
    for (int signal : {SIGSEGV, SIGABRT, SIGFPE, SIGBUS, SIGILL, SIGTERM})
      std::signal(signal, SIG_DFL); // the test framework's handlers are of its own process
    PRELOADED(ze_counter_report_at_exit)(report_descriptor, false);
    Attempt attempt(number, result);
    body(attempt);
    std::exit(0);
  }
  close(ends[1]);
  std::string text = read_all(ends[0]);
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);

  Outcome outcome;
  bool complete = false;
  for (size_t begin = 0; begin < text.size();) {
    size_t end = std::min(text.find('\n', begin), text.size());
    std::string line = text.substr(begin, end - begin);
    begin = end + 1;
    if (line.starts_with("numbered ")) {
      outcome.calls = std::strtoull(line.c_str() + 9, nullptr, 10);
      complete = true;
    } else if (line.starts_with("failing ")) {
      outcome.failing = line.substr(8);
    } else if (line == "missed") {
      outcome.missed = true;
    } else {
      outcome.problem += (outcome.problem.empty() ? "" : "; ") + line;
    }
  }
  if (WIFSIGNALED(status))
    outcome.problem += WTERMSIG(status) == SIGALRM
                           ? "it hangs"
                           : " it crashed by signal " + std::to_string(WTERMSIG(status));
  else if (outcome.problem.empty() && (WEXITSTATUS(status) != 0 || !complete))
    outcome.problem = "it ended with status " + std::to_string(WEXITSTATUS(status));
  return outcome;
}

bool may_be_ignored(const std::string &function, std::initializer_list<const char *> optional) {
  if (function.ends_with("Destroy"))
    return true;
  for (const char *name : optional)
    if (function == name)
      return true;
  return false;
}

} // namespace

void failed(const char *file, int line, const char *what, const char *saw) {
  const char *name = std::strrchr(file, '/');
  dprintf(report_descriptor, "%s:%d: %s%s%s\n", name ? name + 1 : file, line, what,
          saw ? " is " : "", saw ? saw : "");
  _exit(1);
}

void expect(hipError_t expected, hipError_t result, const char *file, int line, const char *call) {
  if (result != expected)
    failed(file, line, call, hipGetErrorName(result));
}

void Attempt::run(const std::function<hipError_t()> &operation,
                  std::initializer_list<const char *> optional, bool losable) {
  (void)hipGetLastError();
  PRELOADED(ze_counter_number_calls)(number_, result_);
  hipError_t result = operation();
  const char *failing = nullptr;
  PRELOADED(ze_counter_end_numbering)(&failing);
  if (failing)
    dprintf(report_descriptor, "failing %s\n", failing);
  else if (number_ != 0)
    dprintf(report_descriptor, "missed\n");
  if (result == hipSuccess) {
    DEMAND(!failing || may_be_ignored(failing, optional));
    // An operation that only releases something need not tell that the device is lost, but the next one does.
    if (failing && losable && result_ == ZE_RESULT_ERROR_DEVICE_LOST &&
        std::strstr(failing, "Synchronize")) {
      expect(hipErrorLaunchFailure, hipDeviceSynchronize(), __FILE__, __LINE__,
             "hipDeviceSynchronize()");
      lost_ = true;
    }
    return;
  }
  DEMAND(failing);
  expect(expected_for(result_), result, __FILE__, __LINE__, "the operation");
  expect(result, hipGetLastError(), __FILE__, __LINE__, "hipGetLastError()");
  failed_once_ = true;
  if (result == hipErrorLaunchFailure && (losable || std::strncmp(failing, "zeMem", 5) == 0))
    lost_ = true;
  else
    expect(hipSuccess, operation(), __FILE__, __LINE__, "the operation, again");
}

void Attempt::run(const std::function<hipError_t()> &operation,
                  std::initializer_list<const char *> optional) {
  run(operation, optional, true);
}

void Attempt::run_first(const std::function<hipError_t()> &operation,
                        std::initializer_list<const char *> optional) {
  run(operation, optional, false);
}

void Attempt::run_exit() {
  PRELOADED(ze_counter_report_at_exit)(report_descriptor, true);
  PRELOADED(ze_counter_number_calls)(number_, result_);
  std::exit(0);
}

int64_t alive(const char *kind) { return PRELOADED(ze_counter_alive)(kind); }

void inject(const std::function<void(Attempt &)> &body) {
  Outcome clean = run_in_child(body, 0, 0);
  INFO("no call fails: " << clean.problem);
  REQUIRE(clean.problem.empty());
  REQUIRE(clean.calls < 200);
  for (uint64_t number = 1; number <= clean.calls; ++number)
    for (const Failure &failure : failures) {
      // The two kinds of memory that runs out are one to libCHIP, and take turns.
      if (failure.result ==
          (number % 2 ? ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY : ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY))
        continue;
      Outcome outcome = run_in_child(body, number, failure.result);
      // How many calls there are may depend on what the device has done by then.
      for (int more = 20; outcome.missed && outcome.problem.empty() && more > 0; --more)
        outcome = run_in_child(body, number, failure.result);
      INFO("call " << number << " of " << clean.calls << ", " << outcome.failing << ", fails with "
                   << failure.name << ": " << outcome.problem);
      CHECK(outcome.problem.empty());
      CHECK(!outcome.missed);
    }
}

// ---- An ordinary program

World::World(Attempt &attempt) : attempt_(attempt) {
  DEMAND_HIP(hipModuleLoad(&module, TEST_KERNELS));
  for (hipStream_t &stream : blocking)
    DEMAND_HIP(hipStreamCreate(&stream));
  for (hipStream_t &stream : other)
    DEMAND_HIP(hipStreamCreateWithFlags(&stream, hipStreamNonBlocking));
  DEMAND_HIP(hipHostMalloc(reinterpret_cast<void **>(&cells), 64 * sizeof(int), 0));
  std::memset(cells, 0, 64 * sizeof(int));
  flag = cells + 63;
  DEMAND_HIP(hipHostMalloc(reinterpret_cast<void **>(&pinned), bytes, 0));
  DEMAND_HIP(hipMalloc(reinterpret_cast<void **>(&device), bytes));
}

hipFunction_t World::function(const char *name) {
  hipFunction_t function = nullptr;
  DEMAND_HIP(hipModuleGetFunction(&function, module, name));
  return function;
}

void World::open() { reinterpret_cast<std::atomic<int> *>(flag)->store(1); }

void World::open_and_finish() {
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  open();
  DEMAND_HIP(hipDeviceSynchronize());
}

void World::use() {
  DEMAND_HIP(hipDeviceSynchronize());
  int *word = reinterpret_cast<int *>(device);
  DEMAND_HIP(hipMemset(device, 0, 64));
  int expected = 0;
  // Each after the one before: two blocking streams in a row would add at the same time.
  for (hipStream_t stream : {blocking[0], hipStream_t(nullptr), blocking[1], hipStream_t(nullptr),
                             hipStreamPerThread, hipStream_t(nullptr), blocking[2]}) {
    DEMAND_HIP(launch("add", stream, word, 1));
    ++expected;
  }
  hipEvent_t event = nullptr, timed = nullptr;
  DEMAND_HIP(hipEventCreateWithFlags(&event, hipEventDisableTiming));
  DEMAND_HIP(hipEventCreate(&timed));
  DEMAND_HIP(hipEventRecord(event, nullptr));
  DEMAND_HIP(hipStreamWaitEvent(other[0], event, 0));
  DEMAND_HIP(launch("add", other[0], word, 1));
  DEMAND_HIP(hipEventRecord(timed, other[0]));
  DEMAND_HIP(hipStreamWaitEvent(other[1], timed, 0));
  DEMAND_HIP(launch("add", other[1], word, 1));
  expected += 2;
  DEMAND_HIP(hipStreamSynchronize(other[1]));
  DEMAND_HIP(hipEventSynchronize(timed));
  int value = -1;
  DEMAND_HIP(hipMemcpy(&value, device, sizeof value, hipMemcpyDeviceToHost));
  DEMAND(value == expected);
  hipStream_t fresh = nullptr;
  DEMAND_HIP(hipStreamCreate(&fresh));
  value = 40;
  DEMAND_HIP(hipMemcpyAsync(device, &value, sizeof value, hipMemcpyHostToDevice, fresh));
  value = 0;
  DEMAND_HIP(launch("add", fresh, word, 2));
  DEMAND_HIP(hipMemcpyAsync(pinned, device, sizeof value, hipMemcpyDeviceToHost, fresh));
  DEMAND_HIP(hipStreamSynchronize(fresh));
  std::memcpy(&value, pinned, sizeof value);
  DEMAND(value == 42);
  DEMAND_HIP(hipStreamDestroy(fresh));
  DEMAND_HIP(hipEventDestroy(event));
  DEMAND_HIP(hipEventDestroy(timed));
  DEMAND_HIP(hipDeviceSynchronize());
  DEMAND(hipGetLastError() == hipSuccess);
}

void World::check_lost() {
#define DEMAND_LOST(call) expect(hipErrorLaunchFailure, (call), __FILE__, __LINE__, #call)
  void *memory = nullptr;
  DEMAND_LOST(hipMalloc(&memory, 64));
  DEMAND_LOST(hipHostMalloc(&memory, 64, 0));
  DEMAND_LOST(hipMallocManaged(&memory, 64, hipMemAttachGlobal));
  hipStream_t stream = nullptr;
  DEMAND_LOST(hipStreamCreate(&stream));
  hipModule_t another = nullptr;
  DEMAND_LOST(hipModuleLoad(&another, TEST_KERNELS));
  hipEvent_t event = nullptr, timed = nullptr;
  DEMAND_HIP(hipEventCreateWithFlags(&event, hipEventDisableTiming));
  DEMAND_HIP(hipEventCreate(&timed));
  for (hipStream_t target : {blocking[0], other[0], hipStream_t(nullptr)}) {
    hipFunction_t add = nullptr;
    if (hipModuleGetFunction(&add, module, "add") == hipSuccess) {
      int *pointer = cells;
      int value = 0;
      void *arguments[] = {&pointer, &value};
      DEMAND_LOST(hipModuleLaunchKernel(add, 1, 1, 1, 1, 1, 1, 0, target, arguments, nullptr));
    }
    DEMAND_LOST(hipMemcpyAsync(device, pinned, 4, hipMemcpyDefault, target));
    DEMAND_LOST(hipMemcpyAsync(device, &memory, 4, hipMemcpyDefault, target));
    DEMAND_LOST(hipMemcpyAsync(&memory, device, 4, hipMemcpyDefault, target));
    DEMAND_LOST(hipMemsetAsync(device, 0, 4, target));
    DEMAND_LOST(hipEventRecord(event, target));
    DEMAND_LOST(hipEventRecord(timed, target));
    DEMAND_LOST(hipLaunchHostFunc(target, [](void *) {}, nullptr));
    DEMAND_LOST(hipStreamSynchronize(target));
    DEMAND_LOST(hipStreamQuery(target));
  }
  char bytes_on_stack[4] = {}, others[4] = {};
  DEMAND_LOST(hipMemcpy(device, bytes_on_stack, 4, hipMemcpyHostToDevice));
  DEMAND_LOST(hipMemcpy(bytes_on_stack, device, 4, hipMemcpyDeviceToHost));
  DEMAND_LOST(hipMemcpy(bytes_on_stack, others, 4, hipMemcpyHostToHost));
  DEMAND_LOST(hipMemset(device, 0, 4));
  DEMAND_LOST(hipDeviceSynchronize());
  DEMAND_HIP(hipEventDestroy(event));
  DEMAND_HIP(hipEventDestroy(timed));
}

World::~World() {
  open();
  if (attempt_.lost())
    check_lost();
  else
    use();
  // That the device is lost is told, and what was to be released is released.
  hipError_t released = attempt_.lost() ? hipErrorLaunchFailure : hipSuccess;
  for (hipStream_t stream : blocking)
    DEMAND_HIP(hipStreamDestroy(stream));
  for (hipStream_t stream : other)
    DEMAND_HIP(hipStreamDestroy(stream));
#define DEMAND_RELEASED(call) expect(released, (call), __FILE__, __LINE__, #call)
  DEMAND_RELEASED(hipHostFree(cells));
  DEMAND_RELEASED(hipHostFree(pinned));
  DEMAND_RELEASED(hipFree(device));
  DEMAND_HIP(hipModuleUnload(module));
  expect(hipErrorInvalidValue, hipFree(device), __FILE__, __LINE__, "freeing twice");
}

} // namespace faults
