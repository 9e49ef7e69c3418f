#include "module.h"

#include "../../common/spirv_types.h"
#include "initial_values.h"
#include "opcodes.h"

#include <spirv-tools/libspirv.hpp>
#include <spirv-tools/optimizer.hpp>

#include <algorithm>
#include <format>
#include <set>

namespace ze_opencl {

using namespace spirv;
using ze_driver::Argument;
using ze_driver::ArgumentKind;
using ze_driver::BuildError;
using ze_driver::SpecializationConstant;

namespace {

/// Reads the declarations of a module.
class Reader {
public:
  void read(std::span<const uint32_t> words) {
    if (!for_each_instruction(words, [&](const Instruction &instruction) {
          take(instruction);
          return true;
        }))
      throw Malformed("an instruction is longer than the module");
    for (const uint32_t id : variable_ids_)
      add_variable(id);
    for (size_t i = 0; i < variables.size(); ++i)
      if (const auto initial = initializers_.find(variables[i].id); initial != initializers_.end())
        values_.write(initial->second, variables[i]);
    for (const auto &[id, name] : entry_points_)
      add_kernel(id, name);
    for (const auto &[id, name] : linked_)
      if (imported_.contains(id) && !built_in_.contains(id))
        imports.push_back(name);
  }

  std::vector<ModuleKernel> kernels;
  std::vector<ModuleVariable> variables;
  std::vector<std::string> imports;

private:
  void take(const Instruction &instruction);
  void decorate(uint32_t target, std::span<const uint32_t> decoration);
  void add_variable(uint32_t id);
  void add_kernel(uint32_t id, const std::string &name);
  Argument describe(uint32_t type, uint32_t parameter, uint64_t &alignment) const;
  void add_attribute(ze_driver::KernelInfo &info, const std::string &text) const {
    info.attributes += (info.attributes.empty() ? "" : " ") + text;
  }

