// Access of devices to each other's memory. All devices of a driver share one context, in which whatever a device can reach at all
// it reaches without a call: what programs enable and disable is only remembered. Memory of one driver means nothing to another.
#pragma once

#include "memory.h"

namespace chip {

/// Whether kernels of `device` can use memory of `peer`. A device is not its own peer.
bool can_access_peer(const Device &device, const Device &peer);
/// And whether their atomic operations on it are atomic for both.
bool has_peer_atomics(const Device &device, const Device &peer);

/// Throws hipErrorInvalidDevice if `device` cannot access `peer`, hipErrorPeerAccessUnsupported if that is because they have
/// different drivers, hipErrorPeerAccessAlreadyEnabled.
void enable_peer_access(Device &device, const Device &peer);
/// Throws hipErrorInvalidDevice for a device that is no other, hipErrorPeerAccessNotEnabled.
void disable_peer_access(Device &device, const Device &peer);

/// Copies from memory of one device to memory of another, or of the same. If the call waits, the copy comes after what was
/// submitted to the null streams of both.
void copy_between_devices(void *destination, Device &destination_device, const void *source,
                          Device &source_device, size_t bytes, const StreamTarget &stream,
                          Completion completion);

} // namespace chip
