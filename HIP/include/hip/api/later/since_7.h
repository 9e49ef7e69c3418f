/// Functions that HIP 7.0 to 7.2 have added. Programs have them with the headers of HIP 7
/// (HIP_FORCE_API_VERSION); the library exports them in any case, under symbol versions of their own.
#pragma once

#include <hip/api/types/api_version.h>
#include <hip/api/types/error_types.h>
#include <hip/api/types/launch_types.h>
#include <hip/api/types/macros.h>
#include <hip/linker_types.h>

#if HIP_API_HAS_7

#include <hip/api/types/types_since_7.h>

HIP_API_BEGIN

// Copies and fills

/// Copies `count` times in a stream: `sizes[i]` bytes from `srcs[i]` to `dsts[i]`. The copies have
/// no order among each other. `attributes` has `attribute_count` elements; element i is for the
/// copies from `attribute_indices[i]` on, up to the next index, and the first index is 0. libCHIP
/// copies one after the other, and reads each source at a time that any of the orders allows.
/// `*failed` receives the index of the copy that is not possible, or SIZE_MAX where that cannot be
/// said; copies before it may have been submitted.
/// Errors: hipErrorInvalidValue (`dsts`, `srcs` or `sizes` is null, `count` is 0, an attribute, its
/// index or their number is not valid, an address is null, or a copy passes the end of an
/// allocation), @stream.
/// Stream: @queued-copy Capture: Captured as copy nodes.
hipError_t hipMemcpyBatchAsync(void **dsts, void **srcs, size_t *sizes, size_t count,
                               hipMemcpyAttributes *attributes, size_t *attribute_indices,
                               size_t attribute_count, size_t *failed,
                               hipStream_t stream __dparm(0));

/// Copies `count` boxes in a stream, as `operations` describes them. The copies have no order among
/// each other. libCHIP copies one after the other, and reads each source at a time that any of the
/// orders allows. `*failed` receives the index of the copy that is not possible, or SIZE_MAX where
/// that cannot be said; copies before it may have been submitted. `flags` is 0.
/// Errors: hipErrorInvalidValue (`operations` is null, `count` is 0, `flags` is not 0, a type or an
/// order is unknown, an array is not live, or a box passes the end of an allocation or an array),
/// @stream.
/// Stream: @queued-copy Capture: Captured as copy nodes.
hipError_t hipMemcpy3DBatchAsync(size_t count, hipMemcpy3DBatchOp *operations, size_t *failed,
                                 unsigned long long flags, hipStream_t stream __dparm(0));

/// Copies a box from one device to another and waits until it is copied. Each side is an array or
/// pitched memory.
/// Errors: hipErrorInvalidValue (`copy` is null, a side is given twice or not at all, an array is not
/// live, the elements of two arrays differ in size, or the box passes the end of an allocation or an
/// array), @pitch, hipErrorInvalidDevice (a device is not the number of one), @work.
/// Stream: @null Capture: @implicit.
hipError_t hipMemcpy3DPeer(hipMemcpy3DPeerParms *copy);

/// Copies a box from one device to another in a stream. Each side is an array or pitched memory.
/// Errors: hipErrorInvalidValue (`copy` is null, a side is given twice or not at all, an array is not
/// live, the elements of two arrays differ in size, or the box passes the end of an allocation or an
/// array), @pitch, hipErrorInvalidDevice (a device is not the number of one), @stream.
/// Stream: @queued-copy Capture: @copy-node.
hipError_t hipMemcpy3DPeerAsync(hipMemcpy3DPeerParms *copy, hipStream_t stream __dparm(0));

/// Sets `height` rows of `width` bytes to `value`. The rows are `pitch` bytes apart.
/// Errors: hipErrorInvalidValue (`dst` is not in memory that HIP knows, the pitch is less than a row,
/// or the rows pass the end of the allocation), @work.
/// Stream: @null Capture: @implicit.
hipError_t hipMemsetD2D8(hipDeviceptr_t dst, size_t pitch, unsigned char value, size_t width,
                         size_t height);

/// Sets `height` rows of `width` bytes to `value` in a stream. The rows are `pitch` bytes apart.
/// Errors: hipErrorInvalidValue (`dst` is not in memory that HIP knows, the pitch is less than a row,
/// or the rows pass the end of the allocation), @stream.
/// Stream: @queued. Capture: @fill-node.
hipError_t hipMemsetD2D8Async(hipDeviceptr_t dst, size_t pitch, unsigned char value, size_t width,
                              size_t height, hipStream_t stream __dparm(0));

