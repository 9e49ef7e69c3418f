// Several SPIR-V modules to one: what one imports is what another exports.
#include "entry.h"
#include "translate.h"

#include <cstring>
#include <spirv-tools/linker.hpp>

namespace ze_cpu {
namespace {

LinkResult link(const JitHost &host, std::span<const std::span<const std::byte>> programs) {
  if (host.interface_version != jit_interface_version)
    return std::unexpected("libze_cpu.so and libze_cpu_jit.so are not of the same version");
  std::string log;
  std::vector<std::vector<uint32_t>> modules;
  uint32_t version = 0;
  for (const std::span<const std::byte> program : programs) {
    Verdict verdict = validate(program);
    log += verdict.log;
    if (!verdict.accepted)
      return std::unexpected(std::move(log));
    std::vector<uint32_t> &words = modules.emplace_back(program.size() / sizeof(uint32_t));
    std::memcpy(words.data(), program.data(), program.size());
    version = std::max(version, words[1]);
  }
  // The linker wants one version; the newest knows what the others do.
  for (std::vector<uint32_t> &words : modules)
    words[1] = version;

  std::vector<uint32_t> linked;
  struct Work {
    const std::vector<std::vector<uint32_t>> &modules;
    std::vector<uint32_t> &linked;
    std::string &log;
    spv_result_t result;
  } work{modules, linked, log, SPV_ERROR_INTERNAL};
  const int signal = host.guarded(
      [](void *argument) {
        auto &w = *static_cast<Work *>(argument);
        spvtools::Context context(SPV_ENV_UNIVERSAL_1_6);
        context.SetMessageConsumer(
            [&](spv_message_level_t, const char *, const spv_position_t &, const char *message) {
              w.log += std::string(message) + "\n";
            });
        spvtools::LinkerOptions options;
        options.SetCreateLibrary(true); // names are how variables and functions are found
        options.SetAllowPtrTypeMismatch(true);
        w.result = spvtools::Link(context, w.modules, &w.linked, options);
      },
      &work);
  if (signal != 0 || work.result != SPV_SUCCESS)
    return std::unexpected(log.empty() ? "the programs cannot be linked" : std::move(log));
  std::vector<std::byte> bytes(linked.size() * sizeof(uint32_t));
  std::memcpy(bytes.data(), linked.data(), bytes.size());
  return bytes;
}

} // namespace
} // namespace ze_cpu

extern "C" [[gnu::visibility("default")]] void
ze_cpu_jit_link(const ze_cpu::JitHost *host, std::span<const std::span<const std::byte>> programs,
                ze_cpu::LinkResult *result) try {
  *result = ze_cpu::link(*host, programs);
} catch (const std::exception &exception) {
  *result = std::unexpected(std::string(exception.what()));
}
