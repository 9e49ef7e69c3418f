/// Copies. Those without "Async" have ended for the host when they return.
#pragma once

#include <hip/api/error_types.h>
#include <hip/api/macros.h>
#include <hip/api/memory_types.h>

HIP_API_BEGIN

// Bytes

/// Copies bytes after earlier work of the null stream.
hipError_t hipMemcpy(void *dst, const void *src, size_t bytes, hipMemcpyKind kind);

/// Copies bytes in stream order. Memory of the host that HIP does not know may be reused when the
/// call returns.
hipError_t hipMemcpyAsync(void *dst, const void *src, size_t bytes, hipMemcpyKind kind,
                          hipStream_t stream __dparm(0));

/// Copies bytes in stream order and waits for the stream.
hipError_t hipMemcpyWithStream(void *dst, const void *src, size_t bytes, hipMemcpyKind kind,
                               hipStream_t stream);

/// Copies bytes from host to device.
hipError_t hipMemcpyHtoD(hipDeviceptr_t dst, void *src, size_t bytes);

/// Copies bytes from device to host.
hipError_t hipMemcpyDtoH(void *dst, hipDeviceptr_t src, size_t bytes);

/// Copies bytes from device to device.
hipError_t hipMemcpyDtoD(hipDeviceptr_t dst, hipDeviceptr_t src, size_t bytes);

/// hipMemcpyHtoD in stream order.
hipError_t hipMemcpyHtoDAsync(hipDeviceptr_t dst, void *src, size_t bytes, hipStream_t stream);

/// hipMemcpyDtoH in stream order.
hipError_t hipMemcpyDtoHAsync(void *dst, hipDeviceptr_t src, size_t bytes, hipStream_t stream);

/// hipMemcpyDtoD in stream order.
hipError_t hipMemcpyDtoDAsync(hipDeviceptr_t dst, hipDeviceptr_t src, size_t bytes,
                              hipStream_t stream);

// Rows and slices: pitches and widths are bytes

/// Copies `height` rows of `width` bytes. A pitch below the width gives hipErrorInvalidPitchValue.
hipError_t hipMemcpy2D(void *dst, size_t dst_pitch, const void *src, size_t src_pitch, size_t width,
                       size_t height, hipMemcpyKind kind);

/// hipMemcpy2D in stream order.
hipError_t hipMemcpy2DAsync(void *dst, size_t dst_pitch, const void *src, size_t src_pitch,
                            size_t width, size_t height, hipMemcpyKind kind,
                            hipStream_t stream __dparm(0));

/// Copies rows between any two kinds of memory.
hipError_t hipMemcpyParam2D(const hip_Memcpy2D *copy);

/// hipMemcpyParam2D in stream order.
hipError_t hipMemcpyParam2DAsync(const hip_Memcpy2D *copy, hipStream_t stream __dparm(0));

/// hipMemcpyParam2D for pitches of any value.
hipError_t hipDrvMemcpy2DUnaligned(const hip_Memcpy2D *copy);

/// Copies a box.
hipError_t hipMemcpy3D(const struct hipMemcpy3DParms *copy);

/// hipMemcpy3D in stream order.
hipError_t hipMemcpy3DAsync(const struct hipMemcpy3DParms *copy, hipStream_t stream __dparm(0));

/// Copies a box, for driver code.
hipError_t hipDrvMemcpy3D(const HIP_MEMCPY3D *copy);

/// hipDrvMemcpy3D in stream order.
hipError_t hipDrvMemcpy3DAsync(const HIP_MEMCPY3D *copy, hipStream_t stream);

// Variables of kernels

/// Copies bytes into a `__device__` or `__constant__` variable, at `offset` bytes.
/// hipErrorInvalidSymbol if it is none.
hipError_t hipMemcpyToSymbol(const void *symbol, const void *src, size_t bytes,
                             size_t offset __dparm(0),
                             hipMemcpyKind kind __dparm(hipMemcpyHostToDevice));

/// hipMemcpyToSymbol in stream order.
hipError_t hipMemcpyToSymbolAsync(const void *symbol, const void *src, size_t bytes, size_t offset,
                                  hipMemcpyKind kind, hipStream_t stream __dparm(0));

/// Copies bytes out of a `__device__` or `__constant__` variable. hipErrorInvalidSymbol if it is
/// none.
hipError_t hipMemcpyFromSymbol(void *dst, const void *symbol, size_t bytes,
                               size_t offset __dparm(0),
                               hipMemcpyKind kind __dparm(hipMemcpyDeviceToHost));

