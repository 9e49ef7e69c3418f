// HIP API reference: Memory management, attributes of addresses and of ranges.
#include "fixture.h"

#include <array>
#include <cstdint>
#include <vector>

using namespace fixture;

namespace {

constexpr size_t page = 4096;

struct Memory {
  explicit Memory(size_t bytes) { REQUIRE_HIP(hipMalloc(&data, bytes)); }
  ~Memory() { (void)hipFree(data); }
  Memory(const Memory &) = delete;
  char *at(size_t offset) const { return static_cast<char *>(data) + offset; }
  void *data = nullptr;
};

struct Managed {
  explicit Managed(size_t bytes) { REQUIRE_HIP(hipMallocManaged(&data, bytes)); }
  ~Managed() { (void)hipFree(data); }
  Managed(const Managed &) = delete;
  char *at(size_t offset) const { return static_cast<char *>(data) + offset; }
  void *data = nullptr;
};

/// An attribute of an address that has it.
template <class Value> Value attribute(hipPointer_attribute wanted, void *address) {
  Value value{};
  REQUIRE_HIP(hipPointerGetAttribute(&value, wanted, address));
  return value;
}

/// One number of a range.
int32_t number(hipMemRangeAttribute wanted, void *address, size_t bytes) {
  int32_t value = 77;
  REQUIRE_HIP(hipMemRangeGetAttribute(&value, sizeof value, wanted, address, bytes));
  return value;
}

std::array<int32_t, 3> devices(void *address, size_t bytes) {
  std::array<int32_t, 3> found{};
  REQUIRE_HIP(hipMemRangeGetAttribute(found.data(), sizeof found, hipMemRangeAttributeAccessedBy,
                                      address, bytes));
  return found;
}

} // namespace

TEST_CASE("hip pointer: memory of the device has all attributes but an address of the host") {
  const Memory memory(1000);
  void *const inside = memory.at(100);
  REQUIRE(attribute<uint32_t>(HIP_POINTER_ATTRIBUTE_MEMORY_TYPE, inside) == hipMemoryTypeDevice);
  REQUIRE(attribute<void *>(HIP_POINTER_ATTRIBUTE_DEVICE_POINTER, inside) == inside);
  REQUIRE_FALSE(attribute<bool>(HIP_POINTER_ATTRIBUTE_SYNC_MEMOPS, inside));
  REQUIRE_FALSE(attribute<bool>(HIP_POINTER_ATTRIBUTE_IS_MANAGED, inside));
  REQUIRE(attribute<int>(HIP_POINTER_ATTRIBUTE_DEVICE_ORDINAL, inside) == 0);
  REQUIRE(attribute<void *>(HIP_POINTER_ATTRIBUTE_RANGE_START_ADDR, inside) == memory.data);
  REQUIRE(attribute<uint32_t>(HIP_POINTER_ATTRIBUTE_RANGE_SIZE, inside) == 1000);
  REQUIRE(attribute<bool>(HIP_POINTER_ATTRIBUTE_MAPPED, inside));
  REQUIRE(attribute<uint32_t>(HIP_POINTER_ATTRIBUTE_ACCESS_FLAGS, inside) ==
          hipMemAccessFlagsProtReadWrite);
  void *host = memory.data;
  REQUIRE(hipPointerGetAttribute(&host, HIP_POINTER_ATTRIBUTE_HOST_POINTER, inside) ==
          hipErrorInvalidValue);
  REQUIRE(host == nullptr);
}

TEST_CASE("hip pointer: the host's and managed memory have an address of the host") {
  const HostMemory<char> host(64);
  const Managed managed(64);
  REQUIRE(attribute<uint32_t>(HIP_POINTER_ATTRIBUTE_MEMORY_TYPE, host.get()) == hipMemoryTypeHost);
  REQUIRE(attribute<uint32_t>(HIP_POINTER_ATTRIBUTE_MEMORY_TYPE, managed.data) ==
          hipMemoryTypeManaged);
  REQUIRE(attribute<bool>(HIP_POINTER_ATTRIBUTE_IS_MANAGED, managed.data));
  for (void *address : {static_cast<void *>(host.get() + 5), static_cast<void *>(managed.at(5))})
    REQUIRE(attribute<void *>(HIP_POINTER_ATTRIBUTE_HOST_POINTER, address) == address);
}

