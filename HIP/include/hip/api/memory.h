/// Allocation of memory, and information about addresses.
#pragma once

#include <hip/api/types/error_types.h>
#include <hip/api/types/macros.h>
#include <hip/api/types/memory_types.h>

HIP_API_BEGIN

// Memory of the device

/// Allocates `size` bytes of memory on the current device, aligned to at least 256 bytes. A size of
/// 0 gives a null pointer and no error.
/// Errors: hipErrorInvalidValue (`address` is null), @memory.
/// Stream: @none. Capture: @unsafe.
hipError_t hipMalloc(void **address, size_t size);

/// Allocates `bytes` bytes of memory on the current device. `flags` is hipDeviceMallocDefault,
/// hipDeviceMallocFinegrained, hipDeviceMallocUncached, hipDeviceMallocContiguous, or
/// hipMallocSignalMemory for 8 bytes that the host can reach as well.
/// Errors: hipErrorInvalidValue (`address` is null, `flags` is unknown, or signal memory of another
/// size than 8 bytes is asked for), @memory.
/// Stream: @none. Capture: @unsafe.
hipError_t hipExtMallocWithFlags(void **address, size_t bytes, unsigned int flags);

/// Allocates `height` rows of `width` bytes on the current device. Each row begins at an address
/// that is good for textures; `*pitch` receives the distance from row to row in bytes. A width or
/// height of 0 gives a null pointer and no error.
/// Errors: hipErrorInvalidValue (`address` or `pitch` is null, or `width` is more than the largest
/// pitch), @memory.
/// Stream: @none. Capture: @unsafe.
hipError_t hipMallocPitch(void **address, size_t *pitch, size_t width, size_t height);

/// Allocates `height` rows of `width_in_bytes` bytes on the current device. Each row begins at an
/// address that is good for textures; `*pitch` receives the distance from row to row in bytes.
/// `element_bytes` is the size of the largest access: 4, 8 or 16 bytes.
/// Errors: hipErrorInvalidValue (`address` or `pitch` is null, a size is 0, `element_bytes` is not
/// 4, 8 or 16, or the width is more than the largest pitch), @memory.
/// Stream: @none. Capture: @unsafe.
hipError_t hipMemAllocPitch(hipDeviceptr_t *address, size_t *pitch, size_t width_in_bytes,
                            size_t height, unsigned int element_bytes);

/// Allocates a box of bytes on the current device. `extent.width` is in bytes, `extent.height` in
/// rows and `extent.depth` in slices. `*memory` receives the address, the distance from row to row
/// in bytes, the width in bytes and the number of rows of a slice. An extent of 0 gives a null
/// pointer and no error.
/// Errors: hipErrorInvalidValue (`memory` is null, or the width is more than the largest pitch),
/// @memory.
/// Stream: @none. Capture: @unsafe.
hipError_t hipMalloc3D(hipPitchedPtr *memory, hipExtent extent);

/// Frees memory of the device, managed memory, signal memory or, as hipHostFree does, memory of the
/// host, by its first address. A null pointer is not an error.
/// If the memory's device is lost, the call frees the memory and returns that error.
/// Errors: hipErrorInvalidValue (`address` is not the beginning of such an allocation), @work.
/// Stream: The host waits until no work of the devices that may use the memory is left. Capture:
/// @unsafe.
hipError_t hipFree(void *address);

// Host memory

/// Allocates `size` bytes of host memory that kernels of all devices can use under the same
/// address. `flags` combines hipHostMalloc* values; hipHostMallocCoherent and
/// hipHostMallocNonCoherent exclude each other. A size of 0 gives a null pointer and no error.
/// Errors: hipErrorInvalidValue (`address` is null, or `flags` has unknown bits or bits that
/// exclude each other), @memory.
/// Stream: @none. Capture: @unsafe.
hipError_t hipHostMalloc(void **address, size_t size, unsigned int flags);

/// Is the name that CUDA programs expect. @like hipHostMalloc
hipError_t hipHostAlloc(void **address, size_t size, unsigned int flags);

/// Allocates `size` bytes of host memory that kernels of all devices can use under the same
/// address. A size of 0 gives a null pointer and no error.
/// Errors: hipErrorInvalidValue (`address` is null), @memory.
/// Stream: @none. Capture: @unsafe.
HIP_DEPRECATED("use hipHostMalloc")
hipError_t hipMallocHost(void **address, size_t size);

