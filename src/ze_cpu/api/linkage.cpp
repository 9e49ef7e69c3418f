#include "linkage.h"

#include <cstdint>
#include <cstring>

namespace ze_cpu {

Linkage linkage_of(std::span<const std::byte> spirv) {
  constexpr uint32_t header_words = 5, op_function = 54, op_decorate = 71;
  constexpr uint32_t linkage_attributes = 41, is_import = 1;
  const size_t words = spirv.size() / sizeof(uint32_t);
  const auto word = [&](size_t index) {
    uint32_t value;
    std::memcpy(&value, spirv.data() + index * sizeof value, sizeof value);
    return value;
  };
  Linkage linkage;
  for (size_t at = header_words; at < words;) {
    const uint32_t length = word(at) >> 16, opcode = word(at) & 0xffff;
    if (length == 0 || length > words - at || opcode == op_function)
      break; // decorations come before functions
    // OpDecorate target LinkageAttributes name... type
    if (opcode == op_decorate && length >= 5 && word(at + 2) == linkage_attributes) {
      const auto *text = reinterpret_cast<const char *>(spirv.data() + (at + 3) * sizeof(uint32_t));
      std::string name(text, strnlen(text, (length - 4) * sizeof(uint32_t)));
      const bool imported = word(at + length - 1) == is_import;
      (imported ? linkage.imports : linkage.exports).push_back(std::move(name));
    }
    at += length;
  }
  return linkage;
}

} // namespace ze_cpu
