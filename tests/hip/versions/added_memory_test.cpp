// Functions that HIP 7 has added: copies, fills, managed memory, pools.
#define HIP_FORCE_API_VERSION 700
#include "fixture.h"

#include <algorithm>
#include <vector>

using namespace fixture;

namespace {

template <class T> class DeviceMemory {
public:
  explicit DeviceMemory(size_t count) : count_(count) {
    REQUIRE_HIP(hipMalloc(reinterpret_cast<void **>(&data_), count * sizeof(T)));
    REQUIRE_HIP(hipMemset(data_, 0, count * sizeof(T)));
  }
  ~DeviceMemory() { (void)hipFree(data_); }
  DeviceMemory(const DeviceMemory &) = delete;
  T *get() const { return data_; }
  std::vector<T> read() const {
    std::vector<T> values(count_);
    REQUIRE_HIP(hipMemcpy(values.data(), data_, count_ * sizeof(T), hipMemcpyDeviceToHost));
    return values;
  }

private:
  T *data_ = nullptr;
  size_t count_;
};

} // namespace

// ---- Copies and fills

TEST_CASE("hip 7 copies: a batch copies all", "[results]") {
  const DeviceMemory<int> first(16), second(16);
  int source[16], target[16] = {};
  for (int i = 0; i < 16; ++i)
    source[i] = i + 1;
  const Streams streams(1, hipStreamNonBlocking);
  void *dsts[] = {first.get(), second.get(), second.get() + 8},
       *srcs[] = {source, source, source + 8};
  size_t sizes[] = {sizeof source, 8 * sizeof(int), 8 * sizeof(int)}, failed = 7;
  hipMemcpyAttributes attributes[2] = {};
  attributes[0].srcAccessOrder = hipMemcpySrcAccessOrderStream;
  attributes[1].srcAccessOrder = hipMemcpySrcAccessOrderDuringApiCall;
  size_t indices[] = {0, 2};
  REQUIRE_HIP(
      hipMemcpyBatchAsync(dsts, srcs, sizes, 3, attributes, indices, 2, &failed, streams[0]));
  CHECK(failed == SIZE_MAX);
  REQUIRE_HIP(hipStreamSynchronize(streams[0]));
  CHECK(std::ranges::equal(first.read(), source));
  CHECK(std::ranges::equal(second.read(), source));
  void *back[] = {target}, *from[] = {second.get()};
  REQUIRE_HIP(hipMemcpyBatchAsync(back, from, sizes, 1, nullptr, nullptr, 0, nullptr, streams[0]));
  REQUIRE_HIP(hipStreamSynchronize(streams[0]));
  CHECK(std::ranges::equal(target, source));
}

TEST_CASE("hip 7 copies: a batch tells which copy is not possible") {
  const DeviceMemory<int> memory(16);
  void *dsts[] = {memory.get(), memory.get() + 8, memory.get() + 12},
       *srcs[] = {memory.get() + 4, memory.get(), memory.get()};
  size_t sizes[] = {4, 4, 64}, failed = 77;
  CHECK(hipMemcpyBatchAsync(dsts, srcs, sizes, 3, nullptr, nullptr, 0, &failed, nullptr) ==
        hipErrorInvalidValue);
  CHECK(failed == 2);
  dsts[1] = nullptr;
  CHECK(hipMemcpyBatchAsync(dsts, srcs, sizes, 3, nullptr, nullptr, 0, &failed, nullptr) ==
        hipErrorInvalidValue);
  CHECK(failed == 1);
  dsts[1] = memory.get();
  sizes[1] = 0;
  CHECK(hipMemcpyBatchAsync(dsts, srcs, sizes, 3, nullptr, nullptr, 0, &failed, nullptr) ==
        hipErrorInvalidValue);
  CHECK(failed == 1);
  sizes[1] = 4;
  const auto refused = [&](void **to, void **from, size_t *bytes, size_t count,
                           hipMemcpyAttributes *attributes, size_t *indices, size_t number) {
    failed = 77;
    return hipMemcpyBatchAsync(to, from, bytes, count, attributes, indices, number, &failed,
                               nullptr) == hipErrorInvalidValue &&
           failed == SIZE_MAX;
  };
  hipMemcpyAttributes attributes[2] = {};
  attributes[0].srcAccessOrder = attributes[1].srcAccessOrder = hipMemcpySrcAccessOrderAny;
  size_t indices[] = {0, 1};
  CHECK(refused(nullptr, srcs, sizes, 1, nullptr, nullptr, 0));
  CHECK(refused(dsts, nullptr, sizes, 1, nullptr, nullptr, 0));
  CHECK(refused(dsts, srcs, nullptr, 1, nullptr, nullptr, 0));
  CHECK(refused(dsts, srcs, sizes, 0, nullptr, nullptr, 0));
  CHECK(refused(dsts, srcs, sizes, 1, attributes, indices, 2)); // more than copies
  CHECK(refused(dsts, srcs, sizes, 1, nullptr, indices, 1));
  CHECK(refused(dsts, srcs, sizes, 1, attributes, nullptr, 1));
  indices[0] = 1;
  CHECK(refused(dsts, srcs, sizes, 2, attributes, indices, 2));
  indices[0] = 0, indices[1] = 2;
  CHECK(refused(dsts, srcs, sizes, 2, attributes, indices, 2));
  attributes[0].srcAccessOrder = hipMemcpySrcAccessOrderInvalid;
  CHECK(refused(dsts, srcs, sizes, 1, attributes, indices, 1));
  attributes[0].srcAccessOrder = hipMemcpySrcAccessOrderAny;
  attributes[0].flags = 2;
  CHECK(refused(dsts, srcs, sizes, 1, attributes, indices, 1));
}

