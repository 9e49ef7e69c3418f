// Numbers that a user sets.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <optional>

namespace ze_cpu {

/// The number from 1 to `limit` that an environment variable names. What is not one is reported,
/// and as good as unset.
inline std::optional<unsigned> count_from_environment(const char *name, unsigned limit) {
  const char *text = std::getenv(name);
  if (!text || !*text)
    return std::nullopt;
  char *end = nullptr;
  const long value = std::strtol(text, &end, 10);
  if (*end == 0 && value >= 1 && value <= static_cast<long>(limit))
    return static_cast<unsigned>(value);
  std::fprintf(stderr, "ze_cpu: %s=%s is ignored: it must be a number from 1 to %u\n", name, text,
               limit);
  return std::nullopt;
}

} // namespace ze_cpu
