// The overloads for C++ hand everything on to the functions of C, which this file stands in for.
#include <hip/hip_ext.h>
#include <hip/hip_runtime_api.h>

#include <catch2/catch_test_macros.hpp>

#include <vector>

namespace {

struct Call {
  const void *address;
  size_t bytes;
  unsigned int flags;
  hipStream_t stream;
  hipMemPool_t pool;
} last;

char storage[64];
const hipStream_t some_stream = reinterpret_cast<hipStream_t>(16);
const hipMemPool_t some_pool = reinterpret_cast<hipMemPool_t>(32);

hipError_t allocated(void **address, Call call) {
  *address = storage;
  last = call;
  return hipSuccess;
}

} // namespace

hipError_t hipMalloc(void **address, size_t size) {
  return allocated(address, {{}, size, {}, {}, {}});
}
hipError_t hipHostMalloc(void **address, size_t size, unsigned int flags) {
  return allocated(address, {{}, size, flags, {}, {}});
}
hipError_t hipHostAlloc(void **address, size_t size, unsigned int flags) {
  return allocated(address, {{}, size, flags, {}, {}});
}
hipError_t hipMallocManaged(void **address, size_t size, unsigned int flags) {
  return allocated(address, {{}, size, flags, {}, {}});
}
hipError_t hipMallocAsync(void **address, size_t size, hipStream_t stream) {
  return allocated(address, {{}, size, {}, stream, {}});
}
hipError_t hipMallocFromPoolAsync(void **address, size_t size, hipMemPool_t pool,
                                  hipStream_t stream) {
  return allocated(address, {{}, size, {}, stream, pool});
}
hipError_t hipMemcpyToSymbol(const void *symbol, const void *, size_t bytes, size_t offset,
                             hipMemcpyKind kind) {
  last = {symbol, bytes + offset, kind, {}, {}};
  return hipSuccess;
}
hipError_t hipGetSymbolSize(size_t *size, const void *symbol) {
  *size = 1;
  last = {symbol, {}, {}, {}, {}};
  return hipSuccess;
}

TEST_CASE("headers: allocations take a pointer of any type") {
  float *f = nullptr;
  REQUIRE(hipMalloc(&f, 24) == hipSuccess);
  CHECK(static_cast<void *>(f) == storage);
  CHECK(last.bytes == 24);

  const int *constant = nullptr;
  REQUIRE(hipMalloc(&constant, 8) == hipSuccess);
  CHECK(static_cast<const void *>(constant) == storage);
}

TEST_CASE("headers: host allocations have no flags unless given") {
  double *d = nullptr;
  last.flags = 77;
  REQUIRE(hipHostMalloc(&d, 8) == hipSuccess);
  CHECK(last.flags == hipHostMallocDefault);
  last.flags = 77;
  REQUIRE(hipHostAlloc(&d, 8) == hipSuccess);
  CHECK(last.flags == hipHostAllocDefault);
  REQUIRE(hipHostMalloc(&d, 8, hipHostMallocMapped) == hipSuccess);
  CHECK(last.flags == hipHostMallocMapped);
}

TEST_CASE("headers: managed allocations are global unless told otherwise") {
  int *i = nullptr;
  REQUIRE(hipMallocManaged(&i, 4) == hipSuccess);
  CHECK(last.flags == hipMemAttachGlobal);
  REQUIRE(hipMallocManaged(&i, 4, hipMemAttachHost) == hipSuccess);
  CHECK(last.flags == hipMemAttachHost);
}

TEST_CASE("headers: an allocation in stream order with a pool takes from that pool") {
  int *i = nullptr;
  REQUIRE(hipMallocAsync(&i, 12, some_pool, some_stream) == hipSuccess);
  CHECK(last.pool == some_pool);
  CHECK(last.stream == some_stream);
  void *untyped = nullptr;
  REQUIRE(hipMallocAsync(&untyped, 12, some_pool, some_stream) == hipSuccess);
  CHECK(last.pool == some_pool);
  REQUIRE(hipMallocFromPoolAsync(&i, 12, some_pool, some_stream) == hipSuccess);
  CHECK(last.pool == some_pool);
  REQUIRE(hipMallocAsync(&i, 12, some_stream) == hipSuccess);
  CHECK(last.pool == nullptr);
  CHECK(last.stream == some_stream);
}

TEST_CASE("headers: a symbol stands for its own address") {
  static int number;
  static volatile short flag;
  static float numbers[3];
  size_t size = 0;
  REQUIRE(hipGetSymbolSize(&size, number) == hipSuccess);
  CHECK(last.address == &number);
  REQUIRE(hipGetSymbolSize(&size, flag) == hipSuccess);
  CHECK(last.address == const_cast<short *>(&flag));
  REQUIRE(hipMemcpyToSymbol(numbers, storage, 4, 8) == hipSuccess);
  CHECK(last.address == numbers);
  CHECK(last.bytes == 12);
  CHECK(last.flags == hipMemcpyHostToDevice);
}

// A device for the occupancy: warps of 32, 4 multiprocessors of 2048 threads and 64 KB.

namespace {
std::vector<int> asked_sizes;
int threads_per_block = 1024;
void kernel(int, float) {}
} // namespace

