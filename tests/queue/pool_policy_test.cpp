// HIP API reference: Stream ordered memory allocator: which stream may have which block of a pool, how much a pool grows, and what
// all that costs the driver.
#include "busy.h"
#include "counted.h"
#include "fixture.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <memory>
#include <random>
#include <thread>
#include <vector>

using namespace fixture;
using counted::Calls;
using counted::calls_of;

namespace {

constexpr size_t mib = 1 << 20;

class Pool {
public:
  explicit Pool(uint64_t threshold = UINT64_MAX, size_t max_bytes = 0) {
    hipMemPoolProps properties{};
    properties.maxSize = max_bytes;
    properties.allocType = hipMemAllocationTypePinned;
    properties.location = {hipMemLocationTypeDevice, 0};
    REQUIRE_HIP(hipMemPoolCreate(&pool_, &properties));
    REQUIRE_HIP(hipMemPoolSetAttribute(pool_, hipMemPoolAttrReleaseThreshold, &threshold));
  }
  ~Pool() {
    (void)hipDeviceSynchronize();
    (void)hipMemPoolDestroy(pool_);
  }
  Pool(const Pool &) = delete;

  operator hipMemPool_t() const { return pool_; }
  void set(hipMemPoolAttr policy, int value) {
    REQUIRE_HIP(hipMemPoolSetAttribute(pool_, policy, &value));
  }
  uint64_t get(hipMemPoolAttr attribute) const {
    uint64_t value = 0;
    REQUIRE_HIP(hipMemPoolGetAttribute(pool_, attribute, &value));
    return value;
  }
  void *allocate(size_t bytes, hipStream_t stream) {
    void *memory = nullptr;
    REQUIRE_HIP(hipMallocFromPoolAsync(&memory, bytes, pool_, stream));
    return memory;
  }
  /// Memory that was freed on `stream`.
  void *freed_on(hipStream_t stream, size_t bytes) {
    void *memory = allocate(bytes, stream);
    REQUIRE_HIP(hipFreeAsync(memory, stream));
    return memory;
  }

private:
  hipMemPool_t pool_ = nullptr;
};

uint64_t asked(const Calls &calls) {
  uint64_t sum = 0;
  for (const char *name :
       {"zeCommandListHostSynchronize", "zeEventQueryStatus", "zeCommandListAppendSignalEvent"})
    if (const auto found = calls.find(name); found != calls.end())
      sum += found->second;
  return sum;
}

} // namespace

TEST_CASE("queue pools: a pool that may not ask the driver does not, and grows", "[calls]") {
  Streams streams(2, hipStreamNonBlocking);
  Pool pool;
  hipFunction_t nothing = function("nothing");
  HostMemory<int> argument(1);
  const auto submit = [&] { REQUIRE_HIP(launch(nothing, streams[0], 1, argument.get(), 0)); };
  submit();
  pool.set(hipMemPoolReuseAllowOpportunistic, 0);
  void *memory = pool.freed_on(streams[0], 5 * mib), *other = nullptr;
  Calls calls = calls_of([&] { other = pool.allocate(5 * mib, streams[1]); });
  CHECK(other != memory);
  CHECK(asked(calls) == 0);
  CHECK(calls["zeMemAllocDevice"] == 1);
  REQUIRE_HIP(hipFreeAsync(other, streams[1]));

  pool.set(hipMemPoolReuseAllowOpportunistic, 1);
  REQUIRE_HIP(hipDeviceSynchronize());
  submit();
  memory = pool.freed_on(streams[0], 6 * mib);
  calls = calls_of([&] { other = pool.allocate(6 * mib, streams[1]); });
  CHECK(asked(calls) > 0);
  REQUIRE_HIP(hipFreeAsync(other, streams[1]));
}

TEST_CASE("queue pools: what the host has waited for is any stream's, whatever the policies") {
  Streams streams(2, hipStreamNonBlocking);
  Pool pool;
  for (const auto policy :
       {hipMemPoolReuseFollowEventDependencies, hipMemPoolReuseAllowOpportunistic,
        hipMemPoolReuseAllowInternalDependencies})
    pool.set(policy, 0);
  Busy busy(streams[0]);
  void *memory = pool.freed_on(streams[0], 5 * mib);
  void *other = pool.allocate(5 * mib, streams[1]);
  CHECK(other != memory);
  busy.release();
  REQUIRE_HIP(hipStreamSynchronize(streams[0]));
  CHECK(pool.allocate(5 * mib, streams[1]) == memory);
}

