// All queues of the process, so that work of any of them can be waited for.
#pragma once

#include "../api/objects.h"
#include "queue_backend.h"

#include <vector>

namespace ze_driver {

/// A queue that zeDeviceSynchronize knows of as long as this exists.
class RegisteredQueue {
public:
  RegisteredQueue(const Device &device, Ref<QueueBackend> queue);
  RegisteredQueue(const RegisteredQueue &) = delete;
  RegisteredQueue &operator=(const RegisteredQueue &) = delete;
  ~RegisteredQueue();

  QueueBackend &operator*() const { return *queue_; }
  QueueBackend *operator->() const { return queue_.get(); }
  const Device &device() const { return device_; }

private:
  const Device &device_;
  const Ref<QueueBackend> queue_;
};
/// What every registered queue has been given so far and has not finished, or has lost.
std::vector<Point> all_submitted_work();
/// Waits until the queues of `device` have finished what they have been given so far. False: some of it was lost.
bool synchronize_queues(const Device &device);

} // namespace ze_driver
