// What work that is still running may use, though nobody else does any more.
#pragma once

#include "../../queue/scheduler.h"

#include <array>
#include <atomic>
#include <memory>

namespace chip {

/// Whether the end of an object may wait for the device, as that of memory and of modules does.
enum class Ending : bool { at_once, waits };

/// Keeps the object until the marker's point is complete, without waiting for it.
void retire(const MarkerRef &last_use, std::shared_ptr<const void> object, Ending ending);
/// Destroys what is not in use any more; with `at_once`, only what does not wait for it. To be called without locks: the end of an
/// object may call the program.
void destroy_retired(Ending ending);
/// Destroys all: nothing runs any more.
void destroy_all_retired();

struct RetiredCounts {
  static constexpr size_t few = 32;
  std::array<std::atomic<size_t>, 2> objects{}; // by how they end
  std::array<std::atomic<size_t>, 2> most{
      {{few}, {few}}}; // above it, it pays to ask which are in use
};
inline constinit RetiredCounts retired_counts;

/// For a call that retires again and again, and never waits.
inline void destroy_many_retired(Ending ending) {
  for (size_t i = 0; i <= size_t(ending); ++i)
    if (retired_counts.objects[i].load(std::memory_order_relaxed) >=
        retired_counts.most[i].load(std::memory_order_relaxed)) [[unlikely]]
      return destroy_retired(ending);
}

/// For a call that ends or makes objects: what nobody uses is to be gone soon, but any number may be in use.
inline void destroy_few_or_many_retired(Ending ending) {
  for (size_t i = 0; i <= size_t(ending); ++i)
    if (const size_t objects = retired_counts.objects[i].load(std::memory_order_relaxed);
        objects >= RetiredCounts::few &&
        objects < retired_counts.most[i].load(std::memory_order_relaxed))
      return;
  destroy_retired(ending);
}

/// When the host has learnt that work is complete. What was in use by it is gone when the program is told.
inline void destroy_completed(Ending ending) {
  for (size_t i = 0; i <= size_t(ending); ++i)
    if (retired_counts.objects[i].load(std::memory_order_relaxed) != 0) [[unlikely]]
      return destroy_retired(ending);
}

} // namespace chip
