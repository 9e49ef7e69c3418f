#include "interpreter.h"

#include <algorithm>
#include <bit>
#include <bitset>

namespace random_kernels {
namespace {

using Mask = std::bitset<max_items>;

uint64_t narrow(Type type, uint64_t value) {
  switch (type) {
  case Type::boolean:
    return value & 1;
  case Type::u32:
    return static_cast<uint32_t>(value);
  case Type::u64:
    return value;
  case Type::f32:
    return value & float_mask;
  }
  return value;
}

int64_t as_signed(Type type, uint64_t value) {
  return type == Type::u64 ? static_cast<int64_t>(value) : static_cast<int32_t>(value);
}

bool is_below(Below how, Type type, uint64_t a, uint64_t b) {
  switch (how) {
  case Below::less:
    return a < b;
  case Below::less_signed:
    return as_signed(type, a) < as_signed(type, b);
  case Below::less_equal:
    return a <= b;
  case Below::less_equal_signed:
    return as_signed(type, a) <= as_signed(type, b);
  }
  return false;
}

uint64_t output_bits(Type type, uint64_t value) {
  return type == Type::f32 ? std::bit_cast<uint32_t>(static_cast<float>(value)) : value;
}

struct Pointer {
  int array = -1; // -1: input
  uint32_t index = 0;
};

struct Lane {
  std::vector<uint64_t> variables;
  std::vector<uint32_t> arrays;
  std::vector<Pointer> pointers;
};

class Group {
public:
  Group(const Kernel &kernel, uint32_t group, Result &result)
      : kernel_(kernel), group_(group), items_(kernel.items()), result_(result),
        lanes_(items_, Lane{std::vector<uint64_t>(kernel.variables.size()),
                            std::vector<uint32_t>(kernel.arrays * array_length),
                            std::vector<Pointer>(kernel.pointers)}) {
    for (auto &buffer : shared_)
      buffer.resize(items_);
    for (uint32_t cell = 0; cell < tally_cells; ++cell)
      tally_[cell] = cell_start(cell);
  }

  void run() {
    Mask all;
    for (uint32_t lane = 0; lane < items_; ++lane)
      all.set(lane);
    Mask left = execute(kernel_.body, all, nullptr);
    for_each(left, [&](uint32_t lane) {
      uint32_t slot = store_slots;
      for (size_t i = 0; i < kernel_.variables.size(); ++i, ++slot)
        if (kernel_.writes(i))
          output(lane, slot) = output_bits(kernel_.variables[i], lanes_[lane].variables[i]);
      for (uint32_t word : lanes_[lane].arrays)
        output(lane, slot++) = word;
    });
  }

private:
  template <class Visit> void for_each(const Mask &mask, Visit visit) const {
    for (uint32_t lane = 0; lane < items_; ++lane)
      if (mask[lane])
        visit(lane);
  }

  uint64_t &output(uint32_t lane, uint32_t slot) {
    return result_.output[kernel_.output_index(size_t(group_) * items_ + lane, slot)];
  }

  uint64_t local_coordinate(uint32_t lane, uint64_t dimension) const {
    uint32_t x = lane % kernel_.group_size[0], rest = lane / kernel_.group_size[0];
    if (dimension == 0)
      return x;
    return dimension == 1 ? rest % kernel_.group_size[1] : rest / kernel_.group_size[1];
  }

  uint64_t group_coordinate(uint64_t dimension) const {
    uint32_t x = group_ % kernel_.groups[0], rest = group_ / kernel_.groups[0];
    if (dimension == 0)
      return x;
    return dimension == 1 ? rest % kernel_.groups[1] : rest / kernel_.groups[1];
  }

  uint64_t evaluate(const Expr &e, uint32_t lane) const {
    return narrow(e.type, evaluate_wide(e, lane));
  }

