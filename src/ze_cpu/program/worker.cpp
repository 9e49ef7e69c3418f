#include "worker.h"

#include "../contract/environment.h"
#include "../contract/sanitizers.h"
#include "channel.h"
#include "compiler.h"

#include <array>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <optional>
#include <signal.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>
#include <vector>

namespace ze_cpu {
namespace {

class File {
public:
  explicit File(int number = -1) : number_(number) {}
  File(File &&other) noexcept : number_(std::exchange(other.number_, -1)) {}
  File &operator=(File &&other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  ~File() {
    if (number_ >= 0)
      close(number_);
  }
  int number() const { return number_; }
  int release() { return std::exchange(number_, -1); }

private:
  int number_;
};

// Connections to workers that wait for work, with the process that they belong to: a child of fork
// must not talk to its parent's. Nothing is locked, because the child would find it locked.
class IdleWorkers {
public:
  std::optional<File> take() {
    for (std::atomic<uint64_t> &place : places_)
      if (const uint64_t found = place.exchange(0)) {
        File connection(static_cast<int>(found & UINT32_MAX));
        if (found >> 32 == own_process())
          return connection;
      }
    return std::nullopt;
  }

  void put(File connection) {
    const uint64_t entry = own_process() << 32 | static_cast<uint32_t>(connection.number());
    for (std::atomic<uint64_t> &place : places_)
      if (uint64_t none = 0; place.compare_exchange_strong(none, entry)) {
        connection.release();
        return;
      }
  }

private:
  static uint64_t own_process() { return static_cast<uint64_t>(getpid()); }
  std::array<std::atomic<uint64_t>, 16> places_ = {};
};
constinit IdleWorkers idle;

std::string with_reason(const std::string &what, int error) {
  return what + ": " + std::strerror(error) + "\n";
}

// Everything but what would load foreign code into the worker.
std::vector<char *> worker_environment() {
  std::vector<char *> variables;
  for (char **variable = environ; variable && *variable; ++variable)
    if (!std::string_view(*variable).starts_with("LD_PRELOAD="))
      variables.push_back(*variable);
  variables.push_back(nullptr);
  return variables;
}

struct Spawn {
  posix_spawn_file_actions_t files;
  posix_spawnattr_t attributes;

  explicit Spawn(int connection) {
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_adddup2(&files, connection, worker_connection);
    posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDWR, 0);
    posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, "/dev/null", O_RDWR, 0);
#if !defined(ZE_CPU_ASAN) && !defined(ZE_CPU_TSAN)
    // Whoever reads what the program prints until its end is not to wait for the worker.
    posix_spawn_file_actions_addopen(&files, STDERR_FILENO, "/dev/null", O_RDWR, 0);
#endif
    posix_spawn_file_actions_addclosefrom_np(&files, worker_connection + 1);

    posix_spawnattr_init(&attributes);
    sigset_t all, none;
    sigfillset(&all);
    sigemptyset(&none);
    posix_spawnattr_setsigdefault(&attributes, &all);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setflags(&attributes,
                             POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSID);
  }
  ~Spawn() {
    posix_spawn_file_actions_destroy(&files);
    posix_spawnattr_destroy(&attributes);
  }
};

// The worker itself has no standard error to say it on.
void complain_about_limits() {
  [[maybe_unused]] static const bool done = [] {
    for (const char *name : {"ZE_CPU_COMPILER_SECONDS", "ZE_CPU_COMPILER_MB"})
      settings.number(name, 1, largest_limit);
    return true;
  }();
}

std::expected<File, std::string> start_worker() {
  complain_about_limits();
  const std::string &library = compiler_path();
  if (access(library.c_str(), R_OK) != 0)
    return std::unexpected(
        with_reason("the kernel compiler " + library + " cannot be loaded", errno));
  const std::string program = library.substr(0, library.rfind('/') + 1) + worker_program;

  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
    return std::unexpected(with_reason("the kernel compiler cannot be reached", errno));
  File mine(ends[0]), its(ends[1]);
  const Spawn spawn(its.number());
  char *arguments[] = {const_cast<char *>(program.c_str()), const_cast<char *>(library.c_str()),
                       nullptr};
  std::vector<char *> environment = worker_environment();
  pid_t child = 0;
  if (const int error = posix_spawn(&child, program.c_str(), &spawn.files, &spawn.attributes,
                                    arguments, environment.data()))
    return std::unexpected(with_reason("the kernel compiler " + program + " cannot be run", error));
  // It leaves its work to a child of its own at once. The program may have waited for it already.
  while (waitpid(child, nullptr, 0) < 0 && errno == EINTR)
    ;
  return mine;
}

std::string receive_rest(int connection) {
  std::string text;
  for (char byte; receive_all(connection, &byte, 1);)
    text += byte;
  return text;
}

// Nothing: the connection broke before there was any answer.
std::optional<std::expected<std::string, std::string>> ask(File &worker, std::string_view request) {
  const uint64_t size = request.size();
  uint64_t answer_size = 0;
  // It may end before it has all, and say why.
  (void)(send_all(worker.number(), &size, sizeof size) &&
         send_all(worker.number(), request.data(), request.size()));
  if (!receive_all(worker.number(), &answer_size, sizeof answer_size))
    return std::nullopt;
  if (answer_size == worker_died)
    return std::unexpected("the compiler failed: " + receive_rest(worker.number()) + "\n");
  std::string answer(answer_size, '\0');
  if (!receive_all(worker.number(), answer.data(), answer.size()))
    return std::nullopt;
  idle.put(std::move(worker));
  return answer;
}

} // namespace

std::expected<std::string, std::string> ask_worker(std::string_view request) {
  // One that was idle may have ended meanwhile, which says nothing about the request.
  if (auto worker = idle.take())
    if (auto answer = ask(*worker, request))
      return *answer;
  auto worker = start_worker();
  if (!worker)
    return std::unexpected(std::move(worker.error()));
  if (auto answer = ask(*worker, request))
    return *answer;
  return std::unexpected("the compiler failed: its process ended\n");
}

} // namespace ze_cpu
