// Machine faults (SIGSEGV, SIGBUS, SIGFPE, SIGILL, on AArch64 SIGTRAP) in code that must not take the process down.
#pragma once

#include "../contract/sanitizers.h"

#include <csetjmp>
#include <cstdint>
#include <signal.h>

namespace ze_cpu {

/// Code between enter and leave is guarded: a fault there comes back to the guard's owner, one
/// outside goes to whoever handled it before us. Use run_guarded.
struct FaultGuard {
  sigjmp_buf environment;
  FaultGuard *outer = nullptr;
  int signal = 0;
  sigset_t mask; // signals blocked where the fault happened
  uintptr_t address = 0;
  uintptr_t stack_pointer = 0; // where the fault happened; 0: not known
  bool address_known = false;  // not for addresses that the machine cannot even form
};

/// The innermost guard of this thread. Initial-exec: the signal handler must not allocate to read
/// it.
extern thread_local FaultGuard *active_guard __attribute__((tls_model("initial-exec")));

/// Readies the process (handlers) and this thread (alternate signal stack). Call before
/// run_guarded. The program may have installed handlers of its own since, as test frameworks do for
/// each test: those of ours are in front again some microseconds later.
void prepare_fault_handling();

/// Puts our handlers in front again at once. Costs a system call.
void refresh_fault_handling();

/// While it exists, this thread's faults reach their handler. One that is blocked would end the
/// process, and what a program blocks in the threads that it waits with is its own choice.
class FaultsUnblocked {
public:
  FaultsUnblocked();
  FaultsUnblocked(const FaultsUnblocked &) = delete;
  FaultsUnblocked &operator=(const FaultsUnblocked &) = delete;
  ~FaultsUnblocked();

private:
  sigset_t blocked_; // of the signals of faults, those that were blocked before
  bool any_blocked_ = false;
};

/// Ends the guarded code that this thread is in, as a fault would: run_guarded returns `reason`.
[[noreturn]] void leave_guarded_code(int reason);

/// What was blocked for the handler's time is not unblocked by a jump out of it.
void restore_signal_mask(const FaultGuard &guard);

/// "SIGSEGV" and so on.
const char *signal_name(int signal);

/// Runs `work` and returns 0, or the signal that ended it. What `work` held when it faulted (locks,
/// memory) is lost to the process, so it should hold nothing. Objects that it changes must not live
/// in the caller's registers: pass references.
template <class Work> [[gnu::noinline]] int run_guarded(FaultGuard &guard, Work &&work) {
  guard.outer = active_guard;
  if (sigsetjmp(guard.environment, 0) != 0) {
    sanitizer_returned_to_thread();
    active_guard = guard.outer;
    restore_signal_mask(guard);
    return guard.signal;
  }
  active_guard = &guard;
  work();
  active_guard = guard.outer;
  return 0;
}

} // namespace ze_cpu
