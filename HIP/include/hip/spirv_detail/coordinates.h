/// Where a thread is: threadIdx, blockIdx, blockDim, gridDim, and the size of a warp.
#pragma once

#include <hip/api/types/dim3.h>
#include <hip/hip_vector_types.h>
#include <hip/spirv_detail/invocation.h>

/// Three numbers that are read from the device whenever they are named.
#define CHIP_COORDINATES(type, builtin)                                                            \
  struct type {                                                                                    \
    __declspec(property(get = get_x)) unsigned int x;                                              \
    __declspec(property(get = get_y)) unsigned int y;                                              \
    __declspec(property(get = get_z)) unsigned int z;                                              \
    static __device__ __forceinline__ unsigned int get_x() {                                       \
      return static_cast<unsigned int>(builtin(0));                                                \
    }                                                                                              \
    static __device__ __forceinline__ unsigned int get_y() {                                       \
      return static_cast<unsigned int>(builtin(1));                                                \
    }                                                                                              \
    static __device__ __forceinline__ unsigned int get_z() {                                       \
      return static_cast<unsigned int>(builtin(2));                                                \
    }                                                                                              \
    __device__ __forceinline__ operator dim3() const { return dim3(get_x(), get_y(), get_z()); }   \
    __device__ __forceinline__ operator uint3() const { return uint3(get_x(), get_y(), get_z()); } \
    constexpr type() = default;                                                                    \
    type(const type &) = delete;                                                                   \
    type &operator=(const type &) = delete;                                                        \
  };

namespace chip_device {
CHIP_COORDINATES(__ThreadIndex, __spirv_BuiltInLocalInvocationId)
CHIP_COORDINATES(__BlockIndex, __spirv_BuiltInWorkgroupId)
CHIP_COORDINATES(__BlockSize, __spirv_BuiltInWorkgroupSize)
CHIP_COORDINATES(__GridSize, __spirv_BuiltInNumWorkgroups)
} // namespace chip_device
#undef CHIP_COORDINATES

// Nothing defines these: all that is done with them is inlined, and needs no object.
extern const __device__ __attribute__((weak)) chip_device::__ThreadIndex threadIdx;
extern const __device__ __attribute__((weak)) chip_device::__BlockIndex blockIdx;
extern const __device__ __attribute__((weak)) chip_device::__BlockSize blockDim;
extern const __device__ __attribute__((weak)) chip_device::__GridSize gridDim;

#define hipThreadIdx_x (threadIdx.x)
#define hipThreadIdx_y (threadIdx.y)
#define hipThreadIdx_z (threadIdx.z)
#define hipBlockIdx_x (blockIdx.x)
#define hipBlockIdx_y (blockIdx.y)
#define hipBlockIdx_z (blockIdx.z)
#define hipBlockDim_x (blockDim.x)
#define hipBlockDim_y (blockDim.y)
#define hipBlockDim_z (blockDim.z)
#define hipGridDim_x (gridDim.x)
#define hipGridDim_y (gridDim.y)
#define hipGridDim_z (gridDim.z)

static constexpr int warpSize = chip_device::warp_size;
