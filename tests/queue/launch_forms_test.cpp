// HIP API reference: Execution control. The forms of a launch beside <<<>>> and hipModuleLaunchKernel.
#include "fixture.h"

#include <hip/hip_ext.h>

using namespace fixture;

namespace {

constexpr int slow = 2'000'000;

struct Add { // adds `value` to each of `count` numbers
  explicit Add(size_t count) : numbers(count) {}
  HostMemory<int> numbers;
  int *address = numbers.get();
  int value = 3;
  void *arguments[2] = {&address, &value};
};

} // namespace

TEST_CASE("queue launch forms: hipDrvLaunchKernelEx takes attributes") {
  Add add(8);
  hipLaunchAttribute attributes[2]{};
  attributes[0].id = hipLaunchAttributePriority;
  attributes[1].id = hipLaunchAttributeCooperative;
  attributes[1].val.cooperative = 0;
  HIP_LAUNCH_CONFIG config{2, 1, 1, 4, 1, 1, 0, nullptr, attributes, 2};
  REQUIRE_HIP(hipDrvLaunchKernelEx(&config, function("add"), add.arguments, nullptr));
  REQUIRE_HIP(hipDeviceSynchronize());
  for (int i = 0; i < 8; ++i)
    REQUIRE(add.numbers[size_t(i)] == 3);
  attributes[0].id = hipLaunchAttributeID(77);
  REQUIRE(hipDrvLaunchKernelEx(&config, function("add"), add.arguments, nullptr) ==
          hipErrorInvalidValue);
  config.attrs = nullptr;
  REQUIRE(hipDrvLaunchKernelEx(&config, function("add"), add.arguments, nullptr) ==
          hipErrorInvalidValue);
  REQUIRE(hipDrvLaunchKernelEx(nullptr, function("add"), add.arguments, nullptr) ==
          hipErrorInvalidValue);
  REQUIRE(hipLaunchKernelExC(nullptr, nullptr, nullptr) == hipErrorInvalidValue);
}

TEST_CASE("queue launch forms: hipExtModuleLaunchKernel counts threads and records events") {
  HostMemory<long long> order(1);
  Streams streams(1);
  Event start(hipEventDefault), stop(hipEventDefault);
  long long *address = order.get();
  int digit = 4, rounds = slow;
  void *arguments[] = {&address, &digit, &rounds};
  REQUIRE_HIP(hipExtModuleLaunchKernel(function("slow_append_digit"), 1, 1, 1, 1, 1, 1, 0,
                                       streams[0], arguments, nullptr, start, stop, 0));
  REQUIRE_HIP(hipEventSynchronize(stop));
  REQUIRE(order[0] == 4);
  float ms = -1;
  REQUIRE_HIP(hipEventElapsedTime(&ms, start, stop));
  REQUIRE(ms > 0);

  Add add(8);
  REQUIRE_HIP(hipExtModuleLaunchKernel(function("add"), 8, 1, 1, 4, 1, 1, 0, nullptr, add.arguments,
                                       nullptr, nullptr, nullptr, hipExtAnyOrderLaunch));
  REQUIRE_HIP(hipDeviceSynchronize());
  REQUIRE(add.numbers[7] == 3);
  // Less than a block in each dimension: its threads, and no others.
  REQUIRE_HIP(hipExtModuleLaunchKernel(function("add"), 7, 1, 1, 32, 2, 4, 0, nullptr,
                                       add.arguments, nullptr, nullptr, nullptr, 0));
  REQUIRE_HIP(hipDeviceSynchronize());
  REQUIRE(add.numbers[6] == 6);
  REQUIRE(add.numbers[7] == 3);
  for (const uint32_t y : {2u, 1u << 20})
    REQUIRE(hipExtModuleLaunchKernel(function("add"), 7, 1, 1, 1024, y, 1, 0, nullptr,
                                     add.arguments, nullptr, nullptr, nullptr,
                                     0) == hipErrorInvalidValue);
  REQUIRE(hipExtModuleLaunchKernel(function("add"), 7, 1, 1, 4, 1, 1, 0, nullptr, add.arguments,
                                   nullptr, nullptr, nullptr, 0) == hipErrorInvalidValue);
  REQUIRE(hipExtModuleLaunchKernel(function("add"), 8, 1, 1, 0, 1, 1, 0, nullptr, add.arguments,
                                   nullptr, nullptr, nullptr, 0) == hipErrorInvalidValue);
  REQUIRE(hipExtModuleLaunchKernel(function("add"), 8, 1, 1, 4, 1, 1, 0, nullptr, add.arguments,
                                   nullptr, nullptr, nullptr, 0x80) == hipErrorInvalidValue);
}

