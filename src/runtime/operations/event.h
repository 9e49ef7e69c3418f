// Events that a stream records or waits for.
#pragma once

#include "../streams/event.h"
#include "operation.h"

namespace chip::operations {

/// `Reference` is an Event *, or an EventReference that keeps the event from becoming another.
template <class Reference> struct RecordEventBy {
  Reference event;
  bool is_external = false; // where it is captured: for streams outside of the graph

  void perform(const StreamTarget &stream) const { record_now(*event, stream); }
  auto keep() const { return RecordEventBy<EventReference>{EventReference(*event), is_external}; }
  bool operator==(const RecordEventBy &) const = default;
};
using RecordEvent = RecordEventBy<Event *>;
using KeptRecordEvent = RecordEventBy<EventReference>;

/// Later work of the stream waits for the event's last record.
template <class Reference> struct WaitEventBy {
  Reference event;
  bool is_external = false; // where it is captured: for a record outside of the graph

  void perform(const StreamTarget &stream) const { wait_now(stream, *event); }
  auto keep() const { return WaitEventBy<EventReference>{EventReference(*event), is_external}; }
  bool operator==(const WaitEventBy &) const = default;
};
using WaitEvent = WaitEventBy<Event *>;
using KeptWaitEvent = WaitEventBy<EventReference>;

} // namespace chip::operations
