// The memory of a pool: chunks, each an allocation of the driver, cut into blocks. It knows which blocks are in use, and since
// which point of which queue the others are free; nothing of the driver, and takes no lock.
//
// Free blocks are in bins by size, of which there are eight for each power of two: a request is rounded up to the least size
// of a bin, so that any block of that bin serves it, and at most an eighth of it is not used. What was freed in a queue stays
// as it is, for the next request of the same size; what any queue may have is one with its free neighbours.
//
// A chunk serves requests of one class of sizes, until it is free again. Otherwise a few small blocks that live long, one in each chunk, would keep all
// the memory from large ones.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace chip {

class FreeBlocks;
class MemoryPool;
class Queue;
struct PoolChunk;

enum class SizeClass : uint8_t { tiny, small, large };
constexpr size_t size_classes = 3;

/// Of which chunks a request may have a block: those of its own class; also of smaller ones; of any.
enum class Reach : uint8_t { own_class, smaller_classes, all_classes };

struct PoolBlock {
  PoolChunk *chunk = nullptr;
  std::byte *data = nullptr;
  size_t bytes = 0;
  size_t requested = 0;                          // what the program asked for; 0: the block is free
  PoolBlock *before = nullptr, *after = nullptr; // the neighbours in its chunk
  // While it is free:
  FreeBlocks *list = nullptr;
  PoolBlock *newer = nullptr, *older = nullptr; // of the same bin of the list
  uint64_t sequence = 0; // it may be used behind this point of the list's queue

  std::byte *end() const { return data + bytes; }
};

struct PoolChunk {
  /// Finds blocks in `bytes` of memory, at least 256. Throws std::bad_alloc.
  PoolChunk(MemoryPool &owner, size_t size);

  /// The block that holds the byte at `pointer`, which lies in the chunk.
  PoolBlock &block_at(const void *pointer) const;
  /// Makes `block` the one that is found from `from` to `to`.
  void set_block(PoolBlock &block, const std::byte *from, const std::byte *to);
  bool contains(const void *pointer) const {
    return size_t(static_cast<const std::byte *>(pointer) - base) < bytes;
  }

  MemoryPool *const pool;
  const size_t bytes;
  std::byte *base = nullptr;
  PoolBlock *first = nullptr;
  SizeClass size_class = SizeClass::large; // of what it serves
  size_t idle_index = not_idle;            // its place among those that are all free
  uint64_t cool_since = 0;                 // the synchronisation at which its pool let go of it
  static constexpr size_t not_idle = SIZE_MAX;

private:
  unsigned part_shift_; // the chunk is divided into parts of this many bytes, a power of two
  std::unique_ptr<PoolBlock *[]> parts_; // for each, the block that holds its first byte
};

/// What a program asks for.
struct PoolRequest {
  /// Throws hipErrorOutOfMemory for more than any device has.
  explicit PoolRequest(size_t bytes);

  size_t bytes;   // asked for
  size_t least;   // of a block that serves it
  size_t rounded; // of the block that is cut for it: the least of its bin
  unsigned bin;
  SizeClass size_class;
  static constexpr size_t most_tiny = 16 << 10, most_small = 1 << 20; // bytes of a block
  /// Blocks that are not large share chunks of this many bytes.
  static constexpr size_t shared_chunk = 2 << 20;
  bool shares_chunk() const { return size_class != SizeClass::large; }
  /// Whether it may be served from where a free block is. Of the chunks that are shared, one without a block in use is anybody's.
  bool may_use(const PoolBlock &block, Reach reach) const {
    const PoolChunk &chunk = *block.chunk;
    return chunk.size_class == size_class || reach == Reach::all_classes ||
           (reach == Reach::smaller_classes && chunk.size_class < size_class) ||
           (block.bytes == chunk.bytes && chunk.bytes == shared_chunk);
  }
};

/// Blocks that were freed in one queue, or that any queue may have.
class FreeBlocks {
public:
  static constexpr unsigned bins = 304;
  static constexpr size_t smallest = 256, most_bytes = size_t(1) << 46;
  /// The bin of a free block; all in it have at least as much as the least that is in no smaller bin.
  static unsigned bin_of(size_t bytes);

