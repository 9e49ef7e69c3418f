// What a SPIR-V module offers to others, and wants of them.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace ze_driver {

struct Linkage {
  std::vector<std::string> imports, exports;
};
/// The names in a module's linkage attributes. Nothing of what is no SPIR-V.
Linkage linkage_of(std::span<const std::byte> spirv);

} // namespace ze_driver
