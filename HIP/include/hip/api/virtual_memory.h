/// Virtual memory: addresses and the memory behind them are managed separately.
#pragma once

#include <hip/api/types/error_types.h>
#include <hip/api/types/macros.h>
#include <hip/api/types/memory_types.h>

HIP_API_BEGIN

/// Reserves `size` bytes of addresses without memory behind them, for memory of the current device
/// and of others with the same Level Zero driver. `size` is a multiple of the granularity of
/// hipMemGetAllocationGranularity; `alignment` is 0 or a power of two, in bytes; `address` is the
/// wanted address or null, and other addresses are reserved where that is not free; `flags` is 0.
/// Errors: hipErrorInvalidValue (`reserved` is null, or `flags` is not 0), hipErrorOutOfMemory
/// (`size` is 0 or not a multiple of the granularity, `alignment` is not a power of two, or no such
/// addresses are free), hipErrorNotSupported (the driver has no virtual memory), @work.
/// Stream: @none. Capture: @allowed.
hipError_t hipMemAddressReserve(void **reserved, size_t size, size_t alignment, void *address,
                                unsigned long long flags);

/// Gives back addresses that hipMemAddressReserve reserved. `size` is that of the reservation, in
/// bytes. Nothing may be mapped there any more.
/// Errors: hipErrorInvalidValue (`address` is null, or `size` is 0), hipErrorUnknown (the addresses
/// are not those of one reservation, or memory is mapped there), @start.
/// Stream: @none. Capture: @allowed.
hipError_t hipMemAddressFree(void *address, size_t size);

/// Stores the number of bytes of which sizes and addresses for hipMemCreate and hipMemMap are
/// multiples. `option` chooses the least number or the recommended one; in libCHIP they are the same.
/// Errors: hipErrorInvalidValue (`granularity` or `properties` is null, a property is not valid, or
/// `option` is unknown), hipErrorNotSupported (the driver has no virtual memory), @start.
/// Stream: @none. Capture: @allowed.
hipError_t hipMemGetAllocationGranularity(size_t *granularity,
                                          const hipMemAllocationProp *properties,
                                          hipMemAllocationGranularity_flags option);

/// Creates memory without an address, of `size` bytes, on the device that `properties` names.
/// `size` is a multiple of the granularity of hipMemGetAllocationGranularity. `flags` is 0.
/// Errors: hipErrorInvalidValue (`handle` or `properties` is null, `size` is 0 or not a multiple of
/// the granularity, a property is not valid, or `flags` is not 0), hipErrorNotSupported (handles of
/// the wanted type cannot be exported, or the driver has no virtual memory), @memory.
/// Stream: @none. Capture: @allowed.
hipError_t hipMemCreate(hipMemGenericAllocationHandle_t *handle, size_t size,
                        const hipMemAllocationProp *properties, unsigned long long flags);

/// Releases memory of hipMemCreate. It is freed when it is no longer mapped and no other handle
/// refers to it.
/// Errors: hipErrorInvalidValue (`handle` is not live), @start.
/// Stream: @none. Capture: @allowed.
hipError_t hipMemRelease(hipMemGenericAllocationHandle_t handle);

/// Maps the first `size` bytes of memory to reserved addresses. `address` and `size` are multiples of
/// the granularity; `offset` and `flags` are 0. hipMemSetAccess has to follow before the memory can
/// be used. Copies and fills may go through several mappings that follow each other in one
/// reservation.
/// Errors: hipErrorInvalidValue (`address` is null, not reserved or in use, `size` is not valid,
/// `handle` is not live, or `offset` or `flags` is not 0), hipErrorNotSupported (the driver maps
/// memory only as a whole and in one place at a time, or the addresses were reserved for another
/// driver), @work.
/// Stream: @none. Capture: @allowed.
hipError_t hipMemMap(void *address, size_t size, size_t offset,
                     hipMemGenericAllocationHandle_t handle, unsigned long long flags);

