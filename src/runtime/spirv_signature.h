// What libCHIP has to know of a SPIR-V module and Level Zero does not tell: its kernels' parameters, and its variables.
#pragma once

#include "../queue/kernel_target.h"

#include <cstddef>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace chip {

struct SpirvContents {
  std::map<std::string, std::vector<Parameter>> signatures; // by kernel name
  std::vector<std::string> variables;                       // that kernels may write and the host can find
  bool has_hidden_variables = false;                        // that kernels may write and the host cannot find
};

/// Reads entry points and variables. Throws hipErrorInvalidImage for what is not well-formed SPIR-V.
SpirvContents read_contents(std::span<const std::byte> spirv);

/// Whether the bytes begin like a SPIR-V module (4 bytes are looked at).
bool is_spirv(std::span<const std::byte> bytes);

} // namespace chip
