#include "translate.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <spirv-tools/libspirv.hpp>
#include <unordered_map>
#include <utility>

namespace ze_cpu {
namespace {

constexpr uint32_t spirv_magic = 0x07230203;
constexpr uint16_t op_extension = 10;

// Producers in use rely on these; the validator knows their instructions only in part.
constexpr std::string_view unmodelled_extensions[] = {
    "SPV_INTEL_long_composites",
    "SPV_INTEL_function_pointers",
    "SPV_INTEL_inline_assembly",
    "SPV_INTEL_variable_length_array",
    "SPV_INTEL_arbitrary_precision_integers",
};

// Rules of the specification that common producers break and GPU compilers do not mind.
constexpr std::string_view tolerated_findings[] = {
    "must not have spec constant operands", // addresses of globals in constant arrays
    "Expected input and Result Type to point to the same type: SpecConstantOp", // casts of globals
                                                                                // in initial values
    "requires one of these extensions",      // capabilities whose extension is not declared
    "No OpEntryPoint instruction was found", // modules without kernels, not declared as libraries
    "has not been defined", // blocks that come before what they use; defined somewhere it must be
    "appears in the binary before its dominator",
    "does not match the type that results from indexing", // pointers have no types later on
    "NonSemantic.Shader.DebugInfo.100 ", // means nothing to the program, by its name
};

bool is_tolerated(std::string_view finding) {
  for (std::string_view known : tolerated_findings)
    if (finding.find(known) != std::string_view::npos)
      return true;
  return false;
}

// Instructions, from the first to the last number, of which the translator knows nothing: it then
// ends the process. Some are valid in modules for kernels.
constexpr std::pair<uint32_t, uint32_t> untranslatable[] = {
    {2, 2},     // OpSourceContinued
    {29, 29},   // OpTypeRuntimeArray
    {60, 60},   // OpImageTexelPointer
    {68, 68},   // OpArrayLength
    {89, 97},   // images: all sampling but with an explicit level, gathering
    {100, 100}, // OpImage
    {116, 116}, // OpQuantizeToF16
    {147, 147}, // OpOuterProduct
};

// Calls visit(opcode, words) for each instruction until it returns true, or the words make none.
template <class Visit> bool any_instruction(std::span<const uint32_t> words, Visit visit) {
  for (size_t at = 5; at < words.size();) {
    uint32_t length = words[at] >> 16;
    if (length == 0 || at + length > words.size())
      return false;
    if (visit(words[at] & 0xffff, words.subspan(at, length)))
      return true;
    at += length;
  }
  return false;
}

bool declares_unmodelled_extension(std::span<const uint32_t> words) {
  return any_instruction(words, [](uint32_t opcode, std::span<const uint32_t> instruction) {
    if (opcode != op_extension || instruction.size() < 2)
      return false;
    auto text = reinterpret_cast<const char *>(&instruction[1]);
    std::string_view name(text, strnlen(text, (instruction.size() - 1) * sizeof(uint32_t)));
    return std::ranges::find(unmodelled_extensions, name) != std::end(unmodelled_extensions);
  });
}

// The opcode, or 0.
uint32_t untranslatable_instruction(std::span<const uint32_t> words) {
  uint32_t found = 0;
  any_instruction(words, [&](uint32_t opcode, auto) {
    for (auto [first, last] : untranslatable)
      if (opcode >= first && opcode <= last)
        found = opcode;
    return found != 0;
  });
  return found;
}

// What even a module whose rules are relaxed has to keep for the translator to walk through it:
// functions made of blocks, jumps to labels, and names that stand for something.
class Structure {
public:
  void add(const spv_parsed_instruction_t &instruction) {
    constexpr uint32_t function = 54, parameter = 55, function_end = 56, label = 248;
    uint32_t opcode = instruction.opcode;
    bool jumps = opcode >= 249 && opcode <= 251; // OpBranch, OpBranchConditional, OpSwitch
    bool ends_block = (opcode >= 249 && opcode <= 255) || opcode == 4416;
    if (opcode == function)
      enter(Place::module, Place::parameters);
    else if (opcode == function_end)
      broken_ |= std::exchange(place_, Place::module) == Place::block;
    else if (opcode == label)
      broken_ |= place_ == Place::module || std::exchange(place_, Place::block) == Place::block;
    else if (opcode == parameter)
      broken_ |= place_ != Place::parameters;
    else if (ends_block)
      enter(Place::block, Place::function);
    else if (opcode > 58 && opcode != 8 && opcode != 317)
      broken_ |= place_ == Place::parameters || place_ == Place::function;
    // Types and constants: of what comes before them, except the structure that points to itself.
    bool declares = opcode >= 19 && opcode <= 52;
    bool looks_ahead = opcode == 30 || opcode == 39; // OpTypeStruct, OpTypeForwardPointer
    broken_ |= declares && place_ != Place::module;
    for (uint16_t i = 0; i < instruction.num_operands; ++i) {
      const spv_parsed_operand_t &operand = instruction.operands[i];
      uint32_t id = instruction.words[operand.offset];
      if (operand.type == SPV_OPERAND_TYPE_TYPE_ID || operand.type == SPV_OPERAND_TYPE_ID ||
          operand.type == SPV_OPERAND_TYPE_SCOPE_ID ||
          operand.type == SPV_OPERAND_TYPE_MEMORY_SEMANTICS_ID) {
        bool is_condition = i == 0 && opcode != 249;
        broken_ |= declares && !looks_ahead && !defined_.contains(id);
        used_.push_back({id, jumps && !is_condition ? label : 0});
      }
    }
    if (instruction.result_id)
      defined_[instruction.result_id] = opcode;
  }

