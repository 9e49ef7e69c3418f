#include "kernel.h"

#include <algorithm>
#include <format>

namespace random_kernels {
namespace {

const char *name_of(Type type) {
  constexpr const char *names[] = {"bool", "uint", "ulong", "float"};
  return names[static_cast<size_t>(type)];
}

const char *name_of(Combine combine) {
  constexpr const char *names[] = {"add",     "umin",   "umax",    "smin",    "smax",
                                   "bit_and", "bit_or", "bit_xor", "multiply"};
  return names[static_cast<size_t>(combine)];
}

const char *symbol_of(Below below) {
  constexpr const char *symbols[] = {"<", "<signed", "<=", "<=signed"};
  return symbols[static_cast<size_t>(below)];
}

std::string variable_name(uint32_t index) { return std::format("v{}", index); }

std::string text(const Expr &e) {
  auto operand = [&](size_t i) { return text(e.operands[i]); };
  auto infix = [&](const char *symbol) {
    return std::format("({} {} {})", operand(0), symbol, operand(1));
  };
  using enum ExprKind;
  switch (e.kind) {
  case constant:
    if (e.type == Type::boolean)
      return e.value ? "true" : "false";
    return std::format("{}{}", e.value,
                       e.type == Type::u64   ? "ul"
                       : e.type == Type::f32 ? ".f"
                                             : "");
  case variable:
    return variable_name(static_cast<uint32_t>(e.value));
  case group_id:
    return std::format("group_id({})", e.value);
  case group_size:
    return std::format("group_size({})", e.value);
  case groups:
    return std::format("groups({})", e.value);
  case argument:
    return std::format("argument{}", e.value);
  case sub_group_count:
    return "sub_group_count()";
  case local_id:
    return std::format("local_id({})", e.value);
  case global_id:
    return std::format("global_id({})", e.value);
  case linear_id:
    return "linear_id()";
  case lane:
    return "lane()";
  case sub_group_id:
    return "sub_group_id()";
  case input:
    return std::format("in[{} % {}]", operand(0), input_words);
  case array:
    return std::format("array{}[{} % {}]", e.value, operand(0), array_length);
  case pointer:
    return std::format("*p{}", e.value);
  case shared:
    return std::format("shared{}[{} % items]", e.value, operand(0));
  case table:
    return std::format("table{}[{} % {}]", e.value, operand(0), table_words);
  case own:
    return std::format("own[{} % columns]", operand(0));
  case add:
    return infix("+");
  case subtract:
    return infix("-");
  case multiply:
    return infix("*");
  case divide:
    return std::format("({} / ({} | 1))", operand(0), operand(1));
  case modulo:
    return std::format("({} % ({} | 1))", operand(0), operand(1));
  case bit_and:
    return infix("&");
  case bit_or:
    return infix("|");
  case bit_xor:
    return infix("^");
  case shift_left:
    return infix("<<");
  case shift_right:
    return infix(">>");
  case shift_right_signed:
    return infix(">>signed");
  case float_add:
    return infix("+");
  case float_multiply:
    return infix("*");
  case convert:
    return std::format("{}({})", name_of(e.type), operand(0));
  case convert_signed:
    return std::format("signed_{}({})", name_of(e.type), operand(0));
  case less:
    return infix("<");
  case less_signed:
    return infix("<signed");
  case equal:
    return infix("==");
  case both:
    return infix("&&");
  case either:
    return infix("||");
  case negate:
    return "!" + operand(0);
  case choose:
    return std::format("({} ? {} : {})", operand(0), operand(1), operand(2));
  }
  return "?";
}

std::string call_text(const Statement &s) {
  constexpr const char *names[] = {"shuffle",
                                   "shuffle_xor",
                                   "shuffle_up",
                                   "shuffle_down",
                                   "rotate",
                                   "broadcast",
                                   "broadcast_first",
                                   "ballot",
                                   "any",
                                   "all",
                                   "all_equal",
                                   "elect",
                                   "reduce",
                                   "inclusive_scan",
                                   "exclusive_scan"};
  std::string call = s.kind == StatementKind::work_group ? "work_group_" : "sub_group_";
  call += names[static_cast<size_t>(s.op)];
  switch (s.op) {
  case SubGroupOp::elect:
    return call + "()";
  case SubGroupOp::shuffle:
  case SubGroupOp::shuffle_xor:
  case SubGroupOp::shuffle_up:
  case SubGroupOp::shuffle_down:
  case SubGroupOp::rotate:
    return std::format("{}({}, {})", call, text(s.a), text(s.b));
  case SubGroupOp::broadcast:
    return std::format("{}({}, lane {})", call, text(s.a), s.number);
  case SubGroupOp::reduce:
    if (s.number)
      call += std::format("_clustered{}", s.number);
    [[fallthrough]];
  case SubGroupOp::inclusive_scan:
  case SubGroupOp::exclusive_scan:
    return std::format("{}_{}({})", call, name_of(s.combine), text(s.a));
  default:
    return std::format("{}({})", call, text(s.a));
  }
}

std::string text(const Wait &wait) {
  constexpr const char *forms[] = {"atomic load", "volatile load", "atomic add", "load and fence"};
  constexpr const char *waiters[] = {"each", "first", "votes", "first of the group"};
  return std::format("{}, {}, {} memory{}", forms[static_cast<size_t>(wait.form)],
                     waiters[static_cast<size_t>(wait.waiters)],
                     wait.in_global ? "global" : "work-group", wait.exchanges ? ", exchange" : "");
}

void print(const Block &block, int depth, std::string &out) {
  std::string indent(static_cast<size_t>(depth) * 2, ' ');
  auto line = [&](const std::string &content) { out += indent + content + "\n"; };
  auto nested = [&](const Block &inner) { print(inner, depth + 1, out); };
  for (const Statement &s : block) {
    using enum StatementKind;
    switch (s.kind) {
    case assign:
      line(std::format("{} = {};", variable_name(s.target), text(s.a)));
      break;
    case assign_array:
      line(std::format("array{}[{} % {}] = {};", s.target, text(s.a), array_length, text(s.b)));
      break;
    case point_to_input:
      line(std::format("p{} = &in[{} % {}];", s.target, text(s.a), input_words));
      break;
    case point_to_array:
      line(std::format("p{} = &array{}[{} % {}];", s.target, s.number, text(s.a), array_length));
      break;
    case store:
      line(std::format("out[{}] = {};", s.number, text(s.a)));
      break;
    case if_else:
      line(std::format("if ({}) {{", text(s.a)));
      nested(s.body);
      if (!s.otherwise.empty()) {
        line("} else {");
        nested(s.otherwise);
      }
      line("}");
      break;
    case loop:
      if (s.form == LoopForm::counted)
        line(std::format("for (i = 0, n = {}; i < n && {}; ++i) {{", text(s.a), text(s.b)));
      else if (s.form == LoopForm::tested_first)
        line(std::format("for (i = 0, n = {}; i++ < n && {};) {{", text(s.a), text(s.b)));
      else
        line(std::format("i = 0, n = {}; do {{", text(s.a)));
      nested(s.body);
      line(s.form == LoopForm::tested_last ? std::format("}} while (++i < n && {});", text(s.b))
                                           : "}");
      break;
    case strided_loop: {
      const std::string index = variable_name(s.target),
                        test = std::format("{} {} n && {}", index, symbol_of(s.below), text(s.b)),
                        step = std::format("{} += {}", index, text(s.step));
      line(std::format("{} = {}, n = {};", index, text(s.start), text(s.a)));
      line(s.form == LoopForm::tested_last ? "do {" : std::format("for (; {}; {}) {{", test, step));
      nested(s.body);
      line(s.form == LoopForm::tested_last ? std::format("}} while ({}, {});", step, test) : "}");
      if (!s.number)
        line(index + " = 0;");
      break;
    }
    case jump: {
      constexpr const char *names[] = {"break;", "continue;", "return;"};
      line(std::format("if ({}) {{", text(s.a)));
      nested(s.body);
      line(std::string("  ") + names[static_cast<size_t>(s.jump)]);
      line("}");
      break;
    }
    case sub_group:
    case work_group:
      line(std::format("{} = {};", variable_name(s.target), call_text(s)));
      break;
    case barrier:
      line("barrier();");
      break;
    case share:
      line(std::format("shared{}[linear_id()] = {};", s.number, text(s.a)));
      line("barrier(); {");
      nested(s.body);
      line("} barrier();");
      break;
    case global_atomic:
    case tally_atomic:
      line(std::format("atomic_{}(&{}{}, {});", name_of(cell_operation(s.number)),
                       s.kind == global_atomic ? "global" : "tally", s.number, text(s.a)));
      break;
    case read_tally:
      line(std::format("barrier(); {} = tally{}; barrier();", variable_name(s.target), s.number));
      break;
    case fill: {
      const std::string index = variable_name(s.target);
      line(std::format("for ({} = {}; {} < {}; {} += {}){} {}table{}[{}] = {};", index,
                       s.in_rows ? "lane()" : "linear_id()", index, text(s.b), index,
                       s.in_rows ? "sub_group_size" : "items",
                       s.form == LoopForm::tested_last ? " at least once" : "",
                       s.in_rows ? "row of the sub-group of " : "", s.number, index, text(s.a)));
      line("barrier(); {");
      nested(s.body);
      line("} barrier();");
      break;
    }
    case relay:
    case turns:
    case look_back: {
      const char *name = s.kind == relay   ? "sub-group before"
                         : s.kind == turns ? "turn"
                                           : "group before";
      const std::string take = std::format("{} = from {}{} ({});", variable_name(s.target), name,
                                           s.number, text(s.wait)),
                        give = std::format("send {};", text(s.a));
      line(s.kind == turns ? std::format("{} times {{", s.rounds) : "{");
      line("  " + (s.wait.ends ? give : take));
      nested(s.body);
      line("  " + (s.wait.ends ? take : give));
      line("}");
      break;
    }
    case update:
      line(std::format("for (c = {}; c < {}; ++c) own[c] = {}(own[c], {});", s.target,
                       s.target + s.number, name_of(s.combine), text(s.a)));
      break;
    case lock:
      line(std::format("lock{} ({}) {{", s.number, text(s.wait)));
      nested(s.body);
      line(std::format("  {} with {};", name_of(cell_operation(s.number)), text(s.a)));
      line("}");
      break;
    }
  }
}

std::string text_of_columns(const Kernel &kernel) {
  if (!kernel.columns)
    return {};
  constexpr const char *types[] = {"uint", "int", "ulong"};
  return std::format(", {} columns: own[c] = memory[item * {} + c * {}] in {}", kernel.columns,
                     kernel.steps[0], kernel.steps[1],
                     types[static_cast<size_t>(kernel.step_type)]);
}

template <class Is> bool any_statement(const Kernel &kernel, const Is &is) {
  bool found = false;
  for_each_statement(kernel.body, [&](const Statement &s) { found |= is(s); });
  return found;
}

} // namespace

bool Kernel::shares_memory() const {
  return any_statement(*this, [](const Statement &s) {
    using enum StatementKind;
    return s.kind == share || s.kind == tally_atomic || s.kind == read_tally;
  });
}

bool Kernel::has_table() const {
  return any_statement(
      *this, [](const Statement &s) { return s.kind == StatementKind::fill && s.number == 0; });
}

bool Kernel::waits_in_group() const {
  return any_statement(*this, [](const Statement &s) {
    using enum StatementKind;
    if (s.kind == look_back)
      return s.wait.waiters == Waiters::first_of_group;
    return (s.kind == relay || s.kind == turns || s.kind == lock) && !s.wait.in_global;
  });
}

size_t Kernel::output_index(size_t item, uint32_t slot) const {
  return side_by_side ? slot * size_t(items()) * group_count() + item
                      : item * output_words() + slot;
}

uint32_t Kernel::output_words() const {
  return store_slots + static_cast<uint32_t>(variables.size()) + arrays * array_length;
}

Combine cell_operation(uint32_t cell) {
  constexpr Combine operations[] = {Combine::add,  Combine::umin,   Combine::bit_xor,
                                    Combine::smax, Combine::bit_or, Combine::umax};
  return operations[cell];
}

uint32_t cell_start(uint32_t cell) {
  return cell_operation(cell) == Combine::umin ? 0x7fffffff : cell * 3;
}

uint32_t input_word(uint32_t index) {
  Random random(index + 77);
  // Small numbers make conditions and indexes that are alike now and then.
  uint64_t word = random.next();
  return static_cast<uint32_t>(index % 3 == 0 ? word & 7 : word);
}

std::string to_string(const Kernel &kernel) {
  std::string out = std::format(
      "// seed {}: groups {} x {} x {} of {} x {} x {}{}, sub-groups of {}, arguments {}, {}{}\n",
      kernel.seed, kernel.groups[0], kernel.groups[1], kernel.groups[2], kernel.group_size[0],
      kernel.group_size[1], kernel.group_size[2], kernel.size_is_known ? " (declared)" : "",
      kernel.sub_group_size, kernel.arguments[0], kernel.arguments[1],
      (kernel.side_by_side ? ", output side by side" : "") +
          std::string(kernel.writes_one ? " of v4" : "") +
          (kernel.takes_struct ? ", in a struct" : "") +
          (kernel.backwards ? ", sub-groups wait for later ones" : "") +
          (kernel.restricted ? ", restricted pointers" : "") + text_of_columns(kernel));
  for (uint32_t i = 0; i < kernel.variables.size(); ++i)
    out += std::format("{} {} = 0;{}", name_of(kernel.variables[i]), variable_name(i),
                       i + 1 == kernel.variables.size() ? "\n" : " ");
  for (uint32_t i = 0; i < kernel.arrays; ++i)
    out += std::format("uint array{}[{}] = {{}};\n", i, array_length);
  for (uint32_t i = 0; i < kernel.pointers; ++i)
    out += std::format("uint *p{} = &in[0];\n", i);
  print(kernel.body, 0, out);
  return out;
}

} // namespace random_kernels
