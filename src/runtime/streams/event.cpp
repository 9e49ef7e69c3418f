#include "event.h"
#include "../../common/handle_pool.h"
#include "../operations/enqueue.h"
#include "../operations/native.h"
#include "../platform/platform.h"
#include "../pools/pools.h"
#include "bridge.h"
#include "callback.h"
#include "retired.h"

namespace chip {
namespace {

// Lives as long as the process: handles may come late.
constinit LastingHandlePool<Event> events;

bool complete(const MarkerRef &marker) {
  return !marker || marker->queue->has_drained(marker->sequence);
}

// The marker as it is now, so that a wait needs no lock while another thread records the event again.
MarkerRef current_marker(Event &event) { return *event.last.lock(); }

/// Null for nearly all events.
std::shared_ptr<SharedEvent> shared_part(Event &event) {
  if (!(event.flags & hipEventInterprocess)) [[likely]]
    return nullptr;
  return *event.shared.lock();
}

/// Where the event was last recorded, if not by itself: by another process, or by another event for the same one of that.
std::optional<SharedPoint> foreign_point(Event &event) {
  const auto shared = shared_part(event);
  if (!shared) [[likely]]
    return std::nullopt;
  const SharedEvent::Record last = shared->last();
  if (last == event.shared_last.load(std::memory_order_acquire))
    return std::nullopt;
  return SharedPoint{shared, last};
}

[[noreturn]] void refuse_abandoned() {
  throw Error(hipErrorContextIsDestroyed, "the process that recorded `event` has ended before the "
                                          "work was done");
}

void wait_on_host(const SharedPoint &point) {
  point.wait();
  if (!point.is_reached())
    refuse_abandoned();
}

bool is_done(const SharedPoint &point) {
  if (point.is_reached())
    return true;
  if (point.is_abandoned())
    refuse_abandoned();
  return false;
}

/// The record of an event in this process only, and the marker of that.
MarkerRef record_point(const Event &event, Queue &queue) {
  return event.flags & hipEventDisableTiming ? queue.record_marker() : queue.timed_marker();
}

/// What other processes see comes before the marker, so that it is there when this one has waited.
MarkerRef record_shared_point(Queue &queue, const std::shared_ptr<SharedEvent> &shared,
                              SharedEvent::Record &record) {
  record = shared->submit(queue);
  try {
    MarkerRef marker = queue.record_marker();
    retire(marker, shared, Ending::at_once);
    destroy_many_retired(Ending::at_once);
    return marker;
  } catch (...) {
    // The memory may be written at any time, and nobody knows when: it stays.
    static auto &kept = *new common::Guarded<std::vector<std::shared_ptr<SharedEvent>>>;
    kept.lock()->push_back(shared);
    throw;
  }
}

/// Of two threads that record the event at once, either may be the last.
void forget_capture(Event &event) {
  if (event.is_captured.load(std::memory_order_relaxed)) [[unlikely]]
    set_captured_point(event, nullptr);
}

// A lost device's event stands for nothing, since its last record may have failed; but what was recorded is waited for.

CallbacksBefore callbacks_before(const MarkerRef &marker, Scheduler &scheduler) {
  return {scheduler, [&](const Queue &queue) { return marker && marker->queue == &queue; }};
}

void settle(const MarkerRef &marker) {
  if (complete(marker))
    return;
  try {
    ze::wait_for_event(marker->event);
  } catch (const Error &) {
    marker->queue->settle(); // lost, so that it soon has nothing left to do
  }
}

void wait_on_host(Scheduler &scheduler, ze_event_handle_t event) {
  scheduler.noticing_loss([&] {
    scheduler.wait_observed(
        [&] { ze::wait_for_event(event); },
        [&](uint64_t nanoseconds) { return ze::event_is_complete_within(event, nanoseconds); });
  });
}

bool is_settled(const MarkerRef &marker) {
  if (complete(marker))
    return true;
  try {
    return ze::event_is_complete(marker->event);
  } catch (const Error &) {
    return marker->queue->settle_until(std::chrono::steady_clock::now());
  }
}

Event *make_event(Device &device, unsigned flags, std::shared_ptr<SharedEvent> shared) {
  Event *event = &events->take();
  event->flags = flags;
  event->device = &device;
  event->native = nullptr;
  *event->last.lock() = {};
  event->shared_last = 0; // what others have recorded before is theirs
  if (shared)
    *event->shared.lock() = std::move(shared);
  event->was_recorded = false;
  forget_capture(*event);
  event->references.store(1, std::memory_order_relaxed);
  event->mark.store(Event::alive_mark, std::memory_order_release);
  return event;
}

} // namespace

Event *create_event(unsigned flags) {
  constexpr unsigned known = hipEventBlockingSync | hipEventDisableTiming | hipEventInterprocess |
                             hipEventDisableSystemFence | hipEventReleaseToDevice |
                             hipEventReleaseToSystem;
  constexpr unsigned both = hipEventReleaseToDevice | hipEventReleaseToSystem;
  if ((flags & ~known) || (flags & both) == both)
    throw Error(hipErrorInvalidValue,
                "`flags` is unknown, or releases both to the device and to the system");
  if ((flags & hipEventInterprocess) && !(flags & hipEventDisableTiming))
    throw Error(hipErrorInvalidValue,
                "`flags` has hipEventInterprocess without hipEventDisableTiming");
  Device &device = Platform::current_device();
  return make_event(device, flags,
                    flags & hipEventInterprocess ? SharedEvent::create(device.driver()) : nullptr);
}

hipIpcEventHandle_t handle_of_event(Event &event) {
  const auto shared = shared_part(event);
  if (!shared)
    throw Error(hipErrorInvalidHandle, "`event` was created without hipEventInterprocess");
  return shared->handle();
}

Event *open_event(const hipIpcEventHandle_t &handle) {
  Device &device = Platform::current_device();
  return make_event(device, hipEventInterprocess | hipEventDisableTiming,
                    SharedEvent::open(handle));
}

Event *event_from_native(ze_event_handle_t native) {
  Event *event = create_event(hipEventDisableTiming);
  event->native = native;
  event->was_recorded = true; // what it stands for is outside of any capture
  return event;
}

ze_event_handle_t native_event(Event &event) {
  check_not_captured(event);
  if (event.native)
    return event.native;
  if (const auto point = foreign_point(event); point && !point->is_reached())
    throw Error(hipErrorNotSupported,
                "another process has recorded `event`, for which lists cannot wait");
  const MarkerRef marker = current_marker(event);
  return marker ? marker->event : nullptr;
}

Event &find_event(hipEvent_t handle, hipError_t error) {
  Event *event = events->find(handle);
  if (!event)
    throw Error(error, "`event` is not a live hipEvent_t");
  return *event;
}

Event *try_find_event(hipEvent_t handle) { return events->find(handle); }

/// Of a handle that is not live any more.
static void end(Event &event) {
  *event.last.lock() = {};
  if (event.flags & hipEventInterprocess)
    *event.shared.lock() = {};
  forget_capture(event);
  release_event(event);
}

void destroy_event(hipEvent_t handle) {
  if (!handle)
    throw Error(hipErrorInvalidHandle, "`event` is null");
  // AMD's runtime has another code for a bad event here than elsewhere.
  Event *event = events->claim(handle);
  if (!event)
    throw Error(hipErrorContextIsDestroyed, "`event` is not a live hipEvent_t");
  end(*event);
}

void release_event(Event &event) {
  if (event.references.fetch_sub(1, std::memory_order_acq_rel) != 1)
    return;
  *event.last.lock() = {}; // recorded since the event was destroyed
  events->give_back(event);
}

void destroy_events(Device &device) {
  events->end_all_if([&](const Event &event) { return event.device == &device; }, end);
}

std::shared_ptr<CapturedPoint> captured_point(Event &event) {
  if (!event.is_captured.load(std::memory_order_acquire)) [[likely]]
    return nullptr;
  const auto point = event.captured.lock();
  return *point && (*point)->is_in_progress() ? *point : nullptr;
}

void set_captured_point(Event &event, std::shared_ptr<CapturedPoint> point) {
  const auto captured = event.captured.lock();
  event.is_captured.store(point != nullptr, std::memory_order_release);
  captured->swap(point);
}

void check_not_captured(Event &event) {
  if (const auto point = captured_point(event)) [[unlikely]] {
    point->invalidate();
    throw Error(hipErrorCapturedEvent, "`event` was last recorded in a stream that is captured");
  }
}

void record(Event &event, const StreamTarget &stream) {
  if (event.device != stream.device)
    throw Error(hipErrorInvalidHandle, "`event` and `stream` are of different devices");
  enqueue(stream, operations::RecordEvent{&event});
}

void record_external(Event &event, const StreamTarget &stream) {
  if (!stream.capture)
    throw Error(hipErrorInvalidValue,
                "`flags` is hipEventRecordExternal, but `stream` is not captured");
  if (event.device != stream.device)
    throw Error(hipErrorInvalidHandle, "`event` and `stream` are of different devices");
  enqueue(stream, operations::RecordEvent{&event, true});
}

void record_now(Event &event, const StreamTarget &stream) {
  if (event.native) [[unlikely]] {
    stream.queue->submit(operations::SignalNative{event.native});
    event.was_recorded.store(true, std::memory_order_relaxed);
    return forget_capture(event);
  }
  const auto shared = shared_part(event);
  SharedEvent::Record record = 0;
  MarkerRef marker = shared ? record_shared_point(*stream.queue, shared, record)
                            : record_point(event, *stream.queue);
  event.was_recorded.store(true, std::memory_order_relaxed);
  forget_capture(event);
  const auto last = event.last.lock();
  *last = std::move(marker);
  if (shared) {
    event.shared_last.store(record, std::memory_order_release);
    shared->publish(record);
  }
}

void wait(const StreamTarget &stream, Event &event) {
  enqueue(stream, operations::WaitEvent{&event});
}

void wait(const StreamTarget &stream, hipStream_t handle, Event &event) {
  if (!stream.capture)
    if (const auto point = captured_point(event)) [[unlikely]] {
      if (Stream *object = find_stream(handle))
        return point->join(*object);
      point->invalidate();
      throw Error(hipErrorStreamCaptureImplicit,
                  "`stream` is the null stream, which cannot take part in the capture that `event` "
                  "was recorded in");
    }
  wait(stream, event);
}

void wait_external(const StreamTarget &stream, Event &event) {
  if (!stream.capture)
    throw Error(hipErrorInvalidValue,
                "`flags` is hipEventWaitExternal, but `stream` is not captured");
  enqueue(stream, operations::WaitEvent{&event, true});
}

void wait_now(const StreamTarget &stream, Event &event) {
  if (event.native) [[unlikely]] {
    if (!have_one_driver(*event.device, *stream.device))
      throw Error(hipErrorInvalidHandle,
                  "`event` is one of Level Zero, of another driver than that of `stream`");
    stream.queue->submit(operations::AwaitNative{event.native});
    return;
  }
  if (const auto point = foreign_point(event)) [[unlikely]] {
    if (!point->is_reached())
      return stream.device->bridge().wait_for(*stream.queue, *point);
    if (stream.legacy)
      wait_for(*stream.queue, {});
    return;
  }
  // On the null stream this is work whatever the event: blocking streams before and after it are ordered. What waits for lost
  // work of another device is lost, whether the loss is known yet or not.
  if (MarkerRef marker = current_marker(event); stream.legacy || !complete(marker))
    wait_for(*stream.queue, marker);
  event.device->scheduler().check_alive();
}

bool query(Event &event) {
  check_not_captured(event);
  Scheduler &scheduler = event.device->scheduler();
  const MarkerRef marker = current_marker(event);
  const auto ask = [&] {
    scheduler.check_alive();
    if (event.native)
      return scheduler.noticing_loss([&] { return ze::event_is_complete(event.native); });
    if (const auto point = foreign_point(event)) [[unlikely]]
      return is_done(*point);
    if (complete(marker))
      return true;
    uint64_t sequence = marker->sequence;
    if (!scheduler.noticing_loss([&] { return ze::event_is_complete(marker->event); }))
      return false;
    marker->queue->raise_drained(sequence);
    scheduler.work_completed();
    return true;
  };
  const bool is_complete = ask_with_callbacks([&] { return callbacks_before(marker, scheduler); },
                                              ask, [&] { return is_settled(marker); });
  if (is_complete)
    destroy_completed(Ending::at_once);
  return is_complete;
}

void synchronize(Event &event) {
  check_not_captured(event);
  Scheduler &scheduler = event.device->scheduler();
  const MarkerRef marker = current_marker(event);
  const auto wait = [&] {
    scheduler.check_alive();
    if (event.native)
      return wait_on_host(scheduler, event.native);
    if (const auto point = foreign_point(event)) [[unlikely]]
      return wait_on_host(*point);
    if (complete(marker))
      return;
    wait_on_host(scheduler, marker->event);
    marker->queue->raise_drained(marker->sequence);
    scheduler.work_completed();
  };
  wait_with_callbacks([&] { return callbacks_before(marker, scheduler); }, wait,
                      [&] { settle(marker); });
  destroy_completed(Ending::at_once);
  pools_synchronized(*event.device);
}

float elapsed_ms(Event &start, Event &stop) {
  if (start.device != stop.device)
    throw Error(hipErrorInvalidHandle, "`start` and `stop` are of different devices");
  if ((start.flags | stop.flags) & hipEventDisableTiming)
    throw Error(hipErrorInvalidHandle, "`start` or `stop` was created with hipEventDisableTiming");
  if (captured_point(start) || captured_point(stop))
    throw Error(hipErrorCapturedEvent,
                "`start` or `stop` was last recorded in a stream that is captured");
  MarkerRef first = current_marker(start), last = current_marker(stop);
  if (!first || !last)
    throw Error(hipErrorInvalidHandle, "`start` or `stop` was not recorded");
  if (!query(start) || !query(stop))
    throw Error(hipErrorNotReady);
  const ze::DeviceInfo &info = start.device->info();
  // Ticks wrap: the difference is taken in the timer's width, as a signed number, since the events may be swapped.
  uint64_t mask = info.timestamp_mask;
  uint64_t difference = (*last->timestamp - *first->timestamp) & mask;
  bool negative = difference > mask / 2;
  double ticks = negative ? -double((mask - difference) + 1) : double(difference);
  return float(ticks * info.timestamp_ns * 1e-6);
}

} // namespace chip
