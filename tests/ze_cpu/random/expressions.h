// Random expressions: what a generator of kernels puts into statements.
#pragma once

#include "kernel.h"

#include <iterator>

namespace random_kernels {

constexpr uint32_t max_loops = 3; // inside of each other

// Where a statement stands.
struct Flow {
  bool uniform = true;          // all lanes of the work-group that have not ended are here
  bool operations = true;       // sub-group operations are allowed
  bool jumps = false;           // a loop is there to break or continue
  bool loop_is_uniform = false; // only uniform jumps may leave it
  uint32_t loops = 0;           // that are around it
  uint32_t shares = 0;
  std::vector<uint32_t> tables = {}; // that may be read
  bool is_locked = false;            // others may wait for the lock
  uint32_t depth = 0;
};

class Expressions {
protected:
  explicit Expressions(uint64_t seed) : random_(seed * 2 + 1) { kernel_.seed = seed; }

  uint32_t add_variable(Type type, bool uniform, bool index = false) {
    kernel_.variables.push_back(type);
    is_uniform_.push_back(uniform);
    is_index_.push_back(index);
    return uint32_t(kernel_.variables.size() - 1);
  }

  // A variable of the type, or none: -1. A loop's index is only to be read.
  int pick_variable(Type type, bool uniform, bool assigned = false) {
    std::vector<uint32_t> fitting;
    for (uint32_t i = 0; i < is_uniform_.size(); ++i)
      if (kernel_.variables[i] == type && is_uniform_[i] == uniform && !(assigned && is_index_[i]))
        fitting.push_back(i);
    return fitting.empty() ? -1 : int(fitting[random_.below(fitting.size())]);
  }

  static Expr constant_of(Type type, uint64_t value) {
    return {.kind = ExprKind::constant, .type = type, .value = value};
  }
  static Expr both_of(ExprKind kind, Expr a, Expr b) {
    const Type type = a.type;
    return {.kind = kind, .type = type, .operands = {std::move(a), std::move(b)}};
  }

  Expr any_constant(Type type) {
    uint64_t value = random_.one_in(8) ? random_.next() : random_.below(9);
    if (type == Type::boolean)
      value &= 1;
    else if (type == Type::u32)
      value = static_cast<uint32_t>(value);
    else if (type == Type::f32)
      value &= float_mask;
    return constant_of(type, value);
  }
  static Expr number(uint32_t value) { return constant_of(Type::u32, value); }

  Expr leaf(Type type, bool uniform, const Flow &flow) {
    using enum ExprKind;
    if (type == Type::u32 && !uniform && random_.one_in(2)) {
      constexpr ExprKind kinds[] = {local_id, global_id, linear_id,   linear_id,
                                    lane,     lane,      sub_group_id};
      ExprKind kind = kinds[random_.below(std::size(kinds))];
      bool has_dimension = kind == local_id || kind == global_id;
      return {.kind = kind, .value = has_dimension ? random_.below(3) : 0};
    }
    if (type == Type::u32 && random_.one_in(4)) {
      constexpr ExprKind kinds[] = {group_id, group_size, groups, argument, sub_group_count};
      ExprKind kind = kinds[random_.below(std::size(kinds))];
      uint32_t limit = kind == sub_group_count ? 1 : kind == argument ? 2 : 3;
      return {.kind = kind, .value = random_.below(limit)};
    }
    if (type == Type::u32 && !uniform && kernel_.pointers && random_.one_in(6))
      return {.kind = pointer, .value = random_.below(kernel_.pointers)};
    if (type == Type::u32 && !uniform && kernel_.columns && random_.one_in(6))
      return {.kind = own, .operands = {number(random_.below(kernel_.columns))}};
    if (random_.one_in(4))
      return any_constant(type);
    // Uniform ones may be read anywhere.
    int found = pick_variable(type, uniform || random_.one_in(4));
    if (found < 0)
      return type == Type::u32 ? any_constant(type) : converted(type, uniform, flow);
    return {.kind = variable, .type = type, .value = uint64_t(found)};
  }

  Expr converted(Type type, bool uniform, const Flow &flow) {
    return {.kind = ExprKind::convert, .type = type, .operands = {leaf(Type::u32, uniform, flow)}};
  }

