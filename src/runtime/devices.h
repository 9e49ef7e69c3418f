// What concerns a device together with all that programs have made on it.
#pragma once

#include "platform/device.h"

namespace chip {

/// The ordinal of the device that has the most of what `wanted` asks for: memory first, then compute units, then the compute
/// capability. Of equal ones the first.
int choose_device(const hipDeviceProp_t &wanted);

/// The flags. Throws hipErrorInvalidValue for unknown ones and for several ways to wait.
unsigned checked_device_flags(unsigned flags);

/// hipDeviceReset: waits for all work, then destroys the streams, events, textures and arrays of the device, frees its memory and
/// sets its flags, its hints and its access to peers back. Modules stay loaded.
void reset_device(Device &device);

} // namespace chip
