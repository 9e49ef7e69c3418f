// A child of fork has none of our threads. It finds no lock held, and every list idle, or with its
// commands still to come, but for lists whose command took longer than the patience here, or is a
// host function: those never go on there.
#include "../../ze_driver/events/shared_counters.h"
#include "../exec/pool.h"
#include "dispatcher.h"
#include "execution_gate.h"

#include <pthread.h>

namespace ze_cpu {
namespace {

using namespace std::chrono_literals;

// A program may fork while a kernel runs that takes long, or even waits for the host.
constexpr auto patience = 100ms;

// First those who take the others' locks.
void before_fork() {
  ExecutionGate::instance().close_for_fork(patience);
  ze_driver::SharedCounterWatch::instance().before_fork();
  Dispatcher::instance().before_fork();
  Pool::before_fork();
}

void after_fork(bool is_child) {
  Pool::after_fork(is_child);
  Dispatcher::instance().after_fork(is_child);
  ze_driver::SharedCounterWatch::instance().after_fork(is_child);
  if (is_child)
    ExecutionGate::instance().reset_after_fork();
  else
    ExecutionGate::instance().open_after_fork();
}

// When the library is loaded, which also makes them all: a child must not find them half made.
[[maybe_unused]] const int registered = [] {
  Pool::count();
  Dispatcher::instance();
  ze_driver::SharedCounterWatch::instance();
  return pthread_atfork(before_fork, [] { after_fork(false); }, [] { after_fork(true); });
}();

} // namespace
} // namespace ze_cpu