/// @like hipMallocHost
HIP_DEPRECATED("use hipHostMalloc")
hipError_t hipMemAllocHost(void **address, size_t size);

/// Frees memory that hipHostMalloc or one of its variants allocated, by its first address. A null
/// pointer is not an error.
/// Errors: hipErrorInvalidValue (`address` is not the beginning of such an allocation), @work.
/// Stream: The host waits for the work of all devices. Capture: @unsafe.
hipError_t hipHostFree(void *address);

/// @like hipHostFree
hipError_t hipFreeHost(void *address);

/// Lets kernels use `bytes` bytes of host memory that the program allocated itself, under the same
/// address. `flags` combines hipHostRegister* values. Registering the same address again replaces
/// the earlier registration.
/// Errors: hipErrorInvalidValue (`address` is null, `bytes` is 0, the host cannot read all of the
/// memory, or `flags` has unknown bits), hipErrorHostMemoryAlreadyRegistered (HIP allocated or
/// registered another part of the memory), hipErrorNotSupported (the driver cannot import memory),
/// @memory.
/// Stream: @none. Capture: @unsafe.
hipError_t hipHostRegister(void *address, size_t bytes, unsigned int flags);

/// Ends a registration of hipHostRegister, by its address. The memory itself is not freed.
/// Errors: hipErrorInvalidValue (`address` is null), hipErrorHostMemoryNotRegistered (`address` is
/// not the address of a registration), @work.
/// Stream: The host waits for the work of all devices. Capture: @unsafe.
hipError_t hipHostUnregister(void *address);

/// Stores the address under which kernels see host memory of HIP. In libCHIP it is the host's own
/// address. `flags` is 0.
/// Errors: hipErrorInvalidValue (`address` is null, `host_address` is not in host, managed or
/// registered memory of HIP, or `flags` is not 0).
/// Stream: @none. Capture: @allowed.
hipError_t hipHostGetDevicePointer(void **address, void *host_address, unsigned int flags);

/// Stores the flags with which host memory was allocated or registered.
/// Errors: hipErrorInvalidValue (`flags` is null, or `address` is not in host memory of HIP).
/// Stream: @none. Capture: @allowed.
hipError_t hipHostGetFlags(unsigned int *flags, void *address);

// Managed memory

/// Allocates `size` bytes of managed memory, which the host and all devices use under one address.
/// `flags` is hipMemAttachGlobal or hipMemAttachHost.
/// Errors: hipErrorInvalidValue (`address` is null, `size` is 0, or `flags` is unknown), @memory.
/// Stream: @none. Capture: @unsafe.
hipError_t hipMallocManaged(void **address, size_t size,
                            unsigned int flags __dparm(hipMemAttachGlobal));

/// Moves `count` bytes of managed memory to a device before they are used there. For hipCpuDeviceId
/// the call does nothing, since pages return when the host touches them. Nor does it for memory of
/// the program where devices reach all of it (hipDeviceAttributePageableMemoryAccess).
/// Errors: hipErrorInvalidValue (`address` is not in managed memory, or `count` is 0 or passes the
/// end of the allocation), hipErrorInvalidDevice (`device` is neither the number of a device nor
/// hipCpuDeviceId), @stream.
/// Stream: @queued. Capture: @uncapturable.
hipError_t hipMemPrefetchAsync(const void *address, size_t count, int device,
                               hipStream_t stream __dparm(0));

/// States how `count` bytes of managed memory are going to be used. This is a hint, which libCHIP
/// only remembers: hipMemRangeGetAttribute tells it. It holds for all of the pages of 4096 bytes, of
/// which the first begins where the allocation does. For the advice hipMemAdviseSetReadMostly and
/// hipMemAdviseUnsetReadMostly, `device` means nothing. Where devices reach all memory of the program
/// (hipDeviceAttributePageableMemoryAccess), advice for it is accepted and forgotten.
/// Errors: hipErrorInvalidValue (`address` is not in managed memory, `count` is 0 or passes the end
/// of the allocation, or `advice` is unknown), hipErrorInvalidDevice (`device` is neither the number
/// of a device nor hipCpuDeviceId), @start.
/// Stream: @none. Capture: @allowed.
hipError_t hipMemAdvise(const void *address, size_t count, hipMemoryAdvise advice, int device);

