// OpenCL's functions of half precision on devices that do not announce it. Their implementations may compute with it all the
// same, but have no functions of it, and a module that calls one is not built.
#pragma once

#include "abilities.h"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace ze_opencl {

/// The valid module with such functions computed in a wider type, whose result is rounded; nothing if it calls none. fma and mad
/// are computed in double, where the device has it: there the product is exact and the sum as good as, so that the result is that
/// of one rounding. Functions that
/// write through a pointer to half precision, or depend on its bits, stay. Throws spirv::Malformed.
std::optional<std::vector<uint32_t>> with_wide_half_functions(std::span<const uint32_t> words,
                                                              const Abilities &abilities);

} // namespace ze_opencl
