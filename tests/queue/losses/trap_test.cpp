// Kernels that give up (trap, abort, an assertion that fails), and events of a lost device. Each case is a process of its own.
#include "../../support/standard_error.h"
#include "loss.h"

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>

using namespace fixture;

namespace {

hipFunction_t trap(const char *name) {
  hipModule_t module = nullptr;
  REQUIRE_HIP(hipModuleLoad(&module, TEST_TRAPS));
  hipFunction_t function = nullptr;
  REQUIRE_HIP(hipModuleGetFunction(&function, module, name));
  return function;
}

hipError_t wait_for(Told &told) {
  auto status = told.status.get_future();
  REQUIRE(status.wait_for(watchdog) == std::future_status::ready);
  return status.get();
}

void gives_up(const char *name, hipError_t expected) {
  const hipFunction_t trapping = trap(name);
  Scene scene;
  Streams streams(3, hipStreamNonBlocking);
  Event event, next(hipEventDefault);
  HostMemory<int> zero(4);
  Told told, ordered;
  int calls = 0;
  const StandardError error;
  REQUIRE_HIP(launch(scene.wait_for_flag, streams[0], 1, scene.flag.get()));
  REQUIRE_HIP(launch(trapping, streams[0], 40, zero.get()));
  REQUIRE_HIP(scene.set(streams[0], 0));
  REQUIRE_HIP(
      hipMemcpyAsync(&scene.cells[1], &scene.flag[0], sizeof(int), hipMemcpyDefault, streams[0]));
  REQUIRE_HIP(hipStreamAddCallback(streams[0], Told::tell, &told, 0));
  REQUIRE_HIP(
      hipLaunchHostFunc(streams[0], [](void *data) { ++*static_cast<int *>(data); }, &calls));
  REQUIRE_HIP(hipEventRecord(event, streams[0]));
  REQUIRE_HIP(hipStreamWaitEvent(streams[1], event, 0));
  REQUIRE_HIP(scene.set(streams[1], 2));
  REQUIRE_HIP(hipStreamAddCallback(streams[1], Told::tell, &ordered, 0));
  REQUIRE_HIP(hipEventRecord(next, streams[1]));
  scene.open();
  // Nobody waits, and all are told.
  REQUIRE(wait_for(told) == expected);
  REQUIRE(wait_for(ordered) == expected);
  for (int i = 0; i < 3; ++i) {
    REQUIRE(hipEventSynchronize(next) == expected);
    REQUIRE(hipEventQuery(event) == expected);
    REQUIRE(hipStreamSynchronize(streams[1]) == expected);
    REQUIRE(hipStreamQuery(streams[0]) == expected);
    REQUIRE(hipStreamSynchronize(streams[2]) == expected);
    REQUIRE(hipDeviceSynchronize() == expected);
    REQUIRE(scene.set(streams[2], 3) == expected);
    REQUIRE(hipGetLastError() == expected);
  }
  REQUIRE((scene.cells[0] == 0 && scene.cells[1] == 0 && scene.cells[2] == 0));
  REQUIRE(calls == 0);
  const std::string text = error.text();
  INFO(text);
  const bool is_assertion = expected == hipErrorAssert;
  const size_t line = text.find(std::string("kernel ") + name + ": a work-item gave up " +
                                (is_assertion ? "(an assertion failed)" : "(trap)"));
  REQUIRE(line != text.npos);
  const size_t assertion = text.find("Device-side assertion");
  REQUIRE((assertion != text.npos) == is_assertion);
  REQUIRE((!is_assertion || assertion < line)); // what failed comes before what it led to
}

} // namespace

TEST_CASE("trap: a kernel that traps is a fault in its stream") {
  gives_up("traps", hipErrorLaunchFailure);
}
TEST_CASE("trap: a kernel that calls abort is a fault in its stream") {
  gives_up("aborts", hipErrorLaunchFailure);
}
TEST_CASE("trap: a kernel that traps in a recursive function goes no further") {
  gives_up("traps_deep", hipErrorLaunchFailure);
}
TEST_CASE("trap: an assertion that fails is a fault in its stream") {
  setenv("HIP_SKIP_ABORT_ON_GPU_ERROR", "1", 1);
  gives_up("asserts", hipErrorAssert);
}

