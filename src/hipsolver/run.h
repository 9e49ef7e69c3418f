#pragma once

#include "problem.h"

namespace hipsolver {

/// Checks a problem and queues it in the order of the handle's stream.
hipsolverStatus_t run(hipsolverHandle_t handle, const Problem &problem) noexcept;

/// Checks what a problem says so far, and says how much memory of the device it wants: in elements, or in bytes. It is one element:
/// LAPACK's memory is the host's, and a pointer that is not null is what programs expect.
hipsolverStatus_t buffer_size(hipsolverHandle_t handle, const Problem &problem,
                              int *elements) noexcept;
hipsolverStatus_t buffer_size(hipsolverHandle_t handle, const Problem &problem,
                              size_t *bytes) noexcept;

} // namespace hipsolver
