// A kernel that faults, and all that is ordered behind it: it does not execute, and whoever waits for it is told, in this and in
// every later call for the device, and for that device only. Each case is a process of its own, since its device is lost.
#include "loss.h"

#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <functional>
#include <future>
#include <memory>
#include <new>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

using namespace fixture;

// A process may give each object pages of its own from now on: whoever uses one that is freed is told by a signal.
namespace {

bool objects_have_pages = false;
constexpr size_t page = 4096;
/// At the beginning of the pages, 64 bytes before the object.
struct PagesHeader {
  uint64_t mark;
  size_t bytes;
};
constexpr uint64_t pages_mark = 0x6f626a6563747300;
constexpr size_t pages_header = 64;

} // namespace

void *operator new(size_t bytes) {
  if (!objects_have_pages) {
    if (void *memory = std::malloc(bytes ? bytes : 1))
      return memory;
    throw std::bad_alloc();
  }
  const size_t whole = (bytes + pages_header + page - 1) / page * page;
  void *memory = mmap(nullptr, whole, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED)
    throw std::bad_alloc();
  new (memory) PagesHeader{pages_mark, whole};
  return static_cast<std::byte *>(memory) + pages_header;
}
// Not inlined: a compiler that knows the memory's beginning warns of what is read before it, as AddressSanitizer does.
[[gnu::noinline, gnu::no_sanitize("address")]] void operator delete(void *object) noexcept {
  // What malloc gives out at this place in a page has its own bookkeeping there, never the mark.
  if (objects_have_pages && reinterpret_cast<uintptr_t>(object) % page == pages_header)
    if (auto *header =
            reinterpret_cast<PagesHeader *>(static_cast<std::byte *>(object) - pages_header);
        header->mark == pages_mark) {
      mprotect(header, header->bytes, PROT_NONE);
      return;
    }
  std::free(object);
}
void operator delete(void *object, size_t) noexcept { operator delete(object); }

namespace {

/// What any program does next.
void require_lost(Scene &scene, hipStream_t stream) {
  int value = 0;
  void *memory = nullptr;
  REQUIRE_LOST(hipMemcpy(&value, scene.device, sizeof value, hipMemcpyDeviceToHost));
  REQUIRE(hipGetLastError() == hipErrorLaunchFailure);
  REQUIRE_LOST(hipDeviceSynchronize());
  REQUIRE_LOST(hipStreamSynchronize(stream));
  REQUIRE_LOST(hipStreamQuery(stream));
  REQUIRE_LOST(scene.set(stream, 9));
  REQUIRE_LOST(scene.set(nullptr, 9));
  REQUIRE_LOST(hipMalloc(&memory, 64));
  REQUIRE(hipGetLastError() == hipErrorLaunchFailure);
}

void require_alive(Scene &scene, hipStream_t stream) {
  int value = 41;
  REQUIRE_HIP(hipMemcpy(scene.device, &value, sizeof value, hipMemcpyHostToDevice));
  REQUIRE_HIP(launch(scene.add, stream, 1, scene.device, 1));
  REQUIRE_HIP(hipStreamSynchronize(stream));
  REQUIRE_HIP(hipMemcpy(&value, scene.device, sizeof value, hipMemcpyDeviceToHost));
  REQUIRE(value == 42);
  REQUIRE_HIP(hipDeviceSynchronize());
  void *memory = nullptr;
  REQUIRE_HIP(hipHostMalloc(&memory, 64, 0));
  REQUIRE_HIP(hipHostFree(memory));
  REQUIRE_HIP(hipMalloc(&memory, 64));
  REQUIRE_HIP(hipFree(memory));
  hipStream_t fresh = nullptr;
  REQUIRE_HIP(hipStreamCreate(&fresh));
  REQUIRE_HIP(hipStreamDestroy(fresh));
}

} // namespace

TEST_CASE("loss: a copy in the null stream tells of a fault in a blocking stream") {
  Scene scene;
  Streams streams(1);
  scene.fail_behind_gate(streams[0]);
  std::jthread opener([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    scene.open();
  });
  int value = 7;
  REQUIRE_LOST(hipMemcpy(&value, scene.device, sizeof value, hipMemcpyDeviceToHost));
  REQUIRE(hipGetLastError() == hipErrorLaunchFailure);
  require_lost(scene, streams[0]);
}

