// HIP API reference: Initialization and version; Device management.
#include "fixture.h"

#include <catch2/generators/catch_generators.hpp>

#include <atomic>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

TEST_CASE("hip device: one device exists and is current") {
  int count = 0, device = -1;
  REQUIRE_HIP(hipInit(0));
  REQUIRE_HIP(hipGetDeviceCount(&count));
  REQUIRE(count >= 1);
  REQUIRE_HIP(hipGetDevice(&device));
  REQUIRE(device == 0);
  REQUIRE_HIP(hipSetDevice(count - 1));
}

TEST_CASE("hip device: hipInit takes no flags") { REQUIRE(hipInit(1) == hipErrorInvalidValue); }

TEST_CASE("hip device: a number out of range is hipErrorInvalidDevice") {
  int count = 0, value = 0;
  REQUIRE_HIP(hipGetDeviceCount(&count));
  for (int bad : {-1, count}) {
    REQUIRE(hipSetDevice(bad) == hipErrorInvalidDevice);
    hipDeviceProp_t properties;
    REQUIRE(hipGetDeviceProperties(&properties, bad) == hipErrorInvalidDevice);
    REQUIRE(hipDeviceGetAttribute(&value, hipDeviceAttributeWarpSize, bad) ==
            hipErrorInvalidDevice);
    hipDevice_t device;
    REQUIRE(hipDeviceGet(&device, bad) == hipErrorInvalidDevice);
  }
}

TEST_CASE("hip device: null pointers are hipErrorInvalidValue") {
  REQUIRE(hipGetDeviceCount(nullptr) == hipErrorInvalidValue);
  REQUIRE(hipGetDevice(nullptr) == hipErrorInvalidValue);
  REQUIRE(hipGetDeviceProperties(nullptr, 0) == hipErrorInvalidValue);
  REQUIRE(hipDeviceGetAttribute(nullptr, hipDeviceAttributeWarpSize, 0) == hipErrorInvalidValue);
  REQUIRE(hipDeviceTotalMem(nullptr, 0) == hipErrorInvalidValue);
}

TEST_CASE("hip device: properties and attributes agree") {
  hipDeviceProp_t p;
  REQUIRE_HIP(hipGetDeviceProperties(&p, 0));
  REQUIRE(std::strlen(p.name) > 0);
  REQUIRE(p.warpSize == 32);
  REQUIRE(p.totalGlobalMem > 0);
  REQUIRE(p.multiProcessorCount > 0);
  REQUIRE(p.maxThreadsPerBlock >= 256);
  REQUIRE(p.sharedMemPerBlock >= 32768);
  auto attribute = [](hipDeviceAttribute_t which) {
    int value = -1;
    REQUIRE_HIP(hipDeviceGetAttribute(&value, which, 0));
    return value;
  };
  REQUIRE(attribute(hipDeviceAttributeWarpSize) == p.warpSize);
  REQUIRE(attribute(hipDeviceAttributeMaxThreadsPerBlock) == p.maxThreadsPerBlock);
  REQUIRE(attribute(hipDeviceAttributeMaxBlockDimX) == p.maxThreadsDim[0]);
  REQUIRE(attribute(hipDeviceAttributeMaxGridDimX) == p.maxGridSize[0]);
  REQUIRE(attribute(hipDeviceAttributeMultiprocessorCount) == p.multiProcessorCount);
  REQUIRE(attribute(hipDeviceAttributeMaxSharedMemoryPerBlock) == int(p.sharedMemPerBlock));
  // Addresses of registers that no device of Level Zero has.
  REQUIRE((!p.hdpMemFlushCntl && !p.hdpRegFlushCntl));
  REQUIRE(attribute(hipDeviceAttributeHdpMemFlushCntl) == 0);
  REQUIRE(attribute(hipDeviceAttributeHdpRegFlushCntl) == 0);
  int value;
  REQUIRE(hipDeviceGetAttribute(&value, hipDeviceAttribute_t(12345), 0) == hipErrorInvalidValue);
}

