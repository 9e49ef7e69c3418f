// OpenCL's error codes, for people.
#pragma once

#include "api.h"

#include <string>

namespace ze_opencl {

/// The name of an error code and its number, or what a number without a name is.
std::string error_name(cl_int error);

} // namespace ze_opencl
