#include "visible_devices.h"
#include "../../ze/environment.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstdlib>
#include <format>

namespace chip {
namespace {

/// The device whose UUID begins with these digits; dashes between them mean nothing.
std::optional<size_t> find_uuid(std::string_view text, std::span<const std::string> uuids) {
  std::string digits;
  for (const char c : text)
    if (c != '-')
      digits += char(std::tolower(static_cast<unsigned char>(c)));
  const auto matches = [&](const std::string &uuid) { return uuid.starts_with(digits); };
  if (digits.empty() || std::ranges::count_if(uuids, matches) != 1)
    return std::nullopt;
  return size_t(std::ranges::find_if(uuids, matches) - uuids.begin());
}

std::optional<size_t> find_device(std::string_view name, std::span<const std::string> uuids) {
  constexpr std::string_view uuid_prefix = "GPU-";
  if (name.starts_with(uuid_prefix))
    return find_uuid(name.substr(uuid_prefix.size()), uuids);
  size_t index = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), index);
  if (error != std::errc() || end != name.data() + name.size() || index >= uuids.size())
    return std::nullopt;
  return index;
}

/// Of `devices`, those that the variable leaves, if it is set.
bool apply(const char *variable, std::vector<VisibleDevice> &devices) {
  if (!std::getenv(variable))
    return false;
  const std::string_view list = common::variable(variable);
  std::vector<std::string> uuids;
  for (const VisibleDevice &device : devices)
    uuids.push_back(uuid_text(device.info->properties.uuid));
  std::vector<VisibleDevice> visible;
  for (const size_t index : select_devices(list, uuids))
    visible.push_back(devices[index]);
  if (visible.empty()) {
    const std::string text = common::complaint(
        variable, list, std::format("leaves none of {} devices", devices.size()),
        std::format("a comma-separated list of indices, from 0 to {}, and of UUIDs, as GPU-{}",
                    devices.size() - 1, uuids[0]));
    if (!list.empty() && list != "-1") // which ask for it
      tell_user_once(text);
    throw Error(hipErrorNoDevice, text);
  }
  devices = std::move(visible);
  return true;
}

} // namespace

std::vector<size_t> select_devices(std::string_view list, std::span<const std::string> uuids) {
  std::vector<size_t> selected;
  for (const std::string_view entry : common::list_entries(list)) {
    const auto device = find_device(entry, uuids);
    if (!device || std::ranges::contains(selected, *device))
      break;
    selected.push_back(*device);
  }
  return selected;
}

std::string uuid_text(const ze_device_uuid_t &uuid) {
  std::string text;
  for (const uint8_t byte : uuid.id)
    text += std::format("{:02x}", byte);
  return text;
}

std::vector<VisibleDevice> visible_devices(std::span<const std::unique_ptr<ze::Driver>> drivers) {
  std::vector<VisibleDevice> devices;
  for (const auto &driver : drivers)
    for (const ze::DeviceInfo &device : driver->devices())
      devices.push_back({driver.get(), &device});
  apply("ROCR_VISIBLE_DEVICES", devices);
  if (!apply("HIP_VISIBLE_DEVICES", devices))
    apply("CUDA_VISIBLE_DEVICES", devices);
  return devices;
}

} // namespace chip
