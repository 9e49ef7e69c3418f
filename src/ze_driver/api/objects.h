// What the handles that nearly every call is given stand for: drivers, devices and contexts.
#pragma once

#include "entry.h"

#include <span>

namespace ze_driver {

class DeviceBackend;

/// The one driver and its devices exist for the life of the process, and serve as sysman handles
/// too.
struct Driver : Handle {
  using HandleType = ze_driver_handle_t;
};
struct Device : Handle {
  using HandleType = ze_device_handle_t;

  Device(unsigned number, DeviceBackend &device) : index(number), backend(device) {}

  const unsigned index;
  DeviceBackend &backend;
};
Driver &the_driver();
/// All devices that the backend has.
std::span<Device> devices();

struct Context : Handle {
  using HandleType = ze_context_handle_t;
};
/// The context of programs that create none (zeDriverGetDefaultContext).
Context &default_context();

} // namespace ze_driver
