// How checked code describes an access to memory (ZE_CPU_CHECK): what the compiler writes and what
// ze_cpu_check and ze_cpu_trace read.
#pragma once

#include <cstdint>

namespace ze_cpu {

/// How a kernel touches memory.
struct Access {
  bool write;
  bool is_local;      // of work-group memory for sure
  uint32_t alignment; // that the code relies on

  constexpr uint32_t packed() const {
    return uint32_t(write) | uint32_t(is_local) << 1 | alignment << 2;
  }
  static constexpr Access unpack(uint32_t bits) {
    return {(bits & 1) != 0, (bits & 2) != 0, bits >> 2};
  }
};

/// Where in the source an access or a barrier is. The compiler writes one for each into the object
/// code; without debug information, `line` is 0 and `file` null.
struct SourcePlace {
  const char *file;
  uint32_t line;
  uint32_t ordinal; // among those of the compiled kernel
  uint32_t number;  // that execution gives it, 0 before
  uint32_t column;  // 0: not known
  // Memory that ze_cpu_check has allowed there, so that code need not ask again: as long as `generation` is that of
  // the GroupContext. It begins at an address that is aligned to `allowed_alignment`.
  uint64_t generation, allowed, allowed_bytes;
};
/// Also of work-group memory.
inline constexpr uint32_t allowed_alignment = 64;

/// What ze_cpu_trace is told of an access.
namespace traced {
enum : uint32_t {
  read = 1,
  write = 2,
  /// Nothing can come between its read and its write, or it is seen whole.
  atomic = 4,
  /// Volatile: programs order others by it, without being atomic in the language's sense.
  is_volatile = 8,
  /// The last operand is what is written; without it, of a read, the bytes of it that matter as a mask.
  has_value = 16,
  /// The same address may be accessed atomically later: what is read may be old by then, as the program knows.
  beside_atomic = 32,
  /// What is read is only stored again: it may be the padding of a structure.
  only_copied = 64,
  /// Told before reads that come before it: not where it makes bytes written.
  ahead = 128,
};
} // namespace traced

} // namespace ze_cpu
