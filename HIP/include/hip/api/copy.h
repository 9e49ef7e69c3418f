/// Copies of memory, variables and arrays. Unless "Async" is in the name, the host waits for them.
#pragma once

#include <hip/api/types/api_version.h>
#include <hip/api/types/error_types.h>
#include <hip/api/types/macros.h>
#include <hip/api/types/memory_types.h>

HIP_API_BEGIN

// Bytes

/// Copies `bytes` bytes. hipMemcpyDefault lets the addresses tell where the memory is; the other
/// values of `kind` are accepted whatever the addresses are. 0 bytes is not an error.
/// Errors: @direction, @copy-range, @work.
/// Stream: @null. Capture: @implicit.
hipError_t hipMemcpy(void *dst, const void *src, size_t bytes, hipMemcpyKind kind);

/// Copies `bytes` bytes in a stream. hipMemcpyDefault lets the addresses tell where the memory is.
/// Host memory that HIP does not know may be changed or freed as soon as the call returns.
/// Errors: @direction, @copy-range, @stream.
/// Stream: @queued-copy. Capture: @copy-node.
hipError_t hipMemcpyAsync(void *dst, const void *src, size_t bytes, hipMemcpyKind kind,
                          hipStream_t stream __dparm(0));

/// Copies `bytes` bytes in a stream and waits until they are copied. hipMemcpyDefault lets the
/// addresses tell where the memory is.
/// Errors: @direction, @copy-range, @stream.
/// Stream: @waits. Capture: @copy-node The host does not wait then.
hipError_t hipMemcpyWithStream(void *dst, const void *src, size_t bytes, hipMemcpyKind kind,
                               hipStream_t stream);

/// Copies `bytes` bytes from the host to the device.
/// Errors: @copy-range, @work.
/// Stream: @null. Capture: @implicit.
hipError_t hipMemcpyHtoD(hipDeviceptr_t dst, HIP_API_CONST_SINCE_7 void *src, size_t bytes);

/// Copies `bytes` bytes from the device to the host.
/// Errors: @copy-range, @work.
/// Stream: @null. Capture: @implicit.
hipError_t hipMemcpyDtoH(void *dst, hipDeviceptr_t src, size_t bytes);

/// Copies `bytes` bytes from memory of a device to memory of a device.
/// Errors: @copy-range, @work.
/// Stream: @null. Capture: @implicit.
hipError_t hipMemcpyDtoD(hipDeviceptr_t dst, hipDeviceptr_t src, size_t bytes);

/// Copies `bytes` bytes from the host to the device in a stream. Host memory that HIP does not know
/// may be changed or freed as soon as the call returns.
/// Errors: @copy-range, @stream.
/// Stream: @queued. Capture: @copy-node.
hipError_t hipMemcpyHtoDAsync(hipDeviceptr_t dst, HIP_API_CONST_SINCE_7 void *src, size_t bytes,
                              hipStream_t stream);

/// Copies `bytes` bytes from the device to the host in a stream.
/// Errors: @copy-range, @stream.
/// Stream: @queued-copy. Capture: @copy-node.
hipError_t hipMemcpyDtoHAsync(void *dst, hipDeviceptr_t src, size_t bytes, hipStream_t stream);

/// Copies `bytes` bytes from memory of a device to memory of a device in a stream.
/// Errors: @copy-range, @stream.
/// Stream: @queued. Capture: @copy-node.
hipError_t hipMemcpyDtoDAsync(hipDeviceptr_t dst, hipDeviceptr_t src, size_t bytes,
                              hipStream_t stream);

// Rows and slices: pitches and widths are bytes

/// Copies `height` rows of `width` bytes. The rows begin `dst_pitch` and `src_pitch` bytes apart. A
/// width or height of 0 is not an error.
/// Errors: @pitch, @direction, hipErrorInvalidValue (`dst` or `src` is null, a pitch is more than
/// the largest one, or the copy passes the end of an allocation), @work.
/// Stream: @null. Capture: @implicit.
hipError_t hipMemcpy2D(void *dst, size_t dst_pitch, const void *src, size_t src_pitch, size_t width,
                       size_t height, hipMemcpyKind kind);

