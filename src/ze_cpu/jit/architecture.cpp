#include "architecture.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>

namespace ze_cpu {
namespace {

constexpr std::array<const char *, 4> names = {"native", "x86-64-v2", "x86-64-v3", "x86-64-v4"};

} // namespace

const char *name_of(Architecture architecture) { return names[size_t(architecture)]; }

std::optional<Architecture> architecture_named(std::string_view name) {
  const auto found = std::ranges::find(names, name);
  if (found == names.end())
    return std::nullopt;
  return static_cast<Architecture>(found - names.begin());
}

bool is_executable(Architecture architecture) {
  switch (architecture) {
  case Architecture::native:
    return true;
#if defined(__x86_64__)
  case Architecture::x86_64_v2:
    return __builtin_cpu_supports("x86-64-v2");
  case Architecture::x86_64_v3:
    return __builtin_cpu_supports("x86-64-v3");
  case Architecture::x86_64_v4:
    return __builtin_cpu_supports("x86-64-v4");
#endif
  default:
    return false;
  }
}

ArchitectureChoice choose_architecture(const char *value) {
  if (!value || !*value)
    return {};
  const auto architecture = architecture_named(value);
  if (!architecture)
    return {{}, "it must be native, x86-64-v2, x86-64-v3 or x86-64-v4"};
  if (!is_executable(*architecture))
    return {{}, "this processor does not execute all of its instructions"};
  return {*architecture, {}};
}

Architecture architecture_from_environment() {
  static const Architecture chosen = [] {
    const char *value = std::getenv("ZE_CPU_ARCH");
    const ArchitectureChoice choice = choose_architecture(value);
    if (!choice.error.empty())
      std::fprintf(stderr, "ze_cpu: ZE_CPU_ARCH=%s is ignored: %s\n", value, choice.error.c_str());
    return choice.architecture;
  }();
  return chosen;
}

} // namespace ze_cpu
