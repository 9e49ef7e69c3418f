#include "generic_pointers.h"

#include "opcodes.h"

#include <map>

namespace ze_opencl {

using namespace spirv;

GenericPointers::GenericPointers(std::span<const ParsedInstruction> module,
                                 const Abilities &abilities) {
  if (abilities.generic_pointers)
    return;
  std::map<uint32_t, uint32_t> storages; // of pointers' types
  std::map<uint32_t, uint32_t> types;
  for (const ParsedInstruction &instruction : module) {
    if (instruction.op == op_type_pointer)
      storages[instruction.result] = instruction.operand(1);
    if (instruction.result == 0 || instruction.type == 0)
      continue;
    types[instruction.result] = instruction.type;
    const bool is_constant = instruction.op == op_spec_constant_op;
    const bool is_cast = instruction.op == op_ptr_cast_to_generic ||
                         (is_constant && instruction.operand(2) == op_ptr_cast_to_generic);
    if (is_cast &&
        storages[types[instruction.operand(is_constant ? 3 : 2)]] != storage_cross_workgroup)
      casts_.insert(instruction.result);
    if (instruction.function == 0 && is_type_or_constant(instruction.op) &&
        instruction.uses([&](uint32_t id) { return casts_.contains(id); }))
      casts_.insert(instruction.result);
  }
}

} // namespace ze_opencl
