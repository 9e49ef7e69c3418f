/// Addresses and the memory behind them, each for itself.
#pragma once

#include <hip/api/error_types.h>
#include <hip/api/macros.h>
#include <hip/api/memory_types.h>

HIP_API_BEGIN

/// Reserves addresses without memory. `address` is a wish, `alignment` 0 or a power of two, `flags`
/// 0.
hipError_t hipMemAddressReserve(void **reserved, size_t size, size_t alignment, void *address,
                                unsigned long long flags);

/// Gives reserved addresses back; nothing may be mapped there any more.
hipError_t hipMemAddressFree(void *address, size_t size);

/// What sizes and addresses must be multiples of, in bytes.
hipError_t hipMemGetAllocationGranularity(size_t *granularity,
                                          const hipMemAllocationProp *properties,
                                          hipMemAllocationGranularity_flags option);

/// Memory without an address. `flags` is 0.
hipError_t hipMemCreate(hipMemGenericAllocationHandle_t *handle, size_t size,
                        const hipMemAllocationProp *properties, unsigned long long flags);

/// Ends memory as soon as it is mapped nowhere.
hipError_t hipMemRelease(hipMemGenericAllocationHandle_t handle);

/// Puts memory behind reserved addresses. `offset` and `flags` are 0.
hipError_t hipMemMap(void *address, size_t size, size_t offset,
                     hipMemGenericAllocationHandle_t handle, unsigned long long flags);

/// Takes the memory away from behind addresses.
hipError_t hipMemUnmap(void *address, size_t size);

/// Changes the memory behind sparse arrays, in stream order.
hipError_t hipMemMapArrayAsync(hipArrayMapInfo *changes, unsigned int count, hipStream_t stream);

/// Which devices may use mapped memory.
hipError_t hipMemSetAccess(void *address, size_t size, const hipMemAccessDesc *description,
                           size_t count);

/// What a device may do with mapped memory.
hipError_t hipMemGetAccess(unsigned long long *flags, const hipMemLocation *location,
                           void *address);

/// The properties that memory was made with.
hipError_t hipMemGetAllocationPropertiesFromHandle(hipMemAllocationProp *properties,
                                                   hipMemGenericAllocationHandle_t handle);

/// The memory behind an address, with one more reference to it.
hipError_t hipMemRetainAllocationHandle(hipMemGenericAllocationHandle_t *handle, void *address);

/// A handle of the operating system for memory. `flags` is 0.
hipError_t hipMemExportToShareableHandle(void *os_handle, hipMemGenericAllocationHandle_t handle,
                                         hipMemAllocationHandleType type, unsigned long long flags);

/// Memory of another process.
hipError_t hipMemImportFromShareableHandle(hipMemGenericAllocationHandle_t *handle, void *os_handle,
                                           hipMemAllocationHandleType type);

HIP_API_END
