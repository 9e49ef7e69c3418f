// What a user sets for the driver.
#pragma once

#include "../../common/environment.h"

namespace ze_cpu {

inline constexpr common::Settings settings("ze_cpu");

} // namespace ze_cpu