/// Unmaps the memory behind `size` bytes of addresses, which stay reserved. The range is that of
/// one or more calls of hipMemMap.
/// Errors: hipErrorInvalidValue (`address` is null, or nothing is mapped to the range), @work.
/// Stream: The host waits for the work that may use the memory. Capture: @unsafe.
hipError_t hipMemUnmap(void *address, size_t size);

/// Changes the memory behind sparse arrays. `changes` has `count` elements. libCHIP has no such
/// arrays.
/// Errors: hipErrorInvalidValue (`changes` is null, or `count` is 0), hipErrorNotSupported
/// (otherwise), @stream.
/// Stream: @queued. Capture: @uncapturable.
hipError_t hipMemMapArrayAsync(hipArrayMapInfo *changes, unsigned int count, hipStream_t stream);

/// Sets which devices may use `size` bytes of mapped memory, which is all of what one or more calls
/// of hipMemMap mapped. `description` has `count` elements; what it does not name stays as it is.
/// Copies and fills refuse memory that no device may use so. Level Zero knows one access for all
/// devices: kernels of each may do what one of them may, and with drivers for GPUs everything.
/// Errors: hipErrorInvalidValue (`address` or `description` is null, `size` or `count` is 0, the
/// range is not that of mappings, an access is unknown, or an element names no device that can reach the memory), @work.
/// Stream: @none. Capture: @allowed.
hipError_t hipMemSetAccess(void *address, size_t size, const hipMemAccessDesc *description,
                           size_t count);

/// Stores what the device at `location` may do with mapped memory, as a hipMemAccessFlags value.
/// Errors: hipErrorInvalidValue (an argument is null, `location` is not a device, or `address` is
/// not mapped), @start.
/// Stream: @none. Capture: @allowed.
hipError_t hipMemGetAccess(unsigned long long *flags, const hipMemLocation *location,
                           void *address);

/// Stores the properties with which memory was created.
/// Errors: hipErrorInvalidValue (`properties` is null, or `handle` is not live), @start.
/// Stream: @none. Capture: @allowed.
hipError_t hipMemGetAllocationPropertiesFromHandle(hipMemAllocationProp *properties,
                                                   hipMemGenericAllocationHandle_t handle);

/// Stores the handle of the memory that is mapped to `address`, and adds a reference to it, which
/// hipMemRelease removes.
/// Errors: hipErrorInvalidValue (`handle` or `address` is null, or nothing is mapped there),
/// @start.
/// Stream: @none. Capture: @allowed.
hipError_t hipMemRetainAllocationHandle(hipMemGenericAllocationHandle_t *handle, void *address);

/// Stores a handle of the operating system by which another process can import the memory.
/// `os_handle` points to an int for a file descriptor, which is the program's to close; the memory
/// was created with the same `type`. `flags` is 0.
/// Errors: hipErrorInvalidValue (`os_handle` is null, `handle` is not live or was not created with
/// `type`, or `flags` is not 0), hipErrorNotSupported (the driver cannot export memory), @memory.
/// Stream: @none. Capture: @allowed.
hipError_t hipMemExportToShareableHandle(void *os_handle, hipMemGenericAllocationHandle_t handle,
                                         hipMemAllocationHandleType type, unsigned long long flags);

/// Creates a handle for memory of another process, on the current device. `os_handle` points to a
/// file descriptor, or is the descriptor itself, as in programs for CUDA; it stays the program's. The
/// memory lives as long as one of the processes has it.
/// Errors: hipErrorInvalidValue (`handle` is null, or `os_handle` or `type` is not valid),
/// hipErrorNotSupported (the driver cannot import memory), @memory.
/// Stream: @none. Capture: @allowed.
hipError_t hipMemImportFromShareableHandle(hipMemGenericAllocationHandle_t *handle, void *os_handle,
                                           hipMemAllocationHandleType type);

HIP_API_END
