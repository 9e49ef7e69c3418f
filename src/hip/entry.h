// What every entry point does: run its body, turn exceptions into a code, and remember that for hipGetLastError.
#pragma once

#include "../runtime/platform/platform.h"
#include "../runtime/streams/capture.h"
#include "last_error.h"

#include <hip/hip_runtime_api.h>

#include <new>
#include <type_traits>
#include <utility>

namespace chip::hip {

/// What the entry point returns for the exception that is being handled, which it records as the thread's last error. Tells the
/// message under CHIP_LOG=error. What frees something succeeds when the process is ending: HIP has freed everything then, and
/// destructors of static objects, which may not throw, come as late.
hipError_t handle_exception(const char *function) noexcept;

/// For calls that need a closer look: throws if the process ends, and says under CHIP_LOG=trace which entry point is called.
void look_closer(const char *function);

/// Runs `body`, which returns a hipError_t or nothing, and records a failure as the thread's last error. At the end of the
/// process, where handles may stand for what has been freed, nothing runs. `function` is the entry point's name.
template <class Body>
[[gnu::always_inline]] inline hipError_t entry(const char *function, Body &&body) noexcept {
  try {
    Platform::count_thread();
    const Inside inside; // from before the question whether the process ends
    if (Platform::needs_closer_look()) [[unlikely]]
      look_closer(function);
    if constexpr (std::is_void_v<decltype(body())>) {
      body();
      return last_result = hipSuccess;
    } else {
      hipError_t result = body();
      return result == hipSuccess ? last_result = result : set_last_error(result);
    }
  } catch (...) {
    return handle_exception(function);
  }
}

/// The same, called in the entry point itself.
template <class Body>
[[gnu::always_inline]] inline hipError_t
entry(Body &&body, const char *function = __builtin_FUNCTION()) noexcept {
  return entry(function, std::forward<Body>(body));
}

/// The same for a function that streams being captured may forbid.
template <class Body>
inline hipError_t entry(const char *function, CaptureRule rule, Body &&body) noexcept {
  return entry(function, [&] {
    check_capture(rule);
    return body();
  });
}

template <class Body>
inline hipError_t entry(CaptureRule rule, Body &&body,
                        const char *function = __builtin_FUNCTION()) noexcept {
  return entry(function, rule, std::forward<Body>(body));
}

/// Throws hipErrorInvalidDevice for what is not a device's number.
inline Device &device_of(int number) { return Platform::get().device(number); }

/// Throws hipErrorInvalidValue for a null pointer that has to be given.
template <class T> T &required(T *pointer) {
  if (!pointer)
    throw Error(hipErrorInvalidValue, "a pointer that must be given is null");
  return *pointer;
}

/// Stores what `make` makes. `result` is looked at first: what has nowhere to be stored could not be destroyed.
template <class T, class Make> void make_into(T *result, const Make &make) {
  T &place = required(result);
  place = make();
}

} // namespace chip::hip