TEST_CASE("hip device: every attribute between begin and end has an answer or is unused") {
  for (int i = hipDeviceAttributeCudaCompatibleBegin;
       i <= hipDeviceAttributeMemoryPoolSupportedHandleTypes; ++i) {
    bool unused = i == hipDeviceAttributeUnused1 || i == hipDeviceAttributeUnused2 ||
                  i == hipDeviceAttributeLuid;
    int value = 0;
    INFO("attribute " << i);
    REQUIRE((hipDeviceGetAttribute(&value, hipDeviceAttribute_t(i), 0) == hipSuccess) != unused);
  }
}

TEST_CASE("hip device: a device says its name, address and memory") {
  char name[64] = "";
  REQUIRE_HIP(hipDeviceGetName(name, sizeof name, 0));
  hipDeviceProp_t p;
  REQUIRE_HIP(hipGetDeviceProperties(&p, 0));
  REQUIRE(std::string(name) == std::string(p.name).substr(0, sizeof name - 1));
  char tiny[4] = "";
  REQUIRE_HIP(hipDeviceGetName(tiny, sizeof tiny, 0));
  REQUIRE(std::string(tiny) == std::string(p.name).substr(0, 3));
  REQUIRE(hipDeviceGetName(name, 0, 0) == hipErrorInvalidValue);
  char pci[16] = "";
  REQUIRE_HIP(hipDeviceGetPCIBusId(pci, sizeof pci, 0));
  int device = -1;
  REQUIRE_HIP(hipDeviceGetByPCIBusId(&device, pci));
  REQUIRE(device == 0);
  const std::string begin = std::string(pci).substr(0, 3);
  REQUIRE(hipDeviceGetPCIBusId(pci, 4, 0) == hipErrorInvalidValue);
  REQUIRE(pci == begin);
  size_t free_bytes = 0, total = 0, all = 0;
  REQUIRE_HIP(hipMemGetInfo(&free_bytes, &total));
  REQUIRE_HIP(hipDeviceTotalMem(&all, 0));
  REQUIRE(total == all);
  REQUIRE(free_bytes <= total);
}

TEST_CASE("hip device: hipMemGetInfo sees what is allocated") {
  size_t before = 0, after = 0, total = 0;
  REQUIRE_HIP(hipMemGetInfo(&before, &total));
  void *memory = nullptr;
  REQUIRE_HIP(hipMalloc(&memory, 1 << 20));
  REQUIRE_HIP(hipMemGetInfo(&after, &total));
  REQUIRE(before - after == 1 << 20);
  REQUIRE_HIP(hipFree(memory));
  REQUIRE_HIP(hipMemGetInfo(&after, &total));
  REQUIRE(after == before);
}

TEST_CASE("hip device: hipMemGetInfo stores what is asked for") {
  size_t free = 0, total = 0;
  REQUIRE_HIP(hipMemGetInfo(&free, nullptr));
  REQUIRE_HIP(hipMemGetInfo(nullptr, &total));
  REQUIRE((free > 0 && free <= total));
  REQUIRE_HIP(hipMemGetInfo(nullptr, nullptr));
}

TEST_CASE("hip device: hipMemGetInfo leaves out what HIP_HIDDEN_FREE_MEM hides") {
  size_t before = 0, after = 0, total = 0;
  REQUIRE_HIP(hipMemGetInfo(&before, &total));
  setenv("HIP_HIDDEN_FREE_MEM", "3", 1);
  REQUIRE_HIP(hipMemGetInfo(&after, &total));
  CHECK(before - after == 3 << 20);
  setenv("HIP_HIDDEN_FREE_MEM", "100000000000", 1);
  REQUIRE_HIP(hipMemGetInfo(&after, &total));
  CHECK(after == 0);
  unsetenv("HIP_HIDDEN_FREE_MEM");
}

