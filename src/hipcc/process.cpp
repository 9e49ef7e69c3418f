#include "process.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <spawn.h>
#include <sys/wait.h>
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

void cannot_run(const std::string &program, int error) {
  std::fprintf(stderr, "hipcc: cannot run %s: %s; install it or set HIP_CLANG_PATH to its directory\n",
               program.c_str(), std::strerror(error));
}

} // namespace

int replace_by(const std::vector<std::string> &command) {
  execv(command[0].c_str(), pointers(command).data());
  cannot_run(command[0], errno);
  return 1;
}

Result run(const std::vector<std::string> &command) {
  int ends[2];
  if (pipe(ends) != 0)
    return {1, std::strerror(errno)};
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDERR_FILENO);
  posix_spawn_file_actions_addclose(&actions, ends[0]);
  posix_spawn_file_actions_addclose(&actions, ends[1]);
  pid_t child = 0;
  int error = posix_spawn(&child, command[0].c_str(), &actions, nullptr, pointers(command).data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  if (error) {
    close(ends[0]);
    cannot_run(command[0], error);
    return {1, {}};
  }
  Result result{};
  char buffer[4096];
  for (;;) {
    ssize_t count = read(ends[0], buffer, sizeof buffer);
    if (count > 0)
      result.errors.append(buffer, size_t(count));
    else if (count == 0 || errno != EINTR)
      break;
  }
  close(ends[0]);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  result.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return result;
}

} // namespace chip::hipcc
