// Operations in a list that queues run as one command, any number of times.
#pragma once

#include "encoder.h"

namespace chip {

/// What the recorded operations use has to live as long as the recording. So has the recording itself, until the last queue has
/// completed it. Not thread-safe, but once it is closed, any number of queues of its device may run it.
class Recording {
public:
  Recording(const ze::Driver &driver, const ze::DeviceInfo &device)
      : list_(driver, device), encoder_{list_.appender(), SpillArena(driver, nullptr), {}} {}

  /// Appends an operation (Queue::submit says what one is), which comes after those before it.
  template <class Operation> void record(const Operation &operation) {
    for (;;) {
      try {
        operation.append(encoder_, {});
        encoder_.arena.commit(1); // nothing of it is ever free again
        return;
      } catch (const SpillArena::Full &full) {
        encoder_.arena.make_room(full.bytes);
      }
    }
  }
  /// Nothing is recorded from now on.
  void close() { list_.close(); }

  /// A recording that is closed is an operation, also with an event that it signals at its end.
  void append(Encoder &encoder, ze::Waits waits) const { encoder.list.run(list_, nullptr, waits); }
  void append(Encoder &encoder, ze_event_handle_t signal, ze::Waits waits) const {
    encoder.list.run(list_, signal, waits);
  }

private:
  ze::RecordedList list_;
  Encoder encoder_;
};

} // namespace chip
