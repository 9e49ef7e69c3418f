// What a queue has given to OpenCL and has not seen the end of. OpenCL tells of an end only when it is asked, or at the price of
// a callback: so it is asked when somebody wants to know, and a callback is made for what somebody sleeps for.
#pragma once

#include "../../ze_driver/records/queue_backend.h"
#include "../platform/platform.h"

#include <array>
#include <atomic>
#include <deque>
#include <mutex>
#include <thread>
#include <utility>

namespace ze_opencl {

class DeviceClock;

/// An event of OpenCL's, which it owns.
class ClEvent {
public:
  ClEvent() = default;
  static ClEvent adopt(cl_event event) noexcept { return ClEvent(event); }
  ClEvent(const ClEvent &other) noexcept : event_(other.event_) {
    if (!event_ || api().RetainEvent(event_) == CL_SUCCESS)
      return;
    // No event means that nothing is left to wait for.
    api().WaitForEvents(1, &event_);
    event_ = nullptr;
  }
  ClEvent(ClEvent &&other) noexcept : event_(std::exchange(other.event_, nullptr)) {}
  ClEvent &operator=(ClEvent other) noexcept {
    std::swap(event_, other.event_);
    return *this;
  }
  ~ClEvent() {
    if (event_)
      api().ReleaseEvent(event_);
  }

  cl_event get() const noexcept { return event_; }
  /// CL_COMPLETE, how far the command is, or the error that it failed with.
  cl_int status() const noexcept;
  bool has_ended() const noexcept { return status() <= CL_COMPLETE; }
  explicit operator bool() const noexcept { return event_ != nullptr; }

private:
  explicit ClEvent(cl_event event) : event_(event) {}
  cl_event event_ = nullptr;
};

/// True in a child of fork: implementations have threads, which a child has not, so that nothing is ever finished.
bool is_forked();

/// A lock for a few instructions: taking it is one atomic operation, giving it back none.
class BriefLock {
public:
  void lock() noexcept {
    while (is_taken_.test_and_set(std::memory_order_acquire))
      std::this_thread::yield(); // its owner has lost the processor
  }
  void unlock() noexcept { is_taken_.clear(std::memory_order_release); }

private:
  std::atomic_flag is_taken_;
};

/// The source of the done() of one queue.
///
/// Each command has an event, since nothing else tells that it failed, but only that of the newest one is needed: what came before
/// it ended before it. Entries are made for commands of which somebody has to be told or may ask alone, and for the newest one
/// when somebody asks how far the queue is. Asking each event costs a sixteenth of a launch on PoCL, so that the last few are
/// looked at together.
class Completions final : public ze_driver::CompletionSource {
public:
  Completions(const Device &device, const DeviceClock &clock) : device_(device), clock_(clock) {}

  /// The completions behind a counter; nullptr if it is no queue's. All sources in this driver are of this class.
  static Completions *of(const ze_driver::Counter &counter) {
    return static_cast<Completions *>(counter.source());
  }

  /// What else is done when a command's end is seen.
  struct AtEnd {
    bool ends_clock = false;  // KernelClock::begin() was called for it
    uint64_t *time = nullptr; // gets the device's time of the end
  };

  // The driving thread's.

  /// The command that the counter reaches `value` with was given to OpenCL as `event`; without one it ends with those before it.
  /// `what` is its kernel or else what it does, for reports: it lives as long as the command.
  void add(ze_driver::Counter &counter, uint64_t value, ClEvent event, const char *what) noexcept {
    bool is_full = false, is_awaited;
    {
      const std::lock_guard lock(recent_mutex_);
      if (event) {
        is_full = recent_->count == Batch::capacity;
        if (is_full)
          std::swap(recent_, looked_at_);
        recent_->commands[recent_->count++] = {std::move(event), value, what};
      }
      given_ = value;
      is_awaited = announced_ >= value;
    }
    if (is_full)
      let_go(counter, *looked_at_);
    if (is_awaited)
      announce(counter, value);
  }
  /// The same for a command whose end somebody is to be told of, or may ask for alone.
  /// Throws std::bad_alloc, leaving `end` as it is.
  void add(ze_driver::Counter &counter, ze_driver::CommandEnd &end, ClEvent event, const char *what,
           const AtEnd &also);
  /// What ends when everything so far does; none if it has.
  ClEvent event_for_all(ze_driver::Counter &counter);

  // From any thread.

  /// What ends when the counter reaches `value`; none if it has, or if that was not given to OpenCL yet, which `is_known` then
  /// says. Commands of other queues of the same context can wait for it.
  ClEvent event_for(ze_driver::Counter &counter, uint64_t value, bool &is_known);
  cl_context context() const { return device_.platform->context; }

  void refresh(ze_driver::Counter &counter) noexcept override;
  void announce(ze_driver::Counter &counter, uint64_t value) noexcept override;
  bool wait(ze_driver::Counter &counter, uint64_t value) noexcept override;

private:
  struct Given {
    ClEvent event;
    uint64_t value = 0;
    const char *what = nullptr;
  };
  /// Commands that were given to OpenCL one after the other, and have no entries.
  struct Batch {
    static constexpr size_t capacity = 32;
    std::array<Given, capacity> commands;
    size_t count = 0;

    /// The newest one, which is taken out; none if it is empty.
    Given pop() { return count != 0 ? std::move(commands[--count]) : Given(); }
  };
  struct Entry {
    ze_driver::CommandEnd end;
    uint64_t covers; // when it ends, the counter is here: commands without an event may follow it
    ClEvent event;   // none: as the one before
    const char *what = nullptr;
    AtEnd also;
  };

  void let_go(ze_driver::Counter &counter, Batch &batch) noexcept;
  void let_go_locked(ze_driver::Counter &counter, Batch &batch) noexcept;
  void enter_newest(ze_driver::Counter &counter) noexcept;
  const Entry *find(uint64_t value) const;
  void settle_finished(ze_driver::Counter &counter) noexcept;
  void settle_entries(ze_driver::Counter &counter) noexcept;
  void settle_front(ze_driver::Counter &counter, cl_int status) noexcept;
  void lose(ze_driver::Counter &counter, uint64_t value, const char *what, cl_int status) noexcept;
  void call_back(ze_driver::Counter &counter, const ClEvent &event) noexcept;
  static void CL_CALLBACK called_back(cl_event event, cl_int status, void *counter);

  const Device &device_;
  const DeviceClock &clock_;

  std::mutex mutex_; // guards what follows
  std::deque<Entry> entries_;
  size_t unasked_ = 0; // entries since it was looked what is finished

  BriefLock recent_mutex_; // guards what follows; taken last
  Batch *recent_ = &batches_[0];
  uint64_t given_ = 0;     // the commands that OpenCL was given, or that needed none
  uint64_t announced_ = 0; // up to this, ends are to be told of

  Batch *looked_at_ = &batches_[1]; // the driving thread's; empty but while it looks
  std::array<Batch, 2> batches_;
};

} // namespace ze_opencl
