#include "managed.h"
#include "../operations/enqueue.h"
#include "../platform/platform.h"

namespace chip {
namespace {

Allocation find_managed(const void *address, size_t bytes) {
  const auto allocation = find_allocation(address);
  if (!allocation || allocation->kind != AllocationKind::managed)
    throw Error(hipErrorInvalidValue, "`address` is not in memory of hipMallocManaged");
  if (bytes == 0)
    throw Error(hipErrorInvalidValue, "`count` is 0");
  return *allocation;
}

void check_device(int device) {
  if (device != hipCpuDeviceId)
    Platform::get().device(device);
}

} // namespace

void check_advice(const void *address, size_t bytes, hipMemoryAdvise advice, int device) {
  find_managed(address, bytes);
  if (advice < hipMemAdviseSetReadMostly ||
      (advice > hipMemAdviseUnsetAccessedBy && advice != hipMemAdviseSetCoarseGrain &&
       advice != hipMemAdviseUnsetCoarseGrain))
    throw Error(hipErrorInvalidValue, "`advice` is not a hipMemoryAdvise");
  check_device(device);
}

void prefetch(const StreamTarget &stream, const void *address, size_t bytes, int device) {
  check_range(find_managed(address, bytes), address, bytes);
  check_device(device);
  if (device != hipCpuDeviceId && Platform::get().has_one_driver()) // several use it where it is
    enqueue(stream, operations::Prefetch{address, bytes});
}

} // namespace chip
