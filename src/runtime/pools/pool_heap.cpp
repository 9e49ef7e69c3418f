#include "pool_heap.h"
#include "../../common/align.h"
#include "../../ze/error.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace chip {
namespace {

constexpr size_t most_parts = 1024;                       // of a chunk
constexpr unsigned bins_of_a_power = 8, first_power = 11; // below it, the bins are `smallest` apart

unsigned floor_power(size_t bytes) { return unsigned(std::bit_width(bytes)) - 1; }

} // namespace

// ---- Chunks

PoolChunk::PoolChunk(MemoryPool &owner, size_t size)
    : pool(&owner), bytes(size),
      part_shift_(std::max(8u, unsigned(std::bit_width((size - 1) / most_parts)))),
      parts_(std::make_unique<PoolBlock *[]>(((size - 1) >> part_shift_) + 1)) {}

PoolBlock &PoolChunk::block_at(const void *pointer) const {
  const size_t offset = size_t(static_cast<const std::byte *>(pointer) - base);
  PoolBlock *block = parts_[offset >> part_shift_];
  while (size_t(block->end() - base) <= offset)
    block = block->after;
  return *block;
}

void PoolChunk::set_block(PoolBlock &block, const std::byte *from, const std::byte *to) {
  const size_t part = size_t(1) << part_shift_, end = size_t(to - base);
  for (size_t at = common::round_up(size_t(from - base), part); at < end; at += part)
    parts_[at >> part_shift_] = &block;
}

// ---- Sizes

unsigned FreeBlocks::bin_of(size_t bytes) {
  const unsigned power = floor_power(bytes);
  if (power < first_power)
    return unsigned(bytes / smallest) - 1;
  const unsigned within = unsigned(bytes >> (power - 3)) % bins_of_a_power;
  return (power - first_power) * bins_of_a_power + within + bins_of_a_power - 1;
}

PoolRequest::PoolRequest(size_t asked_for) : bytes(asked_for) {
  if (bytes > FreeBlocks::most_bytes)
    throw Error(hipErrorOutOfMemory, "`size` is more than any device has");
  least = common::round_up(bytes, FreeBlocks::smallest);
  const unsigned power = floor_power(least);
  rounded = power < first_power ? least : common::round_up(least, size_t(1) << (power - 3));
  bin = FreeBlocks::bin_of(rounded);
  size_class = rounded <= most_tiny    ? SizeClass::tiny
               : rounded <= most_small ? SizeClass::small
                                       : SizeClass::large;
}

// ---- Lists

void FreeBlocks::add(PoolBlock &block) {
  const unsigned index = bin_of(block.bytes);
  Bin &bin = bins_[index];
  block.list = this;
  block.newer = nullptr;
  block.older = std::exchange(bin.newest, &block);
  (block.older ? block.older->newer : bin.oldest) = &block;
  occupied_[index / 64] |= uint64_t(1) << index % 64;
  bytes_ += block.bytes;
}

void FreeBlocks::remove(PoolBlock &block) {
  const unsigned index = bin_of(block.bytes);
  Bin &bin = bins_[index];
  (block.newer ? block.newer->older : bin.newest) = block.older;
  (block.older ? block.older->newer : bin.oldest) = block.newer;
  if (!bin.newest)
    occupied_[index / 64] &= ~(uint64_t(1) << index % 64);
  block.list = nullptr;
  block.newer = block.older = nullptr;
  bytes_ -= block.bytes;
}

unsigned FreeBlocks::next_bin(unsigned from) const {
  if (from >= bins)
    return bins;
  size_t word = from / 64;
  uint64_t bits = occupied_[word] & ~uint64_t(0) << from % 64;
  while (bits == 0) {
    if (++word == occupied_.size())
      return bins;
    bits = occupied_[word];
  }
  return unsigned(64 * word) + unsigned(std::countr_zero(bits));
}

// ---- Blocks without a place

PoolBlock &PoolHeap::take_spare() {
  constexpr size_t at_a_time = 64;
  if (!spare_) {
    auto blocks = std::make_unique<PoolBlock[]>(at_a_time);
    storage_.push_back(std::move(blocks));
    for (size_t i = 0; i < at_a_time; ++i)
      give_spare(storage_.back()[i]);
  }
  PoolBlock &block = *std::exchange(spare_, spare_->after);
  block.after = nullptr;
  return block;
}

