#pragma once

#include "problem.h"

#include <hipblas/hipblas.h>

namespace hipblas {

/// Checks a problem and does it in the order of the handle's stream. Returns when the host's scalars are read and the host's
/// results are written.
hipblasStatus_t run(hipblasHandle_t handle, Problem &problem) noexcept;

} // namespace hipblas
