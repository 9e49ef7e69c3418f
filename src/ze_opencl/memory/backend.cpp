#include "backend.h"

#include "../../common/align.h"
#include "../../ze_driver/memory/host_memory.h"
#include "../../ze_driver/program.h"

#include <algorithm>
#include <cstdint>
#include <new>

namespace ze_opencl {
namespace {

/// What the largest device may have.
uint64_t most_bytes() {
  uint64_t bytes = 0;
  for (const auto &device : devices())
    bytes = std::max(bytes, device->facts.memory_bytes);
  return bytes;
}

/// The platform whose memory all devices can use: the one that cannot use any other (platform.cpp sees to it that there is one).
const Platform &owner_of_memory() {
  for (const auto &device : devices())
    if (device->platform->memory_model != MemoryModel::system)
      return *device->platform;
  return *devices().front()->platform;
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
  const Platform &platform = owner_of_memory();
  const Device *owner = device_of_(device);
  if (owner && owner->platform != &platform) {
    // Its platform can use any memory that the host can.
    owner = nullptr;
    kind = ze_driver::MemoryKind::host;
  }
  // OpenCL aligns to its largest type and may refuse more.
  const size_t slack = alignment > ze_driver::local_alignment ? alignment : 0;
  if (size > SIZE_MAX - slack)
    throw std::bad_alloc();
  void *const made = platform.memory->allocate(
      size + slack, std::min(alignment, ze_driver::local_alignment), kind, owner);
  const auto base =
      common::round_up(reinterpret_cast<uintptr_t>(made), std::max<size_t>(alignment, 1));
  return {reinterpret_cast<void *>(base), made, size + slack};
}

void OpenClMemory::free(const ze_driver::Placement &placement) noexcept {
  owner_of_memory().memory->free(placement.mapping);
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
