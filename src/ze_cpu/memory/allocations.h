// Memory that Level Zero programs allocate. On this device all kinds are the machine's memory; the
// kind is remembered because programs ask for it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <shared_mutex>
#include <string>

namespace ze_cpu {

enum class MemoryKind : uint8_t { device, host, shared };

struct Allocation {
  uintptr_t base;
  size_t size; // as asked for
  MemoryKind kind;
  uint64_t id;         // unique in the process
  const void *owner;   // the context
  size_t mapped_bytes; // 0: from the heap

  bool contains(uintptr_t address) const { return address - base < size; }
};

/// All allocations of the process. Look-ups may run at the same time as each other.
class Allocations {
public:
  static Allocations &instance();

  /// `alignment` is a power of two or 0; at least 64 bytes are always given. Throws std::bad_alloc,
  /// also when the process would have more than the machine's memory.
  void *allocate(size_t size, size_t alignment, MemoryKind kind, const void *owner);
  /// False if `base` is not the start of an allocation of `owner`.
  bool free(void *base, const void *owner);

  /// The allocation that `pointer` points into.
  std::optional<Allocation> find(const void *pointer) const;
  /// Where `address` lies, for a person: "64 bytes behind the 256-byte device allocation at 0x...".
  std::string describe(uintptr_t address) const;

private:
  Allocations() = default;

  mutable std::shared_mutex mutex_;
  std::map<uintptr_t, Allocation> by_base_;
  uint64_t next_id_ = 1;
  uint64_t total_bytes_ = 0;
};

/// Bytes of memory of this machine, or what the process's limits leave of it.
uint64_t machine_memory_bytes();

/// The unit in which the machine maps memory.
size_t page_bytes();

} // namespace ze_cpu
