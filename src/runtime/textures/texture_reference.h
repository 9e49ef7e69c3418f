// Texture references: structures of the program whose copies in device code name a texture object.
#pragma once

#include "texture.h"

namespace chip {

/// The reference of a loaded module, the same at each call. Throws hipErrorNotFound.
textureReference *find_texture_reference(hipModule_t module, const char *name);
/// Its references are not live from now on, though a program may still have them.
void forget_texture_references(const void *module);
/// Throws hipErrorInvalidValue for the reference of a module that is not loaded any more. To be called before a member is touched.
void check_reference(const textureReference &reference);

/// The element that a reference was declared or set to have.
hipChannelFormatDesc element_of(const textureReference &reference);
void set_element(textureReference &reference, const hipChannelFormatDesc &element);

// These make a reference read a resource, the way its members say, for kernels launched later. They throw hipErrorInvalidValue as
// create_texture does, and for what is not a texture reference.

/// Linear memory from an address that needs no more alignment than elements do, so that no read has to add an offset.
void bind_linear(textureReference &reference, const void *address,
                 const hipChannelFormatDesc &element, size_t bytes);
void bind_pitched(textureReference &reference, const void *address,
                  const hipChannelFormatDesc &element, size_t width, size_t height, size_t pitch);
void bind_array(textureReference &reference, hipArray_const_t array);
void bind_mipmapped(textureReference &reference, hipMipmappedArray_const_t array);
void unbind_texture(textureReference &reference);
/// After members have changed: a reference that is bound is bound anew.
void rebind_texture(textureReference &reference);
/// What a reference is bound to. Throws hipErrorInvalidValue if to nothing.
TextureRecord find_bound(const textureReference &reference);

/// What references have no member for.
struct BorderColor {
  float channel[4]{};
};
BorderColor border_color(const textureReference &reference);
void set_border_color(textureReference &reference, const BorderColor &color);

} // namespace chip