  bool holds() const {
    return !broken_ && place_ == Place::module && std::ranges::all_of(used_, [&](const Use &use) {
      auto found = defined_.find(use.id);
      return found != defined_.end() && (use.opcode == 0 || found->second == use.opcode);
    });
  }

private:
  enum class Place { module, parameters, block, function };
  struct Use {
    uint32_t id, opcode; // what has to define it; 0: anything
  };
  void enter(Place from, Place to) {
    broken_ |= place_ != from;
    place_ = to;
  }

  Place place_ = Place::module;
  bool broken_ = false;
  std::unordered_map<uint32_t, uint32_t> defined_; // by which opcode
  std::vector<Use> used_;
};

spv_target_env environment(uint32_t version) {
  switch (version >> 8 & 0xff) {
  case 0:
    return SPV_ENV_UNIVERSAL_1_0;
  case 1:
    return SPV_ENV_UNIVERSAL_1_1;
  case 2:
    return SPV_ENV_UNIVERSAL_1_2;
  case 3:
    return SPV_ENV_UNIVERSAL_1_3;
  case 4:
    return SPV_ENV_UNIVERSAL_1_4;
  case 5:
    return SPV_ENV_UNIVERSAL_1_5;
  default:
    return SPV_ENV_UNIVERSAL_1_6;
  }
}

} // namespace

Validation validate(std::span<const std::byte> spirv) {
  auto invalid = [](std::string why) {
    return Validation{false, BuildError::Kind::invalid, std::move(why)};
  };
  if (spirv.size() < 5 * sizeof(uint32_t) || spirv.size() % sizeof(uint32_t) != 0)
    return invalid("not a SPIR-V module: its size is not that of a header and whole words");
  std::vector<uint32_t> words(spirv.size() / sizeof(uint32_t)); // the input may be unaligned
  std::memcpy(words.data(), spirv.data(), spirv.size());
  if (words[0] == std::byteswap(spirv_magic))
    return invalid("SPIR-V of the other byte order is not supported");
  if (words[0] != spirv_magic)
    return invalid("not a SPIR-V module: the magic number is missing");

  std::string log;
  spvtools::SpirvTools tools(environment(words[1]));
  tools.SetMessageConsumer(
      [&](spv_message_level_t, const char *, const spv_position_t &position, const char *message) {
        log += "validation: word " + std::to_string(position.index) + ": " + message + "\n";
      });
  spvtools::ValidatorOptions options;
  if (uint32_t opcode = untranslatable_instruction(words))
    return {false, BuildError::Kind::failed,
            "the instruction with opcode " + std::to_string(opcode) + " is not supported\n"};
  if (tools.Validate(words.data(), words.size(), options))
    return {true, std::nullopt, std::move(log)};
  // Rules may be broken, but what cannot even be taken apart is nothing to try.
  bool tolerable = declares_unmodelled_extension(words) || is_tolerated(log);
  Structure structure;
  auto any_header = [](spv_endianness_t, const spv_parsed_header_t &) { return SPV_SUCCESS; };
  auto add = [&](const spv_parsed_instruction_t &instruction) {
    structure.add(instruction);
    return SPV_SUCCESS;
  };
  if (tolerable && tools.Parse(words, any_header, add) && structure.holds())
    return {true, std::nullopt, std::move(log)};
  if (log.empty())
    log = "validation: the module is not valid SPIR-V\n";
  return {false, BuildError::Kind::failed, std::move(log)};
}

} // namespace ze_cpu
