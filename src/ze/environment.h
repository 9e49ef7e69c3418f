// Which driver the loader shall look for, decided before the first Level Zero call.
#pragma once

namespace chip::ze {

/// Sets ZE_ENABLE_ALT_DRIVERS to our CPU driver for this process if CHIP_DEVICE=cpu asks for it, or if the machine has no
/// Intel GPU and no simulated one was asked for. A setting of the user's own is left alone. CHIP_DEVICE=gpu never does.
void choose_driver();

} // namespace chip::ze
