// HIP API reference: Stream management.
#include "entry.h"
#include "stream_work.h"

#include "../runtime/streams/event.h"
#include "../runtime/streams/stream_value.h"

#include <algorithm>
#include <span>

#include <tuple>

using namespace chip;
using chip::hip::entry;
using chip::hip::make_into;
using chip::hip::named;
using chip::hip::required;

namespace {

hipError_t create(hipStream_t *stream, unsigned flags, int priority,
                  const char *entry_point = __builtin_FUNCTION()) {
  return entry(entry_point,
               [&] { make_into(stream, [&] { return create_stream(flags, priority); }); });
}

hipError_t query_stream(hipStream_t stream, bool per_thread,
                        const char *entry_point = __builtin_FUNCTION()) {
  return entry(entry_point,
               [&] { return query(resolve(stream, per_thread)) ? hipSuccess : hipErrorNotReady; });
}

hipError_t synchronize_stream(hipStream_t stream, bool per_thread,
                              const char *entry_point = __builtin_FUNCTION()) {
  return entry(entry_point, CaptureRule::unsafe, [&] { synchronize(resolve(stream, per_thread)); });
}

hipError_t wait_event(hipStream_t stream, hipEvent_t event, unsigned flags, bool per_thread,
                      const char *entry_point = __builtin_FUNCTION()) {
  return entry(entry_point, [&] {
    if (flags != hipEventWaitDefault && flags != hipEventWaitExternal)
      throw Error(hipErrorInvalidValue,
                  "`flags` is neither hipEventWaitDefault nor hipEventWaitExternal");
    // AMD's runtime has another code for a bad stream here than elsewhere.
    const StreamTarget target = resolve_or(hipErrorInvalidHandle, stream, per_thread);
    Event &found = find_event(event);
    if (flags == hipEventWaitExternal)
      wait_external(target, found);
    else
      wait(target, named(stream, per_thread), found);
  });
}

hipError_t get_flags(hipStream_t stream, unsigned *flags, bool per_thread,
                     const char *entry_point = __builtin_FUNCTION()) {
  return entry(entry_point, [&] {
    Platform::get();
    required(flags);
    if (named(stream, per_thread) == nullptr)
      throw Error(hipErrorInvalidValue, "`stream` is null: the null stream has no flags");
    const Stream *object = find_stream(named(stream, per_thread));
    *flags = object ? object->flags : hipStreamDefault;
  });
}

hipError_t get_priority(hipStream_t stream, int *priority, bool per_thread,
                        const char *entry_point = __builtin_FUNCTION()) {
  return entry(entry_point, [&] {
    Platform::get();
    required(priority);
    const Stream *object = find_stream(named(stream, per_thread));
    *priority = object ? object->priority : 0;
  });
}

void check_memory_flags(unsigned flags) {
  if (flags != 0)
    throw Error(hipErrorInvalidValue, "`flags` of a memory operation is not 0");
}

/// The stream of a call that cannot be captured.
StreamTarget uncaptured(hipStream_t stream) {
  const StreamTarget target = resolve(stream);
  check_not_captured(target);
  return target;
}

} // namespace

void chip::hip::run_memory_operation(const StreamTarget &stream,
                                     const hipStreamBatchMemOpParams &parameters) {
  const auto &wait = parameters.waitValue;
  const auto &write = parameters.writeValue;
  switch (parameters.operation) {
  case hipStreamMemOpWaitValue32:
    return wait_value(stream, wait.address, {wait.flags, wait.value, UINT32_MAX}, 4);
  case hipStreamMemOpWaitValue64:
    return wait_value(stream, wait.address, {wait.flags, wait.value64, UINT64_MAX}, 8);
  case hipStreamMemOpWriteValue32:
    check_memory_flags(write.flags);
    return write_value(stream, write.address, write.value, 4);
  case hipStreamMemOpWriteValue64:
    check_memory_flags(write.flags);
    return write_value(stream, write.address, write.value64, 8);
  case hipStreamMemOpFlushRemoteWrites: // a stream's commands see what earlier ones, and the host before them, wrote
  case hipStreamMemOpBarrier:
    return;
  }
  throw Error(hipErrorInvalidValue, "`operation` is not a hipStreamBatchMemOpType");
}

hipError_t hipStreamCreate(hipStream_t *stream) { return create(stream, hipStreamDefault, 0); }

hipError_t hipStreamCreateWithFlags(hipStream_t *stream, unsigned int flags) {
  return create(stream, flags, 0);
}

hipError_t hipStreamCreateWithPriority(hipStream_t *stream, unsigned int flags, int priority) {
  return create(stream, flags, priority);
}

