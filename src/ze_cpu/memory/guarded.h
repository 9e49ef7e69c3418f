// Memory with inaccessible pages around it, and freed memory whose addresses stay taken.
#pragma once

#include <cstddef>

namespace ze_cpu {

/// Pages of the process: `base` and what follows is usable, the mapping's other pages are not.
struct GuardedMemory {
  void *base;
  void *mapping;
  size_t mapping_bytes;
};

/// `size` zeroed bytes between inaccessible pages, the end as close to the second of them as
/// `alignment` (a power of two) permits. Throws std::bad_alloc.
GuardedMemory map_guarded(size_t size, size_t alignment);

/// Gives the pages back and keeps the addresses: every access is a fault.
void make_inaccessible(void *mapping, size_t bytes);

} // namespace ze_cpu