/// Copies `height` rows of `width` bytes in a stream. The rows begin `dst_pitch` and `src_pitch`
/// bytes apart. A width or height of 0 is not an error.
/// Errors: @pitch, @direction, hipErrorInvalidValue (`dst` or `src` is null, a pitch is more than
/// the largest one, or the copy passes the end of an allocation), @stream.
/// Stream: @queued-copy. Capture: @copy-node.
hipError_t hipMemcpy2DAsync(void *dst, size_t dst_pitch, const void *src, size_t src_pitch,
                            size_t width, size_t height, hipMemcpyKind kind,
                            hipStream_t stream __dparm(0));

/// Copies a rectangle between two places, each of which is host memory, memory of a device or an
/// array, as the memory types in `*copy` say. Widths, x offsets and pitches are in bytes, heights
/// and y offsets in rows. A pitch of 0 means rows without gaps.
/// Errors: hipErrorInvalidValue (`copy` is null, a memory type is unknown, an address is null, an
/// array is not live, a pitch is less than the width or more than the largest one, or the copy
/// passes the end of an allocation or an array), @work.
/// Stream: @null. Capture: @implicit.
hipError_t hipMemcpyParam2D(const hip_Memcpy2D *copy);

/// Copies a rectangle in a stream between two places, each of which is host memory, memory of a
/// device or an array, as the memory types in `*copy` say. Widths, x offsets and pitches are in
/// bytes, heights and y offsets in rows. A pitch of 0 means rows without gaps.
/// Errors: hipErrorInvalidValue (`copy` is null, a memory type is unknown, an address is null, an
/// array is not live, a pitch is less than the width or more than the largest one, or the copy
/// passes the end of an allocation or an array), @stream.
/// Stream: @queued-copy. Capture: @copy-node.
hipError_t hipMemcpyParam2DAsync(const hip_Memcpy2D *copy, hipStream_t stream __dparm(0));

/// Accepts pitches without any alignment, which in libCHIP every copy does. @like hipMemcpyParam2D
hipError_t hipDrvMemcpy2DUnaligned(const hip_Memcpy2D *copy);

/// Copies a box between two places, each of which is an array or pitched memory. `copy.extent` has
/// its width in elements if an array takes part and in bytes otherwise; the x positions are in
/// elements for an array and in bytes for memory. An empty box is not an error.
/// Errors: @pitch, hipErrorInvalidMemcpyDirection (`copy.kind` is not a hipMemcpyKind),
/// hipErrorInvalidValue (`copy` is null, a side is an array and memory at once, an address is null,
/// an array is not live, two arrays differ in the size of elements, or the copy passes the end of
/// an allocation or an array), @work.
/// Stream: @null. Capture: @implicit.
hipError_t hipMemcpy3D(const struct hipMemcpy3DParms *copy);

/// Copies a box in a stream between two places, each of which is an array or pitched memory.
/// `copy.extent` has its width in elements if an array takes part and in bytes otherwise; the x
/// positions are in elements for an array and in bytes for memory. An empty box is not an error.
/// Errors: @pitch, hipErrorInvalidMemcpyDirection (`copy.kind` is not a hipMemcpyKind),
/// hipErrorInvalidValue (`copy` is null, a side is an array and memory at once, an address is null,
/// an array is not live, two arrays differ in the size of elements, or the copy passes the end of
/// an allocation or an array), @stream.
/// Stream: @queued-copy. Capture: @copy-node.
hipError_t hipMemcpy3DAsync(const struct hipMemcpy3DParms *copy, hipStream_t stream __dparm(0));

/// Copies a box between two places, each of which is host memory, memory of a device or an array,
/// as the memory types in `*copy` say. Widths, x offsets and pitches are in bytes, heights and y
/// offsets in rows, depths and z offsets in slices. A pitch of 0 means rows without gaps. The
/// levels of detail are 0.
/// Errors: hipErrorInvalidValue (`copy` is null, a memory type is unknown, a level of detail is not
/// 0, an address is null, an array is not live, a pitch is less than the width or more than the
/// largest one, or the copy passes the end of an allocation or an array), @work.
/// Stream: @null. Capture: @implicit.
hipError_t hipDrvMemcpy3D(const HIP_MEMCPY3D *copy);

/// Copies a box in a stream between two places, each of which is host memory, memory of a device or
/// an array, as the memory types in `*copy` say. Widths, x offsets and pitches are in bytes,
/// heights and y offsets in rows, depths and z offsets in slices. A pitch of 0 means rows without
/// gaps. The levels of detail are 0.
/// Errors: hipErrorInvalidValue (`copy` is null, a memory type is unknown, a level of detail is not
/// 0, an address is null, an array is not live, a pitch is less than the width or more than the
/// largest one, or the copy passes the end of an allocation or an array), @stream.
/// Stream: @queued-copy. Capture: @copy-node.
hipError_t hipDrvMemcpy3DAsync(const HIP_MEMCPY3D *copy, hipStream_t stream);

