#include "affinity_mask.h"

#include "../../common/environment.h"
#include "../backend.h"

#include <charconv>
#include <numeric>

namespace ze_driver {

std::vector<unsigned> devices_of_mask(std::string_view mask, unsigned count) {
  std::vector<unsigned> devices;
  if (common::trimmed(mask).empty()) {
    devices.resize(count);
    std::iota(devices.begin(), devices.end(), 0u);
    return devices;
  }
  std::vector<bool> named(count);
  for (const std::string_view entry : common::list_entries(mask)) {
    const char *const end = entry.data() + entry.size();
    unsigned index = 0;
    const auto [rest, error] = std::from_chars(entry.data(), end, index);
    const std::string_view inner(rest, end);
    if (error == std::errc() && (inner.empty() || inner == ".0") && index < count)
      named[index] = true;
  }
  for (unsigned i = 0; i < count; ++i)
    if (named[i])
      devices.push_back(i);
  return devices;
}

const std::vector<unsigned> &visible_devices() {
  static const auto &devices = *new std::vector<unsigned>([] {
    return devices_of_mask(common::variable("ZE_AFFINITY_MASK"),
                           static_cast<unsigned>(backend().devices().size()));
  }());
  return devices;
}

} // namespace ze_driver
