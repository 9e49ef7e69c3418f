// What a message costs that is not shown: src/ze/log.h.
#include "ze/log.h"

#include <catch2/catch_test_macros.hpp>

#include <cstdlib>
#include <stdexcept>

using namespace chip;

namespace {

/// Whether a message of this level is evaluated.
bool is_evaluated(LogLevel level) {
  bool evaluated = false;
  log(level, [&] {
    evaluated = true;
    return ""; // nothing is written
  });
  return evaluated;
}

} // namespace

TEST_CASE("log: nothing is evaluated for a message that is not shown") {
  constexpr LogLevel levels[] = {LogLevel::error, LogLevel::warn, LogLevel::info, LogLevel::trace};
  constexpr const char *names[] = {"0", "error", "warn", "info", "trace"};
  for (int shown = 0; shown <= 4; ++shown) {
    setenv("CHIP_LOG", names[shown], 1);
    configure_log();
    for (int level = 1; level <= 4; ++level) {
      INFO(names[shown] << ' ' << names[level]);
      CHECK(is_evaluated(levels[level - 1]) == (level <= shown));
      CHECK(logs(levels[level - 1]) == (level <= shown));
    }
  }
  unsetenv("CHIP_LOG");
  configure_log();
}

TEST_CASE("log: a message that cannot be made is none of the call that is logged") {
  setenv("CHIP_LOG", "error", 1);
  configure_log();
  log(LogLevel::error, []() -> std::string { throw std::runtime_error("no text"); });
  unsetenv("CHIP_LOG");
  configure_log();
  CHECK(!logs(LogLevel::error));
}
