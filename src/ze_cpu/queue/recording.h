// A regular command list's content: recorded once, executed any number of times.
#pragma once

#include "command_buffer.h"
#include "event.h"

#include <vector>

namespace ze_cpu {

class Recording final : public RefCounted {
public:
  Recording() = default;

  CommandBuffer commands;
  uint64_t count = 0; // of commands
  /// Counter-based events that a command signals: at each submission they are bound to the
  /// executing list.
  struct Signal {
    Ref<Event> event;
    uint64_t command; // counted from 1
  };
  std::vector<Signal> signals;
  /// Counter-based events that commands wait for: what they stand for is looked up at each
  /// submission.
  std::vector<Ref<Event>> late_waits;

private:
  ~Recording() override {
    if (count == 0)
      return;
    auto cursor = commands.front();
    for (uint64_t i = 0; i < count; ++i) {
      Command &command = cursor.command();
      cursor.advance();
      release_references(command);
    }
  }
};

} // namespace ze_cpu
