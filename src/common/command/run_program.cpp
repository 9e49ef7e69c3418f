#include "run_program.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <format>
#include <iostream>
#include <stdexcept>

#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace common {
namespace {

volatile pid_t child;

void pass_on(int signal, siginfo_t *info, void *) {
  // What the terminal sends, all of its programs get.
  if (info->si_code != SI_KERNEL && child > 0)
    kill(child, signal);
}

constexpr int passed_signals[] = {SIGINT,  SIGTERM, SIGHUP,  SIGQUIT,
                                  SIGUSR1, SIGUSR2, SIGCONT, SIGWINCH};

} // namespace

void fail(std::string_view command, int code, std::string_view text) {
  std::cerr << command << ": " << text << '\n';
  std::exit(code);
}

std::vector<std::string> read_options(std::string_view command, std::string_view usage,
                                      std::span<const CommandOption> options, int count,
                                      char **arguments) {
  int i = 1;
  for (; i < count && arguments[i][0] == '-'; ++i) {
    const std::string_view name = arguments[i];
    if (name == "--help" || name == "-h") {
      std::cout << usage;
      std::exit(0);
    }
    if (name == "--") {
      ++i;
      break;
    }
    const auto option = std::ranges::find(options, name, &CommandOption::name);
    if (option == options.end())
      fail(command, 2,
           std::format("there is no option {}: --help shows those that there are", name));
    if (++i == count)
      fail(command, 2, std::format("{} needs a value", name));
    option->take(arguments[i]);
  }
  if (i >= count)
    fail(command, 2, std::format("no program is named: {} PROGRAM [ARGUMENT...]", command));
  return {arguments + i, arguments + count};
}

TemporaryDirectory::TemporaryDirectory(const std::string &name) {
  const char *base = std::getenv("TMPDIR");
  path_ = std::format("{}/{}-XXXXXX", base && *base == '/' ? base : "/tmp", name);
  if (!mkdtemp(path_.data()))
    throw std::runtime_error(
        std::format("cannot make a directory {}: {}; set TMPDIR to one that can be written", path_,
                    std::strerror(errno)));
}

TemporaryDirectory::~TemporaryDirectory() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

int run_program(const std::vector<std::string> &command) {
  std::vector<char *> arguments;
  for (const std::string &argument : command)
    arguments.push_back(const_cast<char *>(argument.c_str()));
  arguments.push_back(nullptr);
  // Signals that arrive before there is a program wait until there is.
  sigset_t passed, before;
  sigemptyset(&passed);
  for (const int signal : passed_signals)
    sigaddset(&passed, signal);
  sigprocmask(SIG_BLOCK, &passed, &before);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setsigmask(&attributes, &before);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
  pid_t started = 0;
  const int error =
      posix_spawnp(&started, arguments[0], nullptr, &attributes, arguments.data(), environ);
  posix_spawnattr_destroy(&attributes);
  if (error != 0) {
    errno = error;
    return -1;
  }
  child = started;
  for (const int signal : passed_signals) {
    struct sigaction action{};
    action.sa_sigaction = pass_on;
    action.sa_flags = SA_SIGINFO | SA_RESTART;
    // A signal that is ignored stays so for the program as well.
    struct sigaction old{};
    sigaction(signal, nullptr, &old);
    if (old.sa_handler != SIG_IGN)
      sigaction(signal, &action, nullptr);
  }
  sigprocmask(SIG_SETMASK, &before, nullptr);
  int status = 0;
  while (waitpid(started, &status, 0) < 0 && errno == EINTR) {
  }
  child = 0;
  return status;
}

int status_of_missing_program(int error) { return (error == ENOENT ? 127 : 126) << 8; }

int end_like(int status) {
  if (!WIFSIGNALED(status))
    return WEXITSTATUS(status);
  const rlimit none{0, 0}; // the program has written its own core file
  setrlimit(RLIMIT_CORE, &none);
  std::signal(WTERMSIG(status), SIG_DFL);
  raise(WTERMSIG(status));
  return 128 + WTERMSIG(status);
}

} // namespace common