namespace {

/// One stream faults, and long afterwards work comes in the other.
void fault_long_before(bool in_null_stream) {
  Scene scene;
  Streams streams(2);
  const hipStream_t lost = in_null_stream ? nullptr : streams[0],
                    behind = in_null_stream ? streams[0] : nullptr;
  scene.fail(lost);
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  const hipError_t submitted = scene.set(behind, 0); // says so if the fault is noticed by then
  REQUIRE((submitted == hipSuccess || submitted == hipErrorLaunchFailure));
  REQUIRE_LOST(hipStreamSynchronize(behind));
  REQUIRE(scene.cells[0] == 0);
  require_lost(scene, streams[1]);
}

/// Two streams behind a third, which faults; `tell` finds out.
void fault_before_event(const std::function<hipError_t(hipStream_t, hipEvent_t)> &tell) {
  Scene scene;
  Streams streams(3, hipStreamNonBlocking);
  Event event, next(hipEventDefault);
  scene.fail_behind_gate(streams[0]);
  REQUIRE_HIP(hipEventRecord(event, streams[0]));
  REQUIRE_HIP(hipStreamWaitEvent(streams[1], event, 0));
  REQUIRE_HIP(scene.set(streams[1], 0));
  REQUIRE_HIP(
      hipMemcpyAsync(&scene.cells[1], &scene.flag[0], sizeof(int), hipMemcpyDefault, streams[1]));
  REQUIRE_HIP(hipEventRecord(next, streams[1]));
  REQUIRE_HIP(hipStreamWaitEvent(streams[2], next, 0));
  REQUIRE_HIP(scene.set(streams[2], 2));
  scene.open();
  hipError_t told;
  while ((told = tell(streams[2], next)) == hipErrorNotReady)
    std::this_thread::yield();
  REQUIRE_LOST(told);
  require_lost(scene, streams[2]);
  REQUIRE_LOST(hipEventRecord(event, streams[1]));
  REQUIRE_LOST(hipEventSynchronize(next));
  REQUIRE((scene.cells[0] == 0 && scene.cells[1] == 0 && scene.cells[2] == 0));
}

} // namespace

TEST_CASE("loss: the null stream is lost behind a fault long ago") { fault_long_before(false); }
TEST_CASE("loss: a blocking stream is lost behind a fault long ago") { fault_long_before(true); }

TEST_CASE("loss: a stream behind an event behind a fault tells when it is waited for") {
  fault_before_event([](hipStream_t stream, hipEvent_t) { return hipStreamSynchronize(stream); });
}
TEST_CASE("loss: a stream behind an event behind a fault tells when it is asked") {
  fault_before_event([](hipStream_t stream, hipEvent_t) { return hipStreamQuery(stream); });
}
TEST_CASE("loss: an event behind an event behind a fault tells when it is waited for") {
  fault_before_event([](hipStream_t, hipEvent_t event) { return hipEventSynchronize(event); });
}
TEST_CASE("loss: an event behind an event behind a fault tells when it is asked") {
  fault_before_event([](hipStream_t, hipEvent_t event) { return hipEventQuery(event); });
}
TEST_CASE("loss: a device tells of a fault before an event") {
  fault_before_event([](hipStream_t, hipEvent_t) { return hipDeviceSynchronize(); });
}

TEST_CASE("loss: a stream behind a fault in the null stream is lost") {
  Scene scene;
  Streams streams(1);
  scene.fail_behind_gate(nullptr);
  REQUIRE_HIP(scene.set(streams[0], 0));
  scene.open();
  REQUIRE_LOST(hipStreamSynchronize(streams[0]));
  REQUIRE(scene.cells[0] == 0);
  require_lost(scene, streams[0]);
}

TEST_CASE("loss: hipDeviceSynchronize tells of a fault in a stream that has come to its end") {
  Scene scene;
  Streams streams(3, hipStreamNonBlocking);
  scene.fail(streams[0]);
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  REQUIRE_HIP(scene.set(streams[1], 0));
  REQUIRE_HIP(scene.set(streams[2], 1));
  REQUIRE_LOST(hipDeviceSynchronize());
  require_lost(scene, streams[1]);
}

TEST_CASE("loss: a launch that is refused loses nothing") {
  Scene scene;
  Streams streams(1);
  void *arguments[] = {&scene.device, &scene.device};
  REQUIRE(hipModuleLaunchKernel(scene.add, 1, 1, 1, 1u << 20, 1, 1, 0, streams[0], arguments,
                                nullptr) != hipSuccess);
  require_alive(scene, streams[0]);
}

