/// Launches that CUDA does not have: grids counted in threads, events around the kernel.
#ifndef HIP_INCLUDE_HIP_HIP_EXT_H
#define HIP_INCLUDE_HIP_HIP_EXT_H

#include <hip/hip_runtime.h>
#ifdef __cplusplus
#include <hip/api/cxx/kernel_arguments.h>
#endif

HIP_API_BEGIN

/// Launches a kernel of a module, and records `start_event` before and `stop_event` after it in the
/// same stream. The global sizes are the threads of the whole grid, and the local sizes those of a
/// block. In each dimension the grid has whole blocks, or less than one, which then has its threads
/// and no more. `shared_bytes` is the dynamic shared memory of a block in bytes.
/// The arguments are given by `params` or by `extra`, as for hipModuleLaunchKernel. Each event may
/// be null. `flags` is 0 or hipExtAnyOrderLaunch, which allows the kernel to overtake earlier work
/// of its stream; libCHIP keeps the order. @in-hip-seven
/// Errors: @module-kernel, hipErrorInvalidHandle (an event is not live, or is of another device),
/// hipErrorInvalidValue (`flags` is unknown, `params` and `extra` are both given, `extra` is not
/// valid, or a global size above the local size is no multiple of it), @module-launch.
/// Stream: @queued. Capture: @kernel-and-event-nodes.
hipError_t hipExtModuleLaunchKernel(hipFunction_t function, uint32_t global_x, uint32_t global_y,
                                    uint32_t global_z, uint32_t local_x, uint32_t local_y,
                                    uint32_t local_z, size_t shared_bytes, hipStream_t stream,
                                    void **params, void **extra,
                                    hipEvent_t start_event __dparm(NULL),
                                    hipEvent_t stop_event __dparm(NULL), uint32_t flags __dparm(0));

/// Launches a kernel of a module, and records `start_event` before and `stop_event` after it in the
/// same stream. The global sizes are the threads of the whole grid, and the local sizes those of a
/// block. In each dimension the grid has whole blocks, or less than one, which then has its threads
/// and no more. `shared_bytes` is the dynamic shared memory of a block in bytes.
/// The arguments are given by `params` or by `extra`, as for hipModuleLaunchKernel. Each event may
/// be null. @in-hip-seven
/// Errors: @module-kernel, hipErrorInvalidHandle (an event is not live, or is of another device),
/// hipErrorInvalidValue (`params` and `extra` are both given, `extra` is not valid, or a global size
/// above the local size is no multiple of it), @module-launch.
/// Stream: @queued. Capture: @kernel-and-event-nodes.
HIP_DEPRECATED("use hipExtModuleLaunchKernel")
hipError_t hipHccModuleLaunchKernel(hipFunction_t function, uint32_t global_x, uint32_t global_y,
                                    uint32_t global_z, uint32_t local_x, uint32_t local_y,
                                    uint32_t local_z, size_t shared_bytes, hipStream_t stream,
                                    void **params, void **extra,
                                    hipEvent_t start_event __dparm(NULL),
                                    hipEvent_t stop_event __dparm(NULL));

HIP_API_END

#if HIP_API_IS_7 // hip/api/later/changed_in_7.h says what differs
HIP_API_EXTERN_C_BEGIN
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
hipError_t hipExtModuleLaunchKernel(hipFunction_t function, uint32_t global_x, uint32_t global_y,
                                    uint32_t global_z, uint32_t local_x, uint32_t local_y,
                                    uint32_t local_z, size_t shared_bytes, hipStream_t stream,
                                    void **params, void **extra, hipEvent_t start_event,
                                    hipEvent_t stop_event,
                                    uint32_t flags) __asm__("hipExtModuleLaunchKernelR0700");
hipError_t hipHccModuleLaunchKernel(hipFunction_t function, uint32_t global_x, uint32_t global_y,
                                    uint32_t global_z, uint32_t local_x, uint32_t local_y,
                                    uint32_t local_z, size_t shared_bytes, hipStream_t stream,
                                    void **params, void **extra, hipEvent_t start_event,
                                    hipEvent_t stop_event) __asm__("hipHccModuleLaunchKernelR0700");
#pragma GCC diagnostic pop
HIP_API_EXTERN_C_END
#endif

#ifdef __cplusplus
/// hipExtLaunchKernel with the arguments as they are; they are converted to what the kernel takes.
template <typename... __Args, typename __F = void (*)(__Args...)>
inline void hipExtLaunchKernelGGL(__F kernel, const dim3 &grid_dim, const dim3 &block_dim,
                                  uint32_t shared_bytes, hipStream_t stream, hipEvent_t start_event,
                                  hipEvent_t stop_event, uint32_t flags, __Args... args) {
  hip_impl::with_kernel_arguments(
      kernel, std::tuple<__Args...>(args...), [&](const void *function, void **addresses) {
        (void)hipExtLaunchKernel(function, grid_dim, block_dim, addresses, shared_bytes, stream,
                                 start_event, stop_event, static_cast<int>(flags));
      });
}
#endif

#endif
