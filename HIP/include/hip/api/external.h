/// Memory and semaphores of other APIs, and resources of graphics APIs.
#pragma once

#include <hip/api/types/error_types.h>
#include <hip/api/types/external_types.h>
#include <hip/api/types/macros.h>

HIP_API_BEGIN

/// Imports memory of another API for the current device. `description` has the kind of handle, the
/// handle and the size in bytes. hipExternalMemoryHandleTypeOpaqueFd is the only kind of this system:
/// a file descriptor of memory of the driver of the device, or of shared memory on the CPU. It
/// belongs to HIP if the call succeeds.
/// Errors: @import, hipErrorInvalidValue (the size is 0 or more than the memory has, or the flags are
/// neither 0 nor hipExternalMemoryDedicated), hipErrorNotSupported (the device cannot import handles
/// of this type), @memory.
/// Stream: @none. Capture: @allowed.
hipError_t hipImportExternalMemory(hipExternalMemory_t *memory,
                                   const hipExternalMemoryHandleDesc *description);

/// Ends the import of external memory, and closes its file descriptor. What was mapped from it is
/// valid until it is freed.
/// Errors: hipErrorInvalidValue (`memory` is not live external memory).
/// Stream: @none. Capture: @unsafe.
hipError_t hipDestroyExternalMemory(hipExternalMemory_t memory);

/// Maps a part of external memory and stores its address on the device for which it was imported.
/// `description` has the offset and the size in bytes. The mapping is freed with hipFree.
/// Errors: hipErrorInvalidValue (`address` or `description` is null, `memory` is not live external
/// memory, the part has no bytes or passes the end of the memory, or the flags are not 0), @memory.
/// Stream: @none. Capture: @allowed.
hipError_t hipExternalMemoryGetMappedBuffer(void **address, hipExternalMemory_t memory,
                                            const hipExternalMemoryBufferDesc *description);

/// Maps external memory as a mipmapped array. `description` has the offset in bytes, the format and
/// the size in elements, the number of levels and hipArray* flags. libCHIP checks the arguments and
/// cannot map: how images are laid out is known only to the driver that made them.
/// Errors: hipErrorInvalidValue (`array` or `description` is null, `memory` is not live external
/// memory, or the format, the number of levels or the width is not valid), hipErrorNotSupported
/// (otherwise).
/// Stream: @none. Capture: @unsafe.
hipError_t
hipExternalMemoryGetMappedMipmappedArray(hipMipmappedArray_t *array, hipExternalMemory_t memory,
                                         const hipExternalMemoryMipmappedArrayDesc *description);

/// Imports a semaphore of another API. `description` has the kind of handle and the handle. libCHIP
/// checks the arguments and does not import: Level Zero's extension for semaphores works on a real GPU
/// only, where it could not be tried yet. So no external semaphore is ever live.
/// Errors: @import, hipErrorInvalidValue (the flags are not 0), hipErrorNotSupported (otherwise),
/// @start.
/// Stream: @none. Capture: @allowed.
hipError_t hipImportExternalSemaphore(hipExternalSemaphore_t *semaphore,
                                      const hipExternalSemaphoreHandleDesc *description);

/// Ends the import of a semaphore. No signal or wait of it may be pending.
/// Errors: hipErrorInvalidValue (`semaphore` is not a live external semaphore, which none is).
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
/// not use them. In libCHIP no resource is ever registered.
/// Errors: hipErrorInvalidValue (`resources` is null, or `count` is not positive),
/// hipErrorInvalidHandle (a resource is not registered), @stream.
/// Stream: @queued. Capture: @uncapturable.
hipError_t hipGraphicsMapResources(int count, hipGraphicsResource_t *resources,
                                   hipStream_t stream __dparm(0));

/// Unmaps `count` resources, which the graphics API may use afterwards. In libCHIP no resource is ever
/// registered.
/// Errors: hipErrorInvalidValue (`resources` is null, or `count` is not positive),
/// hipErrorInvalidHandle (a resource is not registered), @stream.
/// Stream: @queued. Capture: @uncapturable.
hipError_t hipGraphicsUnmapResources(int count, hipGraphicsResource_t *resources,
                                     hipStream_t stream __dparm(0));

/// Stores the address and the size in bytes of a mapped buffer. In libCHIP no resource is ever
/// registered.
/// Errors: hipErrorInvalidValue (`address` or `bytes` is null), hipErrorInvalidHandle (`resource`
/// is not registered).
/// Stream: @none. Capture: @allowed.
hipError_t hipGraphicsResourceGetMappedPointer(void **address, size_t *bytes,
                                               hipGraphicsResource_t resource);

/// Stores an array of a mapped image. `index` is its layer or the face of a cube, `level` its
/// mipmap level. In libCHIP no resource is ever registered.
/// Errors: hipErrorInvalidValue (`array` is null), hipErrorInvalidHandle (`resource` is not
/// registered).
/// Stream: @none. Capture: @allowed.
hipError_t hipGraphicsSubResourceGetMappedArray(hipArray_t *array, hipGraphicsResource_t resource,
                                                unsigned int index, unsigned int level);

/// Ends the registration of a resource of a graphics API. It is not mapped any more. In libCHIP no
/// resource is ever registered.
/// Errors: hipErrorInvalidValue (`resource` is null), hipErrorInvalidHandle (`resource` is not
/// registered).
/// Stream: @none. Capture: @allowed.
hipError_t hipGraphicsUnregisterResource(hipGraphicsResource_t resource);

HIP_API_END
