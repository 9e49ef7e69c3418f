// What libCHIP and Level Zero drivers of ours know of each other beyond Level Zero itself.
#pragma once

#include <string_view>

namespace driver_contract {

/// What the driver UUID of the CPU driver begins with.
inline constexpr std::string_view cpu_uuid_prefix = "ze_cpu";

} // namespace driver_contract
