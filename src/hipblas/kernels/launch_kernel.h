#pragma once

#include <hip/hip_runtime_api.h>

#include <type_traits>

namespace hipblas {

/// Launches a kernel and returns its own error. What hipGetLastError says may be an error of the caller's that is not read yet, and
/// stays there.
template <class... Parameters>
hipError_t launch_kernel(void (*kernel)(Parameters...), dim3 grid, dim3 block, hipStream_t stream,
                         std::type_identity_t<Parameters>... arguments) {
  void *pointers[] = {&arguments...};
  return hipLaunchKernel(reinterpret_cast<const void *>(kernel), grid, block, pointers, 0, stream);
}

} // namespace hipblas
