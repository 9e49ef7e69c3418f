// Waits across drivers and processes. An event of Level Zero means something in one context only, and each driver has its own: a
// stream that is to come after work of another driver, or of another process, waits for an event of its own driver, which a thread
// of the runtime signals when that work is complete, or lost.
#pragma once

#include "../../queue/scheduler.h"
#include "../../ze/event_pools.h"
#include "shared_event.h"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <list>
#include <mutex>
#include <optional>

namespace chip {

/// All that is submitted to the queue later waits for the marker, if it is not an empty one, whichever driver it is of.
void wait_for(Queue &queue, const MarkerRef &marker);

/// What brings other drivers' and processes' work to the queues of one device. Thread-safe.
class Bridge {
public:
  explicit Bridge(Scheduler &scheduler);
  /// The thread has stopped.
  ~Bridge() = default;
  Bridge(const Bridge &) = delete;
  Bridge &operator=(const Bridge &) = delete;

  /// All that is submitted later to the queue, which is of this device, waits for the marker of another driver.
  void wait_for(Queue &queue, const MarkerRef &marker);
  /// The same for what another process has recorded. If that ends before, the queue goes on: the work is lost, but not this
  /// process's.
  void wait_for(Queue &queue, const SharedPoint &point);
  /// Forgets what is waited for: the markers go.
  void drop_waits();

  /// The process is ending: from now on no thread goes into the driver.
  static void stop_all() noexcept { stopping_.store(true, std::memory_order_seq_cst); }
  /// Waits until the thread has stopped; false if it has not at `deadline`.
  bool has_stopped(std::chrono::steady_clock::time_point deadline) noexcept;

private:
  /// hipSuccess if what is waited for is complete, an error if it is lost, nothing as long as it is neither. Takes no longer
  /// than it is given.
  using Outcome = std::function<std::optional<hipError_t>(std::chrono::nanoseconds patience)>;
  struct Wait {
    Outcome outcome;
    ze::EventHandle event;
  };
  using Waits = std::list<Wait>;

  void wait_until(Queue &queue, Outcome outcome);
  ze::EventHandle take_event();
  void start_thread();
  void watch();
  void look_at(Waits &waits);
  static std::optional<hipError_t> outcome_of(const Marker &marker,
                                              std::chrono::nanoseconds patience);
  void signal(ze_event_handle_t event, hipError_t outcome) noexcept;

  static inline constinit std::atomic<bool> stopping_{false};

  Scheduler &scheduler_;
  std::mutex mutex_;
  std::condition_variable changed_;
  ze::HostEventSource events_;
  Waits waits_;                           // the thread has not taken them yet
  std::deque<ze::EventHandle> signalled_; // a queue may still have to wait for them
  bool is_running_ = false;
};

} // namespace chip
