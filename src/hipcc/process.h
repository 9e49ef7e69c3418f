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

/// The exit code of a program whose end somebody else in this process waited for, or nobody may.
constexpr int unknown_exit_code = -1;
/// The same for a library inside somebody else's process, of which the program sees only the current directory: it has no
/// input, no open files, no blocked or ignored signals, and the environment that is given (NAME=value). `errors` is all
/// that it wrote to stderr and stdout, or why it could not be run.
Result run_apart(const std::vector<std::string> &command,
                 const std::vector<std::string> &environment);

} // namespace chip::hipcc
