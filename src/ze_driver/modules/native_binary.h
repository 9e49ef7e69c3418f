// The native module format: a header, then the build flags, the specialization constants and the
// SPIR-V that a module was built of. Compiled code is kept by the compiler's own cache, for this
// machine.
#pragma once

#include "../program.h"

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ze_driver {

struct BinaryContent {
  std::span<const std::byte> spirv;
  std::string_view build_flags;
  std::span<const std::byte> constants; // serialize_constants()
};

/// What a driver's binaries begin with.
using BinaryMagic = char[8];

/// The binary's bytes.
std::vector<std::byte> write_binary(const BinaryMagic &magic, const BinaryContent &content);
/// What is in a binary, pointing into it. Nothing if it is none of ours, is cut short or has been
/// changed.
std::optional<BinaryContent> read_binary(const BinaryMagic &magic,
                                         std::span<const std::byte> binary);

std::vector<std::byte> serialize_constants(std::span<const SpecializationConstant> constants);
/// Nothing if the bytes do not come from serialize_constants().
std::optional<std::vector<SpecializationConstant>>
parse_constants(std::span<const std::byte> bytes);

} // namespace ze_driver
