// Copies and fills of up to three dimensions, of arrays and memory with pitches.
#pragma once

#include "array.h"
#include "memory.h"

namespace chip {

/// The largest pitch of memory, in bytes (hipDeviceAttributeMaxPitch).
constexpr size_t max_pitch = 0x7fffffff;

/// One side of a copy: where its first byte is, and the bytes from row to row and from slice to slice.
struct BoxSide {
  std::byte *first;
  size_t pitch = 0;
  size_t slice_pitch = 0;

  bool operator==(const BoxSide &) const = default;
};

/// What is copied; the width is in bytes.
struct Box {
  size_t width = 0, height = 1, depth = 1;

  bool is_empty() const { return width == 0 || height == 0 || depth == 0; }
  size_t bytes() const { return width * height * depth; }
  bool operator==(const Box &) const = default;
};

/// Calls `visit(to, from)` with the first byte of each row.
void for_each_row(const BoxSide &to, const BoxSide &from, const Box &box, auto &&visit) {
  for (size_t z = 0; z < box.depth; ++z)
    for (size_t y = 0; y < box.height; ++y)
      visit(to.first + z * to.slice_pitch + y * to.pitch,
            from.first + z * from.slice_pitch + y * from.pitch);
}

/// Where a copy begins; x is in bytes.
struct BoxOrigin {
  size_t x = 0, y = 0, z = 0;
};

/// A box in an array. Throws hipErrorInvalidValue for one that is not all inside.
BoxSide side_of(const hipArray &array, BoxOrigin origin, const Box &box);
/// A box in memory whose slices have `rows` rows (0: as many as the box reaches to). Throws hipErrorInvalidValue for null, for
/// a box that is wider than the pitch or goes past the rows.
BoxSide side_of(const void *memory, size_t pitch, size_t rows, BoxOrigin origin, const Box &box);

/// Copies a box. Throws hipErrorInvalidMemcpyDirection for an unknown kind, hipErrorInvalidValue for a box that goes past the
/// end of an allocation.
void copy_box(const BoxSide &destination, const BoxSide &source, const Box &box, hipMemcpyKind kind,
              const StreamTarget &stream, Completion completion);
/// Sets the elements of a box, of 1, 2 or 4 bytes, to the low bytes of a value. Throws hipErrorInvalidValue for memory that HIP
/// does not know, past an allocation's end, or with elements that are not aligned.
void fill_box(const BoxSide &destination, uint32_t value, const Box &box,
              const StreamTarget &stream, Completion completion, size_t element_bytes = 1);

} // namespace chip
