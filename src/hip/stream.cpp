// HIP API reference: Stream management.
#include "entry.h"

#include "../runtime/event.h"

#include <tuple>

using namespace chip;
using chip::hip::entry;
using chip::hip::required;

namespace {

hipError_t create(hipStream_t *stream, unsigned flags, int priority) {
  return entry([&] { required(stream) = create_stream(flags, priority); });
}

hipError_t query_stream(hipStream_t stream, bool per_thread) {
  return entry([&] { return query(resolve(stream, per_thread)) ? hipSuccess : hipErrorNotReady; });
}

hipError_t synchronize_stream(hipStream_t stream, bool per_thread) {
  return entry([&] { synchronize(resolve(stream, per_thread)); });
}

hipError_t wait_event(hipStream_t stream, hipEvent_t event, unsigned flags, bool per_thread) {
  return entry([&] {
    if (flags != 0)
      throw Error(hipErrorInvalidValue, "the flags of hipStreamWaitEvent must be 0");
    if (!event)
      throw Error(hipErrorInvalidHandle, "no event to wait for");
    StreamTarget target = resolve(stream, per_thread);
    wait(target, find_event(event));
  });
}

// The thread's own default stream is what 0 means to the _spt functions.
hipStream_t named(hipStream_t stream, bool per_thread) {
  return per_thread && !stream ? hipStreamPerThread : stream;
}

hipError_t get_flags(hipStream_t stream, unsigned *flags, bool per_thread) {
  return entry([&] {
    required(flags);
    const Stream *object = find_stream(named(stream, per_thread));
    *flags = object ? object->flags : hipStreamDefault;
  });
}

hipError_t get_priority(hipStream_t stream, int *priority, bool per_thread) {
  return entry([&] {
    required(priority);
    const Stream *object = find_stream(named(stream, per_thread));
    *priority = object ? object->priority : 0;
  });
}

} // namespace

hipError_t hipStreamCreate(hipStream_t *stream) { return create(stream, hipStreamDefault, 0); }

hipError_t hipStreamCreateWithFlags(hipStream_t *stream, unsigned int flags) {
  return create(stream, flags, 0);
}

hipError_t hipStreamCreateWithPriority(hipStream_t *stream, unsigned int flags, int priority) {
  return create(stream, flags, priority);
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

hipError_t hipStreamGetDevice(hipStream_t stream, hipDevice_t *device) {
  return entry([&] { required(device) = resolve(stream).device->ordinal(); });
}

int hipGetStreamDeviceId(hipStream_t stream) {
  int device = -1;
  std::ignore = entry([&] { device = resolve(stream).device->ordinal(); });
  return device;
}
