// Why a call fails.
#pragma once

#include <hip/hiprtc.h>

#include <stdexcept>
#include <string>

namespace chip::hiprtc {

struct Error : std::runtime_error {
  Error(hiprtcResult result, const std::string &message)
      : std::runtime_error(message), code(result) {}
  hiprtcResult code;
};

} // namespace chip::hiprtc
