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

/// Gives `visit` the queues that have not finished what they have been given so far, or have lost it, and what that is.
template <class Visit> void for_each_with_work(Visit visit) {
  QueueRegistry &registry = QueueRegistry::instance();
  std::lock_guard lock(registry.mutex);
  for (const RegisteredQueue *registered : registry.queues) {
    QueueBackend &queue = **registered;
    if (const uint64_t submitted = queue.submitted();
        queue.is_lost() || !queue.done().has_reached(submitted))
      visit(*registered, submitted);
  }
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
  std::vector<Point> points;
  for_each_with_work([&](const RegisteredQueue &queue, uint64_t submitted) {
    points.push_back({Ref<Counter>::share(&queue->done()), submitted});
  });
  return points;
}

bool synchronize_queues(const Device &device) {
  // Without the lock: queues come and go meanwhile.
  std::vector<std::pair<Ref<QueueBackend>, uint64_t>> awaited;
  for_each_with_work([&](const RegisteredQueue &queue, uint64_t submitted) {
    if (&queue.device() == &device)
      awaited.emplace_back(Ref<QueueBackend>::share(&*queue), submitted);
  });
  bool is_complete = true;
  for (const auto &[queue, submitted] : awaited) {
    queue->synchronize(submitted, Deadline(UINT64_MAX));
    is_complete &= !queue->done().is_lost(submitted);
  }
  return is_complete;
}

} // namespace ze_driver
