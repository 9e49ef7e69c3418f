// The content of a regular command list or of a graph: recorded once, executed any number of times.
#pragma once

#include "../events/event.h"
#include "command_buffer.h"

#include <vector>

namespace ze_driver {

class Recording final : public RefCounted {
public:
  Recording() = default;

  CommandBuffer commands;
  uint64_t count = 0; // of commands
  /// Counter-based events that a command signals: at each submission they are bound to the
  /// executing list, unless they only order commands of the recording.
  struct Signal {
    Ref<Event> event;
    uint64_t command; // counted from 1
    bool is_internal = false;
  };
  std::vector<Signal> signals;
  /// Counter-based events that commands wait for: what they stand for is looked up at each
  /// submission. Without an event there is nothing to wait for.
  std::vector<Ref<Event>> deferred_waits;

  /// Whether one of the first `commands` signals the counter-based `event`.
  bool signals_before(const Event &event, uint64_t commands) const;
  /// Adds copies of all commands of another recording.
  void append(const Recording &other);

private:
  ~Recording() override;
};

} // namespace ze_driver
