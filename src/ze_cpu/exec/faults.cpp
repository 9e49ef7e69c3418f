#include "faults.h"

#include "../../common/fault_signals.h"
#include "../../common/per_thread.h"
#include "frozen_pages.h"

#include <chrono>
#include <initializer_list>
#include <signal.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

namespace ze_cpu {

constinit thread_local FaultGuard *active_guard = nullptr;

namespace {

// What LLVM ends code with that is never to be reached is an undefined instruction, or a breakpoint.
#if defined(__aarch64__)
constexpr std::initializer_list<int> faults = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP};
#else
constexpr std::initializer_list<int> faults = {SIGSEGV, SIGBUS, SIGFPE, SIGILL};
#endif

uintptr_t stack_pointer_of([[maybe_unused]] const ucontext_t &context) {
#if defined(__x86_64__)
  return static_cast<uintptr_t>(context.uc_mcontext.gregs[REG_RSP]);
#elif defined(__aarch64__)
  return context.uc_mcontext.sp;
#else
  return 0;
#endif
}

bool handle_fault(int signal, siginfo_t *info, void *context) {
  if (signal == SIGSEGV && outlasts_freeze(reinterpret_cast<uintptr_t>(info->si_addr)))
    return true;
  FaultGuard *guard = active_guard;
  if (!guard)
    return false;
  guard->signal = signal;
  guard->mask = static_cast<ucontext_t *>(context)->uc_sigmask;
  guard->address = reinterpret_cast<uintptr_t>(info->si_addr);
  guard->stack_pointer = stack_pointer_of(*static_cast<ucontext_t *>(context));
  guard->address_known = info->si_code != SI_KERNEL;
  siglongjmp(guard->environment, 1);
}

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
  // AVX-512 state alone takes several kilobytes, sanitizers a lot more.
  static constexpr size_t size = 128 * 1024;
  void *memory_ = nullptr;
};

} // namespace

// Not for every command: asking takes longer than a small one.
void prepare_fault_handling() {
  using Clock = std::chrono::steady_clock;
  constinit static thread_local Clock::time_point prepared =
      {}; // when handlers were last seen in place
  const Clock::time_point now = Clock::now();
  if (now - prepared < std::chrono::microseconds(10))
    return;
  if (prepared == Clock::time_point()) {
    common::claim_faults(faults, handle_fault);
    (void)common::of_this_thread<AlternateStack>();
  } else {
    refresh_fault_handling();
  }
  prepared = now;
}

void refresh_fault_handling() {
  if (!common::claims_fault(SIGSEGV))
    common::claim_faults(faults, handle_fault);
}

FaultsUnblocked::FaultsUnblocked() {
  sigset_t unblocked, before;
  sigemptyset(&unblocked);
  sigemptyset(&blocked_);
  for (int signal : faults)
    sigaddset(&unblocked, signal);
  if (pthread_sigmask(SIG_UNBLOCK, &unblocked, &before) != 0)
    return;
  for (int signal : faults)
    if (sigismember(&before, signal)) {
      sigaddset(&blocked_, signal);
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
  case SIGTRAP:
    return "SIGTRAP";
  }
  return "unknown signal";
}

} // namespace ze_cpu
