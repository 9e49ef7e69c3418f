// Threads of our own (src/common/own_thread.h), on their own.
#include "../../src/common/own_thread.h"

#include <catch2/catch_test_macros.hpp>

#include <future>
#include <pthread.h>

using common::start_own_thread;

namespace {

sigset_t mask() {
  sigset_t mask;
  REQUIRE(pthread_sigmask(SIG_SETMASK, nullptr, &mask) == 0);
  return mask;
}

/// Of this thread, which has SIGUSR1 and a machine fault blocked and everything else open.
void require_own_mask() {
  const sigset_t now = mask();
  for (const int signal : {SIGUSR1, SIGFPE})
    REQUIRE(sigismember(&now, signal) == 1);
  for (const int signal : {SIGUSR2, SIGTERM, SIGSEGV})
    REQUIRE(sigismember(&now, signal) == 0);
}

class Blocked {
public:
  Blocked() {
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    sigaddset(&set, SIGFPE);
    REQUIRE(pthread_sigmask(SIG_SETMASK, &set, &before_) == 0);
  }
  ~Blocked() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

private:
  sigset_t before_;
};

} // namespace

TEST_CASE("ze_driver: own thread: it takes machine faults and no other signal") {
  const Blocked blocked;
  std::promise<sigset_t> told;
  REQUIRE(start_own_thread([&] { told.set_value(mask()); }));
  const sigset_t set = told.get_future().get();
  for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT})
    CHECK(sigismember(&set, signal) == 0);
  for (const int signal : {SIGINT, SIGTERM, SIGUSR1, SIGUSR2, SIGCHLD, SIGALRM, SIGPIPE})
    CHECK(sigismember(&set, signal) == 1);
  require_own_mask();
}

TEST_CASE(
    "ze_driver: own thread: without one to be had, the caller is told and keeps its signals") {
  const Blocked blocked;
  pthread_attr_t before, none;
  REQUIRE(pthread_getattr_default_np(&before) == 0);
  REQUIRE(pthread_getattr_default_np(&none) == 0);
  REQUIRE(pthread_attr_setstacksize(&none, size_t(1) << 60) == 0); // more than can be mapped
  REQUIRE(pthread_setattr_default_np(&none) == 0);
  const bool started = start_own_thread([] {});
  REQUIRE(pthread_setattr_default_np(&before) == 0);
  CHECK_FALSE(started);
  require_own_mask();
}
