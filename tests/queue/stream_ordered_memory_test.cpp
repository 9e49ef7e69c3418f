// HIP API reference: Stream ordered memory allocator, on the default pool.
#include "busy.h"
#include "counted.h"
#include "fixture.h"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <random>
#include <set>
#include <thread>

using namespace fixture;
using counted::Calls;
using counted::calls_of;

namespace {

void *allocate(size_t bytes, hipStream_t stream) {
  void *memory = nullptr;
  REQUIRE_HIP(hipMallocAsync(&memory, bytes, stream));
  REQUIRE(memory != nullptr);
  return memory;
}

/// Memory that was freed on `stream`.
void *freed_on(hipStream_t stream, size_t bytes) {
  void *memory = allocate(bytes, stream);
  REQUIRE_HIP(hipFreeAsync(memory, stream));
  return memory;
}

} // namespace

TEST_CASE("queue stream-ordered memory: allocating and freeing make no driver call once warm",
          "[calls]") {
  Streams streams(2);
  auto cycle = [&](hipStream_t stream) {
    void *small = allocate(4096, stream), *large = allocate(3 << 20, stream);
    REQUIRE_HIP(hipFreeAsync(small, stream));
    REQUIRE_HIP(hipFreeAsync(large, stream));
  };
  for (hipStream_t stream : {streams[0], streams[1], hipStream_t(nullptr)})
    cycle(stream);
  REQUIRE(calls_of([&] {
            for (int i = 0; i < 100; ++i)
              cycle(streams[0]);
            cycle(streams[1]);
            cycle(nullptr);
          }) == Calls{});
}

TEST_CASE("queue stream-ordered memory: the same stream has a block again at once") {
  Streams streams(1);
  Busy busy(streams[0]);
  void *memory = freed_on(streams[0], 5000);
  REQUIRE(allocate(5000, streams[0]) == memory);
  REQUIRE_HIP(hipFreeAsync(memory, streams[0]));
  busy.release();
  REQUIRE_HIP(hipDeviceSynchronize());
}

TEST_CASE("queue stream-ordered memory: another stream has it only when the free is past") {
  constexpr size_t bytes = 5 << 20; // a chunk of its own
  Streams streams(2, hipStreamNonBlocking);
  Busy busy(streams[0]);
  void *memory = freed_on(streams[0], bytes);
  void *other = allocate(bytes, streams[1]);
  REQUIRE(other != memory);
  REQUIRE_HIP(hipFreeAsync(other, streams[1]));
  SECTION("because the host has waited for it") {
    busy.release();
    REQUIRE_HIP(hipStreamSynchronize(streams[0]));
    std::set<void *> both{allocate(bytes, streams[1]), allocate(bytes, streams[1])};
    REQUIRE(both == std::set<void *>{memory, other});
    for (void *block : both)
      REQUIRE_HIP(hipFreeAsync(block, streams[1]));
  }
  SECTION("because the stream comes after it") {
    Event event;
    REQUIRE_HIP(hipEventRecord(event, streams[0]));
    REQUIRE_HIP(hipStreamWaitEvent(streams[1], event, 0));
    std::set<void *> both{allocate(bytes, streams[1]), allocate(bytes, streams[1])};
    REQUIRE(both == std::set<void *>{memory, other});
    for (void *block : both)
      REQUIRE_HIP(hipFreeAsync(block, streams[1]));
    busy.release();
  }
  REQUIRE_HIP(hipDeviceSynchronize());
}