hipError_t hipExtStreamCreateWithCUMask(hipStream_t *stream, uint32_t size, const uint32_t *mask) {
  return entry([&] {
    Platform::get();
    required(stream);
    if (size == 0)
      throw Error(hipErrorInvalidValue, "`size` is 0");
    std::vector<uint32_t> units(&required(mask), mask + size);
    // Level Zero cannot keep a queue to some compute units: the mask is remembered, and the stream may use all.
    *stream = create_stream(hipStreamDefault, 0);
    (*stream)->unit_mask = std::move(units);
  });
}

hipError_t hipExtStreamGetCUMask(hipStream_t stream, uint32_t size, uint32_t *mask) {
  return entry([&] {
    required(mask);
    const uint32_t units =
        uint32_t(resolve(stream).device->attribute(hipDeviceAttributeMultiprocessorCount));
    if (size < (units + 31) / 32)
      throw Error(hipErrorInvalidValue,
                  "`size` is less than the words that the compute units of the device take");
    std::fill_n(mask, size, 0);
    for (uint32_t unit = 0; unit < units; ++unit)
      mask[unit / 32] |= 1u << unit % 32;
    if (const Stream *object = find_stream(stream))
      std::ranges::copy(
          std::span(object->unit_mask).first(std::min<size_t>(size, object->unit_mask.size())),
          mask);
  });
}

hipError_t hipStreamDestroy(hipStream_t stream) {
  return entry([&] { destroy_stream(stream); });
}

hipError_t hipStreamQuery(hipStream_t stream) { return query_stream(stream, false); }
hipError_t hipStreamQuery_spt(hipStream_t stream) { return query_stream(stream, true); }

hipError_t hipStreamSynchronize(hipStream_t stream) { return synchronize_stream(stream, false); }
hipError_t hipStreamSynchronize_spt(hipStream_t stream) { return synchronize_stream(stream, true); }

hipError_t hipStreamWaitEvent(hipStream_t stream, hipEvent_t event, unsigned int flags) {
  return wait_event(stream, event, flags, false);
}
hipError_t hipStreamWaitEvent_spt(hipStream_t stream, hipEvent_t event, unsigned int flags) {
  return wait_event(stream, event, flags, true);
}

hipError_t hipStreamGetFlags(hipStream_t stream, unsigned int *flags) {
  return get_flags(stream, flags, false);
}
hipError_t hipStreamGetFlags_spt(hipStream_t stream, unsigned int *flags) {
  return get_flags(stream, flags, true);
}

hipError_t hipStreamGetPriority(hipStream_t stream, int *priority) {
  return get_priority(stream, priority, false);
}
hipError_t hipStreamGetPriority_spt(hipStream_t stream, int *priority) {
  return get_priority(stream, priority, true);
}

hipError_t hipStreamGetId(hipStream_t stream, unsigned long long *id) {
  return entry([&] { required(id) = stream_id(stream); });
}

hipError_t hipStreamGetDevice(hipStream_t stream, hipDevice_t *device) {
  return entry([&] { required(device) = resolve(stream).device->ordinal(); });
}

int hipGetStreamDeviceId(hipStream_t stream) {
  int device = -1;
  std::ignore = entry([&] { device = resolve(stream).device->ordinal(); });
  return device;
}

hipError_t hipStreamWaitValue32(hipStream_t stream, void *address, uint32_t value,
                                unsigned int flags, uint32_t mask) {
  return entry([&] { wait_value(uncaptured(stream), address, {flags, value, mask}, 4); });
}
hipError_t hipStreamWaitValue64(hipStream_t stream, void *address, uint64_t value,
                                unsigned int flags, uint64_t mask) {
  return entry([&] { wait_value(uncaptured(stream), address, {flags, value, mask}, 8); });
}

hipError_t hipStreamWriteValue32(hipStream_t stream, void *address, uint32_t value,
                                 unsigned int flags) {
  return entry([&] {
    const StreamTarget target = uncaptured(stream);
    check_memory_flags(flags);
    write_value(target, address, value, 4);
  });
}
hipError_t hipStreamWriteValue64(hipStream_t stream, void *address, uint64_t value,
                                 unsigned int flags) {
  return entry([&] {
    const StreamTarget target = uncaptured(stream);
    check_memory_flags(flags);
    write_value(target, address, value, 8);
  });
}

hipError_t hipStreamBatchMemOp(hipStream_t stream, unsigned int count,
                               hipStreamBatchMemOpParams *operations, unsigned int flags) {
  return entry([&] {
    const StreamTarget target = uncaptured(stream);
    check_memory_flags(flags);
    if (count == 0 || count > 256)
      throw Error(hipErrorInvalidValue, "`count` is not from 1 to 256");
    for (const hipStreamBatchMemOpParams &operation : std::span(&required(operations), count))
      chip::hip::run_memory_operation(target, operation);
  });
}
