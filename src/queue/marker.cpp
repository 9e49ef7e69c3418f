#include "marker.h"
#include "queue.h"

namespace chip {

void MarkerRef::release() {
  if (marker_->references.fetch_sub(1, std::memory_order_acq_rel) == 1)
    marker_->pool->release(marker_);
}

MarkerPool::MarkerPool(const ze::Driver &driver, const ze::DeviceInfo &device)
    : driver_(driver), events_(driver, device) {}

MarkerPool::~MarkerPool() {
  all_.clear();
  for (void *page : pages_)
    ze::discard_memory(driver_, page);
}

void MarkerPool::add_timestamp_slots() {
  auto *page = static_cast<uint64_t *>(
      ze::allocate_host(driver_, slots_per_page * sizeof(uint64_t), alignof(uint64_t)));
  pages_.push_back(page);
  for (size_t i = slots_per_page; i-- > 0;)
    free_slots_.push_back(page + i);
}

MarkerRef MarkerPool::acquire(bool timed) {
  std::lock_guard lock(mutex_);
  if (!timed && !free_.empty()) {
    Marker *marker = free_.back();
    free_.pop_back();
    return MarkerRef(marker);
  }
  if (timed && free_timed_head_ < free_timed_.size()) {
    // A timed marker's slot is still to be written while its point has not been reached: only then may it not be reused.
    Marker *marker = free_timed_[free_timed_head_];
    if (marker->queue == nullptr || marker->queue->has_drained(marker->sequence)) {
      if (++free_timed_head_ * 2 > free_timed_.size()) {
        free_timed_.erase(free_timed_.begin(), free_timed_.begin() + ptrdiff_t(free_timed_head_));
        free_timed_head_ = 0;
      }
      return MarkerRef(marker);
    }
  }
  auto marker = std::make_unique<Marker>();
  marker->owned_event = events_.create();
  marker->event = marker->owned_event.get();
  marker->pool = this;
  if (timed) {
    if (free_slots_.empty())
      add_timestamp_slots();
    marker->timestamp = free_slots_.back();
    free_slots_.pop_back();
    marker->timed = true;
  }
  // Room to give it back later is made now, so that release() cannot fail.
  free_.reserve(all_.size() + 1);
  free_timed_.reserve(free_timed_head_ + all_.size() + 1);
  all_.push_back(std::move(marker));
  return MarkerRef(all_.back().get());
}

void MarkerPool::release(Marker *marker) {
  std::lock_guard lock(mutex_);
  (marker->timed ? free_timed_ : free_).push_back(marker);
}

} // namespace chip
