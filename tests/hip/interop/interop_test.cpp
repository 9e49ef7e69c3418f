// chip/interop.h and hip/hip_interop.h: HIP and raw Level Zero in one process. Each test case is a process of its own.
#include "fixture.h"

#include <chip/interop.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

using namespace fixture;

#define REQUIRE_ZE(call) REQUIRE((call) == ZE_RESULT_SUCCESS)

namespace {

/// What is behind HIP's first device.
struct Native {
  ze_driver_handle_t driver = nullptr;
  ze_device_handle_t device = nullptr;
  ze_context_handle_t context = nullptr;
  Native() { REQUIRE_HIP(chipDeviceGetNative(0, &driver, &device, &context)); }
};

/// Level Zero without HIP.
struct Own {
  ze_driver_handle_t driver = nullptr;
  std::vector<ze_device_handle_t> devices;
  ze_context_handle_t context = nullptr;
  Own() {
    REQUIRE_ZE(zeInit(ZE_INIT_FLAG_GPU_ONLY));
    uint32_t count = 1;
    REQUIRE_ZE(zeDriverGet(&count, &driver));
    REQUIRE_ZE(zeDeviceGet(driver, &count, nullptr));
    devices.resize(count);
    REQUIRE_ZE(zeDeviceGet(driver, &count, devices.data()));
    context = make_context();
  }
  ze_context_handle_t make_context() const {
    const ze_context_desc_t desc{ZE_STRUCTURE_TYPE_CONTEXT_DESC, nullptr, 0};
    ze_context_handle_t made = nullptr;
    REQUIRE_ZE(zeContextCreate(driver, &desc, &made));
    return made;
  }
};

/// An event that the host signals. Declared after what would wait for it in its destructor.
class Gate {
public:
  explicit Gate(const Native &native) {
    const ze_event_pool_desc_t pool{ZE_STRUCTURE_TYPE_EVENT_POOL_DESC, nullptr,
                                    ZE_EVENT_POOL_FLAG_HOST_VISIBLE, 1};
    ze_device_handle_t device = native.device;
    REQUIRE_ZE(zeEventPoolCreate(native.context, &pool, 1, &device, &pool_));
    const ze_event_desc_t desc{ZE_STRUCTURE_TYPE_EVENT_DESC, nullptr, 0, ZE_EVENT_SCOPE_FLAG_HOST,
                               ZE_EVENT_SCOPE_FLAG_HOST};
    REQUIRE_ZE(zeEventCreate(pool_, &desc, &event));
  }
  ~Gate() {
    open(); // a test that has failed leaves nothing waiting
    (void)hipDeviceSynchronize();
    zeEventDestroy(event);
    zeEventPoolDestroy(pool_);
  }
  Gate(const Gate &) = delete;
  void open() { zeEventHostSignal(event); }
  ze_event_handle_t event = nullptr;

private:
  ze_event_pool_handle_t pool_ = nullptr;
};

/// An immediate list that the program has made.
class List {
public:
  explicit List(const Native &native) {
    ze_command_queue_desc_t desc{};
    desc.stype = ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC;
    desc.flags = ZE_COMMAND_QUEUE_FLAG_IN_ORDER;
    desc.mode = ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS;
    REQUIRE_ZE(zeCommandListCreateImmediate(native.context, native.device, &desc, &list_));
  }
  ~List() {
    finish();
    zeCommandListDestroy(list_);
  }
  List(const List &) = delete;
  operator ze_command_list_handle_t() const { return list_; }
  void finish() { zeCommandListHostSynchronize(list_, UINT64_MAX); }
  bool is_complete() { return zeCommandListHostSynchronize(list_, 0) == ZE_RESULT_SUCCESS; }

private:
  ze_command_list_handle_t list_ = nullptr;
};

/// 64 bytes of a device, and what they are set to.
class Bytes {
public:
  static constexpr size_t count = 64;
  Bytes() { REQUIRE_HIP(hipMalloc(&data_, count)); }
  ~Bytes() { (void)hipFree(data_); }
  Bytes(const Bytes &) = delete;
  void *data() const { return data_; }
  bool are_all(unsigned char value) const {
    unsigned char read[count] = {};
    REQUIRE_HIP(hipMemcpy(read, data_, count, hipMemcpyDeviceToHost));
    return std::ranges::all_of(read, [&](unsigned char byte) { return byte == value; });
  }

private:
  void *data_ = nullptr;
};

ze_result_t fill(ze_command_list_handle_t list, void *memory, unsigned char value,
                 ze_event_handle_t after = nullptr) {
  return zeCommandListAppendMemoryFill(list, memory, &value, 1, Bytes::count, nullptr,
                                       after ? 1 : 0, after ? &after : nullptr);
}

} // namespace

// ---- Handles

