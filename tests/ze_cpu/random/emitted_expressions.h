// Expressions of random kernels as SPIR-V, and what code is made of besides.
#pragma once

#include "kernel.h"
#include "spirv_types.h"

namespace random_kernels {

constexpr uint32_t scope_device = 1, scope_work_group = 2, scope_sub_group = 3;

class ExpressionEmitter {
protected:
  ExpressionEmitter(Types &types, BuiltInVariables &built_ins, const Kernel &kernel)
      : t_(types), m_(types.m), built_ins_(built_ins), kernel_(kernel) {}

  /// What a kernel takes, in this order: each by itself, or all as members of a struct.
  enum class Taken {
    input,
    output,
    cells,
    group_memory,
    own,
    first_number,
    second_number,
    item_step,
    column_step
  };

  std::vector<Id> taken_types() {
    const Id words = t_.pointer(CrossWorkgroup, t_.u32());
    const Id step = kernel_.step_type == StepType::u64 ? t_.u64() : t_.u32();
    return {
        words, t_.pointer(CrossWorkgroup, t_.u64()), words, words, words, t_.u32(), t_.u32(), step,
        step};
  }
  Id parameter(Id type) {
    Id id = m_.make_id();
    put(m_.functions, OpFunctionParameter, {type, id});
    return id;
  }
  Id taken(Taken which) {
    const auto index = static_cast<uint32_t>(which);
    if (!kernel_.takes_struct)
      return parameters_[index];
    const Id type = taken_types()[index];
    return load(type, op(OpInBoundsAccessChain, t_.pointer(Function, type), parameters_[0],
                         t_.number(index)));
  }

  Id work_group_array(uint32_t length) {
    Id pointer = t_.pointer(Workgroup, t_.array(length)), id = m_.make_id();
    put(m_.globals, OpVariable, {pointer, id, Workgroup});
    return id;
  }

  Id declare_variable(Id type) {
    Id pointer = t_.pointer(Function, type), id = m_.make_id();
    put(declarations_, OpVariable, {pointer, id, Function});
    return id;
  }

  template <class... Operands> Id op(Op op, Id type, Operands... operands) {
    Id id = m_.make_id();
    put(code_, op, {type, id, operands...});
    return id;
  }
  Id load(Id type, Id pointer) { return op(OpLoad, type, pointer); }
  void emit_store(Id pointer, Id value) { put(code_, OpStore, {pointer, value}); }
  void label(Id id) { put(code_, OpLabel, {id}); }
  void branch(Id to) { put(code_, OpBranch, {to}); }
  void branch(Id condition, Id if_true, Id if_false) {
    put(code_, OpBranchConditional, {condition, if_true, if_false});
  }
  void emit_barrier() {
    Id scope = t_.number(scope_work_group);
    put(code_, OpControlBarrier, {scope, scope, t_.number(0x108)}); // acquire, release; work-group
  }

  Id built_in_element(BuiltIn which, uint32_t dimension) {
    Id vector = load(t_.vector(t_.u64(), 3), built_ins_.get(t_, which));
    return op(OpCompositeExtract, t_.u64(), vector, dimension);
  }
  Id narrow_built_in(BuiltIn which, uint64_t dimension) {
    return op(OpUConvert, t_.u32(), built_in_element(which, uint32_t(dimension)));
  }

