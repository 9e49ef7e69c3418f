// HIP API reference: Memory management, stream-ordered memory allocator: pools. Which stream may have which block, and what that
// costs, is tested in tests/queue.
#include "fixture.h"

#include <cstdint>
#include <utility>
#include <vector>

using namespace fixture;

namespace {

hipMemPoolProps usual_properties() {
  hipMemPoolProps properties{};
  properties.allocType = hipMemAllocationTypePinned;
  properties.location = {hipMemLocationTypeDevice, 0};
  return properties;
}

class Pool {
public:
  explicit Pool(const hipMemPoolProps &properties = usual_properties()) {
    REQUIRE_HIP(hipMemPoolCreate(&pool_, &properties));
  }
  ~Pool() {
    if (pool_)
      (void)hipMemPoolDestroy(pool_);
  }
  Pool(const Pool &) = delete;
  operator hipMemPool_t() const { return pool_; }
  void destroy() { REQUIRE_HIP(hipMemPoolDestroy(std::exchange(pool_, nullptr))); }

private:
  hipMemPool_t pool_ = nullptr;
};

uint64_t size_attribute(hipMemPool_t pool, hipMemPoolAttr attribute) {
  uint64_t value = UINT64_MAX;
  REQUIRE_HIP(hipMemPoolGetAttribute(pool, attribute, &value));
  return value;
}

void set_threshold(hipMemPool_t pool, uint64_t bytes) {
  REQUIRE_HIP(hipMemPoolSetAttribute(pool, hipMemPoolAttrReleaseThreshold, &bytes));
}

hipError_t reset(hipMemPool_t pool, hipMemPoolAttr attribute, uint64_t value = 0) {
  return hipMemPoolSetAttribute(pool, attribute, &value);
}

void *allocate(hipMemPool_t pool, size_t bytes, hipStream_t stream) {
  void *memory = nullptr;
  REQUIRE_HIP(hipMallocFromPoolAsync(&memory, bytes, pool, stream));
  REQUIRE(memory != nullptr);
  return memory;
}

hipMemPool_t default_pool(int device = 0) {
  hipMemPool_t pool = nullptr;
  REQUIRE_HIP(hipDeviceGetDefaultMemPool(&pool, device));
  return pool;
}

hipMemPool_t current_pool(int device = 0) {
  hipMemPool_t pool = nullptr;
  REQUIRE_HIP(hipDeviceGetMemPool(&pool, device));
  return pool;
}

constexpr hipMemPoolAttr policies[] = {hipMemPoolReuseFollowEventDependencies,
                                       hipMemPoolReuseAllowOpportunistic,
                                       hipMemPoolReuseAllowInternalDependencies};
constexpr uint64_t mib = 1 << 20;

} // namespace

TEST_CASE("hip pool: devices have pools") {
  int value = 0;
  REQUIRE_HIP(hipDeviceGetAttribute(&value, hipDeviceAttributeMemoryPoolsSupported, 0));
  CHECK(value == 1);
  REQUIRE_HIP(hipDeviceGetAttribute(&value, hipDeviceAttributeMemoryPoolSupportedHandleTypes, 0));
  CHECK(value == hipMemHandleTypePosixFileDescriptor);
}

TEST_CASE("hip pool: policies are on at first, and are kept") {
  Pool created;
  for (const hipMemPool_t pool : {default_pool(), hipMemPool_t(created)})
    for (const hipMemPoolAttr policy : policies) {
      int value = 0;
      REQUIRE_HIP(hipMemPoolGetAttribute(pool, policy, &value));
      CHECK(value == 1);
      value = 0;
      REQUIRE_HIP(hipMemPoolSetAttribute(pool, policy, &value));
      value = 77;
      REQUIRE_HIP(hipMemPoolGetAttribute(pool, policy, &value));
      CHECK(value == 0);
      // The others are as they were.
      for (const hipMemPoolAttr other : policies) {
        REQUIRE_HIP(hipMemPoolGetAttribute(pool, other, &value));
        CHECK(value == (other != policy));
      }
      value = 2; // on, as any number but 0
      REQUIRE_HIP(hipMemPoolSetAttribute(pool, policy, &value));
      REQUIRE_HIP(hipMemPoolGetAttribute(pool, policy, &value));
      CHECK(value == 1);
    }
}

