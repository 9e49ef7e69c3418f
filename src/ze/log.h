// What libCHIP says on stderr when a user asks for it with CHIP_LOG. Nothing is evaluated for a message that is not shown.
#pragma once

#include <atomic>
#include <string>

namespace chip {

/// Each level shows the messages of those before it, too.
enum class LogLevel { none, error, warn, info, trace };

namespace detail {
inline constinit std::atomic<LogLevel> log_level{LogLevel::none};
void write_log(LogLevel level, const std::string &text) noexcept;
} // namespace detail

/// Whether messages of this level are shown.
inline bool logs(LogLevel level) {
  return detail::log_level.load(std::memory_order_relaxed) >= level;
}

/// Says what `text()` returns, if that is not empty and messages of this level are shown. A failure to do so is none of the call that is logged.
template <class Text> void log(LogLevel level, Text &&text) noexcept {
  if (!logs(level)) [[likely]]
    return;
  try {
    detail::write_log(level, text());
  } catch (...) {
  }
}

/// Reads CHIP_LOG, or CHIP_LOGLEVEL where that is unset, as it has been done without a word when libCHIP was loaded. Says once
/// if there is no such level.
void configure_log();

} // namespace chip
