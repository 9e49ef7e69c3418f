#include "generator.h"

#include "operations.h"

#include <algorithm>
#include <array>

namespace random_kernels {
namespace {

// Whom work-items wait for and share memory with: the driver compiles each in another way.
enum class Meeting : uint8_t { none, sub_groups, groups };

class Generator : Operations {
public:
  explicit Generator(uint64_t seed) : Operations(seed) {}

  Kernel run() {
    choose_shape();
    constexpr Meeting meetings[] = {Meeting::none,   Meeting::none,   Meeting::sub_groups,
                                    Meeting::groups, Meeting::groups, Meeting::groups};
    meeting_ = meetings[random_.below(std::size(meetings))];
    for (Type type : {Type::u32, Type::u32, Type::boolean})
      add_variable(type, true);
    for (Type type : {Type::u32, Type::u32, Type::boolean, Type::f32})
      add_variable(type, false);
    if (random_.one_in(2))
      add_variable(Type::u32, false);
    if (random_.one_in(2))
      add_variable(Type::u64, false);
    if (!is_alone()) {
      waits_ = random_.below(9) < 2;
      locks_ = random_.one_in(6);
      kernel_.backwards = waits_ && random_.one_in(2);
      if (waits_ && random_.one_in(2))
        kernel_.groups[0] = 1 + random_.below(6);
    }
    kernel_.arrays = is_alone() && random_.one_in(2) ? 0 : random_.below(3);
    kernel_.pointers = random_.below(3);
    choose_memory();
    budget_ = 6 + random_.below(random_.one_in(4) ? 40 : 18);
    Flow flow;
    if (is_alone() && (random_.one_in(3) || (begins_with_own_ && kernel_.restricted))) {
      // Straight through, to one place: the driver may store that past the caches. LLVM can tell where all accesses are in some of
      // those that begin with their own elements.
      budget_ = 1 + random_.below(5);
      flow.loops = max_loops;
      kernel_.arrays = 0;
      kernel_.writes_one = kernel_.side_by_side = true;
    }
    if (is_alone() && random_.one_in(3))
      kernel_.body.push_back(bounds());
    for (Statement &s : initial_values())
      kernel_.body.push_back(std::move(s));
    if (kernel_.columns)
      kernel_.body.push_back(update(flow));
    if (is_alone() && !kernel_.writes_one && random_.one_in(2))
      kernel_.body.push_back(strided_loop(flow));
    if (meeting_ == Meeting::groups && random_.one_in(6))
      kernel_.body.push_back(fill(flow));
    if (waits_ && random_.one_in(2))
      kernel_.body.push_back(wait(flow));
    while (budget_ > 0)
      append(kernel_.body, flow);
    if (waits_ && waits_of_kind_ == decltype(waits_of_kind_){})
      kernel_.body.push_back(wait(flow));
    if (locks_)
      kernel_.body.insert(kernel_.body.end() - random_.below(3), lock(flow));
    return std::move(kernel_);
  }

private:
  bool is_alone() const { return meeting_ == Meeting::none; }

  void choose_shape() {
    constexpr uint32_t lines[] = {1, 5, 16, 31, 32, 32, 33, 48, 64, 64, 70, 96, 100, 128};
    constexpr std::array<uint32_t, 3> boxes[] = {{8, 4, 1},  {5, 7, 1},  {16, 4, 1}, {3, 11, 1},
                                                 {32, 3, 1}, {1, 40, 1}, {4, 4, 2},  {3, 5, 4},
                                                 {2, 3, 7},  {8, 2, 4},  {5, 1, 9},  {64, 2, 1}};
    if (random_.one_in(2))
      kernel_.group_size[0] = lines[random_.below(std::size(lines))];
    else
      std::ranges::copy(boxes[random_.below(std::size(boxes))], kernel_.group_size);
    kernel_.groups[0] = 1 + random_.below(2);
    kernel_.groups[1] = random_.one_in(4) ? 2 : 1;
    kernel_.size_is_known = random_.one_in(3);
    kernel_.side_by_side = random_.one_in(2);
    kernel_.takes_struct = random_.one_in(3);
    constexpr uint32_t widths[] = {32, 32, 32, 32, 16, 8, 4};
    kernel_.sub_group_size = widths[random_.below(std::size(widths))];
    for (uint32_t &argument : kernel_.arguments)
      argument = random_.below(random_.one_in(2) ? 5 : 1000);
  }

