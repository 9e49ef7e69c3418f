// Somebody who looks at what kernels left behind, whenever the host has waited for some.
#pragma once

#include <hip/hip_runtime_api.h>

namespace chip {

class CompletionObserver {
public:
  /// Work may still be running.
  virtual void look() noexcept = 0;
  /// Some work is complete, or has failed. Returns why its threads gave up, and hipSuccess if none did.
  virtual hipError_t work_completed() noexcept = 0;

protected:
  ~CompletionObserver() = default;
};

} // namespace chip
