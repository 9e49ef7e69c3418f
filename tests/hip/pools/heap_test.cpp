// The blocks of a pool, without a driver: what is cut, found again and made one again.
#include "runtime/pools/memory_pool.h"
#include "runtime/pools/pool_heap.h"

#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <random>
#include <vector>

using namespace chip;

namespace {

/// Chunks at addresses where nothing is: the heap never touches the memory itself.
class Heap {
public:
  PoolHeap heap;

  PoolChunk &add(size_t bytes) { return add(bytes, PoolRequest(bytes).size_class); }
  PoolChunk &add(size_t bytes, SizeClass size_class) {
    chunks_.push_back(std::make_unique<PoolChunk>(pool_, bytes));
    PoolChunk &chunk = *chunks_.back();
    chunk.base = reinterpret_cast<std::byte *>(next_);
    next_ += bytes + (64 << 20);
    heap.add(chunk, size_class);
    return chunk;
  }

  /// Null if there is none.
  PoolBlock *take(const FreeBlocks &list, size_t bytes) {
    const PoolRequest request(bytes);
    return use(PoolHeap::find(list, request, Reach::all_classes), request);
  }
  /// Of what any queue may have.
  PoolBlock *take(size_t bytes, Reach reach = Reach::all_classes) {
    const PoolRequest request(bytes);
    return use(heap.find(request, reach), request);
  }

  size_t bytes() const {
    size_t sum = 0;
    for (const auto &chunk : chunks_)
      sum += chunk->bytes;
    return sum;
  }
  const auto &chunks() const { return chunks_; }

  /// The blocks of each chunk lie side by side, know each other, and are found from their first byte to their last.
  void check() const {
    for (const auto &chunk : chunks_) {
      const std::byte *at = chunk->base;
      const PoolBlock *before = nullptr;
      for (const PoolBlock *block = chunk->first; block; block = block->after) {
        REQUIRE(block->data == at);
        REQUIRE(block->before == before);
        REQUIRE((block->requested == 0) == (block->list != nullptr));
        REQUIRE(&chunk->block_at(block->data) == block);
        REQUIRE(&chunk->block_at(block->end() - 1) == block);
        before = block;
        at = block->end();
      }
      REQUIRE(at == chunk->base + chunk->bytes);
    }
  }

private:
  PoolBlock *use(PoolBlock *block, const PoolRequest &request) {
    return block ? &heap.use(*block, request) : nullptr;
  }

  MemoryPool pool_;
  std::vector<std::unique_ptr<PoolChunk>> chunks_;
  uintptr_t next_ = uintptr_t(1) << 40;
};

} // namespace

TEST_CASE("pool heap: a request is rounded up to the least size of its bin, by an eighth at most") {
  for (size_t bytes = 1; bytes < (size_t(1) << 40); bytes += 1 + bytes / 37) {
    const PoolRequest request(bytes);
    INFO(bytes);
    REQUIRE(request.least >= bytes);
    REQUIRE(request.least < bytes + FreeBlocks::smallest);
    REQUIRE(request.rounded >= request.least);
    REQUIRE(request.rounded - request.least <= request.least / 8);
    REQUIRE(request.rounded % FreeBlocks::smallest == 0);
    REQUIRE(request.bin < FreeBlocks::bins);
    REQUIRE(FreeBlocks::bin_of(request.rounded) == request.bin);
    if (request.rounded > FreeBlocks::smallest)
      REQUIRE(FreeBlocks::bin_of(request.rounded - FreeBlocks::smallest) + 1 == request.bin);
  }
}

TEST_CASE("pool heap: bins are found across the words that their bits are in") {
  Heap h;
  FreeBlocks list;
  REQUIRE(list.next_bin(0) == FreeBlocks::bins);
  PoolChunk &chunk = h.add(size_t(1) << 35);
  PoolBlock *large = h.take(size_t(1) << 34), *small = h.take(256);
  PoolHeap::free(*large, list, 1);
  const unsigned bin = FreeBlocks::bin_of(size_t(1) << 34);
  CHECK(list.next_bin(0) == bin);
  CHECK(list.next_bin(bin) == bin);
  CHECK(list.next_bin(bin + 1) == FreeBlocks::bins);
  PoolHeap::free(*small, list, 1);
  CHECK(list.next_bin(0) == 0);
  CHECK(list.next_bin(1) == bin);
  CHECK(list.bytes() == (size_t(1) << 34) + 256);
  h.heap.free_all(chunk);
  CHECK(list.is_empty());
  CHECK(h.heap.idle().size() == 1);
}

