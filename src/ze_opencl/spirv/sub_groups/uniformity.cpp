#include "uniformity.h"

#include "../opcodes.h"

#include <algorithm>

namespace ze_opencl {

using namespace spirv;

namespace {

constexpr bool is_within(uint32_t number, uint32_t first, uint32_t last) {
  return number >= first && number <= last;
}

/// Those that are the same for all work-items of a work-group.
bool is_uniform_built_in(uint32_t built_in) {
  return is_within(built_in, built_in_num_workgroups, built_in_workgroup_id) ||
         is_within(built_in, built_in_work_dim, built_in_enqueued_workgroup_size) ||
         built_in == built_in_global_offset || built_in == built_in_subgroup_max_size ||
         built_in == built_in_num_subgroups || built_in == built_in_num_enqueued_subgroups;
}

/// Instructions whose result depends on nothing but their operands.
bool is_pure(uint16_t op) {
  return is_within(op, op_access_chain, op_ptr_access_chain) ||
         op == op_in_bounds_ptr_access_chain ||
         is_within(op, op_vector_extract_dynamic, op_copy_object) ||
         is_within(op, op_convert_f_to_u, op_bitcast) ||
         is_within(op, op_s_negate, op_s_mul_extended) ||
         is_within(op, op_any, op_f_unord_greater_than_equal) ||
         is_within(op, op_shift_right_logical, op_bit_count) ||
         is_within(op, op_copy_logical, op_ptr_diff);
}

/// Instructions that make a pointer of one into the same object.
bool is_derived_pointer(uint16_t op) {
  return is_within(op, op_access_chain, op_ptr_access_chain) ||
         op == op_in_bounds_ptr_access_chain || op == op_copy_object ||
         op == op_ptr_cast_to_generic || op == op_generic_cast_to_ptr || op == op_bitcast;
}

} // namespace

UniformDeclarations::UniformDeclarations(std::span<const ParsedInstruction> module) {
  std::set<uint32_t> constant_types;
  for (const ParsedInstruction &instruction : module) {
    const uint32_t target = instruction.operand(0), decoration = instruction.operand(1);
    if (instruction.op == op_decorate && decoration == decoration_built_in)
      built_ins_[target] = instruction.operand(2);
    if (instruction.op == op_decorate && decoration == decoration_function_parameter) {
      if (instruction.operand(2) == attribute_by_val)
        by_value_.insert(target);
      if (instruction.operand(2) == attribute_no_write)
        read_only_.insert(target);
    }
    if (instruction.op == op_type_pointer)
      pointer_types_.insert(instruction.result);
    if (instruction.op == op_type_pointer && instruction.operand(1) == storage_uniform_constant)
      constant_types.insert(instruction.result);
    if (constant_types.contains(instruction.type))
      constant_pointers_.insert(instruction.result);
    if (instruction.op == op_undef)
      undefined_.insert(instruction.result);
    if (instruction.op == op_extended_instruction_import &&
        checked_text(instruction.operands().subspan(1)) == "OpenCL.std")
      mathematics_.insert(instruction.result);
  }
}

Uniformity::Uniformity(std::span<const ParsedInstruction> kernel,
                       const UniformDeclarations &declarations)
    : kernel_(kernel), declarations_(declarations), block_of_(kernel.size(), none) {
  find_blocks();
  find_own_variables();
  find_meetings();
  divergent_.insert(declarations.undefined_.begin(), declarations.undefined_.end());
  for (const auto &[variable, built_in] : declarations.built_ins_)
    divergent_.insert(variable); // but for loads of it as a whole
  for (bool changed = true; changed;) {
    changed = false;
    for (Block &block : blocks_)
      if (!block.is_spread && is_divergent_branch(block))
        changed |= spread(block);
    for (size_t i = 0; i < kernel_.size(); ++i) {
      if (block_of_[i] == none)
        continue;
      const ParsedInstruction &instruction = kernel_[i];
      const Block &block = blocks_[block_of_[i]];
      // What a variable holds is as divergent as what is stored in it.
      const uint32_t target = instruction.op == op_store && whole_.contains(instruction.operand(0))
                                  ? instruction.operand(0)
                                  : instruction.result;
      if (target == 0 || is_divergent(target))
        continue;
      if (block.is_divergent || (instruction.op == op_store ? is_divergent(instruction.operand(1))
                                                            : makes_divergent(instruction, block)))
        changed |= divergent_.insert(target).second;
    }
  }
}

void Uniformity::find_blocks() {
  for (size_t i = 0; i < kernel_.size(); ++i) {
    if (kernel_[i].op == op_label) {
      labels_[kernel_[i].result] = blocks_.size();
      blocks_.emplace_back().begin = i;
    }
    if (blocks_.empty())
      continue;
    block_of_[i] = blocks_.size() - 1;
    blocks_.back().end = i + 1;
  }
  if (blocks_.empty())
    throw Malformed("a kernel has no code");
  const auto connect = [&](size_t from, uint32_t label) {
    const auto to = labels_.find(label);
    if (to == labels_.end())
      throw Malformed("a branch leads to no block of its function");
    blocks_[from].next.push_back(to->second);
    blocks_[to->second].before.push_back(from);
  };
  for (size_t i = 0; i < kernel_.size(); ++i) {
    const ParsedInstruction &instruction = kernel_[i];
    const size_t from = block_of_[i];
    if (from == none)
      continue;
    if (instruction.op == op_branch)
      connect(from, instruction.operand(0));
    if (instruction.op != op_branch_conditional && instruction.op != op_switch)
      continue;
    blocks_[from].selector = instruction.operand(0);
    for (const size_t place : instruction.id_places)
      if (place != 1) // the selector
        connect(from, instruction.words[place]);
  }
  std::vector<size_t> reached = {0};
  blocks_[0].is_reached = true;
  for (size_t i = 0; i < reached.size(); ++i)
    for (const size_t next : blocks_[reached[i]].next)
      if (!blocks_[next].is_reached) {
        blocks_[next].is_reached = true;
        reached.push_back(next);
      }
  for (Block &block : blocks_)
    block.is_divergent = !block.is_reached;
}

void Uniformity::find_own_variables() {
  for (const ParsedInstruction &instruction : kernel_) {
    const uint32_t base = instruction.operand(2);
    if (instruction.op == op_variable) {
      private_[instruction.result] = instruction.result;
      whole_.insert(instruction.result);
    } else if (instruction.op == op_function_parameter &&
               declarations_.by_value_.contains(instruction.result)) {
      private_[instruction.result] = instruction.result;
    } else if (is_derived_pointer(instruction.op) && private_.contains(base) &&
               declarations_.pointer_types_.contains(instruction.type)) {
      private_[instruction.result] = private_[base];
    }
  }
  for (const ParsedInstruction &instruction : kernel_)
    for (const size_t place : instruction.id_places) {
      const bool is_load = instruction.op == op_load && place == 3;
      const bool is_store = instruction.op == op_store && place == 1;
      if (!is_load && !is_store && !is_within(instruction.op, op_lifetime_start, op_lifetime_stop))
        whole_.erase(instruction.words[place]);
    }
}

/// Where the ways from each block meet: its immediate post-dominator. Blocks in loops that never end count as if they could
/// leave at any time.
void Uniformity::find_meetings() {
  const size_t end = blocks_.size(); // a block behind all others
  std::vector<std::vector<size_t>> next(end + 1), before(end + 1);
  const auto connect = [&](size_t from, size_t to) {
    next[from].push_back(to);
    before[to].push_back(from);
  };
  for (size_t i = 0; i < end; ++i)
    for (const size_t to : blocks_[i].next)
      connect(i, to);
  for (size_t i = 0; i < end; ++i)
    if (blocks_[i].next.empty())
      connect(i, end);

  // Blocks in the order in which a walk back from the end is done with them.
  std::vector<size_t> number(end + 1, none), order;
  std::vector<bool> seen(end + 1);
  const auto walk_back = [&](size_t from) {
    std::vector<std::pair<size_t, size_t>> path = {
        {from, 0}}; // blocks, and the next to look at before each
    seen[from] = true;
    while (!path.empty()) {
      auto &[block, i] = path.back();
      if (i == before[block].size()) {
        number[block] = order.size();
        order.push_back(block);
        path.pop_back();
      } else if (const size_t earlier = before[block][i++]; !seen[earlier]) {
        seen[earlier] = true;
        path.emplace_back(earlier, 0);
      }
    }
  };
  std::vector<bool> ends(end + 1);
  std::vector<size_t> ending = {end};
  ends[end] = true;
  for (size_t i = 0; i < ending.size(); ++i)
    for (const size_t earlier : before[ending[i]])
      if (!ends[earlier]) {
        ends[earlier] = true;
        ending.push_back(earlier);
      }
  for (size_t i = 0; i < end; ++i)
    if (!ends[i])
      connect(i, end);
  walk_back(end);

  std::vector<size_t> meets(end + 1, none);
  meets[end] = end;
  for (bool changed = true; changed;) {
    changed = false;
    for (auto block = order.rbegin() + 1; block != order.rend(); ++block) {
      size_t common = none;
      for (size_t other : next[*block]) {
        if (meets[other] == none)
          continue;
        if (common == none) {
          common = other;
          continue;
        }
        while (common != other)
          if (number[common] < number[other])
            common = meets[common];
          else
            other = meets[other];
      }
      if (meets[*block] != common) {
        meets[*block] = common;
        changed = true;
      }
    }
  }
  for (size_t i = 0; i < end; ++i)
    blocks_[i].meets = meets[i] == end ? none : meets[i];
}

/// Marks what lies between a branch that splits work-items and the block where they meet. Whether that is new for any.
bool Uniformity::spread(Block &branch) {
  branch.is_spread = true;
  bool changed = false;
  std::vector<size_t> reached;
  std::vector<bool> seen(blocks_.size());
  const auto reach = [&](const Block &from) {
    for (const size_t next : from.next)
      if (next != branch.meets && !seen[next]) {
        seen[next] = true;
        reached.push_back(next);
      }
  };
  reach(branch);
  for (size_t i = 0; i < reached.size(); ++i) {
    Block &block = blocks_[reached[i]];
    changed |= !block.is_divergent;
    block.is_divergent = true;
    reach(block);
  }
  return changed;
}

bool Uniformity::makes_divergent(const ParsedInstruction &instruction, const Block &block) const {
  const auto uses_divergent = [&] {
    return instruction.uses([&](uint32_t id) { return is_divergent(id); });
  };
  switch (instruction.op) {
  case op_label:
  case op_variable:
    return false;
  case op_phi:
    return chooses_divergently(instruction, block);
  case op_load:
    return loads_divergent(instruction);
  case op_ext_inst: {
    constexpr uint32_t first_with_memory = 171, last_with_memory = 184; // vloadn to printf
    return !declarations_.mathematics_.contains(instruction.operand(2)) ||
           is_within(instruction.operand(3), first_with_memory, last_with_memory) ||
           uses_divergent();
  }
  default:
    if (!is_pure(instruction.op) || uses_divergent())
      return true;
    // Where a work-item has its own memory is nobody else's business.
    return !private_.contains(instruction.result) &&
           instruction.uses([&](uint32_t id) { return private_.contains(id); });
  }
}

/// A phi whose value depends on the way by which a work-item came.
bool Uniformity::chooses_divergently(const ParsedInstruction &phi, const Block &block) const {
  const auto ways = phi.operands().subspan(2); // pairs of a value and a block
  bool is_same = true;
  for (size_t i = 0; i + 1 < ways.size(); i += 2) {
    if (is_divergent(ways[i]) || private_.contains(ways[i]))
      return true;
    is_same &= ways[i] == ways[0];
  }
  return !is_same && std::ranges::any_of(block.before, [&](size_t before) {
    return blocks_[before].is_divergent || is_divergent_branch(blocks_[before]);
  });
}

bool Uniformity::loads_divergent(const ParsedInstruction &load) const {
  constexpr uint32_t is_volatile = 1;
  const uint32_t pointer = load.operand(2);
  if (const auto built_in = declarations_.built_ins_.find(pointer);
      built_in != declarations_.built_ins_.end())
    return !is_uniform_built_in(built_in->second);
  if ((load.operand(3) & is_volatile) || is_divergent(pointer))
    return true;
  if (whole_.contains(pointer))
    return false;
  if (const auto root = private_.find(pointer); root != private_.end())
    return !declarations_.read_only_.contains(root->second);
  return !declarations_.constant_pointers_.contains(pointer);
}

} // namespace ze_opencl
