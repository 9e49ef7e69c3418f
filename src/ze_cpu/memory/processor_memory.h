// Device memory on the processors: the machine's own, which may be guarded, and of which pages that commands use can be moved.
#pragma once

#include "../../ze_driver/memory/host_memory.h"
#include "allocation_places.h"

namespace ze_cpu {

class ProcessorMemory final : public ze_driver::HostMemory {
public:
  /// `guarded`: as with ZE_CPU_CHECK, each allocation lies between inaccessible pages.
  explicit ProcessorMemory(bool guarded) : guarded_(guarded) {}

  bool is_guarded() const override { return guarded_; }
  ze_driver::Placement allocate(size_t size, size_t alignment, ze_driver::MemoryKind kind,
                                ze_driver::DeviceBackend *device, bool guard) override;
  void free(const ze_driver::Placement &placement) noexcept override;
  void hide(const ze_driver::Placement &placement) noexcept override;
  void handed_out(void *base, size_t bytes, ze_driver::MemoryKind kind) override;
  void taken_back(void *base, size_t bytes) noexcept override;
  void was_leaked(const void *base, size_t bytes) noexcept override { note_leak(base, bytes); }
  std::shared_ptr<ze_driver::SharedFile> move_to_file(void *pages, size_t bytes) override;

private:
  const bool guarded_;
};

} // namespace ze_cpu