TEST_CASE("hip pool: used memory is what was asked for and is not freed, reserved memory is more") {
  Pool pool;
  Streams streams(1);
  CHECK(size_attribute(pool, hipMemPoolAttrReservedMemCurrent) == 0);
  CHECK(size_attribute(pool, hipMemPoolAttrReleaseThreshold) == 0);
  void *small = allocate(pool, 1000, streams[0]), *large = allocate(pool, 9 * mib, streams[0]);
  CHECK(size_attribute(pool, hipMemPoolAttrUsedMemCurrent) == 9 * mib + 1000);
  const uint64_t reserved = size_attribute(pool, hipMemPoolAttrReservedMemCurrent);
  CHECK(reserved >= 9 * mib + 1000);
  CHECK(size_attribute(pool, hipMemPoolAttrReservedMemHigh) == reserved);
  REQUIRE_HIP(hipFreeAsync(large, streams[0]));
  CHECK(size_attribute(pool, hipMemPoolAttrUsedMemCurrent) == 1000);
  CHECK(size_attribute(pool, hipMemPoolAttrUsedMemHigh) == 9 * mib + 1000);
  REQUIRE_HIP(reset(pool, hipMemPoolAttrUsedMemHigh));
  CHECK(size_attribute(pool, hipMemPoolAttrUsedMemHigh) == 0);
  void *other = allocate(pool, 500, streams[0]);
  CHECK(size_attribute(pool, hipMemPoolAttrUsedMemHigh) == 1500);
  REQUIRE_HIP(hipFree(small)); // in the host's order
  REQUIRE_HIP(hipFreeAsync(other, nullptr));
  CHECK(size_attribute(pool, hipMemPoolAttrUsedMemCurrent) == 0);
}

TEST_CASE("hip pool: a synchronisation takes out of the pool what is above its threshold") {
  Streams streams(1);
  Pool pool;
  const auto use = [&] {
    void *first = allocate(pool, 5 * mib, streams[0]),
         *second = allocate(pool, 7 * mib, streams[0]);
    REQUIRE_HIP(hipFreeAsync(first, streams[0]));
    REQUIRE_HIP(hipFreeAsync(second, streams[0]));
  };
  const auto reserved = [&] { return size_attribute(pool, hipMemPoolAttrReservedMemCurrent); };
  SECTION("of a stream") {
    use();
    REQUIRE(reserved() == 12 * mib);
    REQUIRE_HIP(hipStreamSynchronize(streams[0]));
    CHECK(reserved() == 0);
    CHECK(size_attribute(pool, hipMemPoolAttrReservedMemHigh) == 12 * mib);
  }
  SECTION("of the device") {
    use();
    REQUIRE_HIP(hipDeviceSynchronize());
    CHECK(reserved() == 0);
  }
  SECTION("of an event") {
    Event event;
    use();
    REQUIRE_HIP(hipEventRecord(event, streams[0]));
    REQUIRE_HIP(hipEventSynchronize(event));
    CHECK(reserved() == 0);
  }
  SECTION("but for what is below it") {
    set_threshold(pool, UINT64_MAX);
    use();
    REQUIRE_HIP(hipDeviceSynchronize());
    CHECK(reserved() == 12 * mib);
    set_threshold(pool, 8 * mib);
    REQUIRE_HIP(hipDeviceSynchronize());
    CHECK(reserved() <= 8 * mib);
    CHECK(reserved() > 0);
  }
  SECTION("also of what was freed before the pool came above it") {
    set_threshold(pool, 8 * mib);
    void *first = allocate(pool, 5 * mib, streams[0]);
    REQUIRE_HIP(hipFreeAsync(first, streams[0]));
    REQUIRE_HIP(hipDeviceSynchronize());
    CHECK(reserved() == 5 * mib);
    void *second = allocate(pool, 6 * mib, streams[0]);
    REQUIRE(reserved() == 11 * mib);
    REQUIRE_HIP(hipDeviceSynchronize());
    CHECK(reserved() == 6 * mib);
    REQUIRE_HIP(hipFree(second));
  }
  SECTION("and what is in use stays") {
    void *memory = allocate(pool, 5 * mib, streams[0]);
    REQUIRE_HIP(hipDeviceSynchronize());
    CHECK(reserved() == 5 * mib);
    REQUIRE_HIP(hipFree(memory));
  }
}

