// Random operations of sub-groups and work-groups.
#pragma once

#include "expressions.h"

#include <algorithm>
#include <bit>

namespace random_kernels {

class Operations : protected Expressions {
protected:
  using Expressions::Expressions;

  // What may be assigned here: uniform variables only where all lanes do, the same.
  uint32_t pick_target(Type type, bool value_is_uniform, const Flow &flow) {
    if (value_is_uniform && flow.uniform && random_.one_in(2))
      if (int found = pick_variable(type, true, true); found >= 0)
        return uint32_t(found);
    int found = pick_variable(type, false, true);
    return found < 0 ? add_variable(type, false) : uint32_t(found);
  }

  Statement group_wide(const Flow &flow) {
    if (random_.one_in(5))
      return {.kind = StatementKind::barrier};
    if (random_.one_in(4))
      return {.kind = StatementKind::read_tally,
              .target = pick_target(Type::u32, true, flow),
              .number = random_.below(tally_cells)};
    Statement s{.kind = StatementKind::work_group};
    constexpr SubGroupOp ops[] = {SubGroupOp::any,           SubGroupOp::all,
                                  SubGroupOp::broadcast,     SubGroupOp::reduce,
                                  SubGroupOp::reduce,        SubGroupOp::inclusive_scan,
                                  SubGroupOp::exclusive_scan};
    s.op = ops[random_.below(std::size(ops))];
    bool votes = s.op == SubGroupOp::any || s.op == SubGroupOp::all;
    Type type = votes ? Type::boolean : random_.one_in(3) ? Type::u64 : Type::u32;
    if (!votes && random_.one_in(5))
      type = Type::f32;
    constexpr Combine combines[] = {Combine::add, Combine::umin, Combine::umax, Combine::smin,
                                    Combine::smax};
    s.combine = combines[random_.below(type == Type::f32 ? 3 : std::size(combines))];
    // The identities of the others are infinite.
    if (type == Type::f32 && s.op == SubGroupOp::exclusive_scan)
      s.combine = Combine::add;
    s.a = expression(type, 2, false, flow);
    bool same = s.op != SubGroupOp::inclusive_scan && s.op != SubGroupOp::exclusive_scan;
    // Lanes that have ended give nothing: each then gets its own.
    same &= s.op != SubGroupOp::broadcast;
    s.number = s.op == SubGroupOp::broadcast ? random_.below(kernel_.items()) : 0;
    s.target = pick_target(type, same, flow);
    return s;
  }

  Statement sub_group(const Flow &flow) {
    Statement s{.kind = StatementKind::sub_group, .op = SubGroupOp(random_.below(15))};
    Type type = Type::u32, result = Type::u32;
    switch (s.op) {
    case SubGroupOp::shuffle:
    case SubGroupOp::shuffle_xor:
    case SubGroupOp::shuffle_up:
    case SubGroupOp::shuffle_down:
    case SubGroupOp::rotate: {
      type = result = any_type();
      s.b = expression(Type::u32, 1, s.op == SubGroupOp::rotate, flow);
      if (!random_.one_in(4))
        s.b = {.kind = ExprKind::bit_and, .operands = {s.b, number(random_.one_in(2) ? 31 : 7)}};
      break;
    }
    case SubGroupOp::broadcast:
      s.number = random_.below(kernel_.sub_group_size);
      [[fallthrough]];
    case SubGroupOp::broadcast_first:
      type = result = any_type();
      break;
    case SubGroupOp::ballot:
      type = Type::boolean;
      break;
    case SubGroupOp::any:
    case SubGroupOp::all:
      type = result = Type::boolean;
      break;
    case SubGroupOp::all_equal:
      type = any_type();
      result = Type::boolean;
      break;
    case SubGroupOp::elect:
      result = Type::boolean;
      break;
    case SubGroupOp::reduce:
    case SubGroupOp::inclusive_scan:
    case SubGroupOp::exclusive_scan: {
      type = result = any_type();
      if (type == Type::f32)
        s.combine = s.op == SubGroupOp::exclusive_scan ? Combine::add : Combine(random_.below(3));
      else if (type == Type::boolean)
        s.combine = Combine(uint32_t(Combine::bit_and) + random_.below(3));
      else
        s.combine = Combine(random_.below(9));
      if (s.op == SubGroupOp::reduce && random_.one_in(3))
        s.number = std::min(1u << random_.below(6), kernel_.sub_group_size);
      break;
    }
    }
    s.a = expression(type, 2, false, flow);
    s.target = pick_target(result, false, flow);
    return s;
  }

