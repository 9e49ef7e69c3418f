#include "architecture.h"

#include "../contract/environment.h"

#include <algorithm>
#include <array>

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

ArchitectureChoice choose_architecture(std::string_view value) {
  if (value.empty())
    return {};
  const auto architecture = architecture_named(value);
  if (!architecture)
    return {{}, "is ignored"};
  if (!is_executable(*architecture))
    return {{}, "is ignored, because this processor does not execute all of its instructions"};
  return {*architecture, {}};
}

Architecture architecture_from_environment() {
  static const Architecture chosen = [] {
    constexpr const char *name = "ZE_CPU_ARCH";
    const ArchitectureChoice choice = choose_architecture(common::variable(name));
    if (!choice.error.empty())
      settings.complain(name, choice.error, "native, x86-64-v2, x86-64-v3 or x86-64-v4");
    return choice.architecture;
  }();
  return chosen;
}

} // namespace ze_cpu