  Id input_element(Id index) {
    Id wrapped = op(OpUMod, t_.u32(), index, t_.number(input_words));
    return op(OpInBoundsPtrAccessChain, t_.pointer(CrossWorkgroup, t_.u32()), taken(Taken::input),
              wrapped);
  }
  Id array_element(Id array, Id index) {
    return op(OpInBoundsAccessChain, t_.pointer(Function, t_.u32()), array, index);
  }
  Id wrapped_array_element(uint64_t array, Id index) {
    return array_element(arrays_[array], op(OpUMod, t_.u32(), index, t_.number(array_length)));
  }
  Id work_group_element(Id array, Id index) {
    return op(OpInBoundsAccessChain, t_.pointer(Workgroup, t_.u32()), array, index);
  }
  // In work-group memory, or in global memory.
  Id table_element(uint64_t table, Id index) {
    return table == 0 ? work_group_element(table_, index) : group_word(linear_group(), index);
  }
  Id group_word(Id group, Id word) {
    Id at = op(OpIMul, t_.u64(), group, t_.wide_number(group_words));
    at = op(OpIAdd, t_.u64(), at, op(OpUConvert, t_.u64(), word));
    return op(OpInBoundsPtrAccessChain, t_.pointer(CrossWorkgroup, t_.u32()),
              taken(Taken::group_memory), at);
  }
  // Of the work-item's own; the column is one of those that it has.
  Id own_element(Id column) {
    const bool is_wide = kernel_.step_type == StepType::u64;
    const Id type = is_wide ? t_.u64() : t_.u32();
    const auto computed = [&](Op code, Id a, Id b) {
      const Id result = op(code, type, a, b);
      if (kernel_.step_type == StepType::i32)
        put(m_.decorations, OpDecorate, {result, 4469}); // NoSignedWrap
      return result;
    };
    Id item = linear_item();
    if (is_wide)
      column = op(OpUConvert, type, column);
    else
      item = op(OpUConvert, type, item);
    const Id of_item = computed(OpIMul, item, taken(Taken::item_step));
    const Id of_column = computed(OpIMul, column, taken(Taken::column_step));
    Id at = computed(OpIAdd, of_item, of_column);
    if (!is_wide)
      at = op(kernel_.step_type == StepType::i32 ? OpSConvert : OpUConvert, t_.u64(), at);
    return op(OpInBoundsPtrAccessChain, t_.pointer(CrossWorkgroup, t_.u32()), taken(Taken::own),
              at);
  }
  Id to_generic(Id pointer) {
    return op(OpPtrCastToGeneric, t_.pointer(Generic, t_.u32()), pointer);
  }

  Id to_float_range(Id u32) {
    Id wrapped = op(OpBitwiseAnd, t_.u32(), u32, t_.number(float_mask));
    return op(OpConvertUToF, t_.of(Type::f32), wrapped);
  }
  // Floats are integers again, and below the limit.
  Id wrap_float(Id value) { return to_float_range(op(OpConvertFToU, t_.u32(), value)); }

  Id converted(Type from, Type to, Id value) {
    if (from == to)
      return value;
    if (from == Type::boolean)
      return op(OpSelect, t_.of(to), value, t_.constant(to, 1), t_.constant(to, 0));
    if (from == Type::f32) {
      value = op(OpConvertFToU, t_.u32(), value);
      return converted(Type::u32, to, value);
    }
    if (to == Type::boolean) {
      Id low = op(OpBitwiseAnd, t_.of(from), value, t_.constant(from, 1));
      return op(OpINotEqual, t_.of(to), low, t_.constant(from, 0));
    }
    if (to == Type::f32)
      return to_float_range(converted(from, Type::u32, value));
    return op(OpUConvert, t_.of(to), value);
  }

