// A module as a list of instructions, and a place to write another.
#pragma once

#include "../../common/spirv_types.h"

#include <cstdint>
#include <initializer_list>
#include <span>
#include <vector>

namespace ze_opencl {

struct ParsedInstruction {
  uint16_t op;
  uint32_t result, type; // 0: none
  uint32_t function;     // that it is in, 0: none
  std::span<const uint32_t> words;

  std::span<const uint32_t> operands() const { return words.subspan(1); }
  /// Operand `index`; 0 where there is none, which is no id.
  uint32_t operand(size_t index) const { return index + 1 < words.size() ? words[index + 1] : 0; }
};

/// The instructions of a valid module, which refer to its words. Throws spirv::Malformed.
std::vector<ParsedInstruction> parse(std::span<const uint32_t> words);

/// Appends instructions.
class Assembler {
public:
  explicit Assembler(uint32_t bound) : bound_(bound) {}

  uint32_t new_id() { return bound_++; }
  uint32_t bound() const { return bound_; }
  void copy(const ParsedInstruction &instruction) {
    words.insert(words.end(), instruction.words.begin(), instruction.words.end());
  }
  void add(uint16_t op, std::initializer_list<uint32_t> operands) {
    words.push_back(static_cast<uint32_t>(operands.size() + 1) << 16 | op);
    words.insert(words.end(), operands);
  }
  /// With a new result, which it returns.
  uint32_t make(uint16_t op, uint32_t type, std::initializer_list<uint32_t> operands) {
    const uint32_t result = new_id();
    words.push_back(static_cast<uint32_t>(operands.size() + 3) << 16 | op);
    words.insert(words.end(), {type, result});
    words.insert(words.end(), operands);
    return result;
  }

  std::vector<uint32_t> words;

private:
  uint32_t bound_;
};

} // namespace ze_opencl
