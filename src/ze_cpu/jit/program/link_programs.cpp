#include "link_programs.h"

#include "../front/translate.h"

#include <cstring>
#include <spirv-tools/linker.hpp>

namespace ze_cpu {

std::expected<std::vector<std::byte>, std::string>
link_modules(std::span<const std::span<const std::byte>> programs) {
  std::string log;
  std::vector<std::vector<uint32_t>> modules;
  uint32_t version = 0;
  for (const std::span<const std::byte> program : programs) {
    Validation validation = validate(program);
    log += validation.log;
    if (!validation.accepted)
      return std::unexpected(std::move(log));
    std::vector<uint32_t> &words = modules.emplace_back(program.size() / sizeof(uint32_t));
    std::memcpy(words.data(), program.data(), program.size());
    version = std::max(version, words[1]);
  }
  // The linker wants one version; the newest knows what the others do.
  for (std::vector<uint32_t> &words : modules)
    words[1] = version;

  std::vector<uint32_t> linked;
  spvtools::Context context(SPV_ENV_UNIVERSAL_1_6);
  context.SetMessageConsumer([&](spv_message_level_t, const char *, const spv_position_t &,
                                 const char *message) { log += std::string(message) + "\n"; });
  spvtools::LinkerOptions options;
  options.SetCreateLibrary(true); // names are how variables and functions are found
  options.SetAllowPtrTypeMismatch(true);
  if (spvtools::Link(context, modules, &linked, options) != SPV_SUCCESS)
    return std::unexpected(log.empty() ? "the programs cannot be linked" : std::move(log));
  std::vector<std::byte> bytes(linked.size() * sizeof(uint32_t));
  std::memcpy(bytes.data(), linked.data(), bytes.size());
  return bytes;
}

} // namespace ze_cpu
