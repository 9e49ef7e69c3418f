#include "leaks.h"

#include "../memory/memory.h"
#include "memory_pool.h"

namespace chip {
namespace {

/// Tells the driver of what the program should have freed.
void tell_leak(const Allocation &allocation) {
  const ze::Driver &driver = allocation.device->driver();
  const auto tell = driver.capabilities().tell_leak;
  if (!tell || allocation.is_variable || allocation.is_own ||
      (allocation.chunk && allocation.chunk->pool->attribute(hipMemPoolAttrUsedMemCurrent) == 0))
    return;
  switch (allocation.kind) {
  case AllocationKind::device:
  case AllocationKind::host:
  case AllocationKind::managed:
  case AllocationKind::signal:
    tell(driver.handle(), allocation.driver_base());
    break;
  default:
    break;
  }
}

} // namespace

void free_at_end(const Allocation &allocation) noexcept {
  tell_leak(allocation);
  ze::discard_memory(allocation.device->driver(), allocation.driver_base());
}

} // namespace chip
