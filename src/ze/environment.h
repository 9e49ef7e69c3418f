// Which drivers the loader shall look for, decided before the first Level Zero call.
#pragma once

#include "../common/environment.h"

#include <string_view>
#include <vector>

namespace chip::ze {

inline constexpr common::Settings settings("libCHIP");

/// Whose devices they are: drivers of ours are told by their UUIDs, all others are for GPUs. Where Level Zero finds several, this is
/// the order in which a program that does not say has them.
enum class DeviceKind { gpu, opencl, cpu };

/// Sets ZE_ENABLE_ALT_DRIVERS for this process so that the loader finds the drivers of the kinds of devices that CHIP_DEVICE
/// lists and that are installed, or our CPU driver where it is unset and the machine has no Intel GPU and no simulated one was asked for. A setting
/// of the user's own is left alone; CHIP_DEVICE takes back what libCHIP has set in a parent process.
///
/// This has been done, without a word, when libCHIP was loaded: others in the process may start Level Zero before it. Now
/// what is wrong is told: throws hipErrorNoDevice for another value of CHIP_DEVICE. Returns the kinds that it lists: none if it
/// is unset.
std::vector<DeviceKind> choose_drivers();

/// Tells the user what is wrong with CHIP_DEVICE, and throws hipErrorNoDevice.
[[noreturn]] void refuse_wanted_devices(std::string_view consequence);

} // namespace chip::ze
