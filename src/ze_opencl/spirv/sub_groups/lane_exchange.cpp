#include "lane_exchange.h"

#include "../opcodes.h"
#include "hip_names.h"
#include "uniformity.h"

#include <algorithm>
#include <bit>
#include <format>

namespace ze_opencl {

using namespace spirv;

namespace {

enum : uint32_t { reduce = 0, inclusive_scan = 1, exclusive_scan = 2, clustered_reduce = 3 };

bool is_operation(uint16_t op) {
  return (op >= op_group_first && op <= op_group_last) ||
         (op >= op_group_non_uniform_first && op <= op_group_non_uniform_last) ||
         op == op_group_rotate || (op >= op_subgroup_first && op <= op_subgroup_last) ||
         op == op_control_barrier;
}

/// Whether only those of scope Subgroup are meant: the others name none.
bool has_scope(uint16_t op) { return op < op_subgroup_first; }

/// OpGroupIAdd and its like as the instruction for non-uniform groups.
uint16_t as_non_uniform(uint16_t op) {
  constexpr uint16_t first = 264, same[] = {op_group_non_uniform_i_add, op_group_non_uniform_f_add,
                                            op_group_non_uniform_f_min, op_group_non_uniform_u_min,
                                            op_group_non_uniform_s_min, op_group_non_uniform_f_max,
                                            op_group_non_uniform_u_max, op_group_non_uniform_s_max};
  return op >= first && op <= op_group_last ? same[op - first] : op;
}

/// What joins two values: an instruction, or a comparison that says which of them to keep.
struct Join {
  uint16_t op;
  bool is_choice;
  uint64_t identity; // of `width` bits; the values of bool are 0 and 1
};

Join join_of(uint16_t fold, uint32_t width) {
  const uint64_t ones = ~uint64_t{0} >> (64 - width), sign = uint64_t{1} << (width - 1);
  const uint64_t infinity = width == 64 ? 0x7ff0000000000000 : 0x7f800000;
  switch (fold) {
  case op_group_non_uniform_i_add:
    return {op_i_add, false, 0};
  case op_group_non_uniform_f_add:
    return {op_f_add, false, 0};
  case op_group_non_uniform_i_mul:
    return {op_i_mul, false, 1};
  case op_group_non_uniform_f_mul:
    return {op_f_mul, false, width == 64 ? 0x3ff0000000000000u : 0x3f800000u};
  case op_group_non_uniform_s_min:
    return {op_s_less_than, true, ones ^ sign};
  case op_group_non_uniform_u_min:
    return {op_u_less_than, true, ones};
  case op_group_non_uniform_f_min:
    return {op_f_ord_less_than, true, infinity};
  case op_group_non_uniform_s_max:
    return {op_s_greater_than, true, sign};
  case op_group_non_uniform_u_max:
    return {op_u_greater_than, true, 0};
  case op_group_non_uniform_f_max:
    return {op_f_ord_greater_than, true, infinity | sign};
  case op_group_non_uniform_bitwise_and:
    return {op_bitwise_and, false, ones};
  case op_group_non_uniform_logical_and:
    return {op_bitwise_and, false, 1};
  case op_group_non_uniform_bitwise_xor:
  case op_group_non_uniform_logical_xor:
    return {op_bitwise_xor, false, 0};
  default:
    return {op_bitwise_or, false, 0};
  }
}

} // namespace

LaneExchange::LaneExchange(std::span<const ParsedInstruction> module,
                           const std::map<uint32_t, uint32_t> &numbers, const Abilities &abilities)
    : numbers_(numbers) {
  const auto is_wanted = [&](const ParsedInstruction &instruction) {
    return is_operation(instruction.op) &&
           (operation_of(instruction) || unsupported(instruction, std::nullopt));
  };
  if (abilities.sub_groups || std::ranges::none_of(module, is_wanted))
    return;
  std::set<uint32_t> kernels;
  std::map<uint32_t, std::span<const uint32_t>> function_types;
  for (const ParsedInstruction &instruction : module) {
    if (instruction.op == op_entry_point)
      kernels.insert(instruction.operand(1));
    if (instruction.op >= op_type_bool && instruction.op <= op_type_float)
      types_[instruction.result] = {instruction.op,
                                    instruction.op == op_type_bool ? 1 : instruction.operand(1)};
    if (instruction.op == op_type_function)
      function_types[instruction.result] = instruction.operands().subspan(1);
    if (instruction.op == op_function)
      if (const auto type = function_types.find(instruction.operand(3));
          type != function_types.end())
        function_types_[instruction.result] = {type->second.begin(), type->second.end()};
    if (instruction.type != 0)
      value_types_[instruction.result] = instruction.type;
    if (instruction.op == op_constant_true)
      true_.insert(instruction.result);
    if (instruction.function != 0)
      for (const size_t place : instruction.id_places)
        used_.insert(instruction.words[place]);
  }
  const UniformDeclarations declarations(module);
  for (auto begin = module.begin(); begin != module.end(); ++begin) {
    if (begin->op != op_function)
      continue;
    const auto end = std::find_if(begin, module.end(), [](const ParsedInstruction &instruction) {
      return instruction.op == op_function_end;
    });
    const std::span function(begin, end);
    if (std::ranges::any_of(function, is_wanted))
      take_function(function, kernels.contains(begin->result), declarations);
    begin = end;
    if (end == module.end())
      break;
  }
}

void LaneExchange::take_function(std::span<const ParsedInstruction> function, bool is_kernel,
                                 const UniformDeclarations &declarations) {
  std::optional<Uniformity> uniformity;
  if (is_kernel)
    uniformity.emplace(function, declarations);
  for (size_t i = 0; i < function.size(); ++i) {
    const ParsedInstruction &instruction = function[i];
    const auto operation = operation_of(instruction);
    auto refused = unsupported(instruction, operation);
    const auto because = [&](const char *why) {
      return std::format("it uses {} {}, and the device has no sub-groups", name_of(instruction),
                         why);
    };
    if (!refused && operation && !is_kernel) {
      called_.insert(function[0].result);
      refused = because("in a function that cannot be inlined");
    } else if (!refused && operation && !uniformity->is_reached_alike(i)) {
      in_branches_[key(instruction)] = *operation;
      refused = because("where not all threads of a block are known to come, behind a branch or "
                        "in a loop that depends on the thread");
    }
    if (refused) {
      refused_[key(instruction)] = std::move(*refused);
    } else if (operation) {
      replaced_[key(instruction)] = *operation;
      if (operation->kind != Kind::barrier)
        slots_[function[0].result] = 0;
    }
  }
}

std::optional<std::string> LaneExchange::refusal(const ParsedInstruction &instruction) const {
  const auto refused = refused_.find(key(instruction));
  return refused == refused_.end() ? std::nullopt : std::optional(refused->second);
}

std::optional<LaneExchange::Neutral>
LaneExchange::in_branch(const ParsedInstruction &instruction) const {
  const auto found = in_branches_.find(key(instruction));
  if (found == in_branches_.end())
    return std::nullopt;
  constexpr size_t predicate = 4;
  switch (found->second.kind) {
  case Kind::barrier:
  case Kind::shuffle:
  case Kind::shuffle_xor:
  case Kind::shuffle_up:
  case Kind::shuffle_down:
    return Neutral{0, 0, false};
  case Kind::ballot:
  case Kind::any:
  case Kind::all:
    return Neutral{predicate, value_types_.at(found->second.value),
                   found->second.kind == Kind::all};
  default:
    return std::nullopt;
  }
}

std::optional<LaneExchange::Operation>
LaneExchange::operation_of(const ParsedInstruction &instruction) const {
  const uint16_t op = instruction.op;
  const auto number = [&](uint32_t id) {
    const auto found = numbers_.find(id);
    return found == numbers_.end() ? 0 : found->second;
  };
  if (!is_operation(op))
    return std::nullopt;
  if (has_scope(op) &&
      number(instruction.operand(op == op_control_barrier ? 0 : 2)) != scope_subgroup)
    return std::nullopt;
  const uint32_t value = instruction.operand(3), lane = instruction.operand(4);
  switch (op) {
  case op_control_barrier:
    return Operation{Kind::barrier};
  case op_group_non_uniform_elect:
    return Operation{Kind::elect};
  case op_group_all:
  case op_group_non_uniform_all:
    return Operation{Kind::all, value};
  case op_group_any:
  case op_group_non_uniform_any:
    return Operation{Kind::any, value};
  case op_group_non_uniform_all_equal:
    return Operation{Kind::all_equal, value};
  case op_group_non_uniform_broadcast_first:
    return Operation{Kind::first, value};
  case op_group_non_uniform_ballot:
    return Operation{Kind::ballot, value};
  case op_group_broadcast:
  case op_group_non_uniform_broadcast:
  case op_group_non_uniform_shuffle:
    return Operation{Kind::shuffle, value, lane};
  case op_group_non_uniform_shuffle_xor:
    return Operation{Kind::shuffle_xor, value, lane};
  case op_group_non_uniform_shuffle_up:
    return Operation{Kind::shuffle_up, value, lane};
  case op_group_non_uniform_shuffle_down:
    return Operation{Kind::shuffle_down, value, lane};
  case op_subgroup_shuffle:
    return Operation{Kind::shuffle, instruction.operand(2), value};
  case op_subgroup_shuffle_xor:
    return Operation{Kind::shuffle_xor, instruction.operand(2), value};
  default:
    if (const uint16_t fold = as_non_uniform(op);
        fold >= op_group_non_uniform_i_add && fold <= op_group_non_uniform_logical_xor)
      return Operation{Kind::fold, instruction.operand(4), 0,
                       fold,       instruction.operand(3), number(instruction.operand(5))};
    return std::nullopt;
  }
}

/// HIP makes ballots of several functions, which differ in what becomes of them.
std::string LaneExchange::name_of(const ParsedInstruction &instruction) const {
  if (instruction.op == op_group_non_uniform_ballot && !used_.contains(instruction.result))
    return "__syncwarp";
  if (instruction.op == op_group_non_uniform_ballot && true_.contains(instruction.operand(3)))
    return "__activemask";
  return hip_name(instruction.op);
}

/// Why the instruction is refused wherever it stands.
std::optional<std::string>
LaneExchange::unsupported(const ParsedInstruction &instruction,
                          const std::optional<Operation> &operation) const {
  const auto named = [&](const char *what) {
    return std::format("it uses {}{}, and the device has no sub-groups", name_of(instruction),
                       what);
  };
  if (!operation) {
    const auto scope = numbers_.find(instruction.operand(2));
    const bool is_one = is_operation(instruction.op) && instruction.op != op_control_barrier &&
                        (!has_scope(instruction.op) ||
                         (scope != numbers_.end() && scope->second == scope_subgroup));
    return is_one ? std::optional(named("")) : std::nullopt;
  }
  const auto is_scalar = [&](uint32_t id) {
    const Type type = type_of(id);
    return type.op == op_type_bool ||
           (type.op == op_type_int && type.width >= 8 && type.width <= 64) ||
           (type.op == op_type_float && (type.width == 32 || type.width == 64));
  };
  if (operation->value != 0 && !is_scalar(operation->value))
    return named(" with what is no number of up to 64 bits");
  if (operation->lane != 0 && type_of(operation->lane).op != op_type_int)
    return named(" with a lane that is no integer");
  const bool is_clustered = operation->group_operation == clustered_reduce;
  if (operation->group_operation > clustered_reduce ||
      (is_clustered && !std::has_single_bit(operation->cluster_size)))
    return named(" with parts of sub-groups");
  return std::nullopt;
}

LaneExchange::Type LaneExchange::type_of(uint32_t value) const {
  const auto id = value_types_.find(value);
  const auto type = id == value_types_.end() ? types_.end() : types_.find(id->second);
  return type == types_.end() ? Type{0, 0} : type->second;
}

/// Which fold the operation needs: what joins two values, and their type. bool is joined as a number.
std::optional<std::pair<uint16_t, uint32_t>>
LaneExchange::fold_of(const Operation &operation) const {
  switch (operation.kind) {
  case Kind::fold: {
    const bool is_number = type_of(operation.value).op != op_type_bool;
    return std::pair(operation.fold, is_number ? value_types_.at(operation.value) : type_u64_);
  }
  case Kind::ballot:
  case Kind::any:
  case Kind::all:
  case Kind::all_equal:
    return std::pair<uint16_t, uint32_t>(op_group_non_uniform_bitwise_or, type_u64_);
  default:
    return std::nullopt;
  }
}

void LaneExchange::declare(Assembler &out, TypeTable &types, uint32_t type_u64) {
  type_u64_ = type_u64;
  types_[type_u64] = {op_type_int, 64};
  type_u32_ = types.find(out, op_type_int, {32, 0});
  type_bool_ = types.find(out, op_type_bool, {});
  type_slots_ = types.find(out, op_type_pointer, {storage_workgroup, type_u64});
  const auto constant = [&](uint32_t type, uint32_t width, uint64_t value) {
    return width > 32 ? out.make(op_constant, type, {uint32_t(value), uint32_t(value >> 32)})
                      : out.make(op_constant, type, {uint32_t(value)});
  };
  const auto number = [&](uint64_t value) { return constant(type_u64, 64, value); };
  zero_ = number(0);
  one_ = number(1);
  half_ = number(32);
  none_ = constant(type_u32_, 32, 0);
  workgroup_ = constant(type_u32_, 32, scope_workgroup);
  constexpr uint32_t acquire_release = 0x8, workgroup_memory = 0x100,
                     cross_workgroup_memory = 0x200;
  semantics_ = constant(type_u32_, 32, acquire_release | workgroup_memory | cross_workgroup_memory);
  for (const auto &[instruction, operation] : replaced_) {
    if (operation.group_operation == clustered_reduce)
      for (uint32_t size = operation.cluster_size; size != 0; size /= 2) // or the sub-group's
        if (!clusters_.contains(size))
          clusters_[size] = {number(~uint64_t{size - 1}), number(size)};
    const auto fold = fold_of(operation);
    if (!fold || folds_.contains(*fold))
      continue;
    const auto [op, type] = *fold;
    const uint32_t width = types_.at(type).width;
    folds_[*fold] = {out.new_id(),
                     types.find(out, op_type_function, {type, type_slots_, type_u64, type_u64}),
                     constant(type, width, join_of(op, width).identity)};
  }
  for (auto &[kernel, slots] : slots_) {
    std::vector<uint32_t> &operands = function_types_.at(kernel);
    operands.push_back(type_slots_);
    operands = {types.find(out, op_type_function, operands)};
    slots = out.new_id();
  }
  unwritten_ = slots_;
}

void LaneExchange::write_function(Assembler &out, const ParsedInstruction &function) const {
  out.add(op_function, {function.type, function.result, function.operand(2),
                        function_types_.at(function.result).front()});
}

void LaneExchange::before(Assembler &out, const ParsedInstruction &instruction) {
  const auto slots = unwritten_.find(instruction.function);
  if (instruction.op != op_label || slots == unwritten_.end())
    return;
  out.add(op_function_parameter, {type_slots_, slots->second});
  unwritten_.erase(slots);
}

void LaneExchange::barrier(Assembler &out) const {
  out.add(op_control_barrier, {workgroup_, workgroup_, semantics_});
}

uint32_t LaneExchange::slot(Assembler &out, uint32_t slots, uint32_t index) const {
  return out.make(op_in_bounds_ptr_access_chain, type_slots_, {slots, index});
}

/// Writes a slot's worth to the own slot, and waits until all have done so.
void LaneExchange::tell(Assembler &out, uint32_t slots, const Place &place, uint32_t value) const {
  out.add(op_store, {slot(out, slots, place.index), value});
  barrier(out);
}

/// The slot of a lane; the own one if there is no such lane.
uint32_t LaneExchange::read(Assembler &out, uint32_t slots, const Place &place,
                            uint32_t lane) const {
  const uint32_t exists = out.make(op_u_less_than, type_bool_, {lane, place.count});
  const uint32_t index = out.make(op_select, type_u64_,
                                  {exists, binary(out, op_i_add, place.first, lane), place.index});
  return out.make(op_load, type_u64_, {slot(out, slots, index)});
}

uint32_t LaneExchange::to_slot(Assembler &out, uint32_t value) const {
  const Type type = type_of(value);
  if (type.op == op_type_bool)
    return out.make(op_select, type_u64_, {value, one_, zero_});
  if (type.op == op_type_float && type.width == 64)
    return out.make(op_bitcast, type_u64_, {value});
  if (type.op == op_type_float)
    value = out.make(op_bitcast, type_u32_, {value});
  return type.width == 64 ? value : out.make(op_u_convert, type_u64_, {value});
}

/// The value that was written to a slot, as `result`.
void LaneExchange::from_slot(Assembler &out, uint32_t slot, uint32_t type_id,
                             uint32_t result) const {
  const Type type = types_.at(type_id);
  if (type.op == op_type_bool)
    out.add(op_i_not_equal, {type_id, result, slot, zero_});
  else if (type.op == op_type_float && type.width == 64)
    out.add(op_bitcast, {type_id, result, slot});
  else if (type.op == op_type_float)
    out.add(op_bitcast, {type_id, result, out.make(op_u_convert, type_u32_, {slot})});
  else if (type.width == 64)
    out.add(op_bitwise_or, {type_id, result, slot, slot});
  else
    out.add(op_u_convert, {type_id, result, slot});
}

/// The values of the slots from `begin` to `end`, joined.
uint32_t LaneExchange::joined(Assembler &out, const Operation &operation, uint32_t slots,
                              uint32_t begin, uint32_t end) const {
  const auto fold = *fold_of(operation);
  return out.make(op_function_call, fold.second, {folds_.at(fold).function, slots, begin, end});
}

void LaneExchange::write(Assembler &out, const ParsedInstruction &instruction,
                         const ComputedBuiltIns &built_ins, uint32_t size) const {
  const Operation &operation = replaced_.at(key(instruction));
  const uint32_t result = instruction.result, type = instruction.type;
  if (operation.kind == Kind::barrier) {
    // What it orders stays, for no fewer than wait.
    const auto scope = numbers_.find(instruction.operand(1));
    const bool is_wider = scope != numbers_.end() && scope->second < scope_workgroup;
    out.add(op_control_barrier,
            {workgroup_, is_wider ? instruction.operand(1) : workgroup_, instruction.operand(2)});
    return;
  }
  if (!used_.contains(result)) { // they only wait for each other: __syncwarp
    barrier(out);
    out.add(op_undef, {type, result});
    return;
  }
  const uint32_t slots = slots_.at(instruction.function);
  const Place place = built_ins.place(out, size);
  const auto wide = [&](uint32_t lane) { return to_slot(out, lane); };
  const auto shuffle = [&](auto from) {
    tell(out, slots, place, to_slot(out, operation.value));
    from_slot(out, read(out, slots, place, from()), type, result);
  };
  const uint32_t end = binary(out, op_i_add, place.first, place.count);
  const auto vote = [&](uint32_t told) {
    tell(out, slots, place, told);
    return joined(out, operation, slots, place.first, end);
  };
  switch (operation.kind) {
  case Kind::barrier:
    return;
  case Kind::elect:
    out.add(op_i_equal, {type, result, place.lane, zero_});
    return;
  case Kind::first:
    shuffle([&] { return zero_; });
    break;
  case Kind::shuffle:
    shuffle([&] { return wide(operation.lane); });
    break;
  case Kind::shuffle_xor:
    shuffle([&] { return binary(out, op_bitwise_xor, place.lane, wide(operation.lane)); });
    break;
  case Kind::shuffle_up:
    shuffle([&] { return binary(out, op_i_sub, place.lane, wide(operation.lane)); });
    break;
  case Kind::shuffle_down:
    shuffle([&] { return binary(out, op_i_add, place.lane, wide(operation.lane)); });
    break;
  case Kind::ballot: {
    const uint32_t bit = binary(out, op_shift_left_logical, one_, place.lane);
    const uint32_t bits = vote(out.make(op_select, type_u64_, {operation.value, bit, zero_}));
    const uint32_t low = out.make(op_u_convert, type_u32_, {bits});
    const uint32_t high =
        out.make(op_u_convert, type_u32_, {binary(out, op_shift_right_logical, bits, half_)});
    out.add(op_composite_construct, {type, result, low, high, none_, none_});
    break;
  }
  case Kind::any:
    out.add(op_i_not_equal, {type, result, vote(to_slot(out, operation.value)), zero_});
    break;
  case Kind::all:
    out.add(op_i_equal,
            {type, result, vote(out.make(op_select, type_u64_, {operation.value, zero_, one_})),
             zero_});
    break;
  case Kind::all_equal: {
    tell(out, slots, place, to_slot(out, operation.value));
    const uint32_t value_type = value_types_.at(operation.value);
    const uint32_t other = out.new_id();
    from_slot(out, read(out, slots, place, zero_), value_type, other);
    barrier(out);
    const uint16_t op = types_.at(value_type).op;
    const uint32_t differs = out.make(op == op_type_bool    ? op_logical_not_equal
                                      : op == op_type_float ? op_f_unord_not_equal
                                                            : op_i_not_equal,
                                      type_bool_, {operation.value, other});
    out.add(op_i_equal,
            {type, result, vote(out.make(op_select, type_u64_, {differs, one_, zero_})), zero_});
    break;
  }
  case Kind::fold: {
    tell(out, slots, place, to_slot(out, operation.value));
    uint32_t begin = place.first, behind = end;
    if (operation.group_operation == inclusive_scan)
      behind = binary(out, op_i_add, place.index, one_);
    if (operation.group_operation == exclusive_scan)
      behind = place.index;
    if (operation.group_operation == clustered_reduce) {
      const auto [mask, length] = clusters_.at(std::min(operation.cluster_size, size));
      begin = binary(out, op_bitwise_and, place.index, mask);
      const uint32_t all = binary(out, op_i_add, begin, length);
      const uint32_t is_partial = out.make(op_u_less_than, type_bool_, {end, all});
      behind = out.make(op_select, type_u64_, {is_partial, end, all});
    }
    const auto fold = *fold_of(operation);
    if (fold.second == type && type_of(operation.value).op != op_type_bool)
      out.add(op_function_call, {type, result, folds_.at(fold).function, slots, begin, behind});
    else
      from_slot(out, joined(out, operation, slots, begin, behind), type, result);
    break;
  }
  }
  barrier(out); // nobody writes the next value before all have read this one
}

void LaneExchange::write_folds(Assembler &out) const {
  for (const auto &[key, fold] : folds_) {
    const auto [op, type] = key;
    const Join join = join_of(op, types_.at(type).width);
    const uint32_t slots = out.new_id(), begin = out.new_id(), end = out.new_id();
    const uint32_t entry = out.new_id(), head = out.new_id(), body = out.new_id(),
                   done = out.new_id();
    const uint32_t next = out.new_id(), next_value = out.new_id(), told = out.new_id();
    constexpr uint32_t no_control = 0;
    out.add(op_function, {type, fold.function, no_control, fold.function_type});
    out.add(op_function_parameter, {type_slots_, slots});
    out.add(op_function_parameter, {type_u64_, begin});
    out.add(op_function_parameter, {type_u64_, end});
    out.add(op_label, {entry});
    out.add(op_branch, {head});
    out.add(op_label, {head});
    const uint32_t index = out.make(op_phi, type_u64_, {begin, entry, next, body});
    const uint32_t value = out.make(op_phi, type, {fold.identity, entry, next_value, body});
    const uint32_t more = out.make(op_u_less_than, type_bool_, {index, end});
    out.add(op_branch_conditional, {more, body, done});
    out.add(op_label, {body});
    from_slot(out, out.make(op_load, type_u64_, {slot(out, slots, index)}), type, told);
    if (join.is_choice)
      out.add(op_select,
              {type, next_value, out.make(join.op, type_bool_, {told, value}), told, value});
    else
      out.add(join.op, {type, next_value, value, told});
    out.add(op_i_add, {type_u64_, next, index, one_});
    out.add(op_branch, {head});
    out.add(op_label, {done});
    out.add(op_return_value, {value});
    out.add(op_function_end, {});
  }
}

} // namespace ze_opencl
