/// Fills of memory with a value.
#pragma once

#include <hip/api/types/error_types.h>
#include <hip/api/types/macros.h>
#include <hip/api/types/memory_types.h>

HIP_API_BEGIN

/// Sets `bytes` bytes to the low 8 bits of `value`. 0 bytes is not an error.
/// Errors: hipErrorInvalidValue (`dst` is null or not in memory of HIP, or the fill passes the end
/// of the allocation), @work.
/// Stream: @null. Capture: @implicit.
hipError_t hipMemset(void *dst, int value, size_t bytes);

/// Sets `bytes` bytes to the low 8 bits of `value` in a stream. 0 bytes is not an error.
/// Errors: hipErrorInvalidValue (`dst` is null or not in memory of HIP, or the fill passes the end
/// of the allocation), @stream.
/// Stream: @queued. Capture: @fill-node.
hipError_t hipMemsetAsync(void *dst, int value, size_t bytes, hipStream_t stream __dparm(0));

/// Sets `count` bytes to `value`.
/// Errors: hipErrorInvalidValue (`dst` is null or not in memory of HIP, or the fill passes the end
/// of the allocation), @work.
/// Stream: @null. Capture: @implicit.
hipError_t hipMemsetD8(hipDeviceptr_t dst, unsigned char value, size_t count);

/// Sets `count` bytes to `value` in a stream.
/// Errors: hipErrorInvalidValue (`dst` is null or not in memory of HIP, or the fill passes the end
/// of the allocation), @stream.
/// Stream: @queued. Capture: @fill-node.
hipError_t hipMemsetD8Async(hipDeviceptr_t dst, unsigned char value, size_t count,
                            hipStream_t stream __dparm(0));

/// Sets `count` elements of 16 bits to `value`. `dst` is a multiple of 2.
/// Errors: hipErrorInvalidValue (`dst` is null, not aligned or not in memory of HIP, or the fill
/// passes the end of the allocation), @work.
/// Stream: @null. Capture: @implicit.
hipError_t hipMemsetD16(hipDeviceptr_t dst, unsigned short value, size_t count);

/// Sets `count` elements of 16 bits to `value` in a stream. `dst` is a multiple of 2.
/// Errors: hipErrorInvalidValue (`dst` is null, not aligned or not in memory of HIP, or the fill
/// passes the end of the allocation), @stream.
/// Stream: @queued. Capture: @fill-node.
hipError_t hipMemsetD16Async(hipDeviceptr_t dst, unsigned short value, size_t count,
                             hipStream_t stream __dparm(0));

/// Sets `count` elements of 32 bits to `value`. `dst` is a multiple of 4.
/// Errors: hipErrorInvalidValue (`dst` is null, not aligned or not in memory of HIP, or the fill
/// passes the end of the allocation), @work.
/// Stream: @null. Capture: @implicit.
hipError_t hipMemsetD32(hipDeviceptr_t dst, int value, size_t count);

/// Sets `count` elements of 32 bits to `value` in a stream. `dst` is a multiple of 4.
/// Errors: hipErrorInvalidValue (`dst` is null, not aligned or not in memory of HIP, or the fill
/// passes the end of the allocation), @stream.
/// Stream: @queued. Capture: @fill-node.
hipError_t hipMemsetD32Async(hipDeviceptr_t dst, int value, size_t count,
                             hipStream_t stream __dparm(0));

/// Sets `height` rows of `width` bytes to the low 8 bits of `value`. The rows begin `pitch` bytes
/// apart. A width or height of 0 is not an error.
/// Errors: hipErrorInvalidValue (`dst` is null or not in memory of HIP, `pitch` is less than the
/// width or more than the largest one, or the fill passes the end of the allocation), @work.
/// Stream: @null. Capture: @implicit.
hipError_t hipMemset2D(void *dst, size_t pitch, int value, size_t width, size_t height);

/// Sets `height` rows of `width` bytes to the low 8 bits of `value` in a stream. The rows begin
/// `pitch` bytes apart. A width or height of 0 is not an error.
/// Errors: hipErrorInvalidValue (`dst` is null or not in memory of HIP, `pitch` is less than the
/// width or more than the largest one, or the fill passes the end of the allocation), @stream.
/// Stream: @queued. Capture: @fill-node.
hipError_t hipMemset2DAsync(void *dst, size_t pitch, int value, size_t width, size_t height,
                            hipStream_t stream __dparm(0));

/// Sets the bytes of a box to the low 8 bits of `value`. `extent.width` is in bytes,
/// `extent.height` in rows, `extent.depth` in slices. An empty box is not an error.
/// Errors: hipErrorInvalidValue (`memory.ptr` is null or not in memory of HIP, the pitch is less
/// than the width or more than the largest one, or the fill passes the end of a slice or of the
/// allocation), @work.
/// Stream: @null. Capture: @implicit.
hipError_t hipMemset3D(hipPitchedPtr memory, int value, hipExtent extent);

/// Sets the bytes of a box to the low 8 bits of `value` in a stream. `extent.width` is in bytes,
/// `extent.height` in rows, `extent.depth` in slices. An empty box is not an error.
/// Errors: hipErrorInvalidValue (`memory.ptr` is null or not in memory of HIP, the pitch is less
/// than the width or more than the largest one, or the fill passes the end of a slice or of the
/// allocation), @stream.
/// Stream: @queued. Capture: @fill-node.
hipError_t hipMemset3DAsync(hipPitchedPtr memory, int value, hipExtent extent,
                            hipStream_t stream __dparm(0));

HIP_API_END
