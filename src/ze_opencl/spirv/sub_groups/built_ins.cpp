#include "built_ins.h"

#include "../opcodes.h"

#include <algorithm>
#include <bit>

namespace ze_opencl {

using namespace spirv;

namespace {

bool is_sub_group_built_in(uint32_t built_in) {
  return built_in >= built_in_subgroup_size && built_in <= built_in_subgroup_local_invocation_id;
}

/// The module's variable for a built-in of 64-bit numbers, or of vectors of three of them; 0 if it has none.
uint32_t variable_of(std::span<const ParsedInstruction> module, uint32_t built_in, bool is_vector) {
  const auto find = [&](auto is_it) {
    const auto found = std::ranges::find_if(module, is_it);
    return found == module.end() ? nullptr : &*found;
  };
  const auto definition = [&](uint32_t id) {
    return find([&](const ParsedInstruction &instruction) { return instruction.result == id; });
  };
  const ParsedInstruction *const decoration = find([&](const ParsedInstruction &instruction) {
    return instruction.op == op_decorate && instruction.operand(1) == decoration_built_in &&
           instruction.operand(2) == built_in;
  });
  const auto *const variable = decoration ? definition(decoration->operand(0)) : nullptr;
  const auto *const pointer = variable ? definition(variable->type) : nullptr;
  const auto *type = pointer ? definition(pointer->operand(2)) : nullptr;
  if (type && is_vector)
    type = type->op == op_type_vector && type->operand(2) == 3 ? definition(type->operand(1))
                                                               : nullptr;
  const bool is_it = type && type->op == op_type_int && type->operand(1) == 64;
  return is_it ? variable->result : 0;
}

} // namespace

ComputedBuiltIns::ComputedBuiltIns(std::span<const ParsedInstruction> module,
                                   const Abilities &abilities) {
  if (abilities.sub_groups)
    return;
  for (const ParsedInstruction &instruction : module) {
    if (instruction.op != op_decorate || instruction.operand(1) != decoration_built_in ||
        !is_sub_group_built_in(instruction.operand(2)))
      continue;
    variables_[instruction.operand(0)] = instruction.operand(2);
    needs_size_ |= instruction.operand(2) == built_in_subgroup_size ||
                   instruction.operand(2) == built_in_num_subgroups ||
                   instruction.operand(2) == built_in_num_enqueued_subgroups;
  }
  if (!variables_.empty())
    find_given(module);
}

void ComputedBuiltIns::need_place(std::span<const ParsedInstruction> module) {
  needs_place_ = needs_size_ = true;
  find_given(module);
}

/// Implementations know one variable of each kind.
void ComputedBuiltIns::find_given(std::span<const ParsedInstruction> module) {
  index_ = variable_of(module, built_in_local_invocation_index, false);
  size_ = variable_of(module, built_in_workgroup_size, true);
  has_index_ = index_ != 0;
  has_size_ = size_ != 0;
}

void ComputedBuiltIns::decorate(Assembler &out) {
  const auto decorate = [&](uint32_t &variable, uint32_t built_in) {
    if (variable == 0) {
      variable = out.new_id();
      out.add(op_decorate, {variable, decoration_built_in, built_in});
    }
    interface_.push_back(variable);
  };
  decorate(index_, built_in_local_invocation_index);
  if (needs_size_)
    decorate(size_, built_in_workgroup_size);
}

void ComputedBuiltIns::declare(Assembler &out, TypeTable &types, uint32_t type_u64,
                               const std::set<uint32_t> &sizes) {
  type_u64_ = type_u64;
  const auto type = [&](uint16_t op, std::initializer_list<uint32_t> operands) {
    return types.find(out, op, operands);
  };
  const auto number = [&](uint64_t value) {
    return out.make(op_constant, type_u64, {uint32_t(value), uint32_t(value >> 32)});
  };
  const auto variable = [&](uint32_t id, uint32_t pointee) {
    out.add(op_variable, {type(op_type_pointer, {storage_input, pointee}), id, storage_input});
  };
  if (!has_index_)
    variable(index_, type_u64);
  for (const uint32_t size : sizes)
    numbers_[size] = {number(size), number(size - 1),
                      number(static_cast<uint64_t>(std::countr_zero(size))),
                      number(~uint64_t{size - 1})};
  if (!needs_size_)
    return;
  type_v3_ = type(op_type_vector, {type_u64, 3});
  type_bool_ = type(op_type_bool, {});
  if (!has_size_)
    variable(size_, type_v3_);
}

/// How many the work-group has.
uint32_t ComputedBuiltIns::work_items(Assembler &out) const {
  const uint32_t size = out.make(op_load, type_v3_, {size_});
  const auto component = [&](uint32_t i) {
    return out.make(op_composite_extract, type_u64_, {size, i});
  };
  const uint32_t x = component(0), y = component(1), z = component(2);
  return out.make(op_i_mul, type_u64_, {out.make(op_i_mul, type_u64_, {x, y}), z});
}

/// How many work-items the sub-group has that begins with `first`: the last one may be smaller.
uint32_t ComputedBuiltIns::count(Assembler &out, uint32_t first, const Numbers &numbers) const {
  const uint32_t rest = out.make(op_i_sub, type_u64_, {work_items(out), first});
  const uint32_t is_last = out.make(op_u_less_than, type_bool_, {rest, numbers.size});
  return out.make(op_select, type_u64_, {is_last, rest, numbers.size});
}

ComputedBuiltIns::Place ComputedBuiltIns::place(Assembler &out, uint32_t size) const {
  const Numbers &numbers = numbers_.at(size);
  const uint32_t index = out.make(op_load, type_u64_, {index_});
  const uint32_t first = out.make(op_bitwise_and, type_u64_, {index, numbers.mask});
  return {index, out.make(op_bitwise_and, type_u64_, {index, numbers.size_minus_1}), first,
          count(out, first, numbers)};
}

void ComputedBuiltIns::load(Assembler &out, const ParsedInstruction &load, uint32_t size) const {
  const Numbers &numbers = numbers_.at(size);
  const auto index = [&] { return out.make(op_load, type_u64_, {index_}); };
  const auto binary = [&](uint16_t op, uint32_t a, uint32_t b) {
    return out.make(op, type_u64_, {a, b});
  };
  uint32_t value = 0;
  switch (variables_.at(load.operand(2))) {
  case built_in_subgroup_local_invocation_id:
    value = binary(op_bitwise_and, index(), numbers.size_minus_1);
    break;
  case built_in_subgroup_id:
    value = binary(op_shift_right_logical, index(), numbers.logarithm);
    break;
  case built_in_subgroup_max_size:
    value = numbers.size;
    break;
  case built_in_subgroup_size:
    value = count(out, binary(op_bitwise_and, index(), numbers.mask), numbers);
    break;
  default: // how many sub-groups the work-group has
    value = binary(op_shift_right_logical, binary(op_i_add, work_items(out), numbers.size_minus_1),
                   numbers.logarithm);
    break;
  }
  if (load.type == type_u64_)
    out.add(op_bitwise_and, {load.type, load.result, value, value});
  else
    out.add(op_u_convert, {load.type, load.result, value});
}

} // namespace ze_opencl
