// Memory that is allocated and freed in the order of streams.
#pragma once

#include "../memory/memory.h"
#include "operation.h"

namespace chip::operations {

/// `perform` returns the address.
struct Allocate {
  MemoryPool *pool;
  size_t bytes;

  void *perform(const StreamTarget &stream) const { return allocate_now(stream, *pool, bytes); }
  bool operator==(const Allocate &) const = default;
};

struct Free {
  void *pointer;

  void perform(const StreamTarget &stream) const { free_now(stream, pointer); }
  bool operator==(const Free &) const = default;
};

} // namespace chip::operations
