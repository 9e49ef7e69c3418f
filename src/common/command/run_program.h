// What commands that run a program under observation have in common.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace common {

/// Ends the process with `code`, and `command: text` on standard error.
[[noreturn]] void fail(std::string_view command, int code, std::string_view text);

/// An option that has a value. `take` gets it, and ends the process if it is none.
struct CommandOption {
  std::string_view name;
  std::function<void(const std::string &value)> take;
};

/// Reads the options that stand in front of a program, and returns that and its arguments. Ends the process for --help, which
/// prints `usage`, and with exit code 2 where options are wrong or there is no program.
std::vector<std::string> read_options(std::string_view command, std::string_view usage,
                                      std::span<const CommandOption> options, int count,
                                      char **arguments);

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