TEST_CASE("hip pointer: no attribute stores more than its type") {
  const Memory memory(64);
  const std::pair<hipPointer_attribute, size_t> sizes[] = {
      {HIP_POINTER_ATTRIBUTE_MEMORY_TYPE, 4},      {HIP_POINTER_ATTRIBUTE_DEVICE_POINTER, 8},
      {HIP_POINTER_ATTRIBUTE_SYNC_MEMOPS, 1},      {HIP_POINTER_ATTRIBUTE_BUFFER_ID, 4},
      {HIP_POINTER_ATTRIBUTE_IS_MANAGED, 1},       {HIP_POINTER_ATTRIBUTE_DEVICE_ORDINAL, 4},
      {HIP_POINTER_ATTRIBUTE_RANGE_START_ADDR, 8}, {HIP_POINTER_ATTRIBUTE_RANGE_SIZE, 4},
      {HIP_POINTER_ATTRIBUTE_MAPPED, 1},           {HIP_POINTER_ATTRIBUTE_ACCESS_FLAGS, 4},
      {HIP_POINTER_ATTRIBUTE_MEMPOOL_HANDLE, 8}};
  int unknown = 0;
  for (const auto &[wanted, size] : sizes)
    for (void *address : {memory.data, static_cast<void *>(&unknown)}) {
      alignas(8) std::array<uint8_t, 16> data;
      data.fill(0xcc);
      (void)hipPointerGetAttribute(data.data(), wanted, address);
      for (size_t i = size; i < data.size(); ++i)
        REQUIRE(data[i] == 0xcc);
    }
}

TEST_CASE("hip pointer: each allocation has a number of its own, also at an address used before") {
  std::vector<uint32_t> numbers;
  for (int i = 0; i < 4; ++i) {
    const Memory memory(4096);
    const auto own = attribute<uint32_t>(HIP_POINTER_ATTRIBUTE_BUFFER_ID, memory.data);
    REQUIRE(own != 0);
    REQUIRE(attribute<uint32_t>(HIP_POINTER_ATTRIBUTE_BUFFER_ID, memory.at(4095)) == own);
    for (uint32_t earlier : numbers)
      REQUIRE(own != earlier);
    numbers.push_back(own);
  }
}

TEST_CASE("hip pointer: blocks of a pool have numbers and attributes of their own") {
  char *first = nullptr, *second = nullptr;
  REQUIRE_HIP(hipMallocAsync(reinterpret_cast<void **>(&first), 64, nullptr));
  REQUIRE_HIP(hipMallocAsync(reinterpret_cast<void **>(&second), 64, nullptr));
  const unsigned value = 1;
  REQUIRE_HIP(hipPointerSetAttribute(&value, HIP_POINTER_ATTRIBUTE_SYNC_MEMOPS, first));
  REQUIRE(attribute<bool>(HIP_POINTER_ATTRIBUTE_SYNC_MEMOPS, first + 63));
  REQUIRE_FALSE(attribute<bool>(HIP_POINTER_ATTRIBUTE_SYNC_MEMOPS, second));
  const auto of_first = attribute<uint32_t>(HIP_POINTER_ATTRIBUTE_BUFFER_ID, first),
             of_second = attribute<uint32_t>(HIP_POINTER_ATTRIBUTE_BUFFER_ID, second);
  REQUIRE(of_first != of_second);
  REQUIRE(attribute<uint32_t>(HIP_POINTER_ATTRIBUTE_BUFFER_ID, first + 1) == of_first);
  // A queue may have the block again at once, that it has freed.
  for (auto release : {+[](void *block) { return hipFreeAsync(block, nullptr); },
                       +[](void *block) { return hipFree(block); }}) {
    char *again = nullptr;
    const auto before = attribute<uint32_t>(HIP_POINTER_ATTRIBUTE_BUFFER_ID, first);
    REQUIRE_HIP(hipPointerSetAttribute(&value, HIP_POINTER_ATTRIBUTE_SYNC_MEMOPS, first));
    REQUIRE_HIP(release(first));
    REQUIRE_HIP(hipMallocAsync(reinterpret_cast<void **>(&again), 64, nullptr));
    REQUIRE(attribute<uint32_t>(HIP_POINTER_ATTRIBUTE_BUFFER_ID, again) != before);
    REQUIRE_FALSE(attribute<bool>(HIP_POINTER_ATTRIBUTE_SYNC_MEMOPS, again));
    first = again;
  }
  REQUIRE_HIP(hipFreeAsync(first, nullptr));
  REQUIRE_HIP(hipFreeAsync(second, nullptr));
  REQUIRE_HIP(hipDeviceSynchronize());
}

