/// Allocation in stream order, and memory pools.
#pragma once

#include <hip/api/types/error_types.h>
#include <hip/api/types/macros.h>
#include <hip/api/types/memory_types.h>

HIP_API_BEGIN

/// Allocates `size` bytes from the current pool of the stream's device. The address is stored at
/// once; work may use the memory if it is ordered after this point of the stream. A size of 0 gives
/// a null pointer and no error.
/// Errors: hipErrorInvalidValue (`address` is null), hipErrorInvalidHandle (`stream` is not a live
/// stream), @memory.
/// Stream: The allocation takes its place in the order of `stream`. The host does not wait, unless
/// memory is short. Capture: Captured as a memory allocation node.
hipError_t hipMallocAsync(void **address, size_t size, hipStream_t stream);

/// Allocates `size` bytes from a pool. The address is stored at once; work may use the memory if it
/// is ordered after this point of the stream. A size of 0 gives a null pointer and no error.
/// Errors: hipErrorInvalidValue (`address` is null, or `pool` is not a live pool or was imported),
/// hipErrorInvalidHandle (`stream` is not a live stream), hipErrorOutOfMemory (the pool would have
/// more than its `maxSize`, or there is not enough memory), @work.
/// Stream: The allocation takes its place in the order of `stream`. The host does not wait, unless
/// memory is short. Capture: Captured as a memory allocation node.
hipError_t hipMallocFromPoolAsync(void **address, size_t size, hipMemPool_t pool,
                                  hipStream_t stream);

/// Frees memory at this point of the stream. Memory of a pool returns to it, and what was imported
/// is unmapped; for memory of hipMalloc and hipMallocManaged the host waits, as hipFree does. Work
/// that uses the memory has to be ordered before. If the device of the stream is lost, the call
/// waits for what still runs, frees the memory and returns that error.
/// Errors: hipErrorInvalidValue (`address` is null, or is not the beginning of such an allocation),
/// hipErrorInvalidHandle (`stream` is not a live stream), @work.
/// Stream: @queued. Capture: Captured as a memory free node.
hipError_t hipFreeAsync(void *address, hipStream_t stream);

/// Creates a pool on the device that `properties` names. `properties.maxSize` limits its memory in
/// bytes; 0 means no limit. `properties.handleTypes` is hipMemHandleTypeNone, or
/// hipMemHandleTypePosixFileDescriptor for a pool that can be exported.
/// Errors: hipErrorInvalidValue (`pool` or `properties` is null, or a property is not valid),
/// @memory.
/// Stream: @none. Capture: @allowed.
hipError_t hipMemPoolCreate(hipMemPool_t *pool, const hipMemPoolProps *properties);

/// Destroys a pool. Memory from it stays valid, and the pool ends when all of it has been freed.
/// The current pool of a device becomes the default pool again.
/// Errors: hipErrorInvalidValue (`pool` is not a live pool, or is the default pool of a device).
/// Stream: @none. Capture: @allowed.
hipError_t hipMemPoolDestroy(hipMemPool_t pool);

/// Gives memory of the pool that is not in use back to the system, as long as the pool has more
/// than `min_bytes` bytes. What was freed in a stream is in use until the stream has got there.
/// Errors: hipErrorInvalidValue (`pool` is not a live pool), @work.
/// Stream: @none. Capture: @allowed.
hipError_t hipMemPoolTrimTo(hipMemPool_t pool, size_t min_bytes);

/// Sets an attribute of a pool. `value` points to an int for the reuse attributes and to a
/// uint64_t, in bytes, for the others. The high-water marks can be set to 0 only. When the program
/// waits for a stream, an event or the device, memory that is not in use leaves the pool as far as
/// it has more than the release threshold. It goes back to the system a few waits later, unless the
/// pool needs it again.
/// Errors: hipErrorInvalidValue (`pool` is not a live pool, `value` is null, or `attribute` is
/// unknown or cannot be set to the value).
/// Stream: @none. Capture: @allowed.
hipError_t hipMemPoolSetAttribute(hipMemPool_t pool, hipMemPoolAttr attribute, void *value);

/// Stores an attribute of a pool. `value` points to an int for the reuse attributes and to a
/// uint64_t, in bytes, for the others.
/// Errors: hipErrorInvalidValue (`pool` is not a live pool, `value` is null, or `attribute` is
/// unknown).
/// Stream: @none. Capture: @allowed.
hipError_t hipMemPoolGetAttribute(hipMemPool_t pool, hipMemPoolAttr attribute, void *value);

/// Sets which devices may use the memory of a pool. `descriptions` has `count` elements. The pool's
/// own device keeps its access. It is only remembered: a device that can reach memory of another
/// one, which hipDeviceCanAccessPeer tells, can use it in any case.
/// Errors: hipErrorInvalidValue (`pool` is not a live pool, `descriptions` is null, or an element is
/// not valid), hipErrorInvalidDevice (an element names no device or takes access from the pool's own
/// device, or more elements than devices are given), @start.
/// Stream: @none. Capture: @allowed.
hipError_t hipMemPoolSetAccess(hipMemPool_t pool, const hipMemAccessDesc *descriptions,
                               size_t count);

/// Stores what the device at `location` may do with the memory of a pool.
/// Errors: hipErrorInvalidValue (an argument is null, `pool` is not a live pool, or `location` is
/// not a device).
/// Stream: @none. Capture: @allowed.
hipError_t hipMemPoolGetAccess(hipMemAccessFlags *flags, hipMemPool_t pool,
                               hipMemLocation *location);

// Between processes

/// Stores a handle of the operating system by which another process can import the pool.
/// `os_handle` points to an int for a file descriptor, which is the program's to close; the pool was
/// created with the same `type`. `flags` is 0.
/// Errors: hipErrorInvalidValue (`os_handle` is null, `pool` is not a live pool or was not created
/// with `type`, or `flags` is not 0), hipErrorOutOfMemory (the process has as many descriptors as it
/// may have).
/// Stream: @none. Capture: @allowed.
hipError_t hipMemPoolExportToShareableHandle(void *os_handle, hipMemPool_t pool,
                                             hipMemAllocationHandleType type, unsigned int flags);

/// Creates a pool that stands for a pool of another process. `os_handle` is the handle itself, which
/// stays the program's to close. Memory cannot be allocated from it. `flags` is 0.
/// Errors: hipErrorInvalidValue (`pool` is null, the handle is not valid, or `flags` is not 0),
/// hipErrorInvalidDevice (the process does not have the device of the pool), @memory.
/// Stream: @none. Capture: @allowed.
hipError_t hipMemPoolImportFromShareableHandle(hipMemPool_t *pool, void *os_handle,
                                               hipMemAllocationHandleType type, unsigned int flags);

/// Stores bytes by which a process that imported the pool can find this allocation. They are valid
/// until the memory is freed.
/// Errors: hipErrorInvalidValue (`data` is null, or `address` is not memory of a pool that can be
/// exported), hipErrorNotSupported (the driver cannot share memory), @memory.
/// Stream: @none. Capture: @allowed.
hipError_t hipMemPoolExportPointer(hipMemPoolPtrExportData *data, void *address);

/// Stores the address of an allocation of an imported pool. The memory is freed here with
/// hipFreeAsync or hipFree before the exporting process frees it.
/// Errors: hipErrorInvalidValue (an argument is null, `pool` is not an imported pool, or `data`
/// does not name memory of it), @memory.
/// Stream: @none. Capture: @allowed.
hipError_t hipMemPoolImportPointer(void **address, hipMemPool_t pool,
                                   hipMemPoolPtrExportData *data);

HIP_API_END