TEST_CASE("hip 7 copies: a batch of boxes copies between memory and arrays", "[results]") {
  const hipChannelFormatDesc floats = {32, 0, 0, 0, hipChannelFormatKindFloat};
  hipArray_t array = nullptr;
  REQUIRE_HIP(hipMallocArray(&array, &floats, 8, 4));
  const DeviceMemory<float> target(4 * 16);
  float source[4][8];
  for (int y = 0; y < 4; ++y)
    for (int x = 0; x < 8; ++x)
      source[y][x] = float(10 * y + x);
  hipMemcpy3DBatchOp into{};
  into.src.type = hipMemcpyOperandTypePointer;
  into.src.op.ptr.ptr = source;
  into.dst.type = hipMemcpyOperandTypeArray;
  into.dst.op.array.array = array;
  into.extent = {8, 4, 1};
  into.srcAccessOrder = hipMemcpySrcAccessOrderDuringApiCall;
  size_t failed = 7;
  REQUIRE_HIP(hipMemcpy3DBatchAsync(1, &into, &failed, 0, nullptr));
  CHECK(failed == SIZE_MAX);
  hipMemcpy3DBatchOp out{};
  out.src.type = hipMemcpyOperandTypeArray;
  out.src.op.array.array = array;
  out.src.op.array.offset = {2, 1, 0};
  out.dst.type = hipMemcpyOperandTypePointer;
  out.dst.op.ptr.ptr = target.get();
  out.dst.op.ptr.rowLength = 16;
  out.extent = {4, 2, 1};
  out.srcAccessOrder = hipMemcpySrcAccessOrderStream;
  REQUIRE_HIP(hipMemcpy3DBatchAsync(1, &out, nullptr, 0, nullptr));
  REQUIRE_HIP(hipDeviceSynchronize());
  const std::vector<float> read = target.read();
  for (int y = 0; y < 2; ++y)
    for (int x = 0; x < 4; ++x)
      CHECK(read[size_t(16 * y + x)] == source[y + 1][x + 2]);
  CHECK(read[4] == 0);

  const auto refused = [&](hipMemcpy3DBatchOp operation, size_t index = 0) {
    failed = 7;
    return hipMemcpy3DBatchAsync(1, &operation, &failed, 0, nullptr) == hipErrorInvalidValue &&
           failed == index;
  };
  hipMemcpy3DBatchOp wrong = out;
  wrong.srcAccessOrder = hipMemcpySrcAccessOrderInvalid;
  CHECK(refused(wrong));
  wrong = out;
  wrong.src.type = hipMemcpy3DOperandType(3);
  CHECK(refused(wrong));
  wrong = out;
  wrong.src.op.array.offset.x = 5;
  CHECK(refused(wrong));
  wrong = out;
  wrong.extent.width = SIZE_MAX / 2;
  CHECK(refused(wrong));
  wrong = out;
  wrong.dst.op.ptr.rowLength = 3; // less than the width
  CHECK(refused(wrong));
  CHECK(hipMemcpy3DBatchAsync(1, &out, nullptr, 1, nullptr) == hipErrorInvalidValue);
  CHECK(hipMemcpy3DBatchAsync(0, &out, nullptr, 0, nullptr) == hipErrorInvalidValue);
  CHECK(hipMemcpy3DBatchAsync(1, nullptr, nullptr, 0, nullptr) == hipErrorInvalidValue);
  REQUIRE_HIP(hipFreeArray(array));
}