TEST_CASE("hip pointer: memory of a pool has the pool's handle, and other memory has none") {
  hipMemPool_t default_pool = nullptr, pool = nullptr;
  REQUIRE_HIP(hipDeviceGetDefaultMemPool(&default_pool, 0));
  hipMemPoolProps properties{};
  properties.allocType = hipMemAllocationTypePinned;
  properties.location = {hipMemLocationTypeDevice, 0};
  REQUIRE_HIP(hipMemPoolCreate(&pool, &properties));
  char *of_default = nullptr, *of_pool = nullptr;
  REQUIRE_HIP(hipMallocAsync(reinterpret_cast<void **>(&of_default), 64, nullptr));
  REQUIRE_HIP(hipMallocFromPoolAsync(reinterpret_cast<void **>(&of_pool), 64, pool, nullptr));
  constexpr auto wanted = HIP_POINTER_ATTRIBUTE_MEMPOOL_HANDLE;
  REQUIRE(attribute<hipMemPool_t>(wanted, of_default + 63) == default_pool);
  REQUIRE(attribute<hipMemPool_t>(wanted, of_pool) == pool);

  // Also where a small block is in memory that libCHIP cuts up.
  const Memory small(64), large(1 << 20);
  hipPointer_attribute attributes[] = {wanted};
  for (void *other : {small.data, large.data, static_cast<void *>(of_pool)}) {
    if (other == of_pool) // a handle that is not live is not given out
      REQUIRE_HIP(hipMemPoolDestroy(pool));
    hipMemPool_t found = default_pool;
    REQUIRE(hipPointerGetAttribute(&found, wanted, other) == hipErrorNotSupported);
    REQUIRE(found == nullptr);
    found = default_pool;
    void *data[] = {&found};
    REQUIRE_HIP(hipDrvPointerGetAttributes(1, attributes, data, other));
    REQUIRE(found == nullptr);
  }
  REQUIRE_HIP(hipFreeAsync(of_default, nullptr));
  REQUIRE_HIP(hipFreeAsync(of_pool, nullptr));
}

TEST_CASE("hip pointer: the handle of an array has the type of arrays until it is destroyed") {
  const hipChannelFormatDesc element = {32, 0, 0, 0, hipChannelFormatKindFloat};
  hipArray_t array = nullptr;
  REQUIRE_HIP(hipMallocArray(&array, &element, 8, 8));
  REQUIRE(attribute<uint32_t>(HIP_POINTER_ATTRIBUTE_MEMORY_TYPE, array) == hipMemoryTypeArray);
  REQUIRE_HIP(hipFreeArray(array));
  uint32_t type = 77;
  REQUIRE(hipPointerGetAttribute(&type, HIP_POINTER_ATTRIBUTE_MEMORY_TYPE, array) ==
          hipErrorInvalidValue);
  REQUIRE(type == hipMemoryTypeUnregistered);
}

