#include "deferred.h"

#include <algorithm>

namespace ze_driver {
namespace {

bool are_reached(const std::vector<Point> &points) {
  return std::ranges::all_of(points, &Point::is_reached);
}

} // namespace

DeferredActions &DeferredActions::instance() {
  static DeferredActions *actions = new DeferredActions; // threads may outlive static objects
  return *actions;
}

void DeferredActions::add(std::vector<Point> users, std::move_only_function<void()> action) {
  if (are_reached(users))
    return action();
  std::lock_guard lock(mutex_);
  entries_.push_back({std::move(users), std::move(action)});
  is_empty_.store(false, std::memory_order_relaxed);
}

void DeferredActions::collect() {
  if (is_empty_.load(std::memory_order_relaxed))
    return;
  std::lock_guard lock(mutex_);
  std::erase_if(entries_, [](Entry &entry) {
    const bool due = are_reached(entry.users);
    if (due)
      entry.action();
    return due;
  });
  is_empty_.store(entries_.empty(), std::memory_order_relaxed);
}

} // namespace ze_driver