void PoolHeap::give_spare(PoolBlock &block) {
  block = {};
  block.after = std::exchange(spare_, &block);
}

// ---- Chunks of the heap

void PoolHeap::add(PoolChunk &chunk, SizeClass size_class) {
  idle_.reserve(chunks_ + 1); // so that blocks can be freed without memory of the host
  PoolBlock &block = take_spare();
  ++chunks_;
  block.chunk = &chunk;
  block.data = chunk.base;
  block.bytes = chunk.bytes;
  chunk.first = &block;
  chunk.size_class = size_class;
  chunk.set_block(block, block.data, block.end());
  complete(size_class).add(block);
  set_idle(chunk);
}

void PoolHeap::remove(PoolChunk &chunk) {
  set_busy(chunk);
  complete(chunk.size_class).remove(*chunk.first);
  give_spare(*std::exchange(chunk.first, nullptr));
  --chunks_;
}

void PoolHeap::free_all(PoolChunk &chunk) {
  if (chunk.idle_index != PoolChunk::not_idle)
    return;
  for (PoolBlock *block = chunk.first; block; block = block->after) {
    block->requested = 0;
    if (block->list)
      block->list->remove(*block);
  }
  PoolBlock *block = chunk.first;
  while (block->after)
    block = &join_next(*block);
  free(*block);
}

void PoolHeap::set_idle(PoolChunk &chunk) {
  chunk.idle_index = idle_.size();
  idle_.push_back(&chunk);
}

void PoolHeap::set_busy(PoolChunk &chunk) {
  const size_t index = std::exchange(chunk.idle_index, PoolChunk::not_idle);
  if (index == PoolChunk::not_idle)
    return;
  idle_[index] = idle_.back();
  idle_[index]->idle_index = index;
  idle_.pop_back();
  chunk.idle_index = PoolChunk::not_idle; // it may have been the last itself
}

// ---- Finding and using

PoolBlock *PoolHeap::find(const PoolRequest &request, Reach reach) {
  if (PoolBlock *block = find(complete(request.size_class), request, reach))
    return block;
  for (const FreeBlocks &list : complete_)
    if (PoolBlock *block = find(list, request, reach))
      return block;
  return nullptr;
}

PoolBlock *PoolHeap::find(const FreeBlocks &list, const PoolRequest &request, Reach reach) {
  const auto serves = [&](const PoolBlock &block) { return request.may_use(block, reach); };
  for (unsigned bin = list.next_bin(request.bin); bin < FreeBlocks::bins;
       bin = list.next_bin(bin + 1))
    if (PoolBlock *block = list.newest(bin); serves(*block))
      return block;
  // A block that was cut for just this size, where there was no room for more, is in the bin below.
  constexpr int most_tries = 8;
  PoolBlock *block = list.newest(FreeBlocks::bin_of(request.least));
  for (int i = 0; block && i < most_tries; ++i, block = block->older)
    if (block->bytes >= request.least && serves(*block))
      return block;
  return nullptr;
}

PoolBlock *PoolHeap::find_freed_by(const FreeBlocks &list, const PoolRequest &request, Reach reach,
                                   uint64_t sequence) {
  for (unsigned bin = list.next_bin(request.bin); bin < FreeBlocks::bins;
       bin = list.next_bin(bin + 1))
    if (PoolBlock *block = list.oldest(bin);
        block->sequence <= sequence && request.may_use(*block, reach))
      return block;
  return nullptr;
}

PoolBlock *PoolHeap::find_freed_since(const FreeBlocks &list, const PoolRequest &request,
                                      Reach reach, uint64_t sequence) {
  for (unsigned bin = list.next_bin(request.bin); bin < FreeBlocks::bins;
       bin = list.next_bin(bin + 1))
    if (PoolBlock *block = list.newest(bin);
        block->sequence >= sequence && request.may_use(*block, reach))
      return block;
  return nullptr;
}

