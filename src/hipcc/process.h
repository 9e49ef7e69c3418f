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

/// What a program gets that a library runs inside somebody else's process.
struct Surroundings {
  std::vector<std::string> environment; // NAME=value
  std::string directory;                // empty: the current one
};
/// The exit code of a program whose end somebody else in this process waited for, or nobody may.
constexpr int unknown_exit_code = -1;
/// The same without a trace of this process: no input, no open files, no blocked or ignored signals. `errors` is all that
/// it wrote to stderr and stdout, or why it could not be run.
Result run_apart(const std::vector<std::string> &command, const Surroundings &surroundings);

} // namespace chip::hipcc
