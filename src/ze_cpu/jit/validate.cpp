#include "translate.h"

#include <bit>
#include <cstring>
#include <spirv-tools/libspirv.hpp>

namespace ze_cpu {
namespace {

constexpr uint32_t spirv_magic = 0x07230203;
constexpr uint16_t op_extension = 10;
constexpr uint16_t op_memory_model = 14;

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
    "NonSemantic.Shader.DebugInfo.100 ", // means nothing to the program, by its name
};

bool is_tolerated(std::string_view finding) {
  for (std::string_view known : tolerated_findings)
    if (finding.find(known) != std::string_view::npos)
      return true;
  return false;
}

bool declares_unmodelled_extension(std::span<const uint32_t> words) {
  for (size_t at = 5; at < words.size();) {
    uint32_t length = words[at] >> 16, opcode = words[at] & 0xffff;
    if (length == 0 || at + length > words.size() || opcode == op_memory_model)
      return false;
    if (opcode == op_extension && length > 1) {
      auto text = reinterpret_cast<const char *>(&words[at + 1]);
      std::string_view name(text, strnlen(text, (length - 1) * sizeof(uint32_t)));
      for (std::string_view known : unmodelled_extensions)
        if (name == known)
          return true;
    }
    at += length;
  }
  return false;
}

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

Verdict validate(std::span<const std::byte> spirv) {
  auto invalid = [](std::string why) {
    return Verdict{false, BuildError::Kind::invalid, std::move(why)};
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
  if (tools.Validate(words.data(), words.size(), options))
    return {true, std::nullopt, std::move(log)};
  // Rules may be broken, but what cannot even be taken apart into instructions is nothing to try.
  bool tolerable = declares_unmodelled_extension(words) || is_tolerated(log);
  auto any_header = [](spv_endianness_t, const spv_parsed_header_t &) { return SPV_SUCCESS; };
  auto any_instruction = [](const spv_parsed_instruction_t &) { return SPV_SUCCESS; };
  if (tolerable && tools.Parse(words, any_header, any_instruction))
    return {true, std::nullopt, std::move(log)};
  if (log.empty())
    log = "validation: the module is not valid SPIR-V\n";
  return {false, BuildError::Kind::failed, std::move(log)};
}

} // namespace ze_cpu
