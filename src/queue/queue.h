// A HIP stream's queue: one in-order immediate command list, one lock, two numbers.
//
// The rules, in one place:
//  1. A Submission is the only way to the list and to what the lock guards. It takes the lock, gathers waits, appends, and raises
//     `submitted`.
//  2. The queue is empty when `drained == submitted`. finish() reads `submitted`, makes one driver call and raises `drained`
//     to what it read, so work submitted meanwhile is never taken for complete.
//  3. No command signals an event of its own. A point in the queue becomes a marker only when something waits for it.
//  4. Order across queues: `seen` holds, for each other queue, the sequence this one is already ordered after. A wait that
//     `seen` or the other queue's `drained` makes needless is not submitted.
//  5. The null stream's queue orders after all blocking queues with new work (the scheduler's dirty list), and they after it.
//  6. Whoever sees a driver call say that the device is lost marks the scheduler (noticing_loss). What a queue is ordered after
//     is never taken for complete because it is lost: the wait is submitted, and the driver loses this queue, too.
//
// Locks: the null queue's lock may be held while another queue's is taken, never the other way round.
#pragma once

#include "../common/guarded.h"
#include "dirty_list.h"
#include "encoder.h"
#include "marker.h"
#include "queue_lock.h"
#include "queue_progress.h"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <vector>

namespace chip {

class Scheduler;

class alignas(64) Queue {
public:
  enum class Kind : uint8_t { null_stream, blocking, non_blocking };

  /// With a list of its own, or with one that the program has made.
  Queue(Scheduler &scheduler, uint32_t slot, ze_command_queue_priority_t priority,
        ze_command_list_handle_t list = nullptr);
  Queue(const Queue &) = delete;
  Queue &operator=(const Queue &) = delete;

  Kind kind() const { return kind_.load(std::memory_order_relaxed); }
  Scheduler &scheduler() const { return scheduler_; }
  ze_command_queue_priority_t priority() const { return priority_; }
  /// The index of this queue in tables by queue. No other of the process has it.
  uint32_t slot() const { return slot_; }

  /// Appends an operation in this queue's place in HIP's order and returns the sequence number of what it appended.
  /// `operation.append(encoder, waits)` makes at most one append, which must honour the waits; if it throws, nothing was
  /// submitted. It is called again where the arena had no room. An operation that makes several appends says so
  /// (`makes_several_appends`); the first of them has to honour the waits. Defined in submission.h.
  template <class Operation> uint64_t submit(const Operation &operation);
  /// The same, with a marker for the point behind the operation, for which nothing is appended: `operation.append(encoder, event,
  /// waits)` signals the event. The marker goes to `end`, which may hold one of an earlier point that is of no use any more.
  template <class Operation> void submit_marked(const Operation &operation, MarkerRef &end);
  /// The same, but the event is signalled only when something else is submitted, or when signalled() asks for it: where the same
  /// `end` is submitted again and again, nothing is signalled. Nobody may wait for the marker before.
  template <class Operation> void submit_ended(const Operation &operation, MarkerRef &end);
  /// The marker that submit_ended() has made, for whoever wants to wait for it; an empty one if its point is known complete.
  MarkerRef signalled(const MarkerRef &end);

  /// The sequence number of all that something submitted now would come after. Makes a driver call only to order this queue
  /// after others, as a submission would.
  uint64_t point();
  /// The last sequence number of another queue that what is submitted later here comes after, as far as is known. Makes no
  /// driver call.
  uint64_t ordered_after(const Queue &other);
  /// The sequence number of what was last submitted, other than the signals of markers: who waits for a marker that is made now
  /// waits for nothing later.
  uint64_t last_work();

  /// Everything submitted so far; see rule 2.
  bool empty() const { return is_known_done(submitted_.load(std::memory_order_acquire)); }
  uint64_t drained() const { return drained_.load(std::memory_order_acquire); }
  bool has_drained(uint64_t sequence) const { return drained() >= sequence; }
  uint64_t submitted() const { return submitted_.load(std::memory_order_acquire); }
  void raise_drained(uint64_t sequence);
  /// Whether the queue has drained that far, and nothing can be in the list that it does not know of.
  bool is_known_done(uint64_t sequence) const { return has_drained(sequence) && !is_shared(); }

