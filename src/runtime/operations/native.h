// What is done with events of Level Zero that the program has made, and calls of its own on a stream's list.
#pragma once

#include "operation.h"

namespace chip::operations {

/// Later work waits for the event, which is not reset.
struct AwaitNative {
  static constexpr bool makes_several_appends = true;
  ze_event_handle_t event;

  void append(Encoder &encoder, ze::Waits waits) const {
    if (!waits.empty())
      encoder.list.wait(waits);
    ze_event_handle_t events[] = {event};
    encoder.list.wait(events);
  }
};

/// The event is signalled when earlier work is done.
struct SignalNative {
  static constexpr bool makes_several_appends = true;
  ze_event_handle_t event;

  void append(Encoder &encoder, ze::Waits waits) const {
    if (!waits.empty())
      encoder.list.wait(waits); // signals carry none
    encoder.list.signal(event);
  }
};

/// The program appends what it likes: `call(list, data)`.
struct AppendNative {
  static constexpr bool makes_several_appends = true;
  ze_result_t (*call)(ze_command_list_handle_t list, void *data);
  void *data;

  void append(Encoder &encoder, ze::Waits waits) const {
    if (!waits.empty())
      encoder.list.wait(waits);
    check(call(encoder.list.native(), data), "the function given to chipStreamAppend");
  }
};

} // namespace chip::operations
