// An in-order queue of commands: the core of immediate lists and of command queues. One thread at a
// time appends; at most one executes, whichever that is: a thread of the dispatcher, or one that
// synchronizes with the stream and would only wait.
#pragma once

#include "../../ze_driver/events/chaos.h"
#include "../../ze_driver/records/command_buffer.h"
#include "../../ze_driver/events/counter.h"
#include "../../ze_driver/records/recording.h"

#include <atomic>
#include <optional>

namespace ze_cpu {

/// Told when a command faults, by which its stream is lost.
using FaultReport = void (*)(const Fault &fault);

class Stream final : public RefCounted, private Waiter {
public:
  Stream(FaultReport report, unsigned device);

  // Appending: one thread at a time.

  /// A new record to fill in; submit() publishes it.
  Command &add(Opcode opcode, uint32_t wait_count, size_t payload_bytes) {
    return commands_.add(opcode, wait_count, payload_bytes);
  }
  /// Publishes the record that was added last, which counts for `ticks` commands. Returns what
  /// done() counts to with it.
  uint64_t submit(uint64_t ticks = 1);
  /// What done() counts to when everything so far is finished.
  uint64_t submitted() const { return submitted_.load(std::memory_order_acquire); }

  // From any thread.

  /// Counts finished commands.
  Counter &done() const { return *done_; }
  /// The device that executes it.
  unsigned device() const { return device_; }
  /// A command of this stream faulted, or it waited for work that was lost: what came after is not
  /// executed.
  bool is_lost() const { return done_->is_lost(); }
  /// Waits until done() has reached `target`; false when the deadline comes first. Executes the
  /// commands itself if no other thread does.
  bool synchronize(uint64_t target, const Deadline &deadline);

  // For the dispatcher.

  /// Executes what there is, or until the gate closes. The calling thread is inside the gate, and
  /// has claimed the stream.
  void run(uint64_t until = UINT64_MAX);

private:
  friend class Dispatcher;
  enum class State : uint32_t { idle, ready, running, parked };

  ~Stream() override;
  void reached(bool lost) noexcept override;

  bool claim(State from) {
    return state_.compare_exchange_strong(from, State::running, std::memory_order_acq_rel);
  }
  Command &current();
  bool step();
  bool await(Command &command);
  bool await(Counter &counter, uint64_t value);
  void lose() { done_->lose_after(completed_); }
  void execute(Command &command);
  void finish(Command &command);
  void enter(Command &command);

  // The appending thread's.
  CommandBuffer commands_;

  alignas(64) std::atomic<uint64_t> submitted_{0};
  std::atomic<State> state_{State::idle};
  const Ref<Counter> done_ = Ref<Counter>::make();

  // The executing thread's.
  alignas(64) uint64_t completed_ = 0;
  uint32_t waits_passed_ = 0;
  std::optional<CommandBuffer::Cursor> nested_; // in the recording that is executed now
  uint64_t nested_left_ = 0;
  const FaultReport report_;
  const unsigned device_;
  ChaosSource chaos_;

  // The dispatcher's.
  Stream *next_ = nullptr;
  Stream *previous_ = nullptr;
  bool queued_ = false;
};

} // namespace ze_cpu