TEST_CASE("queue launch forms: a cooperative launch has as many blocks as can run at once") {
  hipDeviceProp_t properties;
  REQUIRE_HIP(hipGetDeviceProperties(&properties, 0));
  Add add(8);
  hipFunction_t kernel = function("add");
  if (!properties.cooperativeLaunch) {
    REQUIRE(hipModuleLaunchCooperativeKernel(kernel, 2, 1, 1, 4, 1, 1, 0, nullptr, add.arguments) ==
            hipErrorNotSupported);
    return;
  }
  REQUIRE_HIP(
      hipModuleLaunchCooperativeKernel(kernel, 2, 1, 1, 4, 1, 1, 0, nullptr, add.arguments));
  REQUIRE_HIP(
      hipModuleLaunchCooperativeKernel(kernel, 2, 1, 1, 4, 1, 1, 0, nullptr, add.arguments));
  REQUIRE_HIP(hipDeviceSynchronize());
  for (int i = 0; i < 8; ++i)
    REQUIRE(add.numbers[size_t(i)] == 6);
  REQUIRE(hipModuleLaunchCooperativeKernel(kernel, 1u << 30, 1, 1, 4, 1, 1, 0, nullptr,
                                           add.arguments) == hipErrorCooperativeLaunchTooLarge);
  REQUIRE(hipModuleLaunchCooperativeKernel(kernel, 2, 1, 1, 1u << 20, 1, 1, 0, nullptr,
                                           add.arguments) == hipErrorInvalidValue);
  REQUIRE(hipModuleLaunchCooperativeKernel(kernel, 0, 1, 1, 4, 1, 1, 0, nullptr, add.arguments) ==
          hipErrorInvalidValue);
  REQUIRE(hipModuleLaunchCooperativeKernel(kernel, 2, 1, 1, 4, 1, 1, 1u << 30, nullptr,
                                           add.arguments) == hipErrorInvalidValue);
  // A launch that was refused leaves the stream as it was.
  REQUIRE_HIP(launch(kernel, nullptr, 8, add.address, 1));
  REQUIRE_HIP(hipDeviceSynchronize());
  REQUIRE(add.numbers[0] == 7);
}

TEST_CASE("queue launch forms: a grid larger than maxGridSize is refused") {
  hipDeviceProp_t properties;
  REQUIRE_HIP(hipGetDeviceProperties(&properties, 0));
  Add add(8);
  for (int dimension = 0; dimension < 3; ++dimension) {
    unsigned blocks[3] = {1, 1, 1};
    blocks[dimension] = unsigned(properties.maxGridSize[dimension]) + 1;
    CHECK(hipModuleLaunchKernel(function("add"), blocks[0], blocks[1], blocks[2], 1, 1, 1, 0,
                                nullptr, add.arguments, nullptr) == hipErrorInvalidValue);
  }
}

TEST_CASE("queue launch forms: a block is refused whose threads are more than 64 bits count") {
  HostMemory<int> memory{1};
  int *pointer = memory.get();
  int value = 0;
  void *arguments[] = {&pointer, &value};
  // The product is 2^64 + 4.
  CHECK(hipModuleLaunchKernel(function("nothing"), 1, 1, 1, 769546, 494770, 48448661, 0, nullptr,
                              arguments, nullptr) == hipErrorInvalidValue);
}

