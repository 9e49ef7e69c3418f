// A module as a device takes it.
#include "module.h"

#include "clock.h"
#include "generic_pointers.h"
#include "half_functions.h"
#include "lacking_types.h"
#include "opcodes.h"
#include "own_copies.h"
#include "scopes.h"
#include "sub_groups/built_ins.h"
#include "sub_groups/hip_names.h"
#include "sub_groups/hoisting.h"
#include "sub_groups/inlining.h"
#include "sub_groups/lane_exchange.h"
#include "variable_addresses.h"

#include <algorithm>
#include <bit>
#include <format>
#include <set>

namespace ze_opencl {

using namespace spirv;

namespace {

constexpr uint32_t version_1_3 = 0x10300, version_1_4 = 0x10400;

class Lowering {
public:
  Lowering(std::span<const uint32_t> words, std::span<const ModuleKernel> kernels,
           std::span<const ModuleVariable> variables, const Abilities &abilities,
           std::span<const uint64_t> addresses, uint64_t clock_address)
      : words_(words), kernels_(kernels), abilities_(abilities), module_(parse(words)),
        numbers_(numbers_of(module_)), exchange_(module_, numbers_, abilities),
        built_ins_(module_, abilities), clock_(module_, abilities.clock ? 0 : clock_address),
        generic_pointers_(module_, abilities), own_copies_(module_),
        lacking_types_(module_, abilities), variables_(module_, by_id(variables, addresses)),
        scopes_(module_, abilities), types_(module_), out_(words[3]) {
    find_calls();
  }

  /// Functions to inline before anything else: what they contain works in kernels only.
  std::set<uint32_t> to_inline() const;
  /// The module with operations moved out of branches; nothing if none can be.
  std::optional<std::vector<uint32_t>> hoisted() const {
    return exchange_.any_in_branches() ? with_hoisted(words_, module_, exchange_) : std::nullopt;
  }
  LoweredModule lower();

private:
  static std::map<uint32_t, uint64_t> by_id(std::span<const ModuleVariable> variables,
                                            std::span<const uint64_t> addresses) {
    std::map<uint32_t, uint64_t> found;
    for (size_t i = 0; i < variables.size(); ++i)
      found[variables[i].id] = addresses[i];
    return found;
  }
  std::optional<std::string> missing(const ParsedInstruction &instruction) const;
  std::optional<uint32_t> scope(uint32_t id) const {
    const auto found = numbers_.find(id);
    return found == numbers_.end() ? std::nullopt : std::optional(found->second);
  }
  void find_calls();
  void find_refused();
  void find_sub_group_sizes();
  void find_doubles();
  void find_recursion();
  void refuse_callers();
  void find_function_pointers();
  /// A type whose values are addresses of functions.
  bool is_code_pointer(const ParsedInstruction &instruction) const {
    return instruction.op == op_type_pointer && function_types_.contains(instruction.operand(2));
  }
  void drop_unused();
  void write_code(const ParsedInstruction &instruction);
  /// Functions that no kernel calls take any.
  uint32_t sub_group_size_of(uint32_t function) const {
    const auto found = sub_group_sizes_.find(function);
    return found == sub_group_sizes_.end() ? default_sub_group_size : found->second;
  }
  std::set<uint32_t> sizes_in_use() const {
    std::set<uint32_t> sizes = {default_sub_group_size};
    for (const auto &[function, size] : sub_group_sizes_)
      if (std::has_single_bit(size))
        sizes.insert(size);
    return sizes;
  }
  void write_declaration(const ParsedInstruction &instruction);
  void write_entry_point(const ParsedInstruction &instruction);
  /// Whether something is added that has the type.
  bool needs_u64() const {
    return !built_ins_.empty() || clock_.any() || has_code_pointers_ || !variables_.empty();
  }
  void write_type_u64();
  bool is_dropped_capability(uint32_t capability) const;
  bool is_dropped_extension(std::string_view name) const;
  bool is_dropped_decoration(const ParsedInstruction &instruction) const;