/// Stores an attribute of `count` bytes of managed memory, what hipMemAdvise and hipMemPrefetchAsync
/// have said of them. hipMemRangeAttributeAccessedBy fills `data`, of `data_size` bytes, with the
/// numbers of the devices that were named for all of the bytes, and hipInvalidDeviceId in the rest.
/// The others store one 32-bit number, and `data_size` is 4: 1 or 0, a device, hipCpuDeviceId, or
/// hipInvalidDeviceId where nothing was said or not the same of all bytes, or a
/// hipMemRangeCoherencyMode. That is told of other memory of HIP as well, as it was allocated or
/// registered.
/// Errors: hipErrorInvalidValue (`data` is null, `address` is not in managed memory, nor, for
/// hipMemRangeAttributeCoherencyMode, in other memory of HIP, `count` is 0 or passes the end of the
/// allocation, `data_size` does not suit the attribute, or `attribute` is unknown).
/// Stream: @none. Capture: @allowed.
hipError_t hipMemRangeGetAttribute(void *data, size_t data_size, hipMemRangeAttribute attribute,
                                   const void *address, size_t count);

/// Stores several attributes of `count` bytes of managed memory. Element i of `data`, of
/// `data_sizes` bytes, receives attribute i of `attributes`, as hipMemRangeGetAttribute describes;
/// each array has `attribute_count` elements. If the call fails, it has stored nothing.
/// Errors: hipErrorInvalidValue (an array or an element of `data` is null, `attribute_count` is 0,
/// an attribute is unknown, a size does not suit its attribute, `address` is not in managed memory,
/// or `count` is 0 or passes the end of the allocation).
/// Stream: @none. Capture: @allowed.
hipError_t hipMemRangeGetAttributes(void **data, size_t *data_sizes,
                                    hipMemRangeAttribute *attributes, size_t attribute_count,
                                    const void *address, size_t count);

/// Ties managed memory to a stream, so that the host may use it when the stream is idle. With Level
/// Zero the host and all streams may always use it: libCHIP checks the arguments, and does nothing.
/// `length` is in bytes: 0, or the size of the whole allocation. `flags` is hipMemAttachGlobal,
/// hipMemAttachHost or hipMemAttachSingle. Where devices reach all memory of the program
/// (hipDeviceAttributePageableMemoryAccess), `address` may be in it, and `length` is not 0.
/// Errors: hipErrorInvalidValue (`address` is null, or not in managed memory or such memory of the
/// program, `length` is neither 0 nor the size of the allocation, `flags` is unknown, or is
/// hipMemAttachSingle for the null stream), @stream.
/// Stream: @none. Capture: @uncapturable.
hipError_t hipStreamAttachMemAsync(hipStream_t stream, void *address, size_t length __dparm(0),
                                   unsigned int flags __dparm(hipMemAttachSingle));

// Information about addresses

/// Stores the number of bytes of memory that the current device has free, and in all; what is null
/// is not stored. Other processes may change the first at any time.
/// Errors: @start.
/// Stream: @none. Capture: @allowed.
hipError_t hipMemGetInfo(size_t *free, size_t *total);

/// Stores the size in bytes of the allocation that contains `address`.
/// Errors: hipErrorInvalidValue (`size` is null, or `address` is not in memory of HIP).
/// Stream: @none. Capture: @allowed.
hipError_t hipMemPtrGetInfo(void *address, size_t *size);

/// Stores the first address and the size in bytes of the allocation that contains `address`. `base`
/// and `size` may be null.
/// Errors: hipErrorNotFound (`address` is not in memory of HIP).
/// Stream: @none. Capture: @allowed.
hipError_t hipMemGetAddressRange(hipDeviceptr_t *base, size_t *size, hipDeviceptr_t address);

/// Stores what kind of memory an address is in, and on which device. For memory that HIP does not
/// know, the call succeeds with type hipMemoryTypeUnregistered and device -2.
/// Errors: hipErrorInvalidValue (`attributes` or `address` is null), @start.
/// Stream: @none. Capture: @allowed.
hipError_t hipPointerGetAttributes(hipPointerAttribute_t *attributes, const void *address);

