// HIP API reference: Event management.
#include "../runtime/streams/event.h"
#include "entry.h"

using namespace chip;
using chip::hip::entry;
using chip::hip::make_into;
using chip::hip::required;

namespace {

hipError_t record_event(hipEvent_t event, hipStream_t stream, bool per_thread,
                        const char *entry_point = __builtin_FUNCTION()) {
  return entry(entry_point, [&] {
    Event &object = find_event(event);
    record(object, resolve(stream, per_thread));
  });
}

} // namespace

hipError_t hipEventCreate(hipEvent_t *event) {
  return entry([&] { make_into(event, [] { return create_event(hipEventDefault); }); });
}

hipError_t hipEventCreateWithFlags(hipEvent_t *event, unsigned int flags) {
  return entry([&] { make_into(event, [&] { return create_event(flags); }); });
}

hipError_t hipEventDestroy(hipEvent_t event) {
  return entry([&] { destroy_event(event); });
}

hipError_t hipEventRecord(hipEvent_t event, hipStream_t stream) {
  return record_event(event, stream, false);
}
hipError_t hipEventRecord_spt(hipEvent_t event, hipStream_t stream) {
  return record_event(event, stream, true);
}

hipError_t hipEventRecordWithFlags(hipEvent_t event, hipStream_t stream, unsigned int flags) {
  return entry([&] {
    if (flags != hipEventRecordDefault && flags != hipEventRecordExternal)
      throw Error(hipErrorInvalidValue,
                  "`flags` is neither hipEventRecordDefault nor hipEventRecordExternal");
    Event &object = find_event(event);
    (flags == hipEventRecordExternal ? record_external : record)(object, resolve(stream));
  });
}

hipError_t hipEventQuery(hipEvent_t event) {
  return entry([&] { return query(find_event(event)) ? hipSuccess : hipErrorNotReady; });
}

hipError_t hipEventSynchronize(hipEvent_t event) {
  return entry([&] {
    // Its own error comes before that of the rule.
    if (Event *object = try_find_event(event))
      check_not_captured(*object);
    check_capture(CaptureRule::unsafe);
    synchronize(find_event(event));
  });
}

hipError_t hipEventElapsedTime(float *ms, hipEvent_t start, hipEvent_t stop) {
  return entry([&] {
    required(ms) = 0;
    *ms = elapsed_ms(find_event(start), find_event(stop));
  });
}

hipError_t hipIpcGetEventHandle(hipIpcEventHandle_t *handle, hipEvent_t event) {
  return entry([&] {
    required(handle);
    if (!event)
      throw Error(hipErrorInvalidValue, "`event` is null");
    *handle = handle_of_event(find_event(event));
  });
}

hipError_t hipIpcOpenEventHandle(hipEvent_t *event, hipIpcEventHandle_t handle) {
  return entry([&] {
    required(event);
    *event = open_event(handle);
  });
}
