// Driver calls per HIP call, exact: any call that is not named fails the test (src/queue/queue.h has the rules).
#include "counted.h"
#include "fixture.h"

#include <hip/hip_interop.h>

#include <atomic>
#include <cstdlib>
#include <numeric>
#include <string_view>
#include <thread>

using namespace fixture;
using counted::Calls;

namespace {

bool without(std::string_view feature) {
  const char *list = std::getenv("CHIP_WITHOUT");
  return list && std::string_view(list).find(feature) != std::string_view::npos;
}

/// Calls with all ways to append a launch under one name, and the setting of arguments that goes with the older one apart.
Calls calls_of(auto &&body) {
  Calls calls = counted::calls_of(body), result;
  for (auto &[name, count] : calls) {
    if (name.starts_with("zeCommandListAppendLaunchKernel"))
      result["launch"] += count;
    else
      result[name] += count;
  }
  return result;
}

const Calls no_calls;
const Calls one_launch{{"launch", 1}};
const Calls one_list_wait{{"zeCommandListHostSynchronize", 1}};
Calls signals_and_a_launch(uint64_t signals) {
  return {{"zeCommandListAppendSignalEvent", signals}, {"launch", 1}};
}

/// A kernel launched once on every stream it is used on, so that all is warm.
struct Warm {
  hipFunction_t nothing = function("nothing");
  HostMemory<int> memory{64};

  hipError_t launch_on(hipStream_t stream, int value = 0) {
    return launch(nothing, stream, 1, memory.get(), value);
  }
  template <class Range> void warm(const Range &streams) {
    for (hipStream_t stream : streams)
      REQUIRE_HIP(launch_on(stream));
    REQUIRE_HIP(launch_on(nullptr));
    REQUIRE_HIP(hipDeviceSynchronize());
    // Once more with everything busy, so that markers exist.
    for (hipStream_t stream : streams)
      REQUIRE_HIP(launch_on(stream));
    REQUIRE_HIP(launch_on(nullptr));
    for (hipStream_t stream : streams)
      REQUIRE_HIP(launch_on(stream));
    REQUIRE_HIP(hipDeviceSynchronize());
  }
  void warm() { warm(std::vector<hipStream_t>()); }
};

} // namespace

TEST_CASE("queue: a launch on the null stream is one call", "[calls]") {
  Warm w;
  w.warm();
  REQUIRE(calls_of([&] { (void)w.launch_on(nullptr); }) == one_launch);
  REQUIRE(calls_of([&] { (void)w.launch_on(nullptr); }) == one_launch);
}

TEST_CASE("queue: a launch with few changed arguments sets only those", "[calls]") {
  Warm w;
  w.warm();
  REQUIRE(counted::calls_of([&] { (void)w.launch_on(nullptr, 17); }) ==
          Calls{{"zeKernelSetArgumentValue", 1}, {"zeCommandListAppendLaunchKernel", 1}});
}

TEST_CASE("queue: a launch with many changed arguments, or another size, passes all in one call",
          "[calls]") {
  Warm w;
  w.warm();
  Calls expected{{"zeCommandListAppendLaunchKernelWithArguments", 1}};
  if (without("arguments"))
    expected = {{"zeKernelSetArgumentValue", 3}, {"zeCommandListAppendLaunchKernel", 1}};
  struct Block {
    int words[250];
  } block{};
  hipFunction_t large = function("block_1000");
  for (int i = 0; i < 2; ++i)
    REQUIRE_HIP(launch(large, nullptr, 2, block, w.memory.get(), 0));
  ++block.words[0];
  REQUIRE(counted::calls_of(
              [&] { (void)launch(large, nullptr, 2, block, w.memory.get() + 1, 1); }) == expected);
  expected = {{"zeCommandListAppendLaunchKernelWithArguments", 1}};
  if (without("arguments"))
    expected = {{"zeKernelSetGroupSize", 1},
                {"zeKernelSetArgumentValue", 1},
                {"zeCommandListAppendLaunchKernel", 1}};
  REQUIRE(counted::calls_of([&] { (void)launch(w.nothing, nullptr, 2, w.memory.get(), 18); }) ==
          expected);
}

