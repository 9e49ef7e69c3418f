/// Fills memory with one value.
#pragma once

#include <hip/api/error_types.h>
#include <hip/api/macros.h>
#include <hip/api/memory_types.h>

HIP_API_BEGIN

/// Sets bytes to the low 8 bits of `value`.
hipError_t hipMemset(void *dst, int value, size_t bytes);

/// hipMemset in stream order.
hipError_t hipMemsetAsync(void *dst, int value, size_t bytes, hipStream_t stream __dparm(0));

/// Sets `count` bytes.
hipError_t hipMemsetD8(hipDeviceptr_t dst, unsigned char value, size_t count);

/// hipMemsetD8 in stream order.
hipError_t hipMemsetD8Async(hipDeviceptr_t dst, unsigned char value, size_t count,
                            hipStream_t stream __dparm(0));

/// Sets `count` values of 16 bits.
hipError_t hipMemsetD16(hipDeviceptr_t dst, unsigned short value, size_t count);

/// hipMemsetD16 in stream order.
hipError_t hipMemsetD16Async(hipDeviceptr_t dst, unsigned short value, size_t count,
                             hipStream_t stream __dparm(0));

/// Sets `count` values of 32 bits.
hipError_t hipMemsetD32(hipDeviceptr_t dst, int value, size_t count);

/// hipMemsetD32 in stream order.
hipError_t hipMemsetD32Async(hipDeviceptr_t dst, int value, size_t count,
                             hipStream_t stream __dparm(0));

/// Sets `height` rows of `width` bytes, which start every `pitch` bytes.
hipError_t hipMemset2D(void *dst, size_t pitch, int value, size_t width, size_t height);

/// hipMemset2D in stream order.
hipError_t hipMemset2DAsync(void *dst, size_t pitch, int value, size_t width, size_t height,
                            hipStream_t stream __dparm(0));

/// Sets the bytes of a box.
hipError_t hipMemset3D(hipPitchedPtr memory, int value, hipExtent extent);

/// hipMemset3D in stream order.
hipError_t hipMemset3DAsync(hipPitchedPtr memory, int value, hipExtent extent,
                            hipStream_t stream __dparm(0));

HIP_API_END