PoolBlock &PoolHeap::use(PoolBlock &block, const PoolRequest &request) {
  PoolChunk &chunk = *block.chunk;
  const bool is_cut = FreeBlocks::bin_of(block.bytes) > request.bin,
             any_may_have = is_complete(block);
  PoolBlock *part = is_cut ? &take_spare() : nullptr;
  FreeBlocks &pending = *block.list;
  pending.remove(block);
  if (any_may_have)
    set_busy(chunk);
  if (block.bytes == chunk.bytes)
    chunk.size_class = request.size_class;
  FreeBlocks &list = any_may_have ? complete(chunk.size_class) : pending;
  PoolBlock *used = &block;
  if (part) {
    cut(block, request.rounded, *part);
    const bool is_part = part->data < block.data;
    used = is_part ? part : &block;
    list.add(is_part ? block : *part);
  }
  used->requested = request.bytes;
  return *used;
}

/// Cuts a block in two, of which `part` becomes the smaller: there is less to be told what it lies in.
void PoolHeap::cut(PoolBlock &block, size_t bytes, PoolBlock &part) {
  PoolChunk &chunk = *block.chunk;
  part.chunk = &chunk;
  part.sequence = block.sequence;
  if (bytes <= block.bytes - bytes) {
    part.data = block.data;
    part.bytes = bytes;
    part.after = &block;
    part.before = std::exchange(block.before, &part);
    (part.before ? part.before->after : chunk.first) = &part;
    block.data += bytes;
    block.bytes -= bytes;
  } else {
    part.data = block.data + bytes;
    part.bytes = block.bytes - bytes;
    part.before = &block;
    part.after = std::exchange(block.after, &part);
    if (part.after)
      part.after->before = &part;
    block.bytes = bytes;
  }
  chunk.set_block(part, part.data, part.end());
}

// ---- Freeing

void PoolHeap::free(PoolBlock &block, FreeBlocks &list, uint64_t sequence) {
  block.requested = 0;
  block.sequence = sequence;
  list.add(block);
}

void PoolHeap::free(PoolBlock &freed) {
  freed.requested = 0;
  PoolBlock &block = join(freed, [&](const PoolBlock &next) { return is_complete(next); });
  block.sequence = 0;
  complete(block.chunk->size_class).add(block);
  if (block.bytes == block.chunk->bytes)
    set_idle(*block.chunk);
}

void PoolHeap::collect(FreeBlocks &pending, uint64_t drained) {
  for (unsigned bin = pending.next_bin(0); bin < FreeBlocks::bins; bin = pending.next_bin(bin + 1))
    while (PoolBlock *block = pending.oldest(bin)) {
      if (block->sequence > drained)
        break;
      pending.remove(*block);
      free(*block);
    }
}

void PoolHeap::merge(FreeBlocks &pending) {
  PoolBlock *merged =
      nullptr; // linked by `newer`, and in no list: what is in none is not merged again
  for (unsigned bin = pending.next_bin(0); bin < FreeBlocks::bins; bin = pending.next_bin(bin)) {
    PoolBlock *freed = pending.newest(bin);
    pending.remove(*freed);
    PoolBlock &block = join(
        *freed, [&](const PoolBlock &next) { return next.list == &pending || is_complete(next); });
    block.newer = std::exchange(merged, &block);
  }
  while (merged) {
    PoolBlock &block = *std::exchange(merged, merged->newer);
    pending.add(block);
  }
}

template <class MayJoin> PoolBlock &PoolHeap::join(PoolBlock &freed, MayJoin &&may_join) {
  PoolBlock *block = &freed;
  const auto take = [&](PoolBlock &other) {
    other.list->remove(other);
    other.sequence = block->sequence = std::max(other.sequence, block->sequence);
  };
  while (block->after && may_join(*block->after)) {
    take(*block->after);
    block = &join_next(*block);
  }
  while (block->before && may_join(*block->before)) {
    take(*block->before);
    block = &join_next(*block->before);
  }
  return *block;
}

/// The larger of the two goes on as both.
PoolBlock &PoolHeap::join_next(PoolBlock &block) {
  PoolBlock &next = *block.after;
  PoolChunk &chunk = *block.chunk;
  if (next.bytes > block.bytes) {
    chunk.set_block(next, block.data, block.end());
    next.data = block.data;
    next.bytes += block.bytes;
    next.before = block.before;
    (next.before ? next.before->after : chunk.first) = &next;
    give_spare(block);
    return next;
  }
  chunk.set_block(block, next.data, next.end());
  block.bytes += next.bytes;
  block.after = next.after;
  if (block.after)
    block.after->before = &block;
  give_spare(next);
  return block;
}

} // namespace chip
