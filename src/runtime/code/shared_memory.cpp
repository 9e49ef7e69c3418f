#include "shared_memory.h"
#include "../../common/align.h"

#include <algorithm>

namespace chip {
namespace {

/// Intel's driver gives dynamic shared memory in multiples of this, and other drivers begin it at a multiple of less.
constexpr uint64_t granule = 1024;

bool has_dynamic_part(const KernelTarget &target) {
  return target.argument_count() != target.parameters.size();
}

/// What the kernel takes to align its dynamic shared memory, beyond what a launch asks for.
uint64_t bytes_to_align(const KernelTarget &target) {
  return has_dynamic_part(target) ? target.parameters.back().bytes : 0;
}

/// What of the limit is in front of the dynamic part.
uint64_t before_dynamic_part(const KernelTarget &target) {
  const uint64_t declared = target.properties.local_bytes;
  return has_dynamic_part(target) ? common::round_up(declared, granule) : declared;
}

} // namespace

uint32_t static_shared_bytes(const KernelTarget &target) {
  return target.properties.local_bytes + uint32_t(bytes_to_align(target));
}

uint64_t taken_shared_bytes(const Kernel &kernel, size_t dynamic_bytes) {
  const KernelTarget &target = kernel.target;
  const uint64_t before = before_dynamic_part(target);
  if (dynamic_bytes > UINT64_MAX / 2) // no sum wraps around
    return dynamic_bytes;
  // The dynamic part has one byte at least.
  return before + std::max<uint64_t>(dynamic_bytes + bytes_to_align(target),
                                     has_dynamic_part(target) ? 1 : 0);
}

uint64_t most_dynamic_shared_bytes(const Kernel &kernel) {
  const uint64_t limit = kernel.device->info().compute.maxSharedLocalMemory,
                 taken = before_dynamic_part(kernel.target) + bytes_to_align(kernel.target);
  return limit - std::min(limit, taken);
}

} // namespace chip
