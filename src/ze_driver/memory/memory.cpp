// Memory allocation and queries. The bookkeeping is memory/allocations.h.
#include "../api/entry_points.h"
#include "../api/objects.h"
#include "external_memory.h"

#include "../backend.h"
#include "../events/deferred.h"
#include "../records/registered_queue.h"
#include "allocations.h"
#include "physical_memory.h"

namespace ze_driver {
namespace {

constexpr ze_device_mem_alloc_flags_t device_flags = 0x7;
constexpr ze_host_mem_alloc_flags_t host_flags = 0x1f;

bool may_exceed_limits(const void *next) {
  const auto *relaxed = find_extension<ze_relaxed_allocation_limits_exp_desc_t>(
      next, ZE_STRUCTURE_TYPE_RELAXED_ALLOCATION_LIMITS_EXP_DESC);
  return relaxed && (relaxed->flags & ZE_RELAXED_ALLOCATION_LIMITS_EXP_FLAG_MAX_SIZE);
}

ze_result_t allocate(ze_context_handle_t context, MemoryKind kind, ze_device_handle_t device,
                     size_t size, size_t alignment, const void *next, void **pointer) {
  if (size == 0 || (size > backend().memory().total_bytes() && !may_exceed_limits(next)))
    return ZE_RESULT_ERROR_UNSUPPORTED_SIZE;
  if (alignment & (alignment - 1))
    return ZE_RESULT_ERROR_UNSUPPORTED_ALIGNMENT;
  auto imported = imported_file(next, size);
  if (!imported)
    return imported.error();
  const auto exportable = is_exportable(next);
  if (!exportable)
    return exportable.error();
  const bool in_file = *imported || *exportable;
  if (in_file && alignment > backend().memory().page_bytes())
    return ZE_RESULT_ERROR_UNSUPPORTED_ALIGNMENT;
  DeferredActions::instance().collect();
  try {
    if (in_file) {
      *pointer = Allocations::instance().allocate_shared(size, kind, context, device,
                                                         std::move(*imported));
      return ZE_RESULT_SUCCESS;
    }
    *pointer = Allocations::instance().allocate(size, alignment, kind, context, device);
    backend().memory().handed_out(*pointer, size, kind);
  } catch (const std::bad_alloc &) {
    return kind == MemoryKind::host ? ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY
                                    : ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY;
  }
  return ZE_RESULT_SUCCESS;
}

} // namespace

ze_result_t zeMemAllocShared(ze_context_handle_t context,
                             const ze_device_mem_alloc_desc_t *device_desc,
                             const ze_host_mem_alloc_desc_t *host_desc, size_t size,
                             size_t alignment, ze_device_handle_t device, void **pointer) {
  return entry(required(context, device_desc, host_desc, pointer), [&]() -> ze_result_t {
    if ((device_desc->flags & ~device_flags) || (host_desc->flags & ~host_flags))
      return ZE_RESULT_ERROR_INVALID_ENUMERATION;
    const void *next = may_exceed_limits(host_desc->pNext) ? host_desc->pNext : device_desc->pNext;
    return allocate(context, MemoryKind::shared, device, size, alignment, next, pointer);
  });
}

ze_result_t zeMemAllocDevice(ze_context_handle_t context, const ze_device_mem_alloc_desc_t *desc,
                             size_t size, size_t alignment, ze_device_handle_t device,
                             void **pointer) {
  return entry(required(context, device, desc, pointer), [&]() -> ze_result_t {
    if (desc->flags & ~device_flags)
      return ZE_RESULT_ERROR_INVALID_ENUMERATION;
    return allocate(context, MemoryKind::device, device, size, alignment, desc->pNext, pointer);
  });
}

ze_result_t zeMemAllocHost(ze_context_handle_t context, const ze_host_mem_alloc_desc_t *desc,
                           size_t size, size_t alignment, void **pointer) {
  return entry(required(context, desc, pointer), [&]() -> ze_result_t {
    if (desc->flags & ~host_flags)
      return ZE_RESULT_ERROR_INVALID_ENUMERATION;
    return allocate(context, MemoryKind::host, nullptr, size, alignment, desc->pNext, pointer);
  });
}

ze_result_t zeMemFree(ze_context_handle_t context, void *pointer) {
  return entry(required(context, pointer), [&]() -> ze_result_t {
    DeferredActions::instance().collect();
    return Allocations::instance().free(pointer, context) ? ZE_RESULT_SUCCESS
                                                          : ZE_RESULT_ERROR_INVALID_ARGUMENT;
  });
}

ze_result_t zeMemFreeExt(ze_context_handle_t context, const ze_memory_free_ext_desc_t *desc,
                         void *pointer) {
  return entry(required(context, desc, pointer), [&]() -> ze_result_t {
    if (desc->freePolicy > 0x3)
      return ZE_RESULT_ERROR_INVALID_ENUMERATION;
    const auto allocation = Allocations::instance().find(pointer);
    if (!allocation || allocation->base != reinterpret_cast<uintptr_t>(pointer) ||
        allocation->owner == &driver_memory)
      return ZE_RESULT_ERROR_INVALID_ARGUMENT;
    if (desc->freePolicy & ZE_DRIVER_MEMORY_FREE_POLICY_EXT_FLAG_DEFER_FREE) {
      DeferredActions::instance().add(all_submitted_work(), [pointer, context] {
        Allocations::instance().free(pointer, context);
      });
      return ZE_RESULT_SUCCESS;
    }
    if (desc->freePolicy & ZE_DRIVER_MEMORY_FREE_POLICY_EXT_FLAG_BLOCKING_FREE)
      for (const Point &point : all_submitted_work())
        point.counter->wait(point.value, Deadline(UINT64_MAX));
    return Allocations::instance().free(pointer, context) ? ZE_RESULT_SUCCESS
                                                          : ZE_RESULT_ERROR_INVALID_ARGUMENT;
  });
}

ze_result_t zeMemGetAllocProperties(ze_context_handle_t context, const void *pointer,
                                    ze_memory_allocation_properties_t *properties,
                                    ze_device_handle_t *device) {
  return entry(required(context, pointer, properties), [&]() -> ze_result_t {
    const auto allocation = Allocations::instance().find(pointer);
    const bool known = allocation && allocation->owner != &driver_memory;
    properties->type = known ? memory_type(allocation->kind) : ZE_MEMORY_TYPE_UNKNOWN;
    properties->id = known ? allocation->id : 0;
    properties->pageSize = known ? backend().memory().page_bytes() : 0;
    if (device)
      *device =
          known ? static_cast<ze_device_handle_t>(const_cast<void *>(allocation->device)) : nullptr;
    return export_file(properties->pNext, known ? allocation->file.file.get() : nullptr);
  });
}

ze_result_t zeMemGetAddressRange(ze_context_handle_t context, const void *pointer, void **base,
                                 size_t *size) {
  return entry(required(context, pointer), [&]() -> ze_result_t {
    const auto allocation = Allocations::instance().find(pointer);
    if (!allocation || allocation->owner == &driver_memory)
      return ZE_RESULT_ERROR_ADDRESS_NOT_FOUND;
    if (base)
      *base = reinterpret_cast<void *>(allocation->base);
    if (size)
      *size = allocation->size;
    return ZE_RESULT_SUCCESS;
  });
}

// All memory is always atomically accessible from everywhere: what is set is remembered, and
// changes nothing.

ze_result_t zeMemSetAtomicAccessAttributeExp(ze_context_handle_t context, ze_device_handle_t device,
                                             const void *pointer, size_t,
                                             ze_memory_atomic_attr_exp_flags_t attributes) {
  return entry(required(context, device, pointer), [&]() -> ze_result_t {
    if (attributes > 0x7f)
      return ZE_RESULT_ERROR_INVALID_ENUMERATION;
    return Allocations::instance().set_atomic_access(pointer, attributes)
               ? ZE_RESULT_SUCCESS
               : ZE_RESULT_ERROR_INVALID_ARGUMENT;
  });
}

ze_result_t zeMemGetAtomicAccessAttributeExp(ze_context_handle_t context, ze_device_handle_t device,
                                             const void *pointer, size_t,
                                             ze_memory_atomic_attr_exp_flags_t *attributes) {
  return entry(required(context, device, pointer, attributes), [&]() -> ze_result_t {
    const auto allocation = Allocations::instance().find(pointer);
    if (!allocation)
      return ZE_RESULT_ERROR_INVALID_ARGUMENT;
    *attributes = allocation->atomic_access;
    if (*attributes == 0)
      *attributes = ZE_MEMORY_ATOMIC_ATTR_EXP_FLAG_DEVICE_ATOMICS |
                    ZE_MEMORY_ATOMIC_ATTR_EXP_FLAG_HOST_ATOMICS |
                    ZE_MEMORY_ATOMIC_ATTR_EXP_FLAG_SYSTEM_ATOMICS;
    return ZE_RESULT_SUCCESS;
  });
}

} // namespace ze_driver
