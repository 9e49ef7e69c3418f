// Threads of our own in the process of a program that knows nothing of them.
#pragma once

#include <exception>
#include <signal.h>
#include <thread>
#include <utility>

namespace common {

/// Runs `function` on a new thread, which nobody waits for. The program's signal handlers run on its own threads: the new one
/// blocks all signals but those of machine faults, which only the thread at fault can be told. False: there is no thread to be
/// had.
template <class Function> bool start_own_thread(Function &&function) {
  sigset_t blocked, before;
  sigfillset(&blocked);
  for (int fault : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT})
    sigdelset(&blocked, fault);
  // Not SIG_BLOCK: what the program blocks in the thread that we are called in may be faults.
  pthread_sigmask(SIG_SETMASK, &blocked, &before);
  bool started = true;
  try {
    std::thread(std::forward<Function>(function)).detach();
  } catch (const std::exception &) {
    started = false;
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  return started;
}

} // namespace common
