/// Texture and surface objects.
#pragma once

#include <hip/api/error_types.h>
#include <hip/api/macros.h>
#include <hip/surface_types.h>
#include <hip/texture_types.h>

HIP_API_BEGIN

/// A texture object; `view` may be null.
hipError_t hipCreateTextureObject(hipTextureObject_t *texture, const hipResourceDesc *resource,
                                  const hipTextureDesc *description,
                                  const struct hipResourceViewDesc *view);

/// Ends a texture object, not the memory behind it.
hipError_t hipDestroyTextureObject(hipTextureObject_t texture);

/// The memory behind a texture object.
hipError_t hipGetTextureObjectResourceDesc(hipResourceDesc *resource, hipTextureObject_t texture);

/// The part that a texture object shows.
hipError_t hipGetTextureObjectResourceViewDesc(struct hipResourceViewDesc *view,
                                               hipTextureObject_t texture);

/// How a texture object reads.
hipError_t hipGetTextureObjectTextureDesc(hipTextureDesc *description, hipTextureObject_t texture);

// For driver code

/// hipCreateTextureObject for driver code.
hipError_t hipTexObjectCreate(hipTextureObject_t *texture, const HIP_RESOURCE_DESC *resource,
                              const HIP_TEXTURE_DESC *description,
                              const HIP_RESOURCE_VIEW_DESC *view);

/// hipDestroyTextureObject for driver code.
hipError_t hipTexObjectDestroy(hipTextureObject_t texture);

/// hipGetTextureObjectResourceDesc for driver code.
hipError_t hipTexObjectGetResourceDesc(HIP_RESOURCE_DESC *resource, hipTextureObject_t texture);

/// hipGetTextureObjectResourceViewDesc for driver code.
hipError_t hipTexObjectGetResourceViewDesc(HIP_RESOURCE_VIEW_DESC *view,
                                           hipTextureObject_t texture);

/// hipGetTextureObjectTextureDesc for driver code.
hipError_t hipTexObjectGetTextureDesc(HIP_TEXTURE_DESC *description, hipTextureObject_t texture);

// Surfaces

/// A surface object; the resource is an array made with hipArraySurfaceLoadStore.
hipError_t hipCreateSurfaceObject(hipSurfaceObject_t *surface, const hipResourceDesc *resource);

/// Ends a surface object, not the array behind it.
hipError_t hipDestroySurfaceObject(hipSurfaceObject_t surface);

HIP_API_END