/// Stores one attribute of an address. `data` points to a variable of the attribute's own type: a
/// pointer for the device's address, the host's address, the first address of the allocation and the
/// pool; a bool for HIP_POINTER_ATTRIBUTE_SYNC_MEMOPS, HIP_POINTER_ATTRIBUTE_IS_MANAGED and
/// HIP_POINTER_ATTRIBUTE_MAPPED; 32 bits for the others. The size of an allocation of 4 GiB or more is
/// UINT32_MAX: hipMemGetAddressRange tells it. HIP_POINTER_ATTRIBUTE_BUFFER_ID is a number that no
/// earlier allocation has had. The handle of an array has the memory type hipMemoryTypeArray.
/// Errors: hipErrorInvalidValue (`data` or `address` is null, `attribute` is unknown, or `address` is
/// not in memory of HIP or, for HIP_POINTER_ATTRIBUTE_HOST_POINTER, of the host: `data` then receives a
/// null value), hipErrorNotSupported (the attribute is HIP_POINTER_ATTRIBUTE_CONTEXT,
/// HIP_POINTER_ATTRIBUTE_P2P_TOKENS, HIP_POINTER_ATTRIBUTE_IS_LEGACY_HIP_IPC_CAPABLE,
/// HIP_POINTER_ATTRIBUTE_ALLOWED_HANDLE_TYPES or HIP_POINTER_ATTRIBUTE_IS_GPU_DIRECT_RDMA_CAPABLE, or
/// HIP_POINTER_ATTRIBUTE_MEMPOOL_HANDLE and no live pool is behind `address`: `data` then receives
/// null).
/// Stream: @none. Capture: @allowed.
hipError_t hipPointerGetAttribute(void *data, hipPointer_attribute attribute,
                                  hipDeviceptr_t address);

/// Stores several attributes of an address. Element i of `data` points to a variable of the type of
/// element i of `attributes`, as hipPointerGetAttribute describes. What that function refuses is no
/// error here: for memory that HIP does not know, null values are stored, and for attributes that
/// are not supported nothing is.
/// Errors: hipErrorInvalidValue (`attributes`, `data`, an element of `data` or `address` is null,
/// `attribute_count` is 0, or an attribute is unknown).
/// Stream: @none. Capture: @allowed.
hipError_t hipDrvPointerGetAttributes(unsigned int attribute_count,
                                      hipPointer_attribute *attributes, void **data,
                                      hipDeviceptr_t address);

/// Sets an attribute of the allocation that contains `address`. Only
/// HIP_POINTER_ATTRIBUTE_SYNC_MEMOPS can be set; `value` points to an unsigned int, 1 if copies and
/// fills of this memory are to make the host wait, unless "Async" is in their names, and 0 if not.
/// In libCHIP the host waits for them in any case, so the attribute only reads back.
/// Errors: hipErrorInvalidValue (`value` or `address` is null, `value` points to another number, or
/// `attribute` is another one), hipErrorInvalidDevicePointer (`address` is not in memory of HIP).
/// Stream: @none. Capture: @allowed.
hipError_t hipPointerSetAttribute(const void *value, hipPointer_attribute attribute,
                                  hipDeviceptr_t address);

// Between processes

/// Stores bytes by which another process can open memory of the device with hipIpcOpenMemHandle,
/// which need not be related to this one. `address` is in memory of hipMalloc; it is what the other
/// process gets the address of. The handle is good until the memory is freed. On a CPU the first
/// handle of memory copies it to where processes share it, in less than a millisecond for each MiB.
/// Errors: hipErrorInvalidValue (`handle` or `address` is null, or `address` is not in memory of
/// hipMalloc), hipErrorNotSupported (the driver cannot share memory), @memory.
/// Stream: @none. Capture: @allowed.
hipError_t hipIpcGetMemHandle(hipIpcMemHandle_t *handle, void *address);

/// Maps memory of another process for the current device and stores its address in this process,
/// which is the same for each opening of a handle. `flags` is hipIpcMemLazyEnablePeerAccess. What is
/// open stays mapped if the process that allocated it frees it or ends. That process may get memory
/// that it has freed from hipMalloc again, so what others read there then is not defined.
/// Errors: hipErrorInvalidValue (`address` is null, `flags` is unknown, or `handle` does not name
/// memory), hipErrorInvalidContext (the memory is of this process), hipErrorInvalidDevicePointer
/// (the memory cannot be mapped, since it was freed, its process has ended, or it is of another
/// driver than the current device), @memory.
/// Stream: @none. Capture: @allowed.
hipError_t hipIpcOpenMemHandle(void **address, hipIpcMemHandle_t handle, unsigned int flags);

/// Closes memory that hipIpcOpenMemHandle opened. When it was closed as often as it was opened, it
/// is unmapped.
/// Errors: hipErrorInvalidValue (`address` is not from hipIpcOpenMemHandle), @work.
/// Stream: Before the memory is unmapped, the host waits for the work that may use it. Capture:
/// @allowed.
hipError_t hipIpcCloseMemHandle(void *address);

HIP_API_END
