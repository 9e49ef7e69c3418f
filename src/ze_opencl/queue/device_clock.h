// Time stamps of commands: OpenCL has them by the device's timer, the front by the host's clock.
#pragma once

#include "../../ze_driver/events/timestamps.h"
#include "../platform/platform.h"

namespace ze_opencl {

class DeviceClock {
public:
  explicit DeviceClock(const Device &device);

  /// When the finished command of `event` ended, as now_ns() tells time. Without an event: now.
  uint64_t end_of(cl_event event) const noexcept;
  /// Writes when the finished command of `event` ran. Without an event: now.
  void write(cl_event event, ze_driver::Timestamps &stamps) const noexcept;

private:
  uint64_t time_of(cl_event event, cl_profiling_info which) const noexcept;

  int64_t host_minus_device_ = 0; // nanoseconds
};

} // namespace ze_opencl