TEST_CASE("queue launch forms: each form refuses an unknown function") {
  int function = 0;
  hipLaunchConfig_t config{{1, 1, 1}, {1, 1, 1}, 0, nullptr, nullptr, 0};
  REQUIRE(hipLaunchKernelExC(&config, &function, nullptr) == hipErrorInvalidDeviceFunction);
  REQUIRE(hipLaunchCooperativeKernel(&function, {1, 1, 1}, {1, 1, 1}, nullptr, 0, nullptr) ==
          hipErrorInvalidDeviceFunction);
  REQUIRE(hipExtLaunchKernel(&function, {1, 1, 1}, {1, 1, 1}, nullptr, 0, nullptr, nullptr, nullptr,
                             0) == hipErrorInvalidDeviceFunction);
  REQUIRE(hipLaunchByPtr(&function) == hipErrorMissingConfiguration);
  REQUIRE_HIP(hipConfigureCall({1, 1, 1}, {1, 1, 1}, 0, nullptr));
  REQUIRE(hipLaunchByPtr(&function) == hipErrorInvalidDeviceFunction);
  REQUIRE(hipSetupArgument(nullptr, 4, 0) == hipErrorInvalidValue);
  REQUIRE(hipSetupArgument(&function, 4, size_t(1) << 40) == hipErrorInvalidValue);
}

TEST_CASE(
    "queue launch forms: as many blocks as occupancy says can wait for each other, and no more") {
  hipDeviceProp_t properties;
  REQUIRE_HIP(hipGetDeviceProperties(&properties, 0));
  HostMemory<int> numbers(32);
  hipFunction_t kernel = function("nothing");
  int *address = numbers.get(), value = 1;
  void *arguments[] = {&address, &value};
  for (int block_size : {1, 32, 100, 256}) {
    int blocks = -1;
    REQUIRE_HIP(hipModuleOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, block_size, 0));
    REQUIRE(blocks > 0);
    const unsigned all = unsigned(blocks * properties.multiProcessorCount),
                   size = unsigned(block_size);
    REQUIRE_HIP(
        hipModuleLaunchCooperativeKernel(kernel, all, 1, 1, size, 1, 1, 0, nullptr, arguments));
    REQUIRE(hipModuleLaunchCooperativeKernel(kernel, all + unsigned(properties.multiProcessorCount),
                                             1, 1, size, 1, 1, 0, nullptr,
                                             arguments) == hipErrorCooperativeLaunchTooLarge);
  }
  REQUIRE_HIP(hipDeviceSynchronize());
  int blocks = -1, size = -1;
  REQUIRE_HIP(hipModuleOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, 1 << 20, 0));
  REQUIRE(blocks == 0);
  REQUIRE_HIP(
      hipModuleOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, 32, size_t(1) << 40));
  REQUIRE(blocks == 0);
  REQUIRE_HIP(hipModuleOccupancyMaxPotentialBlockSize(&blocks, &size, kernel, 0, 100));
  REQUIRE((size > 0 && size <= 100));
  REQUIRE(blocks % properties.multiProcessorCount == 0);
  REQUIRE_HIP(hipModuleOccupancyMaxPotentialBlockSize(&blocks, &size, kernel, 0, 0));
  REQUIRE(size <= properties.maxThreadsPerBlock);
  REQUIRE(blocks > 0);
  REQUIRE(hipModuleOccupancyMaxActiveBlocksPerMultiprocessor(nullptr, kernel, 32, 0) ==
          hipErrorInvalidValue);
  REQUIRE(hipModuleOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, nullptr, 32, 0) ==
          hipErrorInvalidValue);
  REQUIRE(hipModuleOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, 0, 0) ==
          hipErrorInvalidValue);
  REQUIRE(hipModuleOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&blocks, kernel, 32, 0, 8) ==
          hipErrorInvalidValue);
}
