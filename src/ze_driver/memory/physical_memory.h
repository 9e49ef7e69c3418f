// What the handles of physical memory stand for.
#pragma once

#include "../api/entry.h"
#include "../memory_backend.h"

#include <cstddef>
#include <cstdint>
#include <memory>

namespace ze_driver {

/// Memory that is mapped into reserved addresses.
struct PhysicalMemory : Handle {
  using HandleType = ze_physical_mem_handle_t;
  PhysicalMemory();
  PhysicalMemory(const PhysicalMemory &) = delete;
  PhysicalMemory &operator=(const PhysicalMemory &) = delete;
  ~PhysicalMemory();

  ze_device_handle_t device;
  MemoryKind kind;
  size_t size;
  uint64_t id;
  std::shared_ptr<SharedFile> file;
  bool charged = false; // against what there is
};
/// The name that Level Zero has for a kind of memory.
inline ze_memory_type_t memory_type(MemoryKind kind) {
  return kind == MemoryKind::device ? ZE_MEMORY_TYPE_DEVICE
         : kind == MemoryKind::host ? ZE_MEMORY_TYPE_HOST
                                    : ZE_MEMORY_TYPE_SHARED;
}

/// The physical memory behind `handle`; nullptr if it is none: zeMemGetIpcHandle takes both these
/// handles and addresses.
const PhysicalMemory *physical_memory(const void *handle);

} // namespace ze_driver
