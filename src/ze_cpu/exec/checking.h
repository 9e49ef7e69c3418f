// ZE_CPU_CHECK: memory is laid out, and kernels are compiled, so that what they do wrong is noticed.
#pragma once

#include "../contract/environment.h"

#include <optional>

namespace ze_cpu {

/// Which classes of faults are looked for.
struct Checks {
  bool memory = false;          // accesses to what is not the kernel's
  bool races = false;           // of work-items that nothing orders
  bool uninitialised = false;   // reads of what nobody has written
  bool synchronisation = false; // barriers that not all work-items of a group reach
  bool leaks = false;           // memory that is never freed
  bool traps = false;           // kernels that give up

  bool any() const { return memory || traces() || leaks || traps; }
  /// Whether kernels tell of each access and each barrier.
  bool traces() const { return races || uninitialised || synchronisation; }
};

inline constexpr const char *known_checks =
    "0, 1, or a list of memory, races, uninitialised, synchronisation, leaks and traps";

/// What a value of the variable asks for; nothing if it cannot be meant. "1" is memory alone.
inline std::optional<Checks> parse_checks(std::string_view text) {
  Checks checks;
  if (text.empty() || text == "0")
    return checks;
  for (const std::string_view name : common::list_entries(text)) {
    bool *const check = name == "memory" || text == "1" ? &checks.memory
                        : name == "races"               ? &checks.races
                        : name == "uninitialised"       ? &checks.uninitialised
                        : name == "synchronisation"     ? &checks.synchronisation
                        : name == "leaks"               ? &checks.leaks
                        : name == "traps"               ? &checks.traps
                                                        : nullptr;
    if (!check)
      return std::nullopt;
    *check = true;
  }
  return checks;
}

inline const Checks &checks() {
  static const Checks chosen = [] {
    const auto parsed = parse_checks(common::variable("ZE_CPU_CHECK"));
    if (!parsed)
      settings.complain("ZE_CPU_CHECK", "is ignored", known_checks);
    return parsed.value_or(Checks());
  }();
  return chosen;
}

/// Whether any fault is looked for.
inline bool is_checking() { return checks().any(); }

} // namespace ze_cpu
