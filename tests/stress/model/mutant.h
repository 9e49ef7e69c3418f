// Included before each file of the copy that mutate.py makes.
#pragma once

#include <cstdlib>
#include <string_view>

/// Whether CHIP_MUTANT names this rule.
inline bool chip_mutant(std::string_view rule) {
  static const std::string_view chosen = [] {
    const char *name = std::getenv("CHIP_MUTANT");
    return std::string_view(name ? name : "");
  }();
  return rule == chosen;
}