TEST_CASE("trap: each of two devices tells why its kernel gave up", "[multidevice]") {
  setenv("HIP_SKIP_ABORT_ON_GPU_ERROR", "1", 1);
  const StandardError error;
  int device = 0;
  for (const auto &[name, expected] :
       {std::pair("asserts", hipErrorAssert), std::pair("traps", hipErrorLaunchFailure)}) {
    REQUIRE_HIP(hipSetDevice(device++));
    HostMemory<int> zero(4);
    REQUIRE_HIP(launch(trap(name), nullptr, 1, zero.get()));
    REQUIRE(hipDeviceSynchronize() == expected);
  }
  const std::string text = error.text();
  INFO(text);
  REQUIRE(text.contains("kernel asserts: a work-item gave up (an assertion failed)"));
  // A driver does not say of which of its devices the kernel is.
  REQUIRE_FALSE(text.contains("kernel traps: a work-item gave up (an assertion failed)"));
  REQUIRE((text.contains("kernel traps: a work-item gave up (trap)") ||
           text.contains("kernel traps: a work-item gave up (a failed assertion or a trap)")));
}

TEST_CASE("trap: of two streams with one assertion that fails, neither is said to trap") {
  setenv("HIP_SKIP_ABORT_ON_GPU_ERROR", "1", 1);
  const StandardError error;
  HostMemory<int> flag(1), zero(4);
  Streams streams(2, hipStreamNonBlocking);
  for (int i = 0; i < 2; ++i) {
    REQUIRE_HIP(launch(function("wait_for_flag"), streams[i], 1, flag.get()));
    REQUIRE_HIP(launch(trap("asserts"), streams[i], 1, zero.get()));
  }
  std::atomic_ref(flag[0]).store(1);
  for (int i = 0; i < 2; ++i)
    REQUIRE(hipStreamSynchronize(streams[i]) == hipErrorAssert);
  const std::string text = error.text();
  INFO(text);
  REQUIRE(text.contains("(an assertion failed)"));
  REQUIRE_FALSE(text.contains("(trap)"));
}

TEST_CASE("trap: what a kernel has said before it fails comes before the report") {
  const hipFunction_t kernel = trap("says_and_faults");
  const StandardError error;
  std::fflush(stdout);
  const int before = dup(1);
  dup2(2, 1);
  const hipError_t launched = launch(kernel, nullptr, 1, reinterpret_cast<int *>(64));
  const hipError_t result = hipDeviceSynchronize();
  dup2(before, 1);
  close(before);
  REQUIRE_HIP(launched);
  REQUIRE_LOST(result);
  const std::string text = error.text();
  INFO(text);
  const size_t said = text.find("about to fail");
  REQUIRE(said != text.npos);
  REQUIRE(said < text.find("kernel says_and_faults: SIGSEGV"));
}

TEST_CASE("trap: an assertion that fails in a stream that nobody waits for ends the process if a "
          "callback is behind it") {
  unsetenv("HIP_SKIP_ABORT_ON_GPU_ERROR");
  const int status = status_of([] {
    const hipFunction_t asserts = trap("asserts");
    Scene &scene = *new Scene;
    scene.cells[0] = 0;
    DEMAND(launch(asserts, nullptr, 1, scene.cells.get()) == hipSuccess);
    DEMAND(hipStreamAddCallback(nullptr, Told::tell, new Told, 0) == hipSuccess);
    std::this_thread::sleep_for(watchdog);
  });
  REQUIRE(WIFSIGNALED(status));
  REQUIRE(WTERMSIG(status) == SIGABRT);
}

TEST_CASE("trap: a kernel that does not trap is as any other") {
  const hipFunction_t traps = trap("traps"), asserts = trap("asserts");
  Scene scene;
  scene.cells[0] = 1;
  REQUIRE_HIP(launch(traps, nullptr, 40, scene.cells.get()));
  REQUIRE_HIP(launch(asserts, nullptr, 40, scene.cells.get()));
  REQUIRE_HIP(hipDeviceSynchronize());
}