TEST_CASE(
    "queue pools: a stream that comes after the free has the block, if it may follow events") {
  Streams streams(2, hipStreamNonBlocking);
  Pool pool;
  Event event;
  Busy busy(streams[0]);
  void *memory = pool.freed_on(streams[0], 5 * mib);
  REQUIRE_HIP(hipEventRecord(event, streams[0]));
  REQUIRE_HIP(hipStreamWaitEvent(streams[1], event, 0));
  pool.set(hipMemPoolReuseFollowEventDependencies, 0);
  void *other = pool.allocate(5 * mib, streams[1]);
  CHECK(other != memory);
  pool.set(hipMemPoolReuseFollowEventDependencies, 1);
  CHECK(pool.allocate(5 * mib, streams[1]) == memory);
  busy.release();
}

TEST_CASE("queue pools: where much is pending, a stream waits for another one's last block",
          "[calls][results]") {
  constexpr size_t bytes = 64 * mib;
  Streams streams(3, hipStreamNonBlocking);
  Pool pool;
  Busy busy(streams[0]);
  // As much again as was ever in use is pending.
  void *memory = pool.freed_on(streams[0], bytes);
  SECTION("if it may") {
    Calls calls = calls_of([&] { CHECK(pool.allocate(bytes, streams[1]) == memory); });
    CHECK(calls["zeMemAllocDevice"] == 0);
    // What is submitted now comes after the free.
    REQUIRE_HIP(hipMemsetAsync(memory, 1, 64, streams[1]));
    CHECK(hipStreamQuery(streams[1]) == hipErrorNotReady);
  }
  SECTION("and grows if it may not") {
    pool.set(hipMemPoolReuseAllowInternalDependencies, 0);
    CHECK(pool.allocate(bytes, streams[1]) != memory);
  }
  SECTION("and grows if the other one has work behind the block, which may wait for the program") {
    Busy later(streams[0]);
    busy.release();
    void *other = pool.allocate(bytes, streams[1]);
    CHECK(other != memory);
    REQUIRE_HIP(hipMemsetAsync(other, 1, 64, streams[1]));
    REQUIRE_HIP(hipStreamSynchronize(streams[1]));
    later.release();
  }
  busy.release();
}

TEST_CASE("queue pools: streams that take turns do not each have memory of their own",
          "[results]") {
  constexpr size_t bytes = 96 * mib;
  Streams streams(6, hipStreamNonBlocking);
  Pool pool;
  std::vector<std::unique_ptr<Busy>> busy;
  for (hipStream_t stream : streams) {
    busy.push_back(std::make_unique<Busy>(stream));
    pool.freed_on(stream, bytes);
  }
  CHECK(pool.get(hipMemPoolAttrReservedMemHigh) < 2 * bytes);
}

TEST_CASE("queue pools: a small pool may have as much for a second stream") {
  Streams streams(2, hipStreamNonBlocking);
  Pool pool;
  void *kept = pool.allocate(4096, streams[0]);
  Busy busy(streams[0]);
  void *memory = pool.freed_on(streams[0], 32 * mib);
  CHECK(pool.allocate(32 * mib, streams[1]) != memory);
  busy.release();
  REQUIRE_HIP(hipFreeAsync(kept, streams[0]));
}

TEST_CASE("queue pools: blocks of one size become blocks of another") {
  Streams streams(1);
  Pool pool;
  std::vector<void *> blocks;
  const auto fill = [&](size_t bytes) {
    blocks.clear();
    for (size_t sum = 0; sum + bytes <= 32 * mib; sum += bytes)
      blocks.push_back(pool.allocate(bytes, streams[0]));
  };
  const auto empty = [&] {
    for (void *block : blocks)
      REQUIRE_HIP(hipFreeAsync(block, streams[0]));
  };
  fill(64 << 10);
  empty();
  const uint64_t reserved = pool.get(hipMemPoolAttrReservedMemCurrent);
  for (const size_t bytes : {1000, 5000, 13 << 10, 200 << 10, 1 << 20}) {
    INFO(bytes);
    fill(bytes);
    CHECK(pool.get(hipMemPoolAttrReservedMemCurrent) <= reserved + 8 * mib);
    empty();
  }
}

