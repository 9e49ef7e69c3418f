#include "backend.h"

#include "../../ze_driver/memory/host_memory.h"

#include <algorithm>

namespace ze_opencl {
namespace {

/// What the largest device may have.
uint64_t most_bytes() {
  uint64_t bytes = 0;
  for (const auto &device : devices())
    bytes = std::max(bytes, device->facts.memory_bytes);
  return bytes;
}

class SystemMemory final : public ze_driver::HostMemory {
public:
  uint64_t total_bytes() const override {
    return std::min(HostMemory::total_bytes(), most_bytes());
  }
};

} // namespace

uint64_t OpenClMemory::total_bytes() const { return most_bytes(); }

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

std::unique_ptr<ze_driver::MemoryBackend> make_memory_backend(OpenClMemory::DeviceOf device_of) {
  const bool is_system = std::ranges::all_of(devices(), [](const auto &device) {
    return device->platform->memory_model == MemoryModel::system;
  });
  if (is_system)
    return std::make_unique<SystemMemory>();
  return std::make_unique<OpenClMemory>(std::move(device_of));
}

} // namespace ze_opencl
