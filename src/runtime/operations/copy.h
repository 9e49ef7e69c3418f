// Copies. Those of arrays and variables are copies of their memory. Where it lies the driver sees: the kind is what the call said,
// for who describes the operation.
#pragma once

#include "../memory/box.h"
#include "operation.h"

#include <cstring>

namespace chip::operations {

struct Copy {
  void *destination;
  const void *source;
  size_t bytes;
  hipMemcpyKind kind = hipMemcpyDefault;

  void append(Encoder &encoder, ze::Waits waits) const {
    encoder.list.copy(destination, source, bytes, waits);
  }
  bool operator==(const Copy &) const = default;
};

/// What is copied twice: beyond it, waiting for the copy costs less.
constexpr size_t most_staged_bytes = 64 << 10;

/// Of ordinary memory, which may change as soon as the operation was appended: it is copied twice. Kept, it reads that memory
/// each time it is executed.
struct StagedCopy {
  void *destination;
  const void *source;
  size_t bytes;
  hipMemcpyKind kind = hipMemcpyDefault;

  void append(Encoder &encoder, ze::Waits waits) const {
    const SpillArena::Block block = encoder.arena.allocate(bytes);
    std::memcpy(block.data(), source, bytes);
    encoder.list.copy(destination, block.data(), bytes, waits);
  }
  Copy keep() const { return {destination, source, bytes, kind}; }
  bool operator==(const StagedCopy &) const = default;
};

struct CopyBox {
  static constexpr bool makes_several_appends = true;
  BoxSide destination;
  BoxSide source;
  Box box;
  hipMemcpyKind kind = hipMemcpyDefault;

  void append(Encoder &encoder, ze::Waits waits) const;
  bool operator==(const CopyBox &) const = default;
};

/// As StagedCopy.
struct StagedCopyBox {
  static constexpr bool makes_several_appends = true;
  BoxSide destination;
  BoxSide source;
  Box box;
  hipMemcpyKind kind = hipMemcpyDefault;

  void append(Encoder &encoder, ze::Waits waits) const;
  CopyBox keep() const { return {destination, source, box, kind}; }
  bool operator==(const StagedCopyBox &) const = default;
};

} // namespace chip::operations