  Expr memory_read(int depth, bool uniform, const Flow &flow) {
    Expr index = expression(Type::u32, depth - 1, uniform, flow);
    if (flow.shares && random_.one_in(2))
      return {.kind = ExprKind::shared, .value = random_.below(flow.shares), .operands = {index}};
    if (!flow.tables.empty() && random_.one_in(2))
      return {.kind = ExprKind::table,
              .value = flow.tables[random_.below(flow.tables.size())],
              .operands = {index}};
    if (!uniform && kernel_.columns && random_.one_in(3))
      return {.kind = ExprKind::own, .operands = {index}};
    if (!uniform && kernel_.arrays && random_.one_in(2))
      return {.kind = ExprKind::array, .value = random_.below(kernel_.arrays), .operands = {index}};
    return {.kind = ExprKind::input, .operands = {index}};
  }

  Expr expression(Type type, int depth, bool uniform, const Flow &flow) {
    using enum ExprKind;
    if (depth <= 0 || random_.one_in(3))
      return leaf(type, uniform, flow);
    auto make = [&](ExprKind kind, std::initializer_list<Type> operands) {
      Expr e{.kind = kind, .type = type};
      for (Type operand : operands)
        e.operands.push_back(expression(operand, depth - 1, uniform, flow));
      return e;
    };
    if (random_.one_in(8))
      return make(choose, {Type::boolean, type, type});
    switch (type) {
    case Type::boolean: {
      Type operand = random_.one_in(4) ? Type::u64 : random_.one_in(4) ? Type::f32 : Type::u32;
      switch (random_.below(6)) {
      case 0:
        return make(both, {type, type});
      case 1:
        return make(either, {type, type});
      case 2:
        return make(negate, {type});
      case 3:
        return make(equal, {operand, operand});
      case 4:
        return operand == Type::f32 ? make(less, {operand, operand})
                                    : make(less_signed, {operand, operand});
      default:
        return make(less, {operand, operand});
      }
    }
    case Type::f32:
      if (random_.one_in(3))
        return make(ExprKind::convert, {random_.one_in(3) ? Type::u64 : Type::u32});
      return make(random_.one_in(2) ? float_add : float_multiply, {type, type});
    case Type::u64:
      if (random_.one_in(3))
        return make(random_.one_in(2) ? ExprKind::convert : convert_signed, {Type::u32});
      break;
    case Type::u32:
      if (random_.one_in(4))
        return memory_read(depth, uniform, flow);
      if (random_.one_in(8))
        return make(ExprKind::convert, {random_.one_in(2) ? Type::u64 : Type::f32});
      break;
    }
    constexpr ExprKind kinds[] = {add,     add,        subtract,    multiply,
                                  divide,  modulo,     bit_and,     bit_or,
                                  bit_xor, shift_left, shift_right, shift_right_signed};
    return make(kinds[random_.below(std::size(kinds))], {type, type});
  }

  // A condition that the compiler cannot decide: whether a block leaves a loop must not depend on
  // what it finds out.
  Expr chance(bool uniform, const Flow &flow) {
    using enum ExprKind;
    Expr at = number(random_.below(input_words));
    if (!uniform)
      at = {.kind = add, .operands = {{.kind = linear_id}, at}};
    Expr noise = expression(Type::u32, 1, uniform, flow);
    Expr mixed{.kind = bit_xor, .operands = {{.kind = input, .operands = {at}}, noise}};
    uint32_t mask = (2u << random_.below(3)) - 1;
    Expr low{.kind = bit_and, .operands = {mixed, number(mask)}};
    return {
        .kind = equal, .type = Type::boolean, .operands = {low, number(random_.below(mask + 1))}};
  }

  Expr condition(bool uniform, const Flow &flow) {
    switch (random_.below(3)) {
    case 0:
      return expression(Type::boolean, 2, uniform, flow);
    case 1:
      if (!uniform)
        return {.kind = ExprKind::less,
                .type = Type::boolean,
                .operands = {leaf(Type::u32, false, flow), number(random_.below(40))}};
      [[fallthrough]];
    default:
      return chance(uniform, flow);
    }
  }

  Type any_type() {
    constexpr Type types[] = {Type::u32, Type::u32, Type::u32, Type::u64, Type::f32, Type::boolean};
    return types[random_.below(std::size(types))];
  }

  Random random_;
  Kernel kernel_;
  std::vector<bool> is_uniform_; // of variables

private:
  std::vector<bool> is_index_;
};

} // namespace random_kernels