TEST_CASE("queue: a launch with what the kernel handle has is a plain append", "[calls]") {
  Warm w;
  w.warm();
  REQUIRE(counted::calls_of([&] { (void)w.launch_on(nullptr); }) ==
          Calls{{"zeCommandListAppendLaunchKernel", 1}});
}

TEST_CASE("queue: a stream whose list was given out asks the driver at each wait", "[calls]") {
  Warm w;
  hipStream_t stream = nullptr;
  REQUIRE_HIP(hipStreamCreateWithFlags(&stream, hipStreamNonBlocking));
  w.warm(std::vector{stream});
  const auto wait = [&] { (void)hipStreamSynchronize(stream); };
  REQUIRE(calls_of(wait) == no_calls);
  uintptr_t handles[6];
  REQUIRE(calls_of([&] {
            (void)hipGetBackendNativeHandles(reinterpret_cast<uintptr_t>(stream), handles, nullptr);
          }) == no_calls);
  REQUIRE(calls_of(wait) == one_list_wait);
  REQUIRE(calls_of(wait) == one_list_wait);
  REQUIRE(calls_of([&] { (void)w.launch_on(stream); }) == one_launch);
  REQUIRE_HIP(hipDeviceSynchronize());
  // Not so when another stream gets the queue.
  REQUIRE_HIP(hipStreamDestroy(stream));
  REQUIRE_HIP(hipStreamCreateWithFlags(&stream, hipStreamNonBlocking));
  REQUIRE(calls_of(wait) == no_calls);
  REQUIRE_HIP(hipStreamDestroy(stream));
}

TEST_CASE("queue: a launch after memory was freed gives the driver all arguments again",
          "[calls]") {
  Warm w;
  w.warm();
  {
    HostMemory<int> other(1);
  }
  Calls expected{{"zeCommandListAppendLaunchKernelWithArguments", 1}};
  if (without("arguments"))
    expected = {{"zeKernelSetGroupSize", 1},
                {"zeKernelSetArgumentValue", 2},
                {"zeCommandListAppendLaunchKernel", 1}};
  REQUIRE(counted::calls_of([&] { (void)w.launch_on(nullptr); }) == expected);
}

TEST_CASE("queue: idle streams cost a launch nothing", "[calls]") {
  Warm w;
  Streams streams(1000);
  w.warm(streams);
  REQUIRE(calls_of([&] { (void)w.launch_on(nullptr); }) == one_launch);
  REQUIRE_HIP(hipDeviceSynchronize());
  REQUIRE(calls_of([&] { (void)w.launch_on(streams[7]); }) == one_launch);
}

TEST_CASE("queue: the null stream waits once for each stream with new work", "[calls]") {
  Warm w;
  Streams streams(8);
  w.warm(streams);
  for (hipStream_t stream : streams)
    for (int i = 0; i < 3; ++i)
      REQUIRE(calls_of([&] { (void)w.launch_on(stream); }) == one_launch);
  REQUIRE(calls_of([&] { (void)w.launch_on(nullptr); }) == signals_and_a_launch(8));
  REQUIRE(calls_of([&] { (void)w.launch_on(nullptr); }) == one_launch);
}

TEST_CASE("queue: a blocking stream waits once for new work of the null stream", "[calls]") {
  Warm w;
  Streams streams(3);
  w.warm(streams);
  REQUIRE(calls_of([&] { (void)w.launch_on(nullptr); }) == one_launch);
  REQUIRE(calls_of([&] { (void)w.launch_on(streams[0]); }) == signals_and_a_launch(1));
  REQUIRE(calls_of([&] { (void)w.launch_on(streams[0]); }) == one_launch);
  // The marker serves the other streams too.
  REQUIRE(calls_of([&] { (void)w.launch_on(streams[1]); }) == one_launch);
}

TEST_CASE("queue: a non-blocking stream has nothing to do with the null stream", "[calls]") {
  Warm w;
  Streams streams(2, hipStreamNonBlocking);
  w.warm(streams);
  REQUIRE(calls_of([&] { (void)w.launch_on(nullptr); }) == one_launch);
  REQUIRE(calls_of([&] { (void)w.launch_on(streams[0]); }) == one_launch);
  REQUIRE(calls_of([&] { (void)w.launch_on(nullptr); }) == one_launch);
}