/// Sets `height` rows of `width` elements of 2 bytes to `value`. The rows are `pitch` bytes apart.
/// Errors: hipErrorInvalidValue (`dst` is not in memory that HIP knows, `dst` or `pitch` is no
/// multiple of 2, the pitch is less than a row, or the rows pass the end of the allocation), @work.
/// Stream: @null Capture: @implicit.
hipError_t hipMemsetD2D16(hipDeviceptr_t dst, size_t pitch, unsigned short value, size_t width,
                          size_t height);

/// Sets `height` rows of `width` elements of 2 bytes to `value` in a stream. The rows are `pitch`
/// bytes apart.
/// Errors: hipErrorInvalidValue (`dst` is not in memory that HIP knows, `dst` or `pitch` is no
/// multiple of 2, the pitch is less than a row, or the rows pass the end of the allocation), @stream.
/// Stream: @queued. Capture: @fill-node.
hipError_t hipMemsetD2D16Async(hipDeviceptr_t dst, size_t pitch, unsigned short value, size_t width,
                               size_t height, hipStream_t stream __dparm(0));

/// Sets `height` rows of `width` elements of 4 bytes to `value`. The rows are `pitch` bytes apart.
/// Errors: hipErrorInvalidValue (`dst` is not in memory that HIP knows, `dst` or `pitch` is no
/// multiple of 4, the pitch is less than a row, or the rows pass the end of the allocation), @work.
/// Stream: @null Capture: @implicit.
hipError_t hipMemsetD2D32(hipDeviceptr_t dst, size_t pitch, unsigned int value, size_t width,
                          size_t height);

/// Sets `height` rows of `width` elements of 4 bytes to `value` in a stream. The rows are `pitch`
/// bytes apart.
/// Errors: hipErrorInvalidValue (`dst` is not in memory that HIP knows, `dst` or `pitch` is no
/// multiple of 4, the pitch is less than a row, or the rows pass the end of the allocation), @stream.
/// Stream: @queued. Capture: @fill-node.
hipError_t hipMemsetD2D32Async(hipDeviceptr_t dst, size_t pitch, unsigned int value, size_t width,
                               size_t height, hipStream_t stream __dparm(0));

// Managed memory and its location

/// States how `count` bytes of managed memory are going to be used, at a location. This is a hint,
/// which libCHIP checks and does not use.
/// Errors: hipErrorInvalidValue (`address` is not in managed memory, `count` is 0, or `advice` or the
/// type of `location` is unknown), hipErrorInvalidDevice (`location` names a device that does not
/// exist), @start.
/// Stream: @none. Capture: @unsafe.
hipError_t hipMemAdvise_v2(const void *address, size_t count, hipMemoryAdvise advice,
                           hipMemLocation location);

/// Moves `count` bytes of managed memory to a location in a stream. `flags` is 0.
/// Errors: hipErrorInvalidValue (`address` is not in managed memory, `count` is 0 or passes its end,
/// `flags` is not 0, or the type of `location` is unknown), hipErrorInvalidDevice (`location` names
/// a device that does not exist), @stream.
/// Stream: @queued. Capture: @uncapturable.
hipError_t hipMemPrefetchAsync_v2(const void *address, size_t count, hipMemLocation location,
                                  unsigned int flags, hipStream_t stream __dparm(0));

/// Moves `count` ranges of managed memory in a stream: `sizes[i]` bytes at `addresses[i]`. `locations`
/// has `location_count` elements; element i is for the ranges from `location_indices[i]` on, up to the
/// next index, and the first index is 0. All is looked at before anything is moved. `flags` is 0.
/// Errors: hipErrorInvalidValue (a pointer is null, `count` is 0, `flags` is not 0, a location, its
/// index or their number is not valid, an address is not in managed memory, a size is 0 or passes its
/// end, or `stream` is the null stream), hipErrorInvalidDevice (a location names a device that does
/// not exist), @stream.
/// Stream: @queued. Capture: @uncapturable.
hipError_t hipMemPrefetchBatchAsync(void **addresses, size_t *sizes, size_t count,
                                    hipMemLocation *locations, size_t *location_indices,
                                    size_t location_count, unsigned long long flags,
                                    hipStream_t stream);

/// Makes a pool the one that hipMallocAsync takes memory of a type from, at a location: as
/// hipDeviceSetMemPool does, since pools have memory of devices only, of hipMemAllocationTypePinned.
/// Errors: hipErrorInvalidValue (`location` is null or not a device, `type` is another one, `pool` is
/// not a live pool of that device, or was imported).
/// Stream: @none. Capture: @unsafe.
hipError_t hipMemSetMemPool(hipMemLocation *location, hipMemAllocationType type, hipMemPool_t pool);

