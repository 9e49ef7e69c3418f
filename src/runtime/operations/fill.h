#pragma once

#include "../memory/box.h"
#include "operation.h"

namespace chip::operations {

/// Sets elements of 1, 2, 4 or 8 bytes to the low bytes of a value.
struct Fill {
  void *destination;
  uint64_t value;
  size_t element_bytes;
  size_t bytes; // of all elements

  void append(Encoder &encoder, ze::Waits waits) const {
    encoder.list.fill(destination, &value, element_bytes, bytes, waits);
  }
  bool operator==(const Fill &) const = default;
};

/// Sets the elements of a box, of 1, 2 or 4 bytes, to the low bytes of a value.
struct FillBox {
  static constexpr bool makes_several_appends = true;
  BoxSide destination;
  uint32_t value;
  Box box;
  size_t element_bytes = 1;

  void append(Encoder &encoder, ze::Waits waits) const;
  bool operator==(const FillBox &) const = default;
};

} // namespace chip::operations
