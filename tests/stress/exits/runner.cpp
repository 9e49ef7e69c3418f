// Ends processes in random ways. Each ends in time, and as it was asked to.
//
//   exits [--seed N] [--cases N]             N random cases
//   exits [--times N] --case "end=... ..."   this one, N times; what is not named is as in cases.h
//   exits --times N --sweep "end=... ..."    this one with N delays between 0 and its own
#include "cases.h"
#include "process.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thread>

extern char **environ;

namespace exits {
namespace {

using Clock = std::chrono::steady_clock;
using namespace std::chrono_literals;

// From the moment at which a process wants to end. One that takes longer than the first on a machine that has other work is
// tried again; the second is a hang anywhere.
constexpr auto slow = 2s, hang = 30s;
// Until then: kernels may have to be compiled.
constexpr auto start_limit = 120s;
constexpr int tries = 3;

std::string describe(int status) {
  if (WIFSIGNALED(status))
    return std::string("signal ") + strsignal(WTERMSIG(status));
  return "exit code " + std::to_string(WEXITSTATUS(status));
}

bool is_as_asked(const Case &c, int status) {
  switch (c.end) {
  case End::abort:
  case End::exception:
    return WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT;
  case End::sigterm:
    return WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM;
  case End::sigsegv:
    return WIFSIGNALED(status) && WTERMSIG(status) == SIGSEGV;
  case End::pthread_exit:
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
  default:
    return WIFEXITED(status) && WEXITSTATUS(status) == asked_code;
  }
}

enum class Outcome { good, slow, bad };

/// Runs the case in a process, and says what was wrong with its end.
Outcome run(const Case &c) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0)
    std::abort();
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_adddup2(&files, ends[1], ending_descriptor);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes,
                           POSIX_SPAWN_SETPGROUP); // its children end with it if it hangs
  std::string text = to_string(c), program = "/proc/self/exe", run_word = "--run";
  char *arguments[] = {program.data(), run_word.data(), text.data(), nullptr};
  pid_t child = 0;
  if (posix_spawn(&child, program.c_str(), &files, &attributes, arguments, environ) != 0)
    std::abort();
  posix_spawn_file_actions_destroy(&files);
  posix_spawnattr_destroy(&attributes);
  close(ends[1]);

  pollfd ending{ends[0], POLLIN, 0};
  const bool wants_to_end =
      poll(&ending, 1, int(std::chrono::milliseconds(start_limit).count())) > 0;
  close(ends[0]);
  const auto begin = Clock::now();
  int status = 0;
  bool ended = false;
  auto pause = 100us;
  while (wants_to_end && !(ended = waitpid(child, &status, WNOHANG) == child) &&
         Clock::now() - begin < hang) {
    std::this_thread::sleep_for(pause);
    pause = std::min(2 * pause, std::chrono::microseconds(20ms));
  }
  const std::chrono::duration<double> taken = Clock::now() - begin;
  if (!ended) {
    std::printf("%s\n  %s\n", text.c_str(), wants_to_end ? "hangs" : "does not come to its end");
    kill(-child, SIGKILL);
    waitpid(child, &status, 0);
    return Outcome::bad;
  }
  kill(-child, SIGKILL); // what it has left behind
  if (!is_as_asked(c, status)) {
    std::printf("%s\n  ends with %s\n", text.c_str(), describe(status).c_str());
    return Outcome::bad;
  }
  if (taken < slow)
    return Outcome::good;
  std::printf("%s\n  takes %.1f s\n", text.c_str(), taken.count());
  return Outcome::slow;
}

bool passes(const Case &c) {
  for (int i = 0; i < tries; ++i)
    if (const Outcome outcome = run(c); outcome != Outcome::slow)
      return outcome == Outcome::good;
  return false;
}

int run_random(uint64_t seed, unsigned count) {
  unsigned failures = 0;
  for (uint64_t i = seed; i < seed + count; ++i)
    if (!passes(random_case(i))) {
      ++failures;
      std::printf("  seed %llu: --seed %llu --cases 1\n", static_cast<unsigned long long>(i),
                  static_cast<unsigned long long>(i));
      std::fflush(stdout);
    }
  std::printf("%u of %u processes from seed %llu on did not end as they should\n", failures, count,
              static_cast<unsigned long long>(seed));
  return failures ? 1 : 0;
}

bool passes_always(const Case &c, unsigned times) {
  for (unsigned i = 0; i < times; ++i)
    if (!passes(c))
      return false;
  return true;
}

bool passes_with_all_delays(Case c, unsigned times) {
  const uint64_t longest = c.delay;
  for (unsigned i = 0; i < times; ++i) {
    c.delay = unsigned(longest * i / times);
    if (!passes(c))
      return false;
  }
  return true;
}

int usage() {
  std::fprintf(stderr, "usage: exits [--seed N] [--cases N] | [--times N] --case|--sweep \"end=... "
                       "place=... ...\"\n");
  return 2;
}

} // namespace
} // namespace exits

int main(int count, char **arguments) {
  using namespace exits;
  uint64_t seed = 1;
  unsigned cases = 200, times = 1;
  for (int i = 1; i < count; i += 2) {
    if (i + 1 == count)
      return usage();
    const std::string option = arguments[i], value = arguments[i + 1];
    if (option == "--seed")
      seed = std::stoull(value);
    else if (option == "--cases")
      cases = unsigned(std::stoul(value));
    else if (option == "--times")
      times = unsigned(std::stoul(value));
    else if (const auto c = parse(value); !c || !is_possible(*c))
      return usage();
    else if (option == "--run")
      return run_process(*c);
    else if (option == "--case")
      return passes_always(*c, times) ? 0 : 1;
    else if (option == "--sweep")
      return passes_with_all_delays(*c, times) ? 0 : 1;
    else
      return usage();
  }
  return run_random(seed, cases);
}
