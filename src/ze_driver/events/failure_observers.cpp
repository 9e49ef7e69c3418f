#include "failure_observers.h"

#include "../../common/guarded.h"

#include <algorithm>
#include <vector>

namespace ze_driver {
namespace {

struct Entry {
  FailureObserver *observer;
  void *data;
};

/// Never destroyed: work may fail while the process ends.
common::Guarded<std::vector<Entry>> &observers() {
  static auto &all = *new common::Guarded<std::vector<Entry>>;
  return all;
}

} // namespace

void add_failure_observer(FailureObserver *observer, void *data) {
  observers().lock()->push_back({observer, data});
}

void remove_failure_observer(void *data) {
  std::erase_if(*observers().lock(), [&](const Entry &entry) { return entry.data == data; });
}

void tell_failure_observers(const std::function<void(const char *reason)> &report) {
  const auto all = observers().lock();
  const char *reason = nullptr;
  for (const auto &[observer, data] : *all)
    if (const char *told = observer(data); told && !reason)
      reason = told;
  report(reason);
}

} // namespace ze_driver
