#include "processor_memory.h"

#include "../exec/frozen_pages.h"
#include "guarded.h"

#include <sys/mman.h>

namespace ze_cpu {

using ze_driver::Placement;
using ze_driver::SharedFile;

Placement ProcessorMemory::allocate(size_t size, size_t alignment, ze_driver::MemoryKind kind,
                                    ze_driver::DeviceBackend *device, bool guard) {
  if (!guard)
    return HostMemory::allocate(size, alignment, kind, device, false);
  const GuardedMemory memory = map_guarded(size, alignment);
  return {memory.base, memory.mapping, memory.mapping_bytes};
}

void ProcessorMemory::free(const Placement &placement) noexcept {
  if (guarded_)
    munmap(placement.mapping, placement.mapped_bytes);
  else
    HostMemory::free(placement);
}

void ProcessorMemory::hide(const Placement &placement) noexcept {
  make_inaccessible(placement.mapping, placement.mapped_bytes);
}

std::shared_ptr<SharedFile> ProcessorMemory::move_to_file(void *pages, size_t bytes) {
  auto file = SharedFile::create(bytes);
  const FrozenPages frozen(pages, bytes);
  file->replace(pages, bytes);
  return file;
}

} // namespace ze_cpu
