/// Access of devices to each other's memory.
#pragma once

#include <hip/api/types/device_types.h>
#include <hip/api/types/error_types.h>
#include <hip/api/types/macros.h>

HIP_API_BEGIN

/// Stores 1 if kernels of `device` can use memory of `peer`, and 0 if not. A device is not its own
/// peer.
/// Errors: hipErrorInvalidValue (`can_access` is null), hipErrorInvalidDevice (`device` or `peer`
/// is not the number of a device), @start.
/// Stream: @none. Capture: @allowed.
hipError_t hipDeviceCanAccessPeer(int *can_access, int device, int peer);

/// Lets kernels of the current device use memory of `peer`, also of allocations to come. The other
/// direction needs a call of its own. `flags` is 0.
/// Errors: hipErrorInvalidValue (`flags` is not 0), hipErrorInvalidDevice (`peer` is not the number
/// of another device, or its memory cannot be reached), hipErrorPeerAccessUnsupported (`peer` has
/// another Level Zero driver), hipErrorPeerAccessAlreadyEnabled (access is enabled already), @start.
/// Stream: @none. Capture: @allowed.
hipError_t hipDeviceEnablePeerAccess(int peer, unsigned int flags);

/// Ends the access that hipDeviceEnablePeerAccess enabled for the current device.
/// Errors: hipErrorInvalidDevice (`peer` is not the number of another device),
/// hipErrorPeerAccessNotEnabled (access is not enabled), @start.
/// Stream: @none. Capture: @allowed.
hipError_t hipDeviceDisablePeerAccess(int peer);

HIP_API_END