hipError_t hipGetDevice(int *device) {
  *device = 0;
  return hipSuccess;
}
hipError_t hipDeviceGetAttribute(int *value, hipDeviceAttribute_t attribute, int) {
  switch (attribute) {
  case hipDeviceAttributeWarpSize:
    *value = 32;
    return hipSuccess;
  case hipDeviceAttributeMultiprocessorCount:
    *value = 4;
    return hipSuccess;
  case hipDeviceAttributeMaxThreadsPerMultiProcessor:
    *value = 2048;
    return hipSuccess;
  default:
    return hipErrorInvalidValue;
  }
}
hipError_t hipFuncGetAttributes(hipFuncAttributes *attributes, const void *function) {
  if (function != reinterpret_cast<const void *>(&kernel))
    return hipErrorInvalidDeviceFunction;
  *attributes = {};
  attributes->maxThreadsPerBlock = threads_per_block;
  return hipSuccess;
}
hipError_t hipOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *block_count, const void *,
                                                                 int block_size,
                                                                 size_t shared_bytes,
                                                                 unsigned int) {
  asked_sizes.push_back(block_size);
  const int by_threads = 2048 / block_size;
  const int by_memory = shared_bytes == 0 ? by_threads : static_cast<int>(65536 / shared_bytes);
  *block_count = by_threads < by_memory ? by_threads : by_memory;
  return hipSuccess;
}

TEST_CASE("headers: without shared memory the largest block that fills the device wins") {
  threads_per_block = 1024;
  int grid = 0, block = 0;
  REQUIRE(hipOccupancyMaxPotentialBlockSizeVariableSMem(&grid, &block, kernel,
                                                        [](int) { return 0; }) == hipSuccess);
  CHECK(block == 1024);
  CHECK(grid == 2 * 4);
}

TEST_CASE("headers: shared memory that grows with the block decides its size") {
  threads_per_block = 1024;
  asked_sizes.clear();
  int grid = 0, block = 0;
  // From 512 threads on, a block takes all of the memory: 256 threads with 8 KB keep 2048 busy.
  REQUIRE(hipOccupancyMaxPotentialBlockSizeVariableSMem(&grid, &block, kernel, [](int threads) {
            return threads > 256 ? 65536 : 8192;
          }) == hipSuccess);
  CHECK(block == 256);
  CHECK(grid == 8 * 4);
  // Nothing can be busier than full.
  CHECK(asked_sizes.back() == 256);
}

TEST_CASE("headers: a limit that is no multiple of the warp is tried itself") {
  threads_per_block = 1024;
  asked_sizes.clear();
  int grid = 0, block = 0;
  REQUIRE(hipOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(
              &grid, &block, kernel, [](int) { return 65536; }, 100) == hipSuccess);
  CHECK(asked_sizes == std::vector<int>{100, 96, 64, 32});
  CHECK(block == 100);
}

TEST_CASE("headers: a kernel's own limit bounds the block") {
  threads_per_block = 128;
  int grid = 0, block = 0;
  REQUIRE(hipOccupancyMaxPotentialBlockSizeVariableSMem(
              &grid, &block, kernel, [](int) { return 0; }, 512) == hipSuccess);
  CHECK(block == 128);
}

TEST_CASE("headers: the occupancy of nothing is an invalid value") {
  int grid = 0;
  CHECK(hipOccupancyMaxPotentialBlockSizeVariableSMem(
            &grid, nullptr, kernel, [](int) { return 0; }) == hipErrorInvalidValue);
}

// Launches

namespace {
const void *launched;
int launched_number;
float launched_fraction;
int launched_flags;
} // namespace

hipError_t hipExtLaunchKernel(const void *function, dim3, dim3, void **args, size_t, hipStream_t,
                              hipEvent_t, hipEvent_t, int flags) {
  launched = function;
  launched_number = *static_cast<int *>(args[0]);
  launched_fraction = *static_cast<float *>(args[1]);
  launched_flags = flags;
  return hipSuccess;
}

TEST_CASE("headers: arguments of a launch become what the kernel takes") {
  // A char and a double, where the kernel has an int and a float.
  hipExtLaunchKernelGGL(kernel, dim3(1), dim3(32), 0, nullptr, nullptr, nullptr,
                        hipExtAnyOrderLaunch, char(7), 2.5);
  CHECK(launched == reinterpret_cast<const void *>(&kernel));
  CHECK(launched_number == 7);
  CHECK(launched_fraction == 2.5f);
  CHECK(launched_flags == hipExtAnyOrderLaunch);
}

TEST_CASE("headers: sizes that a dim3 leaves out are 1") {
  constexpr dim3 one, two(5, 6);
  CHECK((one.x == 1 && one.y == 1 && one.z == 1));
  CHECK((two.x == 5 && two.y == 6 && two.z == 1));
}

TEST_CASE("headers: positions, extents and pitched pointers keep what they are made of") {
  const hipPitchedPtr pointer = make_hipPitchedPtr(storage, 256, 100, 3);
  CHECK((pointer.ptr == storage && pointer.pitch == 256 && pointer.xsize == 100 &&
         pointer.ysize == 3));
  const hipPos position = make_hipPos(1, 2, 3);
  CHECK((position.x == 1 && position.y == 2 && position.z == 3));
  const hipExtent extent = make_hipExtent(4, 5, 6);
  CHECK((extent.width == 4 && extent.height == 5 && extent.depth == 6));
}
