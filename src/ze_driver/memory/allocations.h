// Memory that Level Zero programs allocate: what is where, of which kind, and whose. The memory itself
// comes from the device (memory_backend.h).
#pragma once

#include "../memory_backend.h"

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <shared_mutex>
#include <string>

namespace ze_driver {

/// What ends an allocation: zeMemFree, zeMemCloseIpcHandle, or zeVirtualMemUnmap.
enum class Origin : uint8_t { allocated, opened, mapped };

/// The owner of memory that no program frees.
inline constexpr char driver_memory = 0;

struct Allocation {
  uintptr_t base;
  size_t size; // as asked for
  MemoryKind kind;
  uint64_t id;         // unique in the process
  const void *owner;   // the context, or driver_memory
  const void *device;  // as the program named it; may be null
  void *mapping;       // the pages that it lies in
  size_t mapped_bytes; // of the mapping
  Origin origin = Origin::allocated;
  uint32_t atomic_access = 0; // as the program set it; 0: it did not
  FileRange file{}; // where `base` lies in it; without one, no other process can have the memory

  bool contains(uintptr_t address) const { return address - base < size; }
  /// Whether the pages there are this allocation's alone.
  bool occupies(uintptr_t address) const {
    return address - reinterpret_cast<uintptr_t>(mapping) < mapped_bytes;
  }
};

/// All allocations of the process. Look-ups may run at the same time as each other.
///
/// Guarded ones lie between inaccessible pages, and their addresses stay taken, and inaccessible, for
/// a while after they were freed.
class Allocations {
public:
  static Allocations &instance();

  explicit Allocations(MemoryBackend &memory) : memory_(memory), guarded_(memory.is_guarded()) {}
  Allocations(const Allocations &) = delete;
  Allocations &operator=(const Allocations &) = delete;

  /// `alignment` is a power of two or 0; at least 64 bytes are always given. Throws std::bad_alloc,
  /// also when the process would have more than there is.
  void *allocate(size_t size, size_t alignment, MemoryKind kind, const void *owner,
                 const void *device = nullptr);
  /// Allocates in pages that other processes may have too: in a new file, or from the beginning of
  /// `file`. `alignment` is at most a page. Throws std::bad_alloc.
  void *allocate_shared(size_t size, MemoryKind kind, const void *owner, const void *device,
                        std::shared_ptr<SharedFile> file = nullptr);
  /// Maps memory of another process, or of this one. `range` begins at the page that holds the
  /// first byte; `skip` bytes of it come before. Throws std::bad_alloc.
  void *open(const FileRange &range, size_t skip, size_t size, MemoryKind kind, const void *owner,
             const void *device);
  /// Remembers pages that the caller has mapped. Throws std::bad_alloc.
  void add_mapped(Allocation allocation);
  /// False if `base` is not the start of an allocation of that origin, or is driver_memory and
  /// `owner` is not. Which context it is of does not matter: programs free with any.
  bool free(void *base, const void *owner, Origin origin = Origin::allocated);
  /// False if `pointer` is in no allocation.
  bool set_atomic_access(const void *pointer, uint32_t attributes);

  /// The allocation at `pointer` as other processes can map it: nothing if there is none of
  /// `owner`. The first time, its pages move into a file. Throws std::bad_alloc.
  std::optional<Allocation> share(const void *pointer, const void *owner);

  /// Counts memory that is not an allocation against what there is. False: there is not as
  /// much left.
  bool charge(size_t bytes);
  void discharge(size_t bytes);
  /// A number that no allocation has.
  uint64_t new_id();

  /// A variable of a module: memory that kernels may touch, but no allocation.
  void add_variable(const void *base, size_t size, std::string name);
  void remove_variable(const void *base);
  /// Memory of the program that it lets kernels touch. remove_variable takes it back.
  void add_imported(const void *base, size_t size);
  /// Where the imported memory begins that `pointer` points into.
  std::optional<uintptr_t> imported(const void *pointer) const;

  /// The allocation that `pointer` points into.
  std::optional<Allocation> find(const void *pointer) const;
  /// Whether all of the bytes are in one allocation or variable. Of an allocation, `begin` and `size` become
  /// those of all of it, if they are not null.
  bool covers(uintptr_t address, size_t bytes, uintptr_t *begin = nullptr,
              size_t *size = nullptr) const;
  /// The first of the bytes that is around an allocation and not in it, as far as inaccessible
  /// pages do not see to that, or behind the variable that the first one is in.
  std::optional<uintptr_t> overrun(const void *pointer, size_t bytes) const;
  /// Where `address` lies, for a person: "64 bytes behind the 256-byte device allocation at 0x...".
  std::string describe(uintptr_t address) const;

private:
  using Clock = std::chrono::steady_clock;
  struct Variable {
    size_t size;
    std::string name;
    bool imported = false;
  };
  struct Freed {
    Allocation allocation;
    Clock::time_point when;
  };

  using ByBase = std::map<uintptr_t, Allocation>;

  uintptr_t end_of(ByBase::const_iterator found) const;
  Allocation place(size_t size, size_t alignment, MemoryKind kind, const void *device);
  void release(Allocation &allocation);
  void *add(Allocation allocation, uint64_t charged);
  void quarantine(Allocation allocation);
  std::optional<std::string> describe_freed(uintptr_t address) const;

  MemoryBackend &memory_;
  const bool guarded_;
  mutable std::shared_mutex mutex_;
  ByBase by_base_;
  std::map<uintptr_t, Variable> variables_;
  std::deque<Freed> freed_; // still inaccessible, oldest first
  size_t freed_bytes_ = 0;
  uint64_t next_id_ = 1;
  uint64_t total_bytes_ = 0;
  std::atomic<uint64_t> removals_{0}; // what was once covered may not be any more
};

/// Tells the program's user of a command that faulted, by which its queue is lost: what happened, in
/// one line, and the faulting address where the machine tells. Observers of failures come first.
void report_fault(const std::string &description, std::optional<uintptr_t> address);
/// The same of a kernel with a work-item that gave up; the line says why where an observer knows.
void report_trap(const std::string &description);

} // namespace ze_driver
