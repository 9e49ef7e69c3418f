#include "log.h"
#include "../common/uncancelled.h"
#include "environment.h"

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <optional>
#include <string_view>

namespace chip {
namespace {

struct Name {
  std::string_view name;
  LogLevel level;
};

/// Those after the first six are what other runtimes call them.
constexpr Name names[] = {
    {"0", LogLevel::none},    {"1", LogLevel::error},   {"error", LogLevel::error},
    {"warn", LogLevel::warn}, {"info", LogLevel::info}, {"trace", LogLevel::trace},
    {"crit", LogLevel::none}, {"err", LogLevel::error}, {"debug", LogLevel::info},
};

std::optional<LogLevel> level_named(std::string_view text) {
  const auto is_same = [&](const Name &known) {
    return std::ranges::equal(
        text, known.name, [](unsigned char a, unsigned char b) { return std::tolower(a) == b; });
  };
  const Name *found = std::ranges::find_if(names, is_same);
  return found == std::ranges::end(names) ? std::nullopt : std::optional(found->level);
}

constexpr const char *log_variable = "CHIP_LOG";
constexpr const char *synonym = "CHIP_LOGLEVEL";

/// Whether the variables name a level, if one is set.
bool read_level(const char *&variable) {
  variable = common::variable(log_variable).empty() ? synonym : log_variable;
  const std::string_view text = common::variable(variable);
  const auto level = text.empty() ? std::optional(LogLevel::none) : level_named(text);
  detail::log_level.store(level.value_or(LogLevel::none), std::memory_order_relaxed);
  return level.has_value();
}

/// Before the constructors that ask for the level.
[[gnu::constructor(1000)]] void read_level_when_loaded() {
  const char *variable;
  read_level(variable);
}

} // namespace

void configure_log() {
  const char *variable;
  static std::atomic<bool> told{false};
  if (!read_level(variable) && !told.exchange(true))
    ze::settings.complain(variable, "is ignored",
                          variable == log_variable ? "error (or 1), warn, info or trace"
                                                   : "crit, err, warn, info, debug or trace");
}

void detail::write_log(LogLevel level, const std::string &text) noexcept {
  if (text.empty())
    return;
  const common::Uncancelled uncancelled;
  const char *kind = level == LogLevel::warn    ? "warning: "
                     : level == LogLevel::info  ? "info: "
                     : level == LogLevel::trace ? "trace: "
                                                : "";
  std::fprintf(stderr, "libCHIP: %s%s\n", kind, text.c_str()); // one call: lines do not mix
}

} // namespace chip
