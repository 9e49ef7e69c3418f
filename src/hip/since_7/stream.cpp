// HIP 7: attributes of streams.
#include "../../runtime/streams/stream.h"
#include "../entry.h"

using namespace chip;
using chip::hip::entry;
using chip::hip::required;

namespace {

/// What a stream, or the null stream of the current device, has.
struct Attributes {
  int priority = 0;
  std::atomic<hipSynchronizationPolicy> &policy;
};

Attributes attributes_of(hipStream_t stream) {
  std::ignore = resolve_or(hipErrorInvalidResourceHandle, stream, false);
  if (Stream *object = find_stream(stream))
    return {object->priority, object->policy};
  return {0, Platform::current_device().null_stream_policy};
}

} // namespace

hipError_t hipStreamGetAttribute(hipStream_t stream, hipLaunchAttributeID attribute,
                                 hipLaunchAttributeValue *value) {
  return entry([&] {
    required(value);
    const Attributes attributes = attributes_of(stream);
    // Only the attribute's own member: the program may have less room than the library thinks.
    switch (attribute) {
    case hipLaunchAttributePriority:
      value->priority = attributes.priority;
      break;
    case hipLaunchAttributeSynchronizationPolicy:
      value->syncPolicy = attributes.policy;
      break;
    default:
      throw Error(hipErrorInvalidValue, "`attribute` is none that streams have");
    }
  });
}

hipError_t hipStreamSetAttribute(hipStream_t stream, hipLaunchAttributeID attribute,
                                 const hipLaunchAttributeValue *value) {
  return entry([&] {
    check_not_captured(resolve_or(hipErrorInvalidResourceHandle, stream, false));
    required(value);
    if (attribute != hipLaunchAttributeSynchronizationPolicy)
      throw Error(hipErrorInvalidValue, "`attribute` is none that streams let set");
    if (value->syncPolicy < hipSyncPolicyAuto || value->syncPolicy > hipSyncPolicyBlockingSync)
      throw Error(hipErrorInvalidValue, "`value` is not a hipSynchronizationPolicy");
    attributes_of(stream).policy = value->syncPolicy;
  });
}

hipError_t hipStreamCopyAttributes(hipStream_t dst, hipStream_t src) {
  return entry([&] {
    const Attributes from = attributes_of(src);
    attributes_of(dst).policy = from.policy.load();
  });
}
