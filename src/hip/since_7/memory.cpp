// HIP 7: managed memory and its location, handles of memory for others.
#include "../../runtime/memory/memory.h"
#include "../../runtime/memory/managed.h"
#include "../../runtime/pools/pools.h"
#include "../entry.h"
#include "batch.h"

using namespace chip;
using chip::hip::entry;
using chip::hip::required;
using chip::hip::SharedDescriptions;

namespace {

/// The device that a location is, or hipCpuDeviceId.
int ordinal_at(hipMemLocation location) {
  switch (location.type) {
  case hipMemLocationTypeDevice:
    Platform::get().device(location.id);
    return location.id;
  case hipMemLocationTypeHost:
  case hipMemLocationTypeHostNuma:
  case hipMemLocationTypeHostNumaCurrent:
    return hipCpuDeviceId;
  default:
    throw Error(hipErrorInvalidValue, "the type of `location` is not a hipMemLocationType");
  }
}

/// Whether the advice is for a location, not for the memory wherever it is.
bool has_location(hipMemoryAdvise advice) {
  return advice == hipMemAdviseSetPreferredLocation || advice == hipMemAdviseSetAccessedBy ||
         advice == hipMemAdviseUnsetAccessedBy;
}

/// The device whose pools have memory of a type at a location.
Device &device_of_pools(const hipMemLocation *location, hipMemAllocationType type) {
  Platform &platform = Platform::get();
  if (required(location).type != hipMemLocationTypeDevice || location->id < 0 ||
      location->id >= platform.device_count())
    throw Error(hipErrorInvalidValue, "`location` is not a device");
  if (type != hipMemAllocationTypePinned)
    throw Error(hipErrorInvalidValue, "`type` is not hipMemAllocationTypePinned");
  return platform.device(location->id);
}

} // namespace

hipError_t hipMemAdvise_v2(const void *address, size_t count, hipMemoryAdvise advice,
                           hipMemLocation location) {
  return entry(CaptureRule::unsafe, [&] {
    advise(address, count, advice, has_location(advice) ? ordinal_at(location) : hipCpuDeviceId);
  });
}

hipError_t hipMemPrefetchAsync_v2(const void *address, size_t count, hipMemLocation location,
                                  unsigned int flags, hipStream_t stream) {
  return entry([&] {
    const StreamTarget target = resolve(stream);
    check_not_captured(target);
    if (flags != 0)
      throw Error(hipErrorInvalidValue, "`flags` is not 0");
    prefetch(target, address, count, ordinal_at(location));
  });
}

hipError_t hipMemPrefetchBatchAsync(void **addresses, size_t *sizes, size_t count,
                                    hipMemLocation *locations, size_t *location_indices,
                                    size_t location_count, unsigned long long flags,
                                    hipStream_t stream) {
  return entry([&] {
    const StreamTarget target = resolve(stream);
    check_not_captured(target);
    if (!addresses || !sizes || count == 0 || location_count == 0 || flags != 0)
      throw Error(hipErrorInvalidValue, "`addresses` or `sizes` is null, `count` or "
                                        "`location_count` is 0, or `flags` is not 0");
    if (target.legacy)
      throw Error(hipErrorInvalidValue, "`stream` is the null stream");
    const SharedDescriptions all(locations, location_indices, location_count, count, "locations");
    const auto each = [&](const auto &visit) {
      for (size_t i = 0; i < count; ++i)
        visit(target, addresses[i], sizes[i], ordinal_at(*all.of(i)));
    };
    each(check_prefetch);
    each(prefetch);
  });
}

// ---- Pools by the place of their memory

hipError_t hipMemSetMemPool(hipMemLocation *location, hipMemAllocationType type,
                            hipMemPool_t pool) {
  return entry(CaptureRule::unsafe, [&] {
    MemoryPool &found = find_pool(pool);
    Device &device = device_of_pools(location, type);
    if (&found.device() != &device)
      throw Error(hipErrorInvalidValue, "`pool` is not of the device that `location` is");
    set_current_pool(device, found);
  });
}

hipError_t hipMemGetMemPool(hipMemPool_t *pool, hipMemLocation *location,
                            hipMemAllocationType type) {
  return entry([&] {
    required(pool) = nullptr;
    *pool = static_cast<hipMemPool_t>(
        device_of_pools(location, type).current_pool.load(std::memory_order_acquire));
  });
}

// ---- Handles

hipError_t hipMemGetHandleForAddressRange(void *handle, hipDeviceptr_t address, size_t size,
                                          hipMemRangeHandleType type, unsigned long long) {
  return entry([&] {
    if (!handle || size == 0)
      throw Error(hipErrorInvalidValue, "`handle` is null, or `size` is 0");
    if (type != hipMemRangeHandleTypeDmaBufFd)
      throw Error(hipErrorInvalidValue, "`type` is not a hipMemRangeHandleType");
    Platform::get();
    const auto allocation = find_allocation(address);
    if (!allocation || !is_device_memory(allocation->kind))
      throw Error(hipErrorInvalidValue, "`address` is not in device memory that HIP knows");
    check_range(*allocation, address, size);
    throw Error(hipErrorNotSupported, "Level Zero has no dma-buf of memory that was not allocated "
                                      "to be exported as one");
  });
}
