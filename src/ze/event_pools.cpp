#include "event_pools.h"

namespace chip::ze {

ze_result_t EventPools::make_room(const void *extension) {
  if (used_in_last_ != pool_size)
    return ZE_RESULT_SUCCESS;
  ze_event_pool_desc_t desc{};
  desc.stype = ZE_STRUCTURE_TYPE_EVENT_POOL_DESC;
  desc.pNext = extension;
  desc.flags = ZE_EVENT_POOL_FLAG_HOST_VISIBLE;
  desc.count = pool_size;
  ze_device_handle_t device = device_.handle;
  ze_event_pool_handle_t pool = nullptr;
  ze_result_t result = zeEventPoolCreate(driver_.context(), &desc, 1, &device, &pool);
  if (result == ZE_RESULT_SUCCESS) {
    pools_.emplace_back(pool);
    used_in_last_ = 0;
  }
  return result;
}

EventHandle EventPools::create() {
  ze_event_desc_t desc{};
  desc.stype = ZE_STRUCTURE_TYPE_EVENT_DESC;
  desc.index = used_in_last_;
  desc.signal = ZE_EVENT_SCOPE_FLAG_HOST;
  ze_event_handle_t event = nullptr;
  check(zeEventCreate(pools_.back().get(), &desc, &event), "zeEventCreate");
  ++used_in_last_;
  return EventHandle(event);
}

} // namespace chip::ze
