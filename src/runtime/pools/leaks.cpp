#include "leaks.h"

#include "../memory/memory.h"
#include "memory_pool.h"

namespace chip {
namespace {

/// What the program has asked for and not freed.
size_t bytes_in_use(const Allocation &allocation) {
  if (!allocation.chunk)
    return allocation.bytes;
  size_t bytes = 0;
  for (const PoolBlock *block = allocation.chunk->first; block; block = block->after)
    bytes += block->requested;
  return bytes;
}

/// Tells the driver of what the program should have freed.
void tell_leak(const Allocation &allocation) {
  const ze::Driver &driver = allocation.device->driver();
  const auto tell = driver.capabilities().tell_leak;
  const size_t bytes = bytes_in_use(allocation);
  if (!tell || allocation.is_variable || allocation.is_own || bytes == 0)
    return;
  switch (allocation.kind) {
  case AllocationKind::device:
  case AllocationKind::host:
  case AllocationKind::managed:
  case AllocationKind::signal:
    tell(driver.handle(), allocation.driver_base(), bytes);
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