TEST_CASE("queue: synchronising a stream is one call, or none if it is empty", "[calls]") {
  Warm w;
  Streams streams(2);
  w.warm(streams);
  REQUIRE_HIP(w.launch_on(streams[0]));
  REQUIRE(calls_of([&] { (void)hipStreamSynchronize(streams[0]); }) == one_list_wait);
  REQUIRE(calls_of([&] { (void)hipStreamSynchronize(streams[0]); }) == no_calls);
  REQUIRE(calls_of([&] { (void)hipStreamSynchronize(streams[1]); }) == no_calls);
}

TEST_CASE("queue: asking a stream is one call, or none if it is empty", "[calls]") {
  Warm w;
  Streams streams(1);
  w.warm(streams);
  REQUIRE(calls_of([&] { REQUIRE_HIP(hipStreamQuery(streams[0])); }) == no_calls);
  REQUIRE_HIP(w.launch_on(streams[0]));
  REQUIRE(calls_of([&] { (void)hipStreamQuery(streams[0]); }) == one_list_wait);
  REQUIRE_HIP(hipDeviceSynchronize());
}

TEST_CASE("queue: synchronising the device is one call for any number of busy streams", "[calls]") {
  Warm w;
  Streams streams(16);
  w.warm(streams);
  for (hipStream_t stream : streams)
    REQUIRE_HIP(w.launch_on(stream));
  Calls expected{{"zeDeviceSynchronize", 1}};
  if (without("device_synchronize"))
    expected = {{"zeCommandListHostSynchronize", 16}};
  REQUIRE(calls_of([&] { (void)hipDeviceSynchronize(); }) == expected);
  REQUIRE(calls_of([&] { (void)hipDeviceSynchronize(); }) == no_calls);
  for (hipStream_t stream : streams)
    REQUIRE(calls_of([&] { (void)hipStreamSynchronize(stream); }) == no_calls);
}

TEST_CASE("queue: recording an event without timing is one signal, and none if nothing is new",
          "[calls]") {
  Warm w;
  Streams streams(1);
  w.warm(streams);
  Event event;
  REQUIRE_HIP(w.launch_on(streams[0]));
  REQUIRE(calls_of([&] { (void)hipEventRecord(event, streams[0]); }) ==
          Calls{{"zeCommandListAppendSignalEvent", 1}});
  REQUIRE(calls_of([&] { (void)hipEventRecord(event, streams[0]); }) == no_calls);
  REQUIRE_HIP(hipDeviceSynchronize());
  REQUIRE(calls_of([&] { (void)hipEventRecord(event, streams[0]); }) == no_calls);
}

TEST_CASE("queue: recording an event with timing is one call", "[calls]") {
  Warm w;
  Streams streams(1);
  w.warm(streams);
  Event event(hipEventDefault);
  REQUIRE_HIP(hipEventRecord(event, streams[0]));
  REQUIRE_HIP(hipStreamSynchronize(streams[0]));
  REQUIRE_HIP(hipEventRecord(event, streams[0]));
  REQUIRE_HIP(hipStreamSynchronize(streams[0]));
  REQUIRE(calls_of([&] { (void)hipEventRecord(event, streams[0]); }) ==
          Calls{{"zeCommandListAppendWriteGlobalTimestamp", 1}});
  REQUIRE_HIP(hipDeviceSynchronize());
}

TEST_CASE("queue: waiting for an event rides on the next launch", "[calls]") {
  Warm w;
  Streams streams(2);
  w.warm(streams);
  Event event;
  REQUIRE_HIP(w.launch_on(streams[0]));
  REQUIRE_HIP(hipEventRecord(event, streams[0]));
  REQUIRE(calls_of([&] { (void)hipStreamWaitEvent(streams[1], event, 0); }) == no_calls);
  REQUIRE(calls_of([&] { (void)w.launch_on(streams[1]); }) == one_launch);
  // Ordered already: nothing is left to wait for.
  REQUIRE(calls_of([&] { (void)hipStreamWaitEvent(streams[1], event, 0); }) == no_calls);
  REQUIRE(calls_of([&] { (void)w.launch_on(streams[1]); }) == one_launch);
}

