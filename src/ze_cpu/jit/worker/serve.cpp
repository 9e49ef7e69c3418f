// The worker's side of program/worker.h.
#include "../../contract/environment.h"
#include "../../contract/sanitizers.h"
#include "../../program/channel.h"
#include "../../program/worker.h"
#include "work.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <exception>
#include <fcntl.h>
#include <llvm/Support/ErrorHandling.h>
#include <new>
#include <poll.h>
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

namespace ze_cpu {
namespace {

constexpr int idle_milliseconds = 10'000;

// How much one request may take, so that no input takes all there is. Kernels of thousands of lines
// need a hundredth of it.
uint64_t setting(const char *name, uint64_t otherwise) {
  return secure_getenv(name) ? settings.number(name, 1, largest_limit).value_or(otherwise)
                             : otherwise;
}
uint64_t processor_seconds() { return setting("ZE_CPU_COMPILER_SECONDS", 600); }
[[maybe_unused]] uint64_t megabytes() {
  const uint64_t all =
      static_cast<uint64_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
  return setting("ZE_CPU_COMPILER_MB", std::max<uint64_t>(all / 2 >> 20, 4096));
}

bool write_all(const void *data, size_t size) { return send_all(worker_connection, data, size); }
bool read_all(void *data, size_t size) { return receive_all(worker_connection, data, size); }

// Also from signal handlers: nothing here takes memory or a lock.
[[noreturn]] void die(const char *why) {
  write_all(&worker_died, sizeof worker_died);
  write_all(why, std::strlen(why));
  _exit(1);
}

void on_signal(int signal) {
  switch (signal) {
  case SIGXCPU:
    die("it takes too long (ZE_CPU_COMPILER_SECONDS)");
  case SIGABRT:
    die("an assertion does not hold");
  default:
    die("it crashed");
  }
}

// Tells the program of signals that end this process.
void report_ends() {
  // The end of the stack is one of them.
  static std::byte memory[64 * 1024];
  stack_t stack = {};
  stack.ss_sp = memory;
  stack.ss_size = sizeof memory;
  sigaltstack(&stack, nullptr);
  struct sigaction action = {};
  action.sa_handler = on_signal;
  action.sa_flags = SA_ONSTACK;
  sigfillset(&action.sa_mask);
  for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGXCPU})
    sigaction(signal, &action, nullptr);
  std::set_new_handler([] { die("it needs too much memory (ZE_CPU_COMPILER_MB)"); });
  const auto fatal = [](void *, const char *reason, bool) { die(reason); };
  llvm::install_fatal_error_handler(fatal);
  llvm::install_bad_alloc_error_handler(fatal);
}

void limit_memory() {
  // The first to go when the machine runs out of it.
  if (const int file = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC); file >= 0) {
    (void)!write(file, "1000", 4);
    close(file);
  }
#if !defined(ZE_CPU_ASAN) && !defined(ZE_CPU_TSAN) // which reserve most of all addresses
  const rlim_t bytes = megabytes() << 20;
  rlimit memory = {};
  if (getrlimit(RLIMIT_AS, &memory) == 0 && memory.rlim_cur > bytes) {
    memory.rlim_cur = bytes;
    setrlimit(RLIMIT_AS, &memory);
  }
#endif
}

// Limits the processor time that this process may take from now on.
void limit_time() {
  rusage used = {};
  getrusage(RUSAGE_SELF, &used);
  rlimit time = {};
  getrlimit(RLIMIT_CPU, &time);
  const rlim_t until =
      static_cast<rlim_t>(used.ru_utime.tv_sec + used.ru_stime.tv_sec) + 1 + processor_seconds();
  time.rlim_cur = std::min(until, time.rlim_max);
  setrlimit(RLIMIT_CPU, &time);
}

bool wait_for_request() {
  pollfd connection = {worker_connection, POLLIN, 0};
  for (;;) {
    const int ready = poll(&connection, 1, idle_milliseconds);
    if (ready >= 0 || errno != EINTR)
      return ready > 0;
  }
}

void serve() {
  (void)!chdir("/"); // file systems can be unmounted
  report_ends();
  limit_memory();
  std::string request;
  while (wait_for_request()) {
    uint64_t size = 0;
    if (!read_all(&size, sizeof size))
      return;
    limit_time();
    request.resize(size);
    if (!read_all(request.data(), request.size()))
      return;
    const std::string answer = do_work(request);
    size = answer.size();
    if (!write_all(&size, sizeof size) || !write_all(answer.data(), answer.size()))
      return;
  }
}

} // namespace
} // namespace ze_cpu

extern "C" [[gnu::visibility("default")]] void ze_cpu_jit_serve() try {
  ze_cpu::serve();
} catch (const std::exception &exception) {
  ze_cpu::die(exception.what());
}
