// What a device lacks of what HIP programs use, and what of HIP that costs.
#pragma once

#include <level_zero/ze_api.h>

#include <string>
#include <vector>

namespace chip::hipcc {

/// A line for each lack, from what Level Zero says of the device, whatever driver it belongs to. The process has loaded the
/// loader, for all to see.
std::vector<std::string> lacks_of(ze_driver_handle_t driver, ze_device_handle_t device);

} // namespace chip::hipcc
