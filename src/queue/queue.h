// A HIP stream's queue: one in-order immediate command list, one lock, two numbers.
//
// The rules, in one place:
//  1. submit() is the only way to the list. It takes the lock, gathers waits, appends, and bumps `submitted`.
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

#include "../ze/command_list.h"
#include "kernel_target.h"
#include "marker.h"
#include "spill_arena.h"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

namespace chip {

class Scheduler;

class Queue {
public:
  enum class Kind : uint8_t { null_stream, blocking, non_blocking };

  Queue(Scheduler &scheduler, uint32_t slot, ze_command_queue_priority_t priority);
  Queue(const Queue &) = delete;
  Queue &operator=(const Queue &) = delete;

  Kind kind() const { return kind_.load(std::memory_order_relaxed); }
  Scheduler &scheduler() const { return scheduler_; }
  ze_command_queue_priority_t priority() const { return priority_; }

  /// Runs `append(list, waits)` in this queue's place in HIP's order and returns the sequence number of what it appended.
  /// `append` makes at most one append, which must honour the waits; if it throws, nothing was submitted.
  template <class Append> uint64_t submit(Append &&append);

  /// Launches a kernel. `arguments` points to one value per parameter that the caller passes (KernelTarget).
  void launch(const KernelTarget &target, const LaunchShape &shape, void *const *arguments);

  /// Copies `bytes` from ordinary memory, which may change as soon as this returns, to memory of the device.
  void copy_from_pageable(void *destination, const void *source, size_t bytes);

  /// The sequence number of all that something submitted now would come after. Makes a driver call only to order this queue
  /// after others, as a submission would.
  uint64_t point();
  /// Whether what is submitted later comes after the given point of another queue. Makes no driver call.
  bool is_ordered_after(const Queue &other, uint64_t sequence);

  /// Everything submitted so far; see rule 2.
  bool empty() const { return has_drained(submitted_.load(std::memory_order_acquire)); }
  bool has_drained(uint64_t sequence) const {
    return drained_.load(std::memory_order_acquire) >= sequence;
  }
  uint64_t submitted() const { return submitted_.load(std::memory_order_acquire); }
  void raise_drained(uint64_t sequence);

  /// Blocks until what was submitted before the call is complete. One driver call, none if the queue is empty.
  void finish();
  /// Whether what was submitted before the call is complete. One driver call, none if the queue is empty.
  bool query();

  /// Whether work of this queue is lost and nothing of it runs any more. One driver call.
  bool is_lost() noexcept;
  /// As finish(), as far as the driver can tell: before something that this queue's work may use goes away.
  void settle() noexcept;
  /// The same until `deadline` at most. Whether nothing runs any more.
  bool settle_until(std::chrono::steady_clock::time_point deadline) noexcept;

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

private:
  friend class Scheduler;

  struct KernelInstance { // kernel handles carry state and are not thread-safe: each queue has its own
    static constexpr uint64_t nothing_set = UINT64_MAX;
    ze::Kernel handle;
    // What the handle was last given: a launch with the same needs only the append.
    uint64_t memory_epoch = nothing_set;
    ze_group_size_t group_size{0, 0, 0};
    std::vector<std::byte> values;         // of the arguments, one after the other
    std::vector<uint32_t> value_bytes;     // of each argument
    std::vector<SpillArena::Block> spills; // last block of each spilled parameter
  };

  template <class Work> decltype(auto) noticing_loss(Work &&work); // as the scheduler's
  // The parts of submit(): inline, in scheduler.h, where both classes are known.
  MarkerRef before_lock();
  void under_lock(MarkerRef after_null);
  std::unique_lock<std::mutex> begin();
  uint64_t end();
  MarkerRef after_null_stream();
  KernelInstance &instance(const KernelTarget &target) {
    if (target.id < instances_.size() && instances_[target.id]) [[likely]]
      return *instances_[target.id];
    return make_instance(target);
  }
  KernelInstance &make_instance(const KernelTarget &target);
  void **prepare_arguments(KernelInstance &instance, const KernelTarget &target,
                           const LaunchShape &shape, void *const *arguments);
  bool update(KernelInstance &instance, const KernelTarget &target, const LaunchShape &shape,
              void *const *arguments, uint64_t epoch);
  void submit_waits();
  void wait_for_list();
  void learn_progress();
  void make_room(size_t bytes);
  template <class Append> void submit_with_room(Append &&append);
  SpillArena::Block allocate_in_arena(size_t bytes);
  void *spill(SpillArena::Block &last, const void *value, size_t bytes);
  MarkerRef marker_locked();
  bool needs_wait(const Marker &marker) const;
  void gather_waits();
  void waits_submitted();
  void flush_waits();
  void drop_waits();
  void prune_pending();
  uint64_t bump();

  Scheduler &scheduler_;
  ze::CommandList list_;
  const ze_command_queue_priority_t priority_;
  const uint32_t slot_; // index in the `seen` tables of other queues
  std::atomic<Kind> kind_{Kind::non_blocking};

  std::mutex mutex_;
  std::atomic<uint64_t> submitted_{0};
  std::atomic<uint64_t> drained_{0};
  std::atomic<uint64_t> seen_null_{0};       // `seen` of the null queue, readable without the lock
  std::atomic<bool> has_pending_{false};     // pending_ is not empty

  // The scheduler's dirty list: written with this queue's lock held, taken with the null queue's.
  bool dirty_ = false;
  Queue *next_dirty_ = nullptr;

  // Guarded by the lock.
  std::vector<uint64_t> seen_;               // by slot
  std::vector<MarkerRef> pending_;           // what the next submission has to wait for
  size_t prune_at_ = 64;                     // the size of pending_ at which wait_for() looks for needless ones
  std::vector<ze_event_handle_t> waits_;     // scratch; empty whenever pending_ is
  MarkerRef last_marker_;
  std::vector<std::unique_ptr<KernelInstance>> instances_; // by kernel id
  std::vector<void *> argument_pointers_;    // scratch
  std::vector<void *> spill_pointers_;       // scratch: the values of spilled parameters
  std::vector<uint32_t> changed_;            // scratch: arguments that the handle does not have
  size_t local_bytes_ = 0;                   // scratch: the value of the local parameter
  SpillArena arena_;
  MarkerRef probe_; // a point that learn_progress() has not seen reached
};

template <class Append> uint64_t Queue::submit(Append &&append) {
  return noticing_loss([&] {
    MarkerRef after_null = before_lock();
    std::lock_guard lock(mutex_);
    under_lock(std::move(after_null));
    append(list_, ze::Waits(waits_));
    return end();
  });
}

} // namespace chip
