// Device memory on the processors: the machine's own, whatever its kind.
#pragma once

#include "../../ze_driver/memory_backend.h"
#include "pages.h"

namespace ze_cpu {

class HostMemory final : public ze_driver::MemoryBackend {
public:
  using FileRange = ze_driver::FileRange;
  using PageAccess = ze_driver::PageAccess;
  using Placement = ze_driver::Placement;
  using SharedFile = ze_driver::SharedFile;

  /// `guarded`: as with ZE_CPU_CHECK, each allocation lies between inaccessible pages.
  explicit HostMemory(bool guarded) : guarded_(guarded) {}

  size_t page_bytes() const override { return ze_driver::page_bytes(); }
  /// Bytes of memory of this machine, or what the process's limits leave of it.
  uint64_t total_bytes() const override;
  bool is_guarded() const override { return guarded_; }

  Placement allocate(size_t size, size_t alignment, ze_driver::MemoryKind kind,
                     ze_driver::DeviceBackend *device, bool guard) override;
  void free(const Placement &placement) noexcept override;
  void hide(const Placement &placement) noexcept override;

  std::shared_ptr<SharedFile> create_file(size_t bytes) override;
  void *map(const FileRange &range, size_t bytes, PageAccess access, void *at) override;
  void unmap(void *pages, size_t bytes) noexcept override;
  std::shared_ptr<SharedFile> move_to_file(void *pages, size_t bytes) override;

  void *reserve(const void *wanted, size_t bytes) override;
  void unreserve(void *base, size_t bytes) noexcept override;
  void clear(void *base, size_t bytes) noexcept override;
  bool protect(void *base, size_t bytes, PageAccess access) override;

private:
  const bool guarded_;
  PageSupply pages_;
};

} // namespace ze_cpu
