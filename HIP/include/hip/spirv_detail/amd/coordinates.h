/// clang's builtins for where a thread is on AMD's devices. A work-item is a thread, a work-group a block, and the
/// size of the grid is in threads.
#pragma once

#include <hip/spirv_detail/coordinates.h>

#define CHIP_COORDINATES(dimension)                                                                \
  CHIP_DEVICE unsigned int __builtin_amdgcn_workitem_id_##dimension() {                            \
    return threadIdx.dimension;                                                                    \
  }                                                                                                \
  CHIP_DEVICE unsigned int __builtin_amdgcn_workgroup_id_##dimension() {                           \
    return blockIdx.dimension;                                                                     \
  }                                                                                                \
  CHIP_DEVICE unsigned short __builtin_amdgcn_workgroup_size_##dimension() {                       \
    return static_cast<unsigned short>(blockDim.dimension);                                        \
  }                                                                                                \
  CHIP_DEVICE unsigned int __builtin_amdgcn_grid_size_##dimension() {                              \
    return gridDim.dimension * blockDim.dimension;                                                 \
  }
CHIP_COORDINATES(x)
CHIP_COORDINATES(y)
CHIP_COORDINATES(z)
#undef CHIP_COORDINATES