// Variables of kernels

/// Copies `bytes` bytes into a `__device__` or `__constant__` variable of the current device, from
/// `offset` bytes on. `kind` is hipMemcpyHostToDevice, hipMemcpyDeviceToDevice or hipMemcpyDefault.
/// Errors: hipErrorInvalidSymbol (`symbol` is not a variable of device code),
/// hipErrorInvalidMemcpyDirection (`kind` is another value), hipErrorInvalidValue (`src` is null,
/// or the copy passes the end of the variable or of an allocation), @work.
/// Stream: @null. Capture: @implicit.
hipError_t hipMemcpyToSymbol(const void *symbol, const void *src, size_t bytes,
                             size_t offset __dparm(0),
                             hipMemcpyKind kind __dparm(hipMemcpyHostToDevice));

/// Copies `bytes` bytes in a stream into a `__device__` or `__constant__` variable of the stream's
/// device, from `offset` bytes on. `kind` is hipMemcpyHostToDevice, hipMemcpyDeviceToDevice or
/// hipMemcpyDefault.
/// Errors: hipErrorInvalidSymbol (`symbol` is not a variable of device code),
/// hipErrorInvalidMemcpyDirection (`kind` is another value), hipErrorInvalidValue (`src` is null,
/// or the copy passes the end of the variable or of an allocation), @stream.
/// Stream: @queued. Capture: @copy-node.
hipError_t hipMemcpyToSymbolAsync(const void *symbol, const void *src, size_t bytes, size_t offset,
                                  hipMemcpyKind kind, hipStream_t stream __dparm(0));

/// Copies `bytes` bytes out of a `__device__` or `__constant__` variable of the current device,
/// from `offset` bytes on. `kind` is hipMemcpyDeviceToHost, hipMemcpyDeviceToDevice or
/// hipMemcpyDefault.
/// Errors: hipErrorInvalidSymbol (`symbol` is not a variable of device code),
/// hipErrorInvalidMemcpyDirection (`kind` is another value), hipErrorInvalidValue (`dst` is null,
/// or the copy passes the end of the variable or of an allocation), @work.
/// Stream: @null. Capture: @implicit.
hipError_t hipMemcpyFromSymbol(void *dst, const void *symbol, size_t bytes,
                               size_t offset __dparm(0),
                               hipMemcpyKind kind __dparm(hipMemcpyDeviceToHost));

/// Copies `bytes` bytes in a stream out of a `__device__` or `__constant__` variable of the
/// stream's device, from `offset` bytes on. `kind` is hipMemcpyDeviceToHost,
/// hipMemcpyDeviceToDevice or hipMemcpyDefault.
/// Errors: hipErrorInvalidSymbol (`symbol` is not a variable of device code),
/// hipErrorInvalidMemcpyDirection (`kind` is another value), hipErrorInvalidValue (`dst` is null,
/// or the copy passes the end of the variable or of an allocation), @stream.
/// Stream: @queued-copy. Capture: @copy-node.
hipError_t hipMemcpyFromSymbolAsync(void *dst, const void *symbol, size_t bytes, size_t offset,
                                    hipMemcpyKind kind, hipStream_t stream __dparm(0));

/// Stores the address of a `__device__`, `__constant__` or `__managed__` variable on the current
/// device.
/// Errors: hipErrorInvalidValue (`address` is null), hipErrorInvalidSymbol (`symbol` is not a
/// variable of device code), hipErrorNoBinaryForGpu (the program has no code for the device),
/// @work.
/// Stream: @none. Capture: @allowed.
hipError_t hipGetSymbolAddress(void **address, const void *symbol);

/// Stores the size in bytes of a `__device__`, `__constant__` or `__managed__` variable.
/// Errors: hipErrorInvalidValue (`size` is null), hipErrorInvalidSymbol (`symbol` is not a variable
/// of device code), hipErrorNoBinaryForGpu (the program has no code for the device), @work.
/// Stream: @none. Capture: @allowed.
hipError_t hipGetSymbolSize(size_t *size, const void *symbol);

// Between devices

