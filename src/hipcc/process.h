// Running other programs without a shell.
#pragma once

#include <string>
#include <vector>

namespace chip::hipcc {

/// Becomes the program; returns only if that fails, after a message.
[[nodiscard]] int replace_by(const std::vector<std::string> &command);

struct Result {
  int exit_code;      // 128 + signal if a signal ended it
  std::string errors; // what it wrote to stderr
};
/// Runs the program and waits for it.
Result run(const std::vector<std::string> &command);

} // namespace chip::hipcc