TEST_CASE("queue stream-ordered memory: another stream has it once the device is past the free, "
          "though the stream always has work") {
  constexpr size_t bytes = 9 << 20; // of no other test, so that no other block is free
  Streams streams(2, hipStreamNonBlocking);
  auto busy = std::make_unique<Busy>(streams[0]);
  void *memory = freed_on(streams[0], bytes);
  std::set<void *> blocks{allocate(bytes, streams[1])};
  REQUIRE(!blocks.contains(memory));
  Busy later(streams[0]);
  busy->release();
  // Nothing that waits for the device in another way, which would tell the host by itself.
  for (int i = 0; i < 100 && !blocks.contains(memory); ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
    blocks.insert(allocate(bytes, streams[1]));
  }
  CHECK(blocks.contains(memory));
  for (void *block : blocks)
    REQUIRE_HIP(hipFreeAsync(block, streams[1]));
  later.release();
  REQUIRE_HIP(hipDeviceSynchronize());
}

TEST_CASE("queue stream-ordered memory: before it grows, it asks the driver how far a stream is",
          "[calls][results]") {
  constexpr size_t bytes = 11 << 20; // of no other test, so that no other block is free
  Streams streams(2, hipStreamNonBlocking);
  Busy busy(streams[0]);
  void *memory = freed_on(streams[0], bytes), *other = nullptr;
  Calls calls = calls_of([&] { other = allocate(bytes, streams[1]); });
  CHECK(other != memory);
  CHECK(calls["zeCommandListHostSynchronize"] == 1); // the stream as a whole, without waiting
  CHECK(calls["zeMemAllocDevice"] == 1);
  REQUIRE_HIP(hipFreeAsync(other, streams[1]));
  busy.release();
  REQUIRE_HIP(hipDeviceSynchronize());
}

TEST_CASE(
    "queue stream-ordered memory: a free on the null stream comes after the blocking streams") {
  constexpr size_t bytes = 6 << 20;
  Streams blocking(1), other(1, hipStreamNonBlocking);
  void *memory = allocate(bytes, blocking[0]);
  Busy busy(blocking[0]);
  REQUIRE_HIP(hipFreeAsync(memory, nullptr));
  void *next = allocate(bytes, other[0]);
  REQUIRE(next != memory);
  busy.release();
  REQUIRE_HIP(hipFreeAsync(next, other[0]));
  REQUIRE_HIP(hipDeviceSynchronize());
}

TEST_CASE("queue stream-ordered memory: a free on a blocking stream comes after the null stream") {
  constexpr size_t bytes = 7 << 20;
  Streams blocking(1), other(1, hipStreamNonBlocking);
  void *memory = allocate(bytes, blocking[0]);
  Busy busy(nullptr);
  REQUIRE_HIP(hipFreeAsync(memory, blocking[0]));
  void *next = allocate(bytes, other[0]);
  REQUIRE(next != memory);
  busy.release();
  REQUIRE_HIP(hipFreeAsync(next, other[0]));
  REQUIRE_HIP(hipDeviceSynchronize());
}

TEST_CASE("queue stream-ordered memory: blocks of all sizes are aligned, apart, and keep their "
          "contents") {
  Streams streams(2);
  std::mt19937_64 random(7);
  struct Block {
    unsigned char *memory;
    size_t bytes;
  };
  std::vector<Block> blocks;
  for (int i = 0; i < 300; ++i) {
    const size_t bytes = 1 + random() % (size_t(1) << (1 + random() % 21));
    auto *memory = static_cast<unsigned char *>(allocate(bytes, streams[i % 2]));
    REQUIRE(reinterpret_cast<uintptr_t>(memory) % 256 == 0);
    REQUIRE_HIP(hipMemsetAsync(memory, i & 0xff, bytes, streams[i % 2]));
    blocks.push_back({memory, bytes});
    void *base = nullptr;
    size_t size = 0;
    REQUIRE_HIP(hipMemGetAddressRange(&base, &size, memory + bytes - 1));
    REQUIRE(base == memory);
    REQUIRE(size == bytes);
  }
  REQUIRE_HIP(hipDeviceSynchronize());
  std::vector<unsigned char> seen;
  for (size_t i = 0; i < blocks.size(); ++i) {
    auto [memory, bytes] = blocks[i];
    seen.resize(bytes);
    REQUIRE_HIP(hipMemcpy(seen.data(), memory, bytes, hipMemcpyDeviceToHost));
    if (std::getenv("CHIP_DEVICE")) // on the simulated device nothing is filled
      REQUIRE(seen == std::vector<unsigned char>(bytes, (unsigned char)(i & 0xff)));
    REQUIRE(hipMemcpy(seen.data(), memory, bytes + 1, hipMemcpyDeviceToHost) ==
            hipErrorInvalidValue);
    if (i % 2)
      REQUIRE_HIP(hipFreeAsync(memory, streams[i % 2]));
    else
      REQUIRE_HIP(hipFree(memory));
  }
}

