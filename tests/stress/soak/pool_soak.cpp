// A mixed load on a pool of stream-ordered memory: what the pool has reserved stays below twice the most that was ever in use,
// whichever streams the program waits for.
//
//   pool_soak [--operations N] [--streams N] [--live MIB] [--seed N]
//
// Blocks of 1 byte to 16 MiB, whose usual size changes over time, are allocated in one stream and freed there or, behind an
// event, in another. Only the first quarter of the streams is ever waited for.
#include <hip/hip_runtime_api.h>

#include "../../support/random.h"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace {

[[noreturn]] void fail(const std::string &what) {
  std::fflush(stdout);
  std::fprintf(stderr, "pool_soak: %s\n", what.c_str());
  std::_Exit(1);
}

void check(hipError_t error, const char *call, int line) {
  if (error != hipSuccess)
    fail("line " + std::to_string(line) + ": " + call + ": " + hipGetErrorName(error));
}
#define CALL(...) check((__VA_ARGS__), #__VA_ARGS__, __LINE__)

struct Block {
  void *memory;
  size_t bytes;
  size_t stream;
};

struct Options {
  uint64_t operations = 200'000, streams = 16, live = 256, seed = 1;
};

class Soak {
public:
  explicit Soak(const Options &options)
      : options_(options), random_(options.seed), streams_(options.streams) {
    for (size_t i = 0; i < streams_.size(); ++i)
      if (i != 0) // the first is the null stream
        CALL(hipStreamCreateWithFlags(&streams_[i],
                                      i % 2 ? hipStreamNonBlocking : hipStreamDefault));
    CALL(hipEventCreateWithFlags(&event_, hipEventDisableTiming));
    hipMemPoolProps properties{};
    properties.allocType = hipMemAllocationTypePinned;
    properties.location = {hipMemLocationTypeDevice, 0};
    CALL(hipMemPoolCreate(&pool_, &properties));
  }

  void run() {
    for (uint64_t i = 0; i < options_.operations; ++i) {
      // The load comes and goes, and small and large blocks take turns.
      const uint64_t part = i * 64 / options_.operations;
      const size_t most_live = (part % 4 == 3 ? options_.live / 4 : options_.live) << 20;
      const bool has_room = live_ < most_live;
      if (blocks_.empty() || (has_room && random_.below(100) < 56))
        allocate(part % 3 == 0 ? 12 : part % 3 == 1 ? 24 : 18);
      else
        free();
      if (random_.one_in(500))
        CALL(hipStreamSynchronize(streams_[random_.below(streams_.size() / 4)]));
    }
    for (const Block &block : blocks_)
      CALL(hipFreeAsync(block.memory, streams_[block.stream]));
    report();
  }

private:
  uint64_t attribute(hipMemPoolAttr attribute) const {
    uint64_t value = 0;
    CALL(hipMemPoolGetAttribute(pool_, attribute, &value));
    return value;
  }

  void allocate(unsigned most_bits) {
    Block block{nullptr, 0, random_.below(streams_.size())};
    block.bytes = 1 + random_.next() % (uint64_t(1) << (6 + random_.below(most_bits - 5)));
    CALL(hipMallocFromPoolAsync(&block.memory, block.bytes, pool_, streams_[block.stream]));
    CALL(
        hipMemsetAsync(block.memory, 1, std::min<size_t>(block.bytes, 64), streams_[block.stream]));
    blocks_.push_back(block);
    live_ += block.bytes;
    most_ = std::max(most_, live_);
  }

  void free() {
    std::swap(blocks_[random_.below(blocks_.size())], blocks_.back());
    Block block = blocks_.back();
    blocks_.pop_back();
    live_ -= block.bytes;
    if (random_.one_in(8)) {
      const size_t other = random_.below(streams_.size());
      CALL(hipEventRecord(event_, streams_[block.stream]));
      CALL(hipStreamWaitEvent(streams_[other], event_, 0));
      block.stream = other;
    }
    CALL(hipFreeAsync(block.memory, streams_[block.stream]));
  }

  void report() {
    const uint64_t used = attribute(hipMemPoolAttrUsedMemHigh),
                   reserved = attribute(hipMemPoolAttrReservedMemHigh);
    std::printf("%llu operations: %.1f MiB in use at most, %.1f MiB reserved at most, ratio %.3f\n",
                static_cast<unsigned long long>(options_.operations), double(used) / (1 << 20),
                double(reserved) / (1 << 20), double(reserved) / double(used));
    if (used != most_)
      fail("the pool counts " + std::to_string(used) + " bytes at most instead of " +
           std::to_string(most_));
    if (reserved >= 2 * used)
      fail("the pool has reserved twice what was in use, or more");
    CALL(hipDeviceSynchronize());
    if (attribute(hipMemPoolAttrUsedMemCurrent) != 0 ||
        attribute(hipMemPoolAttrReservedMemCurrent) != 0)
      fail("the pool has memory left that nobody uses");
    CALL(hipMemPoolDestroy(pool_));
  }

  const Options options_;
  test::Random<size_t> random_;
  std::vector<hipStream_t> streams_;
  hipEvent_t event_ = nullptr;
  hipMemPool_t pool_ = nullptr;
  std::vector<Block> blocks_;
  size_t live_ = 0, most_ = 0; // bytes
};

} // namespace

int main(int argc, char **argv) {
  Options options;
  for (int i = 1; i + 1 < argc; i += 2) {
    const std::string_view option = argv[i];
    uint64_t *number = option == "--operations" ? &options.operations
                       : option == "--streams"  ? &options.streams
                       : option == "--live"     ? &options.live
                       : option == "--seed"     ? &options.seed
                                                : nullptr;
    if (!number)
      fail("unknown option");
    *number = std::strtoull(argv[i + 1], nullptr, 10);
  }
  if (options.streams < 4 || options.operations == 0)
    fail("at least 4 streams and one operation");
  Soak(options).run();
}
