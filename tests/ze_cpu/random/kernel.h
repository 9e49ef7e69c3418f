// A random kernel as data: what each work-item does, in an order of statements that three executions
// have to agree on.
//
// Sub-group operations in divergent flow: the lanes that take part are those that an execution of
// the statements in order, lane masks narrowing at branches and widening where they end, has active
// there. Lanes that continue meet the others at the end of the loop's body. That is what the
// driver's rules (the point that comes first in the program goes first, points of reconvergence at
// the ends of loop bodies; jit/sync_points.h) amount to. Reading from a lane that does not take part
// gives 0 (exec/lanes/exchange.h).
//
// The driver compiles kernels in other ways that have no work-group operations, or none at all; some
// have none, some of these go straight through, and many have loops whose work-items begin each at
// its own number (jit/grid_stride.h).
//
// In some kernels each work-item has elements of its own in memory of all, at distances that are arguments: LLVM vectorises such
// accesses by checks when the kernel runs, of distances and, unless pointers are restricted, of what overlaps.
//
// Sub-groups and work-groups that wait for each other do so in an order that is the same whoever runs first: `relay` and `turns` from
// one sub-group to the next, `look_back` from one work-group to the next. What is done under a `lock` is the same in any order. All
// that have begun such a kernel end it, so that nobody waits for who has gone.
//
// Not generated, because its meaning depends on how the compiler sees the program:
// - sub-group operations on the way out of a loop (in the body of a jump that breaks or returns):
//   such blocks are outside the loop, where lanes of different iterations meet;
// - barriers and work-group operations that only some of the lanes that have not ended reach;
// - sub-group operations of a lane that has a lock that others of its sub-group want.
// Lanes that have returned are not waited for, as on AMD's devices.
#pragma once

#include "../../support/random.h"

#include <cstdint>
#include <string>
#include <vector>

