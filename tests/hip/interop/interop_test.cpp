// chip/interop.h and hip/hip_interop.h: handles, memory and contexts. Each test case is a process of its own.
#include "native.h"

#include <cstring>
#include <string>

using namespace fixture;

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

namespace {

/// The second device of two is HIP's only one, in the program's context, once `initialize(own, device)` is called.
template <class Initialize> void check_context_of_the_program(const Initialize &initialize) {
  const Own own;
  REQUIRE(own.devices.size() == 2);
  ze_device_handle_t device = own.devices[1];
  initialize(own, device);
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

} // namespace

TEST_CASE("interop: HIP works in a context of the program's", "[multidevice]") {
  check_context_of_the_program([](const Own &own, ze_device_handle_t device) {
    REQUIRE_HIP(chipInitFromNative(own.driver, own.context, &device, 1));
  });
}

TEST_CASE("interop: HIP works in a context that is given by another name", "[multidevice]") {
  check_context_of_the_program([](const Own &own, ze_device_handle_t device) {
    const uintptr_t handles[] = {reinterpret_cast<uintptr_t>(own.driver),
                                 reinterpret_cast<uintptr_t>(device),
                                 reinterpret_cast<uintptr_t>(own.context), 0};
    REQUIRE(hipInitFromNativeHandles(handles, 4) == hipSuccess);
  });
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
