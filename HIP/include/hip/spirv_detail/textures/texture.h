/// Reads of textures: tex1Dfetch, tex2D and their kin, of objects and of references.
///
/// Each function has three forms: one returns the value, one stores it through a pointer, and one
/// reads a texture reference. Coordinates are elements, or run from 0 to 1 if the texture says so.
#pragma once

#include <hip/spirv_detail/textures/texture_sample.h>

namespace chip_device {

/// What a reference is bound to. The compiler must not know that no kernel writes it: the host does,
/// and a reference that is static would have no value at all.
CHIP_DEVICE hipTextureObject_t object_of(const textureReference &reference) {
  return *static_cast<const volatile hipTextureObject_t *>(&reference.textureObject);
}

/// What a read of a texture reference returns.
template <typename T, hipTextureReadMode mode> struct __ReferenceValue {
  typedef T __Type;
};
template <typename T> struct __ReferenceValue<T, hipReadModeNormalizedFloat> {
  typedef float __Type;
};
template <typename __C, unsigned int n>
struct __ReferenceValue<HIP_vector_type<__C, n>, hipReadModeNormalizedFloat> {
  typedef HIP_vector_type<float, n> __Type;
};

/// What tex2Dgather of a texture reference returns: one channel of four elements.
template <typename T, hipTextureReadMode mode> struct __GatheredValue {
  typedef HIP_vector_type<typename __Texel<typename __ReferenceValue<T, mode>::__Type>::__Channel,
                          4>
      __Type;
};

template <typename T> CHIP_DEVICE T fetch(__Texture texture, int x) {
  const bool is_inside = static_cast<unsigned int>(x) < texture->base.width;
  const unsigned int element = texture->element;
  const auto address = [&](unsigned int bytes) __attribute__((always_inline)) {
    return address_of(&texture->base, 0, x, 0, bytes, is_inside);
  };
  const T value = element == __ElementOf<T>::value
                      ? load<T>(address(sizeof(T)))
                      : convert<T>(address(element_bytes(element)), element);
  return choose(is_inside, value, zero_texel<T>());
}

/// The elements around a place, from the lower left one on against the clock.
template <typename T> CHIP_DEVICE T gather(__Texture texture, float x, float y, int channel) {
  const __Level level = &texture->base;
  const __Neighbours u = neighbours<false>(
      texture, 0, to_elements<false>(texture, 0, x, level->width), level->width, true);
  const __Neighbours v = neighbours<false>(
      texture, 1, to_elements<false>(texture, 1, y, level->height), level->height, true);
  const unsigned int element = texture->element;
  typename __Texel<T>::__Channel values[4];
  for (int corner = 0; corner < 4; ++corner) {
    const int i = u.index(corner == 1 || corner == 2), j = v.index(corner < 2);
    const T value = (i | j) < 0
                        ? border<T>(texture)
                        : convert<T>(address_of(level, 0, i, j, element_bytes(element)), element);
    values[corner] = __Texel<T>::channel(value, channel);
  }
  return __Texel<T>::make(values);
}

template <typename T>
CHIP_DEVICE T read_cube(__Texture texture, float x, float y, float z, int cube) {
  const __CubePlace place = cube_place(x, y, z);
  return read_texture<T, 2, true>(texture, layer_in(texture, cube) * 6 + place.face, place.s,
                                  place.t, 0);
}
template <typename T>
CHIP_DEVICE T read_cube_lod(__Texture texture, float x, float y, float z, int cube, float lod) {
  const __CubePlace place = cube_place(x, y, z);
  return read_lod<T, 2, true>(texture, layer_in(texture, cube) * 6 + place.face, place.s, place.t,
                              0, lod);
}
template <typename T>
CHIP_DEVICE T read_cube_grad(__Texture texture, float x, float y, float z, int cube,
                             const float4 &dx, const float4 &dy) {
  const __CubePlace place = cube_place(x, y, z);
  return read_lod<T, 2, true>(texture, layer_in(texture, cube) * 6 + place.face, place.s, place.t,
                              0, cube_lod_for(texture, place, dx, dy));
}

} // namespace chip_device

