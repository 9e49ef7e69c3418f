#include "device_clock.h"

#include "../../ze_driver/events/clock.h"

#include <optional>

namespace ze_opencl {

using ze_driver::now_ns;

namespace {

/// What the device's timer shows now.
std::optional<cl_ulong> timer_of(const Device &device) {
  cl_ulong device_time = 0, host_time = 0;
  if (device.has_profiling_timer &&
      api().GetDeviceAndHostTimer(device.id, &device_time, &host_time) == CL_SUCCESS)
    return device_time;
  // An empty command shows it.
  cl_int error = CL_SUCCESS;
  const cl_queue_properties properties[] = {CL_QUEUE_PROPERTIES, CL_QUEUE_PROFILING_ENABLE, 0};
  const cl_command_queue queue = api().CreateCommandQueueWithProperties(
      device.platform->context, device.id, properties, &error);
  if (error != CL_SUCCESS)
    return std::nullopt;
  std::optional<cl_ulong> found;
  cl_event marker = nullptr;
  if (api().EnqueueMarkerWithWaitList(queue, 0, nullptr, &marker) == CL_SUCCESS) {
    if (api().WaitForEvents(1, &marker) == CL_SUCCESS &&
        api().GetEventProfilingInfo(marker, CL_PROFILING_COMMAND_END, sizeof device_time,
                                    &device_time, nullptr) == CL_SUCCESS)
      found = device_time;
    api().ReleaseEvent(marker);
  }
  api().ReleaseCommandQueue(queue);
  return found;
}

} // namespace

DeviceClock::DeviceClock(const Device &device) {
  const uint64_t before = now_ns();
  const std::optional<cl_ulong> device_time = timer_of(device);
  const uint64_t after = now_ns();
  if (device_time)
    host_minus_device_ = static_cast<int64_t>(before + (after - before) / 2 - *device_time);
}

uint64_t DeviceClock::time_of(cl_event event, cl_profiling_info which) const noexcept {
  cl_ulong time = 0;
  if (!event ||
      api().GetEventProfilingInfo(event, which, sizeof time, &time, nullptr) != CL_SUCCESS)
    return now_ns();
  return static_cast<uint64_t>(static_cast<int64_t>(time) + host_minus_device_);
}

uint64_t DeviceClock::end_of(cl_event event) const noexcept {
  return time_of(event, CL_PROFILING_COMMAND_END);
}

void DeviceClock::write(cl_event event, ze_driver::Timestamps &stamps) const noexcept {
  stamps.start.store(time_of(event, CL_PROFILING_COMMAND_START), std::memory_order_relaxed);
  stamps.end.store(end_of(event), std::memory_order_relaxed);
}

} // namespace ze_opencl
