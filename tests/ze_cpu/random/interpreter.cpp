#include "interpreter.h"

#include "values.h"

#include <algorithm>
#include <array>
#include <bitset>

namespace random_kernels {
namespace {

using Mask = std::bitset<max_items>;

struct Pointer {
  int array = -1; // -1: input
  uint32_t index = 0;
};

struct Lane {
  std::vector<uint64_t> variables;
  std::vector<uint32_t> arrays;
  std::vector<Pointer> pointers;
};

// What the work-group before has sent by each statement; the first gets 0.
using Sent = std::array<uint32_t, wait_slots>;

class Group {
public:
  Group(const Kernel &kernel, uint32_t group, Result &result, Sent &sent)
      : kernel_(kernel), group_(group), items_(kernel.items()), result_(result), sent_(sent),
        lanes_(items_, Lane{std::vector<uint64_t>(kernel.variables.size()),
                            std::vector<uint32_t>(kernel.arrays * array_length),
                            std::vector<Pointer>(kernel.pointers)}) {
    for (auto &buffer : shared_)
      buffer.resize(items_);
    for (uint32_t cell = 0; cell < tally_cells; ++cell)
      tally_[cell] = cell_start(cell);
    for (auto &table : tables_)
      table.resize(table_words);
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

  uint32_t &own_element(uint32_t lane, uint32_t column) const {
    return result_.own[kernel_.own_index(size_t(group_) * items_ + lane, column)];
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
    case table:
      return tables_[e.value][operand(0) % table_words];
    case own:
      return own_element(self, static_cast<uint32_t>(operand(0) % kernel_.columns));
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
    case fill:
      for_each(active, [&](uint32_t lane) { fill_table(s, lane); });
      return execute(s.body, active, continued);
    case relay:
      execute_relay(s, active);
      return active;
    case turns:
      for (uint32_t i = 0; i < s.rounds * kernel_.sub_groups(); ++i) {
        const Mask here = active & lanes_of(kernel_.sub_group_of(i % kernel_.sub_groups()));
        set_all(s.target, here, batons_[s.number]);
        execute(s.body, here, nullptr);
        batons_[s.number] = first_of(s.a, here);
      }
      return active;
    case look_back: {
      const uint32_t received = sent_[s.number];
      if (s.wait.ends)
        sent_[s.number] = first_of(s.a, active);
      else
        set_all(s.target, active, received);
      execute(s.body, active, nullptr);
      if (s.wait.ends)
        set_all(s.target, active, received);
      else
        sent_[s.number] = first_of(s.a, active);
      return active;
    }
    case update:
      for_each(active, [&](uint32_t lane) {
        const uint64_t value = evaluate(s.a, lane);
        for (uint32_t column = s.target; column < s.target + s.number; ++column) {
          uint32_t &element = own_element(lane, column);
          element = static_cast<uint32_t>(combine(s.combine, Type::u32, element, value));
        }
      });
      return active;
    case lock: {
      execute(s.body, active, nullptr);
      uint32_t &cell =
          result_.cells[s.number + (s.wait.in_global ? first_locked_cell
                                                     : first_group_cell + group_ * locked_cells)];
      for_each(active, [&](uint32_t lane) {
        cell = static_cast<uint32_t>(
            combine(cell_operation(s.number), Type::u32, cell, evaluate(s.a, lane)));
      });
      return active;
    }
    }
    return active;
  }

  void fill_table(const Statement &s, uint32_t lane) {
    const uint32_t row = kernel_.row_words(), width = kernel_.sub_group_size;
    uint64_t &index = lanes_[lane].variables[s.target];
    const uint64_t count = evaluate(s.b, lane) % (s.in_rows ? row + 1 : table_words),
                   first = s.in_rows ? lane / width * row : 0, step = s.in_rows ? width : items_;
    index = s.in_rows ? lane % width : lane;
    for (bool go_on = s.form == LoopForm::tested_last; go_on || index < count; index += step) {
      tables_[s.number][first + index] = static_cast<uint32_t>(evaluate(s.a, lane));
      go_on = false;
    }
    index = 0;
  }

  void execute_relay(const Statement &s, const Mask &active) {
    std::vector<uint32_t> sent(kernel_.sub_groups());
    if (s.wait.ends) {
      for (uint32_t i = 0; i < sent.size(); ++i)
        sent[i] = first_of(s.a, active & lanes_of(kernel_.sub_group_of(i)));
      execute(s.body, active, nullptr);
    }
    for (uint32_t i = 0; i < sent.size(); ++i) {
      const Mask here = active & lanes_of(kernel_.sub_group_of(i));
      set_all(s.target, here, i ? sent[i - 1] : 0);
      if (s.wait.ends)
        continue;
      execute(s.body, here, nullptr);
      sent[i] = first_of(s.a, here);
    }
  }

  Mask lanes_of(uint32_t number) const {
    const uint32_t width = kernel_.sub_group_size;
    Mask mask;
    for (uint32_t lane = number * width; lane < std::min(items_, (number + 1) * width); ++lane)
      mask.set(lane);
    return mask;
  }
  uint32_t first_of(const Expr &e, const Mask &lanes) const {
    return lanes.any() ? static_cast<uint32_t>(evaluate(e, uint32_t(lanes._Find_first()))) : 0;
  }
  void set_all(uint32_t variable, const Mask &lanes, uint32_t value) {
    for_each(lanes, [&](uint32_t lane) { set(variable, lane, value); });
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
  Sent &sent_;
  std::vector<Lane> lanes_;
  std::vector<uint32_t> shared_[share_buffers];
  uint32_t tally_[tally_cells];
  std::vector<uint32_t> tables_[2];
  uint32_t batons_[wait_slots] = {};
  Mask ended_;
};

} // namespace

Result initial_result(const Kernel &kernel) {
  Result result;
  result.output.assign(size_t(kernel.items()) * kernel.group_count() * kernel.output_words(),
                       0xa5a5a5a5a5a5a5a5);
  for (uint32_t cell = 0; cell < global_cells; ++cell)
    result.cells.push_back(cell_start(cell));
  for (uint32_t cell = 0; cell < locked_cells; ++cell)
    result.cells.push_back(cell_start(cell));
  result.cells.resize(first_group_cell); // the locks
  for (uint32_t cell = 0; cell < locked_cells * kernel.group_count(); ++cell)
    result.cells.push_back(cell_start(cell % locked_cells));
  for (size_t i = 0; i < kernel.own_words(); ++i)
    result.own.push_back(static_cast<uint32_t>(i * 0x9e3779b1));
  return result;
}

Result interpret(const Kernel &kernel) {
  Result result = initial_result(kernel);
  Sent sent{};
  for (uint32_t group = 0; group < kernel.group_count(); ++group)
    Group(kernel, group, result, sent).run();
  return result;
}

} // namespace random_kernels
