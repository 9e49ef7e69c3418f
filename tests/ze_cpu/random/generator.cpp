#include "generator.h"

#include <algorithm>
#include <array>

namespace random_kernels {
namespace {

// Where a statement stands.
struct Flow {
  bool uniform = true;            // all lanes of the work-group that have not ended are here
  bool operations = true;         // sub-group operations are allowed
  bool jumps = false;             // a loop is there to break or continue
  bool loop_is_uniform = false;   // only uniform jumps may leave it
  uint32_t loops = 0;             // that are around it
  uint32_t shares = 0;
  uint32_t depth = 0;
};

class Generator {
public:
  explicit Generator(uint64_t seed) : random_(seed * 2 + 1) { kernel_.seed = seed; }

  Kernel run() {
    choose_shape();
    for (Type type : {Type::u32, Type::u32, Type::boolean})
      add_variable(type, true);
    for (Type type : {Type::u32, Type::u32, Type::boolean, Type::f32})
      add_variable(type, false);
    if (random_.one_in(2))
      add_variable(Type::u32, false);
    if (random_.one_in(2))
      add_variable(Type::u64, false);
    kernel_.arrays = random_.below(3);
    kernel_.pointers = random_.below(3);
    budget_ = 6 + random_.below(random_.one_in(4) ? 40 : 18);
    kernel_.body = initial_values();
    while (budget_ > 0)
      append(kernel_.body, {});
    return std::move(kernel_);
  }

private:
  void choose_shape() {
    constexpr uint32_t lines[] = {1, 5, 16, 31, 32, 32, 33, 48, 64, 64, 70, 96, 100, 128};
    constexpr std::array<uint32_t, 3> boxes[] = {{8, 4, 1}, {5, 7, 1},  {16, 4, 1}, {3, 11, 1},
                                                 {32, 3, 1}, {1, 40, 1}, {4, 4, 2},  {3, 5, 4},
                                                 {2, 3, 7}, {8, 2, 4},  {5, 1, 9},  {64, 2, 1}};
    if (random_.one_in(2))
      kernel_.group_size[0] = lines[random_.below(std::size(lines))];
    else
      std::ranges::copy(boxes[random_.below(std::size(boxes))], kernel_.group_size);
    kernel_.groups[0] = 1 + random_.below(2);
    kernel_.groups[1] = random_.one_in(4) ? 2 : 1;
    kernel_.size_is_known = random_.one_in(3);
    constexpr uint32_t widths[] = {32, 32, 32, 32, 16, 8, 4};
    kernel_.sub_group_size = widths[random_.below(std::size(widths))];
    for (uint32_t &argument : kernel_.arguments)
      argument = random_.below(random_.one_in(2) ? 5 : 1000);
  }

  void add_variable(Type type, bool uniform) {
    kernel_.variables.push_back(type);
    is_uniform_.push_back(uniform);
  }

  // A variable of the type, or none: -1.
  int pick_variable(Type type, bool uniform) {
    std::vector<uint32_t> fitting;
    for (uint32_t i = 0; i < is_uniform_.size(); ++i)
      if (kernel_.variables[i] == type && is_uniform_[i] == uniform)
        fitting.push_back(i);
    return fitting.empty() ? -1 : int(fitting[random_.below(fitting.size())]);
  }

  // What may be assigned here: uniform variables only where all lanes do, the same.
  uint32_t pick_target(Type type, bool value_is_uniform, const Flow &flow) {
    if (value_is_uniform && flow.uniform && random_.one_in(2))
      if (int found = pick_variable(type, true); found >= 0)
        return uint32_t(found);
    int found = pick_variable(type, false);
    if (found < 0) {
      add_variable(type, false);
      found = int(is_uniform_.size()) - 1;
    }
    return uint32_t(found);
  }