TEST_CASE("hip 7 copies: hipMemcpy3DPeer copies a box", "[results]") {
  const DeviceMemory<char> from(64), to(64);
  REQUIRE_HIP(hipMemset(from.get(), 5, 64));
  hipMemcpy3DPeerParms copy{};
  copy.srcPtr = {from.get(), 16, 16, 4};
  copy.dstPtr = {to.get(), 8, 8, 8};
  copy.extent = {8, 4, 1};
  SECTION("and waits") { REQUIRE_HIP(hipMemcpy3DPeer(&copy)); }
  SECTION("in a stream") {
    REQUIRE_HIP(hipMemcpy3DPeerAsync(&copy, nullptr));
    REQUIRE_HIP(hipDeviceSynchronize());
  }
  const std::vector<char> read = to.read();
  CHECK(std::count(read.begin(), read.end(), 5) == 32);
  CHECK(std::all_of(read.begin(), read.begin() + 32, [](char c) { return c == 5; }));
  copy.srcDevice = 99;
  CHECK(hipMemcpy3DPeer(&copy) == hipErrorInvalidDevice);
  CHECK(hipMemcpy3DPeer(nullptr) == hipErrorInvalidValue);
  CHECK(hipMemcpy3DPeerAsync(nullptr, nullptr) == hipErrorInvalidValue);
}

TEST_CASE("hip 7 fills: rows of elements are set and what is between them is not", "[results]") {
  const DeviceMemory<unsigned> memory(64);
  const auto set = [&](size_t from, size_t to, size_t row_bytes) {
    const std::vector<unsigned> words = memory.read();
    const auto *bytes = reinterpret_cast<const unsigned char *>(words.data());
    for (size_t row = from; row < to; ++row)
      for (size_t i = 0; i < 32; ++i)
        if ((bytes[32 * row + i] != 0) != (i < row_bytes))
          return false;
    return true;
  };
  REQUIRE_HIP(hipMemsetD2D8(memory.get(), 32, 0x11, 3, 2));
  CHECK(set(0, 2, 3));
  CHECK(set(2, 8, 0));
  REQUIRE_HIP(hipMemsetD2D16(memory.get() + 16, 32, 0x2233, 5, 2));
  CHECK(set(2, 4, 10));
  REQUIRE_HIP(hipMemsetD2D32Async(memory.get() + 32, 32, 0x44556677, 7, 2, nullptr));
  REQUIRE_HIP(hipMemsetD2D16Async(memory.get() + 48, 32, 0x2233, 1, 1, nullptr));
  REQUIRE_HIP(hipMemsetD2D8Async(memory.get() + 56, 32, 0x11, 1, 1, nullptr));
  REQUIRE_HIP(hipDeviceSynchronize());
  CHECK(set(4, 6, 28));
  CHECK(set(6, 7, 2));
  CHECK(set(7, 8, 1));
  CHECK(memory.read()[32] == 0x44556677);
  REQUIRE_HIP(hipMemsetD2D32(memory.get(), 32, 0, 8, 8));
  CHECK(set(0, 8, 0));
}

TEST_CASE("hip 7 fills: what cannot be filled is refused") {
  const DeviceMemory<unsigned> memory(64);
  unsigned own[16];
  CHECK(hipMemsetD2D8(own, 8, 1, 4, 1) == hipErrorInvalidValue);
  CHECK(hipMemsetD2D8(nullptr, 8, 1, 4, 1) == hipErrorInvalidValue);
  CHECK(hipMemsetD2D8(memory.get(), 3, 1, 4, 2) == hipErrorInvalidValue);
  CHECK(hipMemsetD2D8(memory.get(), 1024, 1, 4, 2) == hipErrorInvalidValue);
  CHECK(hipMemsetD2D32(reinterpret_cast<char *>(memory.get()) + 2, 32, 1, 4, 2) ==
        hipErrorInvalidValue);
  CHECK(hipMemsetD2D32(memory.get(), 32, 1, SIZE_MAX / 2, 1) == hipErrorInvalidValue);
  CHECK(hipMemsetD2D16(memory.get(), 32, 1, 0, 5) == hipSuccess);
}

