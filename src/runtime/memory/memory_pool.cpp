#include "memory_pool.h"
#include "../../common/align.h"
#include "memory.h"

#include <algorithm>
#include <bit>
#include <iterator>
#include <utility>
#include <vector>

namespace chip {

std::optional<std::pair<void *, size_t>> PoolChunk::find(const void *pointer) const {
  const size_t block = size_t(static_cast<const std::byte *>(pointer) - base) / block_bytes;
  const size_t bytes = requested[block].load(std::memory_order_acquire);
  std::byte *begin = base + block * block_bytes;
  if (static_cast<const std::byte *>(pointer) >= begin + bytes)
    return std::nullopt;
  return std::pair(begin, bytes);
}

size_t MemoryPool::size_class(size_t bytes) {
  if (bytes > size_t(1) << 47)
    throw Error(hipErrorOutOfMemory, "`size` is more than any device has");
  if (bytes <= smallest)
    return 0;
  bytes = common::round_up(bytes, smallest); // each block begins at a multiple of it
  // 2^power < bytes <= 2^(power + 1).
  const unsigned power = unsigned(std::bit_width(bytes - 1)) - 1;
  return 4 * (power - 8) + ((bytes - 1) >> (power - 2)) - 3;
}

size_t MemoryPool::class_bytes(size_t size_class) {
  return size_class == 0 ? smallest : (5 + (size_class - 1) % 4) << ((size_class - 1) / 4 + 6);
}

void MemoryPool::collect_complete(SizeClass &blocks) {
  for (auto &[queue, pending] : blocks.pending)
    while (!pending.empty() && queue->has_drained(pending.front().sequence))
      blocks.complete.splice(blocks.complete.end(), pending, pending.begin());
}

std::byte *MemoryPool::take(size_t size_class, size_t bytes, Queue &queue) {
  const auto state = state_.lock();
  SizeClass &blocks = state->free[size_class];
  const auto give = [&](Blocks &from, Blocks::iterator block) {
    PoolChunk &chunk = *block->chunk;
    std::byte *data = block->data;
    state->spare.splice(state->spare.end(), from, block);
    chunk.requested[size_t(data - chunk.base) / chunk.block_bytes].store(bytes,
                                                                         std::memory_order_release);
    return data;
  };
  // A queue's own first, which it need not wait for: others may have those that are complete.
  if (auto own = blocks.pending.find(&queue); own != blocks.pending.end() && !own->second.empty())
    return give(own->second, std::prev(own->second.end()));
  if (blocks.complete.empty())
    collect_complete(blocks);
  if (!blocks.complete.empty())
    return give(blocks.complete, std::prev(blocks.complete.end()));
  for (auto &[other, pending] : blocks.pending)
    if (!pending.empty() && queue.is_ordered_after(*other, pending.front().sequence))
      return give(pending, pending.begin());
  return nullptr;
}

/// Finds out how far the queues are that blocks are pending in. One call for each of them, and two more for one that is busy.
void MemoryPool::ask_driver(size_t size_class) {
  std::vector<Queue *> queues;
  {
    const auto state = state_.lock();
    for (auto &[queue, pending] : state->free[size_class].pending)
      if (!pending.empty())
        queues.push_back(queue);
  }
  for (Queue *queue : queues)
    if (!queue->query())
      queue->learn_progress();
}

std::byte *MemoryPool::add_chunk(size_t size_class, size_t bytes) {
  constexpr size_t usual_bytes = 2 << 20, most_blocks = 512;
  // All that can fail comes before the chunk belongs to the pool, and outside of the lock.
  std::list<PoolChunk> made(1);
  PoolChunk &chunk = made.front();
  chunk.pool = this;
  chunk.block_bytes = class_bytes(size_class);
  chunk.count = uint32_t(std::clamp<size_t>(usual_bytes / chunk.block_bytes, 1, most_blocks));
  chunk.requested = std::make_unique<std::atomic<size_t>[]>(chunk.count);
  Blocks rest(chunk.count - 1), spare(1);
  chunk.base = static_cast<std::byte *>(allocate_chunk(device_, chunk.bytes(), chunk));
  std::byte *data = chunk.base + chunk.bytes();
  for (FreeBlock &block : rest)
    block = {&chunk, data -= chunk.block_bytes, 0};
  chunk.requested[0].store(bytes, std::memory_order_release);
  const auto state = state_.lock();
  Blocks &complete = state->free[size_class].complete;
  complete.splice(complete.end(), rest);
  state->spare.splice(state->spare.end(), spare);
  state->chunks.splice(state->chunks.end(), made);
  return chunk.base;
}

void *MemoryPool::allocate(size_t bytes, Queue &queue) {
  device_.scheduler().check_alive();
  const size_t index = size_class(bytes);
  if (std::byte *data = take(index, bytes, queue))
    return data;
  ask_driver(index);
  if (std::byte *data = take(index, bytes, queue))
    return data;
  try {
    return add_chunk(index, bytes);
  } catch (const Error &error) {
    if (error.code() != hipErrorOutOfMemory)
      throw;
  }
  // What others have freed is usable when the device has come that far.
  device_.scheduler().synchronize();
  trim();
  if (std::byte *data = take(index, bytes, queue))
    return data;
  return add_chunk(index, bytes);
}

void MemoryPool::free(PoolChunk &chunk, void *pointer, Queue *queue) {
  auto *data = static_cast<std::byte *>(pointer);
  const size_t offset = size_t(data - chunk.base);
  // The point after which the block may be used: in HIP's order, which work of other streams may be part of.
  const uint64_t sequence = queue ? queue->point() : 0;
  const auto state = state_.lock();
  SizeClass &blocks = state->free[size_class(chunk.block_bytes)];
  Blocks &list = queue ? blocks.pending[queue] : blocks.complete;
  if (offset % chunk.block_bytes != 0 ||
      chunk.requested[offset / chunk.block_bytes].exchange(0, std::memory_order_acq_rel) == 0)
    throw Error(hipErrorInvalidValue, "the address is not the beginning of memory in use");
  state->spare.front() = {&chunk, data, sequence};
  list.splice(list.end(), state->spare, state->spare.begin());
}

void MemoryPool::free_all() {
  {
    const auto state = state_.lock();
    Blocks &spare = state->spare;
    for (PoolChunk &chunk : state->chunks)
      for (uint32_t i = 0; i < chunk.count; ++i)
        if (chunk.requested[i].exchange(0, std::memory_order_acq_rel) != 0) {
          Blocks &complete = state->free[size_class(chunk.block_bytes)].complete;
          spare.front() = {&chunk, chunk.base + i * chunk.block_bytes, 0};
          complete.splice(complete.end(), spare, spare.begin());
        }
  }
  trim();
}

void MemoryPool::trim() {
  std::list<PoolChunk> dropped;
  {
    const auto state = state_.lock();
    std::unordered_map<const PoolChunk *, uint32_t> complete;
    for (SizeClass &blocks : state->free) {
      collect_complete(blocks);
      for (const FreeBlock &block : blocks.complete)
        ++complete[block.chunk];
    }
    const auto is_idle = [&](const PoolChunk &chunk) {
      auto found = complete.find(&chunk);
      return found != complete.end() && found->second == chunk.count;
    };
    for (SizeClass &blocks : state->free)
      std::erase_if(blocks.complete, [&](const FreeBlock &block) { return is_idle(*block.chunk); });
    for (auto chunk = state->chunks.begin(); chunk != state->chunks.end();) {
      auto next = std::next(chunk);
      if (is_idle(*chunk))
        dropped.splice(dropped.end(), state->chunks, chunk);
      chunk = next;
    }
  }
  for (PoolChunk &chunk : dropped)
    free_chunk(device_, chunk);
}

} // namespace chip
