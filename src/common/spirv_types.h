// Types of a SPIR-V module, and how OpenCL lays them out in memory (OpenCL SPIR-V environment specification, and OpenCL C,
// section 6.1.5: vectors are aligned to their size, and three elements take the room of four).
#pragma once

#include "align.h"
#include "spirv.h"

#include <algorithm>
#include <stdexcept>
#include <unordered_map>
#include <unordered_set>

namespace spirv {

/// What is wrong with a module that cannot be read on.
class Malformed : public std::runtime_error {
public:
  using std::runtime_error::runtime_error;
};

/// Throws Malformed if there are fewer than `n`.
inline void need_operands(const Instruction &instruction, size_t n) {
  if (instruction.operands.size() < n)
    throw Malformed("an instruction lacks operands");
}

/// The string at the beginning of `words`. Throws Malformed.
inline std::string_view checked_text(std::span<const uint32_t> words) {
  const auto text = text_of(words);
  if (!text)
    throw Malformed("a string does not end");
  return *text;
}

struct Layout {
  uint64_t bytes = 0;
  uint64_t alignment = 1;
};

struct Type {
  uint16_t op;
  std::vector<uint32_t> operands; // without the result
};

/// The types and integer constants of a module. Functions throw Malformed.
class Types {
public:
  /// Remembers what the instruction says of them; anything else is passed over.
  void take(const Instruction &instruction) {
    const auto operands = instruction.operands;
    switch (instruction.op) {
    case op_type_bool:
    case op_type_int:
    case op_type_float:
    case op_type_vector:
    case op_type_array:
    case op_type_struct:
    case op_type_pointer:
    case op_type_image:
    case op_type_sampler:
    case op_type_opaque:
      need_operands(instruction, 1);
      types_[operands[0]] = {instruction.op, {operands.begin() + 1, operands.end()}};
      break;
    case op_constant:
    case op_spec_constant:
      need_operands(instruction, 3);
      constants_[operands[1]] =
          operands[2] | (operands.size() > 3 ? uint64_t{operands[3]} << 32 : 0);
      break;
    case op_decorate:
      need_operands(instruction, 2);
      if (operands[1] == decoration_cpacked)
        packed_.insert(operands[0]);
      break;
    case op_group_decorate:
      need_operands(instruction, 1);
      if (packed_.contains(operands[0]))
        packed_.insert(operands.begin() + 1, operands.end());
      break;
    default:
      break;
    }
  }

  const Type &type(uint32_t id) const {
    const auto found = types_.find(id);
    if (found == types_.end())
      throw Malformed("a parameter has a type that is not declared");
    return found->second;
  }
  /// Operand `index` of a type.
  static uint32_t operand(const Type &type, size_t index) {
    if (index >= type.operands.size())
      throw Malformed("a type lacks operands");
    return type.operands[index];
  }
  std::optional<uint64_t> constant(uint32_t id) const {
    const auto found = constants_.find(id);
    return found == constants_.end() ? std::nullopt : std::optional(found->second);
  }
  bool is_packed(uint32_t structure) const { return packed_.contains(structure); }

  /// Of a value in memory. What is no number, vector, array or struct has 8 bytes, as pointers have.
  Layout layout(uint32_t id, int depth = 0) const {
    const Type &t = type(id);
    if (depth > 64)
      throw Malformed("types are nested too deeply");
    switch (t.op) {
    case op_type_bool:
      return {1, 1};
    case op_type_int:
    case op_type_float: {
      const uint64_t bytes = (uint64_t{operand(t, 0)} + 7) / 8;
      return {bytes, bytes};
    }
    case op_type_vector: {
      const Layout element = layout(operand(t, 0), depth + 1);
      const uint64_t count = operand(t, 1) == 3 ? 4 : operand(t, 1);
      return {element.bytes * count, element.bytes * count};
    }
    case op_type_array: {
      const Layout element = layout(operand(t, 0), depth + 1);
      const auto length = constant(operand(t, 1));
      if (!length || *length > UINT32_MAX ||
          (element.bytes && *length > UINT32_MAX / element.bytes))
        throw Malformed("an array has no usable length");
      return {element.bytes * *length, element.alignment};
    }
    case op_type_struct: {
      Layout total;
      for (const uint32_t member : t.operands) {
        const Layout next = member_layout(id, member, depth);
        total.bytes = align(total.bytes, next.alignment) + next.bytes;
        total.alignment = std::max(total.alignment, next.alignment);
        if (total.bytes > UINT32_MAX)
          throw Malformed("a struct is too large");
      }
      total.bytes = align(total.bytes, total.alignment);
      return total;
    }
    default:
      return {8, 8};
    }
  }
  /// Where member `index` of a struct begins.
  uint64_t member_offset(uint32_t structure, size_t index) const {
    const Type &t = type(structure);
    operand(t, index);
    uint64_t offset = 0;
    for (size_t i = 0;; ++i) {
      const Layout next = member_layout(structure, t.operands[i], 0);
      offset = align(offset, next.alignment);
      if (i == index)
        return offset;
      offset += next.bytes;
    }
  }

private:
  Layout member_layout(uint32_t structure, uint32_t member, int depth) const {
    Layout found = layout(member, depth + 1);
    if (is_packed(structure))
      found.alignment = 1;
    return found;
  }
  static uint64_t align(uint64_t value, uint64_t alignment) {
    return alignment ? common::round_up(value, alignment) : value;
  }

  std::unordered_map<uint32_t, Type> types_;
  std::unordered_map<uint32_t, uint64_t> constants_;
  std::unordered_set<uint32_t> packed_;
};

} // namespace spirv
