/// Kernel launches. Grids are counted in blocks, blocks in threads, dynamic shared memory in bytes.
#pragma once

#include <hip/api/language/launch_syntax.h>
#include <hip/api/types/error_types.h>
#include <hip/api/types/launch_types.h>
#include <hip/api/types/macros.h>
#include <hip/api/types/stream_types.h>

HIP_API_BEGIN

// Kernels of the program

/// Launches a kernel of the program, given by its host function; `<<<>>>` becomes this call.
/// `grid_dim` is in blocks, `block_dim` in threads, and `shared_bytes` is the dynamic shared memory
/// of a block in bytes. Element i of `args` is the address of argument i; the arguments are read
/// before the call returns.
/// Errors: @kernel, @launch.
/// Stream: @queued. Capture: @kernel-node.
hipError_t hipLaunchKernel(const void *function, dim3 grid_dim, dim3 block_dim, void **args,
                           size_t shared_bytes __dparm(0), hipStream_t stream __dparm(0));

/// Launches a kernel as hipLaunchKernel does, and records `start_event` before and `stop_event`
/// after it in the same stream. Each event may be null. `flags` is 0 or hipExtAnyOrderLaunch, which
/// allows the kernel to overtake earlier work of its stream; libCHIP keeps the order.
/// Errors: @kernel, hipErrorInvalidHandle (an event is not live, or is of another device),
/// hipErrorInvalidValue (`flags` is unknown), @launch.
/// Stream: @queued. Capture: @kernel-and-event-nodes.
hipError_t hipExtLaunchKernel(const void *function, dim3 grid_dim, dim3 block_dim, void **args,
                              size_t shared_bytes, hipStream_t stream, hipEvent_t start_event,
                              hipEvent_t stop_event, int flags);

/// Launches a kernel of the program with attributes. `config` has the sizes (grid in blocks, block
/// in threads, dynamic shared memory in bytes), the stream and the attributes; with
/// hipLaunchAttributeCooperative the launch is that of hipLaunchCooperativeKernel. The other
/// attributes are hints. Element i of `args` is the address of argument i.
/// Errors: hipErrorInvalidValue (`config` is null, or an attribute is missing or unknown), @kernel,
/// @launch-limits, @if-cooperative, @config-stream.
/// Stream: Runs after the earlier work of `config.stream` and before its later work. The host does
/// not wait. Capture: @kernel-node.
hipError_t hipLaunchKernelExC(const hipLaunchConfig_t *config, const void *function, void **args);

/// Launches a kernel whose blocks can synchronise with each other. `grid_dim` is in blocks,
/// `block_dim` in threads, and `shared_bytes` is the dynamic shared memory of a block in bytes. All
/// blocks must fit on the device at once. Element i of `params` is the address of argument i.
/// Errors: @kernel, @cooperative.
/// Stream: @queued. Capture: @kernel-node.
hipError_t hipLaunchCooperativeKernel(const void *function, dim3 grid_dim, dim3 block_dim,
                                      void **params, unsigned int shared_bytes, hipStream_t stream);

/// Launches the same cooperative kernel on several devices. `launches` has `device_count` elements,
/// which differ in stream and arguments only. Each stream is one that was created, of a device of
/// its own. All kernels wait for the earlier work of all streams unless `flags` contains
/// hipCooperativeLaunchMultiDeviceNoPreSync, and later work of all streams waits for all kernels
/// unless it contains hipCooperativeLaunchMultiDeviceNoPostSync.
/// Errors: hipErrorInvalidValue (`launches` is null, `device_count` is not from 1 to the number of
/// devices, `flags` is unknown, the launches differ, a stream is null, or two are on one device),
/// @kernel, @cooperative-limits, @config-stream.
/// Stream: Each kernel runs after the earlier work of its stream and before its later work. The
/// host does not wait. Capture: @uncapturable.
hipError_t hipLaunchCooperativeKernelMultiDevice(hipLaunchParams *launches, int device_count,
                                                 unsigned int flags);

/// Launches the same kernel on several devices. `launches` has `device_count` elements, which
/// differ in stream and arguments only. Each stream is one that was created, of a device of its
/// own. All kernels wait for the earlier work of all streams unless `flags` contains
/// hipCooperativeLaunchMultiDeviceNoPreSync, and later work of all streams waits for all kernels
/// unless it contains hipCooperativeLaunchMultiDeviceNoPostSync.
/// Errors: hipErrorInvalidValue (`launches` is null, `device_count` is not from 1 to the number of
/// devices, `flags` is unknown, the launches differ, a stream is null, or two are on one device),
/// @kernel, @launch-limits, @config-stream.
/// Stream: Each kernel runs after the earlier work of its stream and before its later work. The
/// host does not wait. Capture: @uncapturable.
hipError_t hipExtLaunchMultiKernelMultiDevice(hipLaunchParams *launches, int device_count,
                                              unsigned int flags);

// Kernels of modules