TEST_CASE("hip pointer: memory that HIP does not know has null values and the device -2") {
  int unknown = 0, device = 0;
  void *start = &unknown;
  REQUIRE(hipPointerGetAttribute(&device, HIP_POINTER_ATTRIBUTE_DEVICE_ORDINAL, &unknown) ==
          hipErrorInvalidValue);
  REQUIRE(device == hipInvalidDeviceId);
  REQUIRE(hipPointerGetAttribute(&start, HIP_POINTER_ATTRIBUTE_RANGE_START_ADDR, &unknown) ==
          hipErrorInvalidValue);
  REQUIRE(start == nullptr);
}

TEST_CASE(
    "hip pointer: null pointers and attributes that are unknown or not supported are refused") {
  const Memory memory(64);
  void *data[4] = {};
  REQUIRE(hipPointerGetAttribute(nullptr, HIP_POINTER_ATTRIBUTE_MAPPED, memory.data) ==
          hipErrorInvalidValue);
  REQUIRE(hipPointerGetAttribute(data, HIP_POINTER_ATTRIBUTE_MAPPED, nullptr) ==
          hipErrorInvalidValue);
  for (int unknown : {-1, 0, 18})
    REQUIRE(hipPointerGetAttribute(data, hipPointer_attribute(unknown), memory.data) ==
            hipErrorInvalidValue);
  for (auto unsupported :
       {HIP_POINTER_ATTRIBUTE_CONTEXT, HIP_POINTER_ATTRIBUTE_P2P_TOKENS,
        HIP_POINTER_ATTRIBUTE_IS_LEGACY_HIP_IPC_CAPABLE, HIP_POINTER_ATTRIBUTE_ALLOWED_HANDLE_TYPES,
        HIP_POINTER_ATTRIBUTE_IS_GPU_DIRECT_RDMA_CAPABLE})
    REQUIRE(hipPointerGetAttribute(data, unsupported, memory.data) == hipErrorNotSupported);
}

TEST_CASE("hip pointer: several attributes are stored at once, whatever the memory is") {
  const Memory memory(64);
  uint32_t type = 77;
  int device = 77, unknown = 0;
  void *host = &unknown, *tokens = &unknown;
  hipPointer_attribute wanted[] = {
      HIP_POINTER_ATTRIBUTE_MEMORY_TYPE, HIP_POINTER_ATTRIBUTE_DEVICE_ORDINAL,
      HIP_POINTER_ATTRIBUTE_HOST_POINTER, HIP_POINTER_ATTRIBUTE_P2P_TOKENS};
  void *data[] = {&type, &device, &host, &tokens};
  REQUIRE_HIP(hipDrvPointerGetAttributes(4, wanted, data, memory.data));
  REQUIRE(type == hipMemoryTypeDevice);
  REQUIRE(device == 0);
  REQUIRE(host == nullptr);
  REQUIRE(tokens == &unknown);
  REQUIRE_HIP(hipDrvPointerGetAttributes(4, wanted, data, &unknown));
  REQUIRE(type == hipMemoryTypeUnregistered);
  REQUIRE(device == hipInvalidDeviceId);

  REQUIRE(hipDrvPointerGetAttributes(0, wanted, data, memory.data) == hipErrorInvalidValue);
  REQUIRE(hipDrvPointerGetAttributes(4, nullptr, data, memory.data) == hipErrorInvalidValue);
  REQUIRE(hipDrvPointerGetAttributes(4, wanted, nullptr, memory.data) == hipErrorInvalidValue);
  REQUIRE(hipDrvPointerGetAttributes(4, wanted, data, nullptr) == hipErrorInvalidValue);
  type = 77;
  wanted[3] = hipPointer_attribute(99);
  REQUIRE(hipDrvPointerGetAttributes(4, wanted, data, memory.data) == hipErrorInvalidValue);
  data[3] = nullptr;
  wanted[3] = HIP_POINTER_ATTRIBUTE_MAPPED;
  REQUIRE(hipDrvPointerGetAttributes(4, wanted, data, memory.data) == hipErrorInvalidValue);
  REQUIRE(type == 77);
}

