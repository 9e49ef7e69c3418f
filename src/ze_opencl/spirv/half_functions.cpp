#include "half_functions.h"

#include "assembly.h"
#include "opcodes.h"

#include <map>
#include <set>
#include <utility>

namespace ze_opencl {

using namespace spirv;

namespace {

/// Of OpenCL's extended instructions.
enum : uint32_t {
  fma = 26,
  fract = 30,
  mad = 42,
  modf = 45,
  nan = 46,
  next_after = 47,
  sincos = 58,
  last_common = 103
};

class HalfFunctions {
public:
  HalfFunctions(std::span<const uint32_t> words, const Abilities &abilities)
      : words_(words), abilities_(abilities), module_(parse(words)), types_(module_),
        out_(words[3]) {
    for (const ParsedInstruction &instruction : module_) {
      if (instruction.op == op_type_float && instruction.operand(1) == 16)
        lanes_[instruction.result] = 1;
      if (instruction.op == op_type_vector && lanes_.contains(instruction.operand(1)))
        lanes_[instruction.result] = instruction.operand(2);
      if (instruction.op == op_extended_instruction_import &&
          checked_text(instruction.operands().subspan(1)) == "OpenCL.std")
        functions_.insert(instruction.result);
      if (instruction.type != 0)
        type_of_[instruction.result] = instruction.type;
      any_ |= is_one(instruction);
      in_double_ |= abilities.fp64 && is_one(instruction) && is_sum(instruction);
    }
  }

  bool any() const { return any_; }

  std::vector<uint32_t> widened() {
    out_.words.assign(words_.begin(), words_.begin() + header_words);
    if (in_double_)
      out_.add(op_capability, {capability_float64});
    bool has_types = false;
    for (const ParsedInstruction &instruction : module_) {
      if (instruction.op == op_function && !std::exchange(has_types, true))
        declare_types();
      if (is_one(instruction))
        widen(instruction);
      else
        out_.copy(instruction);
    }
    out_.words[3] = out_.bound();
    return std::move(out_.words);
  }

private:
  bool is_one(const ParsedInstruction &instruction) const {
    if (instruction.op != op_ext_inst || !functions_.contains(instruction.operand(2)) ||
        !lanes_.contains(instruction.type))
      return false;
    switch (const uint32_t function = instruction.operand(3)) {
    case fract:
    case modf:
    case sincos: // these write through a pointer
    case nan:    // and these depend on the bits of a half
    case next_after:
      return false;
    default:
      return function <= last_common;
    }
  }
  static bool is_sum(const ParsedInstruction &call) {
    return call.operand(3) == fma || call.operand(3) == mad;
  }
  uint32_t bits_for(const ParsedInstruction &call) const {
    return is_sum(call) && abilities_.fp64 ? 64 : 32;
  }
  uint32_t wide_type(uint32_t bits, uint32_t lanes) {
    const uint32_t type = types_.find(out_, op_type_float, {bits});
    return lanes == 1 ? type : types_.find(out_, op_type_vector, {type, lanes});
  }
  void declare_types() {
    for (const ParsedInstruction &instruction : module_)
      if (is_one(instruction))
        wide_type(bits_for(instruction), lanes_.at(instruction.type));
  }
  void widen(const ParsedInstruction &call) {
    const uint32_t type = wide_type(bits_for(call), lanes_.at(call.type));
    const uint32_t function = call.operand(3) == mad ? uint32_t{fma} : call.operand(3);
    std::vector<uint32_t> operands = {type, 0, call.operand(2), function};
    for (const uint32_t argument : call.operands().subspan(4)) {
      const auto found = type_of_.find(argument);
      const bool is_half = found != type_of_.end() && found->second == call.type;
      operands.push_back(is_half ? out_.make(op_f_convert, type, {argument}) : argument);
    }
    operands[1] = out_.new_id();
    out_.words.push_back(static_cast<uint32_t>(operands.size() + 1) << 16 | op_ext_inst);
    out_.words.insert(out_.words.end(), operands.begin(), operands.end());
    out_.add(op_f_convert, {call.type, call.result, operands[1]});
  }

  const std::span<const uint32_t> words_;
  const Abilities &abilities_;
  const std::vector<ParsedInstruction> module_;
  TypeTable types_;
  Assembler out_;
  std::map<uint32_t, uint32_t> lanes_;   // types of half precision, and how many numbers they have
  std::map<uint32_t, uint32_t> type_of_; // values
  std::set<uint32_t> functions_;         // imports of OpenCL's
  bool any_ = false, in_double_ = false;
};

} // namespace

std::optional<std::vector<uint32_t>> with_wide_half_functions(std::span<const uint32_t> words,
                                                              const Abilities &abilities) {
  HalfFunctions functions(words, abilities);
  return functions.any() ? std::optional(functions.widened()) : std::nullopt;
}

} // namespace ze_opencl
