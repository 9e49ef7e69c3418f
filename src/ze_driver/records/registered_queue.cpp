#include "registered_queue.h"

#include <mutex>
#include <set>
#include <utility>

namespace ze_driver {
namespace {

struct QueueRegistry {
  std::mutex mutex;
  std::set<const RegisteredQueue *> queues;

  static QueueRegistry &instance() {
    static QueueRegistry *registry = new QueueRegistry; // lists may outlive static objects
    return *registry;
  }
};

template <class Condition> std::vector<Point> submitted_work_if(Condition is_meant) {
  QueueRegistry &registry = QueueRegistry::instance();
  std::lock_guard lock(registry.mutex);
  std::vector<Point> points;
  for (const RegisteredQueue *registered : registry.queues) {
    QueueBackend &queue = **registered;
    if (const uint64_t submitted = queue.submitted();
        is_meant(*registered) && (queue.is_lost() || !queue.done().has_reached(submitted)))
      points.push_back({Ref<Counter>::share(&queue.done()), submitted});
  }
  return points;
}

} // namespace

RegisteredQueue::RegisteredQueue(const Device &device, Ref<QueueBackend> queue)
    : device_(device), queue_(std::move(queue)) {
  QueueRegistry &registry = QueueRegistry::instance();
  std::lock_guard lock(registry.mutex);
  registry.queues.insert(this);
}

RegisteredQueue::~RegisteredQueue() {
  QueueRegistry &registry = QueueRegistry::instance();
  std::lock_guard lock(registry.mutex);
  registry.queues.erase(this);
}

std::vector<Point> all_submitted_work() {
  return submitted_work_if([](const RegisteredQueue &) { return true; });
}

std::vector<Point> submitted_work(const Device &device) {
  return submitted_work_if(
      [&](const RegisteredQueue &queue) { return &queue.device() == &device; });
}

} // namespace ze_driver