  uint64_t evaluate_wide(const Expr &e, uint32_t self) const {
    auto operand = [&](size_t i) { return evaluate(e.operands[i], self); };
    uint32_t width = e.type == Type::u64 ? 64 : 32;
    using enum ExprKind;
    switch (e.kind) {
    case constant:
      return e.value;
    case variable:
      return lanes_[self].variables[e.value];
    case group_id:
      return group_coordinate(e.value);
    case group_size:
      return kernel_.group_size[e.value];
    case groups:
      return kernel_.groups[e.value];
    case argument:
      return kernel_.arguments[e.value];
    case sub_group_count:
      return (items_ + kernel_.sub_group_size - 1) / kernel_.sub_group_size;
    case local_id:
      return local_coordinate(self, e.value);
    case global_id:
      return group_coordinate(e.value) * kernel_.group_size[e.value] +
             local_coordinate(self, e.value);
    case linear_id:
      return self;
    case lane:
      return self % kernel_.sub_group_size;
    case sub_group_id:
      return self / kernel_.sub_group_size;
    case input:
      return input_word(operand(0) % input_words);
    case array:
      return lanes_[self].arrays[e.value * array_length + operand(0) % array_length];
    case pointer: {
      const Pointer &p = lanes_[self].pointers[e.value];
      return p.array < 0 ? input_word(p.index)
                         : lanes_[self].arrays[uint32_t(p.array) * array_length + p.index];
    }
    case shared:
      return shared_[e.value][operand(0) % items_];
    case add:
    case float_add:
      return operand(0) + operand(1);
    case subtract:
      return operand(0) - operand(1);
    case multiply:
    case float_multiply:
      return operand(0) * operand(1);
    case divide:
      return operand(0) / (operand(1) | 1);
    case modulo:
      return operand(0) % (operand(1) | 1);
    case bit_and:
      return operand(0) & operand(1);
    case bit_or:
      return operand(0) | operand(1);
    case bit_xor:
      return operand(0) ^ operand(1);
    case shift_left:
      return operand(0) << operand(1) % width;
    case shift_right:
      return operand(0) >> operand(1) % width;
    case shift_right_signed:
      return static_cast<uint64_t>(as_signed(e.type, operand(0)) >> operand(1) % width);
    case convert:
      return operand(0);
    case convert_signed:
      return static_cast<uint64_t>(as_signed(e.operands[0].type, operand(0)));
    case less:
      return operand(0) < operand(1);
    case less_signed:
      return as_signed(e.operands[0].type, operand(0)) < as_signed(e.operands[1].type, operand(1));
    case equal:
      return operand(0) == operand(1);
    case both:
      return operand(0) & operand(1);
    case either:
      return operand(0) | operand(1);
    case negate:
      return operand(0) ^ 1;
    case choose:
      return operand(0) ? operand(1) : operand(2);
    }
    return 0;
  }

  Mask where(const Mask &active, const Expr &condition) const {
    Mask result;
    for_each(active, [&](uint32_t lane) { result[lane] = evaluate(condition, lane) != 0; });
    return result;
  }

  // Returns the lanes that reach the end of the block. `continued` collects those on their way to the
  // end of the innermost loop's body.
  Mask execute(const Block &block, Mask active, Mask *continued) {
    for (const Statement &statement : block) {
      if (active.none())
        break;
      active = execute(statement, active, continued);
    }
    return active;
  }

  Mask execute(const Statement &s, const Mask &active, Mask *continued) {
    using enum StatementKind;
    switch (s.kind) {
    case assign:
      for_each(active, [&](uint32_t lane) { set(s.target, lane, evaluate(s.a, lane)); });
      return active;
    case assign_array:
      for_each(active, [&](uint32_t lane) {
        uint64_t index = s.target * array_length + evaluate(s.a, lane) % array_length;
        lanes_[lane].arrays[index] = static_cast<uint32_t>(evaluate(s.b, lane));
      });
      return active;
    case point_to_input:
    case point_to_array:
      for_each(active, [&](uint32_t lane) {
        auto index = static_cast<uint32_t>(evaluate(s.a, lane));
        lanes_[lane].pointers[s.target] = s.kind == point_to_input
                                              ? Pointer{-1, index % input_words}
                                              : Pointer{int(s.number), index % array_length};
      });
      return active;
    case store:
      for_each(active, [&](uint32_t lane) {
        output(lane, s.number) = output_bits(s.a.type, evaluate(s.a, lane));
      });
      return active;
    case if_else: {
      Mask taken = where(active, s.a);
      Mask from_body = execute(s.body, taken, continued);
      return from_body | execute(s.otherwise, active & ~taken, continued);
    }
    case loop:
    case strided_loop:
      return execute_loop(s, active);
    case jump: {
      Mask taken = where(active, s.a);
      Mask leaving = execute(s.body, taken, continued);
      if (s.jump == JumpKind::continue_loop)
        *continued |= leaving;
      else if (s.jump == JumpKind::return_kernel)
        ended_ |= leaving;
      return active & ~taken;
    }
    case sub_group:
      for (uint32_t first = 0; first < items_; first += kernel_.sub_group_size)
        exchange(s, active, first, std::min(items_, first + kernel_.sub_group_size));
      return active;
    case work_group:
      exchange(s, active, 0, items_);
      return active;
    case barrier:
      return active;
    case share:
      for_each(active, [&](uint32_t lane) {
        shared_[s.number][lane] = static_cast<uint32_t>(evaluate(s.a, lane));
      });
      return execute(s.body, active, continued);
    case global_atomic:
    case tally_atomic:
      for_each(active, [&](uint32_t lane) {
        uint32_t &cell = s.kind == global_atomic ? result_.cells[s.number] : tally_[s.number];
        cell = static_cast<uint32_t>(
            combine(cell_operation(s.number), Type::u32, cell, evaluate(s.a, lane)));
      });
      return active;
    case read_tally:
      for_each(active, [&](uint32_t lane) { set(s.target, lane, tally_[s.number]); });
      return active;
    }
    return active;
  }

