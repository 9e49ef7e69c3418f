// Threads of our own in the process of a program that knows nothing of them.
#pragma once

#include <exception>
#include <pthread.h>
#include <sched.h>
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

/// Puts a thread that waits for a processor in line for that of the caller, where both may run there. A thread that sleeps stays
/// where it is. Where the thread may run does not change.
inline void move_here(pthread_t thread) {
  const int processor = sched_getcpu();
  cpu_set_t here, allowed;
  if (processor < 0 || processor >= CPU_SETSIZE ||
      pthread_getaffinity_np(thread, sizeof allowed, &allowed) != 0 ||
      !CPU_ISSET(static_cast<unsigned>(processor), &allowed))
    return;
  CPU_ZERO(&here);
  CPU_SET(static_cast<unsigned>(processor), &here);
  if (pthread_setaffinity_np(thread, sizeof here, &here) == 0)
    pthread_setaffinity_np(thread, sizeof allowed, &allowed);
}

} // namespace common
