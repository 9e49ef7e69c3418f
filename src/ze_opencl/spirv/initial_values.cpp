#include "initial_values.h"

#include "opcodes.h"

#include <cstring>

namespace ze_opencl {

using namespace spirv;

namespace {

constexpr int max_depth = 64;

void check_depth(int depth) {
  if (depth > max_depth)
    throw Malformed("constants are nested too deeply");
}

} // namespace

void InitialValues::take(const Instruction &instruction) {
  const auto operands = instruction.operands;
  switch (uint16_t(instruction.op)) {
  case op_undef:
  case op_constant_true:
  case op_constant_false:
  case op_constant:
  case op_constant_composite:
  case op_constant_null:
  case op_spec_constant_true:
  case op_spec_constant_false:
  case op_spec_constant:
  case op_spec_constant_composite:
  case op_spec_constant_op:
  case op_constant_function_pointer:
    need_operands(instruction, 2);
    constants_[operands[1]] = {instruction.op, operands[0], {operands.begin() + 2, operands.end()}};
    break;
  case op_variable:
    need_operands(instruction, 3);
    variable_types_[operands[1]] = operands[0];
    break;
  default:
    break;
  }
}

const InitialValues::Constant &InitialValues::constant(uint32_t id) const {
  const auto found = constants_.find(id);
  if (found == constants_.end())
    throw Malformed("an initial value is no constant");
  return found->second;
}

void InitialValues::write(uint32_t id, ModuleVariable &variable) const {
  variable.initial.resize(variable.size);
  write(id, variable, 0, 0);
}

void InitialValues::write(uint32_t id, ModuleVariable &variable, uint64_t offset, int depth) const {
  check_depth(depth);
  const auto put = [&](const void *bytes, size_t size) {
    if (offset > variable.size || size > variable.size - offset)
      throw Malformed("an initial value is larger than its variable");
    std::memcpy(variable.initial.data() + offset, bytes, size);
  };
  const auto put_address = [&] {
    const Address address = evaluate(id, depth);
    put(&address.value, sizeof address.value);
    if (address.variable)
      variable.relocations.push_back({offset, *address.variable, address.value});
  };
  if (variables_.contains(id))
    return put_address();
  const Constant &value = constant(id);
  switch (value.op) {
  case op_undef:
  case op_constant_null:
  case op_constant_function_pointer: // kernels that would call it are refused
    return;                          // zeros are there
  case op_constant_true:
  case op_spec_constant_true:
    put("\1", 1);
    return;
  case op_constant_false:
  case op_spec_constant_false:
    return;
  case op_constant:
  case op_spec_constant: {
    const size_t bytes = types_.layout(value.type).bytes;
    if (bytes > value.operands.size() * sizeof(uint32_t))
      throw Malformed("a constant is shorter than its type");
    put(value.operands.data(), bytes);
    return;
  }
  case op_constant_composite:
  case op_spec_constant_composite: {
    const Type &type = types_.type(value.type);
    const uint64_t stride =
        type.op == op_type_struct ? 0 : types_.layout(Types::operand(type, 0)).bytes;
    for (size_t i = 0; i < value.operands.size(); ++i)
      write(value.operands[i], variable,
            offset + (type.op == op_type_struct ? types_.member_offset(value.type, i) : i * stride),
            depth + 1);
    return;
  }
  default: {
    const Type &type = types_.type(value.type);
    if (type.op == op_type_pointer)
      return put_address();
    const Address number = evaluate(id, depth);
    const size_t bytes = types_.layout(value.type).bytes;
    if (number.variable && bytes == sizeof number.value)
      return put_address();
    if (number.variable || bytes > sizeof number.value)
      throw Malformed("an initial value cannot be computed");
    put(&number.value, bytes);
    return;
  }
  }
}

InitialValues::Address InitialValues::evaluate(uint32_t id, int depth) const {
  check_depth(depth);
  if (const auto variable = variables_.find(id); variable != variables_.end())
    return {variable->second, 0};
  const Constant &value = constant(id);
  switch (value.op) {
  case op_undef:
  case op_constant_null:
  case op_constant_function_pointer:
    return {std::nullopt, 0};
  case op_constant:
  case op_spec_constant:
    return {std::nullopt, types_.constant(id).value_or(0)};
  case op_spec_constant_op:
    break;
  default:
    throw Malformed("an initial value cannot be computed");
  }
  const auto argument = [&](size_t i) {
    if (i + 1 >= value.operands.size())
      throw Malformed("an instruction lacks operands");
    return evaluate(value.operands[i + 1], depth + 1);
  };
  const auto both = [&](auto combine) -> Address {
    const Address a = argument(0), b = argument(1);
    if (a.variable && b.variable)
      throw Malformed("an initial value combines two addresses");
    return {a.variable ? a.variable : b.variable, combine(a.value, b.value)};
  };
  switch (value.operands.empty() ? 0 : value.operands[0]) {
  case op_convert_ptr_to_u:
  case op_convert_u_to_ptr:
  case op_ptr_cast_to_generic:
  case op_generic_cast_to_ptr:
  case op_bitcast:
  case op_u_convert:
    return argument(0);
  case op_i_add:
    return both([](uint64_t a, uint64_t b) { return a + b; });
  case op_i_sub: {
    const Address a = argument(0), b = argument(1);
    if (b.variable)
      break;
    return {a.variable, a.value - b.value};
  }
  case op_access_chain:
  case op_in_bounds_access_chain:
  case op_ptr_access_chain:
  case op_in_bounds_ptr_access_chain: {
    Address base = argument(0);
    base.value += offset_of_chain(value, depth);
    return base;
  }
  default:
    break;
  }
  throw Malformed("an initial value cannot be computed");
}

/// How far the indices of an access chain lead.
uint64_t InitialValues::offset_of_chain(const Constant &chain, int depth) const {
  const uint32_t base = chain.operands[1];
  uint32_t pointer = 0;
  if (const auto variable = variable_types_.find(base); variable != variable_types_.end())
    pointer = variable->second;
  else
    pointer = constant(base).type;
  const Type &pointer_type = types_.type(pointer);
  if (pointer_type.op != op_type_pointer)
    throw Malformed("an access chain begins at no pointer");
  uint32_t type = Types::operand(pointer_type, 1);
  size_t next = 2;
  uint64_t offset = 0;
  const auto index = [&] { return evaluate(chain.operands[next++], depth + 1).value; };
  const bool has_element = chain.operands[0] == op_ptr_access_chain ||
                           chain.operands[0] == op_in_bounds_ptr_access_chain;
  if (has_element && next < chain.operands.size())
    offset += index() * types_.layout(type).bytes;
  while (next < chain.operands.size()) {
    const Type &aggregate = types_.type(type);
    if (aggregate.op == op_type_struct) {
      const uint64_t member = index();
      offset += types_.member_offset(type, member);
      type = Types::operand(aggregate, member);
    } else {
      type = Types::operand(aggregate, 0);
      offset += index() * types_.layout(type).bytes;
    }
  }
  return offset;
}

} // namespace ze_opencl
