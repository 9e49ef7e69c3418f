// Whether the memory of a device does what the implementation says.
#pragma once

#include "access.h"

#include <string>

namespace ze_opencl {

/// Allocates, fills, copies and reads back a few bytes of each kind on `device`. Empty if all of it works, else what does not.
std::string probe_memory(const Device &device);

} // namespace ze_opencl
