/// Texture objects and surface objects.
#pragma once

#include <hip/api/types/error_types.h>
#include <hip/api/types/macros.h>
#include <hip/surface_types.h>
#include <hip/texture_types.h>

HIP_API_BEGIN

/// Creates a texture object on the current device, by which kernels read an array, a mipmapped
/// array, linear memory or pitched memory. `resource` says which, `description` how it is read.
/// `view` is null, or chooses the format, the levels and the layers of an array that are shown.
/// Errors: hipErrorInvalidValue (`texture`, `resource` or `description` is null, an array is not
/// live, an address or a pitch is not aligned, a size, a mode or the view is not possible),
/// hipErrorNotSupported (the view has a compressed format), @memory.
/// Stream: No work of the program is waited for; the host waits until the object is in memory of
/// the device. Capture: @unsafe.
hipError_t hipCreateTextureObject(hipTextureObject_t *texture, const hipResourceDesc *resource,
                                  const hipTextureDesc *description,
                                  const struct hipResourceViewDesc *view);

/// Destroys a texture object, and not the memory that it shows. Kernels that use the object have
/// ended. 0 is not an error.
/// Errors: hipErrorInvalidValue (`texture` is not a live texture object).
/// Stream: @none. Capture: @allowed.
hipError_t hipDestroyTextureObject(hipTextureObject_t texture);

/// Stores the resource that a texture object shows.
/// Errors: hipErrorInvalidValue (`resource` is null, or `texture` is not a live texture object).
/// Stream: @none. Capture: @allowed.
hipError_t hipGetTextureObjectResourceDesc(hipResourceDesc *resource, hipTextureObject_t texture);

/// Stores the view with which a texture object was created.
/// Errors: hipErrorInvalidValue (`view` is null, `texture` is not a live texture object, or it was
/// created without a view).
/// Stream: @none. Capture: @allowed.
hipError_t hipGetTextureObjectResourceViewDesc(struct hipResourceViewDesc *view,
                                               hipTextureObject_t texture);

/// Stores how a texture object is read.
/// Errors: hipErrorInvalidValue (`description` is null, or `texture` is not a live texture object).
/// Stream: @none. Capture: @allowed.
hipError_t hipGetTextureObjectTextureDesc(hipTextureDesc *description, hipTextureObject_t texture);

// Driver interface

/// @like hipCreateTextureObject
hipError_t hipTexObjectCreate(hipTextureObject_t *texture, const HIP_RESOURCE_DESC *resource,
                              const HIP_TEXTURE_DESC *description,
                              const HIP_RESOURCE_VIEW_DESC *view);

/// @like hipDestroyTextureObject
hipError_t hipTexObjectDestroy(hipTextureObject_t texture);

/// @like hipGetTextureObjectResourceDesc
hipError_t hipTexObjectGetResourceDesc(HIP_RESOURCE_DESC *resource, hipTextureObject_t texture);

/// @like hipGetTextureObjectResourceViewDesc
hipError_t hipTexObjectGetResourceViewDesc(HIP_RESOURCE_VIEW_DESC *view,
                                           hipTextureObject_t texture);

/// @like hipGetTextureObjectTextureDesc
hipError_t hipTexObjectGetTextureDesc(HIP_TEXTURE_DESC *description, hipTextureObject_t texture);

// Surfaces

/// Creates a surface object on the current device, by which kernels read and write an array. The
/// array was made with hipArraySurfaceLoadStore; libCHIP accepts others as well.
/// Errors: hipErrorInvalidValue (`surface` or `resource` is null, or the resource is not an array),
/// hipErrorInvalidHandle (the array is not live), @memory.
/// Stream: No work of the program is waited for; the host waits until the object is in memory of
/// the device. Capture: @unsafe.
hipError_t hipCreateSurfaceObject(hipSurfaceObject_t *surface, const hipResourceDesc *resource);

/// Destroys a surface object, and not its array. Kernels that use the object have ended. 0 is not
/// an error.
/// Errors: hipErrorInvalidValue (`surface` is not a live surface object).
/// Stream: @none. Capture: @allowed.
hipError_t hipDestroySurfaceObject(hipSurfaceObject_t surface);

HIP_API_END