  Id evaluate(const Expr &e) {
    auto operand = [&](size_t i) { return evaluate(e.operands[i]); };
    Id type = t_.of(e.type);
    auto binary = [&](Op code) {
      Id a = operand(0), b = operand(1);
      return op(code, type, a, b);
    };
    auto by_odd = [&](Op code) {
      Id a = operand(0), b = operand(1);
      return op(code, type, a, op(OpBitwiseOr, type, b, t_.constant(e.type, 1)));
    };
    auto shift = [&](Op code) {
      Id a = operand(0), b = operand(1);
      return op(code, type, a,
                op(OpBitwiseAnd, type, b, t_.constant(e.type, e.type == Type::u64 ? 63 : 31)));
    };
    using enum ExprKind;
    switch (e.kind) {
    case constant:
      return t_.constant(e.type, e.value);
    case variable:
      return load(type, variables_[e.value]);
    case group_id:
      return narrow_built_in(WorkgroupId, e.value);
    case group_size:
      return narrow_built_in(WorkgroupSize, e.value);
    case groups:
      return narrow_built_in(NumWorkgroups, e.value);
    case argument:
      return taken(e.value == 0 ? Taken::first_number : Taken::second_number);
    case sub_group_count:
      return load(type, built_ins_.get(t_, NumSubgroups));
    case local_id:
      return narrow_built_in(LocalInvocationId, e.value);
    case global_id:
      return narrow_built_in(GlobalInvocationId, e.value);
    case linear_id:
      return op(OpUConvert, type, load(t_.u64(), built_ins_.get(t_, LocalInvocationIndex)));
    case lane:
      return load(type, built_ins_.get(t_, SubgroupLocalInvocationId));
    case sub_group_id:
      return load(type, built_ins_.get(t_, SubgroupId));
    case input:
      return op(OpLoad, type, input_element(operand(0)), 2u, 4u);
    case array:
      return load(type, wrapped_array_element(e.value, operand(0)));
    case pointer:
      return op(OpLoad, type, load(t_.pointer(Generic, t_.u32()), pointers_[e.value]), 2u, 4u);
    case shared: {
      Id index = op(OpUMod, t_.u32(), operand(0), t_.number(kernel_.items()));
      return load(type, work_group_element(shared_[e.value], index));
    }
    case table:
      return load(type,
                  table_element(e.value, op(OpUMod, t_.u32(), operand(0), t_.number(table_words))));
    case own:
      return load(type, own_element(op(OpUMod, t_.u32(), operand(0), t_.number(kernel_.columns))));
    case add:
      return binary(OpIAdd);
    case subtract:
      return binary(OpISub);
    case multiply:
      return binary(OpIMul);
    case divide:
      return by_odd(OpUDiv);
    case modulo:
      return by_odd(OpUMod);
    case bit_and:
      return binary(OpBitwiseAnd);
    case bit_or:
      return binary(OpBitwiseOr);
    case bit_xor:
      return binary(OpBitwiseXor);
    case shift_left:
      return shift(OpShiftLeftLogical);
    case shift_right:
      return shift(OpShiftRightLogical);
    case shift_right_signed:
      return shift(OpShiftRightArithmetic);
    case float_add:
      return wrap_float(binary(OpFAdd));
    case float_multiply:
      return wrap_float(binary(OpFMul));
    case convert:
      return converted(e.operands[0].type, e.type, operand(0));
    case convert_signed:
      return op(OpSConvert, type, operand(0));
    case less:
      return binary(e.operands[0].type == Type::f32 ? OpFOrdLessThan : OpULessThan);
    case less_signed:
      return binary(OpSLessThan);
    case equal:
      switch (e.operands[0].type) {
      case Type::boolean:
        return binary(OpLogicalEqual);
      case Type::f32:
        return binary(OpFOrdEqual);
      default:
        return binary(OpIEqual);
      }
    case both:
      return binary(OpLogicalAnd);
    case either:
      return binary(OpLogicalOr);
    case negate:
      return op(OpLogicalNot, type, operand(0));
    case choose: {
      Id condition = operand(0), a = operand(1), b = operand(2);
      return op(OpSelect, type, condition, a, b);
    }
    }
    return 0;
  }

  // The number of the work-group.
  Id linear_group() {
    Id group = built_in_element(WorkgroupId, 2);
    for (uint32_t i : {1u, 0u}) {
      group = op(OpIMul, t_.u64(), group, built_in_element(NumWorkgroups, i));
      group = op(OpIAdd, t_.u64(), group, built_in_element(WorkgroupId, i));
    }
    return group;
  }

  // The number of the work-item among all of the grid.
  Id linear_item() {
    const Id before = op(OpIMul, t_.u64(), linear_group(), t_.wide_number(kernel_.items()));
    return op(OpIAdd, t_.u64(), before, load(t_.u64(), built_ins_.get(t_, LocalInvocationIndex)));
  }

  Types &t_;
  ModuleWords &m_;
  BuiltInVariables &built_ins_;
  const Kernel &kernel_;
  Words declarations_, code_; // variables stand before everything else
  std::vector<Id> parameters_;
  std::vector<Id> variables_, arrays_, pointers_;
  Id shared_[share_buffers] = {}, tally_ = 0; // 0: nothing is shared
  Id table_ = 0, waits_ = 0;                  // of the work-group, likewise
  Id loop_end_ = 0, loop_continue_ = 0;
};

} // namespace random_kernels
