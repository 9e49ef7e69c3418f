// Who prints the messages of kernels, and learns why some gave up, whenever the host waits for work of a device.
#pragma once

#include <hip/hip_runtime_api.h>

namespace chip {

class CompletionObserver {
public:
  /// Prints the messages that there are. Work may still be running.
  virtual void drain_messages() noexcept = 0;
  /// The same when some work is complete, or has failed. Returns why its threads gave up, hipSuccess if none did.
  virtual hipError_t work_completed() noexcept = 0;

protected:
  ~CompletionObserver() = default;
};

} // namespace chip
