// All queues of one device, and what is between them: the null stream's order, markers, whole-device waits.
#pragma once

#include "completion_observer.h"
#include "queue.h"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <shared_mutex>
#include <vector>

namespace chip {

class Scheduler {
public:
  Scheduler(const ze::Driver &driver, const ze::DeviceInfo &device);
  ~Scheduler();

  const ze::Driver &driver() const { return driver_; }
  const ze::DeviceInfo &device() const { return device_; }
  MarkerPool &markers() { return markers_; }
  DirtyList &dirty_queues() { return dirty_queues_; }

  /// The null stream's queue, made at first use.
  Queue &null_queue() {
    Queue *queue = null_queue_if_used();
    return queue ? *queue : make_null_queue();
  }
  Queue *null_queue_if_used() const { return null_queue_.load(std::memory_order_acquire); }

  /// Whether any queue was made yet.
  bool has_queues() const { return !queues_.lock_shared()->all.empty(); }

  /// A queue that is empty and ordered after nothing; recycled where possible, then without a driver call.
  Queue &acquire(Queue::Kind kind, ze_command_queue_priority_t priority);
  /// A queue whose list the program has made: immediate, in order and asynchronous, of this device and the driver's context.
  Queue &adopt(Queue::Kind kind, ze_command_list_handle_t list);
  /// Gives a queue back. Waits for one whose list the program has made, which is free then. The work of any other may still be
  /// pending; it is lent again only when drained.
  void release(Queue &queue);

  /// Blocks until all that was submitted to the device before the call is complete. One driver call for any number of busy
  /// queues where the driver can, none if all are empty.
  void synchronize();
  /// Blocks until the null stream and all blocking queues have completed what was submitted before the call.
  void finish_legacy();
  bool query_legacy();
  /// Whether all that was submitted to the device is complete. At most one driver call for each busy queue.
  bool is_idle();
  /// As synchronize(), before something that work may use is released. A lost device is no reason to keep it: what still
  /// runs is waited for, and the error is returned, to be thrown afterwards.
  std::optional<Error> synchronize_for_release();
  enum class Reach : uint8_t { all, legacy }; // the queues of synchronize(), of finish_legacy()
  /// Blocks until nothing runs any more, as far as the driver can tell.
  void settle(Reach reach = Reach::all) noexcept;
  /// The same until `deadline` at most. Whether nothing runs any more.
  bool settle_until(std::chrono::steady_clock::time_point deadline,
                    Reach reach = Reach::all) noexcept;
  /// Forgets waits that nothing was submitted behind: what they wait for may be another device's, and go first.
  void drop_waits();

  /// An index for a new kernel's instances in the queues.
  uint32_t add_kernel();
  /// Drops all instances of a kernel whose launches are complete.
  void remove_kernel(uint32_t id);

  /// A device that is lost stays lost: every submission and wait throws from then on.
  void check_alive() const {
    if (error() != hipSuccess) [[unlikely]]
      throw_lost();
  }
  /// Why the device is lost, as far as is known; hipSuccess: it is not.
  hipError_t error() const { return lost_.load(std::memory_order_relaxed); }
  void set_lost(hipError_t error) noexcept;
  /// After the driver has said so. Threads of a kernel may have said why.
  void set_lost() noexcept;
  /// Runs `work`, which calls the driver for this device. If that says that the device is lost, it is marked as lost. To be
  /// called without the lock of a queue. A queue that waits for a lost one of another device is lost, and its device with it.
  template <class Work> decltype(auto) noticing_loss(Work &&work) {
    try {
      return work();
    } catch (const DeviceLost &lost) {
      set_lost();
      throw DeviceLost(lost.what(), error());
    }
  }

  /// From now on told of each wait; outlives the scheduler's use.
  void set_observer(CompletionObserver *observer) {
    observer_.store(observer, std::memory_order_release);
  }
  CompletionObserver *observer() const { return observer_.load(std::memory_order_acquire); }
  /// To be called, without locks, when the host has learnt that work is complete. Throws if threads of it gave up, or if the
  /// device was lost meanwhile: some drivers execute what waits for lost work of another one.
  void work_completed() {
    if (observer()) [[unlikely]]
      ask_observer();
    check_alive();
  }
  /// The same, for who is not to be told but by error().
  void look_for_failures() noexcept;
  /// Waits by `wait()` or, where somebody wants to look in between, by `is_complete_within(nanoseconds)` again and again.
  template <class Wait, class Poll> void wait_observed(Wait &&wait, Poll &&is_complete_within) {
    constexpr uint64_t look_every = 2'000'000; // nanoseconds
    CompletionObserver *observer = this->observer();
    if (!observer) [[likely]]
      return wait();
    while (!is_complete_within(look_every))
      observer->drain_messages();
  }

private:
  [[noreturn]] void throw_lost() const;
  Queue &make_null_queue();
  void ask_observer();
  template <class Visit> void for_each_queue(Visit &&visit);
  template <class Choose> std::vector<std::pair<Queue *, uint64_t>> busy_queues(Choose &&choose);

  const ze::Driver &driver_;
  const ze::DeviceInfo &device_;
  MarkerPool markers_;
  std::atomic<Queue *> null_queue_{nullptr};
  DirtyList dirty_queues_;
  std::atomic<hipError_t> lost_{hipSuccess}; // or why
  std::atomic<CompletionObserver *> observer_{nullptr};

  struct Queues {
    std::vector<std::unique_ptr<Queue>> all; // never shrinks: a queue's address stays valid
    std::vector<Queue *> idle;
    std::vector<Queue *> returned; // without a list: that was the program's
  };
  struct KernelIds {
    std::vector<uint32_t> free;
    uint32_t next = 0;
  };
  Queue &add_queue(Queues &queues, ze_command_queue_priority_t priority,
                   ze_command_list_handle_t list = nullptr);

  common::Guarded<Queues, std::shared_mutex> queues_;
  common::Guarded<KernelIds> kernel_ids_;
};

/// A queue of the runtime's own for as long as it lives, ordered after nothing.
class InternalQueue {
public:
  explicit InternalQueue(Scheduler &scheduler,
                         ze_command_queue_priority_t priority = ZE_COMMAND_QUEUE_PRIORITY_NORMAL)
      : queue_(scheduler.acquire(Queue::Kind::non_blocking, priority)) {}
  ~InternalQueue() { queue_.scheduler().release(queue_); }
  InternalQueue(const InternalQueue &) = delete;
  Queue *operator->() { return &queue_; }
  Queue &operator*() { return queue_; }

private:
  Queue &queue_;
};

} // namespace chip
