#include "memory_pool.h"
#include "../../ze/caches.h"
#include "../memory/memory.h"
#include "../streams/retired.h"
#include "pool_export.h"
#include "pools.h"

#include <algorithm>
#include <chrono>
#include <thread>
#include <utility>

namespace chip {

// ---- Beginning and end

MemoryPool::MemoryPool() = default;
MemoryPool::~MemoryPool() = default;

void MemoryPool::open(Device &device, PoolProperties properties) {
  const auto state = state_.lock();
  if (!state->heap)
    state->heap = std::make_unique<PoolHeap>();
  device_ = &device;
  properties_ = std::move(properties);
  is_imported_ = properties_.imported != nullptr;
  lowest_.store(UINTPTR_MAX, std::memory_order_relaxed);
  highest_.store(0, std::memory_order_relaxed);
  begin_life(*state);
}

/// Of a pool without chunks.
void MemoryPool::begin_life(State &state) {
  static std::atomic<uint64_t> lives{0};
  auto heap = std::move(state.heap);
  state = {};
  state.heap = std::move(heap);
  state.life = ++lives;
  state.threshold = properties_.release_threshold;
  state.keeps_memory = ze::Caches::of_process().memory;
}

void MemoryPool::restart() noexcept {
  std::array<Chunks, 2> taken;
  {
    const auto state = state_.lock();
    taken = take_all(*state);
    begin_life(*state);
  }
  for (Chunks &chunks : taken)
    drop(chunks);
}

void MemoryPool::close() {
  bool is_unused;
  {
    const auto state = state_.lock();
    state->is_closed = true;
    is_unused = state->blocks == 0;
  }
  if (is_unused)
    end();
  else
    release(0);
}

/// The chunks go when what may still use their memory is done, for which nobody waits.
void MemoryPool::end() noexcept {
  try {
    const uint64_t life = state_.lock()->life;
    const std::vector<Queue *> queues = pending_queues();
    struct Rest {
      MemoryPool &pool;
      const uint64_t life;
      ~Rest() { pool.remove(life); }
    };
    const auto rest = std::make_shared<const Rest>(*this, life);
    for (Queue *queue : queues) {
      try {
        retire(queue->marker(), rest, Ending::at_once);
      } catch (...) {
        queue->settle(); // its device is lost, or there is no memory to remember this in
      }
    }
  } catch (...) {
    // No memory to list the queues in: the pool stays as it is.
  }
}

void MemoryPool::remove(uint64_t life) noexcept {
  {
    const auto state = state_.lock();
    if (state->life != life || life == 0)
      return; // it was removed when the device was reset, or by another thread just now
    state->life = 0;
    state->is_closed = true;
  }
  std::array<Chunks, 2> taken;
  {
    const auto state = state_.lock();
    taken = take_all(*state);
  }
  for (Chunks &chunks : taken)
    drop(chunks);
  forget_pool(*this);
  {
    const auto state = state_.lock();
    state->pending.clear();
    state->exported = nullptr;
    properties_.imported = nullptr;
  }
  give_back_pool(*this);
}

void MemoryPool::remove() noexcept {
  const uint64_t life = state_.lock()->life;
  remove(life);
}

/// Frees all blocks. Returns what chunks there were, which are the caller's.
std::array<MemoryPool::Chunks, 2> MemoryPool::take_all(State &state) noexcept {
  change_version();
  for (const auto &chunk : state.chunks) {
    state.heap->free_all(*chunk);
    state.heap->remove(*chunk);
  }
  count_reserved(state, -ptrdiff_t(state.reserved));
  if (properties_.is_hidden)
    device().allocated_bytes -= state.used;
  state.blocks = state.used = state.blocks_bytes = 0;
  state.last_found = nullptr;
  state.cool_bytes = 0;
  return {std::exchange(state.chunks, {}), std::exchange(state.cool, {})};
}

// ---- Allocating

void *MemoryPool::allocate(size_t bytes, Queue *queue) {
  device().scheduler().check_alive();
  const PoolRequest request(bytes);
  {
    const auto state = state_.lock();
    if (state->is_closed)
      return nullptr;
    if (state->keeps_memory) [[likely]] {
      // A queue's own first, which it need not wait for: others may have those that are complete.
      const FreeBlocks *own = queue ? pending_if_any(*state, *queue) : nullptr;
      PoolBlock *block = own ? own->newest(request.bin) : nullptr;
      if (!block)
        block = state->heap->complete(request.size_class).newest(request.bin);
      if (block) [[likely]]
        return give(*state, *block, request);
    }
  }
  return allocate_slowly(request, queue);
}

void *MemoryPool::give(State &state, PoolBlock &free_block, const PoolRequest &request) {
  const PoolBlock &block = state.heap->use(free_block, request);
  ++state.blocks;
  state.blocks_bytes += block.bytes;
  state.used += request.bytes;
  state.used_high = std::max(state.used_high, state.used);
  state.used_most = std::max(state.used_most, state.used);
  state.reserved_high = std::max(state.reserved_high, state.reserved);
  return block.data;
}

void *MemoryPool::allocate_slowly(const PoolRequest &request, Queue *queue) {
  if (!ze::Caches::of_process().memory) {
    ask_driver();
    release(0);
  } else if (void *memory = allocate_again(request, queue)) {
    return memory;
  }
  try {
    return grow(request, chunk_bytes(request));
  } catch (const Error &error) {
    if (error.code() != hipErrorOutOfMemory)
      throw;
  }
  return allocate_in_need(request, queue);
}

/// What was freed; null if the pool is to grow.
void *MemoryPool::allocate_again(const PoolRequest &request, Queue *queue) {
  if (void *memory = take(request, queue, {}))
    return memory;
  if (policy(hipMemPoolReuseAllowOpportunistic) && ask_driver())
    if (void *memory = take(request, queue, {}))
      return memory;
  if (void *memory = take(request, queue, {.merges = true}))
    return memory;
  return avoid_growth(request, queue);
}

/// Any block will do now, and what is spare goes back to the driver, also that of other pools. The last resort, where the memory is
/// there but its streams are not known to be done with it, is to wait for them.
void *MemoryPool::allocate_in_need(const PoolRequest &request, Queue *queue) {
  constexpr Search everywhere{.merges = true, .reach = Reach::all_classes, .follows_all = true};
  if (void *memory = take(request, queue, everywhere))
    return memory;
  release(0);
  try {
    return grow(request, request.least, true);
  } catch (const Error &error) {
    if (error.code() != hipErrorOutOfMemory)
      throw;
  }
  wait_for_frees();
  if (void *memory = take(request, queue, everywhere))
    return memory;
  release(0);
  return grow(request, request.least);
}

void *MemoryPool::take(const PoolRequest &request, Queue *queue, const Search &search) {
  const auto state = state_.lock();
  PoolBlock *block = state->is_closed ? nullptr : find(*state, request, queue, search);
  return block ? give(*state, *block, request) : nullptr;
}

PoolBlock *MemoryPool::find(State &state, const PoolRequest &request, Queue *queue,
                            const Search &search) {
  collect(state);
  FreeBlocks *own = queue ? pending_if_any(state, *queue) : nullptr;
  if (own && search.merges)
    state.heap->merge(*own);
  if (PoolBlock *block = state.heap->find(request, search.reach))
    return block;
  if (own)
    if (PoolBlock *block = PoolHeap::find(*own, request, search.reach))
      return block;
  if (!queue || !(state.policies.follows_events || search.follows_all))
    return nullptr;
  for (const auto &other : state.pending) {
    if (!other || other.get() == own || other->next_bin(request.bin) == FreeBlocks::bins)
      continue;
    const uint64_t sequence = queue->ordered_after(*other->queue);
    if (PoolBlock *block = PoolHeap::find_freed_by(*other, request, search.reach, sequence))
      return block;
  }
  return nullptr;
}

/// What the host knows to be complete, any queue may have.
void MemoryPool::collect(State &state) {
  for (const auto &pending : state.pending)
    if (pending && !pending->is_empty())
      state.heap->collect(*pending, pending->queue->drained());
}

/// Those that blocks were freed in which are not known to be complete.
std::vector<Queue *> MemoryPool::pending_queues() const {
  std::vector<Queue *> queues;
  const auto state = state_.lock();
  for (const auto &pending : state->pending)
    if (pending && !pending->is_empty())
      queues.push_back(pending->queue);
  return queues;
}

/// Finds out how far the queues are that blocks are pending in. One call for each of them, and two more for one that is busy.
/// Whether there are any.
bool MemoryPool::ask_driver() {
  const std::vector<Queue *> queues = pending_queues();
  for (Queue *queue : queues) {
    try {
      if (!queue->query())
        queue->learn_progress();
    } catch (const Error &) {
      if (&queue->scheduler() == &device().scheduler())
        throw;
      // Another device, of which its own calls say that it is lost.
    }
  }
  return !queues.empty();
}

void MemoryPool::wait_for_frees() {
  for (Queue *queue : pending_queues()) {
    try {
      queue->finish();
    } catch (const Error &) {
      if (&queue->scheduler() == &device().scheduler())
        throw;
      // As for ask_driver().
    }
  }
}

// ---- Growing

/// Where more than this is free and does not serve, a pool looks further before it grows: half of the most that ever was in use.
/// A small pool may have as much once more, for a second queue that does what the first did.
size_t MemoryPool::most_free(size_t used_most) {
  constexpr size_t small = 32 << 20, beside_it = 2 * PoolRequest::shared_chunk;
  return std::max(used_most / 2, std::min(used_most, small) + beside_it);
}

bool MemoryPool::has_too_much(const State &state, const PoolRequest &request) {
  return state.reserved - state.blocks_bytes >
         most_free(std::max(state.used_most, state.used + request.bytes));
}

/// Where too much is free: large blocks are cut of what small ones share, chunks that nobody uses go back to the driver, and at last
/// the queue waits for another one that has freed a block, or the host for a while. Null if the pool is to grow.
void *MemoryPool::avoid_growth(const PoolRequest &request, Queue *queue) {
  const auto may_grow = [&] {
    const auto state = state_.lock();
    return !has_too_much(*state, request);
  };
  const auto drop_idle = [&] {
    Chunks dropped;
    {
      const auto state = state_.lock();
      while (has_too_much(*state, request) && !state->heap->idle().empty())
        move_idle(*state, dropped);
    }
    drop(dropped);
  };
  if (may_grow())
    return nullptr;
  if (void *memory = take(request, queue, {.reach = Reach::smaller_classes}))
    return memory;
  drop_idle();
  if (may_grow())
    return nullptr;
  if (queue && policy(hipMemPoolReuseAllowInternalDependencies))
    if (Queue *const other = queue_to_wait_for(request, *queue)) {
      queue->wait_for(other->marker());
      if (void *memory =
              take(request, queue, {.reach = Reach::smaller_classes, .follows_all = true}))
        return memory;
    }
  if (!policy(hipMemPoolReuseAllowOpportunistic))
    return nullptr;
  if (void *memory = wait_a_while(request, queue))
    return memory;
  drop_idle(); // what has become free meanwhile, but does not serve
  return nullptr;
}

/// Lets the device come to what is pending, where it does. A queue that has not moved for the longest that a pool waits, maybe
/// because it waits for the program, delays it once: until it moves, the pool grows at once.
void *MemoryPool::wait_a_while(const PoolRequest &request, Queue *queue) {
  using namespace std::chrono_literals;
  constexpr auto longest = 400ms;
  const auto is_pending = [](const auto &pending) { return pending && !pending->is_empty(); };
  {
    const auto state = state_.lock();
    for (const auto &pending : state->pending)
      if (is_pending(pending) && pending->waited_in_vain_at == pending->queue->drained())
        return nullptr;
  }
  const auto end = std::chrono::steady_clock::now() + longest;
  for (auto pause = 20us; std::chrono::steady_clock::now() < end && ask_driver();
       pause = std::min(2 * pause, 1000us)) {
    if (void *memory = take(request, queue, {.merges = true, .reach = Reach::smaller_classes}))
      return memory;
    std::this_thread::sleep_for(pause);
  }
  const auto state = state_.lock();
  for (const auto &pending : state->pending)
    if (is_pending(pending))
      pending->waited_in_vain_at = pending->queue->drained();
  return nullptr;
}

/// One that has freed a block for the request, and done nothing since: waiting for what came later might be waiting for ever,
/// where that waits for the program, as what others append to its list might. Waits between drivers are not worth it.
Queue *MemoryPool::queue_to_wait_for(const PoolRequest &request, const Queue &queue) const {
  const auto state = state_.lock();
  for (const auto &pending : state->pending)
    if (pending && pending->queue != &queue && !pending->queue->is_shared() &&
        &pending->queue->scheduler().driver() == &queue.scheduler().driver() &&
        PoolHeap::find_freed_since(*pending, request, Reach::smaller_classes,
                                   pending->queue->last_work()))
      return pending->queue;
  return nullptr;
}

/// How much the pool grows by for a request, if it may have that much.
size_t MemoryPool::chunk_bytes(const PoolRequest &request) const {
  const bool is_shared = request.shares_chunk() && ze::Caches::of_process().memory;
  const size_t wanted = is_shared ? PoolRequest::shared_chunk : request.rounded;
  const auto state = state_.lock();
  if (properties_.max_bytes == 0)
    return wanted;
  const size_t left = properties_.max_bytes - state->reserved;
  if (wanted <= left)
    return wanted;
  const size_t all = left / FreeBlocks::smallest * FreeBlocks::smallest;
  return is_shared && all >= request.rounded ? all : request.least;
}

/// Null if the pool has been closed meanwhile.
void *MemoryPool::grow(const PoolRequest &request, size_t bytes, bool in_need) {
  std::unique_ptr<PoolChunk> chunk;
  Chunks dropped;
  uint64_t life;
  {
    const auto state = state_.lock();
    if (state->is_closed)
      return nullptr;
    if (properties_.max_bytes != 0 && bytes > properties_.max_bytes - state->reserved)
      throw Error(hipErrorOutOfMemory, "the pool would have more than its `maxSize`");
    life = state->life;
    chunk = take_cool(*state, bytes);
    if (!chunk)
      drop_cool(*state, bytes, dropped);
    count_reserved(*state, ptrdiff_t(bytes));
  }
  drop(dropped);
  PoolBlock *block = nullptr;
  const auto give_up = [&] {
    if (chunk)
      drop(*chunk);
    if (const auto state = state_.lock(); state->life == life)
      count_reserved(*state, -ptrdiff_t(bytes));
  };
  try {
    if (!chunk)
      chunk = in_need ? with_pools_to_spare(device(), [&] { return make_chunk(bytes); })
                      : make_chunk(bytes);
    const auto state = state_.lock();
    if (!state->is_closed && state->life == life) {
      state->chunks.reserve(state->chunks.size() + 1);
      state->heap->add(*chunk, request.size_class);
      block = chunk->first;
      insert(*state, std::move(chunk));
      // What is free already may be more than the threshold now.
      if (state->reserved > state->threshold)
        visit_at_synchronization(device());
      return give(*state, *block, request);
    }
  } catch (...) {
    if (!block) // the chunk did not become the pool's
      give_up();
    throw;
  }
  give_up();
  return nullptr;
}

// ---- Freeing

std::optional<size_t> MemoryPool::free(void *pointer, Queue *queue) {
  const auto address = reinterpret_cast<uintptr_t>(pointer);
  if (address < lowest_.load(std::memory_order_relaxed) ||
      address >= highest_.load(std::memory_order_relaxed))
    return std::nullopt;
  // The point after which the block may be used: in HIP's order, which work of other streams may be part of.
  const uint64_t sequence = queue ? queue->point() : 0;
  size_t requested;
  bool is_last;
  {
    const auto state = state_.lock();
    PoolChunk *chunk = find_chunk(*state, pointer);
    if (!chunk)
      return std::nullopt;
    PoolBlock &block = chunk->block_at(pointer);
    requested = block.requested;
    if (block.data != pointer || requested == 0)
      throw Error(hipErrorInvalidValue, "the address is not the beginning of memory in use");
    FreeBlocks *list = queue ? &pending_of(*state, *queue) : nullptr;
    change_version();
    --state->blocks;
    state->blocks_bytes -= block.bytes;
    state->used -= requested;
    if (list)
      PoolHeap::free(block, *list, sequence);
    else
      state->heap->free(block);
    if (state->reserved > state->threshold)
      visit_at_synchronization(device());
    is_last = state->is_closed && state->blocks == 0;
  }
  if (is_last) [[unlikely]]
    end();
  return requested;
}

std::optional<std::pair<void *, size_t>> MemoryPool::find(const PoolChunk &chunk,
                                                          const void *pointer) const {
  const auto state = state_.lock();
  if (!chunk.first)
    return std::nullopt; // not the pool's yet, or no more
  const PoolBlock &block = chunk.block_at(pointer);
  if (static_cast<const std::byte *>(pointer) >= block.data + block.requested)
    return std::nullopt;
  return std::pair<void *, size_t>(block.data, block.requested);
}

FreeBlocks *MemoryPool::pending_if_any(const State &state, const Queue &queue) {
  return queue.slot() < state.pending.size() ? state.pending[queue.slot()].get() : nullptr;
}

FreeBlocks &MemoryPool::pending_of(State &state, Queue &queue) {
  if (FreeBlocks *pending = pending_if_any(state, queue)) [[likely]]
    return *pending;
  if (queue.slot() >= state.pending.size())
    state.pending.resize(queue.slot() + 1);
  return *(state.pending[queue.slot()] = std::make_unique<FreeBlocks>(&queue));
}

} // namespace chip
