// ZE_AFFINITY_MASK: the driver shows the process some of its devices.
#include "support.h"

#include <cstdlib>
#include <vector>

namespace {

/// Before the driver is loaded.
struct ChooseDevices {
  ChooseDevices() {
    setenv("ZE_CPU_DEVICES", "4", 1);
    setenv("ZE_AFFINITY_MASK", " 2,0 ,4,x,\t3.0\n,1.1,,-1\n", 1);
  }
} const choose_devices;

} // namespace

TEST_CASE_METHOD(Driver,
                 "ze_cpu affinity mask: leaves the devices that it names, in their own order") {
  uint32_t count = 0;
  REQUIRE_ZE(zeDeviceGet(driver, &count, nullptr));
  std::vector<ze_device_handle_t> devices(count);
  REQUIRE_ZE(zeDeviceGet(driver, &count, devices.data()));
  std::vector<int> numbers;
  for (ze_device_handle_t device : devices) {
    ze_device_properties_t properties{};
    properties.stype = ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES;
    REQUIRE_ZE(zeDeviceGetProperties(device, &properties));
    numbers.push_back(properties.uuid.id[sizeof properties.uuid.id - 1]);
  }
  CHECK(numbers == std::vector{0, 2, 3});
}
