// Host-visible memory that a queue's commands read after the call that submitted them has returned: spilled kernel arguments
// and copies from pageable memory. A block is immutable once a command refers to it, and is reused when the queue has
// drained past that command.
#pragma once

#include "../ze/driver.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace chip {

class Queue;

/// Not thread-safe: its queue's lock guards it.
class SpillArena {
  struct Chunk;

public:
  /// The arena has no free block of that size: see make_room().
  struct Full {
    size_t bytes;
  };

  /// A piece of the arena; valid until the arena reuses the chunk it lies in.
  class Block {
  public:
    std::byte *data() const { return data_; }
    explicit operator bool() const { return data_; }

  private:
    friend class SpillArena;
    std::byte *data_ = nullptr;
    Chunk *chunk_ = nullptr;
    uint64_t generation_ = 0;
  };

  /// Blocks are free again when `queue` has drained past the commands that use them; without a queue, never.
  SpillArena(const ze::Driver &driver, const Queue *queue);
  SpillArena(const SpillArena &) = delete;
  SpillArena &operator=(const SpillArena &) = delete;
  ~SpillArena();

  /// `bytes` of memory, 64-byte aligned, for the command to be submitted next. Asks the driver how far the queue's list is
  /// before it throws Full.
  Block allocate(size_t bytes);
  /// Makes memory for a block, unless some is free already. False if all memory of a queue's arena would then be over `limit`:
  /// wait for the queue, then ask again.
  bool make_room(size_t bytes);
  /// Lets the next command refer to a block of an earlier one too. False if the block's memory has been reused since.
  bool share(const Block &block);
  /// The blocks allocated or shared since the last commit belong to the command with this sequence number.
  void commit(uint64_t sequence);
  /// Whether there are any.
  bool has_referenced() const { return !referenced_.empty(); }

  /// They belong to no command: what they were for failed.
  void abandon();

  static constexpr size_t chunk_bytes = 256 << 10;
  static constexpr size_t limit = 64 << 20;

private:
  struct Chunk {
    std::byte *memory = nullptr;
    size_t bytes = 0;
    size_t used = 0;            // taken from the front; the chunk is reused as a whole
    uint64_t last_sequence = 0; // of the newest command that refers to it
    uint64_t generation = 0;    // how often it has been reused
    bool referenced = false;    // by the command to be submitted next
  };
  bool is_free(const Chunk &chunk, size_t bytes, uint64_t drained) const;
  Chunk *find_free(size_t bytes, uint64_t drained) const;
  uint64_t drained() const;
  Block take(Chunk &chunk, size_t bytes);
  void refer(Chunk &chunk);

  const ze::Driver &driver_;
  const Queue *queue_;
  std::vector<std::unique_ptr<Chunk>> chunks_;
  Chunk *current_ = nullptr;
  std::vector<Chunk *> referenced_;
  size_t total_bytes_ = 0;
};

} // namespace chip