TEST_CASE("hip device: device flags are remembered, bad ones refused") {
  REQUIRE_HIP(hipSetDeviceFlags(hipDeviceScheduleSpin));
  unsigned flags = 99;
  REQUIRE_HIP(hipGetDeviceFlags(&flags));
  REQUIRE(flags == hipDeviceScheduleSpin);
  REQUIRE_HIP(
      hipSetDeviceFlags(hipDeviceScheduleYield | hipDeviceMapHost | hipDeviceLmemResizeToMax));
  REQUIRE_HIP(hipGetDeviceFlags(&flags));
  REQUIRE(flags == hipDeviceScheduleYield);
  REQUIRE(hipSetDeviceFlags(hipDeviceScheduleSpin | hipDeviceScheduleYield) ==
          hipErrorInvalidValue);
  REQUIRE(hipSetDeviceFlags(0x100) == hipErrorInvalidValue);
}

TEST_CASE("hip device: a new thread starts on device 0 with no error") {
  REQUIRE(hipSetDevice(-1) == hipErrorInvalidDevice);
  int device = -1;
  hipError_t error = hipErrorUnknown;
  std::thread([&] {
    (void)hipGetDevice(&device);
    error = hipPeekAtLastError();
  }).join();
  REQUIRE(device == 0);
  REQUIRE(error == hipSuccess);
  REQUIRE(hipGetLastError() == hipErrorInvalidDevice);
}

TEST_CASE("hip device: the versions are those of HIP 6.4") {
  int version = 0;
  REQUIRE_HIP(hipRuntimeGetVersion(&version));
  REQUIRE(version / 100000 == 604);
  REQUIRE_HIP(hipDriverGetVersion(&version));
  REQUIRE(version / 100000 == 604);
}

TEST_CASE("hip device: a reset frees everything but what the program's code needs") {
  hipStream_t stream = nullptr;
  hipEvent_t event = nullptr;
  void *memory = nullptr, *ordered = nullptr, *host = nullptr;
  REQUIRE_HIP(hipStreamCreate(&stream));
  REQUIRE_HIP(hipEventCreate(&event));
  REQUIRE_HIP(hipMalloc(&memory, 1 << 20));
  REQUIRE_HIP(hipHostMalloc(&host, 64, 0));
  REQUIRE_HIP(hipMallocAsync(&ordered, 5000, stream));
  unsigned long long own = 0, next = 0;
  REQUIRE_HIP(hipStreamGetId(hipStreamPerThread, &own));
  REQUIRE_HIP(hipDeviceReset());
  REQUIRE(hipStreamSynchronize(stream) != hipSuccess);
  REQUIRE(hipEventQuery(event) != hipSuccess);
  REQUIRE(hipFree(memory) == hipErrorInvalidValue);
  REQUIRE(hipFree(ordered) == hipErrorInvalidValue);
  REQUIRE(hipHostFree(host) == hipErrorInvalidValue);
  // The device is usable as before, and the thread's own stream is a new one.
  REQUIRE_HIP(hipStreamGetId(hipStreamPerThread, &next));
  REQUIRE(next != own);
  REQUIRE_HIP(hipMalloc(&memory, 64));
  REQUIRE_HIP(hipMemsetAsync(memory, 1, 64, hipStreamPerThread));
  REQUIRE_HIP(hipStreamSynchronize(hipStreamPerThread));
  REQUIRE_HIP(hipFree(memory));
}