TEST_CASE("hip pointer: the attribute of synchronous copies reads back") {
  const Memory memory(64), other(64);
  unsigned value = 1;
  REQUIRE_HIP(hipPointerSetAttribute(&value, HIP_POINTER_ATTRIBUTE_SYNC_MEMOPS, memory.at(9)));
  REQUIRE(attribute<bool>(HIP_POINTER_ATTRIBUTE_SYNC_MEMOPS, memory.data));
  REQUIRE_FALSE(attribute<bool>(HIP_POINTER_ATTRIBUTE_SYNC_MEMOPS, other.data));
  value = 0;
  REQUIRE_HIP(hipPointerSetAttribute(&value, HIP_POINTER_ATTRIBUTE_SYNC_MEMOPS, memory.data));
  REQUIRE_FALSE(attribute<bool>(HIP_POINTER_ATTRIBUTE_SYNC_MEMOPS, memory.data));

  value = 2;
  REQUIRE(hipPointerSetAttribute(&value, HIP_POINTER_ATTRIBUTE_SYNC_MEMOPS, memory.data) ==
          hipErrorInvalidValue);
  value = 1;
  REQUIRE(hipPointerSetAttribute(nullptr, HIP_POINTER_ATTRIBUTE_SYNC_MEMOPS, memory.data) ==
          hipErrorInvalidValue);
  REQUIRE(hipPointerSetAttribute(&value, HIP_POINTER_ATTRIBUTE_SYNC_MEMOPS, nullptr) ==
          hipErrorInvalidValue);
  REQUIRE(hipPointerSetAttribute(&value, HIP_POINTER_ATTRIBUTE_MAPPED, memory.data) ==
          hipErrorInvalidValue);
  REQUIRE(hipPointerSetAttribute(&value, HIP_POINTER_ATTRIBUTE_SYNC_MEMOPS, &value) ==
          hipErrorInvalidDevicePointer);
}

TEST_CASE("hip pointer: advice is told of the pages that it was given for") {
  const Managed memory(3 * page);
  REQUIRE(number(hipMemRangeAttributeReadMostly, memory.data, 3 * page) == 0);
  REQUIRE(number(hipMemRangeAttributePreferredLocation, memory.data, 3 * page) ==
          hipInvalidDeviceId);
  REQUIRE_HIP(hipMemAdvise(memory.at(page + 10), 20, hipMemAdviseSetReadMostly, 0));
  REQUIRE_HIP(
      hipMemAdvise(memory.at(page), page, hipMemAdviseSetPreferredLocation, hipCpuDeviceId));
  REQUIRE(number(hipMemRangeAttributeReadMostly, memory.at(page), page) == 1);
  REQUIRE(number(hipMemRangeAttributeReadMostly, memory.at(page - 1), page) == 0);
  REQUIRE(number(hipMemRangeAttributeReadMostly, memory.data, 3 * page) == 0);
  REQUIRE(number(hipMemRangeAttributePreferredLocation, memory.at(page), page) == hipCpuDeviceId);
  REQUIRE(number(hipMemRangeAttributePreferredLocation, memory.data, 3 * page) ==
          hipInvalidDeviceId);
  REQUIRE_HIP(hipMemAdvise(memory.at(page), page, hipMemAdviseUnsetReadMostly, 0));
  REQUIRE_HIP(hipMemAdvise(memory.at(page), page, hipMemAdviseUnsetPreferredLocation, 0));
  REQUIRE(number(hipMemRangeAttributeReadMostly, memory.at(page), page) == 0);
  REQUIRE(number(hipMemRangeAttributePreferredLocation, memory.at(page), page) ==
          hipInvalidDeviceId);
}