TEST_CASE("hip pool: trimming leaves what is asked for and what is in use") {
  Streams streams(1);
  Pool pool;
  set_threshold(pool, UINT64_MAX);
  void *used = allocate(pool, 3 * mib, streams[0]);
  for (const size_t bytes : {5 * mib, 7 * mib}) {
    void *memory = allocate(pool, bytes, streams[0]);
    REQUIRE_HIP(hipFreeAsync(memory, streams[0]));
  }
  REQUIRE_HIP(hipDeviceSynchronize());
  const auto reserved = [&] { return size_attribute(pool, hipMemPoolAttrReservedMemCurrent); };
  const uint64_t before = reserved();
  REQUIRE(before >= 10 * mib);
  REQUIRE_HIP(hipMemPoolTrimTo(pool, before));
  CHECK(reserved() == before);
  REQUIRE_HIP(hipMemPoolTrimTo(pool, before - 1));
  CHECK(reserved() < before);
  REQUIRE_HIP(hipMemPoolTrimTo(pool, 0));
  CHECK(reserved() == 3 * mib);
  REQUIRE_HIP(hipMemset(used, 1, 3 * mib));
  REQUIRE_HIP(hipFreeAsync(used, streams[0]));
}

TEST_CASE("hip pool: hipMemGetInfo counts what pools have, and hipMalloc is none of theirs") {
  const auto free_bytes = [] {
    size_t free = 0, total = 0;
    REQUIRE_HIP(hipMemGetInfo(&free, &total));
    return free;
  };
  Pool pool;
  const size_t before = free_bytes();
  void *memory = allocate(pool, 5 * mib, nullptr);
  CHECK(before - free_bytes() == 5 * mib);
  REQUIRE_HIP(hipFreeAsync(memory, nullptr));
  REQUIRE_HIP(hipDeviceSynchronize());
  CHECK(free_bytes() == before);

  const uint64_t used = size_attribute(default_pool(), hipMemPoolAttrUsedMemCurrent),
                 reserved = size_attribute(default_pool(), hipMemPoolAttrReservedMemCurrent);
  for (const size_t bytes : {size_t(4096), size_t(1) << 20}) {
    REQUIRE_HIP(hipMalloc(&memory, bytes));
    CHECK(before - free_bytes() == bytes);
    CHECK(size_attribute(default_pool(), hipMemPoolAttrUsedMemCurrent) == used);
    CHECK(size_attribute(default_pool(), hipMemPoolAttrReservedMemCurrent) == reserved);
    REQUIRE_HIP(hipFree(memory));
    CHECK(free_bytes() == before);
  }
}

TEST_CASE("hip pool: a pool has no more memory than it may have") {
  hipMemPoolProps properties = usual_properties();
  Streams streams(1);
  void *memory = nullptr;
  SECTION("of large blocks") {
    properties.maxSize = 100 * mib;
    Pool pool(properties);
    void *first = allocate(pool, 65 * mib, streams[0]);
    CHECK(hipMallocFromPoolAsync(&memory, 36 * mib, pool, streams[0]) == hipErrorOutOfMemory);
    CHECK(memory == nullptr);
    void *second = allocate(pool, 20 * mib, streams[0]);
    REQUIRE_HIP(hipFreeAsync(first, streams[0]));
    REQUIRE_HIP(hipFreeAsync(second, streams[0]));
    // All of it, and as often as it is wanted.
    for (int i = 0; i < 3; ++i) {
      memory = allocate(pool, 100 * mib - 5, streams[0]);
      REQUIRE_HIP(hipFreeAsync(memory, streams[0]));
    }
    CHECK(size_attribute(pool, hipMemPoolAttrReservedMemHigh) <= 100 * mib);
  }
  SECTION("of small ones") {
    properties.maxSize = 4096;
    Pool pool(properties);
    void *first = allocate(pool, 2048, streams[0]), *second = allocate(pool, 2000, streams[0]);
    CHECK(hipMallocFromPoolAsync(&memory, 1, pool, streams[0]) == hipErrorOutOfMemory);
    REQUIRE_HIP(hipFreeAsync(first, streams[0]));
    CHECK(allocate(pool, 2048, streams[0]) == first);
    REQUIRE_HIP(hipFreeAsync(first, streams[0]));
    REQUIRE_HIP(hipFreeAsync(second, streams[0]));
  }
}

