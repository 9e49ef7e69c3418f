/// Arrays: memory in the layout that textures are read from.
#pragma once

#include <hip/api/copy_types.h>
#include <hip/api/error_types.h>
#include <hip/api/macros.h>

HIP_API_BEGIN

/// An array of one or (`height` not 0) two dimensions, with hipArray* flags. Sizes are elements.
hipError_t hipMallocArray(hipArray_t *array, const hipChannelFormatDesc *description, size_t width,
                          size_t height __dparm(0), unsigned int flags __dparm(hipArrayDefault));

/// An array of up to three dimensions, with hipArray* flags. Sizes are elements.
hipError_t hipMalloc3DArray(hipArray_t *array, const struct hipChannelFormatDesc *description,
                            struct hipExtent extent, unsigned int flags);

/// Frees an array. Null is no error.
hipError_t hipFreeArray(hipArray_t array);

/// Element, size in elements and flags of an array.
hipError_t hipArrayGetInfo(hipChannelFormatDesc *description, hipExtent *extent,
                           unsigned int *flags, hipArray_t array);

/// The element of an array.
hipError_t hipGetChannelDesc(hipChannelFormatDesc *description, hipArray_const_t array);

// For driver code

/// An array of one or two dimensions.
hipError_t hipArrayCreate(hipArray_t *array, const HIP_ARRAY_DESCRIPTOR *description);

/// An array of up to three dimensions.
hipError_t hipArray3DCreate(hipArray_t *array, const HIP_ARRAY3D_DESCRIPTOR *description);

/// Frees an array.
hipError_t hipArrayDestroy(hipArray_t array);

/// Element and size of an array of one or two dimensions.
hipError_t hipArrayGetDescriptor(HIP_ARRAY_DESCRIPTOR *description, hipArray_t array);

/// Element, size and flags of an array.
hipError_t hipArray3DGetDescriptor(HIP_ARRAY3D_DESCRIPTOR *description, hipArray_t array);

// With mipmaps

/// An array with `levels` levels, with hipArray* flags.
hipError_t hipMallocMipmappedArray(hipMipmappedArray_t *array,
                                   const struct hipChannelFormatDesc *description,
                                   struct hipExtent extent, unsigned int levels,
                                   unsigned int flags __dparm(0));

/// Frees an array with its levels.
hipError_t hipFreeMipmappedArray(hipMipmappedArray_t array);

/// One level as an array of its own, which lives as long as the whole.
hipError_t hipGetMipmappedArrayLevel(hipArray_t *level_array, hipMipmappedArray_const_t array,
                                     unsigned int level);

/// hipMallocMipmappedArray for driver code.
hipError_t hipMipmappedArrayCreate(hipMipmappedArray_t *array, HIP_ARRAY3D_DESCRIPTOR *description,
                                   unsigned int levels);

/// hipFreeMipmappedArray for driver code.
hipError_t hipMipmappedArrayDestroy(hipMipmappedArray_t array);

/// hipGetMipmappedArrayLevel for driver code.
hipError_t hipMipmappedArrayGetLevel(hipArray_t *level_array, hipMipmappedArray_t array,
                                     unsigned int level);

HIP_API_END
