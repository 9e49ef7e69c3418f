#include "execution_gate.h"

#include <new>

namespace ze_cpu {

ExecutionGate &ExecutionGate::instance() {
  constinit static ExecutionGate gate; // trivially destroyed: threads may outlive static objects
  return gate;
}

// Sequentially consistent throughout: either the thread that enters sees the gate closed, or the
// one that closes it sees the thread inside.

void ExecutionGate::enter() {
  for (;;) {
    inside_.fetch_add(1);
    if (!closed_.load()) [[likely]]
      return;
    leave();
    closed_.wait(true);
  }
}

void ExecutionGate::leave() {
  if (inside_.fetch_sub(1) == 1 && closed_.load()) [[unlikely]]
    inside_.notify_all();
}

void ExecutionGate::close() {
  pausing_.lock();
  closed_.store(true);
  for (uint32_t count; (count = inside_.load()) != 0;)
    inside_.wait(count);
}

void ExecutionGate::open() {
  closed_.store(false);
  closed_.notify_all();
  pausing_.unlock();
}

void ExecutionGate::reset_after_fork() {
  inside_.store(0);
  closed_.store(false);
  new (&pausing_) std::mutex;
}

} // namespace ze_cpu
