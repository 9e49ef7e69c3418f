#include "stream.h"

#include "../exec/faults.h"
#include "dispatcher.h"
#include "execution_gate.h"

#include "../exec/float_environment.h"

namespace ze_cpu {

namespace {

/// Commands after which a list lets others have the thread, if any wait.
constexpr uint64_t turn_length = 64;

} // namespace

Stream::Stream(FaultReport report, unsigned device) : report_(report), device_(device) {}

// Everything submitted has been executed: pending work holds a reference.
Stream::~Stream() = default;

uint64_t Stream::submit(uint64_t ticks) {
  const uint64_t submitted = submitted_.load(std::memory_order_relaxed) + ticks;
  // Sequentially consistent with run() becoming idle: either we see that it did, or it sees the new
  // command.
  submitted_.store(submitted, std::memory_order_seq_cst);
  if (state_.load(std::memory_order_seq_cst) == State::idle)
    Dispatcher::instance().push(*this, true);
  return submitted;
}

bool Stream::synchronize(uint64_t target, const Deadline &deadline) {
  // A thread that would wait without limit does the work itself instead of waking another and
  // waiting for that. With a limit it cannot: a command may take longer. Under chaos the order of
  // lists must stay free.
  if (deadline.is_infinite() && !chaos_.is_enabled() && !done_->has_reached(target) &&
      state_.load(std::memory_order_relaxed) == State::ready) {
    // Before the list is claimed: a child of fork finds no claimed list while the gate is closed.
    ExecutionGate::Inside inside;
    if (claim(State::ready)) {
      Dispatcher::instance().forget(*this);
      const FaultsUnblocked unblocked; // a program's own thread may block all signals
      run(target);
    }
  }
  return done_->wait(target, deadline);
}

void Stream::reached(bool lost) noexcept {
  if (lost)
    lose(); // it is parked: nobody else touches what the executing thread owns
  Dispatcher::instance().push(*this, false);
}

void Stream::run(uint64_t until) {
  const DefaultFloatEnvironment environment; // the thread may be the program's
  Dispatcher &dispatcher = Dispatcher::instance();
  const ExecutionGate &gate = ExecutionGate::instance();
  const bool helping = until != UINT64_MAX;
  uint64_t turn_end = completed_ + turn_length;
  const auto has_work = [this] { return submitted_.load(std::memory_order_acquire) != completed_; };
  for (;;) {
    while (has_work()) {
      if (dispatcher.is_stopping())
        return; // claimed for good
      const bool end_of_turn = completed_ >= turn_end && dispatcher.has_ready();
      if ((helping ? completed_ >= until : end_of_turn) || gate.is_closed()) {
        dispatcher.push(*this, false);
        return;
      }
      if (!step())
        return; // parked; another thread may be executing it by now
    }
    if (!helping && dispatcher.linger(has_work))
      continue;
    const uint64_t completed = completed_; // from the next line on, another thread may be executing
    state_.store(State::idle, std::memory_order_seq_cst);
    if (submitted_.load(std::memory_order_seq_cst) == completed || !claim(State::idle))
      break;
  }
  release(); // the reference of pending work
}

Command &Stream::current() { return nested_ ? nested_->command() : commands_.front_command(); }

bool Stream::step() {
  Command &command = current();
  if (!await(command))
    return false;
  waits_passed_ = 0;
  // A lost stream enters recordings too: it executes nothing of them, but releases what they would
  // have signalled.
  if (command.opcode == Opcode::run_recording &&
      command.payload<RunRecordingCommand>().recording->count != 0) {
    enter(command);
    return true;
  }
  if (!is_lost())
    execute(command);
  finish(command);
  return true;
}

/// False: the stream is parked, and no longer the caller's. A lost stream waits for nothing, and one
/// that meets lost work is lost itself.
bool Stream::await(Command &command) {
  while (waits_passed_ < command.wait_count && !is_lost()) {
    Wait wait = command.waits()[waits_passed_];
    if (!wait.counter && wait.value != no_wait) {
      // A wait of a recording: its submission, at the front of the stream, knows what for.
      wait = commands_.front_command().payload<RunRecordingCommand>().late_waits()[wait.value];
    }
    // Passed from here on: being told that it was reached counts, even if the event is reset before
    // we run again.
    ++waits_passed_;
    if (wait.counter && !await(*wait.counter, wait.value))
      return false;
  }
  return true;
}

bool Stream::await(Counter &counter, uint64_t value) {
  if (!counter.has_reached(value) && !spin_until([&] { return counter.has_reached(value); })) {
    state_.store(State::parked, std::memory_order_release);
    if (counter.subscribe(*this, value))
      return false;
    state_.store(State::running, std::memory_order_relaxed);
  }
  if (counter.is_lost(value))
    lose();
  return true;
}

void Stream::execute(Command &command) {
  chaos_.disturb();
  if (command.stamps)
    command.stamps->start.store(now_ns(), std::memory_order_relaxed);
  const Fault fault = perform(command, device_);
  if (command.stamps)
    command.stamps->end.store(now_ns(), std::memory_order_relaxed);
  if (fault.happened) {
    report_(fault);
    lose();
  }
}

void Stream::enter(Command &command) {
  auto &recording = *command.payload<RunRecordingCommand>().recording;
  nested_ = recording.commands.front();
  nested_left_ = recording.count;
}

void Stream::finish(Command &command) {
  if (command.signal)
    command.signal->assign(1, is_lost());
  if (nested_) {
    nested_->advance();
    done_->advance(++completed_);
    if (--nested_left_ != 0)
      return;
    nested_.reset();
    // The submission itself is finished with its last command.
    finish(commands_.front_command());
    return;
  }
  commands_.pop_front();
  release_references(command);
  done_->advance(++completed_);
}

} // namespace ze_cpu
