// Level Zero events: a pooled event owns a counter that is 0 or 1; a counter-based event refers to
// the list that signalled it last, and to how far that list must have come.
#pragma once

#include "../api/handle.h"
#include "shared_counters.h"
#include "timestamps.h"

#include <mutex>

namespace ze_driver {

struct EventPool;
struct Graph;

class Event final : public Handle, public RefCounted {
public:
  using HandleType = ze_event_handle_t;

  enum class Kind { pooled, counter_based };
  struct Options {
    Kind kind = Kind::pooled;
    bool timestamps = false;
    EventPool *pool = nullptr;
    uint32_t signal_scope = 0;
    uint32_t wait_scope = 0;
    uint32_t counter_based_flags = 0;
    bool wait_only = false;                   // it is another process's
    std::shared_ptr<SharedSlots> shared = {}; // with other processes, in the slot of that index
    uint32_t index = 0;
  };

  explicit Event(const Options &options) : options_(options) {
    if (options.shared) {
      SharedSlot &slot = options.shared->slots()[options.index];
      point_ = {Ref<Counter>::make(options.shared, slot), 1};
      if (options.timestamps)
        stamps_ = Ref<Timestamps>::make(options.shared, slot.start, slot.end);
      return;
    }
    if (options.kind == Kind::pooled)
      point_ = {Ref<Counter>::make(), 1};
    if (options.timestamps)
      stamps_ = Ref<Timestamps>::make();
  }

  const Options &options() const { return options_; }
  bool is_counter_based() const { return options_.kind == Kind::counter_based; }
  /// nullptr: not asked for.
  Timestamps *timestamps() const { return stamps_.get(); }

  /// A pooled event's counter.
  Counter &counter() const { return *point_.counter; }

  /// What the event stands for now. A counter-based event that was never signalled is complete.
  Point point() {
    std::lock_guard lock(mutex_);
    return point_;
  }
  /// Counter-based events: what the event stands for from now on.
  void bind(Counter &counter, uint64_t value) {
    std::lock_guard lock(mutex_);
    if (point_.counter.get() != &counter)
      point_.counter = Ref<Counter>::share(&counter);
    point_.value = value;
  }

  /// Where others find what the event stood for when its handle was asked for.
  void keep_shared(std::shared_ptr<SharedSlots> slots) {
    std::lock_guard lock(mutex_);
    exported_ = std::move(slots);
  }

  /// Set while a graph is captured in which it is signalled.
  struct Capture {
    Graph *graph = nullptr;
    const void *list = nullptr; // that signals it last
    uint64_t command = 0;       // there
  };
  bool is_captured() const { return is_captured_.load(std::memory_order_relaxed); }
  Capture capture() {
    std::lock_guard lock(mutex_);
    return capture_;
  }
  void set_capture(const Capture &capture) {
    std::lock_guard lock(mutex_);
    capture_ = capture;
    is_captured_.store(capture.graph != nullptr, std::memory_order_relaxed);
  }

private:
  ~Event() override = default;

  const Options options_;
  std::mutex mutex_; // guards the point of counter-based events, and the capture
  std::atomic<bool> is_captured_{false};
  Capture capture_;
  Point point_;
  Ref<Timestamps> stamps_;
  std::shared_ptr<SharedSlots> exported_;
};

} // namespace ze_driver
