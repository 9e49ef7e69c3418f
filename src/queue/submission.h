// The only way to a queue's list, and to what its lock guards (queue.h, rule 1).
#pragma once

#include "scheduler.h"

#include <type_traits>
#include <utility>

namespace chip {

/// Holds the queue's lock for as long as it lives. Calls of the driver that say that the device is lost are for the caller to
/// notice, who must not hold the lock then (Scheduler::noticing_loss).
class Queue::Submission {
public:
  /// In the queue's place in HIP's order: what it has to wait for is gathered. Throws if the device is lost.
  [[gnu::always_inline]] explicit Submission(Queue &queue)
      : Submission(before_lock(queue), Unordered()) {
    if (queue.kind() == Kind::null_stream)
      come_after_blocking_queues();
    if (!state_->pending.empty()) [[unlikely]]
      waits_ = gather_waits(queue, *state_);
  }
  /// Without a place in HIP's order: for markers, for waits of their own and for what the lock guards.
  struct Unordered {};
  Submission(Queue &queue, Unordered) : queue_(queue), state_(queue.state_.lock()) {}

  State &state() { return *state_; }
  /// What the next command has to wait for.
  ze::Waits waits() const { return waits_; }

  /// Appends a command that carries the waits, and returns its sequence number. If that throws, nothing was submitted (of
  /// several appends, some may have been), and the waits are still to be made.
  template <class Operation> [[gnu::always_inline]] uint64_t append(const Operation &operation) {
    if (state_->unsignalled) [[unlikely]]
      signal_end(queue_, *state_);
    return append_next(operation);
  }

  /// The same for a command that signals the marker that `end` becomes.
  template <class Operation> void append_marked(const Operation &operation, MarkerRef &end) {
    next_marker(end);
    const MarkerRef &marker = state_->last_marker;
    struct Marked {
      const Operation &operation;
      ze_event_handle_t event;
      void append(Encoder &encoder, ze::Waits waits) const {
        operation.append(encoder, event, waits);
      }
    };
    marker->sequence = append(Marked{operation, marker->event});
    if (!(end == marker))
      end = marker;
  }

  /// The same for a marker that is not signalled yet.
  template <class Operation> void append_ended(const Operation &operation, MarkerRef &end) {
    if (queue_.is_shared()) [[unlikely]] // others may append something at any time
      return append_marked(operation, end);
    if (end && state_->unsignalled == end) {
      // If this fails, the marker stands for the earlier point still.
      end->sequence = append_next(operation);
      return;
    }
    MarkerRef marker = queue_.scheduler_.markers().acquire();
    marker->queue = &queue_;
    marker->sequence = append(operation);
    end = marker;
    state_->unsignalled = std::move(marker);
  }

  /// Raises `submitted` for a command, or for waits that the next command carries.
  [[gnu::always_inline]] uint64_t bump() {
    const uint64_t sequence = queue_.submitted_.load(std::memory_order_relaxed) + 1;
    queue_.submitted_.store(sequence, std::memory_order_release);
    if (queue_.kind() == Kind::blocking)
      queue_.scheduler_.dirty_queues().add(queue_.dirty_);
    return sequence;
  }
  /// Adds to what the next command has to wait for.
  void add_wait(MarkerRef marker) { add_wait(queue_, *state_, std::move(marker)); }
  /// Puts the null stream's queue after all new work of blocking queues.
  void come_after_blocking_queues() {
    if (!queue_.scheduler_.dirty_queues().is_empty())
      collect_dirty(queue_, *state_);
  }
  /// A marker for all that was submitted so far; an empty one if that is known complete.
  MarkerRef marker();
  /// Signals the marker that is not signalled yet, before anything that it does not stand for.
  void signal_end() { signal_end(queue_, *state_); }
  /// Submits the waits as a command of their own.
  void flush_waits();
  void drop_waits() { drop_waits(queue_, *state_); }
  /// Leaves one wait for each other queue: waits may be added for ever without a submission that carries them.
  void prune_waits();
  /// Raises `drained` as far as the driver can tell now, though the host may never have waited for this queue.
  void learn_progress();

private:
  template <class Operation>
  [[gnu::always_inline]] uint64_t append_next(const Operation &operation) {
    try {
      operation.append(state_->encoder, waits());
    } catch (...) {
      abandon_arena(*state_);
      if constexpr (requires { Operation::makes_several_appends; })
        bump(); // some of them may have been made
      throw;
    }
    return commit();
  }
  [[gnu::always_inline]] static Queue &before_lock(Queue &queue) {
    queue.scheduler_.check_alive();
    if (queue.kind() == Kind::blocking)
      queue.come_after_null_stream();
    return queue;
  }
  [[gnu::always_inline]] uint64_t commit() {
    if (!state_->pending.empty()) [[unlikely]] {
      waits_submitted(queue_, *state_);
      waits_ = {};
    }
    const uint64_t sequence = bump();
    if (state_->encoder.arena.has_referenced()) [[unlikely]]
      commit_arena(*state_, sequence);
    return sequence;
  }
  // Of the queue and not of this object, which a launch then keeps in registers.
  static void add_wait(Queue &queue, State &state, MarkerRef marker);
  static ze::Waits gather_waits(Queue &queue, State &state);
  static void waits_submitted(Queue &queue, State &state);
  static void drop_waits(Queue &queue, State &state);
  static void commit_arena(State &state, uint64_t sequence);
  static void abandon_arena(State &state);
  static void collect_dirty(Queue &queue, State &state);
  static void signal_end(Queue &queue, State &state);
  void next_marker(const MarkerRef &end);

  Queue &queue_;
  decltype(std::declval<common::Guarded<State, QueueLock> &>().lock()) state_;
  ze::Waits waits_;
};

/// What a function that is not inlined gets of an operation: a copy where that is cheap. What nobody has the address of stays in
/// registers on its way.
template <class Operation> decltype(auto) out_of_line(const Operation &operation) {
  if constexpr (std::is_trivially_copyable_v<Operation>)
    return Operation(operation);
  else
    return (operation);
}

template <class Operation>
[[gnu::always_inline]] inline uint64_t Queue::submit(const Operation &operation) {
  try {
    return Submission(*this).append(operation);
  } catch (...) {
    return submit_again(out_of_line(operation));
  }
}

/// submit(), after it has thrown, as the handler of that.
template <class Operation>
[[gnu::noinline, gnu::cold]] uint64_t Queue::submit_again(const Operation &operation) {
  recover();
  for (;;) {
    try {
      return Submission(*this).append(operation);
    } catch (...) {
      recover();
    }
  }
}

template <class Operation> void Queue::submit_marked(const Operation &operation, MarkerRef &end) {
  for (;;) {
    try {
      return Submission(*this).append_marked(operation, end);
    } catch (...) {
      recover();
    }
  }
}

template <class Operation> void Queue::submit_ended(const Operation &operation, MarkerRef &end) {
  for (;;) {
    try {
      return Submission(*this).append_ended(operation, end);
    } catch (...) {
      recover();
    }
  }
}

} // namespace chip
