#include "spirv_signature.h"
#include "../../common/device_contract.h"
#include "../../common/spirv_types.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <format>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

namespace chip {
namespace {

using namespace spirv;

[[noreturn]] void malformed(const char *what) {
  throw Error(hipErrorInvalidImage, std::string("the device code is not valid SPIR-V: ") + what);
}

class Reader {
public:
  explicit Reader(std::span<const uint32_t> words) : words_(words) {}

  SpirvContents read() {
    if (words_.empty())
      malformed("no header");
    if (!for_each_instruction(words_, [&](const Instruction &instruction) {
          take(instruction);
          return true;
        }))
      malformed("an instruction is longer than the module");
    check_version();
    SpirvContents contents;
    for (auto &[id, name] : kernels_) {
      auto &signature = contents.signatures[name];
      for (auto [type, parameter] : parameters_[id])
        signature.push_back(describe(type, parameter));
      if (auto bound = bounds_.find(id); bound != bounds_.end() && bound->second != 0)
        contents.launch_bounds[name] = bound->second;
    }
    for (uint32_t id : variables_) {
      if (constant_.contains(id))
        continue;
      auto name = linked_.find(id);
      if (name == linked_.end())
        contents.has_hidden_variables = true;
      else if (name->second == device_contract::messages_variable)
        contents.uses_messages = true;
      else if (name->second == device_contract::heap_variable)
        contents.uses_heap = true;
      else
        contents.variables.push_back(name->second);
    }
    return contents;
  }

private:
  void take(const Instruction &instruction) {
    const auto operands = instruction.operands;
    const auto need = [&](size_t n) { need_operands(instruction, n); };
    types_.take(instruction);
    switch (instruction.op) {
    case op_name:
      need(2);
      names_[operands[0]] = text(operands.subspan(1));
      break;
    case op_entry_point:
      need(3);
      if (operands[0] == execution_model_kernel)
        kernels_.emplace_back(operands[1], text(operands.subspan(2)));
      break;
    case op_execution_mode:
      need(2);
      if (operands[1] == mode_local_size_hint) {
        need(5);
        bounds_[operands[0]] = operands[2];
      }
      break;
    case op_decorate:
      need(2);
      decorate(operands[0], operands.subspan(1));
      break;
    case op_group_decorate:
      need(1);
      for (uint32_t target : operands.subspan(1)) {
        if (by_val_.contains(operands[0]))
          by_val_.insert(target);
      }
      break;
    case op_function:
      need(4);
      function_ = operands[1];
      break;
    case op_variable:
      need(3);
      if (operands[2] == storage_cross_workgroup)
        variables_.push_back(operands[1]);
      break;
    case op_function_parameter:
      need(2);
      parameters_[function_].push_back({operands[0], operands[1]});
      break;
    case op_module_processed:
      read_version(text(operands));
      break;
    default:
      break;
    }
  }

  void read_version(std::string_view note) {
    if (!note.starts_with(device_contract::version_prefix))
      return;
    note.remove_prefix(device_contract::version_prefix.size());
    unsigned version = 0;
    auto [end, error] = std::from_chars(note.data(), note.data() + note.size(), version);
    if (error != std::errc() || end != note.data() + note.size())
      malformed("the version of its device contract is no number");
    version_ = version;
  }

  /// SPIR-V of other compilers has no version and needs none, unless it relies on the contract.
  void check_version() const {
    const auto is_ours = [](const auto &entry) { return entry.second.starts_with("__chip_"); };
    if (version_
            ? *version_ == device_contract::version
            : std::ranges::none_of(kernels_, is_ours) && std::ranges::none_of(linked_, is_ours))
      return;
    throw Error(hipErrorNoBinaryForGpu,
                std::format("the device code was compiled {}, and this libCHIP takes version {}: "
                            "compile the program "
                            "again with this libCHIP's hipcc",
                            version_
                                ? std::format("for version {} of the device contract", *version_)
                                : "by a hipcc older than the device contract's versions",
                            device_contract::version));
  }

  static std::string text(std::span<const uint32_t> words) {
    return std::string(checked_text(words));
  }

  void decorate(uint32_t target, std::span<const uint32_t> decoration) {
    if (decoration[0] == decoration_function_parameter && decoration.size() > 1 &&
        decoration[1] == attribute_by_val)
      by_val_.insert(target);
    if (decoration[0] == decoration_constant)
      constant_.insert(target);
    if (decoration[0] == decoration_linkage && decoration.size() > 2)
      linked_[target] = text(decoration.subspan(1));
    if (decoration[0] == decoration_alignment && decoration.size() > 1)
      alignments_[target] = decoration[1];
  }

  /// The number behind the prefix of a name, 0 if there is none; nothing if the name has another beginning.
  std::optional<uint32_t> number_in_name(uint32_t id, std::string_view prefix) const {
    const auto name = names_.find(id);
    if (name == names_.end() || !name->second.starts_with(prefix))
      return std::nullopt;
    const std::string_view digits = std::string_view(name->second).substr(prefix.size());
    uint32_t number = 0;
    std::from_chars(digits.data(), digits.data() + digits.size(), number);
    return number;
  }

  Parameter describe(uint32_t type_id, uint32_t id) const {
    const Type &t = types_.type(type_id);
    auto value = [&](uint32_t value_type) {
      const Layout value_layout = types_.layout(value_type);
      auto declared = alignments_.find(id);
      return Parameter{ParameterKind::value, uint32_t(value_layout.bytes),
                       declared != alignments_.end() ? declared->second
                                                     : uint32_t(value_layout.alignment)};
    };
    if (t.op != op_type_pointer)
      return value(type_id);
    if (t.operands.size() < 2)
      malformed("a pointer type lacks operands");
    if (by_val_.contains(id))
      return value(t.operands[1]);
    if (t.operands[0] == storage_workgroup)
      return {ParameterKind::local,
              number_in_name(id, std::string(device_contract::dynamic_shared_parameter) + ".")
                  .value_or(0),
              1};
    if (const auto bytes = number_in_name(id, device_contract::spilled_parameter_prefix)) {
      // The device compiler names such a parameter after the size of the value that its pointer stands for.
      if (*bytes == 0)
        malformed("a spilled parameter has no size");
      auto declared = alignments_.find(id);
      return {ParameterKind::spilled, *bytes, declared != alignments_.end() ? declared->second : 8};
    }
    return {ParameterKind::pointer, 8, 8};
  }

  std::span<const uint32_t> words_;
  std::unordered_map<uint32_t, std::string> names_;
  Types types_;
  std::unordered_map<uint32_t, uint32_t> alignments_;
  std::unordered_map<uint32_t, uint32_t> bounds_;    // by entry point
  std::unordered_map<uint32_t, std::string> linked_; // exported names
  std::unordered_set<uint32_t> by_val_, constant_;
  std::vector<uint32_t> variables_;
  std::vector<std::pair<uint32_t, std::string>> kernels_; // entry points
  uint32_t function_ = 0;                                 // the one that is being read
  std::optional<unsigned> version_;                       // of the device contract
  std::unordered_map<uint32_t, std::vector<std::pair<uint32_t, uint32_t>>> parameters_;
};

} // namespace

SpirvContents read_contents(std::span<const std::byte> spirv) {
  if (spirv.empty() || spirv.size() % 4 != 0)
    malformed("its size is not a multiple of four");
  const std::vector<uint32_t> words = words_of(spirv);
  try {
    return Reader(words).read();
  } catch (const Malformed &error) {
    malformed(error.what());
  }
}

} // namespace chip
