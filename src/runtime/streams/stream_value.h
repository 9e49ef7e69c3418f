// Values in memory that streams write and wait for.
#pragma once

#include "stream.h"

#include <cstdint>

namespace chip {

/// Writes the low `bytes` (4 or 8) of `value` when earlier work of the stream is done. Throws hipErrorInvalidValue unless
/// `address` is aligned to them and lies in memory of HIP.
void write_value(const StreamTarget &stream, void *address, uint64_t value, size_t bytes);

/// What hipStreamWaitValue waits for: `condition` is hipStreamWaitValueGte, Eq, And or Nor.
struct ValueCondition {
  unsigned condition;
  uint64_t value;
  uint64_t mask;
  bool holds(uint64_t found, size_t bytes) const;
  bool operator==(const ValueCondition &) const = default;
};

/// Later work of the stream waits until the `bytes` (4 or 8) at `address` meet the condition. The host looks at them, in
/// memory of a device through a copy each time. Throws as write_value does, and hipErrorNotSupported where the driver has no
/// host functions.
void wait_value(const StreamTarget &stream, const void *address, const ValueCondition &condition,
                size_t bytes);

} // namespace chip
