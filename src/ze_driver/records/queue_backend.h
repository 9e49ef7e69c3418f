// An in-order queue of commands: what immediate lists and command queues append to, and a device
// executes. One thread at a time appends; at most one executes.
//
// Commands are written where the device reads them. The device may pass each on to a queue of its
// own as it is published, or execute it later, on a thread of its own.
#pragma once

#include "../events/counter.h"
#include "command_buffer.h"
#include "recording.h"

#include <atomic>
#include <optional>

namespace ze_driver {

/// What the end of a command means to others, where it comes after the command was handed to a
/// device.
struct CommandEnd {
  uint64_t value; // what done() counts to with it
  Ref<Counter> signal;
  Ref<Timestamps> stamps;
};

class QueueBackend : public RefCounted {
public:
  // Appending: one thread at a time.

  /// A new record to fill in; submit() publishes it. Throws std::bad_alloc.
  Command &add(Opcode opcode, uint32_t wait_count, size_t payload_bytes) {
    return commands_.add(opcode, wait_count, payload_bytes);
  }
  /// Publishes the record that was added last, which counts for `ticks` commands. Returns what
  /// done() counts to with it.
  uint64_t submit(uint64_t ticks = 1) {
    const uint64_t submitted = submitted_.load(std::memory_order_relaxed) + ticks;
    // Sequentially consistent with the device finding nothing to do: either published() sees that
    // it did, or it sees the new command. Where the appending thread passes commands on, published()
    // orders that itself, if there is another thread.
    submitted_.store(submitted,
                     appender_passes_on_ ? std::memory_order_release : std::memory_order_seq_cst);
    published();
    return submitted;
  }
  /// Whether the appending thread passes commands on to the device, unless something holds them up.
  bool appender_passes_on() const { return appender_passes_on_; }
  /// Where it does: passes a launch on at once, without a record. It waits for nothing, and no event stands for its end. False: it
  /// has to be added and submitted.
  bool launch_now(const LaunchCommand &launch, const std::byte *arguments) {
    if (!pass_launch(launch, arguments))
      return false;
    submitted_.store(++completed_, std::memory_order_release);
    return true;
  }
  /// What done() counts to when everything so far is finished.
  uint64_t submitted() const { return submitted_.load(std::memory_order_acquire); }

  // From any thread.

  /// Counts finished commands.
  Counter &done() const { return *done_; }
  /// A command of this queue faulted, or it waited for work that was lost: what came after is not
  /// executed.
  bool is_lost() const { return done_->is_lost(); }
  /// Waits until done() has reached `target`; false when the deadline comes first.
  virtual bool synchronize(uint64_t target, const Deadline &deadline) {
    return done_->wait(target, deadline);
  }

protected:
  QueueBackend() = default;
  /// One whose device says how far it is when it is asked: commands leave it through hand_over(). The appending thread passes
  /// them on. When another one does, published() sees to it that it does not miss the new record.
  explicit QueueBackend(std::unique_ptr<CompletionSource> source)
      : done_(Ref<Counter>::make(std::move(source))), appender_passes_on_(true) {}
  ~QueueBackend() override = default;

  /// There are new records.
  virtual void published() = 0;
  /// launch_now(), on a thread that may append: passes it on as what done() counts completed() + 1 for. False, and nothing else,
  /// if the thread does not execute the queue now.
  virtual bool pass_launch(const LaunchCommand &, const std::byte * /*arguments*/) { return false; }

  // Executing: one thread at a time, which sees what the one before did.

