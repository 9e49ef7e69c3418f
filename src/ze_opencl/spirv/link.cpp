#include "module.h"

#include <spirv-tools/linker.hpp>

#include <cstring>

namespace ze_opencl {

ze_driver::LinkResult link(std::span<const std::span<const uint32_t>> modules) {
  std::vector<std::vector<uint32_t>> binaries;
  for (const auto &module : modules)
    binaries.emplace_back(module.begin(), module.end());
  spvtools::Context context(SPV_ENV_UNIVERSAL_1_6);
  std::string log;
  context.SetMessageConsumer([&](spv_message_level_t, const char *, const spv_position_t &,
                                 const char *message) { log.append(message).append("\n"); });
  spvtools::LinkerOptions options;
  options.SetAllowPartialLinkage(true);
  options.SetCreateLibrary(true); // what is exported may still be asked for by name
  options.SetUseHighestVersion(true);
  std::vector<uint32_t> linked;
  if (spvtools::Link(context, binaries, &linked, options) != SPV_SUCCESS)
    return std::unexpected(log.empty() ? "the modules cannot be linked" : std::move(log));
  std::vector<std::byte> bytes(linked.size() * sizeof(uint32_t));
  std::memcpy(bytes.data(), linked.data(), bytes.size());
  return bytes;
}

} // namespace ze_opencl