TEST_CASE("interop: a device has its native objects") {
  const Native native;
  ze_device_properties_t properties{};
  properties.stype = ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES;
  REQUIRE_ZE(zeDeviceGetProperties(native.device, &properties));
  hipUUID uuid;
  REQUIRE_HIP(hipDeviceGetUuid(&uuid, 0));
  CHECK(std::memcmp(uuid.bytes, properties.uuid.id, sizeof uuid.bytes) == 0);
  CHECK(chipDeviceGetNative(0, nullptr, nullptr, nullptr) == hipSuccess);
  CHECK(chipDeviceGetNative(-1, nullptr, nullptr, nullptr) == hipErrorInvalidDevice);
}

TEST_CASE("interop: memory of HIP is memory of the context") {
  const Native native;
  const Bytes bytes;
  void *base = nullptr;
  size_t size = 0;
  ze_device_handle_t device = nullptr;
  ze_context_handle_t context = nullptr;
  auto *inside = static_cast<char *>(bytes.data()) + 7;
  REQUIRE_HIP(chipMemGetNative(inside, &base, &size, &device, &context));
  CHECK(base <= bytes.data());
  CHECK(static_cast<char *>(base) + size >= static_cast<char *>(bytes.data()) + Bytes::count);
  CHECK(device == native.device);
  CHECK(context == native.context);
  int own = 0;
  CHECK(chipMemGetNative(&own, &base, &size, &device, &context) == hipErrorInvalidValue);
  CHECK(chipMemGetNative(nullptr, nullptr, nullptr, nullptr, nullptr) == hipErrorInvalidValue);
}

