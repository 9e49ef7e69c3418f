/// Arrays: memory in the layout that textures are read from.
#pragma once

#include <hip/api/types/copy_types.h>
#include <hip/api/types/error_types.h>
#include <hip/api/types/macros.h>

HIP_API_BEGIN

/// Allocates an array on the current device. `width` and `height` are in elements; a height of 0
/// gives an array of one dimension. `description` has the number of bits of each channel of an
/// element. `flags` combines hipArray* values.
/// Errors: hipErrorInvalidValue (`array` or `description` is null, an element cannot be of this
/// kind, `width` is 0, a size is more than the device allows, or `flags` does not suit the sizes),
/// @memory.
/// Stream: @none. Capture: @unsafe.
hipError_t hipMallocArray(hipArray_t *array, const hipChannelFormatDesc *description, size_t width,
                          size_t height __dparm(0), unsigned int flags __dparm(hipArrayDefault));

/// Allocates an array of one, two or three dimensions on the current device. `extent` is in
/// elements; a height of 0 gives one dimension, a depth of 0 gives two. With hipArrayLayered or
/// hipArrayCubemap the depth counts layers or faces. `description` has the number of bits of each
/// channel of an element. `flags` combines hipArray* values.
/// Errors: hipErrorInvalidValue (`array` or `description` is null, an element cannot be of this
/// kind, the width is 0, a size is more than the device allows, or `flags` does not suit the
/// sizes), @memory.
/// Stream: @none. Capture: @unsafe.
hipError_t hipMalloc3DArray(hipArray_t *array, const struct hipChannelFormatDesc *description,
                            struct hipExtent extent, unsigned int flags);

/// Frees an array. A level of a mipmapped array cannot be freed on its own.
/// Errors: hipErrorInvalidValue (`array` is null), hipErrorContextIsDestroyed (`array` is not a
/// live array, or is a level of a mipmapped array), @work.
/// Stream: The host waits for the work of the array's device. Capture: @unsafe.
hipError_t hipFreeArray(hipArray_t array);

/// Stores the description of an element, the size in elements and the flags of an array. Each of
/// these pointers may be null.
/// Errors: hipErrorInvalidHandle (`array` is not a live array).
/// Stream: @none. Capture: @unsafe.
hipError_t hipArrayGetInfo(hipChannelFormatDesc *description, hipExtent *extent,
                           unsigned int *flags, hipArray_t array);

/// Stores the description of an element of an array.
/// Errors: hipErrorInvalidValue (`description` is null), hipErrorInvalidHandle (`array` is not a
/// live array).
/// Stream: @none. Capture: @allowed.
hipError_t hipGetChannelDesc(hipChannelFormatDesc *description, hipArray_const_t array);

// Driver interface

/// Allocates an array of one or two dimensions on the current device. `description` has the width
/// and the height in elements (a height of 0 gives one dimension), the type of a channel and the
/// number of channels, which is 1, 2 or 4.
/// Errors: hipErrorInvalidValue (`array` or `description` is null, the type or the number of
/// channels is not possible, the width is 0, or a size is more than the device allows), @memory.
/// Stream: @none. Capture: @unsafe.
hipError_t hipArrayCreate(hipArray_t *array, const HIP_ARRAY_DESCRIPTOR *description);

/// Allocates an array of one, two or three dimensions on the current device. `description` has the
/// width, the height and the depth in elements (a height of 0 gives one dimension, a depth of 0
/// gives two), the type of a channel, the number of channels, which is 1, 2 or 4, and hipArray*
/// flags.
/// Errors: hipErrorInvalidValue (`array` or `description` is null, the type or the number of
/// channels is not possible, the width is 0, a size is more than the device allows, or the flags do
/// not suit the sizes), @memory.
/// Stream: @none. Capture: @unsafe.
hipError_t hipArray3DCreate(hipArray_t *array, const HIP_ARRAY3D_DESCRIPTOR *description);

/// @like hipFreeArray
hipError_t hipArrayDestroy(hipArray_t array);

/// Stores the size in elements, the type of a channel and the number of channels of an array of one
/// or two dimensions.
/// Errors: hipErrorInvalidValue (`description` is null), hipErrorInvalidHandle (`array` is not a
/// live array).
/// Stream: @none. Capture: @unsafe.
hipError_t hipArrayGetDescriptor(HIP_ARRAY_DESCRIPTOR *description, hipArray_t array);

/// Stores the size in elements, the type of a channel, the number of channels and the flags of an
/// array.
/// Errors: hipErrorInvalidValue (`description` is null), hipErrorInvalidHandle (`array` is not a
/// live array).
/// Stream: @none. Capture: @unsafe.
hipError_t hipArray3DGetDescriptor(HIP_ARRAY3D_DESCRIPTOR *description, hipArray_t array);

// Mipmapped arrays

/// Allocates a mipmapped array on the current device. `extent` is the size of level 0 in elements,
/// as for hipMalloc3DArray; each level has half the size of the one before. `levels` is brought
/// into the range from 1 to the number of levels at which each size is 1. `flags` combines
/// hipArray* values.
/// Errors: hipErrorInvalidValue (`array` or `description` is null, an element cannot be of this
/// kind, the width is 0, a size is more than the device allows, or `flags` does not suit the
/// sizes), @memory.
/// Stream: @none. Capture: @unsafe.
hipError_t hipMallocMipmappedArray(hipMipmappedArray_t *array,
                                   const struct hipChannelFormatDesc *description,
                                   struct hipExtent extent, unsigned int levels,
                                   unsigned int flags __dparm(0));

/// Frees a mipmapped array and its levels.
/// Errors: hipErrorInvalidValue (`array` is null), hipErrorContextIsDestroyed (`array` is not a
/// live mipmapped array), @work.
/// Stream: The host waits for the work of the array's device. Capture: @unsafe.
hipError_t hipFreeMipmappedArray(hipMipmappedArray_t array);

/// Stores one level of a mipmapped array as an array. It is valid as long as the mipmapped array
/// and is not freed by the program.
/// Errors: hipErrorInvalidValue (`level_array` is null, or `array` has no such level),
/// hipErrorInvalidHandle (`array` is not a live mipmapped array).
/// Stream: @none. Capture: @unsafe.
hipError_t hipGetMipmappedArrayLevel(hipArray_t *level_array, hipMipmappedArray_const_t array,
                                     unsigned int level);

/// Allocates a mipmapped array on the current device. `description` has the size of level 0 in
/// elements, as for hipArray3DCreate; each level has half the size of the one before. `levels` is
/// brought into the range from 1 to the number of levels at which each size is 1.
/// Errors: hipErrorInvalidValue (`array` or `description` is null, the type or the number of
/// channels is not possible, the width is 0, a size is more than the device allows, or the flags do
/// not suit the sizes), @memory.
/// Stream: @none. Capture: @unsafe.
hipError_t hipMipmappedArrayCreate(hipMipmappedArray_t *array, HIP_ARRAY3D_DESCRIPTOR *description,
                                   unsigned int levels);

/// @like hipFreeMipmappedArray
hipError_t hipMipmappedArrayDestroy(hipMipmappedArray_t array);

/// @like hipGetMipmappedArrayLevel
hipError_t hipMipmappedArrayGetLevel(hipArray_t *level_array, hipMipmappedArray_t array,
                                     unsigned int level);

HIP_API_END
