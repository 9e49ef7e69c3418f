#include "hoisting.h"

#include "../opcodes.h"
#include "uniformity.h"

#include <algorithm>

namespace ze_opencl {

using namespace spirv;

namespace {

using Block = Uniformity::Block;

/// A branch, what stands behind one of its sides, and operations there that can be moved.
struct Plan {
  size_t branch, begin,
      other; // blocks: with the branch, behind the side that has the operations, behind the other side
  std::vector<size_t> operations; // instructions, in the order in which they are reached
};

/// Whether values of the type can be undefined.
bool has_values(uint16_t type) {
  return (type >= op_type_bool && type <= op_type_vector) || type == op_type_array ||
         type == op_type_struct || type == op_type_pointer;
}

/// Changes kernels of a module.
class Hoisting {
public:
  Hoisting(std::span<const ParsedInstruction> module, const LaneExchange &exchange, uint32_t bound)
      : module_(module), exchange_(exchange), declarations_(module), code_(bound) {
    for (const ParsedInstruction &instruction : module)
      if (has_values(instruction.op))
        types_with_values_.insert(instruction.result);
  }

  std::optional<std::vector<uint32_t>> run(std::span<const uint32_t> words);

private:
  struct Made {
    uint32_t type, name;
  };

  bool take_kernel(std::span<const ParsedInstruction> kernel);
  std::optional<Plan> plan(const Uniformity &flow) const;
  bool find_parts(const Uniformity &flow, const Plan &plan);
  bool rename(const Plan &plan);
  void write(const Uniformity &flow, const Plan &plan);
  void write_block(const Uniformity &flow, const Plan &plan, size_t block);
  void write_operation(const Uniformity &flow, const Plan &plan, size_t which, uint32_t next);
  void write_renamed(const ParsedInstruction &instruction, const std::map<uint32_t, Made> &names);
  uint32_t undefined(uint32_t type);
  uint32_t truth(uint32_t type, bool value);

  const std::span<const ParsedInstruction> module_;
  const LaneExchange &exchange_;
  const UniformDeclarations declarations_;
  Assembler code_, constants_{0};
  std::set<uint32_t> types_with_values_;
  std::map<uint32_t, uint32_t> undefined_; // by type
  std::map<uint32_t, uint32_t> new_names_; // of values whose own name a phi has got

