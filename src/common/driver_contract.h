// What libCHIP and Level Zero drivers of ours know of each other beyond Level Zero itself.
#pragma once

#include <string_view>

namespace driver_contract {

/// What the driver UUID of the CPU driver begins with.
inline constexpr std::string_view cpu_uuid_prefix = "ze_cpu";

/// ze_result_t (ze_event_handle_t), to be found by zeDriverGetExtensionFunctionAddress: signals an event of a pool for work that
/// was lost. Whoever waits for the event is told so, or lost as well.
inline constexpr char signal_loss_function[] = "chipEventHostSignalLoss";

} // namespace driver_contract
