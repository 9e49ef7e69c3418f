// A module as a list of instructions, and a place to write another.
#pragma once

#include "../../common/spirv_types.h"

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <map>
#include <set>
#include <span>
#include <vector>

namespace ze_opencl {

struct ParsedInstruction {
  uint16_t op;
  uint32_t result, type; // 0: none
  uint32_t function;     // that it is in, 0: none
  std::span<const uint32_t> words;
  std::vector<size_t> id_places; // which of the words are ids, but for the result

  std::span<const uint32_t> operands() const { return words.subspan(1); }
  bool uses(auto is_wanted) const {
    return std::ranges::any_of(id_places, [&](size_t place) { return is_wanted(words[place]); });
  }
  /// Operand `index`; 0 where there is none, which is no id.
  uint32_t operand(size_t index) const { return index + 1 < words.size() ? words[index + 1] : 0; }
};

/// The instructions of a valid module, which refer to its words. Throws spirv::Malformed.
std::vector<ParsedInstruction> parse(std::span<const uint32_t> words);

/// Its constants of 32 bits.
std::map<uint32_t, uint32_t> numbers_of(std::span<const ParsedInstruction> module);

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

/// Types of a module and of what is added to it: those that are no aggregates may be declared only once.
class TypeTable {
public:
  explicit TypeTable(std::span<const ParsedInstruction> module) {
    for (const ParsedInstruction &instruction : module)
      if (instruction.op >= spirv::op_type_bool && instruction.op <= spirv::op_type_function)
        known_.push_back({instruction.op,
                          {instruction.operands().begin() + 1, instruction.operands().end()},
                          instruction.result});
  }
  /// The type, which is declared in `out` if the module does not have it.
  uint32_t find(Assembler &out, uint16_t op, std::vector<uint32_t> wanted) {
    for (const Known &known : known_)
      if (known.op == op && known.operands == wanted)
        return known.id;
    const uint32_t id = out.new_id();
    out.words.push_back(static_cast<uint32_t>(wanted.size() + 2) << 16 | op);
    out.words.push_back(id);
    out.words.insert(out.words.end(), wanted.begin(), wanted.end());
    known_.push_back({op, std::move(wanted), id});
    return id;
  }

  /// Types that are not written.
  void drop(const std::set<uint32_t> &ids) {
    std::erase_if(known_, [&](const Known &known) { return ids.contains(known.id); });
  }

private:
  struct Known {
    uint16_t op;
    std::vector<uint32_t> operands;
    uint32_t id;
  };
  std::vector<Known> known_;
};

} // namespace ze_opencl