  const std::span<const uint32_t> words_;
  const std::span<const ModuleKernel> kernels_;
  const Abilities &abilities_;
  const std::vector<ParsedInstruction> module_;
  const std::map<uint32_t, uint32_t> numbers_; // constants of 32 bits
  LaneExchange exchange_;
  ComputedBuiltIns built_ins_;
  ClockReads clock_;
  GenericPointers generic_pointers_;
  OwnCopies own_copies_;
  LackingTypes lacking_types_;
  VariableAddresses variables_;
  Scopes scopes_;
  TypeTable types_;
  Assembler out_;
  std::set<uint32_t> function_types_;
  std::set<uint32_t> function_pointers_; // constants with addresses of functions
  std::set<uint32_t> zeros_;             // such addresses as numbers
  std::map<uint32_t, std::set<uint32_t>> callers_, callees_;
  std::map<uint32_t, uint32_t> sub_group_sizes_; // of functions, as their kernels ask for
  std::map<uint32_t, uint32_t> doubles_;    // built-in variables, and the first of the same kind
  std::map<uint32_t, std::string> lacking_; // functions that need what the device has not
  std::set<uint32_t> dropped_;              // ids of what is left out
  std::map<std::string, std::string> refused_;
  bool has_code_pointers_ = false;
  uint32_t version_ = 0;
  uint32_t type_u64_ = 0;
};

/// What the instruction needs and the device has not.
std::optional<std::string> Lowering::missing(const ParsedInstruction &instruction) const {
  const uint16_t op = instruction.op;
  const auto named = [&](const char *why) {
    return std::format("it uses {}, and the device has {}", hip_name(op), why);
  };
  const auto within = [&](uint16_t first, uint16_t last) { return op >= first && op <= last; };
  // OpenCL has no barrier for more than a work-group, whatever a compiler makes of one.
  if (op == op_control_barrier &&
      scope(instruction.operand(0)).value_or(scope_workgroup) < scope_workgroup)
    return std::string("it waits for other work-groups, which no OpenCL device promises to run");
  if (!abilities_.sub_groups) {
    if (auto refused = exchange_.refusal(instruction))
      return refused;
    if (built_ins_.is_otherwise_used(instruction))
      return std::format("it takes the address of a sub-group's built-in variable, and the device "
                         "has no sub-groups");
  } else {
    enum : uint16_t { elect = 333, all_equal = 336, last_ballot = 344, last_shuffle = 348 };
    if (within(elect, all_equal) && !abilities_.sub_group_vote)
      return named("no votes of sub-groups (cl_khr_subgroup_non_uniform_vote)");
    if (within(all_equal + 1, last_ballot) && !abilities_.sub_group_ballot)
      return named("no ballots of sub-groups (cl_khr_subgroup_ballot)");
    if (within(last_ballot + 1, last_shuffle) && !abilities_.sub_group_shuffle)
      return named("no shuffles in sub-groups (cl_khr_subgroup_shuffle)");
    if (within(last_shuffle + 1, op_group_non_uniform_last) && !abilities_.sub_group_arithmetic)
      return named("no reductions in sub-groups (cl_khr_subgroup_non_uniform_arithmetic)");
  }
  if (op == op_function_pointer_call ||
      instruction.uses([&](uint32_t id) { return function_pointers_.contains(id); }))
    return std::string("it calls a function by its address, or takes one, and OpenCL has none");
  if (generic_pointers_.is_lacking(instruction))
    return std::string("it uses pointers that are to global memory or to another (generic ones), "
                       "and the device has none");
  if (op == op_read_clock && !abilities_.clock && !clock_.any())
    return named("no clock");
  if (exchange_.replaces(instruction))
    return std::nullopt;
  if ((version_ < version_1_4 && within(op_copy_logical, op_ptr_diff)) ||
      (version_ < version_1_3 && within(op_group_non_uniform_first, op_group_non_uniform_last)))
    return named("only an older version of SPIR-V");
  return lacking_types_.missing(instruction);
}

/// The size of sub-groups is the kernel's, also in functions that it calls.
void Lowering::find_sub_group_sizes() {
  if (built_ins_.empty())
    return;
  for (const ModuleKernel &kernel : kernels_) {
    const uint32_t asked = kernel.info.required_sub_group_size;
    const uint32_t size = asked ? asked : default_sub_group_size;
    std::vector<uint32_t> reached = {kernel.function};
    std::set<uint32_t> seen = {kernel.function};
    if (!std::has_single_bit(size) ||
        (exchange_.has_slots(kernel.function) && size > LaneExchange::max_size))
      lacking_.emplace(kernel.function, std::format("it asks for sub-groups of {}, and the device "
                                                    "has none",
                                                    size));
    for (size_t i = 0; i < reached.size(); ++i) {
      if (sub_group_sizes_.emplace(reached[i], size).first->second != size)
        lacking_.emplace(reached[i], "kernels with sub-groups of different sizes call the same "
                                     "function, and the device has no sub-groups");
      for (const uint32_t callee : callees_[reached[i]])
        if (seen.insert(callee).second)
          reached.push_back(callee);
    }
  }
}

/// Modules that were linked declare what work-items are given more than once; implementations know one of each.
void Lowering::find_doubles() {
  std::map<uint32_t, uint32_t> first; // by built-in
  for (const ParsedInstruction &instruction : module_)
    if (instruction.op == op_decorate && instruction.operand(1) == decoration_built_in &&
        !built_ins_.contains(instruction.operand(0))) {
      const uint32_t variable = instruction.operand(0);
      if (const auto [known, is_new] = first.emplace(instruction.operand(2), variable); !is_new)
        doubles_[variable] = known->second;
    }
}

/// Functions that lead back to themselves: OpenCL has none, and implementations refuse the whole module, or end the process.
void Lowering::find_recursion() {
  for (const auto &[function, callees] : callees_) {
    std::set<uint32_t> seen;
    std::vector<uint32_t> reached(callees.begin(), callees.end());
    for (size_t i = 0; i < reached.size(); ++i)
      if (seen.insert(reached[i]).second)
        if (const auto next = callees_.find(reached[i]); next != callees_.end())
          reached.insert(reached.end(), next->second.begin(), next->second.end());
    if (seen.contains(function))
      lacking_.emplace(function,
                       "a function that it calls calls itself, and OpenCL has no recursion");
  }
}

/// Kernels that reach a function which the device cannot run, and functions that only they reach.
void Lowering::refuse_callers() {
  std::vector<uint32_t> lacking;
  for (const auto &[function, text] : lacking_)
    lacking.push_back(function);
  for (size_t i = 0; i < lacking.size(); ++i)
    for (const uint32_t caller : callers_[lacking[i]])
      if (lacking_.emplace(caller, lacking_[lacking[i]]).second)
        lacking.push_back(caller);
  for (const ModuleKernel &kernel : kernels_)
    if (const auto found = lacking_.find(kernel.function); found != lacking_.end())
      refused_[kernel.info.name] = found->second;
  for (const ParsedInstruction &instruction : module_)
    if (instruction.result != 0 && lacking_.contains(instruction.function))
      dropped_.insert(instruction.result);
}

/// Types and constants that nothing uses any more, as initial values of variables: some cannot be kept.
void Lowering::drop_unused() {
  std::set<uint32_t> used;
  const auto use = [&](const ParsedInstruction &instruction) {
    for (const size_t place : instruction.id_places)
      used.insert(instruction.words[place]);
  };
  for (const ParsedInstruction &instruction : module_) {
    const bool is_kept = instruction.function != 0 ? !lacking_.contains(instruction.function)
                                                   : instruction.op == op_variable ||
                                                         instruction.op == op_execution_mode_id;
    if (!is_kept)
      continue;
    if (variables_.is_variable(instruction.result))
      used.insert(instruction.type); // without its initial value
    else
      use(instruction);
  }
  for (auto instruction = module_.rbegin(); instruction != module_.rend(); ++instruction)
    if (instruction->function == 0 && lacking_types_.contains(instruction->result)) {
      dropped_.insert(instruction->result);
    } else if (instruction->function == 0 && is_type_or_constant(instruction->op)) {
      // Forward pointers and structs name types that come later.
      if (zeros_.contains(instruction->result)) {
        if (used.contains(instruction->result))
          used.insert(instruction->type);
        else
          dropped_.insert(instruction->result);
        continue;
      }
      if (used.contains(instruction->result) || instruction->result == 0 ||
          instruction->op == op_type_struct || instruction->op == op_type_pointer)
        use(*instruction);
      else
        dropped_.insert(instruction->result);
    }
}

/// Constants with the address of a function. As a number it is 0, in tables of virtual functions for instance: whoever calls what
/// lies there is refused.
void Lowering::find_function_pointers() {
  const auto is_one = [&](uint32_t id) { return function_pointers_.contains(id); };
  for (const ParsedInstruction &instruction : module_) {
    if (instruction.op == op_type_function)
      function_types_.insert(instruction.result);
    if (is_code_pointer(instruction))
      has_code_pointers_ = true;
    if (instruction.op == op_constant_function_pointer)
      function_pointers_.insert(instruction.result);
    if (!is_type_or_constant(instruction.op) || !instruction.uses(is_one))
      continue;
    if (instruction.op == op_spec_constant_op && instruction.operand(2) == op_convert_ptr_to_u)
      zeros_.insert(instruction.result);
    else
      function_pointers_.insert(instruction.result);
  }
}

void Lowering::find_calls() {
  for (const ParsedInstruction &instruction : module_)
    if (instruction.op == op_function_call) {
      callers_[instruction.operand(2)].insert(instruction.function);
      callees_[instruction.function].insert(instruction.operand(2));
    }
}

std::set<uint32_t> Lowering::to_inline() const {
  std::set<uint32_t> wanted;
  std::vector<uint32_t> reached(exchange_.called().begin(), exchange_.called().end());
  for (size_t i = 0; i < reached.size(); ++i)
    if (wanted.insert(reached[i]).second)
      if (const auto callers = callers_.find(reached[i]); callers != callers_.end())
        reached.insert(reached.end(), callers->second.begin(), callers->second.end());
  return wanted;
}

void Lowering::find_refused() {
  find_function_pointers();
  SourceLines lines;
  for (const ParsedInstruction &instruction : module_) {
    const std::string &line = lines.of(instruction);
    if (const auto text = instruction.function ? missing(instruction) : std::nullopt)
      lacking_.emplace(instruction.function, line + *text);
  }
  find_recursion();
  find_sub_group_sizes();
  find_doubles();
  refuse_callers();
  drop_unused();
  types_.drop(dropped_);
}

bool Lowering::is_dropped_extension(std::string_view name) const {
  const auto has_any = [this](bool FloatAtomics::*which) {
    return abilities_.fp16_atomics.*which || abilities_.fp32_atomics.*which ||
           abilities_.fp64_atomics.*which;
  };
  return name == "SPV_INTEL_function_pointers" ||
         (name == "SPV_KHR_shader_clock" && !abilities_.clock) ||
         (name == "SPV_EXT_shader_atomic_float_add" && !has_any(&FloatAtomics::add)) ||
         (name == "SPV_EXT_shader_atomic_float16_add" && !abilities_.fp16_atomics.add) ||
         (name == "SPV_EXT_shader_atomic_float_min_max" && !has_any(&FloatAtomics::min_max)) ||
         (name == "SPV_INTEL_subgroups" && !abilities_.sub_groups);
}

bool Lowering::is_dropped_capability(uint32_t capability) const {
  if (capability == capability_linkage || (capability == capability_int64_atomics && clock_.any()))
    return true; // the second is declared in any case
  if (is_lacking_capability(capability, abilities_))
    return true;
  if (capability == capability_int64 && needs_u64())
    return true; // so is this one
  if (capability == capability_function_pointers || capability == capability_indirect_references)
    return true;
  if (capability == capability_shader_clock)
    return !abilities_.clock;
  if (capability == capability_subgroup_dispatch || capability == capability_subgroup_shuffle)
    return !abilities_.sub_groups;
  const bool is_non_uniform =
      capability >= capability_group_non_uniform && capability <= capability_group_non_uniform_last;
  return is_non_uniform && (!abilities_.sub_groups || version_ < version_1_3);
}

bool Lowering::is_dropped_decoration(const ParsedInstruction &instruction) const {
  const uint32_t target = instruction.operand(0), decoration = instruction.operand(1);
  if (dropped_.contains(target) || built_ins_.contains(target) || doubles_.contains(target) ||
      variables_.is_variable(target) || variables_.is_removed(target))
    return true;
  return instruction.op == op_decorate && decoration == decoration_linkage;
}

void Lowering::write_entry_point(const ParsedInstruction &instruction) {
  if (dropped_.contains(instruction.operand(1)))
    return;
  const auto operands = instruction.operands();
  const size_t name = checked_text(operands.subspan(2)).size() / sizeof(uint32_t) + 1;
  const size_t begin = out_.words.size();
  out_.words.push_back(0);
  out_.words.insert(out_.words.end(), operands.begin(), operands.begin() + 2 + name);
  const size_t interface = out_.words.size();
  for (const uint32_t variable : operands.subspan(2 + name)) {
    if (variables_.is_variable(variable) || built_ins_.contains(variable) ||
        doubles_.contains(variable) || dropped_.contains(variable))
      continue;
    // Older versions list what work-items are given, newer ones all that is used.
    const auto declared = std::ranges::find_if(module_, [&](const ParsedInstruction &other) {
      return other.op == op_variable && other.result == variable;
    });
    const bool is_given = declared != module_.end() && (declared->operand(2) == storage_input ||
                                                        declared->operand(2) == storage_output);
    if (is_given || version_ >= version_1_4)
      out_.words.push_back(variable);
  }
  for (const uint32_t variable : built_ins_.interface())
    if (!std::ranges::contains(out_.words.begin() + interface, out_.words.end(), variable))
      out_.words.push_back(variable);
  out_.words[begin] = static_cast<uint32_t>(out_.words.size() - begin) << 16 | op_entry_point;
}

/// The type may be declared only once, and what needs it may come before the module's own.
void Lowering::write_type_u64() {
  if (type_u64_ == 0) {
    for (const ParsedInstruction &instruction : module_)
      if (instruction.op == op_type_int && instruction.operand(1) == 64 &&
          instruction.operand(2) == 0)
        type_u64_ = instruction.result;
    if (type_u64_ != 0)
      out_.add(op_type_int, {type_u64_, 64, 0});
    else
      type_u64_ = types_.find(out_, op_type_int, {64, 0});
  }
}

/// An instruction before the functions.
void Lowering::write_declaration(const ParsedInstruction &instruction) {
  switch (instruction.op) {
  case op_extension:
    if (!is_dropped_extension(checked_text(instruction.operands())))
      out_.copy(instruction);
    return;
  case op_capability:
    if (!is_dropped_capability(instruction.operand(0)))
      out_.copy(instruction);
    return;
  case op_entry_point:
    return write_entry_point(instruction);
  case op_execution_mode:
  case op_execution_mode_id:
    if (!dropped_.contains(instruction.operand(0)) &&
        !(instruction.operand(1) == mode_subgroup_size && !abilities_.sub_groups))
      out_.copy(instruction);
    return;
  case op_type_forward_pointer:
    if (!dropped_.contains(instruction.operand(0)))
      out_.copy(instruction);
    return;
  case op_name:
  case op_member_name:
    if (!dropped_.contains(instruction.operand(0)) &&
        !built_ins_.contains(instruction.operand(0)) &&
        !doubles_.contains(instruction.operand(0)) &&
        !variables_.is_removed(instruction.operand(0)))
      out_.copy(instruction);
    return;
  case op_type_pointer:
    // Nothing follows them any more, but structs have members of the type.
    if (is_code_pointer(instruction))
      out_.add(op_type_pointer,
               {instruction.result,
                instruction.operand(1) == storage_code_section ? storage_cross_workgroup
                                                               : instruction.operand(1),
                type_u64_});
    else if (!dropped_.contains(instruction.result))
      out_.copy(instruction);
    return;
  case op_variable:
    if (dropped_.contains(instruction.result))
      return;
    if (variables_.is_variable(instruction.result))
      variables_.declare(out_, instruction, type_u64_);
    else if (!built_ins_.contains(instruction.result) && !doubles_.contains(instruction.result))
      out_.copy(instruction);
    return;
  default:
    if (instruction.result != 0 &&
        (instruction.result == type_u64_ || dropped_.contains(instruction.result) ||
         variables_.is_removed(instruction.result)))
      return;
    if (zeros_.contains(instruction.result))
      return out_.add(op_constant_null, {instruction.type, instruction.result});
    if (!is_annotation(instruction.op) || !is_dropped_decoration(instruction))
      out_.copy(instruction);
  }
}

void Lowering::write_code(const ParsedInstruction &instruction) {
  own_copies_.before(out_, instruction);
  variables_.before(out_, instruction);
  exchange_.before(out_, instruction);
  if (instruction.op == op_function && exchange_.has_slots(instruction.function))
    return exchange_.write_function(out_, instruction);
  if (exchange_.replaces(instruction))
    return exchange_.write(out_, instruction, built_ins_, sub_group_size_of(instruction.function));
  if (instruction.op == op_load && built_ins_.contains(instruction.operand(2)))
    return built_ins_.load(out_, instruction, sub_group_size_of(instruction.function));
  if (instruction.op == op_read_clock && clock_.any())
    return clock_.read(out_, instruction);
  const size_t begin = out_.words.size();
  out_.copy(instruction);
  scopes_.narrow(out_, begin, instruction);
  for (const size_t place : instruction.id_places) {
    uint32_t &id = out_.words[begin + place];
    if (const auto first = doubles_.find(id); first != doubles_.end())
      id = first->second;
    id = variables_.in_place_of(own_copies_.in_place_of(id));
  }
  own_copies_.after(out_, instruction);
}

LoweredModule Lowering::lower() {
  version_ = std::min(words_[1], abilities_.spirv_version);
  if (exchange_.any())
    built_ins_.need_place(module_);
  find_refused();
  out_.words.assign(words_.begin(), words_.begin() + header_words);
  out_.words[1] = version_;
  bool has_decorations = false, has_types = false, has_declarations = false;
  const bool computes = !built_ins_.empty();
  // The entry points name what is decorated and declared behind them.
  Assembler decorations(out_.bound());
  if (computes)
    built_ins_.decorate(decorations);
  own_copies_.decorate(decorations);
  out_ = [&] {
    Assembler next(decorations.bound());
    next.words = std::move(out_.words);
    return next;
  }();
  if (needs_u64())
    out_.add(op_capability, {capability_int64});
  if (clock_.any())
    out_.add(op_capability, {capability_int64_atomics});
  for (const ParsedInstruction &instruction : module_) {
    const bool is_type = instruction.result != 0 && instruction.op != op_string &&
                         instruction.op != op_extended_instruction_import &&
                         !(instruction.op >= 73 && instruction.op <= 75); // decoration groups
    if (!has_decorations && (is_annotation(instruction.op) || is_type)) {
      has_decorations = true;
      out_.words.insert(out_.words.end(), decorations.words.begin(), decorations.words.end());
    }
    if (!has_types && is_type) {
      has_types = true;
      if (needs_u64())
        write_type_u64();
    }
    if (instruction.op == op_function && !has_declarations) {
      has_declarations = true;
      if (computes)
        built_ins_.declare(out_, types_, type_u64_, sizes_in_use());
      if (clock_.any())
        clock_.declare(out_, types_, type_u64_);
      if (scopes_.any())
        scopes_.declare(out_, types_);
      if (exchange_.any())
        exchange_.declare(out_, types_, type_u64_);
    }
    if (instruction.function == 0)
      write_declaration(instruction);
    else if (!lacking_.contains(instruction.function))
      write_code(instruction);
  }
  exchange_.write_folds(out_);
  out_.words[3] = out_.bound();
  std::set<std::string> with_slots;
  for (const ModuleKernel &kernel : kernels_)
    if (exchange_.has_slots(kernel.function))
      with_slots.insert(kernel.info.name);
  return {std::move(out_.words), std::move(refused_), clock_.any(), std::move(with_slots)};
}

} // namespace

std::expected<LoweredModule, std::string>
Module::lower(const Abilities &abilities, std::span<const uint64_t> variable_addresses,
              uint64_t clock_address) const {
  try {
    std::vector<uint32_t> changed;
    std::span<const uint32_t> words = words_;
    bool is_inlined = false;
    if (!abilities.half_functions)
      if (auto wide = with_wide_half_functions(words, abilities)) {
        changed = std::move(*wide);
        words = changed;
      }
    for (int rounds = 0;; ++rounds) {
      Lowering lowering(words, kernels_, variables_, abilities, variable_addresses, clock_address);
      const std::set<uint32_t> called = lowering.to_inline();
      std::optional<std::vector<uint32_t>> next;
      constexpr int most_rounds = 100; // one for each branch that a kernel has one behind the other
      if (!called.empty() && !is_inlined) {
        is_inlined = true;
        next = with_inlined(words, called);
      } else if (rounds < most_rounds) {
        next = lowering.hoisted();
      }
      if (!next)
        return lowering.lower();
      changed = std::move(*next);
      words = changed;
    }
  } catch (const Malformed &error) {
    return std::unexpected(error.what());
  }
}

} // namespace ze_opencl