TEST_CASE("pool heap: a block that its queue has freed is found again as it was") {
  Heap h;
  FreeBlocks own;
  h.add(2 << 20);
  PoolBlock *block = h.take(5000);
  void *data = block->data;
  PoolHeap::free(*block, own, 7);
  PoolBlock *again = h.take(own, 5000);
  REQUIRE(again);
  CHECK(again->data == data);
  CHECK(own.is_empty());
  h.check();
}

TEST_CASE("pool heap: the rest of a block that is cut stays where the block was") {
  Heap h;
  FreeBlocks own;
  h.add(2 << 20);
  PoolBlock *block = h.take(1 << 20);
  PoolHeap::free(*block, own, 7);
  const std::byte *data = block->data;
  // Less than half of it, then more than half of the rest.
  for (const size_t bytes : {100 << 10, 700 << 10}) {
    const size_t before = own.bytes();
    PoolBlock *part = h.take(own, bytes);
    REQUIRE(part);
    CHECK(part->data == data);
    CHECK(part->bytes == PoolRequest(bytes).rounded);
    REQUIRE(part->after->list == &own);
    CHECK(part->after->sequence == 7);
    CHECK(own.bytes() == before - part->bytes);
    data = part->end();
    h.check();
  }
}

TEST_CASE("pool heap: what any queue may have is one with its free neighbours") {
  Heap h;
  PoolChunk &chunk = h.add(2 << 20);
  REQUIRE(h.heap.idle().size() == 1);
  PoolBlock *blocks[4];
  for (PoolBlock *&block : blocks)
    block = h.take(64 << 10);
  CHECK(h.heap.idle().empty());
  for (int i : {1, 3, 2, 0}) {
    h.heap.free(*blocks[i]);
    h.check();
  }
  CHECK(chunk.first->bytes == chunk.bytes);
  CHECK(h.heap.idle() == std::vector<PoolChunk *>{&chunk});
}

TEST_CASE("pool heap: blocks become any queue's in the order in which they were freed") {
  Heap h;
  FreeBlocks own;
  h.add(2 << 20);
  PoolBlock *blocks[3];
  for (PoolBlock *&block : blocks) {
    block = h.take(4096);
    h.take(4096); // so that no two of them are neighbours
  }
  for (int i = 0; i < 3; ++i)
    PoolHeap::free(*blocks[i], own, uint64_t(10 + i));
  h.heap.collect(own, 9);
  CHECK(own.bytes() == 3 * 4096);
  h.heap.collect(own, 11);
  CHECK(own.bytes() == 4096);
  CHECK(blocks[2]->list == &own);
  CHECK(PoolHeap::find_freed_by(own, PoolRequest(4096), Reach::own_class, 11) == nullptr);
  CHECK(PoolHeap::find_freed_by(own, PoolRequest(4096), Reach::own_class, 12) == blocks[2]);
  CHECK(PoolHeap::find_freed_since(own, PoolRequest(4096), Reach::own_class, 12) == blocks[2]);
  CHECK(PoolHeap::find_freed_since(own, PoolRequest(4096), Reach::own_class, 13) == nullptr);
  h.check();
}

TEST_CASE("pool heap: blocks of one queue are made one, and are free when the last of them is") {
  Heap h;
  FreeBlocks own, other;
  h.add(2 << 20);
  PoolBlock *blocks[4];
  for (PoolBlock *&block : blocks)
    block = h.take(64 << 10);
  PoolBlock *end = h.take(64 << 10);
  PoolHeap::free(*blocks[0], own, 3);
  PoolHeap::free(*blocks[1], own, 9);
  PoolHeap::free(*blocks[2], other, 1);
  h.heap.free(*blocks[3]);
  h.heap.merge(own);
  h.check();
  CHECK(blocks[0]->bytes == 128 << 10);
  CHECK(blocks[0]->sequence == 9);
  CHECK(blocks[2]->list == &other);
  CHECK(blocks[3]->list == &h.heap.complete(SizeClass::small));
  h.heap.merge(other); // takes what any may have
  h.check();
  CHECK(blocks[2]->bytes == 128 << 10);
  CHECK(end->requested != 0);
}

