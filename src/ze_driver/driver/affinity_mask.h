// ZE_AFFINITY_MASK: which of its devices a driver shows to the process (Level Zero specification, "Environment Variables").
#pragma once

#include <string_view>
#include <vector>

namespace ze_driver {

/// The devices that `mask`, a comma-separated list of indices, leaves of `count`, in their own order. An entry with ".0"
/// behind it is the same device, which has no others in it. Entries that name no device mean nothing. An empty mask leaves
/// all devices.
std::vector<unsigned> devices_of_mask(std::string_view mask, unsigned count);

/// The devices that ZE_AFFINITY_MASK leaves, by what it was when this was first called.
const std::vector<unsigned> &visible_devices();

} // namespace ze_driver
