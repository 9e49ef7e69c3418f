#include "pools.h"
#include "../../common/handle_pool.h"
#include "../../ze/caches.h"
#include "../platform/platform.h"
#include "pool_export.h"

#include <algorithm>

namespace chip {
namespace {

// Lives as long as the process: handles may come late.
constinit LastingHandlePool<ihipMemPoolHandle_t> pools;

ihipMemPoolHandle_t &object_of(MemoryPool &pool) {
  return static_cast<ihipMemPoolHandle_t &>(pool);
}

[[noreturn]] void refuse() {
  throw Error(hipErrorInvalidValue, "`pool` is not a live hipMemPool_t");
}

/// The current pool of its device becomes the default one again.
void leave(MemoryPool &pool) {
  MemoryPool *current = &pool;
  Device &device = pool.device();
  device.current_pool.compare_exchange_strong(current, &device.default_pool());
}

} // namespace

MemoryPool &open_pool(Device &device, PoolProperties properties) {
  ihipMemPoolHandle_t &pool = pools->take();
  try {
    pool.open(device, std::move(properties));
    device.pools.lock()->push_back(&pool);
  } catch (...) {
    pools->give_back(pool);
    throw;
  }
  return pool;
}

hipMemPool_t publish(MemoryPool &pool) {
  pool.mark.store(MemoryPool::alive_mark, std::memory_order_release);
  return &object_of(pool);
}

hipMemPool_t handle_of(const MemoryPool &pool) {
  const bool is_live = pool.mark.load(std::memory_order_acquire) == MemoryPool::alive_mark;
  return is_live ? &object_of(const_cast<MemoryPool &>(pool)) : nullptr;
}

hipMemPool_t create_pool(Device &device, PoolProperties properties) {
  return publish(open_pool(device, std::move(properties)));
}

MemoryPool &find_pool(hipMemPool_t handle) {
  ihipMemPoolHandle_t *pool = pools->find(handle);
  if (!pool)
    refuse();
  return *pool;
}

void destroy_pool(hipMemPool_t handle) {
  MemoryPool &pool = find_pool(handle);
  if (&pool == &pool.device().default_pool())
    throw Error(hipErrorInvalidValue, "`pool` is the default pool of a device");
  uint32_t expected = MemoryPool::alive_mark;
  if (!pool.mark.compare_exchange_strong(expected, 0))
    refuse();
  leave(pool);
  pool.close();
}

void set_current_pool(Device &device, MemoryPool &pool) {
  if (&pool.device() != &device)
    throw Error(hipErrorInvalidDevice, "`pool` is a pool of another device");
  if (pool.is_imported())
    throw Error(hipErrorInvalidValue,
                "`pool` was imported, and memory cannot be allocated from it");
  device.current_pool.store(&pool, std::memory_order_release);
}

bool comes_from_small_pool(Device &device, size_t bytes) {
  constexpr size_t most_small = 64 << 10;
  // A driver that looks for wrong accesses finds them at the ends of its own allocations only.
  return bytes <= most_small && !device.driver().capabilities().guards_memory &&
         ze::Caches::of_process().memory;
}

void reset_pools(Device &device) {
  const std::vector<MemoryPool *> all = *device.pools.lock();
  for (MemoryPool *pool : all) {
    if (pool == &device.default_pool() || pool == &device.small_pool()) {
      pool->restart();
      continue;
    }
    pool->mark.store(0, std::memory_order_release);
    leave(*pool);
    pool->remove();
  }
}

bool reclaim_pools(Device &device) {
  const std::vector<MemoryPool *> all = *device.pools.lock();
  const auto reclaim = [&] {
    bool any = false;
    for (MemoryPool *pool : all)
      any |= pool->reclaim();
    return any;
  };
  if (reclaim())
    return true;
  for (MemoryPool *pool : all)
    pool->wait_for_frees();
  return reclaim();
}

void forget_pool(MemoryPool &pool) noexcept { std::erase(*pool.device().pools.lock(), &pool); }

void give_back_pool(MemoryPool &pool) noexcept { pools->give_back(object_of(pool)); }

void visit_pools(Device &device) noexcept {
  // What is freed from now on asks for another visit.
  device.visits_pools.store(false, std::memory_order_relaxed);
  MemoryPool::Chunks dropped;
  bool again = false;
  try {
    const auto all = device.pools.lock();
    for (MemoryPool *pool : *all)
      again |= pool->synchronized(dropped);
  } catch (const std::bad_alloc &) {
    again = true;
  }
  if (again)
    visit_at_synchronization(device);
  MemoryPool::drop(dropped);
}

} // namespace chip
