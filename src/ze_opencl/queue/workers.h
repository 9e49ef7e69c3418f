// Threads for what a queue does itself: functions of the program, and what has to wait for the device.
#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <vector>

namespace ze_opencl {

/// As many as there is work at the same time: a function may wait for what another one does. They stay for the next.
class Workers {
public:
  /// Never destroyed: threads may outlive static objects.
  static Workers &instance();

  /// Runs `work`, which does not throw, on a thread of the driver's. Where no thread is to be had the process ends: work is
  /// never lost.
  void run(std::move_only_function<void()> work) noexcept;
  /// The process ends: what has not begun is not done.
  void stop();
  bool is_stopping() const { return stopping_.load(std::memory_order_relaxed); }

private:
  void serve();

  std::mutex mutex_;
  std::condition_variable wake_;
  std::vector<std::move_only_function<void()>> waiting_;
  size_t idle_ = 0;
  std::atomic<bool> stopping_{false};
};

} // namespace ze_opencl