/// Stores the pool that hipMallocAsync takes memory of a type from, at a location: that of
/// hipDeviceGetMemPool.
/// Errors: hipErrorInvalidValue (`pool` or `location` is null, `location` is not a device, or `type`
/// is not hipMemAllocationTypePinned), @start.
/// Stream: @none. Capture: @allowed.
hipError_t hipMemGetMemPool(hipMemPool_t *pool, hipMemLocation *location,
                            hipMemAllocationType type);

/// Stores a descriptor of a dma-buf by which other drivers reach device memory. libCHIP has none:
/// Level Zero exports only what was allocated for it, and memory of a CPU is no dma-buf.
/// Errors: hipErrorInvalidValue (`handle` is null, `size` is 0, `type` is unknown, or `address` and
/// `size` are not in device memory that HIP knows), hipErrorNotSupported (otherwise), @start.
/// Stream: @none. Capture: @allowed.
hipError_t hipMemGetHandleForAddressRange(void *handle, hipDeviceptr_t address, size_t size,
                                          hipMemRangeHandleType type, unsigned long long flags);

// Streams

/// Stores an attribute of a stream: hipStreamAttributePriority, or
/// hipStreamAttributeSynchronizationPolicy, which is hipSyncPolicyAuto until it is set.
/// Errors: hipErrorInvalidValue (`value` is null, or `attribute` is another one),
/// hipErrorInvalidResourceHandle (`stream` is not a live stream), @start.
/// Stream: @none. Capture: @allowed.
hipError_t hipStreamGetAttribute(hipStream_t stream, hipLaunchAttributeID attribute,
                                 hipLaunchAttributeValue *value);

/// Sets an attribute of a stream: hipStreamAttributeSynchronizationPolicy, how the host waits for
/// it. This is a hint, which reads back and changes nothing.
/// Errors: hipErrorInvalidValue (`value` is null or not possible, or `attribute` is another one),
/// hipErrorInvalidResourceHandle (`stream` is not a live stream), @start.
/// Stream: @none. Capture: @uncapturable.
hipError_t hipStreamSetAttribute(hipStream_t stream, hipLaunchAttributeID attribute,
                                 const hipLaunchAttributeValue *value);

/// Gives a stream the attributes of another that can be set.
/// Errors: hipErrorInvalidResourceHandle (`dst` or `src` is not a live stream), @start.
/// Stream: @none. Capture: @allowed.
hipError_t hipStreamCopyAttributes(hipStream_t dst, hipStream_t src);

// Code

/// Loads device code from memory for the current device: an offload bundle, compressed or not. The
/// memory may be freed as soon as the call returns.
/// Errors: hipErrorInvalidValue (`module` or `fatbin` is null), @image, @memory.
/// Stream: @none. Capture: @allowed.
hipError_t hipModuleLoadFatBinary(hipModule_t *module, const void *fatbin);

/// Stores the number of kernels that a module has.
/// Errors: hipErrorInvalidValue (`count` is null), hipErrorInvalidResourceHandle (`module` is not a
/// loaded module).
/// Stream: @none. Capture: @allowed.
hipError_t hipModuleGetFunctionCount(unsigned int *count, hipModule_t module);

/// Loads device code from memory, for all devices. Whether it is any is looked at when something of
/// the library is asked for; it is built for a device when a kernel of it is first launched there.
/// The memory may be freed as soon as the call returns. There are no options for the compiler;
/// hipLibraryBinaryIsPreserved is taken and changes nothing.
/// Errors: hipErrorInvalidValue (`library` or `code` is null, `jit_count` is not 0, or options of the
/// library are missing or unknown), hipErrorNotSupported
/// (hipLibraryHostUniversalFunctionAndDataTable is asked for), hipErrorOutOfMemory (there is not
/// enough memory), @start.
/// Stream: @none. Capture: @allowed.
hipError_t hipLibraryLoadData(hipLibrary_t *library, const void *code, hipJitOption *jit_options,
                              void **jit_values, unsigned int jit_count,
                              hipLibraryOption *library_options, void **library_values,
                              unsigned int library_count);

/// Loads device code from a file, for all devices. Whether it is any is looked at when something of
/// the library is asked for; it is built for a device when a kernel of it is first launched there.
/// There are no options for the compiler; hipLibraryBinaryIsPreserved is taken and changes nothing.
/// Errors: hipErrorInvalidValue (`library` or `file` is null, the file cannot be read, `jit_count` is
/// not 0, or options of the library are missing or unknown), hipErrorInvalidImage (the file is too
/// short for code), hipErrorNotSupported (hipLibraryHostUniversalFunctionAndDataTable is asked for),
/// hipErrorOutOfMemory (there is not enough memory), @start.
/// Stream: @none. Capture: @allowed.
hipError_t hipLibraryLoadFromFile(hipLibrary_t *library, const char *file,
                                  hipJitOption *jit_options, void **jit_values,
                                  unsigned int jit_count, hipLibraryOption *library_options,
                                  void **library_values, unsigned int library_count);

