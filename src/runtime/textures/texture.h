// Texture and surface objects: descriptors in device memory that kernels read through (hip/spirv_detail/textures/texture_sample.h).
#pragma once

#include "../memory/array.h"

#include <optional>

namespace chip {

/// What an object was made of, in the runtime functions' terms.
struct TextureRecord {
  Device *device = nullptr;
  hipResourceDesc resource{};
  hipTextureDesc texture{};
  std::optional<hipResourceViewDesc> view = std::nullopt;
  // That it is bound to: the memory then needs no more alignment than its elements.
  const textureReference *reference = nullptr;
};

/// Throws hipErrorInvalidValue for resources, formats or modes that do not go together, hipErrorNotSupported for compressed
/// formats. The object is for the current device.
hipTextureObject_t create_texture(const TextureRecord &wanted);
hipSurfaceObject_t create_surface(const hipResourceDesc &resource);
/// Kernels that were submitted before may still read through the object. Throws hipErrorInvalidValue for what is none.
void destroy_texture(hipTextureObject_t texture);
void destroy_surface(hipSurfaceObject_t surface);
/// Destroys a texture of a reference, which may be null, or gone with all others of its device: then its handle may be that of
/// another texture by now.
void discard_texture(hipTextureObject_t texture, const textureReference &reference);

TextureRecord find_texture(hipTextureObject_t texture);

/// Forgets the objects of a device, whose memory goes with all other.
void forget_textures(const Device &device);

} // namespace chip