  /// The list, in which all earlier work and waits are, for somebody who appends to it beside this queue. Until the queue is lent
  /// again, waits and questions of the host go to the driver, and each marker is a new one: what is not known to be there counts.
  ze_command_list_handle_t share_list();
  /// Whether the list is the program's. It is shared from the beginning.
  bool has_borrowed_list() const { return has_borrowed_list_; }
  /// Waits for what is in the borrowed list, and never touches it again: the queue is of no use until it borrows another one.
  void return_list() noexcept;
  /// Works with another list of the program's, once the last one is returned.
  void borrow_list(ze_command_list_handle_t list);
  /// Destroys the list of a queue that is empty and has no owner, and its kernel handles, and goes on with a new one.
  void replace_list();
  bool is_shared() const { return is_shared_.load(std::memory_order_acquire); }

  /// Blocks until what was submitted before the call is complete. One driver call, none if the queue is empty.
  void finish();
  /// Whether what was submitted before the call is complete. One driver call, none if the queue is empty.
  bool query();
  /// Finds out how far a queue that always has work has come: whether it has reached the point at which it was when this was
  /// called before. Two driver calls at most, none if the queue is empty.
  void learn_progress();
  /// The parts of finish(), for who waits for several queues: submits waits that no submission has carried yet,
  void submit_waits();
  /// and blocks until the list is complete.
  void wait_for_list();

  /// Whether work of this queue is lost and nothing of it runs any more. One driver call.
  bool is_lost() noexcept;
  /// As finish(), as far as the driver can tell: before something that this queue's work may use goes away.
  void settle() noexcept;
  /// The same until `deadline` at most. Whether nothing runs any more.
  bool settle_until(std::chrono::steady_clock::time_point deadline) noexcept;
  /// The sequence number up to which the list has been executed: all of it, if the driver says so now. Waits that are not in the
  /// list yet do not count. With the lock held.
  uint64_t executed() const;

  /// A marker for all that was submitted so far; an empty one if that is known complete. At most one AppendSignalEvent, and
  /// none if nothing was submitted since the last marker.
  MarkerRef marker();
  /// A marker made as a command of its own: HIP's order between the null stream and the others applies to it (hipEventRecord).
  MarkerRef record_marker();
  /// As record_marker, with a timestamp: the device writes its time when it gets there.
  MarkerRef timed_marker();

  /// All that is submitted later waits for the marker, if it is not an empty one. The next submission carries the wait; the
  /// only driver calls are those that put the null stream after the blocking ones.
  void wait_for(const MarkerRef &marker);

  /// Destroys this queue's instance of a kernel that is about to go away; its launches are complete.
  void forget_kernel(uint32_t kernel_id);

  /// The queue, which is empty, gets a new owner.
  void lend(Kind kind);
  /// Forgets waits that nothing was submitted behind.
  void drop_waits();

private:
  class Submission;

  /// What only the holder of the lock may touch.
  struct State {
    ze::ImmediateList list;
    std::vector<MarkerRef> pending; // what the next submission has to wait for
    MarkerRef last_marker;
    MarkerRef unsignalled;    // of what was submitted last; its signal comes before anything else
    uint64_t last_signal = 0; // the sequence number of a marker's signal, if it is the last,
    uint64_t work_before_signal = 0; // and of what was submitted before it
    Encoder encoder;
    std::vector<ze_event_handle_t> waits; // scratch of one submission
    size_t prune_at = 64;       // the size of `pending` at which wait_for() looks for needless ones
    std::vector<uint64_t> seen; // by slot
    MarkerRef probe;            // a point that learn_progress() has not seen reached

    State(const Queue &queue, ze_command_queue_priority_t priority,
          ze_command_list_handle_t borrowed);
  };

  bool needs_wait(const Marker &marker, const State &state) const;
  void come_after_null_stream();
  void make_room(size_t bytes);
  void recover();
  template <class Operation> uint64_t submit_again(const Operation &operation);

  // What a launch reads and writes comes first, in as few cache lines as it can.
  DirtyList::Entry dirty_{*this};
  std::atomic<uint64_t> submitted_{0};
  std::atomic<uint64_t> drained_{0};
  Scheduler &scheduler_;
  const ze_command_queue_priority_t priority_;
  const uint32_t slot_; // index in the `seen` tables of other queues
  const bool has_borrowed_list_;
  std::atomic<Kind> kind_{Kind::non_blocking};
  std::atomic<bool> has_pending_{false}; // `pending` is not empty
  std::atomic<bool> is_shared_{false};   // others append to the list, too
  std::atomic<uint64_t> seen_null_{0};   // `seen` of the null queue, readable without the lock
  common::Guarded<State, QueueLock> state_;
  QueueProgress list_;
};

} // namespace chip
