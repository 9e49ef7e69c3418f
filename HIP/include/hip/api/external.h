/// Memory and semaphores of other APIs, and resources of graphics APIs.
#pragma once

#include <hip/api/types/error_types.h>
#include <hip/api/types/external_types.h>
#include <hip/api/types/macros.h>

HIP_API_BEGIN

/// Imports memory of another API. `description` has the kind of handle, the handle and the size in
/// bytes. A file descriptor belongs to HIP if the call succeeds.
/// Errors: @import, hipErrorNotSupported (the device cannot import handles of this type), @memory.
/// Stream: @none. Capture: @allowed.
hipError_t hipImportExternalMemory(hipExternalMemory_t *memory,
                                   const hipExternalMemoryHandleDesc *description);

/// Ends the import of external memory. What was mapped from it has been freed before.
/// Errors: hipErrorInvalidValue (`memory` is not live external memory), @start.
/// Stream: @none. Capture: @unsafe.
hipError_t hipDestroyExternalMemory(hipExternalMemory_t memory);

/// Maps a part of external memory and stores its address on the device. `description` has the
/// offset and the size in bytes. The mapping is freed with hipFree.
/// Errors: hipErrorInvalidValue (an argument is null, or the part passes the end of the memory),
/// @memory.
/// Stream: @none. Capture: @allowed.
hipError_t hipExternalMemoryGetMappedBuffer(void **address, hipExternalMemory_t memory,
                                            const hipExternalMemoryBufferDesc *description);

/// Maps external memory as a mipmapped array. `description` has the offset in bytes, the format and
/// the size in elements, the number of levels and hipArray* flags. The mapping is freed with
/// hipFreeMipmappedArray.
/// Errors: hipErrorInvalidValue (an argument is null, or the array does not fit),
/// hipErrorNotSupported (the device cannot map such an array), @memory.
/// Stream: @none. Capture: @unsafe.
hipError_t
hipExternalMemoryGetMappedMipmappedArray(hipMipmappedArray_t *array, hipExternalMemory_t memory,
                                         const hipExternalMemoryMipmappedArrayDesc *description);

/// Imports a semaphore of another API. `description` has the kind of handle and the handle. A file
/// descriptor belongs to HIP if the call succeeds.
/// Errors: @import, hipErrorNotSupported (the device cannot import handles of this type), @memory.
/// Stream: @none. Capture: @allowed.
hipError_t hipImportExternalSemaphore(hipExternalSemaphore_t *semaphore,
                                      const hipExternalSemaphoreHandleDesc *description);

/// Ends the import of a semaphore. No signal or wait of it may be pending.
/// Errors: hipErrorInvalidValue (`semaphore` is not a live external semaphore), @start.
/// Stream: @none. Capture: @allowed.
hipError_t hipDestroyExternalSemaphore(hipExternalSemaphore_t semaphore);

/// Signals `count` semaphores in a stream. Element i of `params` belongs to element i of
/// `semaphores`.
/// Errors: hipErrorInvalidValue (`semaphores` or `params` is null, or a semaphore is not live),
/// @stream.
/// Stream: @queued. Capture: Captured as a semaphore signal node.
hipError_t hipSignalExternalSemaphoresAsync(const hipExternalSemaphore_t *semaphores,
                                            const hipExternalSemaphoreSignalParams *params,
                                            unsigned int count, hipStream_t stream);

/// Makes the later work of a stream wait for `count` semaphores. Element i of `params` belongs to
/// element i of `semaphores`.
/// Errors: hipErrorInvalidValue (`semaphores` or `params` is null, or a semaphore is not live),
/// @stream.
/// Stream: @queued. Capture: Captured as a semaphore wait node.
hipError_t hipWaitExternalSemaphoresAsync(const hipExternalSemaphore_t *semaphores,
                                          const hipExternalSemaphoreWaitParams *params,
                                          unsigned int count, hipStream_t stream);

// Graphics

/// Maps `count` resources of a graphics API for HIP. Until they are unmapped, the graphics API must
/// not use them.
/// Errors: hipErrorInvalidValue (`resources` is null, or `count` is not positive),
/// hipErrorInvalidHandle (a resource is not registered), hipErrorAlreadyMapped (a resource is
/// mapped), @stream.
/// Stream: @queued. Capture: @uncapturable.
hipError_t hipGraphicsMapResources(int count, hipGraphicsResource_t *resources,
                                   hipStream_t stream __dparm(0));

/// Unmaps `count` resources, which the graphics API may use afterwards.
/// Errors: hipErrorInvalidValue (`resources` is null, or `count` is not positive),
/// hipErrorInvalidHandle (a resource is not registered), hipErrorNotMapped (a resource is not
/// mapped), @stream.
/// Stream: @queued. Capture: @uncapturable.
hipError_t hipGraphicsUnmapResources(int count, hipGraphicsResource_t *resources,
                                     hipStream_t stream __dparm(0));

/// Stores the address and the size in bytes of a mapped buffer.
/// Errors: hipErrorInvalidValue (`address` or `bytes` is null), hipErrorInvalidHandle (`resource`
/// is not registered), hipErrorNotMapped (it is not mapped), hipErrorNotMappedAsPointer (it is not
/// a buffer).
/// Stream: @none. Capture: @allowed.
hipError_t hipGraphicsResourceGetMappedPointer(void **address, size_t *bytes,
                                               hipGraphicsResource_t resource);

/// Stores an array of a mapped image. `index` is its layer or the face of a cube, `level` its
/// mipmap level.
/// Errors: hipErrorInvalidValue (`array` is null, or there is no such layer or level),
/// hipErrorInvalidHandle (`resource` is not registered), hipErrorNotMapped (it is not mapped),
/// hipErrorNotMappedAsArray (it is not an image).
/// Stream: @none. Capture: @allowed.
hipError_t hipGraphicsSubResourceGetMappedArray(hipArray_t *array, hipGraphicsResource_t resource,
                                                unsigned int index, unsigned int level);

/// Ends the registration of a resource of a graphics API. It is not mapped any more.
/// Errors: hipErrorInvalidValue (`resource` is null), hipErrorInvalidHandle (`resource` is not
/// registered), @start.
/// Stream: @none. Capture: @allowed.
hipError_t hipGraphicsUnregisterResource(hipGraphicsResource_t resource);

HIP_API_END
