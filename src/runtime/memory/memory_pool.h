// Stream-ordered memory: blocks that are given out and taken back in the order of streams, without waiting and, once warm,
// without driver calls.
#pragma once

#include "../../common/guarded.h"
#include "../platform/device.h"

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <list>
#include <memory>
#include <optional>
#include <unordered_map>

namespace chip {

class MemoryPool;

/// One allocation of the driver, cut into blocks of one size.
struct PoolChunk {
  MemoryPool *pool = nullptr;
  std::byte *base = nullptr;
  size_t block_bytes = 0;
  uint32_t count = 0;
  std::unique_ptr<std::atomic<size_t>[]> requested; // bytes asked for, by block; 0: free

  size_t bytes() const { return block_bytes * count; }
  /// The block in use that `pointer` lies in: its beginning, and the bytes that were asked for.
  std::optional<std::pair<void *, size_t>> find(const void *pointer) const;
};

/// Device memory of one device. A freed block carries the point in its queue's order where it was freed. The same queue may
/// have it again at once; another only when that point is known to be past, or when it is ordered after it. Before the pool
/// grows, it asks the driver how far the queues are whose blocks could serve. Thread-safe.
class MemoryPool {
public:
  explicit MemoryPool(Device &device) : device_(device) {}

  /// At least `bytes`, 256-byte aligned, for work that is submitted to `queue` later. Throws hipErrorOutOfMemory.
  void *allocate(size_t bytes, Queue &queue);
  /// Takes a block back when all that was submitted to `queue` so far is complete; at once without a queue: the caller has
  /// waited. Throws hipErrorInvalidValue unless `pointer` is the beginning of a block in use.
  void free(PoolChunk &chunk, void *pointer, Queue *queue);
  /// Takes all blocks back; the caller has waited for the device.
  void free_all();
  /// Gives chunks without a block in use or pending back to the driver.
  void trim();

private:
  struct FreeBlock {
    PoolChunk *chunk;
    std::byte *data;
    uint64_t sequence; // of the queue where it was freed
  };
  using Blocks = std::list<FreeBlock>;
  struct SizeClass {
    Blocks complete; // any queue may have them
    /// By the queue where they were freed, the oldest first.
    std::unordered_map<Queue *, Blocks> pending;
  };
  // Four sizes for each power of two from 256 bytes on, so that at most a quarter of a block is not used.
  static constexpr size_t smallest = 256;
  static constexpr size_t size_classes = 4 * (48 - 8) + 1;
  static size_t size_class(size_t bytes);
  static size_t class_bytes(size_t size_class);

  struct State {
    std::array<SizeClass, size_classes> free;
    Blocks spare; // one entry for each block in use, so that free() needs no memory
    std::list<PoolChunk> chunks;
  };

  static void collect_complete(SizeClass &blocks);
  std::byte *take(size_t size_class, size_t bytes, Queue &queue);
  void ask_driver(size_t size_class);
  std::byte *add_chunk(size_t size_class, size_t bytes);

  Device &device_;
  common::Guarded<State> state_; // never locked over a call of the driver that waits or allocates
};

} // namespace chip
