#include "affinity_mask.h"

#include "../../ze_cpu/exec/pool.h"

#include <charconv>
#include <cstdlib>
#include <numeric>
#include <ranges>

namespace ze_cpu {

std::vector<unsigned> devices_of_mask(std::string_view mask, unsigned count) {
  std::vector<unsigned> devices;
  if (mask.empty()) {
    devices.resize(count);
    std::iota(devices.begin(), devices.end(), 0u);
    return devices;
  }
  std::vector<bool> named(count);
  for (const auto &part : std::views::split(mask, ',')) {
    const char *const end = part.data() + part.size();
    unsigned index = 0;
    const auto [rest, error] = std::from_chars(part.data(), end, index);
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
    const char *mask = std::getenv("ZE_AFFINITY_MASK");
    return devices_of_mask(mask ? mask : "", Pool::count());
  }());
  return devices;
}

} // namespace ze_cpu
