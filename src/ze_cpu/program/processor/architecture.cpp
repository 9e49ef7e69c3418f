#include "architecture.h"

#include "../../contract/environment.h"
#include "../serialize.h"

#include <algorithm>
#include <array>

#if defined(__x86_64__)
#include <cpuid.h>
#else
#include <sys/auxv.h>
#endif

namespace ze_cpu {
namespace {

#if defined(__x86_64__)
constexpr std::array names = {"native", "x86-64-v2", "x86-64-v3", "x86-64-v4"};
constexpr const char *choices = "native, x86-64-v2, x86-64-v3 or x86-64-v4";
#else
constexpr std::array names = {"native"};
constexpr const char *choices = "native";
#endif

} // namespace

const char *name_of(Architecture architecture) { return names.at(size_t(architecture)); }

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
      settings.complain(name, choice.error, choices);
    return choice.architecture;
  }();
  return chosen;
}

std::string processor_identity() {
  Writer writer;
#if defined(__x86_64__)
  // What LLVM asks for, without what differs between the processors of one machine.
  constexpr struct {
    uint32_t leaf, part;
  } questions[] = {{0, 0},    {1, 0},    {7, 0},    {7, 1},          {0xd, 1},       {0x14, 0},
                   {0x19, 0}, {0x1e, 1}, {0x24, 0}, {0x80000001, 0}, {0x80000008, 0}};
  for (const auto [leaf, part] : questions) {
    uint32_t a = 0, b = 0, c = 0, d = 0;
    __get_cpuid_count(leaf, part, &a, &b, &c, &d);
    if (leaf == 1)
      b = 0; // has the number of the processor that was asked
    for (const uint32_t answer : {a, b, c, d})
      writer.put(answer);
  }
  // Which registers the operating system keeps.
  uint32_t low = 0, high = 0;
  if (uint32_t a, b, c, d; __get_cpuid(1, &a, &b, &c, &d) && (c & bit_OSXSAVE))
    asm volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  writer.put(low);
  writer.put(high);
#else
  for (const unsigned long what : {AT_HWCAP, AT_HWCAP2})
    writer.put(static_cast<uint64_t>(getauxval(what)));
#endif
  return writer.take();
}

} // namespace ze_cpu
