#pragma once

#include <hipsolver/hipsolver.h>

namespace hipsolver {

/// What hipsolverHandle_t points to.
struct Handle {
  hipStream_t stream = nullptr;
  hipsolverDeterministicMode_t mode = HIPSOLVER_ALLOW_NON_DETERMINISTIC_RESULTS;
  bool on_host =
      false; ///< The device's memory is the host's and there is a LAPACK: host functions do the work.
};

} // namespace hipsolver