TEST_CASE("interop: other runtimes' names give the same handles") {
  const Native native;
  int count = 0;
  REQUIRE(hipGetBackendNativeHandles(0, nullptr, &count) == hipSuccess);
  REQUIRE(count == 6);
  uintptr_t handles[6] = {};
  REQUIRE(hipGetBackendNativeHandles(0, handles, nullptr) == hipSuccess);
  CHECK(reinterpret_cast<const char *>(handles[0]) == std::string("level0"));
  CHECK(handles[1] == reinterpret_cast<uintptr_t>(native.driver));
  CHECK(handles[2] == reinterpret_cast<uintptr_t>(native.device));
  CHECK(handles[3] == reinterpret_cast<uintptr_t>(native.context));
  CHECK(handles[4] == 0);
  ze_command_list_handle_t list = nullptr;
  REQUIRE_HIP(chipStreamGetNative(nullptr, &list));
  CHECK(handles[5] == reinterpret_cast<uintptr_t>(list));
  count = 6;
  uintptr_t again[6] = {};
  REQUIRE(hipGetBackendNativeHandles(0, again, &count) == hipSuccess);
  CHECK(std::ranges::equal(handles, again));

  count = 4;
  uintptr_t four[5] = {1, 1, 1, 1, 1};
  REQUIRE(hipGetBackendNativeHandles(0, four, &count) == hipSuccess);
  CHECK(count == 4);
  CHECK(std::equal(four, four + 4, handles + 1));
  CHECK(four[4] == 1);

  count = 3;
  CHECK(hipGetBackendNativeHandles(0, four, &count) == hipErrorInvalidValue);
  CHECK(hipGetBackendNativeHandles(0, nullptr, nullptr) == hipErrorInvalidValue);
  CHECK(hipGetBackendNativeHandles(99, handles, nullptr) == hipErrorContextIsDestroyed);
  // What is in use already may be asked for once more.
  CHECK(hipInitFromNativeHandles(handles, 6) == hipSuccess);
  CHECK(hipInitFromNativeHandles(handles + 1, 4) == hipSuccess);
  CHECK(hipInitFromNativeHandles(handles, 5) == hipErrorInvalidValue);
  CHECK(hipInitFromNativeHandles(nullptr, 4) == hipErrorInvalidValue);
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

// ---- Memory

TEST_CASE("interop: HIP takes memory of Level Zero for its own, but for freeing it") {
  const Native native;
  ze_device_mem_alloc_desc_t device_desc{};
  device_desc.stype = ZE_STRUCTURE_TYPE_DEVICE_MEM_ALLOC_DESC;
  ze_host_mem_alloc_desc_t host_desc{};
  host_desc.stype = ZE_STRUCTURE_TYPE_HOST_MEM_ALLOC_DESC;
  void *memory = nullptr;
  hipMemoryType type{};
  SECTION("of a device") {
    REQUIRE_ZE(
        zeMemAllocDevice(native.context, &device_desc, Bytes::count, 64, native.device, &memory));
    type = hipMemoryTypeDevice;
  }
  SECTION("of the host") {
    REQUIRE_ZE(zeMemAllocHost(native.context, &host_desc, Bytes::count, 64, &memory));
    type = hipMemoryTypeHost;
  }
  SECTION("shared") {
    REQUIRE_ZE(zeMemAllocShared(native.context, &device_desc, &host_desc, Bytes::count, 64,
                                native.device, &memory));
    type = hipMemoryTypeManaged;
  }
  CHECK(hipMemset(memory, 1, Bytes::count) == hipErrorInvalidValue);
  REQUIRE_HIP(chipMemFromNative(memory));
  CHECK(chipMemFromNative(memory) == hipErrorInvalidValue);
  CHECK(hipMemset(memory, 1, Bytes::count) == hipSuccess);
  CHECK(hipMemset(memory, 1, (1 << 20) + Bytes::count) == hipErrorInvalidValue);
  hipPointerAttribute_t attributes{};
  REQUIRE_HIP(hipPointerGetAttributes(&attributes, static_cast<char *>(memory) + 1));
  CHECK(attributes.type == type);
  CHECK(attributes.device == 0);
  CHECK(hipFree(memory) == hipErrorInvalidValue);
  CHECK(hipFreeAsync(memory, nullptr) == hipErrorInvalidValue);
  CHECK(hipHostFree(memory) == hipErrorInvalidValue);
  REQUIRE_HIP(hipDeviceReset());
  CHECK(hipMemset(memory, 1, Bytes::count) == hipSuccess);
  REQUIRE_HIP(chipMemForget(memory));
  CHECK(hipMemset(memory, 1, Bytes::count) == hipErrorInvalidValue);
  CHECK(chipMemForget(memory) == hipErrorInvalidValue);
  REQUIRE_ZE(zeMemFree(native.context, memory));
}

TEST_CASE("interop: what is no memory of Level Zero, or HIP's own, is not taken") {
  const Bytes bytes;
  int own = 0;
  CHECK(chipMemFromNative(nullptr) == hipErrorInvalidValue);
  CHECK(chipMemFromNative(&own) == hipErrorInvalidValue);
  CHECK(chipMemFromNative(bytes.data()) == hipErrorInvalidValue);
  CHECK(chipMemForget(bytes.data()) == hipErrorInvalidValue);
  CHECK(chipMemForget(nullptr) == hipErrorInvalidValue);
  CHECK(hipFree(nullptr) == hipSuccess);
}

// ---- Contexts

TEST_CASE("interop: HIP works in a context of the program's", "[multidevice]") {
  const Own own;
  REQUIRE(own.devices.size() == 2);
  ze_device_handle_t device = own.devices[1];
  SECTION("given by our name") {
    REQUIRE_HIP(chipInitFromNative(own.driver, own.context, &device, 1));
  }
  SECTION("given by another name") {
    const uintptr_t handles[] = {reinterpret_cast<uintptr_t>(own.driver),
                                 reinterpret_cast<uintptr_t>(device),
                                 reinterpret_cast<uintptr_t>(own.context), 0};
    REQUIRE(hipInitFromNativeHandles(handles, 4) == hipSuccess);
  }
  int count = 0;
  REQUIRE_HIP(hipGetDeviceCount(&count));
  CHECK(count == 1);
  const Native native;
  CHECK(native.context == own.context);
  CHECK(native.device == device);
  // What one side allocates, the other uses.
  const Bytes bytes;
  ze_memory_allocation_properties_t properties{};
  properties.stype = ZE_STRUCTURE_TYPE_MEMORY_ALLOCATION_PROPERTIES;
  ze_device_handle_t owner = nullptr;
  REQUIRE_ZE(zeMemGetAllocProperties(own.context, bytes.data(), &properties, &owner));
  CHECK(properties.type == ZE_MEMORY_TYPE_DEVICE);
  CHECK(owner == device);
  REQUIRE_HIP(hipMemset(bytes.data(), 4, Bytes::count));
  CHECK(bytes.are_all(4));

  CHECK(chipInitFromNative(own.driver, own.context, &device, 1) == hipSuccess);
  CHECK(chipInitFromNative(own.driver, own.context, &own.devices[0], 1) ==
        hipErrorSetOnActiveProcess);
  CHECK(chipInitFromNative(own.driver, own.make_context(), &device, 1) ==
        hipErrorSetOnActiveProcess);
}

TEST_CASE("interop: HIP does not change its context once it has one", "[multidevice]") {
  const Own own;
  CHECK(chipInitFromNative(own.driver, own.context, nullptr, 1) == hipErrorInvalidValue);
  CHECK(chipInitFromNative(own.driver, own.context, own.devices.data(), 0) == hipErrorInvalidValue);
  CHECK(chipInitFromNative(own.driver, nullptr, own.devices.data(), 1) == hipErrorInvalidValue);
  CHECK(chipInitFromNative(nullptr, own.context, own.devices.data(), 1) == hipErrorInvalidValue);
  ze_device_handle_t devices[] = {own.devices[0], nullptr};
  CHECK(chipInitFromNative(own.driver, own.context, devices, 2) == hipErrorInvalidValue);
  int count = 0;
  REQUIRE_HIP(hipGetDeviceCount(&count));
  CHECK(count == 2);
  CHECK(chipInitFromNative(own.driver, own.context, own.devices.data(), 2) ==
        hipErrorSetOnActiveProcess);
  const Native native;
  CHECK(chipInitFromNative(native.driver, native.context, own.devices.data(), 2) == hipSuccess);
}