  explicit FreeBlocks(Queue *owner = nullptr) : queue(owner) {}
  FreeBlocks(const FreeBlocks &) = delete;
  FreeBlocks &operator=(const FreeBlocks &) = delete;

  bool is_empty() const { return bytes_ == 0; }
  size_t bytes() const { return bytes_; }
  void add(PoolBlock &block);
  void remove(PoolBlock &block);
  PoolBlock *newest(unsigned bin) const { return bins_[bin].newest; }
  PoolBlock *oldest(unsigned bin) const { return bins_[bin].oldest; }
  /// The first bin from `from` on that has a block; `bins` if none has.
  unsigned next_bin(unsigned from) const;

  Queue *const queue; // null: any may have them
  /// How far the queue was when its pool last waited for it in vain.
  uint64_t waited_in_vain_at = UINT64_MAX;

private:
  struct Bin {
    PoolBlock *newest = nullptr, *oldest = nullptr;
  };
  std::array<Bin, bins> bins_{};
  std::array<uint64_t, (bins + 63) / 64> occupied_{}; // a bit for each bin
  size_t bytes_ = 0;
};

/// Blocks with their neighbours. What it is asked for, and what it is given back, it finds without memory of the host, except
/// where it cuts a block.
class PoolHeap {
public:
  PoolHeap() = default;
  PoolHeap(const PoolHeap &) = delete;
  PoolHeap &operator=(const PoolHeap &) = delete;

  /// What any queue may have, in chunks of a class.
  FreeBlocks &complete(SizeClass size_class) { return complete_[size_t(size_class)]; }
  /// Chunks without a block in use or pending.
  const std::vector<PoolChunk *> &idle() const { return idle_; }

  /// Makes one block of the chunk, which any queue may have for requests of the class. Throws std::bad_alloc, and nothing is
  /// changed.
  void add(PoolChunk &chunk, SizeClass size_class);
  /// Takes an idle chunk out.
  void remove(PoolChunk &chunk);

  /// A block that serves the request and that any queue may have; null if there is none.
  PoolBlock *find(const PoolRequest &request, Reach reach);
  /// The same in a list.
  static PoolBlock *find(const FreeBlocks &list, const PoolRequest &request, Reach reach);
  /// The same, but one that was freed up to the given point.
  static PoolBlock *find_freed_by(const FreeBlocks &list, const PoolRequest &request, Reach reach,
                                  uint64_t sequence);
  /// The same, but the last one of a bin, if it was freed at the given point or later.
  static PoolBlock *find_freed_since(const FreeBlocks &list, const PoolRequest &request,
                                     Reach reach, uint64_t sequence);
  /// Gives a program the beginning of a free block, and keeps the rest where the block was. Returns the block that is now in
  /// use. Throws std::bad_alloc, and nothing is changed.
  PoolBlock &use(PoolBlock &block, const PoolRequest &request);
  /// Takes a block back into the list of the queue where it was freed.
  static void free(PoolBlock &block, FreeBlocks &list, uint64_t sequence);
  /// Takes a block back that any queue may have.
  void free(PoolBlock &block);
  /// Lets any queue have what was freed in a queue up to a point.
  void collect(FreeBlocks &pending, uint64_t drained);
  /// Makes one block of those that lie side by side and were freed in the same queue, or may be had by any.
  void merge(FreeBlocks &pending);
  /// Makes one free block of all that is in the chunk, in use or not.
  void free_all(PoolChunk &chunk);

private:
  bool is_complete(const PoolBlock &block) {
    return block.list == &complete(block.chunk->size_class);
  }
  PoolBlock &take_spare();
  void give_spare(PoolBlock &block);
  void cut(PoolBlock &block, size_t bytes, PoolBlock &part);
  /// Makes one block of one that is in no list and its free neighbours that `may_join` is true for.
  template <class MayJoin> PoolBlock &join(PoolBlock &block, MayJoin &&may_join);
  PoolBlock &join_next(PoolBlock &block);
  void set_idle(PoolChunk &chunk);
  void set_busy(PoolChunk &chunk);

  std::array<FreeBlocks, size_classes> complete_;
  std::vector<PoolChunk *> idle_;
  size_t chunks_ = 0;
  PoolBlock *spare_ = nullptr; // linked by `after`
  std::vector<std::unique_ptr<PoolBlock[]>> storage_;
};

} // namespace chip
