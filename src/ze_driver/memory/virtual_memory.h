// Address ranges that the program reserves, and what it maps into them.
#pragma once

#include "allocations.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>

namespace ze_driver {

class VirtualMemory {
public:
  static VirtualMemory &instance();

  VirtualMemory(MemoryBackend &memory, Allocations &allocations)
      : memory_(memory), allocations_(allocations) {}
  VirtualMemory(const VirtualMemory &) = delete;
  VirtualMemory &operator=(const VirtualMemory &) = delete;

  /// Reserves whole pages, at `wanted` if that is free. Throws std::bad_alloc.
  void *reserve(const void *wanted, size_t bytes, const void *owner);
  /// Gives a whole reservation back, with all that is mapped into it. False: it is none.
  bool free(const void *base, size_t bytes, const void *owner);

  /// Maps pages of `memory` (whose size, kind, owner, device and file are set). False: the range is
  /// not reserved, or something is mapped in it. Throws std::bad_alloc.
  bool map(const void *base, Allocation memory, PageAccess access);
  /// Unmaps everything in the range, which must consist of whole mappings and of pages without.
  /// False: it does not, or is not reserved.
  bool unmap(const void *base, size_t bytes, const void *owner);

  /// False: not all of it is mapped.
  bool set_access(const void *base, size_t bytes, PageAccess access, const void *owner);
  struct Region {
    PageAccess access;
    size_t bytes;
  };
  /// The access of the page at `base`, and of how many of the `bytes` from there on. Nothing if
  /// they are not reserved.
  std::optional<Region> access(const void *base, size_t bytes, const void *owner) const;

private:
  struct Range {
    size_t bytes;
    const void *owner;
  };
  bool is_reserved(uintptr_t base, size_t bytes, const void *owner) const;
  void unmap_pages(uintptr_t base, size_t bytes, const void *owner);
  void split_access_at(uintptr_t address);

  MemoryBackend &memory_;
  Allocations &allocations_;
  mutable std::mutex mutex_;
  std::map<uintptr_t, Range> reservations_;
  std::map<uintptr_t, size_t> mappings_;
  std::map<uintptr_t, Region> accesses_; // of mapped pages; the pieces cover the mappings exactly
};

} // namespace ze_driver
