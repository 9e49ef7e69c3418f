// The pools of a device: the default one, those that programs make, and one behind hipMalloc that programs do not see.
#pragma once

#include "memory_pool.h"

namespace chip {

/// A pool object that nobody else has, open. Its handle is not live.
MemoryPool &open_pool(Device &device, PoolProperties properties);
/// The same, in the hands of the program.
hipMemPool_t create_pool(Device &device, PoolProperties properties);
/// Throws hipErrorInvalidValue for the default pool of a device, and for what is no live pool.
void destroy_pool(hipMemPool_t handle);
/// Throws hipErrorInvalidValue for a handle that is no live pool.
MemoryPool &find_pool(hipMemPool_t handle);
/// The handle of a pool of open_pool(), live from now on.
hipMemPool_t publish(MemoryPool &pool);
/// The handle of a pool; null if the program has none, or has destroyed the pool.
hipMemPool_t handle_of(const MemoryPool &pool);

/// What hipMallocAsync takes memory from. Throws hipErrorInvalidDevice for a pool of another device, hipErrorInvalidValue for
/// one that was imported.
void set_current_pool(Device &device, MemoryPool &pool);

/// Whether hipMalloc takes a block of that size from the pool that programs do not see.
bool comes_from_small_pool(Device &device, size_t bytes);

/// Frees all memory of all pools of a device, for whose work the caller has waited, and destroys those that programs have made.
void reset_pools(Device &device);
/// Gives the driver what no program uses, since memory is short, and waits for streams that have freed memory if there is no
/// other. Whether there was anything.
bool reclaim_pools(Device &device);
/// Makes a call that allocates memory of the device, and makes it again, twice at most, where the device has none left but pools
/// have.
template <class Call> auto with_pools_to_spare(Device &device, const Call &call) {
  for (int times = 0; times < 2; ++times) {
    try {
      return call();
    } catch (const Error &error) {
      if (error.code() != hipErrorOutOfMemory || !reclaim_pools(device))
        throw;
    }
  }
  return call();
}

/// For the pool itself: it does not exist any more, and its object may be another pool.
void forget_pool(MemoryPool &pool) noexcept;
void give_back_pool(MemoryPool &pool) noexcept;

/// There is memory that may leave a pool when the program waits for the device.
inline void visit_at_synchronization(Device &device) {
  if (!device.visits_pools.load(std::memory_order_relaxed))
    device.visits_pools.store(true, std::memory_order_relaxed);
}
void visit_pools(Device &device) noexcept;
/// To be called when the program has waited for work of the device.
inline void pools_synchronized(Device &device) {
  if (device.visits_pools.load(std::memory_order_relaxed)) [[unlikely]]
    visit_pools(device);
}

} // namespace chip