TEST_CASE("loss: an event whose record failed tells of the loss") {
  Scene scene;
  Streams streams(2);
  Event event, timed(hipEventDefault), never, before(hipEventDefault);
  REQUIRE_HIP(hipEventRecord(before, streams[0]));
  REQUIRE_HIP(hipEventSynchronize(before));
  scene.fail(streams[0]);
  REQUIRE_LOST(hipDeviceSynchronize());
  float ms = 0;
  for (hipEvent_t each : {hipEvent_t(event), hipEvent_t(timed)})
    REQUIRE_LOST(hipEventRecord(each, streams[1]));
  for (hipEvent_t each :
       {hipEvent_t(event), hipEvent_t(timed), hipEvent_t(never), hipEvent_t(before)}) {
    REQUIRE_LOST(hipEventQuery(each));
    REQUIRE_LOST(hipEventSynchronize(each));
    REQUIRE_LOST(hipStreamWaitEvent(streams[1], each, 0));
    REQUIRE_LOST(hipStreamWaitEvent(nullptr, each, 0));
  }
  REQUIRE_LOST(hipEventElapsedTime(&ms, before, before));
}

TEST_CASE("loss: a wait on a sound device for an event whose record failed tells of the loss",
          "[multidevice]") {
  REQUIRE_HIP(hipSetDevice(1));
  Streams sound(1);
  REQUIRE_HIP(hipSetDevice(0));
  Scene scene;
  Event event;
  scene.fail(nullptr);
  REQUIRE_LOST(hipDeviceSynchronize());
  REQUIRE_LOST(hipEventRecord(event, nullptr));
  REQUIRE_HIP(hipSetDevice(1));
  REQUIRE_LOST(hipStreamWaitEvent(sound[0], event, 0));
  // That device has lost nothing.
  REQUIRE_HIP(hipStreamSynchronize(sound[0]));
  REQUIRE_HIP(hipDeviceSynchronize());
}

TEST_CASE("loss: memory of a lost device is freed, not given out again, and each call tells of the "
          "loss") {
  Scene scene;
  Streams streams(1);
  void *memory[6] = {};
  for (int i = 0; i < 3; ++i) {
    REQUIRE_HIP(hipMallocAsync(&memory[i], 64, streams[0]));
    REQUIRE_HIP(hipMalloc(&memory[3 + i], 64));
  }
  void *freed = nullptr; // the stream may have it again without a call of the driver
  REQUIRE_HIP(hipMallocAsync(&freed, 64, streams[0]));
  REQUIRE_HIP(hipFreeAsync(freed, streams[0]));
  scene.fail(streams[0]);
  REQUIRE_LOST(hipStreamSynchronize(streams[0]));
  REQUIRE_LOST(hipMallocAsync(&freed, 64, streams[0]));
  for (int i : {0, 3}) {
    REQUIRE_LOST(hipFreeAsync(memory[i], streams[0]));
    REQUIRE_LOST(hipFreeAsync(memory[i + 1], nullptr));
    REQUIRE_LOST(hipFree(memory[i + 2]));
  }
  for (void *each : memory) {
    REQUIRE(hipFree(each) == hipErrorInvalidValue);
    REQUIRE(hipFreeAsync(each, streams[0]) == hipErrorInvalidValue);
  }
}

namespace {

void overflows_its_stack(const char *symbol, const std::string &name) {
  const hipFunction_t kernel = trap(symbol);
  HostMemory<int> zero(4);
  const StandardError error;
  REQUIRE_HIP(launch(kernel, nullptr, 40, zero.get()));
  REQUIRE_LOST(hipDeviceSynchronize());
  const std::string text = error.text();
  INFO(text);
  REQUIRE(text.find("kernel " + name + ": stack overflow") != text.npos);
}

} // namespace

TEST_CASE("trap: a message about recursion without end tells of the stack and the kernel's name") {
  overflows_its_stack("_Z4digsPi", "digs(int*)");
}
TEST_CASE("trap: a message about recursion between barriers tells of the stack") {
  overflows_its_stack("digs_with_barrier", "digs_with_barrier");
}
TEST_CASE("trap: a message about a bad address tells of no stack") {
  Scene scene;
  const StandardError error;
  scene.fail(nullptr);
  REQUIRE_LOST(hipDeviceSynchronize());
  const std::string text = error.text();
  INFO(text);
  REQUIRE((text.find("SIGSEGV") != text.npos && text.find("stack") == text.npos));
}
