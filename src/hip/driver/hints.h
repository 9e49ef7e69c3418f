// Hints on how memory on the chip is used. Level Zero's drivers divide it on their own: hints are checked, and some read back.
#pragma once

#include "../entry.h"

namespace chip::hip {

/// Throws hipErrorInvalidValue for what is no hipFuncCache_t.
inline void check_cache_config(hipFuncCache_t config) {
  if (config < hipFuncCachePreferNone || config > hipFuncCachePreferEqual)
    throw Error(hipErrorInvalidValue, "`config` is not a hipFuncCache_t");
}

/// Throws hipErrorInvalidValue for what is no hipSharedMemConfig.
inline void check_bank_width(hipSharedMemConfig config) {
  if (config < hipSharedMemBankSizeDefault || config > hipSharedMemBankSizeEightByte)
    throw Error(hipErrorInvalidValue, "`config` is not a hipSharedMemConfig");
}

/// Of the current device.
inline void set_cache_config(hipFuncCache_t config) {
  check_cache_config(config);
  Platform::current_device().cache_config = config;
}

/// The width of the banks of shared memory cannot be changed.
inline void set_bank_width(hipSharedMemConfig config) {
  check_bank_width(config);
  Platform::get();
}

inline hipSharedMemConfig bank_width() {
  Platform::get();
  return hipSharedMemBankSizeFourByte;
}

} // namespace chip::hip
