// The physical layout of a SPIR-V module (SPIR-V specification, section 2.3), for those who read a few instructions of one:
// a header of five words, then instructions that begin with their length and opcode. Whether a module means something is for
// a compiler to say; here only lengths are checked.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace spirv {

inline constexpr uint32_t magic = 0x07230203;
inline constexpr size_t header_words = 5;

/// SPIR-V specification, section 3.52 (instructions), as far as they are read.
enum Op : uint16_t {
  op_source_continued = 2,
  op_source = 3,
  op_source_extension = 4,
  op_name = 5,
  op_member_name = 6,
  op_string = 7,
  op_line = 8,
  op_extension = 10,
  op_extended_instruction_import = 11,
  op_memory_model = 14,
  op_entry_point = 15,
  op_execution_mode = 16,
  op_capability = 17,
  op_type_bool = 20,
  op_type_int = 21,
  op_type_float = 22,
  op_type_vector = 23,
  op_type_image = 25,
  op_type_sampler = 26,
  op_type_array = 28,
  op_type_struct = 30,
  op_type_opaque = 31,
  op_type_pointer = 32,
  op_type_function = 33,
  op_constant = 43,
  op_spec_constant_true = 48,
  op_spec_constant_false = 49,
  op_spec_constant = 50,
  op_function = 54,
  op_function_parameter = 55,
  op_function_end = 56,
  op_function_call = 57,
  op_variable = 59,
  op_load = 61,
  op_store = 62,
  op_copy_memory = 63,
  op_copy_memory_sized = 64,
  op_decorate = 71,
  op_group_decorate = 74,
  op_control_barrier = 224,
  op_atomic_load = 227,
  op_atomic_xor = 242,
  op_label = 248,
  op_no_line = 317,
  op_atomic_flag_test_and_set = 318,
  op_atomic_flag_clear = 319,
  op_module_processed = 330,
  op_execution_mode_id = 331,
  op_atomic_float_min = 5614,
  op_atomic_float_max = 5615,
  op_atomic_float_add = 6035,
};

/// Whether an instruction belongs behind the names of a module (section 2.4, parts 1 to 7b), as all but these do.
constexpr bool follows_names(Op op) {
  switch (op) {
  case op_source_continued:
  case op_source:
  case op_source_extension:
  case op_name:
  case op_member_name:
  case op_string:
  case op_extension:
  case op_extended_instruction_import:
  case op_memory_model:
  case op_entry_point:
  case op_execution_mode:
  case op_capability:
  case op_execution_mode_id:
    return false;
  default:
    return true;
  }
}

/// Section 3.20.
enum Decoration : uint32_t {
  decoration_spec_id = 1,
  decoration_cpacked = 10,
  decoration_constant = 22,
  decoration_function_parameter = 38,
  decoration_linkage = 41,
  decoration_alignment = 44,
};
inline constexpr uint32_t attribute_by_val = 2;                               // section 3.19
inline constexpr uint32_t execution_model_kernel = 6;                         // section 3.3
inline constexpr uint32_t mode_local_size_hint = 18;                          // section 3.6
inline constexpr uint32_t storage_workgroup = 4, storage_cross_workgroup = 5; // section 3.7
inline constexpr uint32_t linkage_import = 1;                                 // section 3.17

struct Instruction {
  Op op;
  std::span<const uint32_t> operands;
  size_t begin, end; // words, from the beginning of the module
};

/// Whether the bytes begin like a module of this machine's byte order.
inline bool is_module(std::span<const std::byte> bytes) {
  uint32_t first = 0;
  if (bytes.size() < sizeof first)
    return false;
  std::memcpy(&first, bytes.data(), sizeof first);
  return first == magic;
}

/// The words of a module in this machine's byte order, whatever theirs is. Empty if the bytes have no header. Bytes after the
/// last whole word are left out.
inline std::vector<uint32_t> words_of(std::span<const std::byte> bytes) {
  std::vector<uint32_t> words(bytes.size() / sizeof(uint32_t));
  if (words.size() < header_words)
    return {};
  std::memcpy(words.data(), bytes.data(), words.size() * sizeof(uint32_t));
  if (words[0] == std::byteswap(magic))
    for (uint32_t &word : words)
      word = std::byteswap(word);
  if (words[0] != magic)
    return {};
  return words;
}

/// Calls `visit(instruction)` for each instruction in order until it returns false. Returns false, after those before it, at
/// an instruction that is empty or longer than the module.
template <class Visit> bool for_each_instruction(std::span<const uint32_t> words, Visit &&visit) {
  for (size_t at = header_words; at < words.size();) {
    const uint32_t length = words[at] >> 16;
    if (length == 0 || length > words.size() - at)
      return false;
    if (!visit(Instruction{Op(words[at] & 0xffff), words.subspan(at + 1, length - 1), at,
                           at + length}))
      return true;
    at += length;
  }
  return true;
}

/// The string that begins with the first of the operands; nullopt if it does not end within them.
inline std::optional<std::string_view> text_of(std::span<const uint32_t> operands) {
  const char *begin = reinterpret_cast<const char *>(operands.data());
  const size_t length = strnlen(begin, operands.size_bytes());
  if (length == operands.size_bytes())
    return std::nullopt;
  return std::string_view(begin, length);
}

} // namespace spirv
