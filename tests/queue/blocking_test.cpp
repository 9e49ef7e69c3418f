// No call of one thread may be held up by another thread's that waits: every waiting call against every other.
#include "fixture.h"

#include <atomic>
#include <chrono>
#include <cstring>
#include <functional>
#include <iterator>
#include <string>
#include <thread>

using namespace fixture;
using namespace std::chrono_literals;

namespace {

/// What both threads use; all is warm, so that nothing but the waits takes time.
struct Scene {
  HostMemory<int> flag{1}, numbers{64};
  HostMemory<char> pinned{4096};
  Streams blocking{1}, other{2, hipStreamNonBlocking};
  Event event, timed{hipEventDefault};
  std::vector<char> pageable = std::vector<char>(256 << 10);
  char *device = nullptr;
  hipFunction_t spin = function("wait_for_flag"), add = function("add");

  Scene() {
    REQUIRE_HIP(hipMalloc(reinterpret_cast<void **>(&device), 256 << 10));
    for (hipStream_t stream : {hipStream_t(nullptr), blocking[0], other[0], other[1]})
      REQUIRE_HIP(count_on(stream));
    for (const char *file :
         {TEST_KERNELS, TEST_VARIABLES}) { // loaded once, so that loading again is known to work
      hipModule_t module = nullptr;
      REQUIRE_HIP(hipModuleLoad(&module, file));
      REQUIRE_HIP(hipModuleUnload(module));
    }
    REQUIRE_HIP(hipDeviceSynchronize());
  }
  ~Scene() {
    open();
    (void)hipDeviceSynchronize();
    (void)hipFree(device);
  }
  hipError_t close(hipStream_t stream) { return launch(spin, stream, 1, flag.get()); }
  void open() { reinterpret_cast<std::atomic<int> *>(flag.get())->store(1); }
  hipError_t count_on(hipStream_t stream) { return launch(add, stream, 1, numbers.get(), 1); }
};

struct Call {
  const char *name;
  std::function<hipError_t(Scene &)> run;
};

struct WaitingCall {
  const char *name;
  hipStream_t (*busy)(Scene &); // that the call waits for
  std::function<hipError_t(Scene &)> run;
  std::function<void(Scene &)> prepare = [](Scene &) {};
};

hipStream_t null_stream(Scene &) { return nullptr; }
hipStream_t blocking_stream(Scene &s) { return s.blocking[0]; }
hipStream_t other_stream(Scene &s) { return s.other[0]; }
hipStream_t own_stream(Scene &) { return hipStreamPerThread; }

void *doomed = nullptr;
hipModule_t doomed_module = nullptr;

const WaitingCall waiting_calls[] = {
    {"hipStreamSynchronize of the null stream", null_stream,
     [](Scene &) { return hipStreamSynchronize(nullptr); }},
    {"hipStreamSynchronize of the null stream for another's work", blocking_stream,
     [](Scene &) { return hipStreamSynchronize(nullptr); }},
    {"hipStreamSynchronize of the thread's own stream", own_stream,
     [](Scene &) { return hipStreamSynchronize(hipStreamPerThread); }},
    {"hipStreamSynchronize", blocking_stream,
     [](Scene &s) { return hipStreamSynchronize(s.blocking[0]); }},
    {"hipDeviceSynchronize", other_stream, [](Scene &) { return hipDeviceSynchronize(); }},
    {"hipEventSynchronize", other_stream, [](Scene &s) { return hipEventSynchronize(s.event); },
     [](Scene &s) { REQUIRE_HIP(hipEventRecord(s.event, s.other[0])); }},
    {"hipEventSynchronize with timing", other_stream,
     [](Scene &s) { return hipEventSynchronize(s.timed); },
     [](Scene &s) { REQUIRE_HIP(hipEventRecord(s.timed, s.other[0])); }},
    {"hipMemcpy to the device", blocking_stream,
     [](Scene &s) { return hipMemcpy(s.device, s.pageable.data(), 64, hipMemcpyHostToDevice); }},
    {"hipMemcpy from the device", blocking_stream,
     [](Scene &s) { return hipMemcpy(s.pageable.data(), s.device, 64, hipMemcpyDeviceToHost); }},
    {"hipMemcpy on the host", blocking_stream,
     [](Scene &s) {
       return hipMemcpy(s.pageable.data(), s.pageable.data() + 64, 64, hipMemcpyHostToHost);
     }},
    {"hipMemcpyAsync from much pageable memory", other_stream,
     [](Scene &s) {
       return hipMemcpyAsync(s.device, s.pageable.data(), 200'000, hipMemcpyHostToDevice,
                             s.other[0]);
     }},
    {"hipMemcpyAsync to pageable memory", other_stream,
     [](Scene &s) {
       return hipMemcpyAsync(s.pageable.data(), s.device, 64, hipMemcpyDeviceToHost, s.other[0]);
     }},
    {"hipMemset", blocking_stream, [](Scene &s) { return hipMemset(s.device, 0, 64); }},
    {"hipFree", other_stream, [](Scene &) { return hipFree(doomed); },
     [](Scene &) { REQUIRE_HIP(hipMalloc(&doomed, 8 << 20)); }},
    {"hipHostFree", other_stream, [](Scene &) { return hipHostFree(doomed); },
     [](Scene &) { REQUIRE_HIP(hipHostMalloc(&doomed, 8 << 20, 0)); }},
    {"hipModuleUnload", other_stream, [](Scene &) { return hipModuleUnload(doomed_module); },
     [](Scene &s) { // code that is not kept for a later load; a module nobody uses would go at once
       REQUIRE_HIP(hipModuleLoad(&doomed_module, TEST_HIDDEN_STATE));
       hipFunction_t count = nullptr;
       REQUIRE_HIP(hipModuleGetFunction(&count, doomed_module, "count_calls"));
       REQUIRE_HIP(launch(count, s.other[0], 1, s.numbers.get()));
     }},
};

hipError_t load_and_unload(const char *file) {
  hipModule_t module = nullptr;
  if (hipError_t result = hipModuleLoad(&module, file))
    return result;
  return hipModuleUnload(module);
}

// All that need not wait, on the stream that is busy and beside it. Freeing waits for the device by HIP's rules.
Call other_calls(hipStream_t busy, int number) {
  static void *memory = nullptr;
  static hipStream_t stream = nullptr;
  static hipEvent_t event = nullptr;
  auto not_ready = [](hipError_t result) {
    return result == hipErrorNotReady ? hipSuccess : hipErrorUnknown;
  };
  const Call calls[] = {
      {"hipModuleLaunchKernel on the busy stream", [=](Scene &s) { return s.count_on(busy); }},
      {"hipModuleLaunchKernel on another stream", [](Scene &s) { return s.count_on(s.other[1]); }},
      {"hipModuleLaunchKernel on the null stream", [](Scene &s) { return s.count_on(nullptr); }},
      {"hipModuleLaunchKernel on a blocking stream",
       [](Scene &s) { return s.count_on(s.blocking[0]); }},
      {"hipModuleLaunchKernel on the thread's own stream",
       [](Scene &s) { return s.count_on(hipStreamPerThread); }},
      {"hipStreamQuery of the busy stream",
       [=](Scene &) { return not_ready(hipStreamQuery(busy)); }},
      {"hipStreamQuery of the null stream",
       [](Scene &) {
         hipError_t result = hipStreamQuery(nullptr);
         return result == hipErrorNotReady ? hipSuccess : result;
       }},
      {"hipStreamSynchronize of another stream",
       [](Scene &s) { return hipStreamSynchronize(s.other[1]); }},
      {"hipStreamCreate",
       [](Scene &) { return hipStreamCreateWithFlags(&stream, hipStreamNonBlocking); }},
      {"hipModuleLaunchKernel on a new stream", [](Scene &s) { return s.count_on(stream); }},
      {"hipStreamSynchronize of a new stream",
       [](Scene &) { return hipStreamSynchronize(stream); }},
      {"hipEventCreate", [](Scene &) { return hipEventCreate(&event); }},
      {"hipEventRecord on the busy stream", [=](Scene &) { return hipEventRecord(event, busy); }},
      {"hipEventQuery", [=](Scene &) { return not_ready(hipEventQuery(event)); }},
      {"hipStreamWaitEvent", [](Scene &) { return hipStreamWaitEvent(stream, event, 0); }},
      {"hipModuleLaunchKernel behind that", [](Scene &s) { return s.count_on(stream); }},
      {"hipStreamDestroy", [](Scene &) { return hipStreamDestroy(stream); }},
      {"hipEventDestroy", [](Scene &) { return hipEventDestroy(event); }},
      {"hipEventRecord on another stream",
       [](Scene &s) {
         hipEvent_t own = nullptr;
         if (hipError_t result = hipEventCreateWithFlags(&own, hipEventDisableTiming))
           return result;
         if (hipError_t result = hipEventRecord(own, s.other[1]))
           return result;
         if (hipError_t result = hipEventSynchronize(own))
           return result;
         return hipEventDestroy(own);
       }},
      {"hipMalloc", [](Scene &) { return hipMalloc(&memory, 1 << 20); }},
      {"hipPointerGetAttributes",
       [](Scene &) {
         hipPointerAttribute_t attributes;
         return hipPointerGetAttributes(&attributes, memory);
       }},
      {"hipMemsetAsync", [](Scene &s) { return hipMemsetAsync(memory, 0, 64, s.other[1]); }},
      {"hipMallocAsync and hipFreeAsync",
       [](Scene &s) {
         void *own = nullptr;
         if (hipError_t result = hipMallocAsync(&own, 4096, s.other[1]))
           return result;
         return hipFreeAsync(own, s.other[1]);
       }},
      {"hipHostMalloc",
       [](Scene &) {
         void *host = nullptr;
         return hipHostMalloc(&host, 4096, 0); // freed at the end of the process: freeing waits
       }},
      {"hipMallocManaged",
       [](Scene &) {
         void *managed = nullptr;
         return hipMallocManaged(&managed, 4096, hipMemAttachGlobal);
       }},
      {"hipMemcpyAsync of pinned memory",
       [](Scene &s) {
         return hipMemcpyAsync(s.device + 4096, s.pinned.get(), 64, hipMemcpyHostToDevice,
                               s.other[1]);
       }},
      {"hipMemcpyAsync of pinned memory on the busy stream",
       [=](Scene &s) {
         return hipMemcpyAsync(s.device + 4096, s.pinned.get(), 64, hipMemcpyHostToDevice, busy);
       }},
      {"hipMemcpyAsync from pageable memory on the busy stream",
       [=](Scene &s) {
         char here[64] = {};
         return hipMemcpyAsync(s.device + 4096, here, 64, hipMemcpyHostToDevice, busy);
       }},
      {"hipMemcpyAsync to pageable memory",
       [](Scene &s) {
         char here[64];
         return hipMemcpyAsync(here, s.device + 4096, 64, hipMemcpyDeviceToHost, s.other[1]);
       }},
      {"hipMemcpyWithStream",
       [](Scene &s) {
         char here[64] = {};
         return hipMemcpyWithStream(s.device + 4096, here, 64, hipMemcpyHostToDevice, s.other[1]);
       }},
      {"hipLaunchHostFunc",
       [](Scene &s) { return hipLaunchHostFunc(s.other[1], [](void *) {}, nullptr); }},
      {"hipLaunchHostFunc on the busy stream",
       [=](Scene &) { return hipLaunchHostFunc(busy, [](void *) {}, nullptr); }},
      {"hipModuleLoad and hipModuleUnload", [](Scene &) { return load_and_unload(TEST_KERNELS); }},
      {"hipModuleLoad and hipModuleUnload of code with variables",
       [](Scene &) { return load_and_unload(TEST_VARIABLES); }},
      {"hipModuleLoad and hipModuleUnload of code with hidden state",
       [](Scene &) { return load_and_unload(TEST_HIDDEN_STATE); }},
      {"hipModuleGetGlobal",
       [](Scene &) {
         hipModule_t module = nullptr;
         if (hipError_t result = hipModuleLoad(&module, TEST_VARIABLES))
           return result;
         hipDeviceptr_t address = nullptr;
         size_t bytes = 0;
         if (hipError_t result = hipModuleGetGlobal(&address, &bytes, module, "counter"))
           return result;
         return hipModuleUnload(module);
       }},
      {"hipMemGetInfo",
       [](Scene &) {
         size_t free = 0, total = 0;
         return hipMemGetInfo(&free, &total);
       }},
      {"hipGetDeviceProperties",
       [](Scene &) {
         hipDeviceProp_t properties;
         return hipGetDeviceProperties(&properties, 0);
       }},
      {"hipStreamSynchronize of another stream, again",
       [](Scene &s) { return hipStreamSynchronize(s.other[1]); }},
  };
  return number < int(std::size(calls)) ? calls[number] : Call{nullptr, {}};
}

} // namespace

