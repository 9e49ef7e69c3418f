#include "marker.h"
#include "queue.h"

namespace chip {

void MarkerRef::release() {
  if (marker_->references.fetch_sub(1, std::memory_order_acq_rel) == 1)
    marker_->pool->release(marker_);
}

MarkerPool::State::~State() {
  all.clear();
  for (void *page : pages)
    ze::discard_results(driver, page, alignof(uint64_t));
}

uint64_t *MarkerPool::State::timestamp() {
  constexpr size_t slots_per_page = 512;
  if (free_slots.empty()) {
    auto *page = static_cast<uint64_t *>(
        ze::allocate_results(driver, slots_per_page * sizeof(uint64_t), alignof(uint64_t)));
    pages.push_back(page);
    for (size_t i = slots_per_page; i-- > 0;)
      free_slots.push_back(page + i);
  }
  uint64_t *slot = free_slots.back();
  free_slots.pop_back();
  return slot;
}

Marker *MarkerPool::State::make(MarkerPool &pool) {
  auto marker = std::make_unique<Marker>();
  marker->owned_event = events.create();
  marker->event = marker->owned_event.get();
  marker->pool = &pool;
  all.push_back(std::move(marker));
  return all.back().get();
}

MarkerRef MarkerPool::acquire() {
  auto state = state_.lock();
  if (!state->free)
    return MarkerRef(state->make(*this));
  return MarkerRef(std::exchange(state->free, state->free->next_free));
}

// A timestamp may still be to be written when its marker is given back. The same queue writes later ones after it, so that it
// may have the marker at once; another queue only when that is known to have happened.
Marker *MarkerPool::State::take_timed(uint32_t slot) {
  if (Marker *own = free_timed[slot]) {
    free_timed[slot] = own->next_free;
    return own;
  }
  for (size_t i = 0; i < free_timed.size(); ++i) {
    Marker *&first = free_timed[(next_search + i) % free_timed.size()];
    if (Marker *marker = first; marker && marker->queue->has_drained(marker->sequence)) {
      next_search = (next_search + i) % free_timed.size();
      first = marker->next_free;
      marker->sequence = 0;
      return marker;
    }
  }
  return nullptr;
}

MarkerRef MarkerPool::acquire_timed(Queue &queue, uint32_t slot) {
  MarkerRef reference; // lives longer than the lock, which giving the marker back takes, too
  auto state = state_.lock();
  if (slot >= state->free_timed.size())
    state->free_timed.resize(slot + 1);
  Marker *marker = state->take_timed(slot);
  if (!marker) {
    marker = state->make(*this);
    marker->timed = true;
  }
  marker->queue = &queue;
  marker->slot = slot;
  reference = MarkerRef(marker);
  if (!marker->timestamp)
    marker->timestamp = state->timestamp();
  return reference;
}

void MarkerPool::release(Marker *marker) {
  auto state = state_.lock();
  Marker *&first = marker->timed ? state->free_timed[marker->slot] : state->free;
  marker->next_free = std::exchange(first, marker);
}

} // namespace chip
