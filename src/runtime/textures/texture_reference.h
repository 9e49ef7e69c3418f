// Texture references: structures of the program whose copies in device code name a texture object.
#pragma once

#include "texture.h"

namespace chip {

/// The reference of a loaded module, the same at each call. Throws hipErrorNotFound.
textureReference *find_texture_reference(hipModule_t module, const char *name);
/// Before a module is unloaded.
void forget_texture_references(hipModule_t module);

/// Makes a reference read a resource, the way its members say, for kernels launched later.
void bind_texture(textureReference &reference, const hipResourceDesc &resource);
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
