// The chunks of a pool: how they come from the driver and go back.
#include "../memory/memory.h"
#include "memory_pool.h"
#include "pool_export.h"

#include <algorithm>
#include <utility>

namespace chip {
namespace {

/// How many synchronisations a chunk stays after its pool has let go of it.
constexpr uint64_t cooling_time = 8;

/// Where in chunks that are sorted by address one begins, or would, whose memory begins at `base`.
auto place_of(auto &chunks, const std::byte *base) {
  return std::ranges::lower_bound(chunks, base, {}, [](const auto &chunk) { return chunk->base; });
}

} // namespace

std::unique_ptr<PoolChunk> MemoryPool::make_chunk(size_t bytes) {
  auto chunk = std::make_unique<PoolChunk>(*this, bytes);
  chunk->base = static_cast<std::byte *>(allocate_chunk(device(), bytes, *chunk));
  return chunk;
}

/// A chunk of just this size that the pool has let go of; null if there is none.
std::unique_ptr<PoolChunk> MemoryPool::take_cool(State &state, size_t bytes) {
  const auto found =
      std::ranges::find(state.cool, bytes, [](const auto &chunk) { return chunk->bytes; });
  if (found == state.cool.end())
    return nullptr;
  std::unique_ptr<PoolChunk> chunk = std::move(*found);
  state.cool.erase(found);
  state.cool_bytes -= bytes;
  return chunk;
}

/// Takes those out that the pool has let go of first, as long as it would have too much with `wanted` bytes more.
void MemoryPool::drop_cool(State &state, size_t wanted, Chunks &dropped) {
  const size_t most = most_held(std::max(state.used_most, state.used + wanted));
  while (!state.cool.empty() && state.reserved + wanted + state.cool_bytes > most) {
    dropped.reserve(dropped.size() + 1);
    state.cool_bytes -= state.cool.front()->bytes;
    dropped.push_back(std::move(state.cool.front()));
    state.cool.erase(state.cool.begin());
  }
}

/// There is room for it among the pool's chunks.
void MemoryPool::insert(State &state, std::unique_ptr<PoolChunk> chunk) {
  const auto begin = reinterpret_cast<uintptr_t>(chunk->base), end = begin + chunk->bytes;
  lowest_.store(std::min(lowest_.load(std::memory_order_relaxed), begin),
                std::memory_order_relaxed);
  highest_.store(std::max(highest_.load(std::memory_order_relaxed), end),
                 std::memory_order_relaxed);
  state.chunks.insert(place_of(state.chunks, chunk->base), std::move(chunk));
}

void MemoryPool::count_reserved(State &state, ptrdiff_t bytes) {
  state.reserved += size_t(bytes);
  if (!properties_.is_hidden)
    device().allocated_bytes += size_t(bytes);
}

PoolChunk *MemoryPool::find_chunk(State &state, const void *pointer) {
  if (state.last_found && state.last_found->contains(pointer)) [[likely]]
    return state.last_found;
  const auto next = std::ranges::upper_bound(state.chunks, static_cast<const std::byte *>(pointer),
                                             {}, [](const auto &chunk) { return chunk->base; });
  if (next == state.chunks.begin() || !(*std::prev(next))->contains(pointer))
    return nullptr;
  return state.last_found = std::prev(next)->get();
}

// ---- Giving back to the driver

void MemoryPool::drop(PoolChunk &chunk) noexcept {
  // The pool may have ended meanwhile, and its object be that of another one.
  if (const std::shared_ptr<ExportedPool> exported = chunk.pool->state_.lock()->exported)
    exported->forget(chunk);
  free_chunk(chunk);
}

void MemoryPool::drop(Chunks &chunks) noexcept {
  for (const auto &chunk : chunks)
    drop(*chunk);
  chunks.clear();
}

/// What a pool has at most together with the chunks that it has let go of, where those are to spare: blocks of that size, which
/// are rounded up, and as much beside them as may be free.
size_t MemoryPool::most_held(size_t used_most) {
  return used_most + used_most / 8 + most_free(used_most);
}

/// Takes one of the chunks that nobody uses from the pool.
void MemoryPool::move_idle(State &state, Chunks &to) {
  to.reserve(to.size() + 1);
  PoolChunk &chunk = *state.heap->idle().back();
  const auto place = place_of(state.chunks, chunk.base);
  state.heap->remove(chunk);
  if (state.last_found == &chunk)
    state.last_found = nullptr;
  count_reserved(state, -ptrdiff_t(chunk.bytes));
  to.push_back(std::move(*place));
  state.chunks.erase(place);
}

void MemoryPool::trim(size_t min_bytes) {
  ask_driver();
  release(min_bytes);
}

/// Whether anything went back.
bool MemoryPool::release(size_t min_bytes) {
  Chunks dropped, cool;
  {
    const auto state = state_.lock();
    collect(*state);
    cool.swap(state->cool);
    state->cool_bytes = 0;
    while (state->reserved > min_bytes && !state->heap->idle().empty())
      move_idle(*state, dropped);
  }
  const bool any = !dropped.empty() || !cool.empty();
  drop(dropped);
  drop(cool);
  return any;
}

bool MemoryPool::synchronized(Chunks &dropped) {
  const auto state = state_.lock();
  if (!state->heap)
    return false;
  ++state->synchronizations;
  collect(*state);
  while (state->reserved > state->threshold && !state->heap->idle().empty()) {
    move_idle(*state, state->cool);
    state->cool.back()->cool_since = state->synchronizations;
    state->cool_bytes += state->cool.back()->bytes;
  }
  drop_cool(*state, 0, dropped);
  const auto still_cooling = std::ranges::find_if(state->cool, [&](const auto &chunk) {
    return state->keeps_memory && chunk->cool_since + cooling_time > state->synchronizations;
  });
  for (auto chunk = state->cool.begin(); chunk != still_cooling; ++chunk)
    state->cool_bytes -= (*chunk)->bytes;
  dropped.insert(dropped.end(), std::move_iterator(state->cool.begin()),
                 std::move_iterator(still_cooling));
  state->cool.erase(state->cool.begin(), still_cooling);
  const auto is_pending = [](const auto &pending) { return pending && !pending->is_empty(); };
  return !state->cool.empty() ||
         (state->reserved > state->threshold && std::ranges::any_of(state->pending, is_pending));
}

} // namespace chip
