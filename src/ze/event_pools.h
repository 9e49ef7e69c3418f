// Events from pools, all of one kind and for one device.
#pragma once

#include "../common/driver_contract.h"
#include "driver.h"

#include <cstdint>
#include <vector>

namespace chip::ze {

/// Not thread-safe; its owner locks.
class EventPools {
public:
  EventPools(const Driver &driver, const DeviceInfo &device) : driver_(driver), device_(device) {}

  /// Makes a pool if all events of the last one are given out. `extension` goes with the pool's descriptor.
  ze_result_t make_room(const void *extension = nullptr);
  /// One more event; there is room for it.
  EventHandle create();

private:
  static constexpr uint32_t pool_size = 64;
  const Driver &driver_;
  const DeviceInfo &device_;
  std::vector<EventPool> pools_;
  uint32_t used_in_last_ = pool_size;
};

/// Makes events that the host signals and that lists wait for and reset. Not thread-safe; its owner locks.
class HostEventSource {
public:
  HostEventSource(const Driver &driver, const DeviceInfo &device) : pools_(driver, device) {}
  EventHandle create() {
    check(pools_.make_room(), "zeEventPoolCreate");
    return pools_.create();
  }

private:
  EventPools pools_;
};

/// What waits for the event goes on.
inline void signal_event(ze_event_handle_t event) {
  check(zeEventHostSignal(event), "zeEventHostSignal");
}

/// What waits for the event is lost, where the driver can do that; else it goes on.
inline void signal_loss(const Driver &driver, ze_event_handle_t event) {
  if (auto signal = driver.capabilities().signal_loss)
    check(signal(event), driver_contract::signal_loss_function);
  else
    signal_event(event);
}

} // namespace chip::ze
