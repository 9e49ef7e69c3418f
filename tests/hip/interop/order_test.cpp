// chip/interop.h: streams and events, and order between HIP's work and that of raw Level Zero.
#include "native.h"

#include <atomic>
#include <dlfcn.h>
#include <mutex>
#include <set>
#include <thread>

using namespace fixture;

namespace {

/// The lists that threads wait for now.
std::multiset<ze_command_list_handle_t> awaited_lists;
std::mutex awaited_mutex;

bool is_awaited(ze_command_list_handle_t list) {
  const std::lock_guard lock(awaited_mutex);
  return awaited_lists.contains(list);
}

} // namespace

/// In the place of the loader's own, of which it is the only difference that the wait can be seen.
extern "C" [[gnu::visibility("default")]] ze_result_t
zeCommandListHostSynchronize(ze_command_list_handle_t list, uint64_t timeout) {
  static const auto wait = reinterpret_cast<decltype(&zeCommandListHostSynchronize)>(
      dlsym(RTLD_NEXT, "zeCommandListHostSynchronize"));
  {
    const std::lock_guard lock(awaited_mutex);
    awaited_lists.insert(list);
  }
  const ze_result_t result = wait(list, timeout);
  const std::lock_guard lock(awaited_mutex);
  awaited_lists.erase(awaited_lists.find(list));
  return result;
}

// ---- Streams

TEST_CASE("interop: what a program appends to a stream is work of the stream", "[results]") {
  const Native native;
  const Bytes bytes;
  const HostMemory<unsigned char> read(Bytes::count);
  Gate gate(native);
  const Streams streams(2, hipStreamNonBlocking);
  struct Order {
    void *memory;
    ze_event_handle_t gate;
  } order{bytes.data(), gate.event};
  const auto append = [](ze_command_list_handle_t list, void *data) {
    const Order &order = *static_cast<Order *>(data);
    return fill(list, order.memory, 2, order.gate);
  };
  // After what the stream waits for, and before its later work.
  const Event event;
  REQUIRE_HIP(hipMemsetAsync(bytes.data(), 1, Bytes::count, streams[0]));
  REQUIRE_HIP(hipEventRecord(event, streams[0]));
  REQUIRE_HIP(hipStreamWaitEvent(streams[1], event, 0));
  REQUIRE_HIP(chipStreamAppend(streams[1], append, &order));
  CHECK(hipStreamQuery(streams[1]) == hipErrorNotReady);
  REQUIRE_HIP(hipEventRecord(event, streams[1]));
  REQUIRE_HIP(hipStreamWaitEvent(streams[0], event, 0));
  REQUIRE_HIP(
      hipMemcpyAsync(read.get(), bytes.data(), Bytes::count, hipMemcpyDeviceToHost, streams[0]));
  gate.open();
  REQUIRE_HIP(hipStreamSynchronize(streams[0]));
  CHECK(std::count(read.get(), read.get() + Bytes::count, 2) == Bytes::count);
}

TEST_CASE("interop: the null stream waits for what a program appends to a blocking one",
          "[results]") {
  const Native native;
  const Bytes bytes;
  const HostMemory<unsigned char> read(Bytes::count);
  Gate gate(native);
  const Streams streams(1);
  struct Order {
    void *memory;
    ze_event_handle_t gate;
  } order{bytes.data(), gate.event};
  REQUIRE_HIP(chipStreamAppend(
      streams[0],
      [](ze_command_list_handle_t list, void *data) {
        const Order &order = *static_cast<Order *>(data);
        return fill(list, order.memory, 2, order.gate);
      },
      &order));
  REQUIRE_HIP(
      hipMemcpyAsync(read.get(), bytes.data(), Bytes::count, hipMemcpyDeviceToHost, nullptr));
  CHECK(hipStreamQuery(nullptr) == hipErrorNotReady);
  gate.open();
  REQUIRE_HIP(hipStreamSynchronize(nullptr));
  CHECK(std::count(read.get(), read.get() + Bytes::count, 2) == Bytes::count);
}

