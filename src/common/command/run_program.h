// What commands that run a program under observation have in common.
#pragma once

#include <string>
#include <vector>

namespace common {

/// A directory of its own, which goes with it.
class TemporaryDirectory {
public:
  /// Below TMPDIR, or else /tmp; its name begins with `name`. Throws std::runtime_error, whose text says what to do.
  explicit TemporaryDirectory(const std::string &name);
  ~TemporaryDirectory();
  TemporaryDirectory(const TemporaryDirectory &) = delete;
  TemporaryDirectory &operator=(const TemporaryDirectory &) = delete;
  const std::string &path() const { return path_; }

private:
  std::string path_;
};

/// Runs a program, found as shells do it, to its end, and passes signals on to it: its status as waitpid() tells it, or -1 and
/// `errno` if it cannot be run. To be called once in a process.
int run_program(const std::vector<std::string> &command);

/// The status that shells give a program that cannot be run for `error`.
int status_of_missing_program(int error);

/// What the process has to return to end as the program did; ends by its signal itself.
int end_like(int status);

} // namespace common