  // By numbers of its own, so that kernels without such memory are what they were before there was any; the kernels that
  // CMakeLists.txt names are among these.
  void choose_memory() {
    Random random(kernel_.seed * 2 + 54);
    kernel_.restricted = random.one_in(2);
    if (!random.one_in(is_alone() ? 2 : 6))
      return;
    kernel_.columns = random.one_in(3) ? 1 + random.below(8) : max_columns - random.below(12);
    begins_with_own_ = random.one_in(2);
    const uint32_t item_or_column = random.below(2),
                   shorter = 1 + random.below(random.one_in(2) ? 1 : 3),
                   count =
                       item_or_column ? kernel_.items() * kernel_.group_count() : kernel_.columns;
    // In the longer step there is room for as many of the shorter one.
    kernel_.steps[item_or_column] = shorter * count + random.below(4);
    kernel_.steps[1 - item_or_column] = shorter;
    kernel_.step_type = StepType(random.below(3));
  }

  // Of all columns, or of some of them.
  Statement update(const Flow &flow) {
    const uint32_t count = random_.one_in(2) ? kernel_.columns : 1 + random_.below(kernel_.columns);
    return {.kind = StatementKind::update,
            .target = random_.below(kernel_.columns - count + 1),
            .number = count,
            .combine = random_.one_in(3) ? Combine::bit_xor : Combine::add,
            .a = expression(Type::u32, 2, false, flow)};
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
      if (begins_with_own_ && !is_uniform_[i])
        value = {.kind = own, .operands = {number(i % kernel_.columns)}};
      if (kernel_.variables[i] != Type::u32)
        value = {.kind = ExprKind::convert, .type = kernel_.variables[i], .operands = {value}};
      block.push_back({.kind = StatementKind::assign, .target = i, .a = value});
    }
    return block;
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
    if (kernel_.columns && random_.one_in(6))
      to.push_back(update(flow));
    else if (waits_ && nests && flow.uniform && flow.loops < 2 && can_wait(flow) &&
             random_.one_in(8))
      to.push_back(wait(flow));
    else if (locks_ && nests && !flow.is_locked && random_.one_in(12))
      to.push_back(lock(flow));
    else if (choice < 22)
      to.push_back(assignment(flow));
    else if (choice < 27 && kernel_.arrays)
      to.push_back({.kind = StatementKind::assign_array,
                    .target = random_.below(kernel_.arrays),
                    .a = expression(Type::u32, 1, false, flow),
                    .b = expression(Type::u32, 2, false, flow)});
    else if (choice < 30 && kernel_.pointers)
      to.push_back(pointer_assignment(flow));
    else if (choice < 33 && !kernel_.writes_one)
      to.push_back(store(flow));
    else if (choice < 36)
      to.push_back({.kind = StatementKind::global_atomic,
                    .number = random_.below(global_cells),
                    .a = expression(Type::u32, 2, false, flow)});
    else if (choice < 39 && meeting_ == Meeting::groups)
      to.push_back({.kind = StatementKind::tally_atomic,
                    .number = random_.below(tally_cells),
                    .a = expression(Type::u32, 2, false, flow)});
    else if (choice < 52 && nests)
      to.push_back(branch(flow));
    else if (choice < (is_alone() ? 70 : 64) && nests && flow.loops < max_loops)
      to.push_back(random_.one_in(is_alone() ? 2 : 4) ? strided_loop(flow) : loop(flow));
    else if (choice < 72 && nests)
      to.push_back(jump(flow));
    else if (is_alone())
      to.push_back(assignment(flow));
    else if (choice < 79 && flow.uniform && meeting_ == Meeting::groups)
      to.push_back(group_wide(flow));
    else if (choice < 84 && flow.uniform && meeting_ == Meeting::groups && nests &&
             flow.tables.size() < 2)
      to.push_back(fill(flow));
    else if (choice < 87 && flow.uniform && meeting_ == Meeting::groups && nests &&
             flow.shares < share_buffers)
      to.push_back(share(flow));
    else if (flow.operations && random_.one_in(3))
      to.push_back(hip_shuffle(flow));
    else if (flow.operations && random_.one_in(4))
      shuffled_sums(to, flow);
    else if (flow.operations && nests && random_.one_in(6))
      to.push_back(first_lanes(flow));
    else if (flow.operations)
      to.push_back(sub_group(flow));
    else
      to.push_back(assignment(flow));
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

