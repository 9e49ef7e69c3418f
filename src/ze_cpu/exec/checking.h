// ZE_CPU_CHECK=1: memory is laid out, and kernels are compiled, so that an access to memory that is
// not theirs is noticed.
#pragma once

#include "../contract/environment.h"

namespace ze_cpu {

inline bool is_checking() {
  static const bool checking = settings.is_on("ZE_CPU_CHECK");
  return checking;
}

} // namespace ze_cpu
