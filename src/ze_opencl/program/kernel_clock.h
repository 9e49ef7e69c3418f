// A clock for kernels on devices that have none: a number in memory which a thread advances while kernels that read it run.
#pragma once

#include "../platform/platform.h"

#include <atomic>
#include <condition_variable>
#include <mutex>

namespace ze_opencl {

class KernelClock {
public:
  /// Never destroyed, as kernels may read it until the end. Throws std::bad_alloc.
  static KernelClock &instance();

  /// Where kernels of `device` find it: 8 bytes. 0 if they cannot read memory that the host writes meanwhile.
  uint64_t address_for(const Device &device);
  /// A kernel that reads it begins, or ended: in pairs.
  void begin();
  void end() { running_.fetch_sub(1, std::memory_order_relaxed); }

private:
  KernelClock();

  void advance();

  std::atomic<uint64_t> &ticks_; // nanoseconds, as time stamps of devices are
  std::atomic<int64_t> running_{0};
  std::mutex mutex_; // guards what follows
  bool has_thread_ = false;
  std::condition_variable wake_;
};

} // namespace ze_opencl
