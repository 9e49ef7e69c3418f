// Events and their pools.
#include "event.h"
#include "../api/entry_points.h"
#include "../api/objects.h"
#include "event_pool.h"

#include <algorithm>

namespace ze_driver {

namespace {

constexpr ze_event_pool_flags_t timestamp_pool_flags =
    ZE_EVENT_POOL_FLAG_KERNEL_TIMESTAMP | ZE_EVENT_POOL_FLAG_KERNEL_MAPPED_TIMESTAMP;

bool is_scope(ze_event_scope_flags_t flags) { return flags <= 0x7; }

ze_result_t status_of(const Point &point) {
  if (!point.is_reached())
    return ZE_RESULT_NOT_READY;
  return point.is_lost() ? ZE_RESULT_ERROR_DEVICE_LOST : ZE_RESULT_SUCCESS;
}

/// When the command ran, by the host's clock.
struct Period {
  uint64_t start, end;
};

std::expected<Period, ze_result_t> period_of(Event &event) {
  const Timestamps *stamps = event.timestamps();
  if (!stamps) // not asked for when the event was created
    return std::unexpected(ZE_RESULT_ERROR_INVALID_ARGUMENT);
  if (!event.point().is_reached())
    return std::unexpected(ZE_RESULT_NOT_READY);
  return Period{stamps->start.load(std::memory_order_relaxed),
                stamps->end.load(std::memory_order_relaxed)};
}

ze_kernel_timestamp_result_t device_stamps(const Period &period) {
  ze_kernel_timestamp_result_t result{};
  result.global = {device_time(period.start), device_time(period.end)};
  result.context = result.global;
  return result;
}

} // namespace

ze_result_t zeEventPoolCreate(ze_context_handle_t context, const ze_event_pool_desc_t *desc,
                              uint32_t device_count, ze_device_handle_t *devices,
                              ze_event_pool_handle_t *pool) {
  return entry(required(context, desc, pool), [&]() -> ze_result_t {
    if (desc->flags > 0xf)
      return ZE_RESULT_ERROR_INVALID_ENUMERATION;
    if (desc->count == 0 || (!devices && device_count != 0))
      return ZE_RESULT_ERROR_INVALID_SIZE;
    const auto *counters = find_extension<ze_event_pool_counter_based_exp_desc_t>(
        desc->pNext, ZE_STRUCTURE_TYPE_COUNTER_BASED_EVENT_POOL_EXP_DESC);
    if (counters && counters->flags > 0x3)
      return ZE_RESULT_ERROR_INVALID_ENUMERATION;
    if (counters && (desc->flags & ZE_EVENT_POOL_FLAG_IPC))
      return ZE_RESULT_ERROR_UNSUPPORTED_FEATURE;
    auto created = std::make_unique<EventPool>();
    created->context = &object<Context>(context);
    created->flags = desc->flags;
    created->count = desc->count;
    created->counter_based = counters != nullptr;
    if (desc->flags & ZE_EVENT_POOL_FLAG_IPC)
      created->shared = SharedSlots::create(desc->count, desc->flags);
    // The flags of pools mean the same, bit for bit, as those of events.
    if (counters)
      created->counter_based_flags =
          counters->flags ? counters->flags : uint32_t{ZE_EVENT_COUNTER_BASED_FLAG_IMMEDIATE};
    *pool = handle_of(*created.release());
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t zeEventPoolDestroy(ze_event_pool_handle_t pool) {
  return entry(required(pool), [&]() -> ze_result_t {
    delete &object<EventPool>(pool);
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t zeEventPoolGetContextHandle(ze_event_pool_handle_t pool, ze_context_handle_t *context) {
  return get_from<EventPool>(pool, context,
                             [](EventPool &self) { return handle_of(*self.context); });
}

ze_result_t zeEventPoolGetFlags(ze_event_pool_handle_t pool, ze_event_pool_flags_t *flags) {
  return get_from<EventPool>(pool, flags, [](EventPool &self) { return self.flags; });
}

ze_result_t zeEventCreate(ze_event_pool_handle_t pool, const ze_event_desc_t *desc,
                          ze_event_handle_t *event) {
  return entry(required(pool, desc, event), [&]() -> ze_result_t {
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
    options.shared = from.shared;
    options.index = desc->index;
    auto *created = new Event(options);
    if (from.shared && !from.is_opened)
      created->counter().assign(0); // one of before may have left it signalled
    *event = handle_of(*created);
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t zeEventCounterBasedCreate(ze_context_handle_t context, ze_device_handle_t device,
                                      const ze_event_counter_based_desc_t *desc,
                                      ze_event_handle_t *event) {
  using Made = std::expected<ze_event_handle_t, ze_result_t>;
  return create(context, device, desc, event, [](const ze_event_counter_based_desc_t &d) -> Made {
    constexpr ze_event_counter_based_flags_t both_stamps = timestamp_event_flags;
    if (d.flags > 0x7f || (d.flags & both_stamps) == both_stamps || !is_scope(d.signal) ||
        !is_scope(d.wait))
      return std::unexpected(ZE_RESULT_ERROR_INVALID_ENUMERATION);
    const bool external =
        find_extension<ze_base_desc_t>(
            d.pNext, ZE_STRUCTURE_TYPE_EVENT_COUNTER_BASED_EXTERNAL_SYNC_ALLOCATION_DESC) ||
        find_extension<ze_base_desc_t>(
            d.pNext, ZE_STRUCTURE_TYPE_EVENT_COUNTER_BASED_EXTERNAL_AGGREGATE_STORAGE_DESC);
    if (external)
      return std::unexpected(ZE_RESULT_ERROR_UNSUPPORTED_FEATURE);
    Event::Options options;
    options.kind = Event::Kind::counter_based;
    options.timestamps = (d.flags & timestamp_event_flags) != 0;
    options.signal_scope = d.signal;
    options.wait_scope = d.wait;
    options.counter_based_flags =
        d.flags ? d.flags : uint32_t{ZE_EVENT_COUNTER_BASED_FLAG_IMMEDIATE};
    return handle_of(*new Event(options));
  });
}

ze_result_t zeEventDestroy(ze_event_handle_t event) {
  return entry(required(event), [&]() -> ze_result_t {
    object<Event>(event).release();
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t zeEventHostSignal(ze_event_handle_t event) {
  return entry(required(event), [&]() -> ze_result_t {
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
  return entry(required(event), [&]() -> ze_result_t {
    Event &self = object<Event>(event);
    if (self.is_counter_based())
      return ZE_RESULT_ERROR_INVALID_ARGUMENT;
    self.counter().assign(0);
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t zeEventHostSynchronize(ze_event_handle_t event, uint64_t timeout) {
  return entry(required(event), [&]() -> ze_result_t {
    Event &self = object<Event>(event);
    if (self.is_captured())
      return ZE_RESULT_ERROR_GRAPH_CAPTURE_UNSUPPORTED;
    const Point point = self.point();
    if (point.counter && !point.counter->wait(point.value, Deadline(timeout)))
      return ZE_RESULT_NOT_READY;
    return point.is_lost() ? ZE_RESULT_ERROR_DEVICE_LOST : ZE_RESULT_SUCCESS;
  });
}

ze_result_t zeEventQueryStatus(ze_event_handle_t event) {
  return entry(required(event), [&]() -> ze_result_t {
    Event &self = object<Event>(event);
    return self.is_captured() ? ZE_RESULT_ERROR_GRAPH_CAPTURE_UNSUPPORTED : status_of(self.point());
  });
}

ze_result_t zeEventQueryKernelTimestamp(ze_event_handle_t event,
                                        ze_kernel_timestamp_result_t *result) {
  return entry(required(event, result), [&]() -> ze_result_t {
    const auto period = period_of(object<Event>(event));
    if (!period)
      return period.error();
    *result = device_stamps(*period);
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t zeEventQueryTimestampsExp(ze_event_handle_t event, ze_device_handle_t device,
                                      uint32_t *count, ze_kernel_timestamp_result_t *results) {
  return entry(required(event, device, count), [&]() -> ze_result_t {
    const auto period = period_of(object<Event>(event));
    if (!period)
      return period.error();
    return enumerate(1, count, results,
                     [&](uint32_t, auto &item) { item = device_stamps(*period); });
  });
}

ze_result_t zeEventQueryKernelTimestampsExt(
    ze_event_handle_t event, ze_device_handle_t device, uint32_t *count,
    ze_event_query_kernel_timestamps_results_ext_properties_t *results) {
  return entry(required(event, device, count), [&]() -> ze_result_t {
    if (*count == 0 || !results) {
      *count = 1;
      return ZE_RESULT_SUCCESS;
    }
    const auto period = period_of(object<Event>(event));
    if (!period)
      return period.error();
    *count = 1;
    if (results->pKernelTimestampsBuffer)
      *results->pKernelTimestampsBuffer = device_stamps(*period);
    if (results->pSynchronizedTimestampsBuffer) {
      auto &synchronized = *results->pSynchronizedTimestampsBuffer;
      synchronized.global = {period->start, period->end};
      synchronized.context = synchronized.global;
    }
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t zeEventGetEventPool(ze_event_handle_t event, ze_event_pool_handle_t *pool) {
  return get_from<Event>(event, pool, [](Event &self) -> std::optional<ze_event_pool_handle_t> {
    EventPool *from = self.options().pool;
    return from ? std::optional(handle_of(*from)) : std::nullopt; // made without a pool
  });
}

ze_result_t zeEventGetSignalScope(ze_event_handle_t event, ze_event_scope_flags_t *scope) {
  return get_from<Event>(event, scope, [](Event &self) { return self.options().signal_scope; });
}

ze_result_t zeEventGetWaitScope(ze_event_handle_t event, ze_event_scope_flags_t *scope) {
  return get_from<Event>(event, scope, [](Event &self) { return self.options().wait_scope; });
}

ze_result_t zeEventGetCounterBasedFlags(ze_event_handle_t event,
                                        ze_event_counter_based_flags_t *flags) {
  // 0: not counter-based
  return get_from<Event>(event, flags,
                         [](Event &self) { return self.options().counter_based_flags; });
}

ze_result_t zeEventCounterBasedGetDeviceAddress(ze_event_handle_t event, uint64_t *value,
                                                uint64_t *address) {
  return entry(required(event, value, address), [&]() -> ze_result_t {
    Event &self = object<Event>(event);
    const Point point = self.point();
    if (!self.is_counter_based() || !point.counter)
      return ZE_RESULT_ERROR_INVALID_ARGUMENT;
    *value = point.value;
    *address = reinterpret_cast<uintptr_t>(point.counter->address());
    return ZE_RESULT_SUCCESS;
  });
}

} // namespace ze_driver
