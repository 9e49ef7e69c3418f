// The parameters of a SPIR-V module's kernels: Level Zero does not tell their sizes, and HIP's launches need them.
#pragma once

#include "../queue/kernel_target.h"

#include <cstddef>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace chip {

/// Reads the entry points and their parameters. Throws hipErrorInvalidImage for what is not well-formed SPIR-V.
std::map<std::string, std::vector<Parameter>> read_signatures(std::span<const std::byte> spirv);

/// Whether the bytes begin like a SPIR-V module (4 bytes are looked at).
bool is_spirv(std::span<const std::byte> bytes);

} // namespace chip
