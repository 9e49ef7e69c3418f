// Test cases that run in a process of their own, and what they write to standard error.
#pragma once

#include <catch2/catch_test_macros.hpp>

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <string>

extern char **environ;

namespace child {

/// Whether another test case passes in a child process, which inherits the environment.
inline bool child_passes(std::string test) {
  char program[] = "/proc/self/exe";
  char *arguments[] = {program, test.data(), nullptr};
  pid_t child = 0;
  int status = 0;
  REQUIRE(posix_spawn(&child, program, nullptr, nullptr, arguments, environ) == 0);
  REQUIRE(waitpid(child, &status, 0) == child);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/// What this process and its children write to standard error, as long as there is one of these.
class Complaint {
public:
  Complaint() {
    REQUIRE(pipe2(ends_, O_CLOEXEC | O_NONBLOCK) == 0);
    REQUIRE(dup2(ends_[1], STDERR_FILENO) == STDERR_FILENO);
  }
  ~Complaint() {
    dup2(before_, STDERR_FILENO);
    for (const int file : {before_, ends_[0], ends_[1]})
      close(file);
  }
  Complaint(const Complaint &) = delete;

  const std::string &text() {
    char bytes[4096];
    for (ssize_t count; (count = read(ends_[0], bytes, sizeof bytes)) > 0;)
      text_.append(bytes, size_t(count));
    return text_;
  }

private:
  int before_ = dup(STDERR_FILENO), ends_[2];
  std::string text_;
};

} // namespace child
