/// __host__, __device__ and their kin: attributes for a HIP compiler, nothing for a host compiler.
#pragma once

#include <hip/hip_common.h>

// The guard of the header that these have in AMD's HIP: rocThrust asks by it whether they are defined, and
// takes its own back where they are not.
#ifndef HIP_INCLUDE_HIP_AMD_DETAIL_HOST_DEFINES_H
#define HIP_INCLUDE_HIP_AMD_DETAIL_HOST_DEFINES_H
#endif

#if __HIP_CLANG_ONLY__

// clang's own wrapper header defines these when it is part of the compilation.
#ifndef __CLANG_HIP_RUNTIME_WRAPPER_INCLUDED__
#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#ifndef __HIP_DEVICE_COMPILE__
#define __global__ __attribute__((global))
#else
// Compiling for SPIR-V, clang gives a kernel a calling convention of its own, so that its type is
// no longer void(Args...): no pointer to a function could hold it, no template would take it. A
// convention that is written down comes first, and one that the target does not have stands for
// the usual one. That warns.
#define __global__                                                                                 \
  _Pragma("clang diagnostic push") _Pragma("clang diagnostic ignored \"-Wignored-attributes\"")    \
      __attribute__((stdcall)) _Pragma("clang diagnostic pop") __attribute__((global))
#endif
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
/// clang drops the first attribute for SPIR-V; libCHIP's device compiler reads the second. As with
/// AMD's compiler, bounds that no launch could keep are errors.
#define __launch_bounds__(...)                                                                     \
  __attribute__((launch_bounds(__VA_ARGS__),                                                       \
                 annotate("chip.launch_bounds", chip_device::most_threads(__VA_ARGS__))))

namespace chip_device {
/// Defined nowhere: in place of a value it makes no constant, and clang names it.
__host__ __device__ int a_bound_of_launches_is_zero_or_negative();

/// The first of the arguments of __launch_bounds__.
constexpr int most_threads(int threads, int blocks = 0, int cluster_blocks = 0) {
  return threads > 0 && blocks >= 0 && cluster_blocks >= 0
             ? threads
             : a_bound_of_launches_is_zero_or_negative();
}
} // namespace chip_device

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