TEST_CASE("queue pools: a loop that allocates, frees and synchronises makes no driver call for it",
          "[calls]") {
  Streams streams(1);
  Pool pool(0);
  const auto loop = [&] {
    for (int i = 0; i < 20; ++i) {
      void *small = pool.allocate(4096, streams[0]), *large = pool.allocate(9 * mib, streams[0]);
      REQUIRE_HIP(hipFreeAsync(small, streams[0]));
      REQUIRE_HIP(hipFreeAsync(large, streams[0]));
      REQUIRE_HIP(hipStreamSynchronize(streams[0]));
      CHECK(pool.get(hipMemPoolAttrReservedMemCurrent) == 0);
    }
  };
  loop();
  CHECK(calls_of(loop) == Calls{});
}

TEST_CASE("queue pools: memory that no loop takes again goes back to the driver", "[calls]") {
  Streams streams(1);
  Pool pool(0);
  pool.freed_on(streams[0], 9 * mib);
  pool.freed_on(streams[0], 4096);
  const Calls calls = calls_of([&] {
    for (int i = 0; i < 20; ++i)
      REQUIRE_HIP(hipStreamSynchronize(streams[0]));
  });
  CHECK(calls == Calls{{"zeMemFree", 2}});
  // And then nobody asks any more.
  CHECK(calls_of([&] { REQUIRE_HIP(hipStreamSynchronize(streams[0])); }) == Calls{});
}

TEST_CASE("queue pools: what a pool has let go of does not stay beside as much again", "[calls]") {
  Streams streams(1);
  Pool pool(0);
  Calls calls = calls_of([&] {
    for (size_t i = 0; i < 7; ++i) { // each of another size
      pool.freed_on(streams[0], (64 + 10 * i) * mib);
      REQUIRE_HIP(hipStreamSynchronize(streams[0]));
    }
  });
  CHECK(calls["zeMemAllocDevice"] == 7);
  CHECK(calls["zeMemFree"] == 6);
}

TEST_CASE("queue pools: memory that the driver lacks is taken from pools that have it to spare",
          "[calls]") {
  Streams streams(1);
  Pool pool, other;
  void *memory = nullptr;
  hipMemGenericAllocationHandle_t handle = nullptr;
  hipMemAllocationProp properties{};
  properties.type = hipMemAllocationTypePinned;
  properties.location = {hipMemLocationTypeDevice, 0};
  struct Way {
    const char *lacking;
    std::function<hipError_t()> allocate;
  };
  const Way ways[] = {
      {"zeMemAllocDevice", [&] { return hipMalloc(&memory, 1 << 20); }},
      {"zeMemAllocDevice",
       [&] {
         void *own = nullptr;
         return hipMallocFromPoolAsync(&own, 3 * mib, other, streams[0]);
       }},
      {"zePhysicalMemCreate", [&] { return hipMemCreate(&handle, 2 * mib, &properties, 0); }}};
  for (const Way &way : ways)
    for (const bool has_work : {false, true}) {
      INFO(way.lacking << ", " << has_work);
      memory = pool.allocate(9 * mib, streams[0]);
      if (has_work) // which nobody has waited for
        REQUIRE_HIP(hipMemsetAsync(memory, 1, 9 * mib, streams[0]));
      REQUIRE_HIP(hipFreeAsync(memory, streams[0]));
      Calls calls = calls_of([&] {
        const counted::Failing failing(way.lacking, 0x70000003); // out of device memory
        CHECK(way.allocate() == hipErrorOutOfMemory);
      });
      CHECK(calls[way.lacking] >= 2); // before, and with what the pool had
      CHECK(pool.get(hipMemPoolAttrReservedMemCurrent) == 0);
    }
}

