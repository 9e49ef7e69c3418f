#include "processor_memory.h"

#include "../exec/checking.h"
#include "../exec/checks/shadow.h"
#include "../exec/frozen_pages.h"
#include "../exec/memory_check.h"
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

void ProcessorMemory::handed_out(void *base, size_t bytes, ze_driver::MemoryKind kind) {
  if (!guarded_)
    return;
  remember_allocation(base, bytes, kind);
  // Other kinds the host may write at any time.
  if (checks().uninitialised && kind == ze_driver::MemoryKind::device)
    Shadow::instance().set_unwritten(reinterpret_cast<uintptr_t>(base), bytes, true);
}

void ProcessorMemory::taken_back(void *base, size_t bytes) noexcept {
  if (!guarded_)
    return;
  forget_allocation(base);
  forget_allowed_memory();
  if (checks().uninitialised)
    Shadow::instance().set_unwritten(reinterpret_cast<uintptr_t>(base), bytes, false);
  if (checks().races)
    Shadow::instance().forget(reinterpret_cast<uintptr_t>(base), bytes);
}

std::shared_ptr<SharedFile> ProcessorMemory::move_to_file(void *pages, size_t bytes) {
  auto file = SharedFile::create(bytes);
  const FrozenPages frozen(pages, bytes);
  file->replace(pages, bytes);
  return file;
}

} // namespace ze_cpu
