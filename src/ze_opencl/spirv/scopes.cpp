#include "scopes.h"

#include "opcodes.h"

namespace ze_opencl {

using namespace spirv;

namespace {

/// Which operand says the scope of memory; 0: there is none. The first is never one but for barriers.
size_t scope_operand(const ParsedInstruction &instruction) {
  switch (instruction.op) {
  case op_control_barrier:
  case op_atomic_store:
  case op_atomic_flag_clear:
    return 1;
  default:
    // A type, a result and a pointer come before.
    return instruction.type != 0 && is_atomic(instruction.op) ? 3 : 0;
  }
}

bool has_scope(const ParsedInstruction &instruction) {
  return instruction.op == op_memory_barrier || scope_operand(instruction) != 0;
}

} // namespace

Scopes::Scopes(std::span<const ParsedInstruction> module, const Abilities &abilities) {
  if (abilities.all_devices_scope)
    return;
  std::set<uint32_t> constants;
  for (const ParsedInstruction &instruction : module) {
    // Scopes are numbers; the widest is 0.
    if (instruction.op == op_constant_null ||
        (instruction.op == op_constant && instruction.words.size() == 4 &&
         instruction.operand(2) == scope_cross_device))
      constants.insert(instruction.result);
    if (has_scope(instruction) &&
        constants.contains(instruction.operand(scope_operand(instruction))))
      wider_.insert(instruction.operand(scope_operand(instruction)));
  }
}

void Scopes::declare(Assembler &out, TypeTable &types) {
  device_ = out.make(op_constant, types.find(out, op_type_int, {32, 0}), {scope_device});
}

void Scopes::narrow(Assembler &out, size_t begin, const ParsedInstruction &instruction) const {
  if (wider_.empty() || !has_scope(instruction))
    return;
  uint32_t &scope = out.words[begin + 1 + scope_operand(instruction)];
  if (wider_.contains(scope))
    scope = device_;
}

} // namespace ze_opencl