TEST_CASE("queue stream-ordered memory: impossible sizes and foreign addresses are refused") {
  Streams streams(1);
  void *memory = nullptr;
  REQUIRE(hipMallocAsync(static_cast<void **>(nullptr), 16, streams[0]) == hipErrorInvalidValue);
  REQUIRE_HIP(hipMallocAsync(&memory, 0, streams[0]));
  REQUIRE(memory == nullptr);
  REQUIRE(hipMallocAsync(&memory, SIZE_MAX - 5, streams[0]) == hipErrorOutOfMemory);
  REQUIRE(hipMallocAsync(&memory, size_t(1) << 46, streams[0]) == hipErrorOutOfMemory);
  REQUIRE(hipFreeAsync(nullptr, streams[0]) == hipErrorInvalidValue);
  int ordinary = 0;
  REQUIRE(hipFreeAsync(&ordinary, streams[0]) == hipErrorInvalidValue);
  memory = allocate(1000, streams[0]); // in a block of 1024 bytes
  void *base = nullptr;
  size_t size = 0;
  REQUIRE(hipMemGetAddressRange(&base, &size, static_cast<char *>(memory) + 1000) != hipSuccess);
  REQUIRE(hipFreeAsync(static_cast<char *>(memory) + 8, streams[0]) == hipErrorInvalidValue);
  REQUIRE(hipFree(static_cast<char *>(memory) + 8) == hipErrorInvalidValue);
  REQUIRE_HIP(hipFreeAsync(memory, streams[0]));
  REQUIRE(hipFreeAsync(memory, streams[0]) == hipErrorInvalidValue);
  REQUIRE(hipFree(memory) == hipErrorInvalidValue);
  // Memory of hipMalloc may be freed in order too.
  REQUIRE_HIP(hipMalloc(&memory, 1000));
  REQUIRE_HIP(hipFreeAsync(memory, streams[0]));
  REQUIRE(hipFree(memory) == hipErrorInvalidValue);
}

TEST_CASE(
    "queue stream-ordered memory: threads loop over allocation, copy, launch, copy and free") {
  Streams streams(3, hipStreamNonBlocking);
  hipFunction_t add = function("add");
  std::vector<std::thread> threads;
  std::atomic<int> wrong{0};
  for (hipStream_t stream : streams)
    threads.emplace_back([&, stream] {
      auto good = [&](hipError_t error) { wrong += error != hipSuccess; };
      for (int i = 0; i < 200; ++i) {
        int numbers[64], *memory = nullptr;
        for (int &number : numbers)
          number = i;
        good(hipMallocAsync(reinterpret_cast<void **>(&memory), sizeof numbers, stream));
        good(hipMemcpyAsync(memory, numbers, sizeof numbers, hipMemcpyHostToDevice, stream));
        good(launch(add, stream, 64, memory, 1));
        good(hipMemcpyAsync(numbers, memory, sizeof numbers, hipMemcpyDeviceToHost, stream));
        good(hipFreeAsync(memory, stream));
        good(hipStreamSynchronize(stream));
        for (int number : numbers)
          wrong += number != i + 1;
      }
    });
  for (std::thread &thread : threads)
    thread.join();
  REQUIRE(wrong == 0);
}
