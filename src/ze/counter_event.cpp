#include "counter_event.h"

namespace chip::ze {

EventHandle CounterEventSource::create() {
  auto counter_based_create = driver_.capabilities().counter_based_event_create;
  if (!counter_based_create)
    return create_from_pool();
  ze_event_counter_based_desc_t desc{};
  desc.stype = ZE_STRUCTURE_TYPE_EVENT_COUNTER_BASED_DESC;
  desc.flags = ZE_EVENT_COUNTER_BASED_FLAG_IMMEDIATE | ZE_EVENT_COUNTER_BASED_FLAG_HOST_VISIBLE;
  desc.signal = ZE_EVENT_SCOPE_FLAG_HOST;
  ze_event_handle_t event = nullptr;
  check(counter_based_create(driver_.context(), device_.handle, &desc, &event),
        "zeEventCounterBasedCreate");
  return EventHandle(event);
}

EventHandle CounterEventSource::create_from_pool() {
  ze_event_pool_counter_based_exp_desc_t counter{};
  counter.stype = ZE_STRUCTURE_TYPE_COUNTER_BASED_EVENT_POOL_EXP_DESC;
  counter.flags = ZE_EVENT_POOL_COUNTER_BASED_EXP_FLAG_IMMEDIATE;
  ze_result_t result = pools_.make_room(&counter);
  // Drivers that do not know the descriptor refuse it in different ways, but all as a mistake of the caller.
  if (hipError_t code = to_hip(result);
      code == hipErrorNotSupported || code == hipErrorInvalidValue) {
    constexpr const char *text =
        "this Level Zero driver has no counter-based events: install one of API version 1.9 or "
        "newer (libze-intel-gpu1 24.x or newer)";
    tell_user_once(text);
    throw Error(hipErrorNotSupported, text);
  }
  check(result, "zeEventPoolCreate");
  return pools_.create();
}

} // namespace chip::ze
