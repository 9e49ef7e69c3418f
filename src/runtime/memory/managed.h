// Managed memory: where it is to be, and what it is used for.
#pragma once

#include "../streams/stream.h"

#include <span>

namespace chip {

// Where devices reach all memory of the program, the functions that take managed memory take that as well, and have nothing to do
// for it.

/// hipMemAdvise. Advice is a hint, and the driver migrates on its own: it is remembered, for those who ask. Throws
/// hipErrorInvalidValue for what is not managed memory, or goes past its end, or is not advice, hipErrorInvalidDevice.
void advise(const void *address, size_t bytes, hipMemoryAdvise advice, int device);

/// Moves managed memory to a device in the stream's order. Nothing happens for hipCpuDeviceId: pages come back to the host when
/// it touches them. Throws hipErrorInvalidValue for what is not managed memory, or goes past its end, hipErrorInvalidDevice.
void prefetch(const StreamTarget &stream, const void *address, size_t bytes, int device);
/// Throws what prefetch() would throw, and moves nothing.
void check_prefetch(const StreamTarget &stream, const void *address, size_t bytes, int device);

/// An attribute of managed memory, and where it is to be stored.
struct RangeQuery {
  hipMemRangeAttribute attribute;
  void *data;
  size_t data_bytes;
};

/// hipMemRangeGetAttributes, of managed memory only. Throws hipErrorInvalidValue, before anything is stored, for what is not, or
/// goes past its end, for a null pointer, an unknown attribute, and a size that does not suit it.
void store_range_attributes(std::span<const RangeQuery> queries, const void *address, size_t bytes);

/// Checks the arguments of hipStreamAttachMemAsync. Managed memory is always visible to host and devices, so there is nothing
/// else to do. Throws hipErrorInvalidValue for what is not managed memory, and for a length that is not that of all of the
/// allocation.
void check_attachment(const StreamTarget &stream, const void *address, size_t length);

} // namespace chip
