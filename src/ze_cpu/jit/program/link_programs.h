// Several SPIR-V modules to one: what one imports is what another exports.
#pragma once

#include <cstddef>
#include <expected>
#include <span>
#include <string>
#include <vector>

namespace ze_cpu {

/// Errors are text for the build log.
std::expected<std::vector<std::byte>, std::string>
link_modules(std::span<const std::span<const std::byte>> programs);

} // namespace ze_cpu
