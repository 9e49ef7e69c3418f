/// Launches of kernels by name, in HIP's own notation.
#pragma once

#include <hip/api/cxx/kernel_arguments.h>
#include <hip/api/launch.h>

/// Lets a kernel's name have commas in its template arguments.
#define HIP_KERNEL_NAME(...) __VA_ARGS__

/// The variable of a kernel, where a function takes one.
#define HIP_SYMBOL(__X) __X

/// A parameter that the kernels of HIP's first versions had.
typedef int hipLaunchParm;

#ifdef HIP_TEMPLATE_KERNEL_LAUNCH
template <typename... __Args, typename __F = void (*)(__Args...)>
void hipLaunchKernelGGL(__F kernel, const dim3 &grid_dim, const dim3 &block_dim,
                        uint32_t shared_bytes, hipStream_t stream, __Args... args) {
  hip_impl::with_kernel_arguments(
      kernel, std::tuple<__Args...>(args...), [&](const void *function, void **addresses) {
        (void)hipLaunchKernel(function, grid_dim, block_dim, addresses, shared_bytes, stream);
      });
}
#else
#define hipLaunchKernelGGLInternal(kernel_, grid_dim_, block_dim_, shared_bytes_, stream_, ...)    \
  do {                                                                                             \
    kernel_<<<(grid_dim_), (block_dim_), (shared_bytes_), (stream_)>>>(__VA_ARGS__);               \
  } while (0)
#define hipLaunchKernelGGL(kernel_, ...) hipLaunchKernelGGLInternal((kernel_), __VA_ARGS__)
#endif