TEST_CASE("interop: errors of a function that appends are HIP's") {
  const Streams streams(1);
  const auto answer = [](ze_command_list_handle_t, void *result) {
    return *static_cast<ze_result_t *>(result);
  };
  ze_result_t result = ZE_RESULT_ERROR_INVALID_ARGUMENT;
  CHECK(chipStreamAppend(streams[0], answer, &result) == hipErrorInvalidValue);
  result = ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY;
  CHECK(chipStreamAppend(streams[0], answer, &result) == hipErrorOutOfMemory);
  result = ZE_RESULT_SUCCESS;
  CHECK(chipStreamAppend(streams[0], answer, &result) == hipSuccess);
  CHECK(chipStreamAppend(streams[0], nullptr, &result) == hipErrorInvalidValue);
  CHECK(chipStreamAppend(reinterpret_cast<hipStream_t>(&result), answer, &result) ==
        hipErrorContextIsDestroyed);
  CHECK(hipStreamSynchronize(streams[0]) == hipSuccess);
}

TEST_CASE("interop: a stream that is captured gives no list and takes no calls") {
  const Streams streams(1);
  REQUIRE_HIP(hipStreamBeginCapture(streams[0], hipStreamCaptureModeRelaxed));
  ze_command_list_handle_t list = nullptr;
  uintptr_t handles[6];
  bool was_called = false;
  const auto note = [](ze_command_list_handle_t, void *called) {
    *static_cast<bool *>(called) = true;
    return ZE_RESULT_SUCCESS;
  };
  CHECK(chipStreamGetNative(streams[0], &list) == hipErrorStreamCaptureUnsupported);
  CHECK(chipStreamAppend(streams[0], note, &was_called) == hipErrorStreamCaptureUnsupported);
  CHECK(hipGetBackendNativeHandles(reinterpret_cast<uintptr_t>(streams[0]), handles, nullptr) ==
        hipErrorStreamCaptureUnsupported);
  CHECK_FALSE(was_called);
  hipGraph_t graph = nullptr;
  REQUIRE_HIP(hipStreamEndCapture(streams[0], &graph));
  REQUIRE_HIP(hipGraphDestroy(graph));
}

TEST_CASE("interop: what others append to a stream's list is waited for", "[results]") {
  const Native native;
  const Bytes bytes;
  const HostMemory<unsigned char> read(Bytes::count);
  Gate gate(native);
  const Streams streams(2, hipStreamNonBlocking);
  ze_command_list_handle_t list = nullptr;
  CHECK(chipStreamGetNative(streams[0], nullptr) == hipErrorInvalidValue);
  REQUIRE_HIP(chipStreamGetNative(streams[0], &list));
  REQUIRE_HIP(hipStreamSynchronize(streams[0]));
  REQUIRE_ZE(fill(list, bytes.data(), 3, gate.event));
  // HIP has submitted nothing, and knows nevertheless.
  CHECK(hipStreamQuery(streams[0]) == hipErrorNotReady);
  const Event event;
  REQUIRE_HIP(hipEventRecord(event, streams[0]));
  CHECK(hipEventQuery(event) == hipErrorNotReady);
  REQUIRE_HIP(hipStreamWaitEvent(streams[1], event, 0));
  REQUIRE_HIP(
      hipMemcpyAsync(read.get(), bytes.data(), Bytes::count, hipMemcpyDeviceToHost, streams[1]));
  gate.open();
  SECTION("by the stream") {
    REQUIRE_HIP(hipStreamSynchronize(streams[0]));
    CHECK(bytes.are_all(3));
  }
  SECTION("by a stream that waits for an event") {
    REQUIRE_HIP(hipStreamSynchronize(streams[1]));
    CHECK(std::count(read.get(), read.get() + Bytes::count, 3) == Bytes::count);
  }
  SECTION("by the device") {
    REQUIRE_HIP(hipDeviceSynchronize());
    CHECK(bytes.are_all(3));
  }
}

TEST_CASE("interop: memory freed in a stream waits for what others appended to its list",
          "[results]") {
  const Native native;
  Gate gate(native);
  const Streams streams(2, hipStreamNonBlocking);
  ze_command_list_handle_t list = nullptr;
  void *memory = nullptr, *other = nullptr;
  REQUIRE_HIP(hipMallocAsync(&memory, Bytes::count, streams[0]));
  REQUIRE_HIP(chipStreamGetNative(streams[0], &list));
  REQUIRE_HIP(hipStreamSynchronize(streams[0]));
  REQUIRE_ZE(fill(list, memory, 1, gate.event));
  REQUIRE_HIP(hipFreeAsync(memory, streams[0]));
  REQUIRE_HIP(hipMallocAsync(&other, Bytes::count, streams[1]));
  CHECK(other != memory);
  gate.open();
  REQUIRE_HIP(hipStreamSynchronize(streams[0]));
  REQUIRE_HIP(hipFreeAsync(other, streams[1]));
}

