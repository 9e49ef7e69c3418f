// ZE_CPU_CHECK=1: memory is laid out, and kernels are compiled, so that an access to memory that is
// not theirs is noticed.
#pragma once

#include <cstdlib>
#include <cstring>

namespace ze_cpu {

/// Whether the variable is set, to anything but 0.
inline bool is_checking() {
  static const bool checking = [] {
    const char *text = std::getenv("ZE_CPU_CHECK");
    return text && *text && std::strcmp(text, "0") != 0;
  }();
  return checking;
}

} // namespace ze_cpu
