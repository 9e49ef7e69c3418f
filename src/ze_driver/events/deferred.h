// Things to do when the device has no use for something any more: freeing memory, unloading code.
#pragma once

#include "counter.h"

#include <functional>
#include <mutex>
#include <vector>

namespace ze_driver {

class DeferredActions {
public:
  static DeferredActions &instance();

  /// Does `action` when all of `users` are reached: at once if they are, else in a later collect().
  /// `action` must not throw, nor defer anything itself.
  void add(std::vector<Point> users, std::move_only_function<void()> action);
  /// Does what has become possible.
  void collect();

private:
  struct Entry {
    std::vector<Point> users;
    std::move_only_function<void()> action;
  };
  std::mutex mutex_;
  std::vector<Entry> entries_;
  std::atomic<bool> is_empty_{true}; // so that collect() is free of charge
};

} // namespace ze_driver
