// Which devices a program sees: the environment variables by which users, job scripts and MPI launchers deal them out.
#pragma once

#include "../../ze/driver.h"

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace chip {

/// The devices that `list` names, in its order, as indices into `uuids`: a comma-separated list of indices and of "GPU-"
/// followed by hexadecimal digits that only one device's UUID begins with. What names no device, or one again, ends the list.
std::vector<size_t> select_devices(std::string_view list, std::span<const std::string> uuids);

/// 32 hexadecimal digits.
std::string uuid_text(const ze_device_uuid_t &uuid);

struct VisibleDevice {
  const ze::Driver *driver;
  const ze::DeviceInfo *info;
};

/// Of all devices of all drivers, those that ROCR_VISIBLE_DEVICES leaves, and of these those that HIP_VISIBLE_DEVICES, or without
/// it CUDA_VISIBLE_DEVICES, leaves. Throws hipErrorNoDevice if that is none.
std::vector<VisibleDevice> visible_devices(std::span<const std::unique_ptr<ze::Driver>> drivers);

} // namespace chip