TEST_CASE("queue: a wait for an event that nothing follows is still synchronised with", "[calls]") {
  Warm w;
  Streams streams(2);
  w.warm(streams);
  Event event;
  REQUIRE_HIP(w.launch_on(streams[0]));
  REQUIRE_HIP(hipEventRecord(event, streams[0]));
  REQUIRE_HIP(hipStreamWaitEvent(streams[1], event, 0));
  REQUIRE(calls_of([&] { (void)hipStreamSynchronize(streams[1]); }) ==
          Calls{{"zeCommandListAppendWaitOnEvents", 1}, {"zeCommandListHostSynchronize", 1}});
}

TEST_CASE("queue: waiting for an event that was never recorded, or is done, is nothing",
          "[calls]") {
  Warm w;
  Streams streams(2);
  w.warm(streams);
  Event event;
  REQUIRE(calls_of([&] { (void)hipStreamWaitEvent(streams[1], event, 0); }) == no_calls);
  REQUIRE_HIP(w.launch_on(streams[0]));
  REQUIRE_HIP(hipEventRecord(event, streams[0]));
  REQUIRE_HIP(hipStreamSynchronize(streams[0]));
  REQUIRE(calls_of([&] { (void)hipStreamWaitEvent(streams[1], event, 0); }) == no_calls);
  REQUIRE(calls_of([&] { (void)hipStreamSynchronize(streams[1]); }) == no_calls);
}

TEST_CASE("queue: an event seen done costs nothing to ask again", "[calls]") {
  Warm w;
  Streams streams(1);
  w.warm(streams);
  Event event;
  REQUIRE_HIP(w.launch_on(streams[0]));
  REQUIRE_HIP(hipEventRecord(event, streams[0]));
  REQUIRE_HIP(hipEventSynchronize(event));
  REQUIRE(calls_of([&] { REQUIRE_HIP(hipEventQuery(event)); }) == no_calls);
  REQUIRE(calls_of([&] { REQUIRE_HIP(hipEventSynchronize(event)); }) == no_calls);
  // And its stream is known to be empty.
  REQUIRE(calls_of([&] { REQUIRE_HIP(hipStreamSynchronize(streams[0])); }) == no_calls);
}

TEST_CASE("queue: events are made and destroyed without the driver once warm", "[calls]") {
  Warm w;
  Streams streams(1);
  w.warm(streams);
  auto cycle = [&] {
    Event event;
    (void)w.launch_on(streams[0]);
    (void)hipEventRecord(event, streams[0]);
  };
  cycle();
  REQUIRE_HIP(hipDeviceSynchronize());
  REQUIRE(calls_of([&] { Event event; }) == no_calls);
  REQUIRE(calls_of([&] { Event event(hipEventDefault); }) == no_calls);
  REQUIRE(calls_of(cycle) == signals_and_a_launch(1));
}

TEST_CASE("queue: streams are made and destroyed without the driver once warm", "[calls]") {
  Warm w;
  {
    Streams first(2);
  }
  REQUIRE(calls_of([&] { Streams again(2); }) == no_calls);
  REQUIRE(calls_of([&] { Streams again(2, hipStreamNonBlocking); }) == no_calls);
}

TEST_CASE("queue: asynchronous copies and fills of device and pinned memory are one call",
          "[calls]") {
  Warm w;
  Streams streams(1);
  w.warm(streams);
  HostMemory<char> host(4096);
  void *device = nullptr;
  REQUIRE_HIP(hipMalloc(&device, 4096));
  REQUIRE(calls_of([&] {
            (void)hipMemcpyAsync(device, host.get(), 4096, hipMemcpyHostToDevice, streams[0]);
          }) == Calls{{"zeCommandListAppendMemoryCopy", 1}});
  REQUIRE(calls_of([&] {
            (void)hipMemcpyAsync(host.get(), device, 4096, hipMemcpyDeviceToHost, streams[0]);
          }) == Calls{{"zeCommandListAppendMemoryCopy", 1}});
  REQUIRE(calls_of([&] { (void)hipMemsetAsync(device, 0, 4096, streams[0]); }) ==
          Calls{{"zeCommandListAppendMemoryFill", 1}});
  REQUIRE_HIP(hipFree(device));
}

