// Which driver the loader shall look for, decided before the first Level Zero call.
#pragma once

#include "../common/environment.h"

namespace chip::ze {

inline constexpr common::Settings settings("libCHIP");

/// Sets ZE_ENABLE_ALT_DRIVERS to our CPU driver for this process if CHIP_DEVICE=cpu asks for it, or if the machine has no
/// Intel GPU and no simulated one was asked for. A setting of the user's own is left alone. CHIP_DEVICE=gpu never does, and
/// takes back what libCHIP has set in a parent process.
///
/// This has been done, without a word, when libCHIP was loaded: others in the process may start Level Zero before it. Now
/// what is wrong is told: throws hipErrorNoDevice for another value of CHIP_DEVICE.
void choose_driver();

} // namespace chip::ze