TEST_CASE("hip pointer: the devices of a range are those of all its pages") {
  const Managed memory(2 * page);
  REQUIRE(devices(memory.data, 2 * page) == std::array{-2, -2, -2});
  REQUIRE_HIP(hipMemAdvise(memory.data, 2 * page, hipMemAdviseSetAccessedBy, hipCpuDeviceId));
  for (int i = 0; i < 2; ++i)
    REQUIRE_HIP(hipMemAdvise(memory.data, page, hipMemAdviseSetAccessedBy, 0));
  REQUIRE(devices(memory.data, page) == std::array{hipCpuDeviceId, 0, -2});
  REQUIRE(devices(memory.data, 2 * page) == std::array{hipCpuDeviceId, -2, -2});
  int32_t only[2] = {77, 77};
  REQUIRE_HIP(hipMemRangeGetAttribute(only, 4, hipMemRangeAttributeAccessedBy, memory.data, page));
  REQUIRE(only[0] == hipCpuDeviceId);
  REQUIRE(only[1] == 77);
  REQUIRE_HIP(hipMemAdvise(memory.data, page, hipMemAdviseUnsetAccessedBy, hipCpuDeviceId));
  REQUIRE(devices(memory.data, page) == std::array{0, -2, -2});
}

TEST_CASE("hip pointer: grain and the last prefetch of a range are told") {
  const Managed memory(2 * page);
  REQUIRE(number(hipMemRangeAttributeCoherencyMode, memory.data, 2 * page) ==
          hipMemRangeCoherencyModeFineGrain);
  REQUIRE_HIP(hipMemAdvise(memory.data, page, hipMemAdviseSetCoarseGrain, 0));
  REQUIRE(number(hipMemRangeAttributeCoherencyMode, memory.data, page) ==
          hipMemRangeCoherencyModeCoarseGrain);
  REQUIRE(number(hipMemRangeAttributeCoherencyMode, memory.data, 2 * page) ==
          hipMemRangeCoherencyModeIndeterminate);
  REQUIRE_HIP(hipMemPrefetchAsync(memory.data, page, 0, nullptr));
  REQUIRE(number(hipMemRangeAttributeLastPrefetchLocation, memory.data, page) == 0);
  REQUIRE_HIP(hipMemPrefetchAsync(memory.data, 2 * page, hipCpuDeviceId, nullptr));
  REQUIRE(number(hipMemRangeAttributeLastPrefetchLocation, memory.data, 2 * page) ==
          hipCpuDeviceId);
  REQUIRE_HIP(hipDeviceSynchronize());
}

TEST_CASE(
    "hip pointer: how memory is kept coherent is told of memory that is not managed as well") {
  const auto coherency = [](void *memory) {
    const int mode = number(hipMemRangeAttributeCoherencyMode, memory, 64);
    int32_t other = 0;
    CHECK(hipMemRangeGetAttribute(&other, 4, hipMemRangeAttributeCoherencyMode, memory, 0) ==
          hipErrorInvalidValue);
    CHECK(hipMemRangeGetAttribute(&other, 4, hipMemRangeAttributeCoherencyMode, memory, 2 * page) ==
          hipErrorInvalidValue);
    CHECK(hipMemRangeGetAttribute(&other, 4, hipMemRangeAttributeReadMostly, memory, 64) ==
          hipErrorInvalidValue);
    return mode;
  };
  void *memory = nullptr;
  REQUIRE_HIP(hipMalloc(&memory, page));
  CHECK(coherency(memory) == hipMemRangeCoherencyModeCoarseGrain);
  REQUIRE_HIP(hipFree(memory));
  for (unsigned flag : {hipDeviceMallocFinegrained, hipDeviceMallocUncached}) {
    REQUIRE_HIP(hipExtMallocWithFlags(&memory, page, flag));
    CHECK(coherency(memory) == hipMemRangeCoherencyModeFineGrain);
    REQUIRE_HIP(hipFree(memory));
  }
  REQUIRE_HIP(hipHostMalloc(&memory, page, hipHostMallocNonCoherent));
  CHECK(coherency(memory) == hipMemRangeCoherencyModeCoarseGrain);
  REQUIRE_HIP(hipHostFree(memory));
  REQUIRE_HIP(hipHostMalloc(&memory, page));
  CHECK(coherency(memory) == hipMemRangeCoherencyModeFineGrain);
  REQUIRE_HIP(hipHostFree(memory));
  std::vector<std::byte> own(page);
  REQUIRE_HIP(hipHostRegister(own.data(), page, hipExtHostRegisterCoarseGrained));
  CHECK(coherency(own.data()) == hipMemRangeCoherencyModeCoarseGrain);
  REQUIRE_HIP(hipHostUnregister(own.data()));
}

