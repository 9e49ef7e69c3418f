#include "memory_pool.h"
#include "memory.h"

#include <algorithm>
#include <bit>

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
    throw Error(hipErrorOutOfMemory, "no device has that much memory");
  if (bytes <= smallest)
    return 0;
  bytes = (bytes + smallest - 1) / smallest * smallest; // each block begins at a multiple of it
  const unsigned power = unsigned(std::bit_width(bytes - 1)) - 1; // 2^power < bytes <= 2^(power + 1)
  return 4 * (power - 8) + ((bytes - 1) >> (power - 2)) - 3;
}

size_t MemoryPool::class_bytes(size_t size_class) {
  return size_class == 0 ? smallest : (5 + (size_class - 1) % 4) << ((size_class - 1) / 4 + 6);
}

std::byte *MemoryPool::take(std::vector<FreeBlock> &blocks, size_t bytes, Queue &queue) {
  // What was freed last comes first; a long list of blocks that others still wait for is not searched to its end.
  constexpr size_t looked_at = 64;
  const size_t end = blocks.size() > looked_at ? blocks.size() - looked_at : 0;
  auto find = [&](auto &&usable) {
    for (size_t i = blocks.size(); i > end; --i)
      if (usable(blocks[i - 1]))
        return &blocks[i - 1];
    return static_cast<FreeBlock *>(nullptr);
  };
  FreeBlock *found = find([&](const FreeBlock &block) {
    return !block.queue || block.queue == &queue || block.queue->has_drained(block.sequence);
  });
  if (!found)
    found = find([&](const FreeBlock &block) {
      return queue.is_ordered_after(*block.queue, block.sequence);
    });
  if (!found)
    return nullptr;
  PoolChunk &chunk = *found->chunk;
  std::byte *data = found->data;
  *found = blocks.back();
  blocks.pop_back();
  chunk.requested[size_t(data - chunk.base) / chunk.block_bytes].store(bytes, std::memory_order_release);
  return data;
}

std::byte *MemoryPool::add_chunk(size_t size_class, size_t bytes) {
  constexpr size_t usual_bytes = 2 << 20, most_blocks = 512;
  auto chunk = std::make_unique<PoolChunk>();
  chunk->pool = this;
  chunk->block_bytes = class_bytes(size_class);
  chunk->count = uint32_t(std::clamp<size_t>(usual_bytes / chunk->block_bytes, 1, most_blocks));
  chunk->requested = std::make_unique<std::atomic<size_t>[]>(chunk->count);
  auto &blocks = free_[size_class];
  blocks.reserve(blocks.size() + chunk->count);
  chunks_.reserve(chunks_.size() + 1);
  chunk->base = static_cast<std::byte *>(allocate_chunk(device_, chunk->bytes(), *chunk));
  for (uint32_t i = chunk->count; i > 1; --i)
    blocks.push_back({chunk.get(), chunk->base + (i - 1) * chunk->block_bytes, nullptr, 0});
  chunk->requested[0].store(bytes, std::memory_order_release);
  chunks_.push_back(std::move(chunk));
  return chunks_.back()->base;
}

void *MemoryPool::allocate(size_t bytes, Queue &queue) {
  device_.scheduler().check_alive();
  const size_t index = size_class(bytes);
  {
    std::lock_guard lock(mutex_);
    if (std::byte *data = take(free_[index], bytes, queue))
      return data;
    try {
      return add_chunk(index, bytes);
    } catch (const Error &error) {
      if (error.code() != hipErrorOutOfMemory)
        throw;
    }
  }
  // What others have freed is usable when the device has come that far.
  device_.scheduler().synchronize();
  trim();
  std::lock_guard lock(mutex_);
  if (std::byte *data = take(free_[index], bytes, queue))
    return data;
  return add_chunk(index, bytes);
}

void MemoryPool::free(PoolChunk &chunk, void *pointer, Queue *queue) {
  auto *data = static_cast<std::byte *>(pointer);
  const size_t offset = size_t(data - chunk.base);
  // The point after which the block may be used: in HIP's order, which work of other streams may be part of.
  const uint64_t sequence = queue ? queue->point() : 0;
  std::lock_guard lock(mutex_);
  if (offset % chunk.block_bytes != 0 ||
      chunk.requested[offset / chunk.block_bytes].exchange(0, std::memory_order_acq_rel) == 0)
    throw Error(hipErrorInvalidValue, "the pointer is not the beginning of memory in use");
  free_[size_class(chunk.block_bytes)].push_back({&chunk, data, queue, sequence});
}

void MemoryPool::free_all() {
  {
    std::lock_guard lock(mutex_);
    for (auto &chunk : chunks_)
      for (uint32_t i = 0; i < chunk->count; ++i)
        if (chunk->requested[i].exchange(0, std::memory_order_acq_rel) != 0)
          free_[size_class(chunk->block_bytes)].push_back(
              {chunk.get(), chunk->base + i * chunk->block_bytes, nullptr, 0});
  }
  trim();
}

void MemoryPool::trim() {
  std::lock_guard lock(mutex_);
  for (auto &blocks : free_) {
    if (blocks.empty())
      continue;
    std::erase_if(chunks_, [&](const std::unique_ptr<PoolChunk> &chunk) {
      auto idle = std::ranges::count_if(blocks, [&](const FreeBlock &block) {
        return block.chunk == chunk.get() && (!block.queue || block.queue->has_drained(block.sequence));
      });
      if (size_t(idle) != chunk->count)
        return false;
      std::erase_if(blocks, [&](const FreeBlock &block) { return block.chunk == chunk.get(); });
      free_chunk(device_, *chunk);
      return true;
    });
  }
}

} // namespace chip
