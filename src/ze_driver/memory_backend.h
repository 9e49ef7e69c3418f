// Where memory comes from. What is allocated, mapped and reserved by whom is the front's to remember
// (allocations.h, virtual_memory.h): it asks for nothing twice, and for nothing that is not there.
#pragma once

#include "api/unsupported.h"
#include "ipc/shared_file.h"

#include <cstddef>
#include <cstdint>
#include <memory>

namespace ze_driver {

class DeviceBackend;

enum class MemoryKind : uint8_t { device, host, shared };
/// For messages.
constexpr const char *name_of(MemoryKind kind) {
  switch (kind) {
  case MemoryKind::device:
    return "device";
  case MemoryKind::host:
    return "host";
  case MemoryKind::shared:
    break;
  }
  return "shared";
}
enum class PageAccess : uint8_t { none, read_write, read_only };

/// Pages of a file, from `offset` on.
struct FileRange {
  std::shared_ptr<SharedFile> file;
  size_t offset;
};

/// Memory in the process's addresses: `base` and what follows is usable, other pages of the mapping
/// may not be.
struct Placement {
  void *base;
  void *mapping;
  size_t mapped_bytes;
};

class MemoryBackend {
public:
  virtual ~MemoryBackend() = default;

  /// The unit in which memory is mapped, and shared with other processes.
  virtual size_t page_bytes() const = 0;
  /// What all allocations together may have.
  virtual uint64_t total_bytes() const = 0;
  /// Whether accesses around allocations and to freed ones are to be noticed: freed memory then stays
  /// hidden for a while.
  virtual bool is_guarded() const { return false; }

  /// `size` bytes; `alignment` is a power of two. `device` is null for memory of no device. `guard`:
  /// nothing accessible is to lie around it. Throws std::bad_alloc.
  virtual Placement allocate(size_t size, size_t alignment, MemoryKind kind, DeviceBackend *device,
                             bool guard) = 0;
  /// Gives back what allocate() made.
  virtual void free(const Placement &placement) noexcept = 0;
  /// Takes guarded memory away, that of map() included; its addresses stay taken until unmap().
  virtual void hide(const Placement &) noexcept {}
  /// The program has got the memory, whose content is undefined, or gives it back.
  virtual void handed_out(void *, size_t, MemoryKind) {}
  virtual void taken_back(void *, size_t) noexcept {}
  /// The program has ended, and not freed so many bytes of it.
  virtual void was_leaked(const void *, size_t) noexcept {}

  // Memory that other processes can have. Whole pages.

  /// Zeroed memory with a descriptor. Throws std::bad_alloc.
  virtual std::shared_ptr<SharedFile> create_file(size_t) { throw Unsupported(); }
  /// Maps it: anywhere, or at `at` in what was reserved. Throws std::bad_alloc.
  virtual void *map(const FileRange &, size_t, PageAccess, void * = nullptr) {
    throw Unsupported();
  }
  virtual void unmap(void *, size_t) noexcept {}
  /// Moves allocated pages into a file and maps that in their place. Commands may use them
  /// meanwhile. Not from two threads at the same time. Throws std::bad_alloc.
  virtual std::shared_ptr<SharedFile> move_to_file(void *, size_t) { throw Unsupported(); }

  // Reserved addresses. Whole pages.

  /// At `wanted` if that is free. Throws std::bad_alloc.
  virtual void *reserve(const void *, size_t) { throw Unsupported(); }
  virtual void unreserve(void *, size_t) noexcept {}
  /// Takes a mapping out of reserved addresses, which stay reserved.
  virtual void clear(void *, size_t) noexcept {}
  /// False: it is not possible.
  virtual bool protect(void *, size_t, PageAccess) { return false; }
};

} // namespace ze_driver
