#include "faults.h"

#include "../../common/per_thread.h"

#include <atomic>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <signal.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

namespace ze_cpu {

constinit thread_local FaultGuard *active_guard = nullptr;

namespace {

void on_signal(int signal, siginfo_t *info, void *context);

bool is_ours(const struct sigaction &action) {
  return (action.sa_flags & SA_SIGINFO) && action.sa_sigaction == on_signal;
}

struct Handled {
  int signal;
  struct sigaction previous;
  std::atomic<bool> installed;
};
Handled handled[] = {{SIGSEGV, {}, false},
                     {SIGBUS, {}, false},
                     {SIGFPE, {}, false},
                     {SIGILL, {}, false}};

Handled *find(int signal) {
  for (Handled &entry : handled)
    if (entry.signal == signal)
      return &entry;
  return nullptr;
}

// Set while a signal is passed on: a handler that was installed over ours and kept ours as its own
// predecessor would come back.
constinit thread_local bool passing_on __attribute__((tls_model("initial-exec"))) = false;

void default_action(int signal, siginfo_t *info) {
  // At the same instruction: a fault comes again when the handler returns, other signals are sent
  // anew.
  struct sigaction fallback = {};
  fallback.sa_handler = SIG_DFL;
  sigaction(signal, &fallback, nullptr);
  if (info->si_code <= 0)
    raise(signal);
}

// Not ours: behave as if our handler were not there.
void pass_on(int signal, siginfo_t *info, void *context) {
  if (passing_on)
    return default_action(signal, info);
  struct Passing {
    Passing() { passing_on = true; }
    ~Passing() { passing_on = false; }
  } passing;
  const Handled *entry = find(signal);
  const struct sigaction *previous = entry ? &entry->previous : nullptr;
  if (previous && (previous->sa_flags & SA_SIGINFO) && previous->sa_sigaction)
    return previous->sa_sigaction(signal, info, context);
  if (previous && previous->sa_handler == SIG_IGN && info->si_code <= 0)
    return; // sent by a process; a true fault cannot be ignored
  if (previous && previous->sa_handler != SIG_DFL && previous->sa_handler != SIG_IGN)
    return previous->sa_handler(signal);
  default_action(signal, info);
}

void on_signal(int signal, siginfo_t *info, void *context) {
  FaultGuard *guard = active_guard;
  // A fault of this thread has a positive code; a signal that somebody sent is not the kernel's
  // doing.
  if (!guard || info->si_code <= 0)
    return pass_on(signal, info, context);
  guard->signal = signal;
  guard->mask = static_cast<ucontext_t *>(context)->uc_sigmask;
  guard->address = reinterpret_cast<uintptr_t>(info->si_addr);
  guard->address_known = info->si_code > 0 && info->si_code != SI_KERNEL;
  siglongjmp(guard->environment, 1);
}

std::mutex installing;

// Puts our handler in front of the one in place, if it is not there.
void install(int signal) {
  std::lock_guard lock(installing);
  Handled *entry = find(signal);
  struct sigaction current = {};
  if (sigaction(signal, nullptr, &current) != 0 || is_ours(current))
    return;
  struct sigaction action = {};
  action.sa_sigaction = on_signal;
  // NODEFER: a fault in the handler of somebody that the signal is passed on to is not ours to
  // block.
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
  sigemptyset(&action.sa_mask);
  entry->previous = current;
  if (sigaction(signal, &action, nullptr) == 0)
    entry->installed = true;
}

// Puts the previous handlers back when the library goes, unless somebody else has installed theirs
// over ours meanwhile.
struct Uninstall {
  ~Uninstall() {
    for (Handled &entry : handled) {
      struct sigaction current = {};
      if (entry.installed && sigaction(entry.signal, nullptr, &current) == 0 && is_ours(current))
        sigaction(entry.signal, &entry.previous, nullptr);
    }
  }
} uninstall;

// The handler needs a stack of its own: the fault may be the overflow of the one in use.
class AlternateStack {
public:
  AlternateStack() {
    stack_t current = {};
    if (sigaltstack(nullptr, &current) != 0 || !(current.ss_flags & SS_DISABLE))
      return; // the thread has one
    void *memory =
        mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);
    if (memory == MAP_FAILED)
      return;
    stack_t stack = {};
    stack.ss_sp = memory;
    stack.ss_size = size;
    if (sigaltstack(&stack, nullptr) == 0)
      memory_ = memory;
    else
      munmap(memory, size);
  }
  AlternateStack(const AlternateStack &) = delete;
  AlternateStack &operator=(const AlternateStack &) = delete;
  ~AlternateStack() {
    if (!memory_)
      return;
    stack_t current = {};
    if (sigaltstack(nullptr, &current) == 0 && current.ss_sp == memory_) {
      stack_t off = {};
      off.ss_flags = SS_DISABLE;
      sigaltstack(&off, nullptr);
    }
    munmap(memory_, size);
  }

private:
  static constexpr size_t size =
      128 * 1024; // AVX-512 state alone takes several kilobytes, sanitizers a lot more
  void *memory_ = nullptr;
};

} // namespace

void prepare_fault_handling() {
  for (int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL})
    install(signal);
  (void)common::of_this_thread<AlternateStack>();
}

void refresh_fault_handling() {
  passing_on = false;
  struct sigaction current = {};
  if (sigaction(SIGSEGV, nullptr, &current) != 0 || is_ours(current))
    return;
  for (int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL})
    install(signal);
}

FaultsUnblocked::FaultsUnblocked() {
  sigset_t faults, before;
  sigemptyset(&faults);
  sigemptyset(&blocked_);
  for (const Handled &entry : handled)
    sigaddset(&faults, entry.signal);
  if (pthread_sigmask(SIG_UNBLOCK, &faults, &before) != 0)
    return;
  for (const Handled &entry : handled)
    if (sigismember(&before, entry.signal)) {
      sigaddset(&blocked_, entry.signal);
      any_blocked_ = true;
    }
}

FaultsUnblocked::~FaultsUnblocked() {
  if (any_blocked_)
    pthread_sigmask(SIG_BLOCK, &blocked_, nullptr);
}

void leave_guarded_code(int reason) {
  FaultGuard *guard = active_guard;
  guard->signal = reason;
  pthread_sigmask(SIG_SETMASK, nullptr, &guard->mask);
  siglongjmp(guard->environment, 1);
}

void restore_signal_mask(const FaultGuard &guard) {
  pthread_sigmask(SIG_SETMASK, &guard.mask, nullptr);
}

const char *signal_name(int signal) {
  switch (signal) {
  case SIGSEGV:
    return "SIGSEGV";
  case SIGBUS:
    return "SIGBUS";
  case SIGFPE:
    return "SIGFPE";
  case SIGILL:
    return "SIGILL";
  }
  return "unknown signal";
}

} // namespace ze_cpu
