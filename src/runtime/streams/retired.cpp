#include "retired.h"

#include <algorithm>
#include <iterator>
#include <unordered_map>
#include <utility>
#include <vector>

namespace chip {
namespace {

struct RetiredObject {
  MarkerRef last_use;
  std::shared_ptr<const void> object;
};
using RetiredObjects = std::vector<RetiredObject>;

/// By how they end.
auto &retired() { // outlives static destructors, which may call
  static auto &all = *new std::array<common::Guarded<RetiredObjects>, 2>;
  return all;
}

bool is_in_use(const MarkerRef &last_use) {
  if (!last_use || last_use->queue->has_drained(last_use->sequence))
    return false;
  try {
    return !ze::event_is_complete(last_use->event);
  } catch (const Error &) {
    return !last_use->queue->settle_until(std::chrono::steady_clock::now()); // lost
  }
}

/// Those of one ending that are not in use any more. What a queue has not come to keeps all that comes later in it, and the driver
/// is not asked for that: any number may be in use.
RetiredObjects take_unused(size_t ending) {
  const auto objects = retired()[ending].lock();
  std::unordered_map<const Queue *, uint64_t> first_in_use;
  const auto stays = [&](const RetiredObject &each) {
    const MarkerRef &last_use = each.last_use;
    if (last_use)
      if (const auto known = first_in_use.find(last_use->queue);
          known != first_in_use.end() && known->second <= last_use->sequence)
        return true;
    if (!is_in_use(last_use))
      return false;
    first_in_use[last_use->queue] = last_use->sequence;
    return true;
  };
  const auto middle = std::stable_partition(objects->begin(), objects->end(), stays);
  RetiredObjects unused{std::move_iterator(middle), std::move_iterator(objects->end())};
  objects->erase(middle, objects->end());
  retired_counts.objects[ending] = objects->size();
  retired_counts.most[ending] = std::max(RetiredCounts::few, 2 * objects->size());
  return unused;
}

} // namespace

void retire(const MarkerRef &last_use, std::shared_ptr<const void> object, Ending ending) {
  if (!last_use || last_use->queue->has_drained(last_use->sequence))
    return;
  const auto objects = retired()[size_t(ending)].lock();
  objects->push_back({last_use, std::move(object)});
  retired_counts.objects[size_t(ending)] = objects->size();
}

void destroy_retired(Ending ending) {
  for (size_t i = 0; i <= size_t(ending); ++i)
    take_unused(i); // whose ends come here, without the lock
}

void destroy_all_retired() {
  for (size_t i = 0; i < retired().size(); ++i) {
    RetiredObjects unused;
    const auto objects = retired()[i].lock();
    unused.swap(*objects);
    retired_counts.objects[i] = 0;
  }
}

} // namespace chip