TEST_CASE("queue pools: a pool at its limit waits for those who freed its memory, and nobody else",
          "[results]") {
  constexpr size_t bytes = 64 * mib;
  Streams streams(3, hipStreamNonBlocking);
  Pool pool(UINT64_MAX, bytes), other;
  Busy unrelated(streams[2]);
  void *memory = nullptr, *own = pool.allocate(bytes, streams[0]);
  other.freed_on(streams[2], bytes);
  // What would wait for the busy stream never returned.
  CHECK(hipMallocFromPoolAsync(&memory, 4096, pool, streams[1]) == hipErrorOutOfMemory);
  CHECK(other.get(hipMemPoolAttrReservedMemCurrent) == bytes);
  std::thread later;
  {
    auto busy = std::make_unique<Busy>(streams[0]);
    REQUIRE_HIP(hipFreeAsync(own, streams[0]));
    // Behind other work, so that no stream may be made to wait for it.
    Busy behind(streams[0]);
    SECTION("as long as the device takes") {
      later = std::thread([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
        busy->release();
        behind.release();
      });
      CHECK(pool.allocate(bytes, streams[1]) == own);
      later.join();
    }
    SECTION("and not at all for the stream that asks") {
      CHECK(pool.allocate(bytes / 2, streams[0]) == own);
      CHECK(pool.allocate(4096, streams[0]) != nullptr);
    }
  }
  unrelated.release();
}

TEST_CASE("queue pools: hipMalloc and hipFree of a small block make no driver call once warm",
          "[calls]") {
  void *kept = nullptr, *memory = nullptr;
  REQUIRE_HIP(hipMalloc(&kept, 4096));
  const auto pair = [&] {
    REQUIRE_HIP(hipMalloc(&memory, 4096));
    REQUIRE_HIP(hipFree(memory));
  };
  CHECK(calls_of([&] {
          for (int i = 0; i < 100; ++i)
            pair();
        }) == Calls{});
  SECTION("but for waiting for a device that has work") {
    hipFunction_t nothing = function("nothing");
    HostMemory<int> argument(1);
    REQUIRE_HIP(launch(nothing, nullptr, 1, argument.get(), 0));
    Calls calls = calls_of(pair);
    CHECK(calls["zeCommandListHostSynchronize"] == 1);
    CHECK(calls.size() == 1);
  }
  REQUIRE_HIP(hipFree(kept));
}

TEST_CASE(
    "queue pools: a small block that hipFree frees is nobody's until the device is done with it",
    "[results]") {
  Streams streams(1, hipStreamNonBlocking);
  void *memory = nullptr;
  REQUIRE_HIP(hipMalloc(&memory, 4096));
  Busy busy(streams[0]);
  std::atomic<bool> is_freed{false};
  std::thread other([&] {
    (void)hipFree(memory);
    is_freed = true;
  });
  void *next = nullptr;
  REQUIRE_HIP(hipMalloc(&next, 4096));
  CHECK(next != memory);
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  CHECK(!is_freed);
  busy.release();
  other.join();
  REQUIRE_HIP(hipFree(next));
}

TEST_CASE("queue pools: a mixed load on streams that nobody waits for stays below twice its peak",
          "[results]") {
  Streams streams(8, hipStreamNonBlocking);
  Pool pool(0);
  std::mt19937_64 random(11);
  struct Block {
    void *memory;
    size_t bytes;
    hipStream_t stream;
  };
  std::vector<Block> blocks;
  size_t live = 0, most = 0;
  for (int i = 0; i < 20000; ++i) {
    const hipStream_t stream = streams[random() % streams.size()];
    if (blocks.empty() || (live < 160 * mib && random() % 100 < 55)) {
      const size_t bytes = 1 + random() % (size_t(1) << (8 + random() % 16));
      void *memory = pool.allocate(bytes, stream);
      REQUIRE_HIP(hipMemsetAsync(memory, i, std::min<size_t>(bytes, 64), stream));
      blocks.push_back({memory, bytes, stream});
      live += bytes;
      most = std::max(most, live);
    } else {
      std::swap(blocks[random() % blocks.size()], blocks.back());
      REQUIRE_HIP(hipFreeAsync(blocks.back().memory, blocks.back().stream));
      live -= blocks.back().bytes;
      blocks.pop_back();
    }
    if (i % 100 == 0)
      REQUIRE_HIP(hipStreamSynchronize(streams[0])); // and never for another
  }
  CHECK(pool.get(hipMemPoolAttrUsedMemHigh) == most);
  CHECK(pool.get(hipMemPoolAttrReservedMemHigh) < 2 * most);
  for (const Block &block : blocks)
    REQUIRE_HIP(hipFreeAsync(block.memory, block.stream));
}
