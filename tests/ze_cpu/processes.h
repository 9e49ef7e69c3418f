// Test cases that run another one in a process of its own, and tell it a handle.
#pragma once

#include "support.h"

#include <spawn.h>
#include <sys/wait.h>

#include <cstdlib>
#include <string>

extern char **environ;

inline constexpr const char *handle_variable = "ZE_CPU_TEST_IPC_HANDLE";
inline constexpr const char *parameter_variable = "ZE_CPU_TEST_IPC_PARAMETER";

/// Of any kind of IPC handle.
template <class Handle> std::string hex_of(const Handle &handle) {
  std::string text;
  for (const char byte : handle.data) {
    constexpr char digits[] = "0123456789abcdef";
    text += digits[static_cast<unsigned char>(byte) >> 4];
    text += digits[byte & 15];
  }
  return text;
}

/// In the other process: what it was told.
template <class Handle> Handle told_handle() {
  const char *hex = std::getenv(handle_variable);
  REQUIRE(hex != nullptr);
  Handle handle{};
  REQUIRE(std::string(hex).size() == 2 * sizeof handle.data);
  for (size_t i = 0; i < sizeof handle.data; ++i)
    handle.data[i] = static_cast<char>(std::stoi(std::string(hex + 2 * i, 2), nullptr, 16));
  return handle;
}
inline size_t told_parameter() { return std::stoul(std::getenv(parameter_variable)); }

/// A process that runs one test case.
class OtherProcess {
public:
  template <class Handle> OtherProcess(std::string test, const Handle &handle, size_t parameter) {
    setenv(handle_variable, hex_of(handle).c_str(), 1);
    setenv(parameter_variable, std::to_string(parameter).c_str(), 1);
    char program[] = "/proc/self/exe";
    char *arguments[] = {program, test.data(), nullptr};
    REQUIRE(posix_spawn(&child_, program, nullptr, nullptr, arguments, environ) == 0);
    unsetenv(handle_variable);
  }

  /// Waits for its end; whether it passed.
  bool passes() {
    int status = 0;
    REQUIRE(waitpid(child_, &status, 0) == child_);
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
  }

private:
  pid_t child_ = 0;
};
