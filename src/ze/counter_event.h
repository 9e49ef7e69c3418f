// Counter-based events: a signal on an in-order list captures (counter, value), a wait captures what the last signal left, so
// an event may be signalled again as soon as the append that waits on it has returned.
#pragma once

#include "event_pools.h"

namespace chip::ze {

/// Makes counter-based events for one device: singly where the driver has zeEventCounterBasedCreate, else from pools with
/// the counter-based descriptor. Not thread-safe; its owner locks.
class CounterEventSource {
public:
  CounterEventSource(const Driver &driver, const DeviceInfo &device)
      : driver_(driver), device_(device), pools_(driver, device) {}
  /// Throws hipErrorNotSupported, naming the driver version needed, where the driver has neither way.
  EventHandle create();

private:
  EventHandle create_from_pool();

  const Driver &driver_;
  const DeviceInfo &device_;
  EventPools pools_;
};

} // namespace chip::ze