/// Unloads a library. Its kernels are not valid afterwards.
/// Errors: hipErrorInvalidResourceHandle (`library` is not a loaded library), @work.
/// Stream: The host waits for the work of the devices that used it. Capture: @allowed.
hipError_t hipLibraryUnload(hipLibrary_t library);

/// Stores a kernel of a library. hipLaunchKernel and functions like it take it for a function, and
/// hipModuleLaunchKernel and functions like it for a hipFunction_t: it is the kernel of the stream's
/// device there, and of the current device here. `name` is the name in the device code, which is
/// mangled unless the kernel is `extern "C"`.
/// Errors: hipErrorInvalidValue (`kernel`, `library` or `name` is null),
/// hipErrorInvalidResourceHandle (`library` is not a loaded library), hipErrorNotFound (the library
/// has no kernel of this name), @image.
/// Stream: @none. Capture: @allowed.
hipError_t hipLibraryGetKernel(hipKernel_t *kernel, hipLibrary_t library, const char *name);

/// Stores the number of kernels that a library has.
/// Errors: hipErrorInvalidValue (`count` or `library` is null), hipErrorInvalidResourceHandle
/// (`library` is not a loaded library), @image.
/// Stream: @none. Capture: @allowed.
hipError_t hipLibraryGetKernelCount(unsigned int *count, hipLibrary_t library);

/// Stores the kernels of a library in `kernels`, in the order of their names, `count` at most.
/// Errors: hipErrorInvalidValue (`kernels` or `library` is null), hipErrorInvalidResourceHandle
/// (`library` is not a loaded library), hipErrorOutOfMemory (there is not enough memory), @image.
/// Stream: @none. Capture: @allowed.
hipError_t hipLibraryEnumerateKernels(hipKernel_t *kernels, unsigned int count,
                                      hipLibrary_t library);

/// Stores the library that a kernel is of.
/// Errors: hipErrorInvalidValue (`library` or `kernel` is null), hipErrorInvalidHandle (`kernel` is
/// no kernel of a loaded library).
/// Stream: @none. Capture: @allowed.
hipError_t hipKernelGetLibrary(hipLibrary_t *library, hipKernel_t kernel);

/// Stores the name that a kernel has in the device code. The text is valid until the library is
/// unloaded.
/// Errors: hipErrorInvalidValue (`name` or `kernel` is null), hipErrorInvalidHandle (`kernel` is no
/// kernel of a loaded library).
/// Stream: @none. Capture: @allowed.
hipError_t hipKernelGetName(const char **name, hipKernel_t kernel);

/// Stores how many bytes of dynamic shared memory a block may have where `block_count` blocks of a
/// kernel of the program run on a multiprocessor of the current device at once, each with
/// `block_size` threads.
/// Errors: hipErrorInvalidValue (`shared_bytes` or `function` is null, `block_count` or `block_size`
/// is not positive, or so many blocks cannot run at once), @kernel, @work.
/// Stream: @none. Capture: @allowed.
hipError_t hipOccupancyAvailableDynamicSMemPerBlock(size_t *shared_bytes, const void *function,
                                                    int block_count, int block_size);

/// Stores the address of a function of HIP, given by its name. `flags` is hipEnableDefault,
/// hipEnableLegacyStream, or hipEnablePerThreadDefaultStream for the functions that use
/// hipStreamPerThread in the null stream's place. `status`, which may be null, tells how the search
/// ended. What is found behaves as in HIP 7.
/// Errors: hipErrorInvalidValue (`symbol` or `function` is null, `symbol` is empty, `flags` is
/// unknown, or there is no such function).
/// Stream: @none. Capture: @allowed.
hipError_t hipGetDriverEntryPoint(const char *symbol, void **function, unsigned long long flags,
                                  hipDriverEntryPointQueryResult *status);

/// Takes hipEnableDefault for hipEnablePerThreadDefaultStream.
/// @like hipGetDriverEntryPoint
hipError_t hipGetDriverEntryPoint_spt(const char *symbol, void **function, unsigned long long flags,
                                      hipDriverEntryPointQueryResult *status);

/// Takes HIP_GET_PROC_ADDRESS_DEFAULT for HIP_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM.
/// @like hipGetProcAddress
hipError_t hipGetProcAddress_spt(const char *symbol, void **function, int version, uint64_t flags,
                                 hipDriverProcAddressQueryResult *status);

HIP_API_END

#endif