namespace random_kernels {

enum class Type : uint8_t { boolean, u32, u64, f32 };

constexpr uint32_t input_words = 256;
constexpr uint32_t array_length = 8;  // of each private array
constexpr uint32_t tally_cells = 4;   // atomics on work-group memory: one operation for each cell
constexpr uint32_t global_cells = 6;  // atomics on global memory: the same
constexpr uint32_t share_buffers = 2; // one for each depth of nested `share`
constexpr uint32_t max_items = 128;   // in a group
constexpr uint32_t table_words = 256; // of each table: in work-group memory, in global memory
constexpr uint32_t wait_slots = 2;    // statements of each kind that waits
constexpr uint32_t locked_cells =
    3; // written under a lock: those of all, and the same number of each group
constexpr uint32_t max_columns = 24;  // elements of a work-item's own
constexpr uint32_t float_mask = 4095; // floats are integers up to this one: all results are exact

enum class ExprKind : uint8_t {
  constant,
  variable, // value: which
  // The same for the whole work-group.
  group_id, // value: dimension, here and below
  group_size,
  groups,
  argument, // value: 0 or 1
  sub_group_count,
  // Different in each lane.
  local_id,
  global_id,
  linear_id,
  lane,
  sub_group_id,
  // Memory.
  input,   // in[a % input_words]
  array,   // arrays[value][a % array_length]
  pointer, // *pointers[value]
  shared,  // shared[value][a % items]: what a lane of the group shared
  table,   // table[value][a % table_words]
  own,     // own[a % columns]: an element of the work-item's
  // u32 and u64.
  add,
  subtract,
  multiply,
  divide, // by b | 1
  modulo, // the same
  bit_and,
  bit_or,
  bit_xor,
  shift_left, // by b % width
  shift_right,
  shift_right_signed,
  // f32; results are taken modulo float_mask + 1.
  float_add,
  float_multiply,
  // To `type`.
  convert,        // float_mask applies to f32
  convert_signed, // u32 to u64
  // To boolean.
  less,
  less_signed,
  equal,
  both,
  either,
  negate,
  // Any type.
  choose, // a ? b : c
};

struct Expr {
  ExprKind kind = ExprKind::constant;
  Type type = Type::u32;
  uint64_t value = 0;
  std::vector<Expr> operands = {};
  bool operator==(const Expr &) const = default;
};

enum class SubGroupOp : uint8_t {
  shuffle,
  shuffle_xor,
  shuffle_up,
  shuffle_down,
  rotate, // parameter is the same in the whole work-group
  broadcast,
  broadcast_first,
  ballot, // the first word
  any,
  all,
  all_equal,
  elect,
  reduce,
  inclusive_scan,
  exclusive_scan,
};

enum class Combine : uint8_t { add, umin, umax, smin, smax, bit_and, bit_or, bit_xor, multiply };

enum class LoopForm : uint8_t {
  counted,     // for (i = 0; i < count && condition; ++i)
  tested_last, // do ... while (++i < count && condition)
  tested_first // while (true) { if (i++ >= count || !condition) break; ... }: an empty latch
};

enum class Below : uint8_t { less, less_signed, less_equal, less_equal_signed };

enum class JumpKind : uint8_t { break_loop, continue_loop, return_kernel };

enum class StatementKind : uint8_t {
  assign,         // variable `target` = a
  assign_array,   // arrays[target][a % array_length] = b
  point_to_input, // pointers[target] = &in[a % input_words]
  point_to_array, // pointers[target] = &arrays[number][a % array_length]
  store,          // out[own part + number] = a
  if_else,        // a: condition
  loop,           // a: count, b: further condition
  strided_loop, // target = start; for (; target below a && b; target += step), or do ... while; then
                // target = 0, unless `number`
  jump,         // if (a) { body; jump; }
  sub_group,    // target = sub_group_op of a, with parameter b
  work_group,   // the same in the work-group
  barrier,
  share,         // shared[number][own] = a; barrier; body; barrier
  global_atomic, // cell `number`, value a
  tally_atomic,  // cell `number`, value a
  read_tally,    // barrier; target = cell `number`; barrier
  fill, // strided: for (target = start; target < b; target += step) table[number][target] = a; barrier; body; barrier
  relay,     // target = what the sub-group before has sent; body; send a to the next one
  turns,     // `rounds` times, one sub-group after the other: target = baton; body; baton = a
  look_back, // target = what the work-group before has sent; body; send a to the next one
  lock,      // lock; body; cell `number` combined with a; unlock
  update,    // own[c] = own[c] combined with a, for `number` columns c from `target` on
};

// In which numbers places of elements are computed; `i32` never overflow, and the compiler is told.
enum class StepType : uint8_t { u32, i32, u64 };

// How a wait reads what it waits for.
enum class WaitForm : uint8_t { atomic_load, volatile_load, atomic_add, fenced_load };
// Who of a sub-group does: each lane, one for all, or all with a vote in each round; of a work-group: one work-item for all.
enum class Waiters : uint8_t { each, first, votes, first_of_group };

struct Wait {
  WaitForm form = WaitForm::atomic_load;
  Waiters waiters = Waiters::each; // of `lock`: `each` for itself, or one for all
  bool in_global = true;           // what is waited for; else in work-group memory
  bool ends = false;               // sends before the body, and waits behind it
  bool exchanges = false;          // takes the lock by an exchange, and not by a comparison
  bool operator==(const Wait &) const = default;
};

struct Statement {
  StatementKind kind = StatementKind::assign;
  uint32_t target = 0;
  uint32_t number = 0; // also of reduce: cluster size; of broadcast: the lane
  LoopForm form = LoopForm::counted;
  Below below = Below::less;
  JumpKind jump = JumpKind::break_loop;
  SubGroupOp op = SubGroupOp::shuffle;
  Combine combine = Combine::add;
  Expr a = {}, b = {}, start = {}, step = {};
  bool in_rows = false; // fill: each sub-group a row of its own, by its lanes
  uint32_t rounds = 0;
  Wait wait = {};
  std::vector<Statement> body = {}, otherwise = {};
};
using Block = std::vector<Statement>;

struct Kernel {
  uint64_t seed = 0;
  uint32_t sub_group_size = 32;
  uint32_t group_size[3] = {1, 1, 1};
  bool size_is_known = false; // to the compiler
  uint32_t groups[3] = {1, 1, 1};
  /// What work-items write to the same slot of the output; else all of one.
  bool side_by_side = false;
  bool takes_struct = false; // of all that is passed to it
  uint32_t arguments[2] = {0, 0};
  std::vector<Type> variables; // begin as 0
  bool writes_one = false;     // variable at its end: v4
  uint32_t arrays = 0;         // of u32, begin as 0
  uint32_t pointers = 0;       // to u32, begin as &in[0]
  bool backwards = false;      // sub-groups wait for those behind them
  bool restricted = false;     // what it is passed does not overlap, and the compiler is told
  /// Elements that each work-item has of its own, in memory of all: `steps` from one work-item, and from one column, to the next
  /// are arguments. Which of them is the longer one only the kernel's caller knows.
  uint32_t columns = 0;
  uint32_t steps[2] = {0, 0};
  StepType step_type = StepType::u32;
  Block body;