TEST_CASE("interop: an event recorded twice counts what others appended in between", "[results]") {
  const Native native;
  const Bytes bytes;
  Gate gate(native);
  const Streams streams(1, hipStreamNonBlocking);
  ze_command_list_handle_t list = nullptr;
  REQUIRE_HIP(chipStreamGetNative(streams[0], &list));
  const Event first, second;
  REQUIRE_HIP(hipMemsetAsync(bytes.data(), 1, Bytes::count, streams[0]));
  REQUIRE_HIP(hipEventRecord(first, streams[0]));
  REQUIRE_ZE(fill(list, bytes.data(), 3, gate.event));
  REQUIRE_HIP(hipEventRecord(second, streams[0]));
  REQUIRE_HIP(hipEventSynchronize(first));
  CHECK(hipEventQuery(second) == hipErrorNotReady);
  gate.open();
  REQUIRE_HIP(hipEventSynchronize(second));
  CHECK(bytes.are_all(3));
}

TEST_CASE("interop: a stream is made from a program's list", "[results]") {
  const Native native;
  const Bytes bytes;
  List list(native);
  hipStream_t stream = nullptr;
  CHECK(chipStreamFromNative(nullptr, list, hipStreamNonBlocking) == hipErrorInvalidValue);
  CHECK(chipStreamFromNative(&stream, nullptr, hipStreamNonBlocking) == hipErrorInvalidValue);
  CHECK(chipStreamFromNative(&stream, list, 0x77) == hipErrorInvalidValue);
  const ze_command_list_desc_t recorded{ZE_STRUCTURE_TYPE_COMMAND_LIST_DESC, nullptr, 0, 0};
  ze_command_list_handle_t wrong = nullptr;
  REQUIRE_ZE(zeCommandListCreate(native.context, native.device, &recorded, &wrong));
  CHECK(chipStreamFromNative(&stream, wrong, hipStreamNonBlocking) == hipErrorInvalidValue);
  REQUIRE_ZE(zeCommandListDestroy(wrong));
  REQUIRE_HIP(chipStreamFromNative(&stream, list, hipStreamNonBlocking));
  ze_command_list_handle_t given = nullptr;
  REQUIRE_HIP(chipStreamGetNative(stream, &given));
  CHECK(given == list);
  unsigned flags = 77;
  REQUIRE_HIP(hipStreamGetFlags(stream, &flags));
  CHECK(flags == hipStreamNonBlocking);
  {
    Gate gate(native);
    // Each side's commands wait for those of the other before them.
    REQUIRE_ZE(zeCommandListAppendWaitOnEvents(list, 1, &gate.event));
    CHECK(hipStreamQuery(stream) == hipErrorNotReady);
    REQUIRE_HIP(hipMemsetAsync(bytes.data(), 1, Bytes::count, stream));
    REQUIRE_ZE(fill(list, bytes.data(), 2));
    CHECK(hipStreamQuery(stream) == hipErrorNotReady);
    gate.open();
    REQUIRE_HIP(hipStreamSynchronize(stream));
    CHECK(bytes.are_all(2));
    REQUIRE_ZE(fill(list, bytes.data(), 3));
    REQUIRE_HIP(hipMemsetAsync(bytes.data(), 4, Bytes::count, stream));
    const Event event;
    REQUIRE_HIP(hipEventRecord(event, stream));
    REQUIRE_HIP(hipEventSynchronize(event));
    CHECK(bytes.are_all(4));
  }
  // Waits for the list, which is the program's own again.
  REQUIRE_ZE(fill(list, bytes.data(), 5));
  REQUIRE_HIP(hipStreamDestroy(stream));
  CHECK(list.is_complete());
  CHECK(bytes.are_all(5));
  CHECK(hipStreamSynchronize(stream) == hipErrorContextIsDestroyed);
  REQUIRE_HIP(hipDeviceSynchronize());
  REQUIRE_ZE(fill(list, bytes.data(), 6));
  list.finish();
  CHECK(bytes.are_all(6));
}

