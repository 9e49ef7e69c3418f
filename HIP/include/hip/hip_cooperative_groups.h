/// Namespace cooperative_groups: the threads of a grid, of a block, of a part of a warp as objects
/// that synchronise and exchange values. For code that is compiled as HIP.
#ifndef HIP_INCLUDE_HIP_HIP_COOPERATIVE_GROUPS_H
#define HIP_INCLUDE_HIP_HIP_COOPERATIVE_GROUPS_H

#include <hip/hip_common.h>
#include <hip/hip_version.h>

#if defined(__cplusplus) && __HIP_CLANG_ONLY__
#include <hip/hip_runtime.h>

#include <hip/spirv_detail/cooperative_groups.h>
#endif

#endif