  // All lanes that do not end meet after the loop.
  Mask execute_loop(const Statement &s, const Mask &active) {
    const bool strided = s.kind == StatementKind::strided_loop;
    const Type type = strided ? kernel_.variables[s.target] : Type::u32;
    std::vector<uint64_t> done(items_), end(items_), stride(items_, 1);
    auto index = [&](uint32_t lane) -> uint64_t & {
      return strided ? lanes_[lane].variables[s.target] : done[lane];
    };
    for_each(active, [&](uint32_t lane) {
      end[lane] = evaluate(s.a, lane);
      if (strided) {
        stride[lane] = evaluate(s.step, lane);
        index(lane) = evaluate(s.start, lane);
      }
    });
    Mask current = active;
    auto test = [&] {
      Mask go_on = where(current, s.b);
      for_each(current, [&](uint32_t lane) {
        go_on[lane] = go_on[lane] && is_below(s.below, type, index(lane), end[lane]);
      });
      current = go_on;
    };
    auto step = [&] {
      for_each(current,
               [&](uint32_t lane) { index(lane) = narrow(type, index(lane) + stride[lane]); });
    };
    while (current.any()) {
      if (s.form != LoopForm::tested_last)
        test();
      Mask continued;
      Mask at_end = execute(s.body, current, &continued);
      current = at_end | continued;
      step();
      if (s.form == LoopForm::tested_last)
        test();
    }
    const Mask left = active & ~ended_;
    if (strided && !s.number)
      for_each(left, [&](uint32_t lane) { index(lane) = 0; });
    return left;
  }

  void set(uint32_t variable, uint32_t lane, uint64_t value) {
    lanes_[lane].variables[variable] = narrow(kernel_.variables[variable], value);
  }

