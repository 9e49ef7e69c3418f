/// Memory in stream order, and its pools.
#pragma once

#include <hip/api/error_types.h>
#include <hip/api/macros.h>
#include <hip/api/memory_types.h>

HIP_API_BEGIN

/// Memory from the current pool of the stream's device, which the work of the stream may use from
/// here on.
hipError_t hipMallocAsync(void **address, size_t size, hipStream_t stream);

/// hipMallocAsync from a given pool.
hipError_t hipMallocFromPoolAsync(void **address, size_t size, hipMemPool_t pool,
                                  hipStream_t stream);

/// Frees memory when the stream gets there.
hipError_t hipFreeAsync(void *address, hipStream_t stream);

/// A new pool.
hipError_t hipMemPoolCreate(hipMemPool_t *pool, const hipMemPoolProps *properties);

/// Ends a pool when the last memory from it is freed. A device's own pool gives
/// hipErrorInvalidValue.
hipError_t hipMemPoolDestroy(hipMemPool_t pool);

/// Gives memory that nobody uses back to the system, but keeps `min_bytes`.
hipError_t hipMemPoolTrimTo(hipMemPool_t pool, size_t min_bytes);

/// Sets an attribute of a pool; see hipMemPoolAttr for its type.
hipError_t hipMemPoolSetAttribute(hipMemPool_t pool, hipMemPoolAttr attribute, void *value);

/// An attribute of a pool; see hipMemPoolAttr for its type.
hipError_t hipMemPoolGetAttribute(hipMemPool_t pool, hipMemPoolAttr attribute, void *value);

/// Which devices may use memory of the pool.
hipError_t hipMemPoolSetAccess(hipMemPool_t pool, const hipMemAccessDesc *descriptions,
                               size_t count);

/// What a device may do with memory of the pool.
hipError_t hipMemPoolGetAccess(hipMemAccessFlags *flags, hipMemPool_t pool,
                               hipMemLocation *location);

// Between processes

/// A handle of the operating system for a pool. `flags` is 0.
hipError_t hipMemPoolExportToShareableHandle(void *os_handle, hipMemPool_t pool,
                                             hipMemAllocationHandleType type, unsigned int flags);

/// A pool of another process. `flags` is 0.
hipError_t hipMemPoolImportFromShareableHandle(hipMemPool_t *pool, void *os_handle,
                                               hipMemAllocationHandleType type, unsigned int flags);

/// Bytes that name an allocation of an exported pool.
hipError_t hipMemPoolExportPointer(hipMemPoolPtrExportData *data, void *address);

/// The address of an allocation of an imported pool.
hipError_t hipMemPoolImportPointer(void **address, hipMemPool_t pool,
                                   hipMemPoolPtrExportData *data);

HIP_API_END