/// Copies `bytes` bytes from memory of device `src_device` to memory of device `dst_device`. Peer
/// access need not be enabled.
/// Errors: hipErrorInvalidDevice (`dst_device` or `src_device` is not the number of a device),
/// @copy-range, @work.
/// Stream: @null. Capture: @implicit.
hipError_t hipMemcpyPeer(void *dst, int dst_device, const void *src, int src_device, size_t bytes);

/// Copies `bytes` bytes in a stream from memory of device `src_device` to memory of device
/// `dst_device`. Peer access need not be enabled.
/// Errors: hipErrorInvalidDevice (`dst_device` or `src_device` is not the number of a device),
/// @copy-range, @stream.
/// Stream: @queued. Capture: @copy-node.
hipError_t hipMemcpyPeerAsync(void *dst, int dst_device, const void *src, int src_device,
                              size_t bytes, hipStream_t stream __dparm(0));

// Arrays: offsets and widths are bytes

/// Copies `height` rows of `width` bytes into an array, from `x_offset` bytes and `y_offset` rows
/// on. The rows of `src` begin `src_pitch` bytes apart.
/// Errors: hipErrorInvalidHandle (`dst` is not a live array), @pitch, @direction,
/// hipErrorInvalidValue (`src` is null, the pitch is more than the largest one, or the copy passes
/// the end of an allocation or of the array), @work.
/// Stream: @null. Capture: @implicit.
hipError_t hipMemcpy2DToArray(hipArray_t dst, size_t x_offset, size_t y_offset, const void *src,
                              size_t src_pitch, size_t width, size_t height, hipMemcpyKind kind);

/// Copies `height` rows of `width` bytes in a stream into an array, from `x_offset` bytes and
/// `y_offset` rows on. The rows of `src` begin `src_pitch` bytes apart.
/// Errors: hipErrorInvalidHandle (`dst` is not a live array), @pitch, @direction,
/// hipErrorInvalidValue (`src` is null, the pitch is more than the largest one, or the copy passes
/// the end of an allocation or of the array), @stream.
/// Stream: @queued-copy. Capture: @copy-node.
hipError_t hipMemcpy2DToArrayAsync(hipArray_t dst, size_t x_offset, size_t y_offset,
                                   const void *src, size_t src_pitch, size_t width, size_t height,
                                   hipMemcpyKind kind, hipStream_t stream __dparm(0));

/// Copies `height` rows of `width` bytes out of an array, from `x_offset` bytes and `y_offset` rows
/// on. The rows of `dst` begin `dst_pitch` bytes apart.
/// Errors: hipErrorInvalidHandle (`src` is not a live array), @pitch, @direction,
/// hipErrorInvalidValue (`dst` is null, the pitch is more than the largest one, or the copy passes
/// the end of an allocation or of the array), @work.
/// Stream: @null. Capture: @implicit.
hipError_t hipMemcpy2DFromArray(void *dst, size_t dst_pitch, hipArray_const_t src, size_t x_offset,
                                size_t y_offset, size_t width, size_t height, hipMemcpyKind kind);

/// Copies `height` rows of `width` bytes in a stream out of an array, from `x_offset` bytes and
/// `y_offset` rows on. The rows of `dst` begin `dst_pitch` bytes apart.
/// Errors: hipErrorInvalidHandle (`src` is not a live array), @pitch, @direction,
/// hipErrorInvalidValue (`dst` is null, the pitch is more than the largest one, or the copy passes
/// the end of an allocation or of the array), @stream.
/// Stream: @queued-copy. Capture: @copy-node.
hipError_t hipMemcpy2DFromArrayAsync(void *dst, size_t dst_pitch, hipArray_const_t src,
                                     size_t x_offset, size_t y_offset, size_t width, size_t height,
                                     hipMemcpyKind kind, hipStream_t stream __dparm(0));

/// Copies `height` rows of `width` bytes from array to array. The x offsets are in bytes, the y
/// offsets in rows.
/// Errors: hipErrorInvalidHandle (`dst` or `src` is not a live array), @direction,
/// hipErrorInvalidValue (the copy passes the edge of an array), @work.
/// Stream: @null. Capture: @implicit.
hipError_t hipMemcpy2DArrayToArray(hipArray_t dst, size_t dst_x_offset, size_t dst_y_offset,
                                   hipArray_const_t src, size_t src_x_offset, size_t src_y_offset,
                                   size_t width, size_t height, hipMemcpyKind kind);

