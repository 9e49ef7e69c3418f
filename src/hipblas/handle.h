#pragma once

#include <hip/hip_runtime_api.h>
#include <hipblas/hipblas.h>

namespace hipblas {

/// What hipblasHandle_t points to.
struct Handle {
  hipStream_t stream = nullptr;
  hipblasPointerMode_t pointer_mode = HIPBLAS_POINTER_MODE_HOST;
  hipblasMath_t math_mode = HIPBLAS_DEFAULT_MATH;
  hipblasAtomicsMode_t atomics_mode = HIPBLAS_ATOMICS_ALLOWED;
  /// The device's memory is the host's and there is a BLAS for the host: host functions do the work, and kernels elsewhere.
  bool on_host = false;
};

} // namespace hipblas
