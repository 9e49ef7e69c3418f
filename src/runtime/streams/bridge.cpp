#include "bridge.h"
#include "../../common/own_thread.h"
#include "../../queue/submission.h"
#include "../operations/native.h"
#include "../platform/caller.h"
#include "../platform/platform.h"

#include <algorithm>
#include <thread>

namespace chip {
namespace {

using namespace std::chrono_literals;

constexpr auto idle_bridge_life = 1s; // of the thread, without anything to wait for
constexpr auto look_every = 200us;    // at what is not the first to be waited for

/// The event is as good as new when the queue has come past this.
struct AwaitHost {
  static constexpr bool makes_several_appends = true;
  ze_event_handle_t event;

  void append(Encoder &encoder, ze::Waits waits) const {
    operations::AwaitNative{event}.append(encoder, waits);
    encoder.list.reset(event);
  }
};

} // namespace

void wait_for(Queue &queue, const MarkerRef &marker) {
  if (!marker || &marker->queue->scheduler().driver() == &queue.scheduler().driver()) [[likely]]
    return queue.wait_for(marker);
  if (marker->queue->has_drained(marker->sequence))
    return queue.wait_for({});
  Platform &platform = Platform::get();
  for (int i = 0; i < platform.device_count(); ++i)
    if (Device &device = platform.device(i); &device.scheduler() == &queue.scheduler())
      device.bridge().wait_for(queue, marker);
}

Bridge::Bridge(Scheduler &scheduler)
    : scheduler_(scheduler), events_(scheduler.driver(), scheduler.device()) {}

void Bridge::wait_for(Queue &queue, const MarkerRef &marker) {
  wait_until(queue,
             [marker](std::chrono::nanoseconds patience) { return outcome_of(*marker, patience); });
}

void Bridge::wait_for(Queue &queue, const SharedPoint &point) {
  const auto next = std::chrono::steady_clock::now() + process_look_every;
  wait_until(queue, [point, next_look = next](std::chrono::nanoseconds patience) mutable {
    if (!point.is_reached() && patience > 0ns)
      std::this_thread::sleep_for(50us);
    std::optional<hipError_t> outcome;
    if (point.is_reached()) {
      outcome = hipSuccess;
    } else if (const auto now = std::chrono::steady_clock::now(); now >= next_look) {
      next_look = now + process_look_every;
      if (point.is_abandoned())
        outcome = hipSuccess;
    }
    return outcome;
  });
}

void Bridge::wait_until(Queue &queue, Outcome outcome) {
  scheduler_.check_alive();
  ze_event_handle_t event;
  {
    std::lock_guard lock(mutex_);
    start_thread();
    // Signalled or not by the time that the queue waits for it: it stays so until the queue has.
    waits_.push_back({std::move(outcome), scheduler_.noticing_loss([&] { return take_event(); })});
    event = waits_.back().event.get();
    changed_.notify_all();
  }
  // If that fails, the event stays signalled, and is not used again.
  queue.submit(AwaitHost{event});
}

void Bridge::drop_waits() {
  std::lock_guard lock(mutex_);
  waits_.clear();
}

bool Bridge::has_stopped(std::chrono::steady_clock::time_point deadline) noexcept {
  std::unique_lock lock(mutex_);
  changed_.notify_all();
  return changed_.wait_until(lock, deadline, [&] { return !is_running_; });
}

/// An event that is not signalled and that nothing waits for. The queue that waited for it has reset it.
ze::EventHandle Bridge::take_event() {
  constexpr int most_looks = 4; // at events of queues that may be waiting for something else
  for (int i = 0; i < most_looks && !signalled_.empty(); ++i) {
    ze::EventHandle event = std::move(signalled_.front());
    signalled_.pop_front();
    if (!ze::event_is_complete(event.get()))
      return event;
    signalled_.push_back(std::move(event));
  }
  return events_.create();
}

// ---- The thread

void Bridge::start_thread() {
  if (is_running_)
    return;
  is_running_ = common::start_own_thread([this] { watch(); });
  if (!is_running_)
    throw Error(hipErrorOutOfMemory, "no thread to wait for another driver's work");
}

void Bridge::watch() {
  Waits waits;
  std::unique_lock lock(mutex_);
  while (!stopping_.load(std::memory_order_relaxed)) {
    waits.splice(waits.end(), waits_);
    if (waits.empty()) {
      const auto is_needed = [&] { return stopping_ || !waits_.empty(); };
      if (!changed_.wait_for(lock, idle_bridge_life, is_needed))
        break;
      continue;
    }
    lock.unlock();
    {
      const ThreadMark mark;
      const Inside inside; // from before the question whether the process ends
      if (!stopping_.load(std::memory_order_seq_cst))
        look_at(waits);
    }
    lock.lock();
  }
  waits.clear();
  is_running_ = false;
  changed_.notify_all();
}

void Bridge::look_at(Waits &waits) {
  for (auto wait = waits.begin(); wait != waits.end();) {
    const auto next = std::next(wait);
    const auto outcome = wait->outcome(wait == waits.begin() ? look_every : 0us);
    if (outcome) {
      // With the lock: whoever sees that the queue has come past the event finds it among those to use again.
      std::lock_guard lock(mutex_);
      signal(wait->event.get(), *outcome);
      signalled_.push_back(std::move(wait->event));
      waits.erase(wait);
    }
    wait = next;
  }
}

std::optional<hipError_t> Bridge::outcome_of(const Marker &marker,
                                             std::chrono::nanoseconds patience) {
  Scheduler &other = marker.queue->scheduler();
  try {
    if (!other.noticing_loss(
            [&] { return ze::event_is_complete_within(marker.event, uint64_t(patience.count())); }))
      return std::nullopt;
    marker.queue->raise_drained(marker.sequence);
    other.work_completed();
    return hipSuccess;
  } catch (const Error &error) {
    return tells_of_loss(error.code()) ? error.code() : hipErrorLaunchFailure;
  }
}

/// Where the work is lost, so is the device, before its queue goes on: whoever waits for that learns it, and nothing more is
/// submitted.
void Bridge::signal(ze_event_handle_t event, hipError_t outcome) noexcept {
  if (outcome != hipSuccess)
    scheduler_.set_lost(outcome);
  try {
    if (outcome == hipSuccess)
      ze::signal_event(event);
    else
      ze::signal_loss(scheduler_.driver(), event);
  } catch (const Error &) {
    scheduler_.set_lost(hipErrorLaunchFailure); // the queue waits for ever
  }
}

} // namespace chip
