// What a hipEvent_t stands for: the last point it was recorded at, or none; or an event of Level Zero that the program made. One
// with hipEventInterprocess stands for the last point at which any of the processes recorded it that have it.
#pragma once

#include "../../common/guarded.h"
#include "capture.h"
#include "shared_event.h"
#include "stream.h"

#include <memory>

struct ihipEvent_t {
  static constexpr uint32_t alive_mark = 0x4576656e;
  std::atomic<uint32_t> mark{0};
  unsigned flags = hipEventDefault;
  chip::Device *device = nullptr;
  /// The program's own event that this one stands for, of the device's driver; null for all others. To record it is to signal
  /// that event.
  ze_event_handle_t native = nullptr;
  /// Where it was last recorded; empty as well if all before that was complete already.
  common::Guarded<chip::MarkerRef> last;
  /// With hipEventInterprocess: what other processes know of it, and which record of it `last` is.
  common::Guarded<std::shared_ptr<chip::SharedEvent>> shared;
  std::atomic<chip::SharedEvent::Record> shared_last{0};
  std::atomic<bool> was_recorded{false}; // in a stream that is not captured
  /// Whether its last record is one in a capture, which may have ended: `captured` says where.
  std::atomic<bool> is_captured{false};
  common::Guarded<std::shared_ptr<chip::CapturedPoint>> captured;
  std::atomic<unsigned> references{
      0}; // the program's, until it destroys the event, and those of EventReference
};

namespace chip {

using Event = ihipEvent_t;

void release_event(Event &event);

/// Keeps an event's object from becoming another event, though the program may destroy the event meanwhile.
class EventReference {
public:
  explicit EventReference(Event &event) : event_(&event) {
    event.references.fetch_add(1, std::memory_order_relaxed);
  }
  EventReference(const EventReference &other) : EventReference(*other.event_) {}
  EventReference &operator=(EventReference other) {
    std::swap(event_, other.event_);
    return *this;
  }
  ~EventReference() { release_event(*event_); }
  Event &operator*() const { return *event_; }
  bool operator==(const EventReference &) const = default;

private:
  Event *event_;
};

/// Flags: hipEventDefault, or hipEventDisableTiming, hipEventBlockingSync and the release flags together; with
/// hipEventDisableTiming also hipEventInterprocess, which throws hipErrorNotSupported where the driver has no such events.
Event *create_event(unsigned flags);
/// Throws hipErrorInvalidHandle for an event without hipEventInterprocess.
hipIpcEventHandle_t handle_of_event(Event &event);
/// An event of the current device for one of another process. Throws hipErrorInvalidValue for what is no handle,
/// hipErrorInvalidContext for one of this process.
Event *open_event(const hipIpcEventHandle_t &handle);
/// An event for the current device that stands for `native`, which has to live until it is destroyed.
Event *event_from_native(ze_event_handle_t native);
/// What lists may wait for instead of the event, until it is recorded again or destroyed; null if all before its last record was
/// complete then, or there is none. Throws hipErrorCapturedEvent, and hipErrorNotSupported if another process has recorded it.
ze_event_handle_t native_event(Event &event);
void destroy_event(hipEvent_t event);
/// Destroys all events of a device.
void destroy_events(Device &device);
/// Throws `error` for a handle that is no event.
Event &find_event(hipEvent_t event, hipError_t error = hipErrorInvalidHandle);
/// Null for a handle that is no event.
Event *try_find_event(hipEvent_t event);

/// Throws hipErrorInvalidHandle for an event of another device.
void record(Event &event, const StreamTarget &stream);
/// Later work of the stream waits for the event's last record; nothing if there is none.
void wait(const StreamTarget &stream, Event &event);
/// The same for the stream of a handle, which may become part of the event's capture.
void wait(const StreamTarget &stream, hipStream_t handle, Event &event);
/// In a captured stream, as a node of its own. Throw hipErrorInvalidValue for any other stream.
void record_external(Event &event, const StreamTarget &stream);
void wait_external(const StreamTarget &stream, Event &event);
/// Where the event was last recorded, if that is in a capture in progress; else null.
std::shared_ptr<CapturedPoint> captured_point(Event &event);
void set_captured_point(Event &event, std::shared_ptr<CapturedPoint> point);
/// Throws hipErrorCapturedEvent, and invalidates the capture, if that is where the event was last recorded.
void check_not_captured(Event &event);
/// The same for a stream that is not captured, without checks.
void record_now(Event &event, const StreamTarget &stream);
void wait_now(const StreamTarget &stream, Event &event);
/// Both throw hipErrorContextIsDestroyed if another process has recorded the event last, and ended before the work was done.
bool query(Event &event);
void synchronize(Event &event);
/// Milliseconds between two records. Throws hipErrorInvalidHandle or hipErrorNotReady as hipEventElapsedTime documents.
float elapsed_ms(Event &start, Event &stop);

} // namespace chip