TEST_CASE("loss: a fault is told to a thread that blocks all signals") {
  Scene scene;
  Streams streams(1);
  sigset_t all, before, after;
  sigfillset(&all);
  REQUIRE(pthread_sigmask(SIG_SETMASK, &all, &before) == 0);
  scene.fail(streams[0]);
  const hipError_t result = hipStreamSynchronize(streams[0]);
  REQUIRE(pthread_sigmask(SIG_SETMASK, &before, &after) == 0);
  REQUIRE_LOST(result);
  for (int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGINT, SIGUSR1})
    REQUIRE(sigismember(&after, signal) == 1);
}

TEST_CASE("loss: a callback behind a fault is called once, with the error, though nobody waits") {
  Scene scene;
  Streams streams(3, hipStreamNonBlocking);
  Event event;
  Told behind[2], ordered, free;
  scene.fail_behind_gate(streams[0]);
  for (Told &told : behind)
    REQUIRE_HIP(hipStreamAddCallback(streams[0], Told::tell, &told, 0));
  REQUIRE_HIP(hipEventRecord(event, streams[0]));
  REQUIRE_HIP(hipStreamWaitEvent(streams[1], event, 0));
  REQUIRE_HIP(hipStreamAddCallback(streams[1], Told::tell, &ordered, 0));
  REQUIRE_HIP(hipStreamAddCallback(streams[2], Told::tell, &free, 0));
  auto free_status = free.status.get_future();
  REQUIRE(free_status.wait_for(watchdog) == std::future_status::ready);
  REQUIRE(free_status.get() == hipSuccess);
  scene.open();
  for (Told *told : {&behind[0], &behind[1], &ordered}) {
    auto status = told->status.get_future();
    REQUIRE(status.wait_for(watchdog) == std::future_status::ready);
    REQUIRE(status.get() == hipErrorLaunchFailure);
  }
  // Nor is one called again, or one added, afterwards.
  Told late;
  REQUIRE_LOST(hipDeviceSynchronize());
  REQUIRE_LOST(hipStreamAddCallback(streams[0], Told::tell, &late, 0));
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  REQUIRE((behind[0].calls == 1 && behind[1].calls == 1 && ordered.calls == 1 && free.calls == 1));
  REQUIRE(late.calls == 0);
}

TEST_CASE("loss: callbacks have been called when a wait tells of the fault") {
  Scene scene;
  Streams streams(1);
  scene.fail_behind_gate(streams[0]);
  auto told = std::make_unique<Told[]>(20);
  for (int i = 0; i < 20; ++i)
    REQUIRE_HIP(hipStreamAddCallback(streams[0], Told::tell, &told[i], 0));
  scene.open();
  REQUIRE_LOST(hipStreamSynchronize(streams[0]));
  for (int i = 0; i < 20; ++i)
    REQUIRE(told[i].calls == 1);
}

TEST_CASE("loss: a host function behind a fault is not called") {
  Scene scene;
  Streams streams(1);
  int calls = 0;
  scene.fail_behind_gate(streams[0]);
  REQUIRE_HIP(
      hipLaunchHostFunc(streams[0], [](void *data) { ++*static_cast<int *>(data); }, &calls));
  scene.open();
  REQUIRE_LOST(hipStreamSynchronize(streams[0]));
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  REQUIRE(calls == 0);
}

TEST_CASE("loss: a process with callbacks behind a fault ends") {
  const int status = status_of([] {
    Scene &scene = *new Scene;
    Told &told = *new Told;
    scene.fail_behind_gate(nullptr);
    DEMAND(hipStreamAddCallback(nullptr, Told::tell, &told, 0) == hipSuccess);
    scene.open();
    std::exit(0);
  });
  REQUIRE(WIFEXITED(status));
  REQUIRE(WEXITSTATUS(status) == 0);
}

TEST_CASE("loss: a process may end in a callback that is told an error") {
  const int status = status_of([] {
    Scene &scene = *new Scene;
    scene.fail_behind_gate(nullptr);
    DEMAND(hipStreamAddCallback(
               nullptr,
               [](hipStream_t, hipError_t error, void *) {
                 std::exit(error == hipErrorLaunchFailure ? 7 : 8);
               },
               nullptr, 0) == hipSuccess);
    scene.open();
    std::this_thread::sleep_for(watchdog);
  });
  REQUIRE(WIFEXITED(status));
  REQUIRE(WEXITSTATUS(status) == 7);
}

