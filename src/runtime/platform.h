// All there is one of in a process: the devices, and the order in which things go away at its end.
#pragma once

#include "device.h"

#include <atomic>
#include <memory>
#include <vector>

namespace chip {

class Platform {
public:
  /// Initialises at the first call. Throws hipErrorNoDevice, or hipErrorDeinitialized once the process is going down.
  static Platform &get() {
    if (Platform *platform = instance_.load(std::memory_order_acquire)) [[likely]]
      return *platform;
    return initialize();
  }

  int device_count() const { return int(devices_.size()); }
  /// Throws hipErrorInvalidDevice.
  Device &device(int ordinal);

  /// The process is going down: what waits for something that may never come must stop.
  static bool is_ending() noexcept;

  /// The calling thread's device (hipSetDevice); device 0 at first.
  static Device &current_device() {
    get(); // throws when the process is ending, whatever the thread remembers
    if (!current_) [[unlikely]]
      set_current_device(0);
    return *current_;
  }
  static void set_current_device(int ordinal);

  /// A driver call said that the device is lost: from now on every call says so. Does nothing if nothing is initialised.
  static void set_lost() noexcept;

private:
  friend struct TearDown;
  Platform();
  static Platform &initialize();

  static inline constinit std::atomic<Platform *> instance_{nullptr};
  // In the thread's static block, which is found without a call; it has room for this much however we are loaded.
  [[gnu::tls_model("initial-exec")]] static inline constinit thread_local Device *current_ = nullptr;
  std::vector<std::unique_ptr<Device>> devices_;
};

} // namespace chip