TEST_CASE("hip pointer: new memory at an address of advised memory has no advice") {
  for (int i = 0; i < 3; ++i) {
    const Managed memory(page);
    REQUIRE(number(hipMemRangeAttributeReadMostly, memory.data, page) == 0);
    REQUIRE_HIP(hipMemAdvise(memory.data, page, hipMemAdviseSetReadMostly, 0));
  }
}

TEST_CASE("hip pointer: several attributes of a range are stored at once, or none") {
  const Managed memory(page);
  const Memory device(page);
  REQUIRE_HIP(hipMemAdvise(memory.data, page, hipMemAdviseSetReadMostly, 0));
  int32_t read_mostly = 77, location = 77;
  void *data[] = {&read_mostly, &location};
  size_t sizes[] = {4, 4};
  hipMemRangeAttribute wanted[] = {hipMemRangeAttributeReadMostly,
                                   hipMemRangeAttributePreferredLocation};
  REQUIRE_HIP(hipMemRangeGetAttributes(data, sizes, wanted, 2, memory.data, page));
  REQUIRE(read_mostly == 1);
  REQUIRE(location == hipInvalidDeviceId);

  read_mostly = 77;
  REQUIRE(hipMemRangeGetAttributes(nullptr, sizes, wanted, 2, memory.data, page) ==
          hipErrorInvalidValue);
  REQUIRE(hipMemRangeGetAttributes(data, nullptr, wanted, 2, memory.data, page) ==
          hipErrorInvalidValue);
  REQUIRE(hipMemRangeGetAttributes(data, sizes, nullptr, 2, memory.data, page) ==
          hipErrorInvalidValue);
  REQUIRE(hipMemRangeGetAttributes(data, sizes, wanted, 0, memory.data, page) ==
          hipErrorInvalidValue);
  REQUIRE(hipMemRangeGetAttributes(data, sizes, wanted, 2, nullptr, page) == hipErrorInvalidValue);
  REQUIRE(hipMemRangeGetAttributes(data, sizes, wanted, 2, device.data, page) ==
          hipErrorInvalidValue);
  REQUIRE(hipMemRangeGetAttributes(data, sizes, wanted, 2, memory.data, 0) == hipErrorInvalidValue);
  REQUIRE(hipMemRangeGetAttributes(data, sizes, wanted, 2, memory.data, page + 1) ==
          hipErrorInvalidValue);
  sizes[1] = 8;
  REQUIRE(hipMemRangeGetAttributes(data, sizes, wanted, 2, memory.data, page) ==
          hipErrorInvalidValue);
  sizes[1] = 4;
  wanted[1] = hipMemRangeAttribute(99);
  REQUIRE(hipMemRangeGetAttributes(data, sizes, wanted, 2, memory.data, page) ==
          hipErrorInvalidValue);
  wanted[1] = hipMemRangeAttributeAccessedBy;
  sizes[1] = 6;
  REQUIRE(hipMemRangeGetAttributes(data, sizes, wanted, 2, memory.data, page) ==
          hipErrorInvalidValue);
  data[1] = nullptr;
  sizes[1] = 4;
  REQUIRE(hipMemRangeGetAttributes(data, sizes, wanted, 2, memory.data, page) ==
          hipErrorInvalidValue);
  REQUIRE(read_mostly == 77);
}

