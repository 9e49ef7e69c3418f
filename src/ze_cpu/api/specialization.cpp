#include "specialization.h"

#include <cstring>

namespace ze_cpu {
namespace {

// SPIR-V specification: 2.3 (physical layout), 3.20 (decorations), 3.52 (instructions).
constexpr uint32_t magic = 0x07230203;
constexpr uint32_t magic_swapped = 0x03022307;
constexpr size_t header_words = 5;
constexpr uint16_t op_type_int = 21;
constexpr uint16_t op_type_float = 22;
constexpr uint16_t op_spec_constant_true = 48;
constexpr uint16_t op_spec_constant_false = 49;
constexpr uint16_t op_spec_constant = 50;
constexpr uint16_t op_function = 54;
constexpr uint16_t op_decorate = 71;
constexpr uint32_t decoration_spec_id = 1;

} // namespace

std::map<uint32_t, size_t> specialization_constant_sizes(std::span<const std::byte> spirv) {
  const size_t words = spirv.size() / sizeof(uint32_t);
  bool swapped = false;
  const auto word = [&](size_t index) {
    uint32_t value;
    std::memcpy(&value, spirv.data() + index * sizeof value, sizeof value);
    return swapped ? __builtin_bswap32(value) : value;
  };

  std::map<uint32_t, size_t> sizes;
  if (words < header_words || (word(0) != magic && word(0) != magic_swapped))
    return sizes;
  swapped = word(0) == magic_swapped;

  std::map<uint32_t, uint32_t>
      spec_ids; // by the constant's result id; decorations come first in a module
  std::map<uint32_t, size_t> type_bytes;
  for (size_t at = header_words; at < words;) {
    const size_t length = word(at) >> 16;
    const auto opcode = static_cast<uint16_t>(word(at) & 0xffff);
    if (length == 0 || length > words - at ||
        opcode == op_function) // constants come before functions
      break;
    switch (opcode) {
    case op_decorate:
      if (length >= 4 && word(at + 2) == decoration_spec_id)
        spec_ids[word(at + 1)] = word(at + 3);
      break;
    case op_type_int:
    case op_type_float:
      // No constant is wider; what the program passes is read before anybody validates the module.
      if (length >= 3 && word(at + 2) <= 64)
        type_bytes[word(at + 1)] = (word(at + 2) + 7) / 8;
      break;
    case op_spec_constant_true:
    case op_spec_constant_false:
      if (length >= 3)
        if (const auto id = spec_ids.find(word(at + 2)); id != spec_ids.end())
          sizes[id->second] = 1;
      break;
    case op_spec_constant:
      if (length >= 3) {
        const auto type = type_bytes.find(word(at + 1));
        const auto id = spec_ids.find(word(at + 2));
        if (type != type_bytes.end() && id != spec_ids.end())
          sizes[id->second] = type->second;
      }
      break;
    default:
      break;
    }
    at += length;
  }
  return sizes;
}

} // namespace ze_cpu
