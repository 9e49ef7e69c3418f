// What libCHIP has to know of a SPIR-V module and Level Zero does not tell: its kernels' parameters, and its variables.
#pragma once

#include "../../queue/kernel_target.h"

#include <cstddef>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace chip {

struct SpirvContents {
  std::map<std::string, std::vector<Parameter>> signatures; // by kernel name
  std::map<std::string, uint32_t> launch_bounds; // threads a block at most, of kernels that say so
  std::vector<std::string> variables;            // that kernels may write and the host can find
  // Kernels use what the runtime makes for them (device_services.h).
  bool uses_messages = false, uses_heap = false;
  bool has_hidden_variables = false; // that kernels may write and the host cannot find
};

/// Reads entry points and variables. Throws hipErrorInvalidImage for what is not well-formed SPIR-V, and
/// hipErrorNoBinaryForGpu for what was compiled for another version of the device contract (common/device_contract.h).
SpirvContents read_contents(std::span<const std::byte> spirv);

} // namespace chip