TEST_CASE("hip pool: memory outlives its pool, and can be freed in any way") {
  Streams streams(1);
  std::vector<void *> blocks;
  {
    Pool pool;
    for (int i = 0; i < 4; ++i)
      blocks.push_back(allocate(pool, 3000, streams[0]));
    REQUIRE_HIP(hipFreeAsync(blocks[0], streams[0]));
    const hipMemPool_t handle = pool;
    pool.destroy();
    CHECK(hipMemPoolDestroy(handle) == hipErrorInvalidValue);
    void *memory = nullptr;
    CHECK(hipMallocFromPoolAsync(&memory, 64, handle, streams[0]) == hipErrorInvalidValue);
    CHECK(hipMemPoolTrimTo(handle, 0) == hipErrorInvalidValue);
  }
  Pool other; // which may be the same object
  REQUIRE_HIP(hipMemset(blocks[1], 1, 3000));
  REQUIRE_HIP(hipMemsetAsync(blocks[2], 2, 3000, streams[0]));
  hipPointerAttribute_t attributes;
  REQUIRE_HIP(hipPointerGetAttributes(&attributes, blocks[1]));
  CHECK(attributes.type == hipMemoryTypeDevice);
  REQUIRE_HIP(hipFreeAsync(blocks[1], nullptr));
  REQUIRE_HIP(hipFreeAsync(blocks[2], streams[0]));
  REQUIRE_HIP(hipFree(blocks[3]));
  CHECK(hipFree(blocks[3]) == hipErrorInvalidValue);
  CHECK(size_attribute(other, hipMemPoolAttrReservedMemCurrent) == 0);
  REQUIRE_HIP(hipDeviceSynchronize());
}

TEST_CASE("hip pool: hipMallocAsync takes memory from the current pool of the device") {
  Streams streams(1);
  CHECK(current_pool() == default_pool());
  Pool pool;
  CHECK(current_pool() == default_pool());
  REQUIRE_HIP(hipDeviceSetMemPool(0, pool));
  CHECK(current_pool() == hipMemPool_t(pool));
  void *memory = nullptr;
  REQUIRE_HIP(hipMallocAsync(&memory, 1000, streams[0]));
  CHECK(size_attribute(pool, hipMemPoolAttrUsedMemCurrent) == 1000);
  // It is freed to the pool that it is of, whichever is the current one.
  REQUIRE_HIP(hipDeviceSetMemPool(0, default_pool()));
  REQUIRE_HIP(hipFreeAsync(memory, streams[0]));
  CHECK(size_attribute(pool, hipMemPoolAttrUsedMemCurrent) == 0);
  REQUIRE_HIP(hipDeviceSetMemPool(0, pool));
  pool.destroy();
  CHECK(current_pool() == default_pool());
  REQUIRE_HIP(hipMallocAsync(&memory, 1000, streams[0]));
  REQUIRE_HIP(hipFreeAsync(memory, streams[0]));
}

TEST_CASE("hip pool: a device reset ends pools and empties the default one") {
  size_t before = 0, free_bytes = 0, total = 0;
  REQUIRE_HIP(hipMemGetInfo(&before, &total));
  Pool pool;
  void *own = allocate(pool, 5000, nullptr), *of_default = nullptr, *small = nullptr;
  REQUIRE_HIP(hipMallocAsync(&of_default, 5000, nullptr));
  REQUIRE_HIP(hipMalloc(&small, 5000));
  REQUIRE_HIP(hipDeviceSetMemPool(0, pool));
  REQUIRE_HIP(hipDeviceReset());
  for (void *memory : {own, of_default, small})
    CHECK(hipFree(memory) == hipErrorInvalidValue);
  CHECK(hipMemPoolTrimTo(pool, 0) == hipErrorInvalidValue);
  CHECK(current_pool() == default_pool());
  CHECK(size_attribute(default_pool(), hipMemPoolAttrReservedMemCurrent) == 0);
  CHECK(size_attribute(default_pool(), hipMemPoolAttrUsedMemCurrent) == 0);
  REQUIRE_HIP(hipMemGetInfo(&free_bytes, &total));
  CHECK(free_bytes >= before);
  REQUIRE_HIP(hipMallocAsync(&of_default, 5000, nullptr));
  REQUIRE_HIP(hipFreeAsync(of_default, nullptr));
}