  // As HIP's functions are compiled: which lane is read is computed in each, and is itself outside of its part of `width` lanes.
  enum class HipShuffle : uint8_t { from, up, down, across };

  static Expr lane_read(HipShuffle how, uint32_t width, Expr operand) {
    using enum ExprKind;
    const Expr self{.kind = lane};
    const Expr first = both_of(bit_and, self, number(~(width - 1))),
               end = both_of(add, first, number(width));
    const auto is_below = [](Expr a, Expr b) {
      return Expr{.kind = less, .type = Type::boolean, .operands = {std::move(a), std::move(b)}};
    };
    const auto if_inside = [&](Expr inside, Expr other) {
      return Expr{.kind = choose, .operands = {std::move(inside), std::move(other), self}};
    };
    switch (how) {
    case HipShuffle::from:
      return both_of(add, first, both_of(bit_and, std::move(operand), number(width - 1)));
    case HipShuffle::up: {
      const Expr outside = is_below(both_of(subtract, self, first), operand);
      return if_inside({.kind = negate, .type = Type::boolean, .operands = {outside}},
                       both_of(subtract, self, operand));
    }
    case HipShuffle::down:
      return if_inside(is_below(operand, both_of(subtract, end, self)),
                       both_of(add, self, operand));
    case HipShuffle::across: {
      const Expr other = both_of(bit_xor, self, std::move(operand));
      return if_inside(is_below(other, end), other);
    }
    }
    return self;
  }

  uint32_t shuffle_width() {
    const uint32_t whole = kernel_.sub_group_size;
    return random_.one_in(2) ? whole : 2u << random_.below(std::countr_zero(whole));
  }

  Statement hip_shuffle(const Flow &flow) {
    const auto how = HipShuffle(random_.below(4));
    const uint32_t width = shuffle_width();
    const Type type = any_type();
    Expr operand = number(random_.below(random_.one_in(4) ? 40 : width));
    if (random_.one_in(3))
      operand = expression(Type::u32, 1, random_.one_in(2), flow);
    Statement s{.kind = StatementKind::sub_group, .op = SubGroupOp::shuffle};
    s.a = expression(type, 2, false, flow);
    s.b = lane_read(how, width, operand);
    s.target = pick_target(type, false, flow);
    return s;
  }

  // Sums of parts of a sub-group, in as many steps as a lane's number has bits: one after the other, or in a loop.
  void shuffled_sums(Block &to, const Flow &flow) {
    using enum ExprKind;
    const auto how = HipShuffle(1 + random_.below(3));
    const uint32_t width = shuffle_width(), steps = uint32_t(std::countr_zero(width)),
                   sum = pick_target(Type::u32, false, flow), read = add_variable(Type::u32, false);
    const auto step = [&](const Expr &distance) {
      const Expr own{.kind = variable, .value = sum}, others{.kind = variable, .value = read};
      Expr more = both_of(add, own, others);
      if (how == HipShuffle::up) {
        const Expr place = both_of(bit_and, {.kind = lane}, number(width - 1));
        const Expr is_outside{.kind = less, .type = Type::boolean, .operands = {place, distance}};
        more = {.kind = choose, .operands = {is_outside, own, more}};
      }
      return Block{{.kind = StatementKind::sub_group,
                    .target = read,
                    .op = SubGroupOp::shuffle,
                    .a = own,
                    .b = lane_read(how, width, distance)},
                   {.kind = StatementKind::assign, .target = sum, .a = more}};
    };
    if (random_.one_in(3) && flow.loops < max_loops) {
      Statement loop{.kind = StatementKind::strided_loop};
      loop.form = random_.one_in(2) ? LoopForm::tested_last : LoopForm::counted;
      loop.target = add_variable(Type::u32, false, true);
      loop.a = number(steps);
      loop.b = constant_of(Type::boolean, 1);
      loop.start = number(0);
      loop.step = number(1);
      loop.body = step(both_of(shift_left, number(1), {.kind = variable, .value = loop.target}));
      to.push_back(std::move(loop));
      return;
    }
    for (uint32_t i = 0; i < steps; ++i) {
      const uint32_t distance = how == HipShuffle::up ? 1u << i : width >> (i + 1);
      std::ranges::move(step(number(distance)), std::back_inserter(to));
    }
  }
};

} // namespace random_kernels
