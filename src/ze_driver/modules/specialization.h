// Level Zero passes specialization constants as bare pointers: how much to read is in the SPIR-V.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>

namespace ze_driver {

/// Size in bytes of each specialization constant of a module, by its SpecId. Malformed input gives
/// what was found before the first mistake; whether the module is valid is for the compiler to say.
std::map<uint32_t, size_t> specialization_constant_sizes(std::span<const std::byte> spirv);

} // namespace ze_driver