TEST_CASE("queue: a small copy from pageable memory is staged and one call", "[calls]") {
  Warm w;
  Streams streams(1);
  w.warm(streams);
  void *device = nullptr;
  REQUIRE_HIP(hipMalloc(&device, 4096));
  std::vector<char> pageable(4096);
  auto copy = [&] {
    (void)hipMemcpyAsync(device, pageable.data(), 4096, hipMemcpyHostToDevice, streams[0]);
  };
  copy();
  REQUIRE(calls_of(copy) == Calls{{"zeCommandListAppendMemoryCopy", 1}});
  REQUIRE_HIP(hipFree(device));
}

TEST_CASE("queue: a synchronous copy is an append and a wait", "[calls]") {
  Warm w;
  w.warm();
  void *device = nullptr;
  REQUIRE_HIP(hipMalloc(&device, 1024));
  std::vector<char> pageable(1024);
  REQUIRE(calls_of([&] {
            (void)hipMemcpy(device, pageable.data(), 1024, hipMemcpyHostToDevice);
          }) == Calls{{"zeCommandListAppendMemoryCopy", 1}, {"zeCommandListHostSynchronize", 1}});
  REQUIRE_HIP(hipFree(device));
}

TEST_CASE(
    "queue: a launch with spilled arguments is one call, and one for an argument that changed",
    "[calls]") {
  Streams streams(1);
  hipFunction_t kernel = function("block_4080");
  struct Block {
    int words[1020];
  } block;
  std::iota(std::begin(block.words), std::end(block.words), 0);
  HostMemory<int> wrong(1);
  for (int i = 0; i < 3; ++i)
    REQUIRE_HIP(launch(kernel, streams[0], 32, block, wrong.get(), 0));
  // Equal bytes are not copied: the handle has the address of the last copy already.
  REQUIRE(counted::calls_of([&] { (void)launch(kernel, streams[0], 32, block, wrong.get(), 0); }) ==
          Calls{{"zeCommandListAppendLaunchKernel", 1}});
  Calls changed = one_launch;
  changed["zeKernelSetArgumentValue"] = 1;
  ++block.words[5];
  REQUIRE(calls_of([&] { (void)launch(kernel, streams[0], 32, block, wrong.get(), 0); }) ==
          changed);
  REQUIRE_HIP(hipDeviceSynchronize());
}

TEST_CASE("queue: a failed append leaves the queue usable and loses no wait", "[calls]") {
  Warm w;
  Streams streams(2);
  w.warm(streams);
  Event event;
  REQUIRE_HIP(w.launch_on(streams[0]));
  REQUIRE_HIP(hipEventRecord(event, streams[0]));
  REQUIRE_HIP(hipStreamWaitEvent(streams[1], event, 0));
  {
    counted::Failing plain("zeCommandListAppendLaunchKernel", 0x70000003); // out of device memory
    counted::Failing with_arguments("zeCommandListAppendLaunchKernelWithArguments", 0x70000003);
    REQUIRE(w.launch_on(streams[1]) == hipErrorOutOfMemory);
    REQUIRE(hipGetLastError() == hipErrorOutOfMemory);
  }
  // The wait is still to be made: a record, which cannot carry it, shows it.
  Event after;
  REQUIRE(calls_of([&] { (void)hipEventRecord(after, streams[1]); }) ==
          Calls{{"zeCommandListAppendWaitOnEvents", 1}, {"zeCommandListAppendSignalEvent", 1}});
  REQUIRE_HIP(w.launch_on(streams[1]));
  REQUIRE_HIP(hipDeviceSynchronize());
}

TEST_CASE("queue: an operation of several appends that fails in the middle leaves the queue busy",
          "[calls]") {
  Warm w;
  Streams streams(1);
  w.warm(streams);
  void *device = nullptr;
  REQUIRE_HIP(hipMalloc(&device, 4096));
  {
    counted::Failing copies("zeCommandListAppendMemoryCopyRegion",
                            0x70000003); // out of device memory
    REQUIRE(hipMemset2DAsync(device, 128, 1, 64, 4, streams[0]) == hipErrorOutOfMemory);
    REQUIRE(hipGetLastError() == hipErrorOutOfMemory);
  }
  // The fill of the first row was appended.
  REQUIRE(calls_of([&] { (void)hipStreamSynchronize(streams[0]); }) == one_list_wait);
  REQUIRE_HIP(hipFree(device));
}

