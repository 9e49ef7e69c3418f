#include "variable_addresses.h"

#include "opcodes.h"

namespace ze_opencl {

using namespace spirv;

namespace {

/// What comes before the first instruction that may compute something.
bool is_before_code(uint16_t op) {
  return op == op_function || op == op_function_parameter || op == op_label || op == op_variable ||
         op == op_line || op == op_no_line;
}

} // namespace

VariableAddresses::VariableAddresses(std::span<const ParsedInstruction> module,
                                     std::map<uint32_t, uint64_t> addresses)
    : addresses_(std::move(addresses)) {
  if (addresses_.empty())
    return;
  std::vector<uint32_t> in_order;
  const auto is_derived = [&](uint32_t id) { return derived_.contains(id); };
  for (const ParsedInstruction &instruction : module)
    if (addresses_.contains(instruction.result) ||
        (instruction.function == 0 && is_type_or_constant(instruction.op) &&
         instruction.uses(is_derived))) {
      derived_[instruction.result] = &instruction;
      in_order.push_back(instruction.result);
    }

  // What each function needs, and declarations, which are function 0.
  std::map<uint32_t, std::set<uint32_t>> uses;
  for (const ParsedInstruction &instruction : module) {
    const bool is_variable = instruction.op == op_variable;
    if (derived_.contains(instruction.result) || (instruction.function == 0 && !is_variable))
      continue;
    for (const size_t place : instruction.id_places)
      if (is_derived(instruction.words[place]))
        uses[is_variable ? 0 : instruction.function].insert(instruction.words[place]);
  }
  for (auto &[function, used] : uses) {
    for (auto id = in_order.rbegin(); id != in_order.rend(); ++id)
      if (used.contains(*id) && !addresses_.contains(*id))
        for (const size_t place : derived_[*id]->id_places)
          if (is_derived(derived_[*id]->words[place]))
            used.insert(derived_[*id]->words[place]);
    if (function == 0) {
      declared_ = used;
      continue;
    }
    for (const uint32_t id : in_order)
      if (used.contains(id))
        needs_[function].push_back(id);
  }
}

void VariableAddresses::declare(Assembler &out, const ParsedInstruction &variable,
                                uint32_t type_u64) {
  const uint64_t address = addresses_.at(variable.result);
  const uint32_t number =
      out.make(op_constant, type_u64, {uint32_t(address), uint32_t(address >> 32)});
  numbers_[variable.result] = number;
  if (declared_.contains(variable.result))
    out.add(op_spec_constant_op, {variable.type, variable.result, op_convert_u_to_ptr, number});
}

void VariableAddresses::before(Assembler &out, const ParsedInstruction &instruction) {
  if (instruction.function != function_) {
    function_ = instruction.function;
    is_computed_ = false;
    computed_.clear();
  }
  if (is_computed_ || is_before_code(instruction.op))
    return;
  is_computed_ = true;
  if (const auto needed = needs_.find(function_); needed != needs_.end())
    for (const uint32_t id : needed->second)
      compute(out, *derived_.at(id));
}

void VariableAddresses::compute(Assembler &out, const ParsedInstruction &instruction) {
  const uint32_t result = out.new_id();
  if (addresses_.contains(instruction.result)) {
    out.add(op_convert_u_to_ptr, {instruction.type, result, numbers_.at(instruction.result)});
  } else {
    std::vector<uint32_t> words(instruction.words.begin(), instruction.words.end());
    for (const size_t place : instruction.id_places)
      words[place] = in_place_of(words[place]);
    words[2] = result;
    uint32_t op = op_composite_construct;
    if (instruction.op == op_spec_constant_op) {
      op = words[3]; // its first operand is what it does
      words.erase(words.begin() + 3);
    }
    words[0] = static_cast<uint32_t>(words.size()) << 16 | op;
    out.words.insert(out.words.end(), words.begin(), words.end());
  }
  computed_[instruction.result] = result;
}

} // namespace ze_opencl
