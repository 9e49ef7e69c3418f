#include "segments.h"
#include "shadow.h"

namespace ze_cpu {

Segments::Segments() : entries_(static_cast<Entry *>(reserve_zeroes(kept * sizeof(Entry)))) {}

Segments &Segments::instance() {
  static auto *const all = new Segments; // threads may outlive static objects
  return *all;
}

// The number is written last, and read again after the rest: what is overwritten meanwhile is not taken for it.
void Segments::describe(uint64_t number, const Segment &segment) {
  Entry &entry = entries_[number % kept];
  entry.number.store(0, std::memory_order_relaxed);
  std::atomic_thread_fence(std::memory_order_release);
  entry.launch_and_group.store(uint64_t(segment.launch) << 32 | segment.group,
                               std::memory_order_relaxed);
  entry.epoch_and_lane.store(uint64_t(segment.epoch) << 32 | segment.first_lane,
                             std::memory_order_relaxed);
  entry.number.store(number, std::memory_order_release);
}

bool Segments::find(uint64_t number, Segment &segment) const {
  const Entry &entry = entries_[number % kept];
  if (entry.number.load(std::memory_order_acquire) != number)
    return false;
  const uint64_t whose = entry.launch_and_group.load(std::memory_order_relaxed),
                 when = entry.epoch_and_lane.load(std::memory_order_relaxed);
  std::atomic_thread_fence(std::memory_order_acquire);
  if (entry.number.load(std::memory_order_relaxed) != number)
    return false;
  segment = {static_cast<uint32_t>(whose >> 32), static_cast<uint32_t>(whose),
             static_cast<uint32_t>(when >> 32), static_cast<uint32_t>(when)};
  return true;
}

} // namespace ze_cpu
