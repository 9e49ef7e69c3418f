/// Kernel launches. Grids are counted in blocks, blocks in threads, dynamic shared memory in bytes.
#pragma once

#include <hip/api/error_types.h>
#include <hip/api/launch_types.h>
#include <hip/api/macros.h>
#include <hip/api/stream_types.h>

HIP_API_BEGIN

// Of a program's own kernels

/// Launches the kernel behind a host function; `args` holds the address of each argument. This is
/// what `<<<>>>` becomes. hipErrorInvalidConfiguration for more threads than the device can run,
/// hipErrorInvalidValue for none at all and for too much shared memory.
hipError_t hipLaunchKernel(const void *function, dim3 grid_dim, dim3 block_dim, void **args,
                           size_t shared_bytes __dparm(0), hipStream_t stream __dparm(0));

/// hipLaunchKernel with events before and after the kernel; `flags` is hipExtAnyOrderLaunch or 0.
hipError_t hipExtLaunchKernel(const void *function, dim3 grid_dim, dim3 block_dim, void **args,
                              size_t shared_bytes, hipStream_t stream, hipEvent_t start_event,
                              hipEvent_t stop_event, int flags);

/// hipLaunchKernel with attributes; hipLaunchAttributeCooperative launches as
/// hipLaunchCooperativeKernel does.
hipError_t hipLaunchKernelExC(const hipLaunchConfig_t *config, const void *function, void **args);

/// hipLaunchKernel of a kernel that synchronises its whole grid. hipErrorCooperativeLaunchTooLarge
/// if not all blocks fit at once.
hipError_t hipLaunchCooperativeKernel(const void *function, dim3 grid_dim, dim3 block_dim,
                                      void **params, unsigned int shared_bytes, hipStream_t stream);

/// One cooperative kernel on several devices; flags are hipCooperativeLaunchMultiDevice*.
hipError_t hipLaunchCooperativeKernelMultiDevice(hipLaunchParams *launches, int device_count,
                                                 unsigned int flags);

/// Kernels on several devices that start together.
hipError_t hipExtLaunchMultiKernelMultiDevice(hipLaunchParams *launches, int device_count,
                                              unsigned int flags);

// Of a module's kernels

/// Launches a kernel of a module; the arguments are in `params` or in `extra`.
hipError_t hipModuleLaunchKernel(hipFunction_t function, unsigned int grid_dim_x,
                                 unsigned int grid_dim_y, unsigned int grid_dim_z,
                                 unsigned int block_dim_x, unsigned int block_dim_y,
                                 unsigned int block_dim_z, unsigned int shared_bytes,
                                 hipStream_t stream, void **params, void **extra);

/// hipModuleLaunchKernel with attributes.
hipError_t hipDrvLaunchKernelEx(const HIP_LAUNCH_CONFIG *config, hipFunction_t function,
                                void **params, void **extra);

/// hipModuleLaunchKernel of a kernel that synchronises its whole grid.
hipError_t hipModuleLaunchCooperativeKernel(hipFunction_t function, unsigned int grid_dim_x,
                                            unsigned int grid_dim_y, unsigned int grid_dim_z,
                                            unsigned int block_dim_x, unsigned int block_dim_y,
                                            unsigned int block_dim_z, unsigned int shared_bytes,
                                            hipStream_t stream, void **params);

/// One cooperative kernel on several devices.
hipError_t hipModuleLaunchCooperativeKernelMultiDevice(hipFunctionLaunchParams *launches,
                                                       unsigned int device_count,
                                                       unsigned int flags);

// Piece by piece

/// Remembers the sizes of the next launch of this thread.
hipError_t hipConfigureCall(dim3 grid_dim, dim3 block_dim, size_t shared_bytes __dparm(0),
                            hipStream_t stream __dparm(0));

/// Remembers an argument of the next launch: `size` bytes at `offset`.
hipError_t hipSetupArgument(const void *arg, size_t size, size_t offset);

/// Launches with what hipConfigureCall and hipSetupArgument remembered;
/// hipErrorMissingConfiguration without them.
hipError_t hipLaunchByPtr(const void *function);

/// Remembers what stands in `<<<>>>` while the arguments are evaluated. The compiler calls it.
hipError_t __hipPushCallConfiguration(dim3 grid_dim, dim3 block_dim, size_t shared_bytes __dparm(0),
                                      hipStream_t stream __dparm(0));

/// What __hipPushCallConfiguration remembered. The compiler calls it.
hipError_t __hipPopCallConfiguration(dim3 *grid_dim, dim3 *block_dim, size_t *shared_bytes,
                                     hipStream_t *stream);

HIP_API_END