/// hipMemcpyFromSymbol in stream order.
hipError_t hipMemcpyFromSymbolAsync(void *dst, const void *symbol, size_t bytes, size_t offset,
                                    hipMemcpyKind kind, hipStream_t stream __dparm(0));

/// The address of a variable on the current device.
hipError_t hipGetSymbolAddress(void **address, const void *symbol);

/// The bytes of a variable.
hipError_t hipGetSymbolSize(size_t *size, const void *symbol);

// Between devices

/// Copies bytes from one device to another.
hipError_t hipMemcpyPeer(void *dst, int dst_device, const void *src, int src_device, size_t bytes);

/// hipMemcpyPeer in stream order.
hipError_t hipMemcpyPeerAsync(void *dst, int dst_device, const void *src, int src_device,
                              size_t bytes, hipStream_t stream __dparm(0));

// Arrays: offsets and widths are bytes

/// Copies rows into an array.
hipError_t hipMemcpy2DToArray(hipArray_t dst, size_t x_offset, size_t y_offset, const void *src,
                              size_t src_pitch, size_t width, size_t height, hipMemcpyKind kind);

/// hipMemcpy2DToArray in stream order.
hipError_t hipMemcpy2DToArrayAsync(hipArray_t dst, size_t x_offset, size_t y_offset,
                                   const void *src, size_t src_pitch, size_t width, size_t height,
                                   hipMemcpyKind kind, hipStream_t stream __dparm(0));

/// Copies rows out of an array.
hipError_t hipMemcpy2DFromArray(void *dst, size_t dst_pitch, hipArray_const_t src, size_t x_offset,
                                size_t y_offset, size_t width, size_t height, hipMemcpyKind kind);

/// hipMemcpy2DFromArray in stream order.
hipError_t hipMemcpy2DFromArrayAsync(void *dst, size_t dst_pitch, hipArray_const_t src,
                                     size_t x_offset, size_t y_offset, size_t width, size_t height,
                                     hipMemcpyKind kind, hipStream_t stream __dparm(0));

/// Copies rows from array to array.
hipError_t hipMemcpy2DArrayToArray(hipArray_t dst, size_t dst_x_offset, size_t dst_y_offset,
                                   hipArray_const_t src, size_t src_x_offset, size_t src_y_offset,
                                   size_t width, size_t height, hipMemcpyKind kind);

/// Copies bytes into an array, row after row.
HIP_DEPRECATED(HIP_DEPRECATED_MSG)
hipError_t hipMemcpyToArray(hipArray_t dst, size_t x_offset, size_t y_offset, const void *src,
                            size_t count, hipMemcpyKind kind);

/// Copies bytes out of an array, row after row.
HIP_DEPRECATED(HIP_DEPRECATED_MSG)
hipError_t hipMemcpyFromArray(void *dst, hipArray_const_t src, size_t x_offset, size_t y_offset,
                              size_t count, hipMemcpyKind kind);

/// Copies bytes from an array of one dimension to the host.
hipError_t hipMemcpyAtoH(void *dst, hipArray_t src_array, size_t src_offset, size_t count);

/// Copies bytes from the host to an array of one dimension.
hipError_t hipMemcpyHtoA(hipArray_t dst_array, size_t dst_offset, const void *src_host,
                         size_t count);

/// Copies bytes from an array of one dimension to the device.
hipError_t hipMemcpyAtoD(hipDeviceptr_t dst_device, hipArray_t src_array, size_t src_offset,
                         size_t bytes);

/// Copies bytes from the device to an array of one dimension.
hipError_t hipMemcpyDtoA(hipArray_t dst_array, size_t dst_offset, hipDeviceptr_t src_device,
                         size_t bytes);

/// Copies bytes between arrays of one dimension.
hipError_t hipMemcpyAtoA(hipArray_t dst_array, size_t dst_offset, hipArray_t src_array,
                         size_t src_offset, size_t bytes);

/// hipMemcpyAtoH in stream order.
hipError_t hipMemcpyAtoHAsync(void *dst_host, hipArray_t src_array, size_t src_offset, size_t bytes,
                              hipStream_t stream);

/// hipMemcpyHtoA in stream order.
hipError_t hipMemcpyHtoAAsync(hipArray_t dst_array, size_t dst_offset, const void *src_host,
                              size_t bytes, hipStream_t stream);

HIP_API_END