TEST_CASE("hip pointer: advice past the end, of nothing or unknown is refused") {
  const Managed memory(page);
  REQUIRE(hipMemAdvise(memory.data, page + 1, hipMemAdviseSetReadMostly, 0) ==
          hipErrorInvalidValue);
  REQUIRE(hipMemAdvise(memory.data, 0, hipMemAdviseSetReadMostly, 0) == hipErrorInvalidValue);
  REQUIRE(hipMemAdvise(memory.data, page, hipMemoryAdvise(50), 0) == hipErrorInvalidValue);
  REQUIRE(hipMemAdvise(memory.data, page, hipMemAdviseSetPreferredLocation, hipInvalidDeviceId) ==
          hipErrorInvalidDevice);
  REQUIRE_HIP(hipMemAdvise(memory.data, page, hipMemAdviseSetReadMostly, hipInvalidDeviceId));
}

TEST_CASE("hip pointer: managed memory is tied to streams, and what is not cannot be") {
  const Managed memory(page);
  const Memory device(page);
  const Streams streams(1);
  for (unsigned flag : {hipMemAttachGlobal, hipMemAttachHost, hipMemAttachSingle})
    REQUIRE_HIP(hipStreamAttachMemAsync(streams[0], memory.data, page, flag));
  REQUIRE_HIP(hipStreamAttachMemAsync(nullptr, memory.data, 0, hipMemAttachHost));
  REQUIRE(hipStreamAttachMemAsync(nullptr, memory.data, 0, hipMemAttachSingle) ==
          hipErrorInvalidValue);
  REQUIRE(hipStreamAttachMemAsync(streams[0], nullptr, 0, hipMemAttachHost) ==
          hipErrorInvalidValue);
  REQUIRE(hipStreamAttachMemAsync(streams[0], memory.data, page / 2, hipMemAttachHost) ==
          hipErrorInvalidValue);
  REQUIRE(hipStreamAttachMemAsync(streams[0], memory.data, 0, 7) == hipErrorInvalidValue);
  REQUIRE(hipStreamAttachMemAsync(streams[0], device.data, 0, hipMemAttachHost) ==
          hipErrorInvalidValue);
}

TEST_CASE("hip pointer: memory of the program is taken for managed where devices reach all of it") {
  int reaches_all = 0;
  REQUIRE_HIP(hipDeviceGetAttribute(&reaches_all, hipDeviceAttributePageableMemoryAccess, 0));
  const hipError_t expected = reaches_all ? hipSuccess : hipErrorInvalidValue;
  std::vector<char> own(page);
  REQUIRE(hipStreamAttachMemAsync(nullptr, own.data(), page, hipMemAttachHost) == expected);
  REQUIRE(hipMemAdvise(own.data(), page, hipMemAdviseSetPreferredLocation, 0) == expected);
  REQUIRE(hipMemPrefetchAsync(own.data(), page, 0, nullptr) == expected);

  const auto nowhere = reinterpret_cast<void *>(page);
  int32_t value = 0;
  REQUIRE(hipStreamAttachMemAsync(nullptr, own.data(), 0, hipMemAttachHost) ==
          hipErrorInvalidValue);
  REQUIRE(hipMemAdvise(own.data(), page, hipMemoryAdvise(50), 0) == hipErrorInvalidValue);
  REQUIRE(hipMemAdvise(own.data(), 0, hipMemAdviseSetReadMostly, 0) == hipErrorInvalidValue);
  REQUIRE(hipMemAdvise(nowhere, page, hipMemAdviseSetReadMostly, 0) == hipErrorInvalidValue);
  REQUIRE(hipMemPrefetchAsync(nowhere, page, 0, nullptr) == hipErrorInvalidValue);
  REQUIRE(hipMemRangeGetAttribute(&value, 4, hipMemRangeAttributeReadMostly, own.data(), page) ==
          hipErrorInvalidValue);
}
