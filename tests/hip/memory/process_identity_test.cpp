// Whether another process lives, and what it has open.
#include "common/processes.h"

#include <catch2/catch_test_macros.hpp>

#include <csignal>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

namespace {

/// A child that waits for its end.
pid_t start_child() {
  const pid_t child = fork();
  if (child == 0)
    for (;;)
      pause();
  REQUIRE(child > 0);
  return child;
}

} // namespace

TEST_CASE("process: one lives until it has ended, whether or not its parent has asked") {
  const common::ProcessIdentity own = common::this_process();
  CHECK(own.number == getpid());
  CHECK(own.start != 0);
  CHECK(common::is_alive(own));
  CHECK(!common::is_alive({own.number, own.start + 1})); // one that had the number before
  CHECK(common::is_alive({own.number, 0}));
  CHECK(!common::is_alive({0, 0}));
  CHECK(!common::is_alive({-1, 0}));
  const pid_t child = start_child();
  CHECK(common::is_alive({child, 0}));
  REQUIRE(kill(child, SIGKILL) == 0);
  siginfo_t info{};
  REQUIRE(waitid(P_PID, id_t(child), &info, WEXITED | WNOWAIT) == 0);
  CHECK(!common::is_alive({child, 0}));
  REQUIRE(waitpid(child, nullptr, 0) == child);
  CHECK(!common::is_alive({child, 0}));
}

TEST_CASE("process: one calls itself what others call it") {
  int ends[2];
  REQUIRE(pipe(ends) == 0);
  const pid_t child = fork();
  if (child == 0) {
    const common::ProcessIdentity own = common::this_process();
    _exit(write(ends[1], &own, sizeof own) == sizeof own && pause() ? 0 : 1);
  }
  REQUIRE(child > 0);
  common::ProcessIdentity told;
  REQUIRE(read(ends[0], &told, sizeof told) == sizeof told);
  CHECK(told.number == child);
  CHECK(told.start != 0);
  CHECK(common::is_alive(told));
  close(ends[0]);
  close(ends[1]);
  REQUIRE(kill(child, SIGKILL) == 0);
  REQUIRE(waitpid(child, nullptr, 0) == child);
}

TEST_CASE("process: a file of another process is opened by its descriptor there") {
  const int file = memfd_create("test", MFD_CLOEXEC);
  REQUIRE(file >= 0);
  const pid_t child = start_child(); // which has it, too
  REQUIRE(write(file, "x", 1) == 1);
  for (const auto get : {&common::reopen_descriptor, &common::fetch_descriptor}) {
    const int own = get(child, file);
    REQUIRE(own >= 0);
    CHECK(own != file);
    char byte = 0;
    CHECK(pread(own, &byte, 1, 0) == 1);
    CHECK(byte == 'x');
    CHECK(close(own) == 0);
    CHECK(get(child, 9999) == -1);
  }
  REQUIRE(kill(child, SIGKILL) == 0);
  REQUIRE(waitpid(child, nullptr, 0) == child);
  for (const auto get : {&common::reopen_descriptor, &common::fetch_descriptor})
    CHECK(get(child, file) == -1);
  CHECK(close(file) == 0);
}

TEST_CASE("process: a word says which process it is") {
  const common::ProcessIdentity own = common::this_process();
  CHECK(common::to_process(common::to_word(own)) == own);
  CHECK(common::to_word(own) != common::to_word({own.number, own.start + 1}));
  CHECK(common::to_word({}) == 0);
}

TEST_CASE("process: a file of another process is opened only if it is the one that is meant") {
  const int file = memfd_create("test", MFD_CLOEXEC);
  REQUIRE(file >= 0);
  const pid_t child = start_child();
  int asked = 0;
  const auto is_not_meant = [&](int) {
    ++asked;
    return false;
  };
  CHECK(common::open_of_process(child, file, is_not_meant) == -1);
  CHECK(asked == 2); // in both ways
  const int own = common::open_of_process(child, file, [](int) { return true; });
  CHECK(own >= 0);
  CHECK(close(own) == 0);
  CHECK(common::open_of_process(child, 9999, [](int) { return true; }) == -1);
  REQUIRE(kill(child, SIGKILL) == 0);
  REQUIRE(waitpid(child, nullptr, 0) == child);
  CHECK(close(file) == 0);
}