namespace {

void lose_one_device(int lost) {
  REQUIRE_HIP(hipSetDevice(1 - lost));
  Scene alive;
  Streams alive_streams(1);
  REQUIRE_HIP(hipSetDevice(lost));
  hipModule_t module = nullptr;
  REQUIRE_HIP(hipModuleLoad(&module, TEST_KERNELS));
  hipFunction_t add = nullptr;
  REQUIRE_HIP(hipModuleGetFunction(&add, module, "add"));
  Streams streams(1);
  REQUIRE_HIP(launch(add, streams[0], 1, reinterpret_cast<int *>(64), 1));
  REQUIRE_LOST(hipDeviceSynchronize());
  for (int i = 0; i < 2; ++i) {
    REQUIRE_HIP(hipSetDevice(1 - lost));
    require_alive(alive, alive_streams[0]);
    REQUIRE_HIP(hipSetDevice(lost));
    REQUIRE_LOST(launch(add, streams[0], 1, alive.cells.get(), 1));
    REQUIRE_LOST(hipDeviceSynchronize());
    void *memory = nullptr;
    REQUIRE_LOST(hipMalloc(&memory, 64));
  }
  REQUIRE_HIP(hipSetDevice(1 - lost));
}

} // namespace

TEST_CASE("loss: a fault on the first device leaves the second as it was", "[multidevice]") {
  lose_one_device(0);
}
TEST_CASE("loss: a fault on the second device leaves the first as it was", "[multidevice]") {
  lose_one_device(1);
}

TEST_CASE("loss: a device whose stream waits for lost work of another is lost", "[multidevice]") {
  REQUIRE_HIP(hipSetDevice(0));
  Scene waiting;
  Streams waiting_streams(2, hipStreamNonBlocking);
  REQUIRE_HIP(hipSetDevice(1));
  hipModule_t module = nullptr;
  REQUIRE_HIP(hipModuleLoad(&module, TEST_KERNELS));
  hipFunction_t add = nullptr, wait_for_flag = nullptr;
  REQUIRE_HIP(hipModuleGetFunction(&add, module, "add"));
  REQUIRE_HIP(hipModuleGetFunction(&wait_for_flag, module, "wait_for_flag"));
  Streams lost(1);
  Event event;
  REQUIRE_HIP(launch(wait_for_flag, lost[0], 1, waiting.flag.get()));
  REQUIRE_HIP(launch(add, lost[0], 1, reinterpret_cast<int *>(64), 1));
  REQUIRE_HIP(hipEventRecord(event, lost[0]));
  REQUIRE_HIP(hipSetDevice(0));
  REQUIRE_HIP(hipStreamWaitEvent(waiting_streams[0], event, 0));
  REQUIRE_HIP(waiting.set(waiting_streams[0], 0));
  // A stream that does not wait for it goes on until the loss is told.
  REQUIRE_HIP(waiting.set(waiting_streams[1], 1));
  REQUIRE_HIP(hipStreamSynchronize(waiting_streams[1]));
  REQUIRE(waiting.cells[1] == 1);
  waiting.open();
  REQUIRE_LOST(hipStreamSynchronize(waiting_streams[0]));
  REQUIRE(waiting.cells[0] == 0);
  require_lost(waiting, waiting_streams[1]);
}

TEST_CASE("loss: a process ends whose stream waits for another device's events with nothing behind",
          "[multidevice]") {
  for (int waiting : {0, 1}) {
    const int status = status_of([waiting] {
      objects_have_pages = true;
      constexpr size_t bytes = 32 << 20;
      hipStream_t stream = nullptr;
      DEMAND(hipSetDevice(waiting) == hipSuccess);
      DEMAND(hipStreamCreate(&stream) == hipSuccess);
      DEMAND(hipSetDevice(1 - waiting) == hipSuccess);
      void *memory = nullptr;
      DEMAND(hipMalloc(&memory, bytes) == hipSuccess);
      for (int i = 0; i < 4; ++i) {
        hipStream_t other = nullptr;
        hipEvent_t event = nullptr;
        DEMAND(hipStreamCreate(&other) == hipSuccess);
        DEMAND(hipEventCreateWithFlags(&event, i % 2 ? hipEventDisableTiming : hipEventDefault) ==
               hipSuccess);
        DEMAND(hipMemsetAsync(memory, 0, bytes, other) == hipSuccess);
        DEMAND(hipEventRecord(event, other) == hipSuccess);
        DEMAND(hipStreamWaitEvent(stream, event, 0) == hipSuccess);
        DEMAND(hipEventDestroy(event) == hipSuccess); // the stream's wait is all that is left of it
      }
      std::exit(0);
    });
    INFO("device " << waiting << " waits");
    REQUIRE(WIFEXITED(status));
    REQUIRE(WEXITSTATUS(status) == 0);
  }
}
