/// Memory: allocation, and what an address is.
#pragma once

#include <hip/api/error_types.h>
#include <hip/api/macros.h>
#include <hip/api/memory_types.h>

HIP_API_BEGIN

// On the device

/// Memory on the current device, `size` bytes, aligned for every type. Size 0 gives a null pointer;
/// hipErrorOutOfMemory if there is not enough.
hipError_t hipMalloc(void **address, size_t size);

/// hipMalloc with hipDeviceMalloc* flags.
hipError_t hipExtMallocWithFlags(void **address, size_t bytes, unsigned int flags);

/// `height` rows of `width` bytes, each row at a good address; they start every `*pitch` bytes.
hipError_t hipMallocPitch(void **address, size_t *pitch, size_t width, size_t height);

/// hipMallocPitch for driver code. Elements have 4, 8 or 16 bytes.
hipError_t hipMemAllocPitch(hipDeviceptr_t *address, size_t *pitch, size_t width_in_bytes,
                            size_t height, unsigned int element_bytes);

/// hipMallocPitch with slices; the width is in bytes.
hipError_t hipMalloc3D(hipPitchedPtr *memory, hipExtent extent);

/// Waits for the work of the device and frees memory. A null pointer is no error.
hipError_t hipFree(void *address);

// On the host

/// Host memory that devices reach, with hipHostMalloc* flags.
hipError_t hipHostMalloc(void **address, size_t size, unsigned int flags);

/// hipHostMalloc under the name that CUDA code expects.
hipError_t hipHostAlloc(void **address, size_t size, unsigned int flags);

/// hipHostMalloc without flags.
HIP_DEPRECATED("use hipHostMalloc")
hipError_t hipMallocHost(void **address, size_t size);

/// hipHostMalloc without flags, for driver code.
HIP_DEPRECATED("use hipHostMalloc")
hipError_t hipMemAllocHost(void **address, size_t size);

/// Frees what hipHostMalloc gave. A null pointer is no error.
hipError_t hipHostFree(void *address);

/// hipHostFree under the name that CUDA code expects.
hipError_t hipFreeHost(void *address);

/// Lets devices reach memory that the program allocated otherwise. Replaces an earlier registration
/// of the same address; hipErrorHostMemoryAlreadyRegistered if HIP knows another part of the memory.
hipError_t hipHostRegister(void *address, size_t bytes, unsigned int flags);

/// Undoes hipHostRegister; hipErrorHostMemoryNotRegistered for any other address.
hipError_t hipHostUnregister(void *address);

/// The address under which the current device sees host memory. `flags` is 0.
hipError_t hipHostGetDevicePointer(void **address, void *host_address, unsigned int flags);

/// The flags that host memory was allocated with.
hipError_t hipHostGetFlags(unsigned int *flags, void *address);

// Managed

/// Memory that the host and all devices use under one address. `flags` is hipMemAttachGlobal or
/// hipMemAttachHost.
hipError_t hipMallocManaged(void **address, size_t size,
                            unsigned int flags __dparm(hipMemAttachGlobal));

/// Moves managed memory to a device, or to the host (hipCpuDeviceId), before it is used there.
hipError_t hipMemPrefetchAsync(const void *address, size_t count, int device,
                               hipStream_t stream __dparm(0));

/// Tells how managed memory is going to be used.
hipError_t hipMemAdvise(const void *address, size_t count, hipMemoryAdvise advice, int device);

/// One attribute of a range of managed memory. `data` takes `data_size` bytes.
hipError_t hipMemRangeGetAttribute(void *data, size_t data_size, hipMemRangeAttribute attribute,
                                   const void *address, size_t count);

/// Several attributes of a range of managed memory.
hipError_t hipMemRangeGetAttributes(void **data, size_t *data_sizes,
                                    hipMemRangeAttribute *attributes, size_t attribute_count,
                                    const void *address, size_t count);

/// Ties managed memory to a stream; `length` is 0 or that of the whole allocation.
hipError_t hipStreamAttachMemAsync(hipStream_t stream, void *address, size_t length __dparm(0),
                                   unsigned int flags __dparm(hipMemAttachSingle));

// What an address is

/// Bytes of the current device: still free, and in all.
hipError_t hipMemGetInfo(size_t *free, size_t *total);

/// The bytes of an allocation, by its first address.
hipError_t hipMemPtrGetInfo(void *address, size_t *size);

/// The first address and the bytes of the allocation around `address`.
hipError_t hipMemGetAddressRange(hipDeviceptr_t *base, size_t *size, hipDeviceptr_t address);

/// What an address is. Unknown memory is of type hipMemoryTypeUnregistered, without an error.
hipError_t hipPointerGetAttributes(hipPointerAttribute_t *attributes, const void *address);

/// One attribute of an address; `data` is of the attribute's own type.
hipError_t hipPointerGetAttribute(void *data, hipPointer_attribute attribute,
                                  hipDeviceptr_t address);

/// Several attributes of an address; an unknown address gives zeros, without an error.
hipError_t hipDrvPointerGetAttributes(unsigned int attribute_count,
                                      hipPointer_attribute *attributes, void **data,
                                      hipDeviceptr_t address);

/// Sets HIP_POINTER_ATTRIBUTE_SYNC_MEMOPS of an allocation.
hipError_t hipPointerSetAttribute(const void *value, hipPointer_attribute attribute,
                                  hipDeviceptr_t address);

// Between processes

/// Bytes that another process can open device memory by.
hipError_t hipIpcGetMemHandle(hipIpcMemHandle_t *handle, void *address);

/// Memory of another process. `flags` is hipIpcMemLazyEnablePeerAccess.
hipError_t hipIpcOpenMemHandle(void **address, hipIpcMemHandle_t handle, unsigned int flags);

/// Gives back what hipIpcOpenMemHandle gave.
hipError_t hipIpcCloseMemHandle(void *address);

HIP_API_END
