// What bad input has to survive.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace fuzz {

/// Reads the bytes as a native binary and as SPIR-V, builds, and compiles every kernel. Aborts if
/// an error has no log. Returns how far it came: 0 refused, 1 built, 2 with kernels that compiled.
int build_all(std::span<const std::byte> input);

/// How often a build ended the process that compiles: not what should happen, but no failure.
uint64_t compiler_ends();

} // namespace fuzz
