// The calling thread's last error (HIP API reference, Error handling).
#pragma once

#include <hip/hip_runtime_api.h>

namespace chip::hip {

/// What the calling thread's last call of HIP returned, whatever that was (hipExtGetLastError). In the thread's static block:
/// each call, a launch too, writes it.
[[gnu::tls_model("initial-exec")]] inline constinit thread_local hipError_t last_result =
    hipSuccess;

/// Remembers `error` and returns it.
hipError_t set_last_error(hipError_t error) noexcept;

/// What the entry points that are not there yet answer: hipErrorNotSupported. CHIP_LOG=error tells the name.
hipError_t unsupported(const char *function) noexcept;

} // namespace chip::hip