TEST_CASE("queue blocking: a thread that waits holds up no call of another") {
  for (const WaitingCall &waiting : waiting_calls) {
    Scene s;
    std::atomic<bool> closed{false}, waited{false};
    std::atomic<hipError_t> wait_result{hipErrorUnknown};
    const bool own = waiting.busy == own_stream;
    if (!own)
      REQUIRE_HIP(s.close(waiting.busy(s)));
    waiting.prepare(s);
    std::thread waiter([&] {
      if (own)
        (void)s.close(hipStreamPerThread); // this thread's, not the other's
      closed = true;
      wait_result.store(waiting.run(s));
      waited = true;
    });
    while (!closed)
      std::this_thread::yield();
    std::this_thread::sleep_for(
        10ms); // so that it does wait; were it late, the test would see less, but not fail

    std::atomic<const char *> current{nullptr};
    std::string failed;
    std::atomic<bool> done{false};
    hipStream_t busy = own ? s.blocking[0] : waiting.busy(s);
    if (own)
      REQUIRE_HIP(s.close(busy));
    std::thread others([&] {
      for (int i = 0;; ++i) {
        const Call call = other_calls(busy, i);
        if (!call.name)
          break;
        current = call.name;
        if (hipError_t result = call.run(s); result != hipSuccess)
          failed += std::string(call.name) + " answers " + hipGetErrorName(result) + "; ";
      }
      done = true;
    });
    for (int i = 0; i < 3000 && !done; ++i)
      std::this_thread::sleep_for(10ms);
    const bool in_time = done, still_waiting = !waited;
    const char *held_up = current;
    s.open();
    others.join();
    waiter.join();
    INFO("while " << waiting.name << " waits: " << failed << (in_time ? "" : held_up));
    REQUIRE(in_time);
    CHECK(failed.empty());
    CHECK(still_waiting); // else it was no wait
    CHECK(wait_result == hipSuccess);
  }
}