TEST_CASE("queue: launches that fail keep no memory for their arguments", "[calls]") {
  Streams streams(1);
  hipFunction_t kernel = function("block_4080");
  struct Block {
    int words[1020];
  } block;
  HostMemory<int> wrong(1);
  std::iota(std::begin(block.words), std::end(block.words), 5);
  REQUIRE_HIP(launch(kernel, streams[0], 32, block, wrong.get(), 5));
  {
    counted::Failing plain("zeCommandListAppendLaunchKernel", 0x70000003); // out of device memory
    counted::Failing with_arguments("zeCommandListAppendLaunchKernelWithArguments", 0x70000003);
    for (int i = 0; i < 20'000; ++i) { // 80 MB of arguments: more than there may be in flight
      block.words[0] = i;
      if (launch(kernel, streams[0], 32, block, wrong.get(), 5) != hipErrorOutOfMemory)
        FAIL("launch " << i);
    }
  }
  block.words[0] = 5;
  REQUIRE_HIP(launch(kernel, streams[0], 32, block, wrong.get(), 5));
  REQUIRE_HIP(hipDeviceSynchronize());
  REQUIRE((wrong[0] == 0 || !std::getenv("CHIP_DEVICE"))); // nothing runs on a simulated device
}

TEST_CASE("queue: a launch with another group size is one call, or sets that alone", "[calls]") {
  Warm w;
  w.warm();
  Calls expected{{"zeCommandListAppendLaunchKernelWithArguments", 1}};
  if (without("arguments"))
    expected = {{"zeKernelSetGroupSize", 1}, {"zeCommandListAppendLaunchKernel", 1}};
  auto launch_two = [&] { (void)launch(w.nothing, nullptr, 2, w.memory.get(), 0); };
  REQUIRE(counted::calls_of(launch_two) == expected);
  REQUIRE(counted::calls_of(launch_two) == Calls{{"zeCommandListAppendLaunchKernel", 1}});
}

TEST_CASE("queue: waiting for an event, or asking it, is one call until it was seen done",
          "[calls]") {
  Warm w;
  Streams streams(2);
  w.warm(streams);
  Event first, second;
  REQUIRE_HIP(w.launch_on(streams[0]));
  REQUIRE_HIP(hipEventRecord(first, streams[0]));
  REQUIRE(calls_of([&] { (void)hipEventSynchronize(first); }) ==
          Calls{{"zeEventHostSynchronize", 1}});
  REQUIRE(calls_of([&] { (void)hipEventSynchronize(first); }) == no_calls);
  REQUIRE_HIP(w.launch_on(streams[1]));
  REQUIRE_HIP(hipEventRecord(second, streams[1]));
  REQUIRE(calls_of([&] { (void)hipEventQuery(second); }) == Calls{{"zeEventQueryStatus", 1}});
  REQUIRE_HIP(hipDeviceSynchronize());
  REQUIRE(calls_of([&] { REQUIRE_HIP(hipEventQuery(second)); }) == no_calls);
}

TEST_CASE("queue: a signal behind the last work of a stream is not asked for", "[calls]") {
  Warm w;
  Streams streams(1);
  w.warm(streams);
  const Event end(hipEventDefault);
  REQUIRE_HIP(w.launch_on(streams[0]));
  REQUIRE_HIP(hipEventRecord(end, streams[0]));
  REQUIRE_HIP(w.launch_on(nullptr)); // signals the stream's end for itself
  REQUIRE_HIP(hipEventSynchronize(end));
  const counted::Failing pending("zeCommandListHostSynchronize", 1); // ZE_RESULT_NOT_READY
  CHECK(hipStreamQuery(streams[0]) == hipSuccess);
  REQUIRE_HIP(w.launch_on(streams[0]));
  CHECK(hipStreamQuery(streams[0]) == hipErrorNotReady);
}

