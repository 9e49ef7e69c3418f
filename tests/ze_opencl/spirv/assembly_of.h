// SPIR-V from and to its assembly.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

/// The words of a module written as assembly; fails the test if it is none.
std::vector<uint32_t> assemble(const std::string &text);
std::string disassemble(std::span<const uint32_t> words);
/// What the validator finds for OpenCL in `words`; empty: nothing.
std::string finding_in(std::span<const uint32_t> words);

inline std::span<const std::byte> bytes_of(std::span<const uint32_t> words) {
  return std::as_bytes(words);
}