TEST_CASE("interop: the null stream waits for a stream that was made from a list", "[results]") {
  const Native native;
  const Bytes bytes;
  List list(native);
  Gate gate(native);
  hipStream_t stream = nullptr;
  REQUIRE_HIP(chipStreamFromNative(&stream, list, hipStreamDefault));
  REQUIRE_ZE(zeCommandListAppendWaitOnEvents(list, 1, &gate.event));
  REQUIRE_HIP(hipMemsetAsync(bytes.data(), 1, Bytes::count, stream));
  REQUIRE_HIP(hipMemsetAsync(bytes.data(), 2, Bytes::count, nullptr));
  CHECK(hipStreamQuery(nullptr) == hipErrorNotReady);
  gate.open();
  REQUIRE_HIP(hipStreamSynchronize(nullptr));
  CHECK(bytes.are_all(2));
  REQUIRE_HIP(hipStreamDestroy(stream));
}

TEST_CASE("interop: a list may go with its stream while others wait for the device", "[results]") {
  const Native native;
  const Bytes bytes;
  std::atomic<bool> ends = false;
  std::thread waits([&] {
    while (!ends)
      (void)hipDeviceSynchronize();
  });
  constexpr int rounds = 2000;
  for (int i = 0; i < rounds; ++i) {
    List list(native);
    hipStream_t stream = nullptr;
    CHECK(chipStreamFromNative(&stream, list, hipStreamNonBlocking) == hipSuccess);
    CHECK(hipMemsetAsync(bytes.data(), i, Bytes::count, stream) == hipSuccess);
    CHECK(hipStreamDestroy(stream) == hipSuccess);
    CHECK_FALSE(is_awaited(list));
  }
  ends = true;
  waits.join();
  CHECK(bytes.are_all((rounds - 1) % 256));
}

// ---- Events

TEST_CASE("interop: a program's list waits for an event of HIP", "[results]") {
  const Native native;
  const Bytes bytes;
  List list(native);
  Gate gate(native);
  const Streams streams(1, hipStreamNonBlocking);
  hipEvent_t before = nullptr;
  REQUIRE_HIP(chipEventFromNative(&before, gate.event));
  REQUIRE_HIP(hipStreamWaitEvent(streams[0], before, 0));
  REQUIRE_HIP(hipMemsetAsync(bytes.data(), 1, Bytes::count, streams[0]));
  const Event event;
  REQUIRE_HIP(hipEventRecord(event, streams[0]));
  ze_event_handle_t native_event = nullptr;
  SECTION("asked for by our name") { REQUIRE_HIP(chipEventGetNative(event, &native_event)); }
  SECTION("asked for by another name") {
    native_event = static_cast<ze_event_handle_t>(hipGetNativeEventFromHipEvent(event));
  }
  REQUIRE(native_event);
  REQUIRE_ZE(fill(list, bytes.data(), 2, native_event));
  CHECK_FALSE(list.is_complete());
  gate.open();
  list.finish();
  CHECK(bytes.are_all(2));
  REQUIRE_HIP(hipEventDestroy(before));
}

TEST_CASE("interop: a stream waits for an event of a program's list", "[results]") {
  const Native native;
  const Bytes bytes;
  List list(native);
  Gate gate(native), done(native);
  const Streams streams(1, hipStreamNonBlocking);
  hipEvent_t event = nullptr;
  SECTION("made by our name") { REQUIRE_HIP(chipEventFromNative(&event, done.event)); }
  SECTION("made by another name") {
    event = static_cast<hipEvent_t>(hipGetHipEventFromNativeEvent(done.event));
  }
  REQUIRE(event);
  ze_event_handle_t native_event = nullptr;
  REQUIRE_HIP(chipEventGetNative(event, &native_event));
  CHECK(native_event == done.event);
  REQUIRE_ZE(fill(list, bytes.data(), 1, gate.event));
  REQUIRE_ZE(zeCommandListAppendSignalEvent(list, done.event));
  REQUIRE_HIP(hipStreamWaitEvent(streams[0], event, 0));
  REQUIRE_HIP(hipMemsetAsync(bytes.data(), 2, Bytes::count, streams[0]));
  CHECK(hipEventQuery(event) == hipErrorNotReady);
  CHECK(hipStreamQuery(streams[0]) == hipErrorNotReady);
  gate.open();
  REQUIRE_HIP(hipEventSynchronize(event));
  CHECK(hipEventQuery(event) == hipSuccess);
  REQUIRE_HIP(hipStreamSynchronize(streams[0]));
  CHECK(bytes.are_all(2));
  float ms = 0;
  CHECK(hipEventElapsedTime(&ms, event, event) == hipErrorInvalidHandle);
  REQUIRE_HIP(hipEventDestroy(event));
}

