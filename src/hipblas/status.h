#pragma once

#include <hip/hip_runtime_api.h>
#include <hipblas-common/hipblas-common.h>

namespace hipblas {

/// What an error of HIP means for a call of hipBLAS.
inline hipblasStatus_t status_of(hipError_t error) {
  switch (error) {
  case hipSuccess:
    return HIPBLAS_STATUS_SUCCESS;
  case hipErrorOutOfMemory:
    return HIPBLAS_STATUS_ALLOC_FAILED;
  case hipErrorInvalidValue:
    return HIPBLAS_STATUS_INVALID_VALUE;
  case hipErrorNotSupported:
    return HIPBLAS_STATUS_NOT_SUPPORTED;
  case hipErrorNoDevice:
  case hipErrorNotInitialized:
    return HIPBLAS_STATUS_NOT_INITIALIZED;
  default:
    return HIPBLAS_STATUS_EXECUTION_FAILED;
  }
}

} // namespace hipblas