TEST_CASE("hip device: limits that are set are read back") {
  hipLimit_t limit = GENERATE(hipLimitStackSize, hipLimitPrintfFifoSize, hipLimitMallocHeapSize);
  size_t before = 0, after = 0;
  REQUIRE(hipDeviceGetLimit(&before, limit) == hipSuccess);
  CHECK(before > 0);
  REQUIRE(hipDeviceSetLimit(limit, before * 2) == hipSuccess);
  REQUIRE(hipDeviceGetLimit(&after, limit) == hipSuccess);
  CHECK(after == before * 2);
  CHECK(hipDeviceSetLimit(limit, SIZE_MAX) == hipErrorInvalidValue);
  REQUIRE(hipDeviceGetLimit(&after, limit) == hipSuccess);
  CHECK(after == before * 2);
  // There is a least one.
  REQUIRE(hipDeviceSetLimit(limit, 0) == hipSuccess);
  REQUIRE(hipDeviceGetLimit(&after, limit) == hipSuccess);
  CHECK(after > 0);
  REQUIRE(hipDeviceSetLimit(limit, before) == hipSuccess);
}

TEST_CASE("hip device: limits that do not exist are refused") {
  size_t value = 0;
  CHECK(hipDeviceGetLimit(nullptr, hipLimitStackSize) == hipErrorInvalidValue);
  CHECK(hipDeviceGetLimit(&value, hipLimitRange) == hipErrorUnsupportedLimit);
  CHECK(hipDeviceSetLimit(hipLimitRange, 1) == hipErrorUnsupportedLimit);
}

TEST_CASE("hip device: occupancy fits the threads and blocks of a multiprocessor, and fills it") {
  hipDeviceProp_t p;
  REQUIRE_HIP(hipGetDeviceProperties(&p, 0));
  REQUIRE(p.maxThreadsPerMultiProcessor >= p.maxThreadsPerBlock);
  REQUIRE(p.maxThreadsPerMultiProcessor % p.warpSize == 0);
  const hipFunction_t kernel = fixture::function("nothing");
  const auto blocks_of = [&](int block_size) {
    int blocks = -1;
    REQUIRE_HIP(hipModuleOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, block_size, 0));
    return blocks;
  };
  for (int size : {1, 2, 16, 31, 32, 33, 64, 100, 128, 256, 512, 768, 1000, 1024}) {
    if (size > p.maxThreadsPerBlock)
      continue;
    const int blocks = blocks_of(size), warps = (size + p.warpSize - 1) / p.warpSize;
    CAPTURE(size, blocks);
    CHECK(blocks > 0);
    CHECK(blocks <= p.maxBlocksPerMultiProcessor);
    CHECK(blocks * warps * p.warpSize <= p.maxThreadsPerMultiProcessor);
  }
  // Another block of the largest size does not fit.
  CHECK((blocks_of(p.maxThreadsPerBlock) + 1) * p.maxThreadsPerBlock >
        p.maxThreadsPerMultiProcessor);
  int grid = 0, block = 0;
  REQUIRE_HIP(hipModuleOccupancyMaxPotentialBlockSize(&grid, &block, kernel, 0, 0));
  CHECK(grid == blocks_of(block) * p.multiProcessorCount);
}