  // What the first lanes of sub-groups, or of the work-group, exchange.
  Statement first_lanes(const Flow &flow) {
    Flow inner = flow;
    ++inner.depth;
    inner.uniform = false;
    const Expr id{.kind = random_.one_in(2) ? ExprKind::lane : ExprKind::local_id};
    const Expr end = random_.one_in(4) ? Expr{.kind = ExprKind::argument, .value = random_.below(2)}
                                       : number(1 + random_.below(kernel_.sub_group_size + 8));
    Statement s{.kind = StatementKind::if_else,
                .a = {.kind = ExprKind::less, .type = Type::boolean, .operands = {id, end}}};
    if (random_.one_in(2))
      s.body.push_back(assignment(inner));
    shuffled_sums(s.body, inner);
    if (random_.one_in(3))
      append(s.body, inner);
    if (random_.one_in(3))
      s.otherwise = block(inner, 2);
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

  // Each begins at its own number, and goes on by steps that all share.
  Statement strided_loop(const Flow &flow) {
    using enum ExprKind;
    // Mostly such as the driver takes a row of work-items through together.
    const bool regular = is_alone() && !random_.one_in(3);
    Flow inner = flow;
    ++inner.depth;
    ++inner.loops;
    inner.uniform = false;
    inner.jumps = !regular;
    inner.loop_is_uniform = false;
    const Type type = random_.one_in(4) ? Type::u64 : Type::u32;
    const uint32_t width = type == Type::u64 ? 64 : 32;
    auto of_type = [&](Expr e) {
      return type == Type::u32 ? e
                               : Expr{.kind = convert, .type = type, .operands = {std::move(e)}};
    };
    Statement s{.kind = StatementKind::strided_loop};
    s.form = random_.one_in(4) ? LoopForm::tested_last : LoopForm::counted;
    s.below = random_.one_in(2) ? Below::less : Below(random_.below(4));
    const bool known = regular || random_.one_in(2); // before the kernel begins
    auto low_bits = [&](uint64_t mask) {
      constexpr ExprKind kinds[] = {argument, argument, group_id, group_size, groups};
      const ExprKind kind = kinds[random_.below(std::size(kinds))];
      Expr common = known ? of_type({.kind = kind, .value = random_.below(2)})
                          : expression(type, 1, true, flow);
      return both_of(bit_and, std::move(common), constant_of(type, mask));
    };
    const bool is_signed = s.below == Below::less_signed || s.below == Below::less_equal_signed;
    s.number = !regular && random_.one_in(4);
    if (random_.one_in(8)) {
      // Numbers that overflow: by steps of a quarter of all numbers, in the last quarter soon.
      const uint64_t quarter = uint64_t(1) << (width - 2);
      const uint64_t apart = random_.next() & (4 * quarter - 1);
      s.start = known ? both_of(multiply, of_type({.kind = global_id}), constant_of(type, apart))
                      : expression(type, 2, false, flow);
      s.step = both_of(add, constant_of(type, quarter), low_bits(31));
      s.a = both_of(subtract, constant_of(type, (is_signed ? quarter : 3 * quarter) - 1),
                    low_bits(quarter - 1));
    } else {
      constexpr ExprKind ids[] = {local_id,  local_id,  global_id, global_id,
                                  global_id, linear_id, lane};
      const ExprKind id = ids[random_.below(std::size(ids))];
      const bool has_dimension = id == local_id || id == global_id;
      const uint64_t dimension = has_dimension && random_.one_in(6) ? random_.below(3) : 0;
      s.start = of_type({.kind = id, .value = dimension});
      if (random_.one_in(3))
        s.start = both_of(multiply, s.start, constant_of(type, 1 + random_.below(4)));
      if (random_.one_in(3))
        s.start = both_of(add, s.start, constant_of(type, random_.below(9)));
      if (random_.one_in(6))
        s.start = both_of(subtract, s.start, constant_of(type, random_.below(9)));
      switch (random_.below(4)) {
      case 0:
        s.step = constant_of(type, 1 + random_.below(4));
        break;
      case 1:
        s.step = of_type(both_of(multiply, {.kind = group_size}, {.kind = groups}));
        break;
      case 2:
        s.step = of_type({.kind = group_size});
        break;
      default:
        s.step = both_of(add, constant_of(type, 1), low_bits(63));
      }
      const Expr steps = low_bits(7);
      s.a = both_of(add, both_of(multiply, s.step, steps), low_bits(15));
    }
    s.b = constant_of(Type::boolean, 1);
    if (!regular && random_.one_in(3))
      s.b = condition(random_.one_in(2), flow);
    s.target = add_variable(type, false, true);
    // A sum of what lies side by side.
    const uint32_t sum = pick_target(Type::u32, false, inner);
    const Expr index{.kind = variable, .type = type, .value = s.target};
    const Expr at = type == Type::u32 ? index : Expr{.kind = convert, .operands = {index}};
    s.body = block(inner, 3);
    Expr read{.kind = input, .operands = {at}};
    if (!flow.tables.empty() && random_.one_in(2))
      read = {.kind = table, .value = flow.tables.back(), .operands = {at}};
    if (!random_.one_in(3))
      s.body.push_back({.kind = StatementKind::assign,
                        .target = sum,
                        .a = both_of(add, {.kind = variable, .value = sum}, read)});
    return s;
  }

  // Only who is inside does anything.
  Statement bounds() {
    using enum ExprKind;
    constexpr ExprKind ids[] = {local_id, global_id, global_id, linear_id};
    auto below = [&] {
      Expr id{.kind = ids[random_.below(std::size(ids))]};
      Expr end = random_.one_in(2) ? Expr{.kind = argument, .value = random_.below(2)}
                                   : number(random_.below(150));
      return Expr{.kind = less, .type = Type::boolean, .operands = {id, end}};
    };
    Expr inside = below();
    if (random_.one_in(3))
      inside = both_of(both, inside, below());
    return {.kind = StatementKind::jump,
            .jump = JumpKind::return_kernel,
            .a = {.kind = negate, .type = Type::boolean, .operands = {inside}}};
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
    } else if (waits_ || flow.is_locked || !random_.one_in(3)) {
      return assignment(flow); // few return, and none that others wait for
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

  // Places that lanes have to themselves, until others may read them.
  Statement fill(const Flow &flow) {
    Statement s{.kind = StatementKind::fill};
    s.number = flow.tables.empty() ? random_.below(2) : 1 - flow.tables[0];
    s.in_rows = random_.one_in(4);
    if (!s.in_rows && random_.one_in(3))
      s.form = LoopForm::tested_last;
    s.target = add_variable(Type::u32, false, true);
    s.b = random_.one_in(2) ? number(random_.below(table_words))
                            : expression(Type::u32, 2, true, flow);
    s.a = expression(Type::u32, 2, false, flow);
    const Expr index{.kind = ExprKind::variable, .value = s.target};
    if (random_.one_in(2))
      s.a = both_of(ExprKind::bit_xor, s.a, {.kind = ExprKind::input, .operands = {index}});
    if (!s.in_rows && random_.one_in(2))
      s.a = both_of(ExprKind::add, s.a,
                    {.kind = ExprKind::table, .value = s.number, .operands = {index}});
    Flow inner = flow;
    ++inner.depth;
    inner.tables.push_back(s.number);
    inner.jumps = false;
    s.body = block(inner, 4);
    return s;
  }

  enum WaitKind : uint8_t { relays, turns, looks_back };

  bool can_wait(const Flow &flow) const {
    return waits_of_kind_[relays] < wait_slots || waits_of_kind_[turns] < wait_slots ||
           (flow.depth == 0 && waits_of_kind_[looks_back] < wait_slots);
  }

  // Work-groups wait only where each comes once.
  Statement wait(const Flow &flow) {
    WaitKind kind;
    do
      kind = WaitKind(random_.below(3));
    while (waits_of_kind_[kind] == wait_slots || (kind == looks_back && flow.depth > 0));
    constexpr StatementKind kinds[] = {StatementKind::relay, StatementKind::turns,
                                       StatementKind::look_back};
    Statement s{.kind = kinds[kind], .number = waits_of_kind_[kind]++};
    const bool in_groups = meeting_ == Meeting::groups;
    s.wait.form = WaitForm(random_.below(4));
    s.wait.waiters = Waiters(random_.below(kind == looks_back && in_groups ? 4 : 3));
    s.wait.in_global = kind == looks_back || !in_groups || random_.one_in(2);
    s.wait.ends = kind != turns && random_.one_in(3);
    s.rounds = 1 + random_.below(3);
    s.target = pick_target(Type::u32, false, flow);
    Flow inner = flow;
    ++inner.depth;
    inner.uniform = flow.uniform && kind == looks_back;
    inner.jumps = false;
    if (kind == turns)
      ++inner.loops;
    s.body = block(inner, 4);
    s.a = both_of(ExprKind::add, {.kind = ExprKind::variable, .value = s.target},
                  expression(Type::u32, 2, false, flow));
    return s;
  }

  Statement lock(const Flow &flow) {
    Statement s{.kind = StatementKind::lock, .number = random_.below(locked_cells)};
    s.wait.waiters = flow.operations && !random_.one_in(3) ? Waiters::first : Waiters::each;
    s.wait.in_global = meeting_ != Meeting::groups || random_.one_in(2);
    s.wait.exchanges = random_.one_in(2);
    Flow inner = flow;
    ++inner.depth;
    inner.uniform = false;
    inner.jumps = false;
    inner.is_locked = true;
    inner.operations = s.wait.waiters == Waiters::first;
    if (random_.one_in(2))
      s.body = block(inner, 3);
    s.a = expression(Type::u32, 2, false, flow);
    return s;
  }

  Meeting meeting_ = Meeting::none;
  bool waits_ = false, locks_ = false;
  bool begins_with_own_ = false; // variables that differ between work-items
  std::array<uint32_t, 3> waits_of_kind_ = {};
  int budget_ = 0;
};

} // namespace

Kernel generate(uint64_t seed) { return Generator(seed).run(); }

} // namespace random_kernels
