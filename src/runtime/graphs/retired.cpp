#include "retired.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace chip {
namespace {

struct RetiredObject {
  MarkerRef last_use;
  std::shared_ptr<const void> object;
};

struct Retired {
  std::vector<RetiredObject> objects;
  size_t look_at = 32; // the number of objects at which it pays to ask which are still in use
};

auto &retired() { // outlives static destructors, which may call
  static auto &all = *new common::Guarded<Retired>;
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

} // namespace

void retire(const MarkerRef &last_use, std::shared_ptr<const void> object) {
  if (!last_use || last_use->queue->has_drained(last_use->sequence))
    return;
  bool are_many;
  {
    const auto locked = retired().lock();
    locked->objects.push_back({last_use, std::move(object)});
    are_many = locked->objects.size() >= locked->look_at;
  }
  if (are_many)
    destroy_retired();
}

void destroy_retired() {
  std::vector<RetiredObject> unused; // whose ends come without the lock
  const auto locked = retired().lock();
  auto &objects = locked->objects;
  const auto middle =
      std::stable_partition(objects.begin(), objects.end(),
                            [](const RetiredObject &each) { return is_in_use(each.last_use); });
  unused.assign(std::move_iterator(middle), std::move_iterator(objects.end()));
  objects.erase(middle, objects.end());
  locked->look_at = std::max<size_t>(32, 2 * objects.size());
}

void destroy_all_retired() {
  std::vector<RetiredObject> unused;
  std::swap(unused, retired().lock()->objects);
}

} // namespace chip