  // Unknown to the compiler.
  Block initial_values() {
    Block block;
    for (uint32_t i = 0; i < kernel_.variables.size(); ++i) {
      using enum ExprKind;
      Expr at = number(random_.below(input_words));
      if (!is_uniform_[i])
        at = {.kind = add, .operands = {{.kind = linear_id}, at}};
      Expr value{.kind = input, .operands = {at}};
      if (kernel_.variables[i] != Type::u32)
        value = {.kind = ExprKind::convert, .type = kernel_.variables[i], .operands = {value}};
      block.push_back({.kind = StatementKind::assign, .target = i, .a = value});
    }
    return block;
  }

  Expr any_constant(Type type) {
    uint64_t value = random_.one_in(8) ? random_.next() : random_.below(9);
    if (type == Type::boolean)
      value &= 1;
    else if (type == Type::u32)
      value = static_cast<uint32_t>(value);
    else if (type == Type::f32)
      value &= float_mask;
    return {.kind = ExprKind::constant, .type = type, .value = value};
  }
  static Expr number(uint32_t value) { return {.kind = ExprKind::constant, .value = value}; }

  Expr leaf(Type type, bool uniform, const Flow &flow) {
    using enum ExprKind;
    if (type == Type::u32 && !uniform && random_.one_in(2)) {
      constexpr ExprKind kinds[] = {local_id, global_id, linear_id, linear_id,
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
    constexpr ExprKind kinds[] = {add,     add,    subtract, multiply,   divide,      modulo,
                                  bit_and, bit_or, bit_xor,  shift_left, shift_right, shift_right_signed};
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
    return {.kind = equal, .type = Type::boolean, .operands = {low, number(random_.below(mask + 1))}};
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

  Block block(const Flow &flow, uint32_t at_most) {
    Block result;
    for (uint32_t n = 1 + random_.below(at_most); n > 0 && budget_ > 0; --n)
      append(result, flow);
    return result;
  }

  void append(Block &to, const Flow &flow) {
    --budget_;
    uint32_t choice = random_.below(100);
    bool nests = flow.depth < 4;
    if (choice < 22)
      to.push_back(assignment(flow));
    else if (choice < 27 && kernel_.arrays)
      to.push_back({.kind = StatementKind::assign_array,
                    .target = random_.below(kernel_.arrays),
                    .a = expression(Type::u32, 1, false, flow),
                    .b = expression(Type::u32, 2, false, flow)});
    else if (choice < 30 && kernel_.pointers)
      to.push_back(pointer_assignment(flow));
    else if (choice < 33)
      to.push_back(store(flow));
    else if (choice < 36)
      to.push_back({.kind = StatementKind::global_atomic,
                    .number = random_.below(global_cells),
                    .a = expression(Type::u32, 2, false, flow)});
    else if (choice < 39)
      to.push_back({.kind = StatementKind::tally_atomic,
                    .number = random_.below(tally_cells),
                    .a = expression(Type::u32, 2, false, flow)});
    else if (choice < 52 && nests)
      to.push_back(branch(flow));
    else if (choice < 61 && nests && flow.loops < 3)
      to.push_back(loop(flow));
    else if (choice < 69 && nests)
      to.push_back(jump(flow));
    else if (choice < 77 && flow.uniform)
      to.push_back(group_wide(flow));
    else if (choice < 82 && flow.uniform && flow.shares < share_buffers && nests)
      to.push_back(share(flow));
    else if (flow.operations)
      to.push_back(sub_group(flow));
    else
      to.push_back(assignment(flow));
  }

  Type any_type() {
    constexpr Type types[] = {Type::u32, Type::u32, Type::u32, Type::u64, Type::f32, Type::boolean};
    return types[random_.below(std::size(types))];
  }

  Statement assignment(const Flow &flow) {
    Type type = any_type();
    bool uniform = flow.uniform && random_.one_in(3);
    uint32_t target = pick_target(type, uniform, flow);
    return {.kind = StatementKind::assign,
            .target = target,
            .a = expression(type, 3, is_uniform_[target], flow)};
  }

  Statement pointer_assignment(const Flow &flow) {
    bool to_array = kernel_.arrays && random_.one_in(2);
    return {.kind = to_array ? StatementKind::point_to_array : StatementKind::point_to_input,
            .target = random_.below(kernel_.pointers),
            .number = kernel_.arrays ? random_.below(kernel_.arrays) : 0,
            .a = expression(Type::u32, 2, false, flow)};
  }

  Statement store(const Flow &flow) {
    return {.kind = StatementKind::store,
            .number = random_.below(store_slots),
            .a = expression(any_type(), 2, false, flow)};
  }

  Statement branch(const Flow &flow) {
    Flow inner = flow;
    ++inner.depth;
    bool uniform = random_.one_in(3);
    inner.uniform = flow.uniform && uniform;
    Statement s{.kind = StatementKind::if_else, .a = condition(uniform, flow)};
    s.body = block(inner, 4);
    if (random_.one_in(2))
      s.otherwise = block(inner, 3);
    return s;
  }

  Statement loop(const Flow &flow) {
    Flow inner = flow;
    ++inner.depth;
    ++inner.loops;
    bool uniform = random_.one_in(2);
    inner.uniform = flow.uniform && uniform;
    inner.jumps = true;
    inner.loop_is_uniform = inner.uniform;
    Statement s{.kind = StatementKind::loop, .form = LoopForm(random_.below(3))};
    Expr few{.kind = ExprKind::bit_and,
             .operands = {expression(Type::u32, 1, uniform, flow), number(3)}};
    s.a = uniform && random_.one_in(3) ? number(1 + random_.below(4)) : few;
    if (random_.one_in(2))
      s.a = {.kind = ExprKind::add, .operands = {few, number(1)}};
    s.b = random_.one_in(3) ? condition(uniform, flow)
                            : Expr{.kind = ExprKind::constant, .type = Type::boolean, .value = 1};
    s.body = block(inner, 5);
    return s;
  }

  Statement jump(const Flow &flow) {
    Statement s{.kind = StatementKind::jump, .jump = JumpKind::return_kernel};
    bool uniform = random_.one_in(3);
    if (flow.jumps && !random_.one_in(5)) {
      s.jump = random_.one_in(2) ? JumpKind::break_loop : JumpKind::continue_loop;
      if (flow.loop_is_uniform) {
        if (!flow.uniform)
          return assignment(flow);
        uniform = true;
      }
    } else if (!random_.one_in(3)) {
      return assignment(flow); // few return
    }
    Flow inner = flow;
    ++inner.depth;
    inner.uniform = flow.uniform && uniform;
    // Only lanes that all leave in the same iteration meet nobody else outside the loop.
    if (flow.loops && s.jump != JumpKind::continue_loop && !inner.uniform)
      inner.operations = false;
    s.a = chance(uniform, flow);
    if (random_.one_in(2))
      s.body = block(inner, 2);
    return s;
  }

  Statement group_wide(const Flow &flow) {
    if (random_.one_in(5))
      return {.kind = StatementKind::barrier};
    if (random_.one_in(4))
      return {.kind = StatementKind::read_tally,
              .target = pick_target(Type::u32, true, flow),
              .number = random_.below(tally_cells)};
    Statement s{.kind = StatementKind::work_group};
    constexpr SubGroupOp ops[] = {SubGroupOp::any,       SubGroupOp::all,
                                  SubGroupOp::broadcast, SubGroupOp::reduce,
                                  SubGroupOp::reduce,    SubGroupOp::inclusive_scan,
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

  Statement share(const Flow &flow) {
    Statement s{.kind = StatementKind::share, .number = flow.shares};
    s.a = expression(Type::u32, 2, false, flow);
    Flow inner = flow;
    ++inner.depth;
    ++inner.shares;
    inner.jumps = false; // past the barrier at its end
    s.body = block(inner, 4);
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

  Random random_;
  Kernel kernel_;
  std::vector<bool> is_uniform_;
  int budget_ = 0;
};

} // namespace

Kernel generate(uint64_t seed) { return Generator(seed).run(); }

} // namespace random_kernels
