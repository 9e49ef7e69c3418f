#include "lacking_types.h"

#include "opcodes.h"
#include "sub_groups/hip_names.h"

#include <format>

namespace ze_opencl {

using namespace spirv;

LackingTypes::LackingTypes(std::span<const ParsedInstruction> module, const Abilities &abilities)
    : abilities_(abilities) {
  for (const ParsedInstruction &instruction : module) {
    const uint32_t bits = instruction.operand(1);
    if (instruction.op == op_type_int)
      integers_[instruction.result] = bits;
    if (instruction.op == op_type_float)
      floats_[instruction.result] = bits;
    if (instruction.op == op_type_float && bits == 64 && !abilities.fp64)
      lacking_[instruction.result] = "doubles (cl_khr_fp64)";
    if (instruction.op == op_type_float && bits == 16 && !abilities.fp16)
      lacking_[instruction.result] = "numbers of half precision (cl_khr_fp16)";
    if (instruction.function != 0 && instruction.type != 0 &&
        integers_.contains(instruction.type) && integers_[instruction.type] == 64)
      values_of_64_bits_.insert(instruction.result);
    if (instruction.op == op_constant && integers_.contains(instruction.type) &&
        integers_[instruction.type] == 64)
      values_of_64_bits_.insert(instruction.result);
  }
  if (lacking_.empty())
    return;
  // What is made of them. Pointers may be named before they are declared.
  for (bool is_more = true; is_more;) {
    is_more = false;
    for (const ParsedInstruction &instruction : module) {
      if (instruction.function != 0 || instruction.result == 0 ||
          lacking_.contains(instruction.result) ||
          !(is_type_or_constant(instruction.op) || instruction.op == op_variable))
        continue;
      for (const size_t place : instruction.id_places)
        if (const auto found = lacking_.find(instruction.words[place]); found != lacking_.end())
          is_more |= lacking_.emplace(instruction.result, found->second).second;
    }
  }
}

std::optional<std::string> LackingTypes::missing(const ParsedInstruction &instruction) const {
  for (const size_t place : instruction.id_places)
    if (const auto found = lacking_.find(instruction.words[place]); found != lacking_.end())
      return std::format("it uses {}, and the device has none", found->second);
  const bool is_atomic = instruction.op >= op_atomic_load && instruction.op <= op_atomic_xor;
  if (is_atomic && !abilities_.int64_atomics && is_of_64_bits(instruction))
    return std::format("it uses {} on 64 bits, and the device has no such atomics "
                       "(cl_khr_int64_base_atomics, cl_khr_int64_extended_atomics)",
                       hip_name(instruction.op));
  return missing_float_atomics(instruction);
}

/// By its result; a store has none, and its value is the last operand.
bool LackingTypes::is_of_64_bits(const ParsedInstruction &atomic) const {
  if (atomic.type == 0)
    return values_of_64_bits_.contains(atomic.words.back());
  const auto found = integers_.find(atomic.type);
  return found != integers_.end() && found->second == 64;
}

std::optional<std::string>
LackingTypes::missing_float_atomics(const ParsedInstruction &instruction) const {
  const bool is_add = instruction.op == op_atomic_f_add;
  if (!is_add && instruction.op != op_atomic_f_min && instruction.op != op_atomic_f_max)
    return std::nullopt;
  const auto found = floats_.find(instruction.type);
  const uint32_t bits = found == floats_.end() ? 0 : found->second;
  const FloatAtomics &has = bits == 64   ? abilities_.fp64_atomics
                            : bits == 16 ? abilities_.fp16_atomics
                                         : abilities_.fp32_atomics;
  if (is_add ? has.add : has.min_max)
    return std::nullopt;
  return std::format("it uses {} on {} bits of floating point, and the device has no such atomics "
                     "(cl_ext_float_atomics)",
                     hip_name(instruction.op), bits);
}

bool is_lacking_capability(uint32_t capability, const Abilities &abilities) {
  switch (capability) {
  case capability_float16:
    return !abilities.fp16;
  case capability_float64:
    return !abilities.fp64;
  case capability_int64_atomics:
    return !abilities.int64_atomics;
  case capability_float16_atomic_add:
    return !abilities.fp16_atomics.add;
  case capability_float32_atomic_add:
    return !abilities.fp32_atomics.add;
  case capability_float64_atomic_add:
    return !abilities.fp64_atomics.add;
  case capability_float16_atomic_min_max:
    return !abilities.fp16_atomics.min_max;
  case capability_float32_atomic_min_max:
    return !abilities.fp32_atomics.min_max;
  case capability_float64_atomic_min_max:
    return !abilities.fp64_atomics.min_max;
  default:
    return false;
  }
}

} // namespace ze_opencl
