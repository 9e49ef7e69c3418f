// What the handles of event pools stand for.
#pragma once

#include "../api/entry.h"
#include "shared_counters.h"

#include <cstdint>
#include <memory>

namespace ze_driver {

struct Context;

struct EventPool : Handle {
  using HandleType = ze_event_pool_handle_t;
  Context *context;
  ze_event_pool_flags_t flags;
  uint32_t count;
  bool counter_based = false;
  uint32_t counter_based_flags = 0;
  std::shared_ptr<SharedSlots> shared; // where other processes can find the events
  bool is_opened = false;              // it is another one's
};
inline constexpr ze_event_counter_based_flags_t timestamp_event_flags =
    ZE_EVENT_COUNTER_BASED_FLAG_DEVICE_TIMESTAMP | ZE_EVENT_COUNTER_BASED_FLAG_HOST_TIMESTAMP;

} // namespace ze_driver