  bool has_work() {
    // What the appending thread writes is looked at again only when all that was seen of it is done: between two processors, each
    // look costs that thread its next write.
    if (completed_ >= seen_)
      seen_ = submitted_.load(std::memory_order_acquire);
    return completed_ < seen_;
  }
  /// Whether more was published than `completed`: any thread may ask, in one order with published().
  bool has_more_than(uint64_t completed) const {
    return submitted_.load(std::memory_order_seq_cst) != completed;
  }
  /// Commands that are finished.
  uint64_t completed() const { return completed_; }
  /// Goes one command further; there is work. `is_free(counter, value)` says whether the queue may
  /// pass a condition: false ends the step, and the condition counts as passed when the next one
  /// begins. `execute(command)` does what the command is for; waits, signals, resets and recordings
  /// are seen to here. False: a condition holds the queue up.
  template <class IsFree, class Execute> bool step(IsFree is_free, Execute execute);
  /// The next command, whose conditions may still hold it up; there is work.
  Opcode next_opcode() { return current().opcode; }
  /// As step(), for a device that finishes commands after it was given them: completed() counts
  /// those it was given. `hand_over(command, end)` passes on the command and sees to its end in
  /// time; it is called for every command, also of a lost queue, and for the end of a recording,
  /// which has nothing to execute. References of the record are gone afterwards.
  template <class IsFree, class HandOver> bool pass_on(IsFree is_free, HandOver hand_over);
  /// The next command if it is a launch in a recording that could as well be executed together with its neighbours: it waits
  /// for nothing, nobody is told of its end alone, and another one follows. Else null, and for a queue that is lost.
  Command *next_recorded_launch();
  /// Goes on to the next command, as step() does, but done() is not raised before the next step.
  void finish_recorded_launch() {
    nested_->advance();
    ++completed_;
    --nested_left_;
  }
  /// The executing thread is the appending one, and there is no work: new records take the memory of old ones.
  void rewind() { commands_.rewind(); }
  /// What is not finished will not be done, but counts as finished in its turn.
  void lose() { done_->lose_after(completed_); }

private:
  Command &current() { return nested_ ? nested_->command() : commands_.front_command(); }
  template <class IsFree> bool pass_conditions(Command &command, IsFree is_free);
  /// False: it has nothing to enter.
  bool enter(Command &command);
  void finish(Command &command);
  CommandEnd end_of(const Command &command) const {
    return {completed_ + 1, Ref<Counter>::share(command.signal),
            Ref<Timestamps>::share(command.stamps)};
  }
  /// Drops the record that was handed over. True: a recording ends with it.
  bool leave(Command &command);

  // Both threads read these, so that they are apart from what either writes.
  const Ref<Counter> done_ = Ref<Counter>::make();
  const bool appender_passes_on_ = false;

  // The appending thread's.
  CommandBuffer commands_;
  alignas(64) std::atomic<uint64_t> submitted_{0};

  // The executing thread's.
  alignas(64) uint64_t completed_ = 0;
  uint64_t seen_ = 0; // of `submitted_`, some time ago
  uint32_t conditions_passed_ = 0;
  std::optional<CommandBuffer::Cursor> nested_; // in the recording that is executed now
  uint64_t nested_left_ = 0;
  bool nested_signals_ = false; // counter-based events, at commands within the recording
};

inline Command *QueueBackend::next_recorded_launch() {
  if (!nested_ || nested_signals_ || nested_left_ < 2)
    return nullptr;
  Command &command = nested_->command();
  const bool is_alone = command.wait_count != 0 || command.signal || command.stamps;
  return command.opcode == Opcode::launch && !is_alone && !is_lost() ? &command : nullptr;
}

template <class IsFree> bool QueueBackend::pass_conditions(Command &command, IsFree is_free) {
  // A lost queue waits for nothing, and one that meets lost work is lost itself.
  while (conditions_passed_ < command.wait_count && !is_lost()) {
    Wait wait = command.waits()[conditions_passed_];
    if (!wait.counter && wait.value != no_wait) {
      // A wait of a recording: its submission, at the front of the queue, knows what for.
      wait = commands_.front_command().payload<RunRecordingCommand>().deferred_waits()[wait.value];
    }
    // Passed from here on: being told that it was reached counts, even if the event is reset before
    // we run again.
    ++conditions_passed_;
    if (!wait.counter)
      continue;
    if (!is_free(*wait.counter, wait.value))
      return false;
    if (wait.counter->is_lost(wait.value))
      lose();
  }
  return true;
}

template <class IsFree, class Execute> bool QueueBackend::step(IsFree is_free, Execute execute) {
  Command &command = current();
  if (!pass_conditions(command, is_free))
    return false;
  conditions_passed_ = 0;
  // A lost queue enters recordings too: it executes nothing of them, but releases what they would
  // have signalled.
  if (enter(command))
    return true;
  if (!is_lost()) {
    if (command.opcode == Opcode::reset_event)
      command.payload<ResetEventCommand>().event->assign(0);
    else
      execute(command);
  }
  finish(command);
  return true;
}

template <class IsFree, class HandOver>
bool QueueBackend::pass_on(IsFree is_free, HandOver hand_over) {
  Command &command = current();
  if (!pass_conditions(command, is_free))
    return false;
  conditions_passed_ = 0;
  if (enter(command))
    return true;
  hand_over(command, end_of(command));
  if (leave(command)) {
    // The submission itself ends with its last command.
    Command &submission = commands_.front_command();
    hand_over(submission, end_of(submission));
    leave(submission);
  }
  return true;
}

} // namespace ze_driver
