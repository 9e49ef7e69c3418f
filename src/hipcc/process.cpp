#include "process.h"

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <format>
#include <spawn.h>
#include <sys/wait.h>
#include <system_error>
#include <unistd.h>

extern char **environ;

namespace chip::hipcc {
namespace {

std::vector<char *> pointers(const std::vector<std::string> &command) {
  std::vector<char *> result;
  for (const std::string &word : command)
    result.push_back(const_cast<char *>(word.c_str()));
  result.push_back(nullptr);
  return result;
}

std::string cannot_run(const std::string &program, int error) {
  return std::format(
      "hipcc: cannot run {}: {}; install it or set HIP_CLANG_PATH to its directory\n", program,
      std::strerror(error));
}

// Closed in every program that any thread of this process starts.
struct Pipe {
  int ends[2] = {-1, -1};
  Pipe() {
    if (pipe2(ends, O_CLOEXEC) != 0)
      throw std::system_error(errno, std::generic_category(), "cannot make a pipe");
  }
  ~Pipe() {
    close(ends[0]);
    close_writing_end();
  }
  void close_writing_end() {
    if (ends[1] >= 0)
      close(ends[1]);
    ends[1] = -1;
  }
};

struct Actions {
  posix_spawn_file_actions_t actions;
  Actions() { posix_spawn_file_actions_init(&actions); }
  ~Actions() { posix_spawn_file_actions_destroy(&actions); }
};

struct Attributes {
  posix_spawnattr_t attributes;
  Attributes() { posix_spawnattr_init(&attributes); }
  ~Attributes() { posix_spawnattr_destroy(&attributes); }
};

// Reads until the program and all that it started have ended.
std::string read_all(int from) {
  std::string text;
  char buffer[4096];
  for (;;) {
    ssize_t count = read(from, buffer, sizeof buffer);
    if (count > 0)
      text.append(buffer, size_t(count));
    else if (count == 0 || errno != EINTR)
      return text;
  }
}

int wait_for(pid_t child) {
  int status = 0;
  while (waitpid(child, &status, 0) < 0)
    if (errno != EINTR)
      return unknown_exit_code;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

} // namespace

int replace_by(const std::vector<std::string> &command) {
  execv(command[0].c_str(), pointers(command).data());
  std::fputs(cannot_run(command[0], errno).c_str(), stderr);
  return 1;
}

Result run(const std::vector<std::string> &command) {
  Pipe pipe;
  Actions files;
  posix_spawn_file_actions_adddup2(&files.actions, pipe.ends[1], STDERR_FILENO);
  pid_t child = 0;
  if (int error = posix_spawn(&child, command[0].c_str(), &files.actions, nullptr,
                              pointers(command).data(), environ)) {
    std::fputs(cannot_run(command[0], error).c_str(), stderr);
    return {1, {}};
  }
  pipe.close_writing_end();
  Result result{0, read_all(pipe.ends[0])};
  result.exit_code = wait_for(child);
  return result;
}

Result run_apart(const std::vector<std::string> &command,
                 const std::vector<std::string> &environment) {
  Pipe pipe;
  Actions files;
  posix_spawn_file_actions_adddup2(&files.actions, pipe.ends[1], STDERR_FILENO);
  posix_spawn_file_actions_adddup2(&files.actions, pipe.ends[1], STDOUT_FILENO);
  posix_spawn_file_actions_addopen(&files.actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addclosefrom_np(&files.actions, STDERR_FILENO + 1);

  // Ignored signals stay ignored in what a process starts: a compiler could then not wait for its own helpers.
  Attributes signals;
  sigset_t all, none;
  sigfillset(&all);
  sigemptyset(&none);
  posix_spawnattr_setsigdefault(&signals.attributes, &all);
  posix_spawnattr_setsigmask(&signals.attributes, &none);
  posix_spawnattr_setflags(&signals.attributes, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);

  pid_t child = 0;
  if (int error = posix_spawn(&child, command[0].c_str(), &files.actions, &signals.attributes,
                              pointers(command).data(), pointers(environment).data()))
    return {127, cannot_run(command[0], error)};
  pipe.close_writing_end();
  Result result{0, read_all(pipe.ends[0])};
  result.exit_code = wait_for(child);
  return result;
}

} // namespace chip::hipcc
