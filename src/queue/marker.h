// A marker is a point in a queue's order that others can wait for: the queue, its sequence number there, and the
// counter-based event that was signalled at that point.
#pragma once

#include "../ze/counter_event.h"

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace chip {

class Queue;
class MarkerPool;

struct Marker {
  ze_event_handle_t event = nullptr;
  Queue *queue = nullptr;
  uint64_t sequence = 0;         // complete when the queue has drained this far
  uint64_t *timestamp = nullptr; // device ticks, written when the point is reached; only for timed markers
  bool timed = false;

private:
  friend class MarkerRef;
  friend class MarkerPool;
  std::atomic<uint32_t> references{0};
  MarkerPool *pool = nullptr;
  ze::EventHandle owned_event;
};

/// Shared ownership of a marker; the last one gives it back to its pool.
class MarkerRef {
public:
  MarkerRef() = default;
  explicit MarkerRef(Marker *marker) : marker_(marker) {
    if (marker_)
      marker_->references.fetch_add(1, std::memory_order_relaxed);
  }
  MarkerRef(const MarkerRef &other) : MarkerRef(other.marker_) {}
  MarkerRef(MarkerRef &&other) noexcept : marker_(std::exchange(other.marker_, nullptr)) {}
  MarkerRef &operator=(MarkerRef other) noexcept {
    std::swap(marker_, other.marker_);
    return *this;
  }
  ~MarkerRef() {
    if (marker_)
      release();
  }
  Marker *operator->() const { return marker_; }
  Marker &operator*() const { return *marker_; }
  explicit operator bool() const { return marker_; }
  /// No other reference exists, so the marker may be moved to a new point.
  bool unique() const { return marker_->references.load(std::memory_order_acquire) == 1; }

private:
  void release();
  Marker *marker_ = nullptr;
};

/// Makes and recycles the markers of one device. Thread-safe.
class MarkerPool {
public:
  MarkerPool(const ze::Driver &driver, const ze::DeviceInfo &device);
  ~MarkerPool();
  /// A marker with an event, and with a timestamp slot if `timed`. Makes no driver call once warm.
  MarkerRef acquire(bool timed);

private:
  friend class MarkerRef;
  void release(Marker *marker);
  void add_timestamp_slots();

  static constexpr size_t slots_per_page = 512;
  const ze::Driver &driver_;
  std::mutex mutex_;
  ze::CounterEventSource events_;
  std::vector<std::unique_ptr<Marker>> all_;
  std::vector<Marker *> free_;
  std::vector<Marker *> free_timed_; // the oldest first: its timestamp is the most likely to be written
  size_t free_timed_head_ = 0;
  std::vector<uint64_t *> free_slots_;
  std::vector<void *> pages_;
};

} // namespace chip
