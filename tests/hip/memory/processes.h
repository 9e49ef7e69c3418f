// Test cases that run others in processes of their own, by exec, and talk to them.
#pragma once

#include <catch2/catch_test_macros.hpp>

#include <csignal>
#include <cstdlib>
#include <cstring>
#include <spawn.h>
#include <string>
#include <sys/socket.h>
#include <sys/wait.h>
#include <type_traits>
#include <unistd.h>
#include <utility>

extern char **environ;

namespace fixture {

/// One end of what goes to another process and comes from it. All fail the test when the other end is gone.
class Channel {
public:
  explicit Channel(int socket) : socket_(socket) {}
  Channel(Channel &&other) noexcept : socket_(std::exchange(other.socket_, -1)) {}
  ~Channel() {
    if (socket_ >= 0)
      close(socket_);
  }

  template <class T> void send(const T &value) {
    static_assert(std::is_trivially_copyable_v<T>);
    REQUIRE(::send(socket_, &value, sizeof value, MSG_NOSIGNAL) == ssize_t(sizeof value));
  }
  template <class T> T receive() {
    static_assert(std::is_trivially_copyable_v<T>);
    T value;
    REQUIRE(recv(socket_, &value, sizeof value, MSG_WAITALL) == ssize_t(sizeof value));
    return value;
  }
  /// For the order of what both do.
  void tell() { send('!'); }
  void await() { REQUIRE(receive<char>() == '!'); }

  void send_descriptor(int descriptor) {
    Message message;
    cmsghdr *header = CMSG_FIRSTHDR(&message.parts);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(sizeof descriptor);
    std::memcpy(CMSG_DATA(header), &descriptor, sizeof descriptor);
    REQUIRE(sendmsg(socket_, &message.parts, MSG_NOSIGNAL) == 1);
  }
  /// The caller's to close.
  int receive_descriptor() {
    Message message;
    REQUIRE(recvmsg(socket_, &message.parts, MSG_CMSG_CLOEXEC) == 1);
    const cmsghdr *header = CMSG_FIRSTHDR(&message.parts);
    REQUIRE(header != nullptr);
    int descriptor = -1;
    std::memcpy(&descriptor, CMSG_DATA(header), sizeof descriptor);
    return descriptor;
  }

private:
  struct Message {
    char byte = 0;
    iovec bytes{&byte, 1};
    alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int))] = {};
    msghdr parts{};
    Message() {
      parts.msg_iov = &bytes;
      parts.msg_iovlen = 1;
      parts.msg_control = control;
      parts.msg_controllen = sizeof control;
    }
  };

  int socket_;
};

inline constexpr const char *channel_variable = "HIP_TEST_CHANNEL";

/// In the other process: what goes to the one that has started it.
inline Channel channel_to_parent() {
  const char *socket = std::getenv(channel_variable);
  REQUIRE(socket != nullptr);
  return Channel(std::atoi(socket));
}

/// A process that runs one test case of this program, whose name may have no commas.
class Process {
public:
  explicit Process(std::string test_case) : Process(std::move(test_case), make_pair()) {}
  ~Process() { kill(); }
  Process(const Process &) = delete;

  Channel channel;

  /// Waits for its end; whether it passed.
  bool passes() {
    int status = 0;
    REQUIRE(waitpid(child_, &status, 0) == child_);
    child_ = 0;
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
  }
  /// At whatever it does.
  void kill() {
    if (child_ == 0)
      return;
    ::kill(child_, SIGKILL);
    waitpid(child_, nullptr, 0);
    child_ = 0;
  }

private:
  static std::pair<int, int> make_pair() {
    int ends[2];
    REQUIRE(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) == 0);
    return {ends[0], ends[1]};
  }
  Process(std::string test_case, std::pair<int, int> ends) : channel(ends.first) {
    // Without close-on-exec, which the number that is kept has.
    const int inherited = dup(ends.second);
    REQUIRE(inherited >= 0);
    setenv(channel_variable, std::to_string(inherited).c_str(), 1);
    char program[] = "/proc/self/exe";
    char *arguments[] = {program, test_case.data(), nullptr};
    const int error = posix_spawn(&child_, program, nullptr, nullptr, arguments, environ);
    unsetenv(channel_variable);
    close(inherited);
    close(ends.second);
    REQUIRE(error == 0);
  }

  pid_t child_ = 0;
};

} // namespace fixture
