// HIP API reference: Stream management, functions of the host in stream order.
#include "../runtime/streams/callback.h"
#include "entry.h"

using namespace chip;
using chip::hip::entry;

namespace {

hipError_t launch(hipStream_t stream, hipHostFn_t function, void *user_data, bool per_thread,
                  const char *entry_point = __builtin_FUNCTION()) {
  return entry(entry_point, [&] {
    if (!function)
      throw Error(hipErrorInvalidValue, "`function` is null");
    append_host_function(resolve(stream, per_thread), HostFunctionOf::program, function, user_data);
  });
}

hipError_t add(hipStream_t stream, hipStreamCallback_t function, void *user_data, unsigned flags,
               bool per_thread, const char *entry_point = __builtin_FUNCTION()) {
  return entry(entry_point, [&] {
    const StreamTarget target = resolve(stream, per_thread);
    check_not_captured(target);
    if (!function || flags != 0)
      throw Error(hipErrorInvalidValue, "`callback` is null, or `flags` is not 0");
    add_callback(target, stream, function, user_data);
  });
}

} // namespace

hipError_t hipLaunchHostFunc(hipStream_t stream, hipHostFn_t function, void *user_data) {
  return launch(stream, function, user_data, false);
}
hipError_t hipLaunchHostFunc_spt(hipStream_t stream, hipHostFn_t function, void *user_data) {
  return launch(stream, function, user_data, true);
}

hipError_t hipStreamAddCallback(hipStream_t stream, hipStreamCallback_t callback, void *user_data,
                                unsigned int flags) {
  return add(stream, callback, user_data, flags, false);
}
hipError_t hipStreamAddCallback_spt(hipStream_t stream, hipStreamCallback_t callback,
                                    void *user_data, unsigned int flags) {
  return add(stream, callback, user_data, flags, true);
}