TEST_CASE("hip device: occupancy counts the shared memory of a block, declared and added",
          "[results]") {
  hipDeviceProp_t p;
  REQUIRE_HIP(hipGetDeviceProperties(&p, 0));
  const auto blocks_of = [](const char *kernel, int block_size, size_t shared_bytes) {
    int blocks = -1, with_flags = -1;
    REQUIRE_HIP(hipModuleOccupancyMaxActiveBlocksPerMultiprocessor(
        &blocks, fixture::function(kernel), block_size, shared_bytes));
    REQUIRE_HIP(hipModuleOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
        &with_flags, fixture::function(kernel), block_size, shared_bytes, hipOccupancyDefault));
    CHECK(with_flags == blocks);
    return size_t(blocks);
  };
  constexpr size_t declared = 12288;
  for (const size_t added :
       {size_t(0), size_t(1), size_t(4096), size_t(20'000), p.sharedMemPerBlock - declared}) {
    CAPTURE(added);
    CHECK(blocks_of("rotate", p.warpSize, added) ==
          p.sharedMemPerMultiprocessor / (declared + added));
  }
  CHECK(blocks_of("nothing", p.warpSize, 8192) == p.sharedMemPerMultiprocessor / 8192);
  // Little of it leaves the number to the threads.
  CHECK(blocks_of("nothing", p.maxThreadsPerBlock, 16) ==
        blocks_of("nothing", p.maxThreadsPerBlock, 0));
  for (const size_t too_much :
       {p.sharedMemPerBlock - declared + 1, p.sharedMemPerBlock + 1, SIZE_MAX - declared, SIZE_MAX})
    CHECK(blocks_of("rotate", p.warpSize, too_much) == 0);
}

TEST_CASE("hip device: the launch that keeps the device busy has room for its shared memory",
          "[results]") {
  hipDeviceProp_t p;
  REQUIRE_HIP(hipGetDeviceProperties(&p, 0));
  const hipFunction_t kernel = fixture::function("rotate");
  const int rooms = int(p.sharedMemPerMultiprocessor / 12288) * p.multiProcessorCount;
  for (const int limit : {0, -1, INT_MIN, 1, 100, p.maxThreadsPerBlock, INT_MAX}) {
    CAPTURE(limit);
    int grid = -1, block = -1;
    REQUIRE_HIP(hipModuleOccupancyMaxPotentialBlockSize(&grid, &block, kernel, 0, limit));
    CHECK(grid > 0);
    CHECK(grid <= rooms);
    CHECK(block > 0);
    CHECK(block <= p.maxThreadsPerBlock);
    CHECK((limit <= 0 || block <= limit));
  }
  int grid = -1, block = -1;
  REQUIRE_HIP(hipModuleOccupancyMaxPotentialBlockSizeWithFlags(&grid, &block, kernel,
                                                               p.sharedMemPerBlock, 0, 0));
  CHECK(grid == 0);
  CHECK(block == 0);
}

TEST_CASE("hip device: a reset takes what threads make and destroy meanwhile") {
  std::atomic<bool> stop{false};
  std::atomic<int> wrong{0};
  const auto is_expected = [](hipError_t error) {
    return error == hipSuccess || error == hipErrorContextIsDestroyed; // the reset was quicker
  };
  const auto churn = [&] {
    while (!stop) {
      hipStream_t stream = nullptr;
      hipEvent_t event = nullptr;
      wrong += hipStreamCreate(&stream) != hipSuccess;
      wrong += hipEventCreateWithFlags(&event, hipEventDisableTiming) != hipSuccess;
      wrong += !is_expected(hipEventDestroy(event));
      wrong += !is_expected(hipStreamDestroy(stream));
    }
  };
  std::vector<std::jthread> threads;
  for (int i = 0; i < 3; ++i)
    threads.emplace_back(churn);
  int failed = 0;
  for (int i = 0; i < 1000; ++i)
    failed += hipDeviceReset() != hipSuccess;
  stop = true;
  threads.clear();
  CHECK(failed == 0);
  CHECK(wrong == 0);
}

TEST_CASE("hip device: a reset frees what threads allocate meanwhile") {
  std::atomic<bool> stop{false};
  std::atomic<int> wrong{0};
  const auto churn = [&] {
    while (!stop)
      for (const size_t bytes : {100, 100'000}) {
        void *memory = nullptr, *ordered = nullptr;
        wrong += hipMalloc(&memory, bytes) != hipSuccess || !memory;
        wrong += hipMallocAsync(&ordered, bytes, nullptr) != hipSuccess || !ordered;
        (void)hipFreeAsync(ordered, nullptr); // the reset may have been quicker
        (void)hipFree(memory);
      }
  };
  std::vector<std::jthread> threads;
  for (int i = 0; i < 3; ++i)
    threads.emplace_back(churn);
  int failed = 0;
  for (int i = 0; i < 300; ++i)
    failed += hipDeviceReset() != hipSuccess;
  stop = true;
  threads.clear();
  CHECK(failed == 0);
  CHECK(wrong == 0);
}
