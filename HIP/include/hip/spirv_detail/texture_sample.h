/// How textures are read: in plain code, because not every device that runs SPIR-V has samplers.
///
/// The formulas are those of the CUDA programming guide, appendix "Texture Fetching", which HIP
/// follows. A linear filter weighs with 8 bits of fraction.
#pragma once

#include <hip/hip_vector_types.h>
#include <hip/spirv_detail/math_builtins.h>
#include <hip/spirv_detail/texture_descriptor.h>
#include <hip/texture_types.h>

namespace chip_device {

// Textures are never in shared or private memory, and knowing that makes loads cheaper.
#define CHIP_GLOBAL __attribute__((address_space(1)))
#define CHIP_DEVICE_MEMBER __device__ __forceinline__

typedef const CHIP_GLOBAL TextureDescriptor *Texture;
typedef const CHIP_GLOBAL TextureLevel *Level;

CHIP_DEVICE Texture texture_of(hipTextureObject_t object) {
  return (Texture) reinterpret_cast<uintptr_t>(object);
}

// Elements

/// An integer type for each size of an element.
template <unsigned int bytes> struct Bits;
template <> struct Bits<1> {
  typedef unsigned char Type;
};
template <> struct Bits<2> {
  typedef unsigned short Type;
};
template <> struct Bits<4> {
  typedef unsigned int Type;
};
template <> struct Bits<8> {
  typedef unsigned int Type __attribute__((ext_vector_type(2)));
};
template <> struct Bits<16> {
  typedef unsigned int Type __attribute__((ext_vector_type(4)));
};

template <typename T> CHIP_DEVICE T load(uint64_t address) {
  typedef typename Bits<sizeof(T)>::Type Raw;
  return __builtin_bit_cast(T, *(const CHIP_GLOBAL Raw *)address);
}
template <typename T> CHIP_DEVICE void store(uint64_t address, T value) {
  typedef typename Bits<sizeof(T)>::Type Raw;
  *(CHIP_GLOBAL Raw *)address = __builtin_bit_cast(Raw, value);
}

template <typename C> struct ChannelType {
  static constexpr bool is_float = static_cast<C>(0.5f) != static_cast<C>(0);
  static constexpr bool is_signed = static_cast<C>(-1) < static_cast<C>(0);
  static constexpr unsigned int bytes = sizeof(C);
  static constexpr unsigned int format = (is_float    ? float_16 & ~3u
                                          : is_signed ? static_cast<unsigned int>(signed_8)
                                                      : static_cast<unsigned int>(unsigned_8)) |
                                         (bytes == 1   ? 0u
                                          : bytes == 2 ? 1u
                                                       : 2u);
};

/// The type that a program reads a texture as: its channels, and the element with that layout.
template <typename T> struct Texel {
  typedef T Channel;
  static constexpr unsigned int channels = 1;
  static CHIP_DEVICE_MEMBER T make(const T (&c)[4]) { return c[0]; }
  static CHIP_DEVICE_MEMBER T channel(const T &v, int) { return v; }
};
template <typename C> struct Texel<HIP_vector_type<C, 1>> {
  typedef C Channel;
  static constexpr unsigned int channels = 1;
  static CHIP_DEVICE_MEMBER HIP_vector_type<C, 1> make(const C (&c)[4]) {
    return HIP_vector_type<C, 1>(c[0]);
  }
  static CHIP_DEVICE_MEMBER C channel(const HIP_vector_type<C, 1> &v, int) { return v.x; }
};
template <typename C> struct Texel<HIP_vector_type<C, 2>> {
  typedef C Channel;
  static constexpr unsigned int channels = 2;
  static CHIP_DEVICE_MEMBER HIP_vector_type<C, 2> make(const C (&c)[4]) {
    return HIP_vector_type<C, 2>(c[0], c[1]);
  }
  static CHIP_DEVICE_MEMBER C channel(const HIP_vector_type<C, 2> &v, int i) {
    return i == 0 ? v.x : v.y;
  }
};
template <typename C> struct Texel<HIP_vector_type<C, 4>> {
  typedef C Channel;
  static constexpr unsigned int channels = 4;
  static CHIP_DEVICE_MEMBER HIP_vector_type<C, 4> make(const C (&c)[4]) {
    return HIP_vector_type<C, 4>(c[0], c[1], c[2], c[3]);
  }
  static CHIP_DEVICE_MEMBER C channel(const HIP_vector_type<C, 4> &v, int i) {
    return i == 0 ? v.x : i == 1 ? v.y : i == 2 ? v.z : v.w;
  }
};

template <typename T> struct ElementOf {
  static constexpr unsigned int value =
      ChannelType<typename Texel<T>::Channel>::format | Texel<T>::channels << 4;
};

/// A channel of 32 bits as the program's type: a number where both are integers or both are not,
/// else the same bits.
template <typename C, bool wants_float> struct FromNumber;
template <typename C> struct FromNumber<C, true> {
  static CHIP_DEVICE_MEMBER C integer(int v) { return __builtin_bit_cast(float, v); }
  static CHIP_DEVICE_MEMBER C real(float v) { return v; }
};
template <typename C> struct FromNumber<C, false> {
  static CHIP_DEVICE_MEMBER C integer(int v) { return static_cast<C>(v); }
  static CHIP_DEVICE_MEMBER C real(float v) {
    return static_cast<C>(__builtin_bit_cast(int, v));
  }
};

CHIP_DEVICE float from_srgb(float v) {
  return v <= 0.04045f ? v * (1 / 12.92f)
                       : __builtin_exp2f(2.4f * __builtin_log2f((v + 0.055f) * (1 / 1.055f)));
}

/// One channel in memory as the program's type.
template <typename C>
CHIP_DEVICE C convert_channel(uint64_t address, unsigned int element, bool may_be_srgb) {
  typedef FromNumber<C, ChannelType<C>::is_float> From;
  int integer = 0;
  float scale = 1;
  switch (element & element_format) {
  case unsigned_8:
    integer = load<unsigned char>(address);
    scale = 255;
    break;
  case unsigned_16:
    integer = load<unsigned short>(address);
    scale = 65535;
    break;
  case signed_8:
    integer = load<signed char>(address);
    scale = 127;
    break;
  case signed_16:
    integer = load<short>(address);
    scale = 32767;
    break;
  case float_16: return From::real(static_cast<float>(load<_Float16>(address)));
  case float_32: return From::real(load<float>(address));
  default: return From::integer(load<int>(address));
  }
  if (!(element & element_normalized))
    return From::integer(integer);
  float fraction = static_cast<float>(integer) / scale;
  fraction = fraction < -1 ? -1 : fraction; // the least integer is one less than the greatest, negated
  if (may_be_srgb && (element & element_srgb))
    fraction = from_srgb(fraction);
  return From::real(fraction);
}

/// An element with another layout than T. Channels that it does not have are 0, the fourth is 1.
template <typename T> CHIP_DEVICE T convert(uint64_t address, unsigned int element) {
  typedef typename Texel<T>::Channel C;
  const unsigned int channels = (element & element_channels) >> 4;
  const unsigned int bytes = 1u << (element & 3);
  C values[4] = {C(0), C(0), C(0), C(1)};
  for (unsigned int i = 0; i < 4; ++i)
    if (i < Texel<T>::channels && i < channels)
      values[i] = convert_channel<C>(address + i * bytes, element, i < 3);
  return Texel<T>::make(values);
}

CHIP_DEVICE unsigned int element_bytes(unsigned int element) {
  return ((element & element_channels) >> 4) << (element & 3);
}

template <typename T> CHIP_DEVICE T border(Texture texture) {
  typedef typename Texel<T>::Channel C;
  const C values[4] = {static_cast<C>(texture->border[0]), static_cast<C>(texture->border[1]),
                       static_cast<C>(texture->border[2]), static_cast<C>(texture->border[3])};
  return Texel<T>::make(values);
}

template <typename T> CHIP_DEVICE T zero_texel() {
  typedef typename Texel<T>::Channel C;
  const C values[4] = {C(0), C(0), C(0), C(0)};
  return Texel<T>::make(values);
}

// Coordinates

/// A coordinate in elements, near the texture even if it is far out or no number at all.
template <bool is_cube>
CHIP_DEVICE float to_elements(Texture texture, int dimension, float x, unsigned int size) {
  const float elements = static_cast<float>(size);
  if (is_cube) {
    x *= elements;
  } else if (texture->normalized) {
    const unsigned int mode = texture->address[dimension];
    if (mode == hipAddressModeWrap)
      x -= __builtin_floorf(x);
    else if (mode == hipAddressModeMirror)
      x -= 2 * __builtin_floorf(x * 0.5f);
    x *= elements;
  }
  return __builtin_fminf(__builtin_fmaxf(x, -2.0f), 2 * elements + 1);
}

/// The index that an index of to_elements' range stands for; -1 for the border.
template <bool is_cube>
CHIP_DEVICE int resolve(Texture texture, int dimension, int i, unsigned int elements) {
  const int size = static_cast<int>(elements);
  if (static_cast<unsigned int>(i) < elements)
    return i;
  const unsigned int mode = is_cube ? hipAddressModeClamp : texture->address[dimension];
  if (mode == hipAddressModeBorder)
    return -1;
  if (mode == hipAddressModeWrap)
    return i < 0 ? i + size : i - size;
  if (mode == hipAddressModeMirror) {
    const int mirrored = i < 0 ? -1 - i : 2 * size - 1 - i;
    return mirrored < 0 ? 0 : mirrored;
  }
  return i < 0 ? 0 : size - 1;
}

/// The two elements that a linear filter takes in one dimension, and the weight of the second.
struct Neighbours {
  int first, second;
  float weight;

