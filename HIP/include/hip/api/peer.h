/// Devices that reach each other's memory.
#pragma once

#include <hip/api/device_types.h>
#include <hip/api/error_types.h>
#include <hip/api/macros.h>

HIP_API_BEGIN

/// 1 if kernels of one device can use memory of the other.
hipError_t hipDeviceCanAccessPeer(int *can_access, int device, int peer);

/// Lets the current device use memory of a peer. `flags` is 0. hipErrorPeerAccessAlreadyEnabled if
/// it may.
hipError_t hipDeviceEnablePeerAccess(int peer, unsigned int flags);

/// Undoes hipDeviceEnablePeerAccess; hipErrorPeerAccessNotEnabled if there is nothing to undo.
hipError_t hipDeviceDisablePeerAccess(int peer);

HIP_API_END
