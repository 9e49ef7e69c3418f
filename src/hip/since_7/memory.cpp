// HIP 7: managed memory and its location, handles of memory for others.
#include "../../runtime/memory/memory.h"
#include "../../runtime/memory/managed.h"
#include "../entry.h"

using namespace chip;
using chip::hip::entry;
using chip::hip::required;

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
