#pragma once

#include "operation.h"

namespace chip::operations {

/// Moves managed memory to the stream's device.
struct Prefetch {
  static constexpr bool makes_several_appends = true;
  const void *address;
  size_t bytes;

  void append(Encoder &encoder, ze::Waits waits) const {
    if (!waits.empty())
      encoder.list.wait(waits); // prefetches carry none
    encoder.list.prefetch(address, bytes);
  }
  bool operator==(const Prefetch &) const = default;
};

} // namespace chip::operations
