/// __host__, __device__ and their kin: attributes for a HIP compiler, nothing for a host compiler.
#pragma once

#include <hip/hip_common.h>

#if __HIP_CLANG_ONLY__

// clang's own wrapper header defines these when it is part of the compilation.
#ifndef __CLANG_HIP_RUNTIME_WRAPPER_INCLUDED__
#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __managed__ __attribute__((managed))
#endif

// Where clang knows __noinline__ as a keyword, a macro would break __attribute__((__noinline__)).
#if !__has_feature(cuda_noinline_keyword)
#define __noinline__ __attribute__((noinline))
#endif
#define __forceinline__ inline __attribute__((always_inline))

/// The most threads of a block that the kernel is launched with, and how many such blocks a
/// multiprocessor should be able to run at once.
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))

/// An array in the shared memory that a launch adds; its size is known only there.
#define HIP_DYNAMIC_SHARED(type, var) extern __shared__ type var[];
#define HIP_DYNAMIC_SHARED_ATTRIBUTE

#else

#define __host__
#define __device__
#define __global__
#define __shared__
#define __constant__
#define __managed__
#define __forceinline__ inline
// No __noinline__ here: standard headers that come later may spell the attribute that way.

#endif
