// The words that the kernels of the suite are written in: HIP's. OpenCL's compiler gets the same text, in which each of them
// stands for what OpenCL says. What only HIP has, such as shuffles, is left out there.
#pragma once

#ifdef __OPENCL_VERSION__
#define KERNEL kernel void
#define GLOBAL global // where a parameter points: HIP's pointers do not say
#define SHARED local
#define __device__ static
#define __shared__ local
#define __restrict__ restrict
#define threadIdx ((uint3)(get_local_id(0), get_local_id(1), get_local_id(2)))
#define blockIdx ((uint3)(get_group_id(0), get_group_id(1), get_group_id(2)))
#define blockDim ((uint3)(get_local_size(0), get_local_size(1), get_local_size(2)))
#define gridDim ((uint3)(get_num_groups(0), get_num_groups(1), get_num_groups(2)))
#define __syncthreads() barrier(CLK_LOCAL_MEM_FENCE)
#define atomicAdd atomic_add
#define atomicCAS atomic_cmpxchg
#define expf exp
#define logf log
#define sqrtf sqrt
#define rsqrtf rsqrt
#define fabsf fabs
#define fmaxf fmax
#define fminf fmin
#define erfcf erfc
typedef long int64;
typedef ulong uint64;
#else
#include <hip/hip_cooperative_groups.h>
#include <hip/hip_fp16.h>
#include <hip/hip_runtime.h>
#define KERNEL extern "C" __global__ void
#define GLOBAL
#define SHARED
typedef long long int64;
typedef unsigned long long uint64;
#endif
typedef unsigned char byte;
