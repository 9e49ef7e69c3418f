// System management: the driver and its device can be found; there is nothing to manage.
#include "../api/entry_points.h"
#include "../api/objects.h"

namespace ze_driver {

ze_result_t zesInit(zes_init_flags_t flags) {
  return entry([&]() -> ze_result_t {
    return flags ? ZE_RESULT_ERROR_INVALID_ENUMERATION : ZE_RESULT_SUCCESS;
  });
}

ze_result_t zesDriverGet(uint32_t *count, zes_driver_handle_t *drivers) {
  return entry(required(count), [&]() -> ze_result_t {
    return enumerate(1, count, drivers, [](uint32_t, auto &driver) {
      driver = reinterpret_cast<zes_driver_handle_t>(handle_of(the_driver()));
    });
  });
}

ze_result_t zesDeviceGet(zes_driver_handle_t driver, uint32_t *count,
                         zes_device_handle_t *handles) {
  return entry(required(driver, count), [&]() -> ze_result_t {
    return enumerate(static_cast<uint32_t>(devices().size()), count, handles,
                     [](uint32_t i, auto &handle) {
                       handle = reinterpret_cast<zes_device_handle_t>(handle_of(devices()[i]));
                     });
  });
}

} // namespace ze_driver
