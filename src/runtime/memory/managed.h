// Managed memory: where it is to be, and what it is used for.
#pragma once

#include "../streams/stream.h"

namespace chip {

/// hipMemAdvise. Advice is a hint, and the driver migrates on its own: the arguments are only checked. Throws hipErrorInvalidValue
/// for what is not managed memory or not advice, hipErrorInvalidDevice.
void check_advice(const void *address, size_t bytes, hipMemoryAdvise advice, int device);

/// Moves managed memory to a device in the stream's order. Nothing happens for hipCpuDeviceId: pages come back to the host when
/// it touches them. Throws hipErrorInvalidValue for what is not managed memory, or goes past its end, hipErrorInvalidDevice.
void prefetch(const StreamTarget &stream, const void *address, size_t bytes, int device);

} // namespace chip
