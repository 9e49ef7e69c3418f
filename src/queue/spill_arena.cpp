#include "queue.h"

#include <algorithm>

namespace chip {

namespace {

constexpr size_t alignment = 64;

} // namespace

SpillArena::SpillArena(const ze::Driver &driver, const Queue *queue)
    : driver_(driver), queue_(queue) {}

SpillArena::~SpillArena() {
  for (auto &chunk : chunks_)
    ze::discard_results(driver_, chunk->memory, alignment);
}

void SpillArena::refer(Chunk &chunk) {
  if (!chunk.referenced) {
    referenced_.push_back(&chunk);
    chunk.referenced = true;
  }
}

SpillArena::Block SpillArena::take(Chunk &chunk, size_t bytes) {
  refer(chunk);
  Block block;
  block.data_ = chunk.memory + chunk.used;
  block.chunk_ = &chunk;
  block.generation_ = chunk.generation;
  chunk.used += bytes;
  return block;
}

bool SpillArena::is_free(const Chunk &chunk, size_t bytes, uint64_t drained) const {
  return !chunk.referenced && chunk.last_sequence <= drained && chunk.bytes >= bytes;
}

SpillArena::Chunk *SpillArena::find_free(size_t bytes, uint64_t drained) const {
  const auto found = std::ranges::find_if(
      chunks_, [&](const auto &chunk) { return is_free(*chunk, bytes, drained); });
  return found != chunks_.end() ? found->get() : nullptr;
}

uint64_t SpillArena::drained() const { return queue_ ? queue_->drained() : 0; }

SpillArena::Block SpillArena::allocate(size_t bytes) {
  const size_t rounded = (bytes + 63) & ~size_t(63);
  if (current_ && current_->bytes - current_->used >= rounded)
    return take(*current_, rounded);

  Chunk *chunk = find_free(rounded, drained());
  if (!chunk && queue_)
    if (const uint64_t executed = queue_->executed(); executed > drained())
      chunk = find_free(rounded, executed);
  if (!chunk)
    throw Full{bytes};
  chunk->used = 0;
  ++chunk->generation;
  current_ = chunk;
  return take(*chunk, rounded);
}

bool SpillArena::make_room(size_t bytes) {
  bytes = (bytes + 63) & ~size_t(63);
  if (find_free(bytes, drained()))
    return true;
  size_t size = std::max(bytes, chunk_bytes);
  if (queue_ && total_bytes_ && total_bytes_ + size > limit)
    return false;
  referenced_.reserve(chunks_.size() + 1);
  chunks_.reserve(chunks_.size() + 1);
  auto chunk = std::make_unique<Chunk>();
  chunk->memory = static_cast<std::byte *>(ze::allocate_results(driver_, size, alignment));
  chunk->bytes = size;
  chunks_.push_back(std::move(chunk));
  total_bytes_ += size;
  return true;
}

bool SpillArena::share(const Block &block) {
  if (!block || block.generation_ != block.chunk_->generation)
    return false;
  refer(*block.chunk_);
  return true;
}

void SpillArena::abandon() {
  for (Chunk *chunk : referenced_)
    chunk->referenced = false;
  referenced_.clear();
}

void SpillArena::commit(uint64_t sequence) {
  for (Chunk *chunk : referenced_) {
    chunk->last_sequence = sequence;
    chunk->referenced = false;
  }
  referenced_.clear();
}

} // namespace chip
