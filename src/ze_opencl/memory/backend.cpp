#include "backend.h"

#include <algorithm>

namespace ze_opencl {

uint64_t OpenClMemory::total_bytes() const {
  uint64_t bytes = 0;
  for (const auto &device : devices())
    bytes = std::max(bytes, device->facts.memory_bytes);
  return bytes;
}

ze_driver::Placement OpenClMemory::allocate(size_t size, size_t alignment,
                                            ze_driver::MemoryKind kind,
                                            ze_driver::DeviceBackend *device, bool) {
  const Device *const owner = device_of_(device);
  MemoryAccess &memory = *(owner ? owner : devices().front().get())->platform->memory;
  void *const made = memory.allocate(size, alignment, kind, owner);
  return {made, made, size};
}

void OpenClMemory::free(const ze_driver::Placement &placement) noexcept {
  devices().front()->platform->memory->free(placement.mapping);
}

} // namespace ze_opencl
