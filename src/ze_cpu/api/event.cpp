// Events and their pools.
#include "entry_points.h"
#include "objects.h"

#include <algorithm>

namespace ze_cpu {

namespace {

constexpr ze_event_pool_flags_t timestamp_pool_flags =
    ZE_EVENT_POOL_FLAG_KERNEL_TIMESTAMP | ZE_EVENT_POOL_FLAG_KERNEL_MAPPED_TIMESTAMP;
constexpr ze_event_counter_based_flags_t timestamp_event_flags =
    ZE_EVENT_COUNTER_BASED_FLAG_DEVICE_TIMESTAMP | ZE_EVENT_COUNTER_BASED_FLAG_HOST_TIMESTAMP;

bool is_scope(ze_event_scope_flags_t flags) { return flags <= 0x7; }

ze_result_t status_of(const Point &point) {
  if (!point.is_reached())
    return ZE_RESULT_NOT_READY;
  return point.counter && point.counter->is_lost(point.value) ? ZE_RESULT_ERROR_DEVICE_LOST
                                                              : ZE_RESULT_SUCCESS;
}

ze_result_t read_timestamps(Event &event, ze_kernel_timestamp_result_t &result) {
  const Timestamps *stamps = event.timestamps();
  if (!stamps)
    return ZE_RESULT_ERROR_INVALID_ARGUMENT; // not asked for when the event was created
  if (!event.point().is_reached())
    return ZE_RESULT_NOT_READY;
  result.global.kernelStart = stamps->start.load(std::memory_order_relaxed);
  result.global.kernelEnd = stamps->end.load(std::memory_order_relaxed);
  result.context = result.global;
  return ZE_RESULT_SUCCESS;
}

} // namespace

ze_result_t zeEventPoolCreate(ze_context_handle_t context, const ze_event_pool_desc_t *desc,
                              uint32_t device_count, ze_device_handle_t *devices,
                              ze_event_pool_handle_t *pool) {
  return entry([&]() -> ze_result_t {
    if (!context)
      return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
    if (any_null(desc, pool))
      return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
    if (desc->flags > 0xf)
      return ZE_RESULT_ERROR_INVALID_ENUMERATION;
    if (desc->count == 0 || (!devices && device_count != 0))
      return ZE_RESULT_ERROR_INVALID_SIZE;
    if (desc->flags & ZE_EVENT_POOL_FLAG_IPC)
      return ZE_RESULT_ERROR_UNSUPPORTED_FEATURE;
    const auto *counters = find_extension<ze_event_pool_counter_based_exp_desc_t>(
        desc->pNext, ZE_STRUCTURE_TYPE_COUNTER_BASED_EVENT_POOL_EXP_DESC);
    if (counters && counters->flags > 0x3)
      return ZE_RESULT_ERROR_INVALID_ENUMERATION;
    auto created = std::make_unique<EventPool>();
    created->context = &object<Context>(context);
    created->flags = desc->flags;
    created->count = desc->count;
    created->counter_based = counters != nullptr;
    // The flags of pools mean the same, bit for bit, as those of events.
    if (counters)
      created->counter_based_flags =
          counters->flags ? counters->flags : uint32_t{ZE_EVENT_COUNTER_BASED_FLAG_IMMEDIATE};
    *pool = handle_of(*created.release());
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t zeEventPoolDestroy(ze_event_pool_handle_t pool) {
  return entry([&]() -> ze_result_t {
    if (!pool)
      return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
    delete &object<EventPool>(pool);
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t zeEventPoolGetContextHandle(ze_event_pool_handle_t pool, ze_context_handle_t *context) {
  return entry([&]() -> ze_result_t {
    if (!pool)
      return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
    if (!context)
      return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
    *context = handle_of(*object<EventPool>(pool).context);
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t zeEventPoolGetFlags(ze_event_pool_handle_t pool, ze_event_pool_flags_t *flags) {
  return entry([&]() -> ze_result_t {
    if (!pool)
      return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
    if (!flags)
      return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
    *flags = object<EventPool>(pool).flags;
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t zeEventCreate(ze_event_pool_handle_t pool, const ze_event_desc_t *desc,
                          ze_event_handle_t *event) {
  return entry([&]() -> ze_result_t {
    if (!pool)
      return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
    if (any_null(desc, event))
      return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
    if (!is_scope(desc->signal) || !is_scope(desc->wait))
      return ZE_RESULT_ERROR_INVALID_ENUMERATION;
    EventPool &from = object<EventPool>(pool);
    if (desc->index >= from.count)
      return ZE_RESULT_ERROR_INVALID_ARGUMENT;
    Event::Options options;
    options.kind = from.counter_based ? Event::Kind::counter_based : Event::Kind::pooled;
    options.timestamps = (from.flags & timestamp_pool_flags) != 0;
    options.pool = &from;
    options.signal_scope = desc->signal;
    options.wait_scope = desc->wait;
    options.counter_based_flags = from.counter_based_flags;
    *event = handle_of(*new Event(options));
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t zeEventCounterBasedCreate(ze_context_handle_t context, ze_device_handle_t device,
                                      const ze_event_counter_based_desc_t *desc,
                                      ze_event_handle_t *event) {
  return entry([&]() -> ze_result_t {
    if (any_null(context, device))
      return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
    if (any_null(desc, event))
      return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
    constexpr ze_event_counter_based_flags_t both_stamps = timestamp_event_flags;
    if (desc->flags > 0x7f || (desc->flags & both_stamps) == both_stamps ||
        !is_scope(desc->signal) || !is_scope(desc->wait))
      return ZE_RESULT_ERROR_INVALID_ENUMERATION;
    const bool external =
        find_extension<ze_base_desc_t>(
            desc->pNext, ZE_STRUCTURE_TYPE_EVENT_COUNTER_BASED_EXTERNAL_SYNC_ALLOCATION_DESC) ||
        find_extension<ze_base_desc_t>(
            desc->pNext, ZE_STRUCTURE_TYPE_EVENT_COUNTER_BASED_EXTERNAL_AGGREGATE_STORAGE_DESC);
    if (external || (desc->flags & ZE_EVENT_COUNTER_BASED_FLAG_IPC))
      return ZE_RESULT_ERROR_UNSUPPORTED_FEATURE;
    Event::Options options;
    options.kind = Event::Kind::counter_based;
    options.timestamps = (desc->flags & timestamp_event_flags) != 0;
    options.signal_scope = desc->signal;
    options.wait_scope = desc->wait;
    options.counter_based_flags =
        desc->flags ? desc->flags : uint32_t{ZE_EVENT_COUNTER_BASED_FLAG_IMMEDIATE};
    *event = handle_of(*new Event(options));
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t zeEventDestroy(ze_event_handle_t event) {
  return entry([&]() -> ze_result_t {
    if (!event)
      return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
    object<Event>(event).release();
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t zeEventHostSignal(ze_event_handle_t event) {
  return entry([&]() -> ze_result_t {
    if (!event)
      return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
    Event &self = object<Event>(event);
    if (self.is_counter_based())
      return ZE_RESULT_ERROR_INVALID_ARGUMENT; // only lists signal these
    if (Timestamps *stamps = self.timestamps()) {
      stamps->start.store(now_ns(), std::memory_order_relaxed);
      stamps->end.store(stamps->start.load(std::memory_order_relaxed), std::memory_order_relaxed);
    }
    self.counter().assign(1);
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t zeEventHostReset(ze_event_handle_t event) {
  return entry([&]() -> ze_result_t {
    if (!event)
      return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
    Event &self = object<Event>(event);
    if (self.is_counter_based())
      return ZE_RESULT_ERROR_INVALID_ARGUMENT;
    self.counter().assign(0);
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t zeEventHostSynchronize(ze_event_handle_t event, uint64_t timeout) {
  return entry([&]() -> ze_result_t {
    if (!event)
      return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
    const Point point = object<Event>(event).point();
    if (point.counter && !point.counter->wait(point.value, Deadline(timeout)))
      return ZE_RESULT_NOT_READY;
    return point.counter && point.counter->is_lost(point.value) ? ZE_RESULT_ERROR_DEVICE_LOST
                                                                : ZE_RESULT_SUCCESS;
  });
}

ze_result_t zeEventQueryStatus(ze_event_handle_t event) {
  return entry([&]() -> ze_result_t {
    return event ? status_of(object<Event>(event).point()) : ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
  });
}

ze_result_t zeEventQueryKernelTimestamp(ze_event_handle_t event,
                                        ze_kernel_timestamp_result_t *result) {
  return entry([&]() -> ze_result_t {
    if (!event)
      return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
    if (!result)
      return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
    return read_timestamps(object<Event>(event), *result);
  });
}

ze_result_t zeEventQueryTimestampsExp(ze_event_handle_t event, ze_device_handle_t device,
                                      uint32_t *count, ze_kernel_timestamp_result_t *results) {
  return entry([&]() -> ze_result_t {
    if (any_null(event, device))
      return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
    if (!count)
      return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
    ze_kernel_timestamp_result_t result;
    if (const ze_result_t error = read_timestamps(object<Event>(event), result);
        error != ZE_RESULT_SUCCESS)
      return error;
    return enumerate(1, count, results, [&](uint32_t, auto &item) { item = result; });
  });
}

ze_result_t zeEventQueryKernelTimestampsExt(
    ze_event_handle_t event, ze_device_handle_t device, uint32_t *count,
    ze_event_query_kernel_timestamps_results_ext_properties_t *results) {
  return entry([&]() -> ze_result_t {
    if (any_null(event, device))
      return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
    if (!count)
      return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
    if (*count == 0 || !results) {
      *count = 1;
      return ZE_RESULT_SUCCESS;
    }
    ze_kernel_timestamp_result_t result;
    if (const ze_result_t error = read_timestamps(object<Event>(event), result);
        error != ZE_RESULT_SUCCESS)
      return error;
    *count = 1;
    if (results->pKernelTimestampsBuffer)
      *results->pKernelTimestampsBuffer = result;
    if (results->pSynchronizedTimestampsBuffer) { // the host's clock is the device's
      auto &synchronized = *results->pSynchronizedTimestampsBuffer;
      synchronized.global.kernelStart = result.global.kernelStart;
      synchronized.global.kernelEnd = result.global.kernelEnd;
      synchronized.context = synchronized.global;
    }
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t zeEventGetEventPool(ze_event_handle_t event, ze_event_pool_handle_t *pool) {
  return entry([&]() -> ze_result_t {
    if (!event)
      return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
    if (!pool)
      return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
    EventPool *from = object<Event>(event).options().pool;
    if (!from)
      return ZE_RESULT_ERROR_INVALID_ARGUMENT; // made without a pool
    *pool = handle_of(*from);
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t zeEventGetSignalScope(ze_event_handle_t event, ze_event_scope_flags_t *scope) {
  return entry([&]() -> ze_result_t {
    if (!event)
      return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
    if (!scope)
      return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
    *scope = object<Event>(event).options().signal_scope;
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t zeEventGetWaitScope(ze_event_handle_t event, ze_event_scope_flags_t *scope) {
  return entry([&]() -> ze_result_t {
    if (!event)
      return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
    if (!scope)
      return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
    *scope = object<Event>(event).options().wait_scope;
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t zeEventGetCounterBasedFlags(ze_event_handle_t event,
                                        ze_event_counter_based_flags_t *flags) {
  return entry([&]() -> ze_result_t {
    if (!event)
      return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
    if (!flags)
      return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
    *flags = object<Event>(event).options().counter_based_flags; // 0: not counter-based
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t zeEventCounterBasedGetDeviceAddress(ze_event_handle_t event, uint64_t *value,
                                                uint64_t *address) {
  return entry([&]() -> ze_result_t {
    if (!event)
      return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
    if (any_null(value, address))
      return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
    Event &self = object<Event>(event);
    const Point point = self.point();
    if (!self.is_counter_based() || !point.counter)
      return ZE_RESULT_ERROR_INVALID_ARGUMENT;
    *value = point.value;
    *address = reinterpret_cast<uintptr_t>(point.counter->address());
    return ZE_RESULT_SUCCESS;
  });
}

} // namespace ze_cpu