// ---- Managed memory

TEST_CASE("hip 7 memory: advice and prefetches have locations") {
  void *memory = nullptr;
  REQUIRE_HIP(hipMallocManaged(&memory, 4096, hipMemAttachGlobal));
  const hipMemLocation device = {hipMemLocationTypeDevice, 0}, host = {hipMemLocationTypeHost, 0},
                       node = {hipMemLocationTypeHostNuma, 0}, none = {hipMemLocationTypeNone, 0},
                       missing = {hipMemLocationTypeDevice, 99};
  for (const hipMemLocation location : {device, host, node}) {
    CHECK(hipMemAdvise_v2(memory, 4096, hipMemAdviseSetPreferredLocation, location) == hipSuccess);
    CHECK(hipMemPrefetchAsync_v2(memory, 4096, location, 0, nullptr) == hipSuccess);
  }
  CHECK(hipMemAdvise_v2(memory, 4096, hipMemAdviseSetReadMostly, none) == hipSuccess);
  CHECK(hipMemAdvise_v2(memory, 4096, hipMemAdviseSetAccessedBy, none) == hipErrorInvalidValue);
  CHECK(hipMemAdvise_v2(memory, 4096, hipMemAdviseSetAccessedBy, missing) == hipErrorInvalidDevice);
  CHECK(hipMemAdvise_v2(memory, 0, hipMemAdviseSetReadMostly, none) == hipErrorInvalidValue);
  const DeviceMemory<int> other(16); // not managed
  CHECK(hipMemAdvise_v2(other.get(), 8, hipMemAdviseSetReadMostly, none) == hipErrorInvalidValue);
  CHECK(hipMemPrefetchAsync_v2(memory, 4096, none, 0, nullptr) == hipErrorInvalidValue);
  CHECK(hipMemPrefetchAsync_v2(memory, 4096, missing, 0, nullptr) == hipErrorInvalidDevice);
  CHECK(hipMemPrefetchAsync_v2(memory, 4096, device, 1, nullptr) == hipErrorInvalidValue);
  CHECK(hipMemPrefetchAsync_v2(memory, 8192, device, 0, nullptr) == hipErrorInvalidValue);
  REQUIRE_HIP(hipDeviceSynchronize());
  REQUIRE_HIP(hipFree(memory));
}

TEST_CASE("hip 7 memory: a batch of prefetches has locations for its ranges") {
  void *memory = nullptr;
  REQUIRE_HIP(hipMallocManaged(&memory, 3 * 4096, hipMemAttachGlobal));
  char *bytes = static_cast<char *>(memory);
  void *addresses[] = {bytes, bytes + 4096, bytes + 8192};
  size_t sizes[] = {4096, 4096, 4096}, indices[] = {0, 2};
  hipMemLocation locations[] = {{hipMemLocationTypeDevice, 0}, {hipMemLocationTypeHost, 0}};
  const Streams streams(1);
  const auto prefetch = [&](size_t count, size_t location_count, unsigned long long flags = 0) {
    return hipMemPrefetchBatchAsync(addresses, sizes, count, locations, indices, location_count,
                                    flags, streams[0]);
  };
  const auto last = [&](int page) {
    int device = 77;
    REQUIRE_HIP(hipMemRangeGetAttribute(&device, sizeof device,
                                        hipMemRangeAttributeLastPrefetchLocation,
                                        bytes + page * 4096, 4096));
    return device;
  };
  REQUIRE_HIP(prefetch(3, 2));
  CHECK(last(0) == 0);
  CHECK(last(1) == 0);
  CHECK(last(2) == hipCpuDeviceId);
  // Nothing is moved where something is wrong.
  locations[0].type = hipMemLocationTypeHost;
  sizes[2] = 8192;
  CHECK(prefetch(3, 2) == hipErrorInvalidValue);
  sizes[2] = 0;
  CHECK(prefetch(3, 2) == hipErrorInvalidValue);
  sizes[2] = 4096;
  locations[1] = {hipMemLocationTypeDevice, 99};
  CHECK(prefetch(3, 2) == hipErrorInvalidDevice);
  locations[1].type = hipMemLocationTypeNone;
  CHECK(prefetch(3, 2) == hipErrorInvalidValue);
  CHECK(last(0) == 0);
  CHECK(prefetch(3, 0) == hipErrorInvalidValue);
  CHECK(prefetch(0, 1) == hipErrorInvalidValue);
  CHECK(prefetch(1, 1, 1) == hipErrorInvalidValue);
  CHECK(prefetch(2, 2) == hipErrorInvalidValue); // an index of no range
  CHECK(hipMemPrefetchBatchAsync(nullptr, sizes, 1, locations, indices, 1, 0, streams[0]) ==
        hipErrorInvalidValue);
  CHECK(hipMemPrefetchBatchAsync(addresses, nullptr, 1, locations, indices, 1, 0, streams[0]) ==
        hipErrorInvalidValue);
  CHECK(hipMemPrefetchBatchAsync(addresses, sizes, 1, nullptr, indices, 1, 0, streams[0]) ==
        hipErrorInvalidValue);
  CHECK(hipMemPrefetchBatchAsync(addresses, sizes, 1, locations, nullptr, 1, 0, streams[0]) ==
        hipErrorInvalidValue);
  CHECK(hipMemPrefetchBatchAsync(addresses, sizes, 1, locations, indices, 1, 0, nullptr) ==
        hipErrorInvalidValue);
  REQUIRE_HIP(hipStreamSynchronize(streams[0]));
  REQUIRE_HIP(hipFree(memory));
}

