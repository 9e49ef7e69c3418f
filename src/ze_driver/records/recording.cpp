#include "recording.h"

#include <algorithm>
#include <cstring>

namespace ze_driver {

Recording::~Recording() {
  if (count == 0)
    return;
  auto cursor = commands.front();
  for (uint64_t i = 0; i < count; ++i) {
    Command &command = cursor.command();
    cursor.advance();
    release_references(command);
  }
}

bool Recording::signals_before(const Event &event, uint64_t limit) const {
  return std::ranges::any_of(
      signals, [&](const Signal &s) { return s.event.get() == &event && s.command <= limit; });
}

void Recording::append(const Recording &other) {
  if (other.count == 0)
    return;
  const uint64_t first = count, first_deferred = deferred_waits.size();
  const size_t signal_count = other.signals.size(), deferred_count = other.deferred_waits.size();
  signals.reserve(signals.size() + signal_count); // nothing fails once records are there
  deferred_waits.reserve(deferred_waits.size() + deferred_count);
  auto cursor = other.commands.front();
  for (uint64_t i = 0, end = other.count; i < end; ++i) {
    Command &from = cursor.command();
    cursor.advance();
    Command &to = commands.add(from.opcode, from.wait_count, from.bytes - from.payload_offset);
    std::memcpy(static_cast<void *>(&to), &from, from.bytes);
    retain_references(to);
    for (uint32_t k = 0; k < to.wait_count; ++k)
      if (Wait &wait = to.waits()[k]; !wait.counter && wait.value != no_wait)
        wait.value += first_deferred;
    ++count;
  }
  for (size_t i = 0; i < deferred_count; ++i)
    deferred_waits.push_back(other.deferred_waits[i]);
  for (size_t i = 0; i < signal_count; ++i) {
    const Signal &signal = other.signals[i];
    signals.push_back({signal.event, first + signal.command, signal.is_internal});
  }
}

} // namespace ze_driver
