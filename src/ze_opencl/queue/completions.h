// What a queue has given to OpenCL and has not seen the end of. OpenCL tells of an end only when it is asked, or at the price of
// a callback: so it is asked when somebody wants to know, and a callback is made for what somebody sleeps for.
#pragma once

#include "../../ze_driver/records/queue_backend.h"
#include "../platform/platform.h"

#include <deque>
#include <mutex>
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
  explicit operator bool() const noexcept { return event_ != nullptr; }

private:
  explicit ClEvent(cl_event event) : event_(event) {}
  cl_event event_ = nullptr;
};

/// True in a child of fork: implementations have threads, which a child has not, so that nothing is ever finished.
bool is_forked();

/// The source of the done() of one queue.
class Completions final : public ze_driver::CompletionSource {
public:
  Completions(const Device &device, const DeviceClock &clock) : device_(device), clock_(clock) {}

  /// The completions behind a counter; nullptr if it is no queue's. All sources in this driver are of this class.
  static Completions *of(const ze_driver::Counter &counter) {
    return static_cast<Completions *>(counter.source());
  }

  /// The command whose end this is was given to OpenCL as `event`; without one it ends with those before it. `what` is its
  /// kernel or else what it does, for reports: it lives as long as the command.
  /// `reads_clock`: KernelClock::begin() was called for it.
  /// One thread at a time. Throws std::bad_alloc, leaving `end` as it is.
  void add(ze_driver::Counter &counter, ze_driver::CommandEnd &end, ClEvent event, const char *what,
           bool reads_clock);
  /// Whether something is not known to be finished.
  bool has_pending(ze_driver::Counter &counter);
  /// What ends when the counter reaches `value`; none if it has, or if that was not given to OpenCL yet, which `is_known` then
  /// says. Commands of other queues of the same context can wait for it.
  ClEvent event_for(ze_driver::Counter &counter, uint64_t value, bool &is_known);
  cl_context context() const { return device_.platform->context; }

  void refresh(ze_driver::Counter &counter) noexcept override;
  void announce(ze_driver::Counter &counter, uint64_t value) noexcept override;
  bool wait(ze_driver::Counter &counter, uint64_t value) noexcept override;

private:
  struct Pending {
    ze_driver::CommandEnd end;
    ClEvent event; // none: as the one before
    const char *what;
    bool reads_clock;
  };

  const Pending *find(uint64_t value) const;
  void settle_finished(ze_driver::Counter &counter) noexcept;
  void settle_front(ze_driver::Counter &counter, cl_int status) noexcept;
  void call_back(ze_driver::Counter &counter, const ClEvent &event) noexcept;
  static void CL_CALLBACK called_back(cl_event event, cl_int status, void *counter);

  const Device &device_;
  const DeviceClock &clock_;
  std::mutex mutex_;
  std::deque<Pending> pending_;
  size_t unasked_ = 0;     // commands since it was looked what is finished
  uint64_t announced_ = 0; // up to this, ends are to be told of
};

} // namespace ze_opencl
