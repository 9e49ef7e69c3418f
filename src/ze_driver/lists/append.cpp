// Appends other than launches.
#include "append.h"
#include "../api/entry_points.h"

#include <algorithm>
#include <cstring>

namespace ze_driver {
namespace {

struct NoPayload {};

/// What a counter-based event of an in-order list stands for is in the list already: the end of its last command. Where the
/// appending thread passes commands on, the device tells of the end of one only if it is named.
bool can_stand_for_last_command(const CommandList &list, const Event &event) {
  return !list.recorder && event.is_counter_based() && !event.timestamps() &&
         !static_cast<const ImmediateList &>(list).queue->appender_passes_on();
}

ze_result_t append_barrier(CommandList &list, const Synchronization &events) {
  if (events.signal && events.wait_count == 0)
    if (Event &signal = object<Event>(events.signal); can_stand_for_last_command(list, signal)) {
      QueueBackend &queue = *static_cast<ImmediateList &>(list).queue;
      signal.bind(queue.done(), queue.submitted());
      return ZE_RESULT_SUCCESS;
    }
  return append<NoPayload>(list, Opcode::barrier, events, 0, [](Command &, NoPayload &) {});
}

ze_result_t append_copy(ze_command_list_handle_t list, void *destination, const void *source,
                        size_t bytes, const Synchronization &events) {
  return append_entry(list, events, required(destination, source), [&](CommandList &self) {
    return append<CopyCommand>(self, Opcode::copy, events, 0, [&](Command &, CopyCommand &copy) {
      copy = {destination, source, bytes};
    });
  });
}

ze_result_t append_fill(ze_command_list_handle_t list, void *destination, const void *pattern,
                        size_t pattern_bytes, size_t bytes, const Synchronization &events) {
  const auto check = [&]() -> ze_result_t {
    if (any_null(destination, pattern))
      return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
    const bool power_of_two = pattern_bytes != 0 && (pattern_bytes & (pattern_bytes - 1)) == 0;
    if (!power_of_two || pattern_bytes > max_pattern_bytes || bytes % pattern_bytes != 0)
      return ZE_RESULT_ERROR_INVALID_SIZE;
    return ZE_RESULT_SUCCESS;
  };
  return append_entry(list, events, check, [&](CommandList &self) {
    return append<FillCommand>(self, Opcode::fill, events, pattern_bytes,
                               [&](Command &, FillCommand &fill) {
                                 fill = {destination, bytes, pattern_bytes};
                                 std::memcpy(fill.pattern(), pattern, pattern_bytes);
                               });
  });
}

ze_result_t append_timestamp(Opcode opcode, ze_command_list_handle_t list, uint64_t *destination,
                             const Synchronization &events) {
  return append_entry(list, events, required(destination), [&](CommandList &self) {
    return append<WriteTimestampCommand>(
        self, opcode, events, 0,
        [&](Command &, WriteTimestampCommand &write) { write.destination = destination; });
  });
}

/// Where a region begins, for rows of `pitch` bytes.
size_t region_offset(const ze_copy_region_t &region, size_t pitch, size_t slice_pitch) {
  return region.originX + region.originY * pitch + region.originZ * slice_pitch;
}

} // namespace

ze_result_t zeCommandListAppendBarrier(ze_command_list_handle_t list, ze_event_handle_t signal,
                                       uint32_t wait_count, ze_event_handle_t *waits) {
  const Synchronization events{signal, wait_count, waits};
  return append_entry(list, events, required(),
                      [&](CommandList &self) { return append_barrier(self, events); });
}

ze_result_t zeCommandListAppendMemoryRangesBarrier(ze_command_list_handle_t list, uint32_t,
                                                   const size_t *sizes, const void **ranges,
                                                   ze_event_handle_t signal, uint32_t wait_count,
                                                   ze_event_handle_t *waits) {
  const Synchronization events{signal, wait_count, waits};
  return append_entry(list, events, required(sizes, ranges),
                      [&](CommandList &self) { return append_barrier(self, events); });
}

ze_result_t zeCommandListAppendMemoryCopy(ze_command_list_handle_t list, void *destination,
                                          const void *source, size_t size, ze_event_handle_t signal,
                                          uint32_t wait_count, ze_event_handle_t *waits) {
  return append_copy(list, destination, source, size, {signal, wait_count, waits});
}

ze_result_t zeCommandListAppendMemoryCopyWithParameters(
    ze_command_list_handle_t list, void *destination, const void *source, size_t size,
    const void *next, ze_event_handle_t signal, uint32_t wait_count, ze_event_handle_t *waits) {
  if (next)
    return ZE_RESULT_ERROR_UNSUPPORTED_FEATURE;
  return append_copy(list, destination, source, size, {signal, wait_count, waits});
}

ze_result_t zeCommandListAppendMemoryCopyFromContext(ze_command_list_handle_t list,
                                                     void *destination,
                                                     ze_context_handle_t source_context,
                                                     const void *source, size_t size,
                                                     ze_event_handle_t signal, uint32_t wait_count,
                                                     ze_event_handle_t *waits) {
  if (!source_context)
    return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
  return append_copy(list, destination, source, size, {signal, wait_count, waits});
}

ze_result_t zeCommandListAppendMemoryFill(ze_command_list_handle_t list, void *pointer,
                                          const void *pattern, size_t pattern_size, size_t size,
                                          ze_event_handle_t signal, uint32_t wait_count,
                                          ze_event_handle_t *waits) {
  return append_fill(list, pointer, pattern, pattern_size, size, {signal, wait_count, waits});
}

ze_result_t zeCommandListAppendMemoryFillWithParameters(ze_command_list_handle_t list,
                                                        void *pointer, const void *pattern,
                                                        size_t pattern_size, size_t size,
                                                        const void *next, ze_event_handle_t signal,
                                                        uint32_t wait_count,
                                                        ze_event_handle_t *waits) {
  if (next)
    return ZE_RESULT_ERROR_UNSUPPORTED_FEATURE;
  return append_fill(list, pointer, pattern, pattern_size, size, {signal, wait_count, waits});
}

ze_result_t zeCommandListAppendMemoryCopyRegion(
    ze_command_list_handle_t list, void *destination, const ze_copy_region_t *destination_region,
    uint32_t destination_pitch, uint32_t destination_slice_pitch, const void *source,
    const ze_copy_region_t *source_region, uint32_t source_pitch, uint32_t source_slice_pitch,
    ze_event_handle_t signal, uint32_t wait_count, ze_event_handle_t *waits) {
  const Synchronization events{signal, wait_count, waits};
  const auto check = [&]() -> ze_result_t {
    if (any_null(destination, source) || any_null(destination_region, source_region))
      return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
    const ze_copy_region_t &d = *destination_region, &s = *source_region;
    return d.width == s.width && d.height == s.height && d.depth == s.depth
               ? ZE_RESULT_SUCCESS
               : ZE_RESULT_ERROR_INVALID_SIZE;
  };
  return append_entry(list, events, check, [&](CommandList &self) {
    return append<CopyRegionCommand>(
        self, Opcode::copy_region, events, 0, [&](Command &, CopyRegionCommand &copy) {
          // A height or depth of 0 means a flat copy.
          copy.width = source_region->width;
          copy.height = std::max(source_region->height, 1u);
          copy.depth = std::max(source_region->depth, 1u);
          copy.destination_pitch = destination_pitch;
          copy.destination_slice_pitch = destination_slice_pitch;
          copy.source_pitch = source_pitch;
          copy.source_slice_pitch = source_slice_pitch;
          copy.destination =
              static_cast<std::byte *>(destination) +
              region_offset(*destination_region, destination_pitch, destination_slice_pitch);
          copy.source = static_cast<const std::byte *>(source) +
                        region_offset(*source_region, source_pitch, source_slice_pitch);
        });
  });
}

// Memory is where it is: hints about placement are taken and need nothing done.

ze_result_t zeCommandListAppendMemoryPrefetch(ze_command_list_handle_t list, const void *pointer,
                                              size_t) {
  return append_entry(list, {}, required(pointer), [](CommandList &) { return ZE_RESULT_SUCCESS; });
}

ze_result_t zeCommandListAppendMemAdvise(ze_command_list_handle_t list, ze_device_handle_t device,
                                         const void *pointer, size_t, ze_memory_advice_t advice) {
  const auto check = [&]() -> ze_result_t {
    if (!device)
      return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
    if (!pointer)
      return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
    return static_cast<uint32_t>(advice) > ZE_MEMORY_ADVICE_CLEAR_SYSTEM_MEMORY_PREFERRED_LOCATION
               ? ZE_RESULT_ERROR_INVALID_ENUMERATION
               : ZE_RESULT_SUCCESS;
  };
  return append_entry(list, {}, check, [](CommandList &) { return ZE_RESULT_SUCCESS; });
}

ze_result_t zeCommandListAppendSignalEvent(ze_command_list_handle_t list, ze_event_handle_t event) {
  const Synchronization events{event, 0, nullptr};
  return append_entry(list, events, required(event),
                      [&](CommandList &self) { return append_barrier(self, events); });
}

ze_result_t zeCommandListAppendWaitOnEvents(ze_command_list_handle_t list, uint32_t count,
                                            ze_event_handle_t *waits) {
  const Synchronization events{nullptr, count, waits};
  return append_entry(list, events, required(waits),
                      [&](CommandList &self) { return append_barrier(self, events); });
}

ze_result_t zeCommandListAppendEventReset(ze_command_list_handle_t list, ze_event_handle_t event) {
  const auto check = [&]() -> ze_result_t {
    if (!event)
      return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
    return object<Event>(event).is_counter_based() ? ZE_RESULT_ERROR_INVALID_ARGUMENT
                                                   : ZE_RESULT_SUCCESS;
  };
  return append_entry(list, {}, check, [&](CommandList &self) {
    return append<ResetEventCommand>(
        self, Opcode::reset_event, {}, 0, [&](Command &, ResetEventCommand &reset) {
          reset.event = Ref<Counter>::share(&object<Event>(event).counter()).detach();
        });
  });
}

ze_result_t zeCommandListAppendWriteGlobalTimestamp(ze_command_list_handle_t list,
                                                    uint64_t *destination, ze_event_handle_t signal,
                                                    uint32_t wait_count, ze_event_handle_t *waits) {
  return append_timestamp(Opcode::write_timestamp, list, destination, {signal, wait_count, waits});
}

ze_result_t append_host_timestamp(ze_command_list_handle_t list, uint64_t *destination,
                                  ze_event_handle_t signal, uint32_t wait_count,
                                  ze_event_handle_t *waits) {
  return append_timestamp(Opcode::write_host_timestamp, list, destination,
                          {signal, wait_count, waits});
}

ze_result_t zeCommandListAppendQueryKernelTimestamps(ze_command_list_handle_t list, uint32_t count,
                                                     ze_event_handle_t *queried, void *destination,
                                                     const size_t *offsets,
                                                     ze_event_handle_t signal, uint32_t wait_count,
                                                     ze_event_handle_t *waits) {
  const Synchronization events{signal, wait_count, waits};
  const auto check = [&]() -> ze_result_t {
    if (any_null(queried, destination))
      return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
    return std::any_of(queried, queried + count, [](auto event) { return !event; })
               ? ZE_RESULT_ERROR_INVALID_NULL_HANDLE
               : ZE_RESULT_SUCCESS;
  };
  return append_entry(list, events, check, [&](CommandList &self) {
    using Entry = QueryTimestampsCommand::Entry;
    return append<QueryTimestampsCommand>(
        self, Opcode::query_timestamps, events, count * sizeof(Entry),
        [&](Command &, QueryTimestampsCommand &query) {
          query.destination = static_cast<std::byte *>(destination);
          query.count = count;
          for (uint32_t i = 0; i < count; ++i) {
            query.entries()[i].stamps =
                Ref<Timestamps>::share(object<Event>(queried[i]).timestamps()).detach();
            query.entries()[i].offset =
                offsets ? offsets[i] : i * sizeof(ze_kernel_timestamp_result_t);
          }
        });
  });
}

ze_result_t zeCommandListAppendHostFunction(ze_command_list_handle_t list,
                                            ze_host_function_callback_t function, void *data,
                                            const void *next, ze_event_handle_t signal,
                                            uint32_t wait_count, ze_event_handle_t *waits) {
  const Synchronization events{signal, wait_count, waits};
  const auto check = [&]() -> ze_result_t {
    if (!function)
      return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
    return next ? ZE_RESULT_ERROR_UNSUPPORTED_FEATURE : ZE_RESULT_SUCCESS;
  };
  return append_entry(list, events, check, [&](CommandList &self) {
    return append<HostFunctionCommand>(
        self, Opcode::host_function, events, 0,
        [&](Command &, HostFunctionCommand &call) { call = {function, data}; });
  });
}

} // namespace ze_driver