TEST_CASE("hip 7 memory: the pool of a location is that of its device") {
  hipMemLocation device = {hipMemLocationTypeDevice, 0}, missing = {hipMemLocationTypeDevice, 99},
                 host = {hipMemLocationTypeHost, 0};
  const auto pinned = hipMemAllocationTypePinned, uncached = hipMemAllocationTypeUncached;
  hipMemPoolProps properties{};
  properties.allocType = pinned;
  properties.location = device;
  hipMemPool_t first = nullptr, pool = nullptr, found = nullptr;
  REQUIRE_HIP(hipMemGetMemPool(&first, &device, pinned));
  REQUIRE_HIP(hipDeviceGetMemPool(&found, 0));
  CHECK(found == first);
  REQUIRE_HIP(hipMemPoolCreate(&pool, &properties));
  REQUIRE_HIP(hipMemSetMemPool(&device, pinned, pool));
  REQUIRE_HIP(hipMemGetMemPool(&found, &device, pinned));
  CHECK(found == pool);
  REQUIRE_HIP(hipDeviceGetMemPool(&found, 0));
  CHECK(found == pool);
  for (hipMemLocation *location : {&missing, &host, static_cast<hipMemLocation *>(nullptr)}) {
    CHECK(hipMemSetMemPool(location, pinned, pool) == hipErrorInvalidValue);
    CHECK(hipMemGetMemPool(&found, location, pinned) == hipErrorInvalidValue);
  }
  CHECK(hipMemSetMemPool(&device, uncached, pool) == hipErrorInvalidValue);
  CHECK(hipMemGetMemPool(&found, &device, uncached) == hipErrorInvalidValue);
  CHECK(hipMemGetMemPool(nullptr, &device, pinned) == hipErrorInvalidValue);
  CHECK(hipMemSetMemPool(&device, pinned, nullptr) == hipErrorInvalidValue);
  REQUIRE_HIP(hipMemPoolDestroy(pool));
  CHECK(hipMemSetMemPool(&device, pinned, pool) == hipErrorInvalidValue);
}

TEST_CASE("hip 7 memory: there are no handles for others") {
  const DeviceMemory<int> memory(16);
  const auto fd = hipMemRangeHandleTypeDmaBufFd;
  int handle = 0;
  CHECK(hipMemGetHandleForAddressRange(&handle, memory.get(), 64, fd, 0) == hipErrorNotSupported);
  CHECK(hipMemGetHandleForAddressRange(nullptr, memory.get(), 64, fd, 0) == hipErrorInvalidValue);
  CHECK(hipMemGetHandleForAddressRange(&handle, &handle, 4, fd, 0) == hipErrorInvalidValue);
  CHECK(hipMemGetHandleForAddressRange(&handle, memory.get(), 0, fd, 0) == hipErrorInvalidValue);
  CHECK(hipMemGetHandleForAddressRange(&handle, memory.get(), 64, hipMemRangeHandleType(2), 0) ==
        hipErrorInvalidValue);
}