#define CHIP_LIST(...) __VA_ARGS__
#define CHIP_TEXTURE(name, texture_type, __Value, parameters, arguments, function, values)         \
  template <typename T> CHIP_DEVICE T name(hipTextureObject_t object, parameters) {                \
    const chip_device::__Texture texture = chip_device::texture_of(object);                        \
    return chip_device::function(texture, values);                                                 \
  }                                                                                                \
  template <typename T> CHIP_DEVICE void name(T *result, hipTextureObject_t object, parameters) {  \
    *result = name<T>(object, arguments);                                                          \
  }                                                                                                \
  template <typename T, hipTextureReadMode mode>                                                   \
  CHIP_DEVICE typename chip_device::__Value<T, mode>::__Type name(                                 \
      const texture<T, texture_type, mode> &reference, parameters) {                               \
    return name<typename chip_device::__Value<T, mode>::__Type>(chip_device::object_of(reference), \
                                                                arguments);                        \
  }

// The element at an index of linear memory; 0 outside.
CHIP_TEXTURE(tex1Dfetch, hipTextureType1D, __ReferenceValue, CHIP_LIST(int x), CHIP_LIST(x),
             fetch<T>, CHIP_LIST(x))

CHIP_TEXTURE(tex1D, hipTextureType1D, __ReferenceValue, CHIP_LIST(float x), CHIP_LIST(x),
             CHIP_LIST(read_texture<T, 1, false>), CHIP_LIST(0, x, 0, 0))
CHIP_TEXTURE(tex2D, hipTextureType2D, __ReferenceValue, CHIP_LIST(float x, float y),
             CHIP_LIST(x, y), CHIP_LIST(read_texture<T, 2, false>), CHIP_LIST(0, x, y, 0))
CHIP_TEXTURE(tex3D, hipTextureType3D, __ReferenceValue, CHIP_LIST(float x, float y, float z),
             CHIP_LIST(x, y, z), CHIP_LIST(read_texture<T, 3, false>), CHIP_LIST(0, x, y, z))
CHIP_TEXTURE(tex1DLayered, hipTextureType1DLayered, __ReferenceValue, CHIP_LIST(float x, int layer),
             CHIP_LIST(x, layer), CHIP_LIST(read_texture<T, 1, false>),
             CHIP_LIST(layer_in(texture, layer), x, 0, 0))
CHIP_TEXTURE(tex2DLayered, hipTextureType2DLayered, __ReferenceValue,
             CHIP_LIST(float x, float y, int layer), CHIP_LIST(x, y, layer),
             CHIP_LIST(read_texture<T, 2, false>), CHIP_LIST(layer_in(texture, layer), x, y, 0))
CHIP_TEXTURE(texCubemap, hipTextureTypeCubemap, __ReferenceValue,
             CHIP_LIST(float x, float y, float z), CHIP_LIST(x, y, z), read_cube<T>,
             CHIP_LIST(x, y, z, 0))
CHIP_TEXTURE(texCubemapLayered, hipTextureTypeCubemapLayered, __ReferenceValue,
             CHIP_LIST(float x, float y, float z, int layer), CHIP_LIST(x, y, z, layer),
             read_cube<T>, CHIP_LIST(x, y, z, layer))

// One channel of the four elements that a linear filter would take.
CHIP_TEXTURE(tex2Dgather, hipTextureType2D, __GatheredValue,
             CHIP_LIST(float x, float y, int channel = 0), CHIP_LIST(x, y, channel), gather<T>,
             CHIP_LIST(x, y, channel))

// Of a level of detail: 0 is the largest level, 1 the next.
CHIP_TEXTURE(tex1DLod, hipTextureType1D, __ReferenceValue, CHIP_LIST(float x, float level),
             CHIP_LIST(x, level), CHIP_LIST(read_lod<T, 1, false>), CHIP_LIST(0, x, 0, 0, level))
CHIP_TEXTURE(tex2DLod, hipTextureType2D, __ReferenceValue, CHIP_LIST(float x, float y, float level),
             CHIP_LIST(x, y, level), CHIP_LIST(read_lod<T, 2, false>), CHIP_LIST(0, x, y, 0, level))
CHIP_TEXTURE(tex3DLod, hipTextureType3D, __ReferenceValue,
             CHIP_LIST(float x, float y, float z, float level), CHIP_LIST(x, y, z, level),
             CHIP_LIST(read_lod<T, 3, false>), CHIP_LIST(0, x, y, z, level))