/// Launches a kernel of a module. The grid is in blocks, the block in threads, and `shared_bytes`
/// is the dynamic shared memory of a block in bytes. The arguments are given by `params`, whose
/// element i is the address of argument i, or by `extra`, which holds them in one buffer as
/// HIP_LAUNCH_PARAM_BUFFER_POINTER describes; the other one is null. @in-hip-seven
/// Errors: @module-kernel, hipErrorInvalidValue (`params` and `extra` are both given, or `extra` is
/// not valid), @module-launch.
/// Stream: @queued. Capture: @kernel-node.
hipError_t hipModuleLaunchKernel(hipFunction_t function, unsigned int grid_dim_x,
                                 unsigned int grid_dim_y, unsigned int grid_dim_z,
                                 unsigned int block_dim_x, unsigned int block_dim_y,
                                 unsigned int block_dim_z, unsigned int shared_bytes,
                                 hipStream_t stream, void **params, void **extra);

/// Launches a kernel of a module with attributes. `config` has the sizes (grid in blocks, block in
/// threads, dynamic shared memory in bytes), the stream and the attributes; with
/// hipLaunchAttributeCooperative the launch is that of hipModuleLaunchCooperativeKernel. The
/// arguments are given by `params` or by `extra`, as for hipModuleLaunchKernel.
/// Errors: hipErrorInvalidValue (`config` is null, an attribute is missing or unknown, or `params`
/// and `extra` are not valid), hipErrorInvalidResourceHandle (`function` is no kernel of a loaded
/// module, or is of another device than the stream), @launch-limits, @if-cooperative, @config-stream.
/// Stream: Runs after the earlier work of `config.hStream` and before its later work. The host does
/// not wait. Capture: @kernel-node.
hipError_t hipDrvLaunchKernelEx(const HIP_LAUNCH_CONFIG *config, hipFunction_t function,
                                void **params, void **extra);

/// Launches a kernel of a module whose blocks can synchronise with each other. The grid is in
/// blocks, the block in threads, and `shared_bytes` is the dynamic shared memory of a block in
/// bytes. All blocks must fit on the device at once. Element i of `params` is the address of
/// argument i. @in-hip-seven There, too much shared memory has hipErrorCooperativeLaunchTooLarge.
/// Errors: @module-kernel, @module-cooperative.
/// Stream: @queued. Capture: @kernel-node.
hipError_t hipModuleLaunchCooperativeKernel(hipFunction_t function, unsigned int grid_dim_x,
                                            unsigned int grid_dim_y, unsigned int grid_dim_z,
                                            unsigned int block_dim_x, unsigned int block_dim_y,
                                            unsigned int block_dim_z, unsigned int shared_bytes,
                                            hipStream_t stream, void **params);

/// Launches cooperative kernels of modules on several devices. `launches` has `device_count`
/// elements, each with a stream that was created, of a device of its own, and that device's function
/// of the same name. All kernels wait for the earlier work of all streams unless `flags` contains
/// hipCooperativeLaunchMultiDeviceNoPreSync, and later work of all streams waits for all kernels
/// unless it contains hipCooperativeLaunchMultiDeviceNoPostSync.
/// Errors: hipErrorInvalidValue (`launches` is null, `device_count` is not from 1 to the number of
/// devices, `flags` is unknown, the sizes or the names of the functions differ, a stream is null, or
/// two are on one device), hipErrorInvalidResourceHandle (a function is null, or is of another device
/// than its stream), @cooperative-limits, @config-stream.
/// Stream: Each kernel runs after the earlier work of its stream and before its later work. The
/// host does not wait. Capture: @uncapturable.
hipError_t hipModuleLaunchCooperativeKernelMultiDevice(hipFunctionLaunchParams *launches,
                                                       unsigned int device_count,
                                                       unsigned int flags);

// Launches in several calls

/// Stores the sizes and the stream for the next hipLaunchByPtr of the calling thread. `grid_dim` is
/// in blocks, `block_dim` in threads, `shared_bytes` in bytes.
/// Errors: hipErrorOutOfMemory (there is not enough memory).
/// Stream: @none. Capture: @allowed.
hipError_t hipConfigureCall(dim3 grid_dim, dim3 block_dim, size_t shared_bytes __dparm(0),
                            hipStream_t stream __dparm(0));

/// Stores an argument for the next hipLaunchByPtr of the calling thread: `size` bytes, which are
/// copied, at `offset` bytes in the buffer of arguments.
/// Errors: hipErrorInvalidValue (`arg` is null, or `size` or `offset` is more than 16 MiB),
/// hipErrorOutOfMemory (there is not enough memory).
/// Stream: @none. Capture: @allowed.
hipError_t hipSetupArgument(const void *arg, size_t size, size_t offset);

/// Launches a kernel of the program with the sizes, the stream and the arguments that
/// hipConfigureCall and hipSetupArgument stored.
/// Errors: hipErrorMissingConfiguration (hipConfigureCall was not called before), @kernel,
/// hipErrorInvalidValue (the buffer of arguments is too small), @launch-limits, @config-stream.
/// Stream: Runs after the earlier work of the stream of hipConfigureCall and before its later work.
/// The host does not wait. Capture: @kernel-node.
hipError_t hipLaunchByPtr(const void *function);

HIP_API_END