  // Of the kernel at hand. What stands behind the branch and before operation i is part i + 1; part 0 is all the rest.
  std::span<const ParsedInstruction> kernel_;
  std::vector<size_t> parts_;                       // by instruction
  std::vector<std::map<uint32_t, Made>> handed_on_; // by part: values that are used behind it
  std::vector<uint32_t> meetings_;                  // labels of the blocks with the operations
  std::map<uint32_t, uint32_t> last_labels_;        // of blocks that are split, by their first
  uint32_t branch_label_ = 0, other_label_ = 0;
  uint32_t label_ = 0; // of the block that is being written
};

/// Blocks that nothing reaches but through `by`.
std::vector<bool> dominated(const Uniformity &flow, size_t by) {
  std::vector<bool> elsewhere(flow.blocks().size());
  std::vector<size_t> reached = {0};
  elsewhere[0] = true;
  for (size_t i = 0; i < reached.size(); ++i)
    for (const size_t next : flow.blocks()[reached[i]].next)
      if (next != by && !elsewhere[next]) {
        elsewhere[next] = true;
        reached.push_back(next);
      }
  std::vector<bool> only(elsewhere.size());
  for (size_t i = 0; i < only.size(); ++i)
    only[i] = !elsewhere[i] && flow.blocks()[i].is_reached;
  return only;
}

bool Hoisting::take_kernel(std::span<const ParsedInstruction> kernel) {
  kernel_ = kernel;
  const Uniformity flow(kernel, declarations_);
  const auto found = plan(flow);
  if (!found || !find_parts(flow, *found) || !rename(*found))
    return false;
  write(flow, *found);
  return true;
}

/// Whether a block leads back to itself without passing `gate`.
bool is_in_loop(const Uniformity &flow, size_t block, size_t gate) {
  std::vector<bool> seen(flow.blocks().size());
  std::vector<size_t> reached = {block};
  for (size_t i = 0; i < reached.size(); ++i)
    for (const size_t next : flow.blocks()[reached[i]].next)
      if (next == block)
        return true;
      else if (next != gate && !seen[next]) {
        seen[next] = true;
        reached.push_back(next);
      }
  return false;
}

std::optional<Plan> Hoisting::plan(const Uniformity &flow) const {
  const std::span<const Block> blocks = flow.blocks();
  for (size_t begin = 1; begin < blocks.size(); ++begin) {
    if (blocks[begin].before.size() != 1)
      continue;
    const size_t branch = blocks[begin].before[0];
    const ParsedInstruction &end = kernel_[blocks[branch].end - 1];
    if (end.op != op_branch_conditional || blocks[branch].next.size() != 2 ||
        blocks[branch].next[0] == blocks[branch].next[1])
      continue;
    Plan found{branch, begin, blocks[branch].next[blocks[branch].next[0] == begin], {}};
    const std::vector<bool> behind = dominated(flow, begin);
    bool is_possible = true;
    for (size_t block = begin; block != Uniformity::none && behind[block];
         block = blocks[block].meets) {
      if (is_in_loop(flow, block, branch))
        continue;
      for (size_t i = blocks[block].begin; i < blocks[block].end; ++i)
        if (exchange_.refusal(kernel_[i])) {
          is_possible &= exchange_.in_branch(kernel_[i]).has_value();
          found.operations.push_back(i);
        }
    }
    if (is_possible && !found.operations.empty())
      return found;
  }
  return std::nullopt;
}

/// Which instructions stand before which operation. Whether that is as it has to be.
bool Hoisting::find_parts(const Uniformity &flow, const Plan &plan) {
  const std::span<const Block> blocks = flow.blocks();
  parts_.assign(kernel_.size(), 0);
  size_t at = blocks[plan.begin].begin; // the first instruction of the part
  for (size_t part = 1; part <= plan.operations.size(); ++part) {
    const size_t operation = plan.operations[part - 1];
    const size_t from = flow.block_of(at), to = flow.block_of(operation);
    if (from == to) {
      std::fill(parts_.begin() + at, parts_.begin() + operation, part);
    } else {
      std::fill(parts_.begin() + at, parts_.begin() + blocks[from].end, part);
      std::fill(parts_.begin() + blocks[to].begin, parts_.begin() + operation, part);
      std::vector<size_t> between = {from};
      for (size_t i = 0; i < between.size(); ++i)
        for (const size_t next : blocks[between[i]].next) {
          if (next == to || parts_[blocks[next].begin] == part)
            continue;
          if (next == plan.branch || parts_[blocks[next].begin] != 0)
            return false;
          std::fill(parts_.begin() + blocks[next].begin, parts_.begin() + blocks[next].end, part);
          between.push_back(next);
        }
    }
    at = operation + 1;
  }
  const auto has_merge = [&](const Block &block) {
    return std::any_of(kernel_.begin() + block.begin, kernel_.begin() + block.end,
                       [](const ParsedInstruction &instruction) {
                         return instruction.op == op_loop_merge ||
                                instruction.op == op_selection_merge;
                       });
  };
  return !has_merge(blocks[plan.branch]) &&
         std::ranges::none_of(plan.operations, [&](size_t operation) {
           return has_merge(blocks[flow.block_of(operation)]);
         });
}

/// New names for values that are used behind the part that makes them. Whether all are of types that can be undefined.
bool Hoisting::rename(const Plan &plan) {
  std::map<uint32_t, size_t> makers;
  for (size_t i = 0; i < kernel_.size(); ++i)
    if (parts_[i] != 0 && kernel_[i].type != 0)
      makers[kernel_[i].result] = i;
  handed_on_.assign(plan.operations.size() + 1, {});
  for (size_t i = 0; i < kernel_.size(); ++i)
    for (const size_t place : kernel_[i].id_places) {
      const auto maker = makers.find(kernel_[i].words[place]);
      if (maker == makers.end() || parts_[maker->second] == parts_[i])
        continue;
      const ParsedInstruction &made = kernel_[maker->second];
      if (!types_with_values_.contains(made.type))
        return false;
      handed_on_[parts_[maker->second]][made.result] = {made.type, 0};
    }
  for (auto &part : handed_on_)
    for (auto &[value, made] : part)
      new_names_[value] = made.name = code_.new_id();
  return true;
}

void Hoisting::write(const Uniformity &flow, const Plan &plan) {
  const std::span<const Block> blocks = flow.blocks();
  const auto label_of = [&](size_t block) { return kernel_[blocks[block].begin].result; };
  branch_label_ = label_of(plan.branch);
  other_label_ = label_of(plan.other);
  meetings_.clear();
  last_labels_.clear();
  for (const size_t operation : plan.operations) {
    meetings_.push_back(code_.new_id());
    last_labels_[label_of(flow.block_of(operation))] = 0;
  }
  for (auto &[first, last] : last_labels_)
    last = code_.new_id();
  for (size_t i = 0; i < blocks[0].begin; ++i)
    code_.copy(kernel_[i]);
  // What is behind the branch comes next to it, since blocks come behind those that lead to them in any case.
  const std::vector<bool> behind = dominated(flow, plan.begin);
  const auto write_blocks = [&](size_t begin, size_t end, bool are_behind) {
    for (size_t block = begin; block < end; ++block)
      if (behind[block] == are_behind)
        write_block(flow, plan, block);
  };
  write_blocks(0, plan.branch + 1, false);
  write_blocks(0, blocks.size(), true);
  write_blocks(plan.branch + 1, blocks.size(), false);
}

void Hoisting::write_block(const Uniformity &flow, const Plan &plan, size_t index) {
  const Block &block = flow.blocks()[index];
  for (size_t i = block.begin; i < block.end; ++i) {
    const ParsedInstruction &instruction = kernel_[i];
    const auto operation = std::ranges::find(plan.operations, i);
    if (operation != plan.operations.end()) {
      const bool is_last = operation + 1 == plan.operations.end() || operation[1] >= block.end;
      write_operation(flow, plan, static_cast<size_t>(operation - plan.operations.begin()),
                      is_last ? last_labels_.at(kernel_[block.begin].result) : code_.new_id());
      continue;
    }
    if (instruction.op == op_label)
      label_ = instruction.result;
    const size_t begin = code_.words.size();
    write_renamed(instruction, handed_on_[parts_[i]]);
    const auto word = [&](size_t place) -> uint32_t & { return code_.words[begin + place]; };
    if (index == plan.branch && i + 1 == block.end)
      for (const size_t place : {2, 3})
        if (word(place) == other_label_)
          word(place) = meetings_.front();
    if (instruction.op == op_phi)
      for (size_t place = 4; place < instruction.words.size(); place += 2) {
        if (const auto last = last_labels_.find(word(place)); last != last_labels_.end())
          word(place) = last->second;
        else if (index == plan.other && word(place) == branch_label_)
          word(place) = meetings_.back();
      }
  }
}

/// An operation, in a block where those that took the branch meet the others. They part again for a block with the label `next`.
void Hoisting::write_operation(const Uniformity &flow, const Plan &plan, size_t which,
                               uint32_t next) {
  const ParsedInstruction &operation = kernel_[plan.operations[which]];
  const auto &made_here = handed_on_[which + 1];
  const uint32_t others = which == 0 ? branch_label_ : meetings_[which - 1];
  code_.add(op_branch, {meetings_[which]});
  code_.add(op_label, {meetings_[which]});
  for (const auto &[value, made] : made_here)
    code_.add(op_phi, {made.type, value, made.name, label_, undefined(made.type), others});
  const auto neutral = *exchange_.in_branch(operation);
  uint32_t vote = 0;
  if (neutral.place != 0) {
    const uint32_t told = operation.words[neutral.place];
    const auto made = made_here.find(told);
    vote = code_.make(op_phi, neutral.type,
                      {made == made_here.end() ? told : made->second.name, label_,
                       truth(neutral.type, neutral.value), others});
  }
  const size_t begin = code_.words.size();
  code_.copy(operation);
  if (vote != 0)
    code_.words[begin + neutral.place] = vote;
  const Block &branch = flow.blocks()[plan.branch];
  const uint32_t condition = kernel_[branch.end - 1].operand(0);
  const uint32_t away = which + 1 < meetings_.size() ? meetings_[which + 1] : other_label_;
  if (branch.next[0] == plan.begin)
    code_.add(op_branch_conditional, {condition, next, away});
  else
    code_.add(op_branch_conditional, {condition, away, next});
  code_.add(op_label, {next});
  label_ = next;
}

void Hoisting::write_renamed(const ParsedInstruction &instruction,
                             const std::map<uint32_t, Made> &names) {
  const size_t begin = code_.words.size();
  code_.copy(instruction);
  const auto rename = [&](uint32_t &id) {
    if (const auto made = names.find(id); made != names.end())
      id = made->second.name;
  };
  for (const size_t place : instruction.id_places)
    rename(code_.words[begin + place]);
  if (instruction.type != 0)
    rename(code_.words[begin + 2]);
}

uint32_t Hoisting::undefined(uint32_t type) {
  const auto [known, is_new] = undefined_.emplace(type, 0);
  if (is_new) {
    known->second = code_.new_id();
    constants_.add(op_undef, {type, known->second});
  }
  return known->second;
}

uint32_t Hoisting::truth(uint32_t type, bool value) {
  const uint32_t id = code_.new_id();
  constants_.add(value ? op_constant_true : op_constant_false, {type, id});
  return id;
}

std::optional<std::vector<uint32_t>> Hoisting::run(std::span<const uint32_t> words) {
  bool changed = false;
  for (auto begin = module_.begin(); begin != module_.end();) {
    if (begin->op != op_function) {
      ++begin;
      continue;
    }
    const auto end =
        std::ranges::find(begin, module_.end(), op_function_end, &ParsedInstruction::op);
    if (end == module_.end())
      throw Malformed("a function does not end");
    const std::span function(begin, end);
    const bool has_operations = std::ranges::any_of(function, [&](const auto &instruction) {
      return exchange_.in_branch(instruction).has_value();
    });
    if (has_operations && take_kernel(function))
      changed = true;
    else
      for (const ParsedInstruction &instruction : function)
        code_.copy(instruction);
    code_.copy(*end);
    begin = end + 1;
  }
  if (!changed)
    return std::nullopt;
  Assembler out(code_.bound());
  out.words.assign(words.begin(), words.begin() + header_words);
  for (const ParsedInstruction &instruction : module_) {
    if (instruction.function != 0)
      continue;
    const size_t begin = out.words.size();
    out.copy(instruction);
    // What is said of a value's making goes with it.
    if (is_annotation(instruction.op) && instruction.words.size() > 1)
      if (const auto name = new_names_.find(instruction.operand(0)); name != new_names_.end())
        out.words[begin + 1] = name->second;
  }
  out.words.insert(out.words.end(), constants_.words.begin(), constants_.words.end());
  out.words.insert(out.words.end(), code_.words.begin(), code_.words.end());
  out.words[3] = out.bound();
  return std::move(out.words);
}

} // namespace

std::optional<std::vector<uint32_t>> with_hoisted(std::span<const uint32_t> words,
                                                  std::span<const ParsedInstruction> module,
                                                  const LaneExchange &exchange) {
  return Hoisting(module, exchange, words[3]).run(words);
}

} // namespace ze_opencl