CHIP_TEXTURE(tex1DLayeredLod, hipTextureType1DLayered, __ReferenceValue,
             CHIP_LIST(float x, int layer, float level), CHIP_LIST(x, layer, level),
             CHIP_LIST(read_lod<T, 1, false>), CHIP_LIST(layer_in(texture, layer), x, 0, 0, level))
CHIP_TEXTURE(tex2DLayeredLod, hipTextureType2DLayered, __ReferenceValue,
             CHIP_LIST(float x, float y, int layer, float level), CHIP_LIST(x, y, layer, level),
             CHIP_LIST(read_lod<T, 2, false>), CHIP_LIST(layer_in(texture, layer), x, y, 0, level))
CHIP_TEXTURE(texCubemapLod, hipTextureTypeCubemap, __ReferenceValue,
             CHIP_LIST(float x, float y, float z, float level), CHIP_LIST(x, y, z, level),
             read_cube_lod<T>, CHIP_LIST(x, y, z, 0, level))
CHIP_TEXTURE(texCubemapLayeredLod, hipTextureTypeCubemapLayered, __ReferenceValue,
             CHIP_LIST(float x, float y, float z, int layer, float level),
             CHIP_LIST(x, y, z, layer, level), read_cube_lod<T>, CHIP_LIST(x, y, z, layer, level))

// Of the level that fits the derivatives of the coordinates in two directions.
CHIP_TEXTURE(tex1DGrad, hipTextureType1D, __ReferenceValue, CHIP_LIST(float x, float dx, float dy),
             CHIP_LIST(x, dx, dy), CHIP_LIST(read_lod<T, 1, false>),
             CHIP_LIST(0, x, 0, 0, lod_for(texture, dx, 0, 0, dy, 0, 0)))
CHIP_TEXTURE(tex2DGrad, hipTextureType2D, __ReferenceValue,
             CHIP_LIST(float x, float y, float2 dx, float2 dy), CHIP_LIST(x, y, dx, dy),
             CHIP_LIST(read_lod<T, 2, false>),
             CHIP_LIST(0, x, y, 0, lod_for(texture, dx.x, dx.y, 0, dy.x, dy.y, 0)))
CHIP_TEXTURE(tex3DGrad, hipTextureType3D, __ReferenceValue,
             CHIP_LIST(float x, float y, float z, float4 dx, float4 dy), CHIP_LIST(x, y, z, dx, dy),
             CHIP_LIST(read_lod<T, 3, false>),
             CHIP_LIST(0, x, y, z, lod_for(texture, dx.x, dx.y, dx.z, dy.x, dy.y, dy.z)))
CHIP_TEXTURE(tex1DLayeredGrad, hipTextureType1DLayered, __ReferenceValue,
             CHIP_LIST(float x, int layer, float dx, float dy), CHIP_LIST(x, layer, dx, dy),
             CHIP_LIST(read_lod<T, 1, false>),
             CHIP_LIST(layer_in(texture, layer), x, 0, 0, lod_for(texture, dx, 0, 0, dy, 0, 0)))
CHIP_TEXTURE(tex2DLayeredGrad, hipTextureType2DLayered, __ReferenceValue,
             CHIP_LIST(float x, float y, int layer, float2 dx, float2 dy),
             CHIP_LIST(x, y, layer, dx, dy), CHIP_LIST(read_lod<T, 2, false>),
             CHIP_LIST(layer_in(texture, layer), x, y, 0,
                       lod_for(texture, dx.x, dx.y, 0, dy.x, dy.y, 0)))
CHIP_TEXTURE(texCubemapGrad, hipTextureTypeCubemap, __ReferenceValue,
             CHIP_LIST(float x, float y, float z, float4 dx, float4 dy), CHIP_LIST(x, y, z, dx, dy),
             read_cube_grad<T>, CHIP_LIST(x, y, z, 0, dx, dy))
CHIP_TEXTURE(texCubemapLayeredGrad, hipTextureTypeCubemapLayered, __ReferenceValue,
             CHIP_LIST(float x, float y, float z, int layer, float4 dx, float4 dy),
             CHIP_LIST(x, y, z, layer, dx, dy), read_cube_grad<T>,
             CHIP_LIST(x, y, z, layer, dx, dy))

#undef CHIP_TEXTURE
#undef CHIP_LIST