  Types types_;
  InitialValues values_{types_};
  std::map<uint32_t, std::string> names_, linked_;
  std::set<uint32_t> imported_, built_in_, by_val_;
  std::map<uint32_t, uint32_t> alignments_;
  std::vector<std::pair<uint32_t, std::string>> entry_points_;
  std::map<std::pair<uint32_t, uint32_t>, std::vector<uint32_t>> modes_; // by function and mode
  std::map<uint32_t, std::vector<std::pair<uint32_t, uint32_t>>> parameters_; // types and ids
  std::vector<uint32_t> variable_ids_;
  std::map<uint32_t, uint32_t> variable_types_, initializers_;
  uint32_t function_ = 0;
};

void Reader::take(const Instruction &instruction) {
  const auto operands = instruction.operands;
  types_.take(instruction);
  if (function_ == 0)
    values_.take(instruction);
  switch (uint16_t(instruction.op)) {
  case op_name:
    need_operands(instruction, 2);
    names_[operands[0]] = checked_text(operands.subspan(1));
    break;
  case op_entry_point:
    need_operands(instruction, 3);
    if (operands[0] == execution_model_kernel)
      entry_points_.emplace_back(operands[1], checked_text(operands.subspan(2)));
    break;
  case op_execution_mode:
  case op_execution_mode_id:
    need_operands(instruction, 2);
    modes_[{operands[0], operands[1]}].assign(operands.begin() + 2, operands.end());
    break;
  case op_decorate:
    need_operands(instruction, 2);
    decorate(operands[0], operands.subspan(1));
    break;
  case op_group_decorate:
    need_operands(instruction, 1);
    if (by_val_.contains(operands[0]))
      by_val_.insert(operands.begin() + 1, operands.end());
    break;
  case op_variable:
    need_operands(instruction, 3);
    if (function_ != 0 || operands[2] != storage_cross_workgroup)
      break;
    variable_ids_.push_back(operands[1]);
    variable_types_[operands[1]] = operands[0];
    values_.add_variable(operands[1], variable_ids_.size() - 1);
    if (operands.size() > 3)
      initializers_[operands[1]] = operands[3];
    break;
  case op_function:
    need_operands(instruction, 4);
    function_ = operands[1];
    break;
  case op_function_parameter:
    need_operands(instruction, 2);
    parameters_[function_].emplace_back(operands[0], operands[1]);
    break;
  default:
    break;
  }
}

void Reader::decorate(uint32_t target, std::span<const uint32_t> decoration) {
  const bool has_value = decoration.size() > 1;
  switch (decoration[0]) {
  case decoration_function_parameter:
    if (has_value && decoration[1] == attribute_by_val)
      by_val_.insert(target);
    break;
  case decoration_built_in:
    built_in_.insert(target);
    break;
  case decoration_alignment:
    if (has_value)
      alignments_[target] = decoration[1];
    break;
  case decoration_linkage:
    if (decoration.size() < 3)
      throw Malformed("an instruction lacks operands");
    linked_[target] = checked_text(decoration.subspan(1));
    if (decoration.back() == linkage_import)
      imported_.insert(target);
    break;
  default:
    break;
  }
}

void Reader::add_variable(uint32_t id) {
  ModuleVariable variable{};
  variable.id = id;
  if (const auto linked = linked_.find(id); linked != linked_.end()) {
    variable.name = linked->second;
    variable.is_imported = imported_.contains(id);
    variable.is_exported = !variable.is_imported;
  } else if (const auto name = names_.find(id); name != names_.end()) {
    variable.name = name->second;
  }
  const Type &pointer = types_.type(variable_types_[id]);
  if (pointer.op != op_type_pointer)
    throw Malformed("a variable is no pointer");
  const Layout layout = types_.layout(Types::operand(pointer, 1));
  constexpr uint64_t most = uint64_t{1} << 40;
  if (layout.bytes > most)
    throw Malformed("a variable is too large");
  variable.size = layout.bytes;
  variable.alignment = layout.alignment ? layout.alignment : 1;
  if (const auto declared = alignments_.find(id);
      declared != alignments_.end() && std::has_single_bit(declared->second))
    variable.alignment = std::max<size_t>(variable.alignment, declared->second);
  variables.push_back(std::move(variable));
}

Argument Reader::describe(uint32_t type_id, uint32_t parameter, uint64_t &alignment) const {
  const Type &type = types_.type(type_id);
  Layout layout = {8, 8};
  Argument argument{};
  argument.kind = ArgumentKind::value;
  switch (type.op) {
  case op_type_image:
    argument.kind = ArgumentKind::image;
    break;
  case op_type_sampler:
    argument.kind = ArgumentKind::sampler;
    break;
  case op_type_pointer: {
    const uint32_t storage = Types::operand(type, 0);
    if (by_val_.contains(parameter)) {
      layout = types_.layout(Types::operand(type, 1));
      break;
    }
    argument.kind = storage == storage_workgroup ? ArgumentKind::local : ArgumentKind::pointer;
    if (const auto declared = alignments_.find(parameter); declared != alignments_.end())
      argument.alignment = declared->second;
    break;
  }
  default:
    layout = types_.layout(type_id);
  }
  if (layout.bytes > UINT32_MAX || layout.alignment == 0)
    throw Malformed("a parameter is too large, or has no size");
  argument.size = static_cast<uint32_t>(layout.bytes);
  alignment = layout.alignment;
  return argument;
}

void Reader::add_kernel(uint32_t id, const std::string &name) {
  ModuleKernel kernel{};
  kernel.function = id;
  ze_driver::KernelInfo &info = kernel.info;
  info.name = name;
  uint64_t offset = 0;
  for (const auto &[type, parameter] : parameters_[id]) {
    uint64_t alignment = 1;
    Argument argument = describe(type, parameter, alignment);
    offset = common::round_up(offset, alignment);
    argument.offset = static_cast<uint32_t>(offset);
    offset += argument.size;
    constexpr uint64_t most = 1u << 30;
    if (offset > most)
      throw Malformed("a kernel's parameters are too large");
    info.arguments.push_back(argument);
  }
  info.argument_bytes = static_cast<uint32_t>(common::round_up(offset, uint64_t{8}));

  const auto mode = [&](uint32_t which, size_t count) -> const std::vector<uint32_t> * {
    const auto found = modes_.find({id, which});
    return found != modes_.end() && found->second.size() >= count ? &found->second : nullptr;
  };
  const auto triple = [&](const char *what, uint32_t x, uint32_t y, uint32_t z) {
    add_attribute(info, std::format("{}({},{},{})", what, x, y, z));
  };
  if (const auto *size = mode(mode_local_size, 3)) {
    std::copy_n(size->begin(), 3, info.required_group_size);
  } else if (const auto *ids = mode(mode_local_size_id, 3)) {
    for (size_t i = 0; i < 3; ++i)
      info.required_group_size[i] = static_cast<uint32_t>(types_.constant((*ids)[i]).value_or(0));
  }
  if (const uint32_t *size = info.required_group_size; size[0] != 0)
    triple("reqd_work_group_size", size[0], size[1], size[2]);
  if (const auto *hint = mode(mode_local_size_hint, 3))
    triple("work_group_size_hint", (*hint)[0], (*hint)[1], (*hint)[2]);
  if (const auto *size = mode(mode_subgroup_size, 1)) {
    info.required_sub_group_size = size->front();
    add_attribute(info, std::format("intel_reqd_sub_group_size({})", size->front()));
  }
  kernels.push_back(std::move(kernel));
}

/// The validator's findings that common producers cause and implementations do not mind.
bool is_tolerated(std::string_view finding) {
  constexpr std::string_view known[] = {
      "must not have spec constant operands",
      "Expected input and Result Type to point to the same type: SpecConstantOp",
      "requires one of these extensions",
      "No OpEntryPoint instruction was found",
      "does not match the type that results from indexing",
      "OpConstantFunctionPointerINTEL", // which the validator knows only in part
      "OpFunctionPointerCallINTEL",
  };
  return std::ranges::any_of(known, [&](std::string_view text) { return finding.contains(text); });
}

std::optional<std::string> finding_of(std::span<const uint32_t> words) {
  spvtools::SpirvTools tools(SPV_ENV_UNIVERSAL_1_6);
  std::string finding;
  tools.SetMessageConsumer(
      [&](spv_message_level_t level, const char *, const spv_position_t &, const char *message) {
        if (level <= SPV_MSG_ERROR && finding.empty())
          finding = message;
      });
  if (!tools.IsValid() || tools.Validate(words.data(), words.size()) || is_tolerated(finding))
    return std::nullopt;
  return finding.empty() ? "the module is not valid SPIR-V" : finding;
}

/// LLVM's translator names functions that stand for intrinsics of LLVM ("spirv.llvm_bswap_i64"). Implementations that read SPIR-V
/// with it make intrinsics of them again, which LLVM then finds badly declared (PoCL 7.1). Under no name they are functions.
std::vector<uint32_t> without_names_of_intrinsics(std::vector<uint32_t> words) {
  std::vector<uint32_t> kept(words.begin(), words.begin() + header_words);
  const bool is_whole = for_each_instruction(words, [&](const Instruction &instruction) {
    const bool is_name = instruction.op == op_name && instruction.operands.size() > 1;
    const auto name = is_name ? text_of(instruction.operands.subspan(1)) : std::nullopt;
    if (!name || !name->starts_with("spirv.llvm_"))
      kept.insert(kept.end(), words.begin() + static_cast<ptrdiff_t>(instruction.begin),
                  words.begin() + static_cast<ptrdiff_t>(instruction.end));
    return true;
  });
  return is_whole ? kept : words;
}

std::vector<uint32_t> with_constants(std::vector<uint32_t> words,
                                     std::span<const SpecializationConstant> constants) {
  if (constants.empty())
    return words;
  std::unordered_map<uint32_t, std::vector<uint32_t>> values;
  for (const SpecializationConstant &constant : constants) {
    std::vector<uint32_t> &value = values[constant.id];
    value.resize((constant.value.size() + 3) / 4);
    std::memcpy(value.data(), constant.value.data(), constant.value.size());
  }
  spvtools::Optimizer optimizer(SPV_ENV_UNIVERSAL_1_6);
  optimizer.RegisterPass(spvtools::CreateSetSpecConstantDefaultValuePass(values));
  optimizer.RegisterPass(spvtools::CreateFreezeSpecConstantValuePass());
  spvtools::OptimizerOptions options;
  options.set_run_validator(false);
  std::vector<uint32_t> fixed;
  return optimizer.Run(words.data(), words.size(), &fixed, options) ? fixed : words;
}

} // namespace

std::expected<Module, BuildError> Module::read(std::span<const std::byte> spirv,
                                               std::span<const SpecializationConstant> constants) {
  const auto invalid = [](std::string text) {
    return std::unexpected(BuildError{BuildError::Kind::invalid, std::move(text)});
  };
  if (spirv.empty() || spirv.size() % sizeof(uint32_t) != 0)
    return invalid("the module's size is not a multiple of four");
  Module module;
  module.words_ = words_of(spirv);
  if (module.words_.empty())
    return invalid("the module is not SPIR-V: it does not begin with its magic number");
  if (auto finding = finding_of(module.words_))
    return std::unexpected(BuildError{BuildError::Kind::failed, std::move(*finding)});
  module.words_ = without_names_of_intrinsics(with_constants(std::move(module.words_), constants));
  try {
    Reader reader;
    reader.read(module.words_);
    module.kernels_ = std::move(reader.kernels);
    module.variables_ = std::move(reader.variables);
    module.imports_ = std::move(reader.imports);
  } catch (const Malformed &error) {
    return std::unexpected(BuildError{BuildError::Kind::failed, error.what()});
  }
  return module;
}

} // namespace ze_opencl
