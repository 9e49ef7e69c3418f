// The exception for what a device does not have.
#pragma once

#include <exception>

namespace ze_driver {

/// Thrown by what a device does not have: the entry point answers
/// ZE_RESULT_ERROR_UNSUPPORTED_FEATURE.
struct Unsupported : std::exception {
  const char *what() const noexcept override { return "the device does not support this"; }
};

} // namespace ze_driver
