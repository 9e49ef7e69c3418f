// A marker is a point in a queue's order that others can wait for: the queue, its sequence number there, and the
// counter-based event that was signalled at that point.
#pragma once

#include "../common/guarded.h"
#include "../ze/counter_event.h"

#include <atomic>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace chip {

class Queue;
class MarkerPool;

struct alignas(64) Marker {
  ze_event_handle_t event = nullptr;
  Queue *queue = nullptr;
  uint64_t sequence = 0; // complete when the queue has drained this far
  /// Device ticks, written when the point is reached; only for timed markers.
  uint64_t *timestamp = nullptr;
  bool timed = false;

private:
  friend class MarkerRef;
  friend class MarkerPool;
  std::atomic<uint32_t> references{0};
  MarkerPool *pool = nullptr;
  ze::EventHandle owned_event;
  uint32_t slot = 0;           // of the queue; only for timed markers
  Marker *next_free = nullptr; // in its pool, once released
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
  bool operator==(const MarkerRef &) const = default;
  /// Whether no more than so many references exist, this one among them: then their owner may move the marker to a new point.
  bool has_only(uint32_t references) const {
    return marker_->references.load(std::memory_order_acquire) == references;
  }

private:
  void release();
  Marker *marker_ = nullptr;
};

/// Makes and recycles the markers of one device. Thread-safe.
class MarkerPool {
public:
  MarkerPool(const ze::Driver &driver, const ze::DeviceInfo &device)
      : state_(std::in_place, driver, device) {}
  /// A marker with an event. Makes no driver call once warm.
  MarkerRef acquire();
  /// A marker with an event and a timestamp, for `queue`, whose index in the tables by queue is `slot`. Makes no driver call
  /// once warm, whether or not the host ever learns how far the queue is.
  MarkerRef acquire_timed(Queue &queue, uint32_t slot);

private:
  friend class MarkerRef;
  struct State {
    const ze::Driver &driver;
    ze::CounterEventSource events;
    std::vector<std::unique_ptr<Marker>> all;
    // Lists linked by `next_free`, so that giving a marker back cannot fail.
    Marker *free = nullptr;
    /// By the slot of the queue that is to write, or has written, the timestamp.
    std::vector<Marker *> free_timed;
    size_t next_search = 0; // where in it the next search for another queue's marker begins
    std::vector<uint64_t *> free_slots;
    std::vector<void *> pages;

    State(const ze::Driver &driver, const ze::DeviceInfo &device)
        : driver(driver), events(driver, device) {}
    ~State();
    Marker *make(MarkerPool &pool);
    Marker *take_timed(uint32_t slot);
    uint64_t *timestamp();
  };
  void release(Marker *marker);

  common::Guarded<State> state_;
};

} // namespace chip
