/// Memory and semaphores of other APIs, and resources of graphics APIs.
#pragma once

#include <hip/api/error_types.h>
#include <hip/api/external_types.h>
#include <hip/api/macros.h>

HIP_API_BEGIN

/// Memory of another API.
hipError_t hipImportExternalMemory(hipExternalMemory_t *memory,
                                   const hipExternalMemoryHandleDesc *description);

/// Gives external memory back; its mappings must have been freed.
hipError_t hipDestroyExternalMemory(hipExternalMemory_t memory);

/// A part of external memory as device memory, to be freed with hipFree.
hipError_t hipExternalMemoryGetMappedBuffer(void **address, hipExternalMemory_t memory,
                                            const hipExternalMemoryBufferDesc *description);

/// External memory as an array with mipmaps.
hipError_t
hipExternalMemoryGetMappedMipmappedArray(hipMipmappedArray_t *array, hipExternalMemory_t memory,
                                         const hipExternalMemoryMipmappedArrayDesc *description);

/// A semaphore of another API.
hipError_t hipImportExternalSemaphore(hipExternalSemaphore_t *semaphore,
                                      const hipExternalSemaphoreHandleDesc *description);

/// Gives an external semaphore back.
hipError_t hipDestroyExternalSemaphore(hipExternalSemaphore_t semaphore);

/// Signals semaphores in stream order.
hipError_t hipSignalExternalSemaphoresAsync(const hipExternalSemaphore_t *semaphores,
                                            const hipExternalSemaphoreSignalParams *params,
                                            unsigned int count, hipStream_t stream);

/// Waits for semaphores in stream order.
hipError_t hipWaitExternalSemaphoresAsync(const hipExternalSemaphore_t *semaphores,
                                          const hipExternalSemaphoreWaitParams *params,
                                          unsigned int count, hipStream_t stream);

// Graphics

/// Takes resources for HIP; the graphics API may not use them meanwhile.
hipError_t hipGraphicsMapResources(int count, hipGraphicsResource_t *resources,
                                   hipStream_t stream __dparm(0));

/// Gives resources back to the graphics API.
hipError_t hipGraphicsUnmapResources(int count, hipGraphicsResource_t *resources,
                                     hipStream_t stream __dparm(0));

/// Address and bytes of a mapped buffer.
hipError_t hipGraphicsResourceGetMappedPointer(void **address, size_t *bytes,
                                               hipGraphicsResource_t resource);

/// An array of a mapped image.
hipError_t hipGraphicsSubResourceGetMappedArray(hipArray_t *array, hipGraphicsResource_t resource,
                                                unsigned int index, unsigned int level);

/// Ends what a hipGraphics*Register* function began.
hipError_t hipGraphicsUnregisterResource(hipGraphicsResource_t resource);

HIP_API_END
