// HIP API reference: Memory management, stream-ordered memory allocator: pools that several threads use at once.
#include "../../support/random.h"
#include "fixture.h"

#include <array>
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <thread>
#include <vector>

using namespace fixture;

namespace {

constexpr int thread_count = 8, rounds = 400;

hipMemPool_t make_pool(uint64_t threshold) {
  hipMemPoolProps properties{};
  properties.allocType = hipMemAllocationTypePinned;
  properties.location = {hipMemLocationTypeDevice, 0};
  hipMemPool_t pool = nullptr;
  if (hipMemPoolCreate(&pool, &properties) != hipSuccess ||
      hipMemPoolSetAttribute(pool, hipMemPoolAttrReleaseThreshold, &threshold) != hipSuccess)
    return nullptr;
  return pool;
}

uint64_t attribute(hipMemPool_t pool, hipMemPoolAttr attribute) {
  uint64_t value = UINT64_MAX;
  REQUIRE_HIP(hipMemPoolGetAttribute(pool, attribute, &value));
  return value;
}

struct Block {
  void *memory;
  size_t bytes;
  hipStream_t stream; // where it was used last
  unsigned char value;
};

/// What each of the threads does: its blocks are its own, all else is everybody's.
class User {
public:
  User(uint64_t seed, const std::vector<hipMemPool_t> &pools, const Streams &streams)
      : random_(seed), pools_(pools), streams_(streams) {}
  User(const User &) = delete;

  int run() {
    for (int i = 0; i < rounds; ++i) {
      if (blocks_.size() < 12 && random_.one_in(2))
        allocate();
      else if (!blocks_.empty())
        free();
      if (random_.one_in(10))
        manage();
    }
    while (!blocks_.empty())
      free();
    return wrong_;
  }

private:
  void good(hipError_t error) { wrong_ += error != hipSuccess; }
  hipStream_t any_stream() { return streams_[random_.below(streams_.size())]; }
  hipMemPool_t any_pool() { return pools_[random_.below(pools_.size())]; }

  void allocate() {
    Block block{nullptr, 1 + random_.below(size_t(1) << (6 + random_.below(16))), any_stream(),
                static_cast<unsigned char>(random_.below(256))};
    if (random_.one_in(6))
      good(hipMalloc(&block.memory, block.bytes));
    else if (random_.one_in(4))
      good(hipMallocAsync(&block.memory, block.bytes, block.stream));
    else
      good(hipMallocFromPoolAsync(&block.memory, block.bytes, any_pool(), block.stream));
    good(hipMemsetAsync(block.memory, block.value, block.bytes, block.stream));
    blocks_.push_back(block);
  }

  void free() {
    std::swap(blocks_[random_.below(blocks_.size())], blocks_.back());
    const Block block = blocks_.back();
    blocks_.pop_back();
    if (random_.one_in(8))
      check(block);
    good(random_.one_in(6) ? hipFree(block.memory) : hipFreeAsync(block.memory, block.stream));
  }

  /// Nobody else has written to it.
  void check(const Block &block) {
    std::vector<unsigned char> seen(block.bytes);
    good(hipMemcpyAsync(seen.data(), block.memory, block.bytes, hipMemcpyDeviceToHost,
                        block.stream));
    good(hipStreamSynchronize(block.stream));
    if (std::getenv("CHIP_DEVICE")) // on the simulated device nothing is filled
      for (unsigned char value : seen)
        wrong_ += value != block.value;
  }

  void manage() {
    const hipMemPool_t pool = any_pool();
    uint64_t value = random_.below(64 << 20);
    uint32_t number = 0;
    switch (random_.below(6)) {
    case 0:
      return good(hipMemPoolTrimTo(pool, random_.below(8 << 20)));
    case 1:
      return good(hipStreamSynchronize(any_stream()));
    case 2:
      return good(hipMemPoolSetAttribute(pool, hipMemPoolAttrReleaseThreshold, &value));
    case 3:
      return good(hipMemPoolGetAttribute(pool, hipMemPoolAttrReservedMemCurrent, &value));
    case 4:
      if (!blocks_.empty())
        good(hipPointerGetAttribute(&number, HIP_POINTER_ATTRIBUTE_BUFFER_ID,
                                    blocks_.back().memory));
      return;
    default:
      return come_and_go();
    }
  }

  /// A pool of its own, which is the device's for a while, and whose memory outlives it.
  void come_and_go() {
    const hipMemPool_t pool = make_pool(0);
    good(pool ? hipSuccess : hipErrorUnknown);
    Block block{nullptr, 5000, any_stream(), 7};
    good(hipMallocFromPoolAsync(&block.memory, block.bytes, pool, block.stream));
    good(hipMemsetAsync(block.memory, block.value, block.bytes, block.stream));
    good(hipDeviceSetMemPool(0, pool));
    good(hipMemPoolDestroy(pool));
    blocks_.push_back(block);
  }

  test::Random<size_t> random_;
  const std::vector<hipMemPool_t> &pools_;
  const Streams &streams_;
  std::vector<Block> blocks_;
  int wrong_ = 0;
};

} // namespace

TEST_CASE(
    "hip pool: threads allocate, free and trim in the same pools, and make pools and end them") {
  const Streams streams(4);
  const std::vector<hipMemPool_t> pools{make_pool(0), make_pool(UINT64_MAX)};
  std::array<int, thread_count> wrong{};
  std::vector<std::thread> threads;
  for (int i = 0; i < thread_count; ++i)
    threads.emplace_back([&, i] { wrong[i] = User(uint64_t(i + 1), pools, streams).run(); });
  for (std::thread &thread : threads)
    thread.join();
  for (const int each : wrong)
    CHECK(each == 0);
  REQUIRE_HIP(hipDeviceSynchronize());
  hipMemPool_t default_pool = nullptr;
  REQUIRE_HIP(hipDeviceGetDefaultMemPool(&default_pool, 0));
  for (const hipMemPool_t pool : {pools[0], pools[1], default_pool}) {
    CHECK(attribute(pool, hipMemPoolAttrUsedMemCurrent) == 0);
    REQUIRE_HIP(hipMemPoolTrimTo(pool, 0));
    CHECK(attribute(pool, hipMemPoolAttrReservedMemCurrent) == 0);
  }
  for (const hipMemPool_t pool : pools)
    REQUIRE_HIP(hipMemPoolDestroy(pool));
}