TEST_CASE("pool heap: a request has blocks of its own class, and in need of others") {
  constexpr size_t tiny = 4096, small = 64 << 10, large = 2 << 20;
  Heap h;
  const auto takes = [&](size_t bytes, Reach reach) {
    PoolBlock *block = h.take(bytes, reach);
    if (block)
      h.heap.free(*block);
    return block != nullptr;
  };
  FreeBlocks queue;
  const auto takes_of_queue = [&](size_t bytes, Reach reach) {
    const PoolRequest request(bytes);
    PoolHeap::free(*h.take(small), queue, 5);
    const bool found[] = {PoolHeap::find(queue, request, reach) != nullptr,
                          PoolHeap::find_freed_by(queue, request, reach, 5) != nullptr,
                          PoolHeap::find_freed_since(queue, request, reach, 5) != nullptr};
    h.heap.collect(queue, 5);
    CHECK(found[0] == found[1]);
    CHECK(found[0] == found[2]);
    return found[0];
  };
  h.add(64 << 20, SizeClass::small);
  REQUIRE(h.take(small));
  for (const auto &taken : {std::function<bool(size_t, Reach)>(takes), {takes_of_queue}}) {
    CHECK_FALSE(taken(tiny, Reach::own_class));
    CHECK_FALSE(taken(tiny, Reach::smaller_classes));
    CHECK(taken(tiny, Reach::all_classes));
    CHECK(taken(small, Reach::own_class));
  }
  CHECK_FALSE(takes(large, Reach::own_class));
  CHECK(takes(large, Reach::smaller_classes));
}

TEST_CASE("pool heap: a shared chunk that is free serves another class") {
  constexpr size_t tiny = 4096, small = 64 << 10;
  Heap h;
  PoolChunk &chunk = h.add(PoolRequest::shared_chunk, SizeClass::small);
  PoolBlock *first = h.take(tiny, Reach::own_class);
  REQUIRE(first);
  CHECK(chunk.size_class == SizeClass::tiny);
  CHECK(h.take(small, Reach::own_class) == nullptr);
  CHECK(h.take(tiny, Reach::own_class) != nullptr);
  h.heap.free_all(chunk);
  FreeBlocks queue;
  PoolBlock *whole = h.take(PoolRequest::shared_chunk, Reach::own_class);
  REQUIRE(whole);
  CHECK(chunk.size_class == SizeClass::large);
  PoolHeap::free(*whole, queue, 1);
  REQUIRE(h.take(queue, small));
  CHECK(chunk.size_class == SizeClass::small);
  CHECK(queue.bytes() == PoolRequest::shared_chunk - small);
  h.check();
}

TEST_CASE("pool heap: a block that was cut for just its size is found for it again") {
  Heap h;
  const size_t bytes = (size_t(65) << 20) - 256; // whose bin begins at 72 MiB
  h.add(PoolRequest(bytes).least);
  for (int i = 0; i < 2; ++i) {
    PoolBlock *block = h.take(bytes);
    REQUIRE(block);
    CHECK(block->bytes == PoolRequest(bytes).least);
    h.heap.free(*block);
  }
}

TEST_CASE("pool heap: random requests of three queues never overlap, and all memory is one again") {
  Heap h;
  FreeBlocks queues[3];
  struct Used {
    PoolBlock *block;
    std::byte *data;
    size_t bytes;
  };
  std::vector<Used> used;
  std::mt19937_64 random(5);
  std::map<const std::byte *, size_t> taken; // memory in use, by address
  uint64_t now = 0;
  size_t live = 0;
  for (int i = 0; i < 60000; ++i) {
    FreeBlocks &queue = queues[random() % 3];
    if (used.empty() || (random() % 100 < 52 && live < (100 << 20))) {
      const size_t bytes = 1 + random() % (size_t(1) << (6 + random() % 17));
      const PoolRequest request(bytes);
      PoolBlock *block = h.take(queue, bytes);
      if (!block)
        block = h.take(bytes);
      if (!block) {
        for (FreeBlocks &other : queues)
          h.heap.collect(other, now); // the device is quick
        block = h.take(bytes);
      }
      if (!block) {
        h.add(request.shares_chunk() ? PoolRequest::shared_chunk : request.rounded,
              request.size_class);
        block = h.take(bytes);
      }
      REQUIRE(block);
      const auto next = taken.lower_bound(block->data);
      REQUIRE((next == taken.end() || block->data + bytes <= next->first));
      if (next != taken.begin())
        REQUIRE(std::prev(next)->first + std::prev(next)->second <= block->data);
      taken[block->data] = bytes;
      used.push_back({block, block->data, bytes});
      live += bytes;
    } else {
      const size_t index = random() % used.size();
      const Used freed = used[index];
      used[index] = used.back();
      used.pop_back();
      REQUIRE(freed.block->data == freed.data);
      REQUIRE(freed.block->requested == freed.bytes);
      taken.erase(freed.data);
      live -= freed.bytes;
      PoolHeap::free(*freed.block, queue, ++now);
    }
    if (i % 5000 == 0)
      h.check();
  }
  for (const Used &each : used)
    h.heap.free(*each.block);
  for (FreeBlocks &queue : queues)
    h.heap.collect(queue, now);
  h.check();
  REQUIRE(h.heap.idle().size() == h.chunks().size());
}
