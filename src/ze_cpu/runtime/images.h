// Image functions that generated code calls. Coordinates that the image does not have are 0.
#pragma once

#include "functions.h"
#include "texels.h"

namespace ze_cpu {

/// ze_cpu_image_read_*, _write_*, _sample_*, _fetch_* and _query.
std::span<const RuntimeFunction> image_functions();

} // namespace ze_cpu