TEST_CASE("queue: synchronising the device with one stream busy waits for its list", "[calls]") {
  Warm w;
  Streams streams(4);
  w.warm(streams);
  REQUIRE_HIP(w.launch_on(streams[2]));
  REQUIRE(calls_of([&] { (void)hipDeviceSynchronize(); }) == one_list_wait);
  REQUIRE(calls_of([&] { (void)hipDeviceSynchronize(); }) == no_calls);
}

TEST_CASE("driver calls: what has nowhere to be stored is not made", "[calls]") {
  Warm w;
  const hipChannelFormatDesc element = hipCreateChannelDesc(32, 0, 0, 0, hipChannelFormatKindFloat);
  hipArray_t array = nullptr;
  REQUIRE(calls_of([&] { REQUIRE_HIP(hipMallocArray(&array, &element, 64, 64, 0)); }) != no_calls);
  REQUIRE_HIP(hipFreeArray(array));
  REQUIRE(calls_of([&] {
            CHECK(hipMallocArray(nullptr, &element, 64, 64, 0) == hipErrorInvalidValue);
            CHECK(hipMallocMipmappedArray(nullptr, &element, {64, 64, 0}, 2, 0) ==
                  hipErrorInvalidValue);
            CHECK(hipStreamCreate(nullptr) == hipErrorInvalidValue);
            CHECK(hipEventCreate(nullptr) == hipErrorInvalidValue);
          }) == no_calls);
}

TEST_CASE("queue: what a queue has seen of its own device says nothing of another's",
          "[multidevice]") {
  int devices = 0;
  REQUIRE_HIP(hipGetDeviceCount(&devices));
  REQUIRE(devices >= 2);
  void *memory[2] = {};
  hipStream_t streams[2][2] = {};
  for (int d : {0, 1}) {
    REQUIRE_HIP(hipSetDevice(d));
    REQUIRE_HIP(hipMalloc(&memory[d], 64));
    for (hipStream_t &stream : streams[d])
      REQUIRE_HIP(hipStreamCreateWithFlags(&stream, hipStreamNonBlocking));
  }
  auto work = [&](int d, int stream) {
    REQUIRE_HIP(hipMemsetAsync(memory[d], 0, 64, streams[d][stream]));
  };
  // On device 1, the second stream comes after much of the first.
  REQUIRE_HIP(hipSetDevice(1));
  Event busy;
  for (int i = 0; i < 50; ++i)
    work(1, 0);
  REQUIRE_HIP(hipEventRecord(busy, streams[1][0]));
  REQUIRE_HIP(hipStreamWaitEvent(streams[1][1], busy, 0));
  work(1, 1);
  // So it has to wait for the first work of device 0's stream in the same place.
  REQUIRE_HIP(hipSetDevice(0));
  Event event;
  work(0, 0);
  REQUIRE_HIP(hipEventRecord(event, streams[0][0]));
  REQUIRE_HIP(hipStreamWaitEvent(streams[1][1], event, 0));
  REQUIRE(calls_of([&] { (void)hipStreamSynchronize(streams[1][1]); }) ==
          Calls{{"zeCommandListAppendWaitOnEvents", 1}, {"zeCommandListHostSynchronize", 1}});
  for (int d : {0, 1}) {
    for (hipStream_t stream : streams[d])
      REQUIRE_HIP(hipStreamDestroy(stream));
    REQUIRE_HIP(hipFree(memory[d]));
  }
}

TEST_CASE("queue: making a stream asks a few of many that were destroyed with work",
          "[results][calls]") {
  std::atomic<bool> is_open{false};
  const auto wait = [](void *flag) {
    while (!*static_cast<std::atomic<bool> *>(flag))
      std::this_thread::yield();
  };
  Streams streams(1, hipStreamNonBlocking);
  const Event event;
  REQUIRE_HIP(hipLaunchHostFunc(streams[0], wait, &is_open));
  REQUIRE_HIP(hipEventRecord(event, streams[0]));
  const Calls calls = calls_of([&] {
    for (int i = 0; i < 400; ++i) {
      const Streams short_lived(1, hipStreamNonBlocking);
      REQUIRE_HIP(hipStreamWaitEvent(short_lived[0], event, 0));
    }
  });
  CHECK(calls.at("zeCommandListHostSynchronize") <= 64 * 400);
  is_open = true;
  REQUIRE_HIP(hipDeviceSynchronize());
}
