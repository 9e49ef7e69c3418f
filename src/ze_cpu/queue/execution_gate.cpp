#include "execution_gate.h"

#include <new>
#include <thread>

namespace ze_cpu {

ExecutionGate &ExecutionGate::instance() {
  constinit static ExecutionGate gate; // trivially destroyed: threads may outlive static objects
  return gate;
}

// Sequentially consistent throughout: either the thread that enters sees the gate closed, or the
// one that closes it sees the thread inside.

bool ExecutionGate::try_enter() {
  inside_.fetch_add(1);
  if (!closed_.load()) [[likely]]
    return true;
  leave();
  return false;
}

void ExecutionGate::enter() {
  while (!try_enter()) [[unlikely]]
    wait();
}

void ExecutionGate::leave() {
  if (inside_.fetch_sub(1) == 1 && closed_.load()) [[unlikely]]
    inside_.notify_all();
}

void ExecutionGate::close_for_fork(std::chrono::milliseconds patience) {
  const auto end = std::chrono::steady_clock::now() + patience;
  forking_.lock();
  closed_.store(true);
  // Atomic waiting knows no time limit.
  while (inside_.load() != 0 && std::chrono::steady_clock::now() < end)
    std::this_thread::yield();
}

void ExecutionGate::open_after_fork() {
  closed_.store(false);
  closed_.notify_all();
  forking_.unlock();
}

void ExecutionGate::reset_after_fork() {
  inside_.store(0);
  closed_.store(false);
  new (&forking_) std::mutex;
}

} // namespace ze_cpu