  // The operation among the active lanes of [first, last).
  void exchange(const Statement &s, const Mask &active, uint32_t first, uint32_t last) {
    std::vector<uint32_t> members;
    for (uint32_t lane = first; lane < last; ++lane)
      if (active[lane])
        members.push_back(lane);
    if (members.empty())
      return;
    Type type = s.a.type;
    std::vector<uint64_t> value(items_), result(items_);
    for (uint32_t lane : members)
      value[lane] = evaluate(s.a, lane);
    // Each reads from a lane, and 0 if that does not take part.
    auto read = [&](auto &&source) {
      for (uint32_t lane : members) {
        uint64_t from = source(lane - first, evaluate(s.b, lane));
        bool there = from < last - first && active[first + from];
        result[lane] = there ? value[first + from] : 0;
      }
    };
    auto all_get = [&](uint64_t common) {
      for (uint32_t lane : members)
        result[lane] = common;
    };
    uint32_t width = kernel_.sub_group_size;
    switch (s.op) {
    case SubGroupOp::shuffle:
      read([](uint64_t, uint64_t from) { return from; });
      break;
    case SubGroupOp::shuffle_xor:
      read([](uint64_t lane, uint64_t mask) { return lane ^ mask; });
      break;
    case SubGroupOp::shuffle_up:
      read([](uint64_t lane, uint64_t delta) { return lane - delta; });
      break;
    case SubGroupOp::shuffle_down:
      read([](uint64_t lane, uint64_t delta) { return lane + delta; });
      break;
    case SubGroupOp::rotate:
      read([&](uint64_t lane, uint64_t delta) { return (lane + delta) % width; });
      break;
    case SubGroupOp::broadcast:
      read([&](uint64_t, uint64_t) { return s.number; });
      break;
    case SubGroupOp::broadcast_first:
      all_get(value[members[0]]);
      break;
    case SubGroupOp::ballot: {
      uint64_t votes = 0;
      for (uint32_t lane : members)
        votes |= value[lane] << (lane - first);
      all_get(votes);
      break;
    }
    case SubGroupOp::any:
      all_get(std::ranges::any_of(members, [&](uint32_t lane) { return value[lane] != 0; }));
      break;
    case SubGroupOp::all:
      all_get(std::ranges::all_of(members, [&](uint32_t lane) { return value[lane] != 0; }));
      break;
    case SubGroupOp::all_equal:
      all_get(std::ranges::all_of(members,
                                  [&](uint32_t lane) { return value[lane] == value[members[0]]; }));
      break;
    case SubGroupOp::elect:
      result[members[0]] = 1;
      break;
    case SubGroupOp::reduce:
      for (uint32_t lane : members) {
        auto together = [&](uint32_t other) {
          return s.number == 0 || (other - first) / s.number == (lane - first) / s.number;
        };
        bool any = false;
        for (uint32_t other : members)
          if (together(other)) {
            result[lane] =
                any ? combine(s.combine, type, result[lane], value[other]) : value[other];
            any = true;
          }
      }
      break;
    case SubGroupOp::inclusive_scan:
    case SubGroupOp::exclusive_scan: {
      uint64_t total = identity(s.combine, type);
      for (uint32_t lane : members) {
        uint64_t next = combine(s.combine, type, total, value[lane]);
        result[lane] = s.op == SubGroupOp::inclusive_scan ? next : total;
        total = next;
      }
      break;
    }
    }
    for (uint32_t lane : members)
      set(s.target, lane, result[lane]);
  }

  const Kernel &kernel_;
  const uint32_t group_, items_;
  Result &result_;
  std::vector<Lane> lanes_;
  std::vector<uint32_t> shared_[share_buffers];
  uint32_t tally_[tally_cells];
  Mask ended_;
};

} // namespace

uint64_t combine(Combine how, Type type, uint64_t a, uint64_t b) {
  switch (how) {
  case Combine::add:
    return narrow(type, a + b);
  case Combine::multiply:
    return narrow(type, a * b);
  case Combine::umin:
    return std::min(a, b);
  case Combine::umax:
    return std::max(a, b);
  case Combine::smin:
    return as_signed(type, a) < as_signed(type, b) ? a : b;
  case Combine::smax:
    return as_signed(type, a) > as_signed(type, b) ? a : b;
  case Combine::bit_and:
    return a & b;
  case Combine::bit_or:
    return a | b;
  case Combine::bit_xor:
    return a ^ b;
  }
  return a;
}

uint64_t identity(Combine how, Type type) {
  uint64_t all = type == Type::u64 ? UINT64_MAX : UINT32_MAX;
  switch (how) {
  case Combine::multiply:
    return 1;
  case Combine::umin:
  case Combine::bit_and:
    return type == Type::f32 ? float_mask : all;
  case Combine::smin:
    return all >> 1;
  case Combine::smax:
    return all - (all >> 1);
  default:
    return 0;
  }
}

Result initial_result(const Kernel &kernel) {
  Result result;
  result.output.assign(size_t(kernel.items()) * kernel.group_count() * kernel.output_words(),
                       0xa5a5a5a5a5a5a5a5);
  for (uint32_t cell = 0; cell < global_cells; ++cell)
    result.cells.push_back(cell_start(cell));
  return result;
}

Result interpret(const Kernel &kernel) {
  Result result = initial_result(kernel);
  for (uint32_t group = 0; group < kernel.group_count(); ++group)
    Group(kernel, group, result).run();
  return result;
}

} // namespace random_kernels
