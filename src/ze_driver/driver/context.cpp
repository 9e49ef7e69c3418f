// Contexts: allocations, modules, lists and events belong to one; on this device that has no
// further consequence.
#include "../api/entry_points.h"
#include "../api/objects.h"

#include "../memory/allocations.h"

#include <algorithm>
#include <atomic>

namespace ze_driver {

ze_result_t zeContextCreate(ze_driver_handle_t driver, const ze_context_desc_t *desc,
                            ze_context_handle_t *context) {
  return ze_driver::zeContextCreateEx(driver, desc, 0, nullptr, context);
}

ze_result_t zeContextCreateEx(ze_driver_handle_t driver, const ze_context_desc_t *desc,
                              uint32_t device_count, ze_device_handle_t *devices,
                              ze_context_handle_t *context) {
  return entry(required(driver, desc, context), [&]() -> ze_result_t {
    if (desc->flags & ~uint32_t{ZE_CONTEXT_FLAG_TBD})
      return ZE_RESULT_ERROR_INVALID_ENUMERATION;
    if (!devices && device_count != 0)
      return ZE_RESULT_ERROR_INVALID_SIZE;
    if (std::find(devices, devices + device_count, nullptr) != devices + device_count)
      return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
    *context = handle_of(*new Context);
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t zeContextDestroy(ze_context_handle_t context) {
  return entry(required(context), [&]() -> ze_result_t {
    if (context == handle_of(default_context()))
      return ZE_RESULT_ERROR_INVALID_ARGUMENT; // the driver's own
    delete &object<Context>(context);
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t zeContextGetStatus(ze_context_handle_t context) { return entry(required(context)); }

ze_result_t zeContextSystemBarrier(ze_context_handle_t context, ze_device_handle_t device) {
  return entry(required(context, device), [&]() -> ze_result_t {
    std::atomic_thread_fence(std::memory_order_seq_cst);
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t zeContextMakeMemoryResident(ze_context_handle_t context, ze_device_handle_t device,
                                        void *pointer, size_t) {
  return entry(required(context, device, pointer), [&]() -> ze_result_t {
    return Allocations::instance().find(pointer) ? ZE_RESULT_SUCCESS
                                                 : ZE_RESULT_ERROR_INVALID_ARGUMENT;
  });
}

ze_result_t zeContextEvictMemory(ze_context_handle_t context, ze_device_handle_t device,
                                 void *pointer, size_t size) {
  return ze_driver::zeContextMakeMemoryResident(context, device, pointer, size);
}

} // namespace ze_driver
