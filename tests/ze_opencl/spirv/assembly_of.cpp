#include "assembly_of.h"

#include <catch2/catch_test_macros.hpp>
#include <spirv-tools/libspirv.hpp>

namespace {

/// `messages` gets what is wrong.
void collect_messages(spvtools::SpirvTools &tools, std::string &messages) {
  tools.SetMessageConsumer(
      [&messages](spv_message_level_t, const char *, const spv_position_t &, const char *message) {
        messages.append(message).append("\n");
      });
}

} // namespace

std::vector<uint32_t> assemble(const std::string &text) {
  std::string messages;
  std::vector<uint32_t> words;
  spvtools::SpirvTools tools(SPV_ENV_UNIVERSAL_1_4);
  collect_messages(tools, messages);
  const bool done = tools.Assemble(text, &words, SPV_TEXT_TO_BINARY_OPTION_PRESERVE_NUMERIC_IDS);
  INFO(messages);
  REQUIRE(done);
  return words;
}

std::string disassemble(std::span<const uint32_t> words) {
  std::string messages, text;
  spvtools::SpirvTools tools(SPV_ENV_UNIVERSAL_1_6);
  collect_messages(tools, messages);
  const bool done =
      tools.Disassemble({words.begin(), words.end()}, &text, SPV_BINARY_TO_TEXT_OPTION_NO_HEADER);
  INFO(messages);
  REQUIRE(done);
  return text;
}

std::string finding_in(std::span<const uint32_t> words) {
  std::string messages;
  spvtools::SpirvTools tools(SPV_ENV_UNIVERSAL_1_6);
  collect_messages(tools, messages);
  const bool is_valid = tools.Validate(words.data(), words.size());
  return is_valid ? "" : messages.empty() ? "not valid" : messages;
}