  __device__ __forceinline__ int index(int which) const { return which ? second : first; }
  __device__ __forceinline__ float share(int which) const { return which ? weight : 1 - weight; }
};
template <bool is_cube>
CHIP_DEVICE Neighbours neighbours(Texture texture, int dimension, float x, unsigned int size) {
  const int fixed = static_cast<int>(__builtin_floorf(x * 256 - 127.5f)); // 256 (x - 1/2), rounded
  const int first = fixed >> 8;
  return {resolve<is_cube>(texture, dimension, first, size),
          resolve<is_cube>(texture, dimension, first + 1, size),
          static_cast<float>(fixed & 255) * (1 / 256.0f)};
}

// Reads of one level

CHIP_DEVICE uint64_t address_of(Level level, int slice, int x, int y, unsigned int bytes) {
  return level->data + static_cast<unsigned int>(slice) * level->slice_pitch +
         static_cast<uint64_t>(static_cast<unsigned int>(y)) * level->pitch +
         static_cast<uint64_t>(static_cast<unsigned int>(x)) * bytes;
}

/// Where a read of up to three dimensions goes, with coordinates of to_elements' range.
struct Place {
  int slice;
  float x, y, z;
};

/// The element nearest to a place; of the same layout as T, or of any.
template <typename T, int dimensions, bool is_cube, bool is_same>
CHIP_DEVICE T read_nearest(Texture texture, Level level, const Place &place) {
  const int i =
      resolve<is_cube>(texture, 0, static_cast<int>(__builtin_floorf(place.x)), level->width);
  int j = 0, k = place.slice;
  if (dimensions > 1)
    j = resolve<is_cube>(texture, 1, static_cast<int>(__builtin_floorf(place.y)), level->height);
  if (dimensions > 2)
    k = resolve<is_cube>(texture, 2, static_cast<int>(__builtin_floorf(place.z)), level->depth);
  if ((i | j | k) < 0)
    return border<T>(texture);
  if (is_same)
    return load<T>(address_of(level, k, i, j, sizeof(T)));
  const unsigned int element = texture->element;
  return convert<T>(address_of(level, k, i, j, element_bytes(element)), element);
}

/// The part that one of the 2, 4 or 8 elements around a place has in a weighted sum.
template <typename T, int dimensions, bool is_same>
CHIP_DEVICE T weighted(Texture texture, Level level, int slice, const Neighbours (&around)[3],
                       int corner) {
  const int a = corner & 1, b = corner >> 1 & 1, c = corner >> 2;
  const int i = around[0].index(a);
  const int j = dimensions > 1 ? around[1].index(b) : 0;
  const int k = dimensions > 2 ? around[2].index(c) : slice;
  float weight = around[0].share(a);
  if (dimensions > 1)
    weight *= around[1].share(b);
  if (dimensions > 2)
    weight *= around[2].share(c);
  T value = border<T>(texture);
  if ((i | j | k) >= 0) {
    if (is_same) {
      value = load<T>(address_of(level, k, i, j, sizeof(T)));
    } else {
      const unsigned int element = texture->element;
      value = convert<T>(address_of(level, k, i, j, element_bytes(element)), element);
    }
  }
  return T(weight) * value;
}

/// The elements around a place, weighted. T has channels of float.
template <typename T, int dimensions, bool is_cube, bool is_same>
CHIP_DEVICE T read_linear(Texture texture, Level level, const Place &place) {
  Neighbours around[3] = {neighbours<is_cube>(texture, 0, place.x, level->width), {}, {}};
  if (dimensions > 1)
    around[1] = neighbours<is_cube>(texture, 1, place.y, level->height);
  if (dimensions > 2)
    around[2] = neighbours<is_cube>(texture, 2, place.z, level->depth);
  T sum = zero_texel<T>();
  if (is_same) {
#pragma unroll
    for (int corner = 0; corner < 1 << dimensions; ++corner)
      sum = sum + weighted<T, dimensions, true>(texture, level, place.slice, around, corner);
  } else {
#pragma nounroll
    for (int corner = 0; corner < 1 << dimensions; ++corner)
      sum = sum + weighted<T, dimensions, false>(texture, level, place.slice, around, corner);
  }
  return sum;
}

template <typename T, int dimensions, bool is_cube, bool may_filter> struct ReadLevel {
  template <bool is_same>
  static CHIP_DEVICE_MEMBER T at(Texture texture, Level level, const Place &place) {
    return texture->linear
               ? read_linear<T, dimensions, is_cube, is_same>(texture, level, place)
               : read_nearest<T, dimensions, is_cube, is_same>(texture, level, place);
  }
};
// Integers are not filtered.
template <typename T, int dimensions, bool is_cube>
struct ReadLevel<T, dimensions, is_cube, false> {
  template <bool is_same>
  static CHIP_DEVICE_MEMBER T at(Texture texture, Level level, const Place &place) {
    return read_nearest<T, dimensions, is_cube, is_same>(texture, level, place);
  }
};

template <typename T, int dimensions, bool is_cube>
CHIP_DEVICE T read_level(Texture texture, Level level, Place place) {
  typedef ReadLevel<T, dimensions, is_cube, ChannelType<typename Texel<T>::Channel>::is_float> Read;
  place.x = to_elements<is_cube>(texture, 0, place.x, level->width);
  if (dimensions > 1)
    place.y = to_elements<is_cube>(texture, 1, place.y, level->height);
  if (dimensions > 2)
    place.z = to_elements<is_cube>(texture, 2, place.z, level->depth);
  return texture->element == ElementOf<T>::value ? Read::template at<true>(texture, level, place)
                                                 : Read::template at<false>(texture, level, place);
}

// Levels

template <typename T, bool may_filter> struct Mix {
  static CHIP_DEVICE_MEMBER T of(T a, T b, float weight) {
    return T(1 - weight) * a + T(weight) * b;
  }
};
template <typename T> struct Mix<T, false> {
  static CHIP_DEVICE_MEMBER T of(T a, T, float) { return a; }
};

template <typename T, int dimensions, bool is_cube>
CHIP_DEVICE T read_texture(Texture texture, int slice, float x, float y, float z) {
  return read_level<T, dimensions, is_cube>(texture, &texture->base, {slice, x, y, z});
}

template <typename T, int dimensions, bool is_cube>
CHIP_DEVICE T read_lod(Texture texture, int slice, float x, float y, float z, float lod) {
  constexpr bool may_filter = ChannelType<typename Texel<T>::Channel>::is_float;
  if (!texture->levels)
    return read_texture<T, dimensions, is_cube>(texture, slice, x, y, z);
  lod = __builtin_fmaxf(lod + texture->level_bias, texture->least_level);
  lod = __builtin_fminf(lod, texture->greatest_level);
  lod = __builtin_fminf(__builtin_fmaxf(lod, 0.0f), static_cast<float>(texture->last_level));
  const Level levels = (Level)texture->levels;
  if (!may_filter || !texture->linear_levels)
    return read_level<T, dimensions, is_cube>(texture, levels + static_cast<int>(lod + 0.5f),
                                              {slice, x, y, z});
  const float floor = __builtin_floorf(lod), weight = lod - floor;
  const Level level = levels + static_cast<int>(floor);
  const T fine = read_level<T, dimensions, is_cube>(texture, level, {slice, x, y, z});
  if (!(weight > 0))
    return fine;
  return Mix<T, may_filter>::of(
      fine, read_level<T, dimensions, is_cube>(texture, level + 1, {slice, x, y, z}), weight);
}

/// The level for derivatives of the coordinates: the longer of two vectors counts, in elements.
CHIP_DEVICE float lod_for(Texture texture, float x0, float y0, float z0, float x1, float y1,
                          float z1) {
  float width = 1, height = 1, depth = 1;
  if (texture->normalized) {
    const Level level = texture->levels ? (Level)texture->levels : &texture->base;
    width = static_cast<float>(level->width);
    height = static_cast<float>(level->height);
    depth = static_cast<float>(level->depth);
  }
  x0 *= width, y0 *= height, z0 *= depth;
  x1 *= width, y1 *= height, z1 *= depth;
  const float longer =
      __builtin_fmaxf(x0 * x0 + y0 * y0 + z0 * z0, x1 * x1 + y1 * y1 + z1 * z1);
  return 0.5f * __builtin_log2f(longer);
}

/// Layers outside are those at the ends.
CHIP_DEVICE int layer_in(Texture texture, int layer) {
  const int last = static_cast<int>(texture->layers) - 1;
  return layer < 0 ? 0 : layer > last ? last : layer;
}

/// Where a direction meets a cube: the face, and the place on it from 0 to 1.
struct CubePlace {
  int face;
  float s, t;
  float major; ///< The length of the direction's longest component.
};
CHIP_DEVICE CubePlace cube_place(float x, float y, float z) {
  const float ax = __builtin_fabsf(x), ay = __builtin_fabsf(y), az = __builtin_fabsf(z);
  CubePlace place;
  float s, t;
  if (ax > ay && ax > az) {
    place.face = x >= 0 ? 0 : 1;
    place.major = ax;
    s = x >= 0 ? -z : z;
    t = -y;
  } else if (ay > ax && ay > az) {
    place.face = y >= 0 ? 2 : 3;
    place.major = ay;
    s = x;
    t = y >= 0 ? z : -z;
  } else {
    place.face = z >= 0 ? 4 : 5;
    place.major = az;
    s = z >= 0 ? x : -x;
    t = -y;
  }
  place.s = (s / place.major + 1) * 0.5f;
  place.t = (t / place.major + 1) * 0.5f;
  return place;
}

/// The level for derivatives of a direction, as if they were at a right angle to it.
CHIP_DEVICE float cube_lod_for(Texture texture, const CubePlace &place, const float4 &dx,
                               const float4 &dy) {
  const Level level = texture->levels ? (Level)texture->levels : &texture->base;
  const float longer = __builtin_fmaxf(dx.x * dx.x + dx.y * dx.y + dx.z * dx.z,
                                       dy.x * dy.x + dy.y * dy.y + dy.z * dy.z);
  const float scale = static_cast<float>(level->width) * 0.5f / place.major;
  return 0.5f * __builtin_log2f(longer * scale * scale);
}

} // namespace chip_device
