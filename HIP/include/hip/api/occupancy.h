/// How many blocks of a kernel run at once. Shared memory is in bytes, blocks are counted in
/// threads.
#pragma once

#include <hip/api/error_types.h>
#include <hip/api/launch_types.h>
#include <hip/api/macros.h>

HIP_API_BEGIN

/// How many blocks of this size a multiprocessor runs at once.
hipError_t hipOccupancyMaxActiveBlocksPerMultiprocessor(int *block_count, const void *function,
                                                        int block_size, size_t shared_bytes);

/// The same with hipOccupancy* flags.
hipError_t hipOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
    int *block_count, const void *function, int block_size, size_t shared_bytes,
    unsigned int flags __dparm(hipOccupancyDefault));

/// The block size that keeps the device busiest, and the least grid that does. A limit of 0 is
/// none.
hipError_t hipOccupancyMaxPotentialBlockSize(int *grid_size, int *block_size, const void *function,
                                             size_t shared_bytes, int block_size_limit);

/// hipOccupancyMaxActiveBlocksPerMultiprocessor for a kernel of a module.
hipError_t hipModuleOccupancyMaxActiveBlocksPerMultiprocessor(int *block_count,
                                                              hipFunction_t function,
                                                              int block_size, size_t shared_bytes);

/// The same with hipOccupancy* flags.
hipError_t hipModuleOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *block_count,
                                                                       hipFunction_t function,
                                                                       int block_size,
                                                                       size_t shared_bytes,
                                                                       unsigned int flags);

/// hipOccupancyMaxPotentialBlockSize for a kernel of a module.
hipError_t hipModuleOccupancyMaxPotentialBlockSize(int *grid_size, int *block_size,
                                                   hipFunction_t function, size_t shared_bytes,
                                                   int block_size_limit);

/// The same with hipOccupancy* flags.
hipError_t hipModuleOccupancyMaxPotentialBlockSizeWithFlags(int *grid_size, int *block_size,
                                                            hipFunction_t function,
                                                            size_t shared_bytes,
                                                            int block_size_limit,
                                                            unsigned int flags);

HIP_API_END
