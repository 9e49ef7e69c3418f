// Memory for devices that use the process's own, whatever its kind: pages of the machine's.
#pragma once

#include "../memory_backend.h"
#include "pages.h"

namespace ze_driver {

/// Allocations have pages of their own. What a file cannot be put below while commands use it
/// (move_to_file()) is left to drivers that can stop them.
class HostMemory : public MemoryBackend {
public:
  size_t page_bytes() const override { return ze_driver::page_bytes(); }
  /// Bytes of memory of this machine, or what the process's limits leave of it.
  uint64_t total_bytes() const override;

  Placement allocate(size_t size, size_t alignment, MemoryKind kind, DeviceBackend *device,
                     bool guard) override;
  void free(const Placement &placement) noexcept override;

  std::shared_ptr<SharedFile> create_file(size_t bytes) override;
  void *map(const FileRange &range, size_t bytes, PageAccess access, void *at) override;
  void unmap(void *pages, size_t bytes) noexcept override;

  void *reserve(const void *wanted, size_t bytes) override;
  void unreserve(void *base, size_t bytes) noexcept override;
  void clear(void *base, size_t bytes) noexcept override;
  bool protect(void *base, size_t bytes, PageAccess access) override;

private:
  PageSupply pages_;
};

} // namespace ze_driver
