/// Where a thread is, as SPIR-V says it: for what hipcc includes before the first line of a source,
/// which declares nothing that a program without HIP's headers may want to declare itself.
#pragma once

#include <hip/api/types/qualifiers.h>

// Coordinates of OpenCL's kind: `dimension` is 0, 1 or 2.
__attribute__((const)) __device__ __SIZE_TYPE__ __spirv_BuiltInLocalInvocationId(int dimension);
__attribute__((const)) __device__ __SIZE_TYPE__ __spirv_BuiltInWorkgroupId(int dimension);
__attribute__((const)) __device__ __SIZE_TYPE__ __spirv_BuiltInWorkgroupSize(int dimension);
__attribute__((const)) __device__ __SIZE_TYPE__ __spirv_BuiltInNumWorkgroups(int dimension);

namespace chip_device {

/// Threads per warp. Kernels are compiled for this size and no other.
constexpr unsigned int warp_size = 32;

__device__ __forceinline__ unsigned int thread_index(int dimension) {
  return static_cast<unsigned int>(__spirv_BuiltInLocalInvocationId(dimension));
}
__device__ __forceinline__ unsigned int block_index(int dimension) {
  return static_cast<unsigned int>(__spirv_BuiltInWorkgroupId(dimension));
}

} // namespace chip_device
