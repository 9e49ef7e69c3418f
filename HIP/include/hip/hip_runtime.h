/// All of HIP: the host interface, vector types, and, for a HIP compiler, what kernels use.
#ifndef HIP_INCLUDE_HIP_HIP_RUNTIME_H
#define HIP_INCLUDE_HIP_HIP_RUNTIME_H

#if !defined(__HIPCC_RTC__)
// Programs have come to rely on these.
#include <assert.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#ifdef __cplusplus
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <thread>
#include <tuple>
#ifdef __HIP__
// AMD's compiler includes these before the first line of every HIP source; <complex> brings std::stringstream.
#include <algorithm>
#include <complex>
#include <new>
#endif
#else
#include <math.h>
#include <stddef.h>
#endif
#endif

#include <hip/hip_common.h>
#include <hip/hip_version.h>

#include <hip/api/types/dim3.h>
#include <hip/hip_vector_types.h>

#if !defined(__HIPCC_RTC__)
#include <hip/hip_runtime_api.h>
#include <hip/library_types.h>
#else
#include <hip/driver_types.h>
#include <hip/surface_types.h>
#include <hip/texture_types.h>
#endif

#if defined(__cplusplus) && __HIP_CLANG_ONLY__
#define CUDA_SUCCESS hipSuccess
#ifndef __align__
#define __align__(x) __attribute__((aligned(x)))
#endif
#if !defined(__HIPCC_RTC__)
#include <hip/api/cxx/kernel_launch.h>
#endif
#include <hip/spirv_detail/device.h>
#endif

#endif
