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

uint64_t *MarkerPool::timestamp() {
  if (free_slots_.empty()) {
    auto *page = static_cast<uint64_t *>(
        ze::allocate_host(driver_, slots_per_page * sizeof(uint64_t), alignof(uint64_t)));
    pages_.push_back(page);
    for (size_t i = slots_per_page; i-- > 0;)
      free_slots_.push_back(page + i);
  }
  uint64_t *slot = free_slots_.back();
  free_slots_.pop_back();
  return slot;
}

Marker *MarkerPool::make() {
  auto marker = std::make_unique<Marker>();
  marker->owned_event = events_.create();
  marker->event = marker->owned_event.get();
  marker->pool = this;
  all_.push_back(std::move(marker));
  return all_.back().get();
}

MarkerRef MarkerPool::acquire() {
  std::lock_guard lock(mutex_);
  if (!free_)
    return MarkerRef(make());
  return MarkerRef(std::exchange(free_, free_->next_free));
}

// A timestamp may still be to be written when its marker is given back. The same queue writes later ones after it, so that it
// may have the marker at once; another queue only when that is known to have happened.
Marker *MarkerPool::take_timed(uint32_t slot) {
  if (Marker *own = free_timed_[slot]) {
    free_timed_[slot] = own->next_free;
    return own;
  }
  for (size_t i = 0; i < free_timed_.size(); ++i) {
    Marker *&first = free_timed_[(next_search_ + i) % free_timed_.size()];
    if (Marker *marker = first; marker && marker->queue->has_drained(marker->sequence)) {
      next_search_ = (next_search_ + i) % free_timed_.size();
      first = marker->next_free;
      marker->sequence = 0;
      return marker;
    }
  }
  return nullptr;
}

MarkerRef MarkerPool::acquire_timed(Queue &queue, uint32_t slot) {
  MarkerRef reference; // lives longer than the lock, which giving the marker back takes, too
  std::lock_guard lock(mutex_);
  if (slot >= free_timed_.size())
    free_timed_.resize(slot + 1);
  Marker *marker = take_timed(slot);
  if (!marker) {
    marker = make();
    marker->timed = true;
  }
  marker->queue = &queue;
  marker->slot = slot;
  reference = MarkerRef(marker);
  if (!marker->timestamp)
    marker->timestamp = timestamp();
  return reference;
}

void MarkerPool::release(Marker *marker) {
  std::lock_guard lock(mutex_);
  Marker *&first = marker->timed ? free_timed_[marker->slot] : free_;
  marker->next_free = std::exchange(first, marker);
}

} // namespace chip
