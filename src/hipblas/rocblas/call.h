// What the bodies of rocBLAS's functions use: those of hipBLAS, which take the same parameters by other types.
#pragma once

#include <hipblas/hipblas.h>
#include <rocblas/rocblas.h>

namespace hipblas {

rocblas_status rocblas_status_of(hipblasStatus_t status);

/// The function, with arguments that have the representation of its parameters.
template <class... Parameters, class... Arguments>
rocblas_status call(hipblasStatus_t (*function)(Parameters...), Arguments... arguments) {
  static_assert(((sizeof(Parameters) == sizeof(Arguments)) && ...));
  return rocblas_status_of(function((Parameters)arguments...));
}

} // namespace hipblas
