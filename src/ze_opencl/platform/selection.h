// ZE_OPENCL_DEVICES: which devices the driver offers, by their names.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ze_opencl {

class Selection {
public:
  /// `list`: parts of the names of devices or platforms, separated by commas. Empty: all devices.
  explicit Selection(std::string_view list);

  /// Which entry of the list names the device first; nothing if none does. 0 for all if the list is empty.
  std::optional<size_t> rank(std::string_view platform, std::string_view device) const;

  /// What rank() is asked for.
  struct Names {
    std::string platform, device;
  };
  /// Entries that name none of the devices, as they were given.
  std::vector<std::string> without_device(std::span<const Names> devices) const;

private:
  std::vector<std::string> entries_;
};

} // namespace ze_opencl