/// Copies `count` bytes into an array, from `x_offset` bytes and `y_offset` rows on. At the end of
/// a row the copy goes on at the beginning of the next.
/// Errors: hipErrorInvalidHandle (`dst` is not a live array), @direction, hipErrorInvalidValue
/// (`src` is null, or the copy passes the end of an allocation or of the array), @work.
/// Stream: @null. Capture: @implicit.
HIP_DEPRECATED(HIP_DEPRECATED_MSG)
hipError_t hipMemcpyToArray(hipArray_t dst, size_t x_offset, size_t y_offset, const void *src,
                            size_t count, hipMemcpyKind kind);

/// Copies `count` bytes out of an array, from `x_offset` bytes and `y_offset` rows on. At the end
/// of a row the copy goes on at the beginning of the next.
/// Errors: hipErrorInvalidHandle (`src` is not a live array), @direction, hipErrorInvalidValue
/// (`dst` is null, or the copy passes the end of an allocation or of the array), @work.
/// Stream: @null. Capture: @implicit.
HIP_DEPRECATED(HIP_DEPRECATED_MSG)
hipError_t hipMemcpyFromArray(void *dst, hipArray_const_t src, size_t x_offset, size_t y_offset,
                              size_t count, hipMemcpyKind kind);

/// Copies `count` bytes from the first row of an array to the host. `src_offset` is in bytes.
/// Errors: hipErrorInvalidValue (`dst` is null, `src_array` is not a live array, or the copy
/// passes the end of its first row), @work.
/// Stream: @null. Capture: @implicit.
hipError_t hipMemcpyAtoH(void *dst, hipArray_t src_array, size_t src_offset, size_t count);

/// Copies `count` bytes from the host to the first row of an array. `dst_offset` is in bytes.
/// Errors: hipErrorInvalidValue (`src_host` is null, `dst_array` is not a live array, or the copy
/// passes the end of its first row), @work.
/// Stream: @null. Capture: @implicit.
hipError_t hipMemcpyHtoA(hipArray_t dst_array, size_t dst_offset, const void *src_host,
                         size_t count);

/// Copies `bytes` bytes from the first row of an array to memory of the device. `src_offset` is in
/// bytes.
/// Errors: hipErrorInvalidValue (`dst_device` is null, `src_array` is not a live array, or the copy
/// passes the end of an allocation or of the first row), @work.
/// Stream: @null. Capture: @implicit.
hipError_t hipMemcpyAtoD(hipDeviceptr_t dst_device, hipArray_t src_array, size_t src_offset,
                         size_t bytes);

/// Copies `bytes` bytes from memory of the device to the first row of an array. `dst_offset` is in
/// bytes.
/// Errors: hipErrorInvalidValue (`src_device` is null, `dst_array` is not a live array, or the copy
/// passes the end of an allocation or of the first row), @work.
/// Stream: @null. Capture: @implicit.
hipError_t hipMemcpyDtoA(hipArray_t dst_array, size_t dst_offset, hipDeviceptr_t src_device,
                         size_t bytes);

/// Copies `bytes` bytes between the first rows of two arrays. The offsets are in bytes.
/// Errors: hipErrorInvalidValue (an array is not live, or the copy passes the end of a first row),
/// @work.
/// Stream: @null. Capture: @implicit.
hipError_t hipMemcpyAtoA(hipArray_t dst_array, size_t dst_offset, hipArray_t src_array,
                         size_t src_offset, size_t bytes);

/// Copies `bytes` bytes in a stream from the first row of an array to the host. `src_offset` is in
/// bytes.
/// Errors: hipErrorInvalidValue (`dst_host` is null, `src_array` is not a live array, or the copy
/// passes the end of its first row), @stream.
/// Stream: @queued-copy. Capture: @copy-node.
hipError_t hipMemcpyAtoHAsync(void *dst_host, hipArray_t src_array, size_t src_offset, size_t bytes,
                              hipStream_t stream);

/// Copies `bytes` bytes in a stream from the host to the first row of an array. `dst_offset` is in
/// bytes.
/// Errors: hipErrorInvalidValue (`src_host` is null, `dst_array` is not a live array, or the copy
/// passes the end of its first row), @stream.
/// Stream: @queued. Capture: @copy-node.
hipError_t hipMemcpyHtoAAsync(hipArray_t dst_array, size_t dst_offset, const void *src_host,
                              size_t bytes, hipStream_t stream);

HIP_API_END