  uint32_t items() const { return group_size[0] * group_size[1] * group_size[2]; }
  uint32_t group_count() const { return groups[0] * groups[1] * groups[2]; }
  uint32_t sub_groups() const { return (items() + sub_group_size - 1) / sub_group_size; }
  /// Of the table that a sub-group fills alone.
  uint32_t row_words() const { return table_words / sub_groups(); }
  /// The sub-group whose turn is the rank-th.
  uint32_t sub_group_of(uint32_t rank) const { return backwards ? sub_groups() - 1 - rank : rank; }
  /// 64-bit words of output for each work-item: first `store`s, then the variables and arrays, which
  /// lanes that did not return write at the end.
  uint32_t output_words() const;
  bool writes(size_t variable) const { return !writes_one || variable == 4; }
  /// Where in the output a work-item's slot is.
  size_t output_index(size_t item, uint32_t slot) const;
  /// Where an element of a work-item of the grid is, and how many there are with those between them.
  size_t own_index(size_t item, uint32_t column) const {
    return item * steps[0] + size_t(column) * steps[1];
  }
  size_t own_words() const {
    return columns ? own_index(size_t(items()) * group_count() - 1, columns - 1) + 1 : 0;
  }
  /// Whether it uses memory of the work-group.
  bool shares_memory() const;
  /// Whether it uses the table in work-group memory, or waits by means of that memory.
  bool has_table() const;
  bool waits_in_group() const;
};
constexpr uint32_t store_slots = 2;

/// Calls visit(statement) for each statement of a block, outer ones first.
template <class Visit> void for_each_statement(const Block &block, const Visit &visit) {
  for (const Statement &statement : block) {
    visit(statement);
    for_each_statement(statement.body, visit);
    for_each_statement(statement.otherwise, visit);
  }
}

/// Where the cells of a launch lie, in words: those of atomics, those of locks of all, these locks, and those of each group's locks.
constexpr uint32_t first_locked_cell = global_cells, first_lock = first_locked_cell + locked_cells,
                   first_group_cell = first_lock + locked_cells;

/// Memory of sub-groups that wait for each other, in words, of each work-group.
constexpr uint32_t relay_words =
                       32 * 9, // for each sub-group how often it has sent, and the last 8 values
    first_turn = relay_words * wait_slots,          // whose turn it is, and the baton
    first_group_lock = first_turn + 2 * wait_slots, // of work-group memory
    shared_value = first_group_lock + locked_cells, // what one work-item has waited for
    wait_words = shared_value + 1;
/// What each work-group has in global memory: a table, that memory, and what it has sent to the next work-group.
constexpr uint32_t first_wait_word = table_words, first_sent = first_wait_word + wait_words,
                   group_words = first_sent + 2 * wait_slots;

/// What the atomics on a cell do; of tally cells and of global cells.
Combine cell_operation(uint32_t cell);
/// What a cell begins as.
uint32_t cell_start(uint32_t cell);

/// The input that all kernels read.
uint32_t input_word(uint32_t index);

/// The kernel as one could have written it.
std::string to_string(const Kernel &kernel);

using Random = test::Random<uint32_t>;

} // namespace random_kernels
