/// How many blocks of a kernel run at once: as many as the threads of a multiprocessor and its shared
/// memory (`sharedMemPerMultiprocessor`) hold, of which a block takes what the kernel declares and
/// what the launch adds. Shared memory is in bytes, blocks are counted in threads.
#pragma once

#include <hip/api/types/error_types.h>
#include <hip/api/types/launch_types.h>
#include <hip/api/types/macros.h>

HIP_API_BEGIN

/// Stores how many blocks of a kernel of the program one multiprocessor of the current device runs
/// at once. `block_size` is in threads; `shared_bytes` is the dynamic shared memory of a block in
/// bytes. The number is 0 if such a block cannot run.
/// Errors: hipErrorInvalidValue (`block_count` is null, or `block_size` is not positive), @kernel,
/// @work.
/// Stream: @none. Capture: @allowed.
hipError_t hipOccupancyMaxActiveBlocksPerMultiprocessor(int *block_count, const void *function,
                                                        int block_size, size_t shared_bytes);

/// Stores how many blocks of a kernel of the program one multiprocessor of the current device runs
/// at once. `block_size` is in threads; `shared_bytes` is the dynamic shared memory of a block in
/// bytes. The number is 0 if such a block cannot run. `flags` is hipOccupancyDefault or
/// hipOccupancyDisableCachingOverride, which changes nothing.
/// Errors: hipErrorInvalidValue (`block_count` is null, `block_size` is not positive, or `flags` is
/// unknown), @kernel, @work.
/// Stream: @none. Capture: @allowed.
hipError_t hipOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
    int *block_count, const void *function, int block_size, size_t shared_bytes,
    unsigned int flags __dparm(hipOccupancyDefault));

/// Stores the block size, in threads, that keeps most threads of the current device busy with a
/// kernel of the program, and the number of blocks with which the device is full. `shared_bytes` is
/// the dynamic shared memory of a block in bytes. `block_size_limit` is the greatest block size to
/// consider; 0 or less is no limit. Both numbers are 0 if no block can run.
/// Errors: hipErrorInvalidValue (`grid_size` or `block_size` is null), @kernel, @work.
/// Stream: @none. Capture: @allowed.
hipError_t hipOccupancyMaxPotentialBlockSize(int *grid_size, int *block_size, const void *function,
                                             size_t shared_bytes, int block_size_limit);

/// Stores how many blocks of a kernel of a module one multiprocessor runs at once. `block_size` is
/// in threads; `shared_bytes` is the dynamic shared memory of a block in bytes. The number is 0 if
/// such a block cannot run.
/// Errors: hipErrorInvalidValue (`block_count` or `function` is null, or `block_size` is not
/// positive), @function-handle, @start.
/// Stream: @none. Capture: @allowed.
hipError_t hipModuleOccupancyMaxActiveBlocksPerMultiprocessor(int *block_count,
                                                              hipFunction_t function,
                                                              int block_size, size_t shared_bytes);

/// Stores how many blocks of a kernel of a module one multiprocessor runs at once. `block_size` is
/// in threads; `shared_bytes` is the dynamic shared memory of a block in bytes. The number is 0 if
/// such a block cannot run. `flags` is hipOccupancyDefault or hipOccupancyDisableCachingOverride,
/// which changes nothing.
/// Errors: hipErrorInvalidValue (`block_count` or `function` is null, `block_size` is not positive,
/// or `flags` is unknown), @function-handle, @start.
/// Stream: @none. Capture: @allowed.
hipError_t hipModuleOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *block_count,
                                                                       hipFunction_t function,
                                                                       int block_size,
                                                                       size_t shared_bytes,
                                                                       unsigned int flags);

/// Stores the block size, in threads, that keeps most threads of the device busy with a kernel of a
/// module, and the number of blocks with which the device is full. `shared_bytes` is the dynamic
/// shared memory of a block in bytes. `block_size_limit` is the greatest block size to consider; 0 or
/// less is no limit. Both numbers are 0 if no block can run.
/// Errors: hipErrorInvalidValue (`grid_size`, `block_size` or `function` is null),
/// @function-handle, @start.
/// Stream: @none. Capture: @allowed.
hipError_t hipModuleOccupancyMaxPotentialBlockSize(int *grid_size, int *block_size,
                                                   hipFunction_t function, size_t shared_bytes,
                                                   int block_size_limit);

/// Stores the block size, in threads, that keeps most threads of the device busy with a kernel of a
/// module, and the number of blocks with which the device is full. `shared_bytes` is the dynamic
/// shared memory of a block in bytes. `block_size_limit` is the greatest block size to consider; 0 or
/// less is no limit. Both numbers are 0 if no block can run. `flags` is hipOccupancyDefault or
/// hipOccupancyDisableCachingOverride, which changes nothing.
/// Errors: hipErrorInvalidValue (`grid_size`, `block_size` or `function` is null, or `flags` is
/// unknown), @function-handle, @start.
/// Stream: @none. Capture: @allowed.
hipError_t hipModuleOccupancyMaxPotentialBlockSizeWithFlags(int *grid_size, int *block_size,
                                                            hipFunction_t function,
                                                            size_t shared_bytes,
                                                            int block_size_limit,
                                                            unsigned int flags);

HIP_API_END
