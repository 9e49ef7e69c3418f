#include "stream.h"

#include "../../common/processor/float_environment.h"
#include "../../ze_driver/memory/allocations.h"
#include "../exec/faults.h"
#include "dispatcher.h"
#include "execution_gate.h"
#include "perform.h"

namespace ze_cpu {

using namespace ze_driver;

namespace {

/// Commands after which a list lets others have the thread, if any wait.
constexpr uint64_t turn_length = 64;
/// Launches of a recording after which it is looked again whether faults reach us, and others are
/// told how far the list is.
constexpr int recorded_series = 64;

} // namespace

Stream::Stream(unsigned device) : device_(device) {}

// Everything submitted has been executed: pending work holds a reference.
Stream::~Stream() = default;

void Stream::published() {
  // Sequentially consistent with run() becoming idle.
  if (state_.load(std::memory_order_seq_cst) == State::idle)
    Dispatcher::instance().push(*this, true);
}

bool Stream::synchronize(uint64_t target, const Deadline &deadline) {
  Dispatcher &dispatcher = Dispatcher::instance();
  // A thread that would wait without limit does the work itself instead of waking another and
  // waiting for that. With a limit it cannot: a command may take longer. Under chaos the order of
  // lists must stay free.
  if (deadline.is_infinite() && !chaos_.is_enabled() && !done().has_reached(target) &&
      state_.load(std::memory_order_relaxed) == State::ready) {
    // Before the list is claimed: a child of fork finds no claimed list while the gate is closed.
    ExecutionGate::Inside inside;
    if (claim(State::ready)) {
      dispatcher.forget(*this);
      const FaultsUnblocked unblocked; // a program's own thread may block all signals
      run(target);
    }
  }
  const auto need_not_give_way = [&] {
    return done().has_reached(target) || !dispatcher.has_ready();
  };
  if (!deadline.is_immediate() && !spin_until(need_not_give_way))
    dispatcher.give_way();
  return done().wait(target, deadline);
}

void Stream::reached(bool lost) noexcept {
  if (lost)
    lose(); // it is parked: no other thread touches what the executing thread owns
  Dispatcher::instance().push(*this, false);
}

void Stream::run(uint64_t until) {
  const common::DefaultFloatEnvironment environment; // the thread may be the program's
  Dispatcher &dispatcher = Dispatcher::instance();
  const ExecutionGate &gate = ExecutionGate::instance();
  const bool helping = until != UINT64_MAX;
  const uint64_t turn_end = completed() + turn_length;
  const auto is_free = [this](Counter &counter, uint64_t value) { return await(counter, value); };
  const auto execute = [this](Command &command) { this->execute(command); };
  const auto has_more = [this] { return has_work(); };
  const auto must_leave = [&] {
    if (dispatcher.is_stopping() || gate.is_closed())
      return true;
    return helping ? completed() >= until : completed() >= turn_end && dispatcher.has_ready();
  };
  for (;;) {
    while (has_work()) {
      if (dispatcher.is_stopping())
        return; // claimed for good
      if (must_leave()) {
        dispatcher.push(*this, false);
        return;
      }
      if (!chaos_.is_enabled())
        execute_recorded_launches(must_leave);
      if (!step(is_free, execute))
        return; // parked; another thread may be executing it by now
    }
    if (!helping && dispatcher.linger(has_more)) {
      dispatcher.pass_on_ready();
      continue;
    }
    // Once it is idle, another thread may be executing it: only its number may be looked at.
    const uint64_t end = completed();
    state_.store(State::idle, std::memory_order_seq_cst);
    if (!has_more_than(end) || !claim(State::idle))
      break;
    dispatcher.pass_on_ready();
  }
  release(); // the reference of pending work
}

/// False: the stream is parked, and no longer the caller's.
bool Stream::await(Counter &counter, uint64_t value) {
  // A list that needs the thread may be the one that is waited for.
  const auto is_over = [&] {
    return counter.has_reached(value) || Dispatcher::instance().has_ready();
  };
  if (!(spin_until(is_over) && counter.has_reached(value))) {
    state_.store(State::parked, std::memory_order_release);
    if (counter.subscribe(*this, value))
      return false;
    state_.store(State::running, std::memory_order_relaxed);
  }
  return true;
}

void Stream::execute(Command &command) {
  chaos_.disturb();
  if (command.stamps)
    command.stamps->start.store(now_ns(), std::memory_order_relaxed);
  const Fault fault = perform(command, device_);
  if (command.stamps)
    command.stamps->end.store(now_ns(), std::memory_order_relaxed);
  report(fault);
}

template <class MustLeave> void Stream::execute_recorded_launches(MustLeave must_leave) {
  Command *const first = next_recorded_launch();
  if (!first)
    return;
  int left = recorded_series;
  const auto next = [&] {
    finish_recorded_launch();
    return --left == 0 || must_leave() ? nullptr : next_recorded_launch();
  };
  report(perform_launches(*first, device_, std::ref(next)));
}

void Stream::report(const Fault &fault) {
  if (!fault.happened)
    return;
  if (fault.gave_up)
    report_trap(fault.description);
  else
    report_fault(fault.description, fault.address);
  lose();
}

} // namespace ze_cpu