TEST_CASE("interop: to record an event that stands for a native one is to signal that",
          "[results]") {
  const Native native;
  const Bytes bytes;
  List list(native);
  Gate gate(native), done(native);
  const Streams streams(1, hipStreamNonBlocking);
  hipEvent_t before = nullptr, event = nullptr;
  REQUIRE_HIP(chipEventFromNative(&before, gate.event));
  REQUIRE_HIP(chipEventFromNative(&event, done.event));
  REQUIRE_HIP(hipStreamWaitEvent(streams[0], before, 0));
  REQUIRE_HIP(hipMemsetAsync(bytes.data(), 1, Bytes::count, streams[0]));
  REQUIRE_HIP(hipEventRecord(event, streams[0]));
  REQUIRE_ZE(fill(list, bytes.data(), 2, done.event));
  CHECK(zeEventQueryStatus(done.event) == ZE_RESULT_NOT_READY);
  gate.open();
  list.finish();
  CHECK(bytes.are_all(2));
  CHECK(zeEventQueryStatus(done.event) == ZE_RESULT_SUCCESS);
  for (hipEvent_t made : {before, event})
    REQUIRE_HIP(hipEventDestroy(made));
}

TEST_CASE("interop: events that stand for nothing are refused, or need no wait") {
  const Event event;
  ze_event_handle_t native = nullptr;
  REQUIRE_HIP(chipEventGetNative(event, &native));
  CHECK(native == nullptr);
  CHECK(hipGetNativeEventFromHipEvent(event) == nullptr);
  CHECK(chipEventGetNative(event, nullptr) == hipErrorInvalidValue);
  CHECK(chipEventGetNative(nullptr, &native) == hipErrorInvalidHandle);
  CHECK(hipGetNativeEventFromHipEvent(&native) == nullptr);
  hipEvent_t made = nullptr;
  CHECK(chipEventFromNative(&made, nullptr) == hipErrorInvalidValue);
  CHECK(chipEventFromNative(nullptr, reinterpret_cast<ze_event_handle_t>(&made)) ==
        hipErrorInvalidValue);
  CHECK(hipGetHipEventFromNativeEvent(nullptr) == nullptr);

  const Streams streams(1);
  REQUIRE_HIP(hipStreamBeginCapture(streams[0], hipStreamCaptureModeRelaxed));
  REQUIRE_HIP(hipEventRecord(event, streams[0]));
  CHECK(chipEventGetNative(event, &native) == hipErrorCapturedEvent);
  hipGraph_t graph = nullptr;
  CHECK(hipStreamEndCapture(streams[0], &graph) == hipErrorStreamCaptureInvalidated);
}

TEST_CASE("interop: a captured stream waits for a native event by a node, or not at all") {
  const Native native;
  Gate gate(native);
  const Streams streams(1);
  hipEvent_t event = nullptr;
  hipGraph_t graph = nullptr;
  REQUIRE_HIP(chipEventFromNative(&event, gate.event));
  REQUIRE_HIP(hipStreamBeginCapture(streams[0], hipStreamCaptureModeRelaxed));
  CHECK(hipStreamWaitEvent(streams[0], event, 0) == hipErrorStreamCaptureIsolation);
  CHECK(hipStreamEndCapture(streams[0], &graph) == hipErrorStreamCaptureInvalidated);
  REQUIRE_HIP(hipStreamBeginCapture(streams[0], hipStreamCaptureModeRelaxed));
  CHECK(hipStreamWaitEvent(streams[0], event, hipEventWaitExternal) == hipSuccess);
  REQUIRE_HIP(hipStreamEndCapture(streams[0], &graph));
  size_t nodes = 0;
  REQUIRE_HIP(hipGraphGetNodes(graph, nullptr, &nodes));
  CHECK(nodes == 1);
  REQUIRE_HIP(hipGraphDestroy(graph));
  REQUIRE_HIP(hipEventDestroy(event));
}

TEST_CASE("interop: an event is an ordinary one again when its object is used again") {
  const Native native;
  Gate gate(native);
  hipEvent_t made = nullptr;
  REQUIRE_HIP(chipEventFromNative(&made, gate.event));
  CHECK(hipEventQuery(made) == hipErrorNotReady);
  REQUIRE_HIP(hipEventDestroy(made));
  const Event event; // recycles the object
  CHECK(hipEventQuery(event) == hipSuccess);
}