TEST_CASE("hip pool: access is remembered, and the pool's own device keeps its own") {
  Pool pool;
  hipMemAccessDesc own{{hipMemLocationTypeDevice, 0}, hipMemAccessFlagsProtRead};
  hipMemAccessFlags flags = hipMemAccessFlagsProtNone;
  hipMemLocation location = own.location;
  REQUIRE_HIP(hipMemPoolGetAccess(&flags, pool, &location));
  CHECK(flags == hipMemAccessFlagsProtReadWrite);
  REQUIRE_HIP(hipMemPoolSetAccess(pool, &own, 1));
  REQUIRE_HIP(hipMemPoolSetAccess(pool, &own, 0));
  REQUIRE_HIP(hipMemPoolGetAccess(&flags, pool, &location));
  CHECK(flags == hipMemAccessFlagsProtReadWrite);
}

TEST_CASE("hip pool: arguments that are not valid are refused") {
  Pool pool;
  const hipMemPool_t none = nullptr;
  int count = 0, number = 1;
  uint64_t size = 1;
  void *memory = nullptr;
  REQUIRE_HIP(hipGetDeviceCount(&count));

  hipMemPool_t made = nullptr;
  hipMemPoolProps usual = usual_properties();
  CHECK(hipMemPoolCreate(nullptr, &usual) == hipErrorInvalidValue);
  CHECK(hipMemPoolCreate(&made, nullptr) == hipErrorInvalidValue);
  const auto refuses = [&](auto &&change) {
    hipMemPoolProps properties = usual_properties();
    change(properties);
    CHECK(hipMemPoolCreate(&made, &properties) == hipErrorInvalidValue);
    CHECK(made == nullptr);
  };
  refuses([](auto &p) { p.allocType = hipMemAllocationTypeInvalid; });
  refuses([](auto &p) { p.handleTypes = hipMemHandleTypeWin32; });
  refuses([](auto &p) { p.location.type = hipMemLocationTypeInvalid; });
  refuses([](auto &p) { p.location.id = -1; });
  refuses([&](auto &p) { p.location.id = count; });

  CHECK(hipMemPoolDestroy(none) == hipErrorInvalidValue);
  CHECK(hipMemPoolDestroy(default_pool()) == hipErrorInvalidValue);
  CHECK(hipMemPoolTrimTo(none, 0) == hipErrorInvalidValue);
  CHECK(hipMallocFromPoolAsync(nullptr, 8, pool, nullptr) == hipErrorInvalidValue);
  CHECK(hipMallocFromPoolAsync(&memory, 8, none, nullptr) == hipErrorInvalidValue);
  CHECK(hipMallocFromPoolAsync(&memory, 0, none, nullptr) == hipErrorInvalidValue);
  CHECK(hipMallocFromPoolAsync(&memory, SIZE_MAX, pool, nullptr) == hipErrorOutOfMemory);
  REQUIRE_HIP(hipMallocFromPoolAsync(&memory, 0, pool, nullptr));
  CHECK(memory == nullptr);
  const auto no_stream = reinterpret_cast<hipStream_t>(-1);
  CHECK(hipMallocAsync(&memory, 8, no_stream) == hipErrorInvalidHandle);
  CHECK(hipMallocFromPoolAsync(&memory, 8, pool, no_stream) == hipErrorInvalidHandle);
  memory = allocate(pool, 8, nullptr);
  CHECK(hipFreeAsync(memory, no_stream) == hipErrorInvalidHandle);
  REQUIRE_HIP(hipFreeAsync(memory, nullptr));

  CHECK(hipMemPoolSetAttribute(none, policies[0], &number) == hipErrorInvalidValue);
  CHECK(hipMemPoolGetAttribute(none, policies[0], &number) == hipErrorInvalidValue);
  for (const hipMemPoolAttr attribute : {policies[0], hipMemPoolAttrReleaseThreshold}) {
    CHECK(hipMemPoolSetAttribute(pool, attribute, nullptr) == hipErrorInvalidValue);
    CHECK(hipMemPoolGetAttribute(pool, attribute, nullptr) == hipErrorInvalidValue);
  }
  for (const hipMemPoolAttr attribute : {hipMemPoolAttr(0), hipMemPoolAttr(9)}) {
    CHECK(hipMemPoolSetAttribute(pool, attribute, &size) == hipErrorInvalidValue);
    CHECK(hipMemPoolGetAttribute(pool, attribute, &size) == hipErrorInvalidValue);
  }
  for (const hipMemPoolAttr attribute :
       {hipMemPoolAttrUsedMemHigh, hipMemPoolAttrReservedMemHigh, hipMemPoolAttrUsedMemCurrent,
        hipMemPoolAttrReservedMemCurrent})
    CHECK(reset(pool, attribute, 1) == hipErrorInvalidValue);
  for (const hipMemPoolAttr attribute :
       {hipMemPoolAttrUsedMemCurrent, hipMemPoolAttrReservedMemCurrent})
    CHECK(reset(pool, attribute) == hipErrorInvalidValue);

  hipMemPool_t found = nullptr;
  CHECK(hipDeviceGetDefaultMemPool(nullptr, 0) == hipErrorInvalidValue);
  CHECK(hipDeviceGetMemPool(nullptr, 0) == hipErrorInvalidValue);
  CHECK(hipDeviceSetMemPool(0, none) == hipErrorInvalidValue);
  for (const int device : {-1, count}) {
    CHECK(hipDeviceGetDefaultMemPool(&found, device) == hipErrorInvalidDevice);
    CHECK(hipDeviceGetMemPool(&found, device) == hipErrorInvalidValue);
    CHECK(hipDeviceSetMemPool(device, pool) == hipErrorInvalidValue);
  }

  hipMemAccessDesc access{{hipMemLocationTypeDevice, 0}, hipMemAccessFlagsProtReadWrite};
  CHECK(hipMemPoolSetAccess(none, &access, 1) == hipErrorInvalidValue);
  CHECK(hipMemPoolSetAccess(pool, nullptr, 1) == hipErrorInvalidValue);
  CHECK(hipMemPoolSetAccess(pool, &access, size_t(count) + 1) == hipErrorInvalidDevice);
  const auto refuses_access = [&](hipError_t error, auto &&change) {
    hipMemAccessDesc changed = access;
    change(changed);
    CHECK(hipMemPoolSetAccess(pool, &changed, 1) == error);
  };
  refuses_access(hipErrorInvalidValue,
                 [](auto &a) { a.location.type = hipMemLocationTypeInvalid; });
  refuses_access(hipErrorInvalidValue, [](auto &a) { a.flags = hipMemAccessFlags(0xffff); });
  refuses_access(hipErrorInvalidDevice, [](auto &a) { a.location.id = -1; });
  refuses_access(hipErrorInvalidDevice, [&](auto &a) { a.location.id = count; });
  refuses_access(hipErrorInvalidDevice, [](auto &a) { a.flags = hipMemAccessFlagsProtNone; });

  hipMemAccessFlags flags{};
  hipMemLocation location{hipMemLocationTypeDevice, 0};
  CHECK(hipMemPoolGetAccess(nullptr, pool, &location) == hipErrorInvalidValue);
  CHECK(hipMemPoolGetAccess(&flags, none, &location) == hipErrorInvalidValue);
  CHECK(hipMemPoolGetAccess(&flags, pool, nullptr) == hipErrorInvalidValue);
  for (const int device : {-1, count}) {
    location.id = device;
    CHECK(hipMemPoolGetAccess(&flags, pool, &location) == hipErrorInvalidValue);
  }
  location = {hipMemLocationTypeInvalid, 0};
  CHECK(hipMemPoolGetAccess(&flags, pool, &location) == hipErrorInvalidValue);
}

TEST_CASE("hip pool: memory of a captured allocation is of the pool's device") {
  Streams streams(1);
  Pool pool;
  hipGraph_t graph = nullptr;
  void *memory = nullptr;
  REQUIRE_HIP(hipStreamBeginCapture(streams[0], hipStreamCaptureModeGlobal));
  REQUIRE_HIP(hipMallocFromPoolAsync(&memory, 4096, pool, streams[0]));
  REQUIRE_HIP(hipFreeAsync(memory, streams[0]));
  REQUIRE_HIP(hipStreamEndCapture(streams[0], &graph));
  size_t nodes = 0;
  REQUIRE_HIP(hipGraphGetNodes(graph, nullptr, &nodes));
  CHECK(nodes == 2);
  // Graphs have memory of their own, which is told by attributes of their own.
  CHECK(size_attribute(pool, hipMemPoolAttrUsedMemHigh) == 0);
  REQUIRE_HIP(hipGraphDestroy(graph));
}
