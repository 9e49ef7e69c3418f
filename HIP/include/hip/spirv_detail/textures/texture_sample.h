/// How textures are read: in plain code, because not every device that runs SPIR-V has samplers.
///
/// What depends on the place that is read is chosen without branches: what is outside of a texture is
/// read at its first element, which every texture has. So devices that run work-items as vectors do
/// that here, too. What depends on the texture alone is the same for all of them.
///
/// The formulas are those of the CUDA programming guide, appendix "Texture Fetching", which HIP
/// follows. A linear filter weighs with 8 bits of fraction.
#pragma once

#include <hip/hip_vector_types.h>
#include <hip/spirv_detail/math/math_builtins.h>
#include <hip/spirv_detail/textures/texture_descriptor.h>
#include <hip/texture_types.h>

namespace chip_device {

// Textures are never in shared or private memory, and knowing that makes loads cheaper.
#define CHIP_GLOBAL __attribute__((address_space(1)))
#define CHIP_DEVICE_MEMBER __device__ __forceinline__

typedef const CHIP_GLOBAL TextureDescriptor *__Texture;
typedef const CHIP_GLOBAL TextureLevel *__Level;

CHIP_DEVICE __Texture texture_of(hipTextureObject_t object) {
  return (__Texture) reinterpret_cast<uintptr_t>(object);
}

// Elements

/// An integer type for each size of an element.
template <unsigned int bytes> struct __Bits;
template <> struct __Bits<1> {
  typedef unsigned char __Type;
};
template <> struct __Bits<2> {
  typedef unsigned short __Type;
};
template <> struct __Bits<4> {
  typedef unsigned int __Type;
};
template <> struct __Bits<8> {
  typedef unsigned int __Type __attribute__((ext_vector_type(2)));
};
template <> struct __Bits<16> {
  typedef unsigned int __Type __attribute__((ext_vector_type(4)));
};

template <typename T> CHIP_DEVICE T load(uint64_t address) {
  typedef typename __Bits<sizeof(T)>::__Type __Raw;
  return __builtin_bit_cast(T, *(const CHIP_GLOBAL __Raw *)address);
}
template <typename T> CHIP_DEVICE void store(uint64_t address, T value) {
  typedef typename __Bits<sizeof(T)>::__Type __Raw;
  *(CHIP_GLOBAL __Raw *)address = __builtin_bit_cast(__Raw, value);
}

template <typename __C> struct __ChannelType {
  static constexpr bool is_float = static_cast<__C>(0.5f) != static_cast<__C>(0);
  static constexpr bool is_signed = static_cast<__C>(-1) < static_cast<__C>(0);
  static constexpr unsigned int bytes = sizeof(__C);
  static constexpr unsigned int format = (is_float    ? float_16 & ~3u
                                          : is_signed ? static_cast<unsigned int>(signed_8)
                                                      : static_cast<unsigned int>(unsigned_8)) |
                                         (bytes == 1   ? 0u
                                          : bytes == 2 ? 1u
                                                       : 2u);
};

/// The type that a program reads a texture as: its channels, and the element with that layout.
template <typename T> struct __Texel {
  typedef T __Channel;
  static constexpr unsigned int channels = 1;
  static CHIP_DEVICE_MEMBER T make(const T (&c)[4]) { return c[0]; }
  static CHIP_DEVICE_MEMBER T channel(const T &v, int) { return v; }
};
template <typename __C> struct __Texel<HIP_vector_type<__C, 1>> {
  typedef __C __Channel;
  static constexpr unsigned int channels = 1;
  static CHIP_DEVICE_MEMBER HIP_vector_type<__C, 1> make(const __C (&c)[4]) {
    return HIP_vector_type<__C, 1>(c[0]);
  }
  static CHIP_DEVICE_MEMBER __C channel(const HIP_vector_type<__C, 1> &v, int) { return v.x; }
};
template <typename __C> struct __Texel<HIP_vector_type<__C, 2>> {
  typedef __C __Channel;
  static constexpr unsigned int channels = 2;
  static CHIP_DEVICE_MEMBER HIP_vector_type<__C, 2> make(const __C (&c)[4]) {
    return HIP_vector_type<__C, 2>(c[0], c[1]);
  }
  static CHIP_DEVICE_MEMBER __C channel(const HIP_vector_type<__C, 2> &v, int i) {
    return i == 0 ? v.x : v.y;
  }
};
template <typename __C> struct __Texel<HIP_vector_type<__C, 4>> {
  typedef __C __Channel;
  static constexpr unsigned int channels = 4;
  static CHIP_DEVICE_MEMBER HIP_vector_type<__C, 4> make(const __C (&c)[4]) {
    return HIP_vector_type<__C, 4>(c[0], c[1], c[2], c[3]);
  }
  static CHIP_DEVICE_MEMBER __C channel(const HIP_vector_type<__C, 4> &v, int i) {
    return i == 0 ? v.x : i == 1 ? v.y : i == 2 ? v.z : v.w;
  }
};

template <typename T> struct __ElementOf {
  static constexpr unsigned int value =
      __ChannelType<typename __Texel<T>::__Channel>::format | __Texel<T>::channels << 4;
  /// With as many channels of bytes that are read as fractions.
  static constexpr unsigned int bytes = unsigned_8 | __Texel<T>::channels << 4 | element_normalized;
};

/// What is known of elements where they are read: they have the same layout as T, or its channels
/// are bytes that are read as fractions, or nothing.
enum __Layout { same_layout, byte_layout, any_layout };

/// A channel of 32 bits as the program's type: a number where both are integers or both are not,
/// else the same bits.
template <typename __C, bool wants_float> struct __FromNumber;
template <typename __C> struct __FromNumber<__C, true> {
  static CHIP_DEVICE_MEMBER __C integer(int v) { return __builtin_bit_cast(float, v); }
  static CHIP_DEVICE_MEMBER __C real(float v) { return v; }
};
template <typename __C> struct __FromNumber<__C, false> {
  static CHIP_DEVICE_MEMBER __C integer(int v) { return static_cast<__C>(v); }
  static CHIP_DEVICE_MEMBER __C real(float v) {
    return static_cast<__C>(__builtin_bit_cast(int, v));
  }
};

CHIP_DEVICE float from_srgb(float v) {
  return v <= 0.04045f ? v * (1 / 12.92f)
                       : __builtin_exp2f(2.4f * __builtin_log2f((v + 0.055f) * (1 / 1.055f)));
}

/// One channel in memory as the program's type.
template <typename __C>
CHIP_DEVICE __C convert_channel(uint64_t address, unsigned int element, bool may_be_srgb) {
  typedef __FromNumber<__C, __ChannelType<__C>::is_float> __From;
  const unsigned int bits = 8u << (element & 3), unused = 32 - bits;
  const int raw = bits == 8    ? load<unsigned char>(address)
                  : bits == 16 ? load<unsigned short>(address)
                               : load<int>(address);
  if (element & float_format)
    return __From::real(bits == 16 ? static_cast<float>(__builtin_bit_cast(
                                         _Float16, static_cast<unsigned short>(raw)))
                                   : __builtin_bit_cast(float, raw));
  const bool is_signed = element & signed_format;
  const int integer =
      is_signed ? static_cast<int>(static_cast<unsigned int>(raw) << unused) >> unused : raw;
  if (!(element & element_normalized))
    return __From::integer(integer);
  const unsigned int greatest = (1u << (bits - is_signed)) - 1;
  float fraction = static_cast<float>(integer) / static_cast<float>(greatest);
  // The least integer is one less than the greatest, negated.
  fraction = fraction < -1 ? -1 : fraction;
  if (may_be_srgb && (element & element_srgb))
    fraction = from_srgb(fraction);
  return __From::real(fraction);
}

/// An element of bytes that are fractions of 255, as images often are, as T, which has as many channels of float.
template <typename T> CHIP_DEVICE T convert_bytes(uint64_t address) {
  typedef typename __Texel<T>::__Channel __C;
  typedef __FromNumber<__C, __ChannelType<__C>::is_float> __From;
  const unsigned int all = load<typename __Bits<__Texel<T>::channels>::__Type>(address);
  __C values[4] = {};
  for (unsigned int i = 0; i < __Texel<T>::channels; ++i)
    values[i] = __From::real(static_cast<float>(all >> 8 * i & 255) / 255);
  return __Texel<T>::make(values);
}

/// An element with another layout than T. Channels that it does not have are 0, the fourth is 1.
template <typename T> CHIP_DEVICE T convert(uint64_t address, unsigned int element) {
  typedef typename __Texel<T>::__Channel __C;
  const unsigned int channels = (element & element_channels) >> 4;
  const unsigned int bytes = 1u << (element & 3);
  const unsigned int count = channels < __Texel<T>::channels ? channels : __Texel<T>::channels;
  __C x = __C(0), y = __C(0), z = __C(0), w = __C(1);
  // One loop, which has the code that converts only once.
#pragma nounroll
  for (unsigned int i = 0; i < count; ++i) {
    const __C value = convert_channel<__C>(address + i * bytes, element, i < 3);
    x = i == 0 ? value : x;
    y = i == 1 ? value : y;
    z = i == 2 ? value : z;
    w = i == 3 ? value : w;
  }
  const __C values[4] = {x, y, z, w};
  return __Texel<T>::make(values);
}

CHIP_DEVICE unsigned int element_bytes(unsigned int element) {
  return ((element & element_channels) >> 4) << (element & 3);
}

template <typename T> CHIP_DEVICE T border(__Texture texture) {
  typedef typename __Texel<T>::__Channel __C;
  const __C values[4] = {static_cast<__C>(texture->border[0]), static_cast<__C>(texture->border[1]),
                         static_cast<__C>(texture->border[2]),
                         static_cast<__C>(texture->border[3])};
  return __Texel<T>::make(values);
}

template <typename T> CHIP_DEVICE T zero_texel() {
  typedef typename __Texel<T>::__Channel __C;
  const __C values[4] = {__C(0), __C(0), __C(0), __C(0)};
  return __Texel<T>::make(values);
}

/// One of two, both of which there are: compilers make a branch where one is still to be computed.
template <typename T> CHIP_DEVICE T choose(bool first, const T &a, const T &b) {
  typedef typename __Texel<T>::__Channel __C;
  __C values[4] = {};
  for (int i = 0; i < static_cast<int>(__Texel<T>::channels); ++i) {
    const __C one = __Texel<T>::channel(a, i), other = __Texel<T>::channel(b, i);
    values[i] = first ? one : other;
  }
  return __Texel<T>::make(values);
}

// Coordinates

/// A coordinate in elements, near the texture even if it is far out or no number at all.
template <bool is_cube>
CHIP_DEVICE float to_elements(__Texture texture, int dimension, float x, unsigned int size) {
  const float elements = static_cast<float>(size);
  if (!is_cube) {
    const unsigned int mode = texture->address[dimension];
    const bool normalized = texture->normalized;
    const float once = x - __builtin_floorf(x), twice = x - 2 * __builtin_floorf(x * 0.5f);
    const float mirrored = mode == hipAddressModeMirror ? twice : x;
    const float repeated = mode == hipAddressModeWrap ? once : mirrored;
    const float scaled = repeated * elements;
    x = normalized ? scaled : x;
  } else {
    x *= elements;
  }
  return __builtin_fminf(__builtin_fmaxf(x, -2.0f), 2 * elements + 1);
}

/// The index that an index of to_elements' range stands for; -1 for the border.
template <bool is_cube>
CHIP_DEVICE int resolve(__Texture texture, int dimension, int i, unsigned int elements) {
  const int size = static_cast<int>(elements);
  const unsigned int mode = is_cube ? hipAddressModeClamp : texture->address[dimension];
  const bool is_below = i < 0, is_inside = static_cast<unsigned int>(i) < elements;
  const int above = size - 1, moved_up = i + size, moved_down = i - size;
  const int clamped = is_below ? 0 : above;
  const int wrapped = is_below ? moved_up : moved_down;
  const int axis = is_below ? -1 : 2 * size - 1, turned = axis - i;
  const int mirrored = turned < 0 ? 0 : turned;
  int outside = mode == hipAddressModeMirror ? mirrored : clamped;
  outside = mode == hipAddressModeWrap ? wrapped : outside;
  outside = mode == hipAddressModeBorder ? -1 : outside;
  return is_inside ? i : outside;
}

/// The two elements that a linear filter takes in one dimension, and the weight of the second; else
/// the nearest one, twice.
struct __Neighbours {
  int first, second;
  float weight;

  __device__ __forceinline__ int index(int which) const { return which ? second : first; }
  __device__ __forceinline__ float share(int which) const { return which ? weight : 1 - weight; }
};
template <bool is_cube>
CHIP_DEVICE __Neighbours neighbours(__Texture texture, int dimension, float x, unsigned int size,
                                    bool is_linear) {
  if (!is_linear) {
    const int i = resolve<is_cube>(texture, dimension, static_cast<int>(__builtin_floorf(x)), size);
    return {i, i, 0};
  }
  const int fixed = static_cast<int>(__builtin_floorf(x * 256 - 127.5f)); // 256 (x - 1/2), rounded
  const int first = fixed >> 8;
  return {resolve<is_cube>(texture, dimension, first, size),
          resolve<is_cube>(texture, dimension, first + 1, size),
          static_cast<float>(fixed & 255) * (1 / 256.0f)};
}

// Reads of one level

/// Of an element; of the first one instead if it is not inside.
CHIP_DEVICE uint64_t address_of(__Level level, int slice, int x, int y, unsigned int bytes,
                                bool is_inside = true) {
  const uint64_t offset = static_cast<unsigned int>(slice) * level->slice_pitch +
                          static_cast<uint64_t>(static_cast<unsigned int>(y)) * level->pitch +
                          static_cast<uint64_t>(static_cast<unsigned int>(x)) * bytes;
  const uint64_t first = 0;
  return level->data + (is_inside ? offset : first);
}

/// The elements around a place in each dimension.
struct __Corners {
  __Neighbours x, y, z;
  int slice;

  __device__ __forceinline__ float weight(int corner, int dimensions) const {
    float weight = x.share(corner & 1);
    if (dimensions > 1)
      weight *= y.share(corner >> 1 & 1);
    if (dimensions > 2)
      weight *= z.share(corner >> 2);
    return weight;
  }
};

/// One of the corners.
template <typename T, int dimensions, __Layout layout>
CHIP_DEVICE T read_corner(__Texture texture, __Level level, const __Corners &corners, int corner) {
  const int i = corners.x.index(corner & 1);
  const int j = dimensions > 1 ? corners.y.index(corner >> 1 & 1) : 0;
  const int k = dimensions > 2 ? corners.z.index(corner >> 2) : corners.slice;
  const bool is_inside = (i | j | k) >= 0;
  const unsigned int element = texture->element;
  const unsigned int bytes = layout == same_layout   ? sizeof(T)
                             : layout == byte_layout ? __Texel<T>::channels
                                                     : element_bytes(element);
  const uint64_t address = address_of(level, k, i, j, bytes, is_inside);
  return choose(is_inside,
                layout == same_layout   ? load<T>(address)
                : layout == byte_layout ? convert_bytes<T>(address)
                                        : convert<T>(address, element),
                border<T>(texture));
}

/// Reads with a filter. T has channels of float.
template <typename T, int dimensions, bool may_filter> struct __Filter {
  static CHIP_DEVICE_MEMBER bool is_linear(__Texture texture) { return texture->linear; }

  /// Elements of a layout that is known: the usual case, in straight code.
  template <__Layout layout>
  static CHIP_DEVICE_MEMBER T known(__Texture texture, __Level level, const __Corners &corners,
                                    bool is_linear) {
    const T nearest = read_corner<T, dimensions, layout>(texture, level, corners, 0);
    if (!is_linear)
      return nearest;
    T sum = T(corners.weight(0, dimensions)) * nearest;
#pragma unroll
    for (int corner = 1; corner < 1 << dimensions; ++corner)
      sum = sum + T(corners.weight(corner, dimensions)) *
                      read_corner<T, dimensions, layout>(texture, level, corners, corner);
    return sum;
  }
  /// Elements of any layout: one loop, which has the code that converts only once.
  static CHIP_DEVICE_MEMBER T any(__Texture texture, __Level level, const __Corners &corners,
                                  bool is_linear) {
    T sum = zero_texel<T>();
#pragma nounroll
    for (int corner = 0; corner < 1 << dimensions; ++corner) {
      const T value = read_corner<T, dimensions, any_layout>(texture, level, corners, corner);
      if (!is_linear)
        return value;
      sum = sum + T(corners.weight(corner, dimensions)) * value;
    }
    return sum;
  }
};
// Integers are not filtered.
template <typename T, int dimensions> struct __Filter<T, dimensions, false> {
  static CHIP_DEVICE_MEMBER bool is_linear(__Texture) { return false; }
  template <__Layout layout>
  static CHIP_DEVICE_MEMBER T known(__Texture texture, __Level level, const __Corners &corners,
                                    bool) {
    return read_corner<T, dimensions, layout>(texture, level, corners, 0);
  }
  static CHIP_DEVICE_MEMBER T any(__Texture texture, __Level level, const __Corners &corners,
                                  bool) {
    return read_corner<T, dimensions, any_layout>(texture, level, corners, 0);
  }
};

/// Coordinates of one level.
struct __Place {
  int slice;
  float x, y, z;
};
template <typename T, int dimensions, bool is_cube>
CHIP_DEVICE T read_level(__Texture texture, __Level level, const __Place &place) {
  typedef __Filter<T, dimensions, __ChannelType<typename __Texel<T>::__Channel>::is_float> __Read;
  const bool is_linear = __Read::is_linear(texture);
  auto around = [&](int dimension, float x, unsigned int size) __attribute__((always_inline)) {
    return neighbours<is_cube>(texture, dimension,
                               to_elements<is_cube>(texture, dimension, x, size), size, is_linear);
  };
  __Corners corners = {around(0, place.x, level->width), {}, {}, place.slice};
  if (dimensions > 1)
    corners.y = around(1, place.y, level->height);
  if (dimensions > 2)
    corners.z = around(2, place.z, level->depth);
  const unsigned int element = texture->element;
  if (element == __ElementOf<T>::value)
    return __Read::template known<same_layout>(texture, level, corners, is_linear);
  if (__ChannelType<typename __Texel<T>::__Channel>::is_float && element == __ElementOf<T>::bytes)
    return __Read::template known<byte_layout>(texture, level, corners, is_linear);
  return __Read::any(texture, level, corners, is_linear);
}

// Levels

template <typename T, int dimensions, bool is_cube>
CHIP_DEVICE T read_texture(__Texture texture, int slice, float x, float y, float z) {
  return read_level<T, dimensions, is_cube>(texture, &texture->base, {slice, x, y, z});
}

/// Reads a level, or two and mixes them.
template <typename T, int dimensions, bool is_cube, bool may_filter> struct __ReadLevels {
  static CHIP_DEVICE_MEMBER T at(__Texture texture, __Level level, float weight,
                                 const __Place &place) {
    T sum = zero_texel<T>();
#pragma nounroll
    for (int n = 0; n < 2; ++n) {
      const T value = read_level<T, dimensions, is_cube>(texture, level + n, place);
      if (!(weight > 0))
        return value;
      sum = sum + T(n == 0 ? 1 - weight : weight) * value;
    }
    return sum;
  }
};
template <typename T, int dimensions, bool is_cube>
struct __ReadLevels<T, dimensions, is_cube, false> {
  static CHIP_DEVICE_MEMBER T at(__Texture texture, __Level level, float, const __Place &place) {
    return read_level<T, dimensions, is_cube>(texture, level, place);
  }
};

template <typename T, int dimensions, bool is_cube>
CHIP_DEVICE T read_lod(__Texture texture, int slice, float x, float y, float z, float lod) {
  constexpr bool may_filter = __ChannelType<typename __Texel<T>::__Channel>::is_float;
  __Level level = &texture->base;
  float weight = 0;
  if (texture->levels) {
    lod = __builtin_fmaxf(lod + texture->level_bias, texture->least_level);
    lod = __builtin_fminf(lod, texture->greatest_level);
    lod = __builtin_fminf(__builtin_fmaxf(lod, 0.0f), static_cast<float>(texture->last_level));
    const bool mixes = may_filter && texture->linear_levels;
    const float finer = __builtin_floorf(mixes ? lod : lod + 0.5f);
    weight = mixes ? lod - finer : 0;
    level = (__Level)texture->levels + static_cast<int>(finer);
  }
  return __ReadLevels<T, dimensions, is_cube, may_filter>::at(texture, level, weight,
                                                              {slice, x, y, z});
}

/// The level for derivatives of the coordinates: the longer of two vectors counts, in elements.
CHIP_DEVICE float lod_for(__Texture texture, float x0, float y0, float z0, float x1, float y1,
                          float z1) {
  float width = 1, height = 1, depth = 1;
  if (texture->normalized) {
    const __Level level = texture->levels ? (__Level)texture->levels : &texture->base;
    width = static_cast<float>(level->width);
    height = static_cast<float>(level->height);
    depth = static_cast<float>(level->depth);
  }
  x0 *= width, y0 *= height, z0 *= depth;
  x1 *= width, y1 *= height, z1 *= depth;
  const float longer = __builtin_fmaxf(x0 * x0 + y0 * y0 + z0 * z0, x1 * x1 + y1 * y1 + z1 * z1);
  return 0.5f * __builtin_log2f(longer);
}

/// Layers outside are those at the ends.
CHIP_DEVICE int layer_in(__Texture texture, int layer) {
  const int last = static_cast<int>(texture->layers) - 1;
  return layer < 0 ? 0 : layer > last ? last : layer;
}

/// Where a direction meets a cube: the face, and the place on it from 0 to 1.
struct __CubePlace {
  int face;
  float s, t;
  float major; ///< The length of the direction's longest component.
};
CHIP_DEVICE __CubePlace cube_place(float x, float y, float z) {
  const float ax = __builtin_fabsf(x), ay = __builtin_fabsf(y), az = __builtin_fabsf(z);
  __CubePlace place;
  float s, t;
  // Directions between two faces belong to that of z, then to that of y, as on AMD's devices.
  if (az >= ax && az >= ay) {
    place.face = z >= 0 ? 4 : 5;
    place.major = az;
    s = z >= 0 ? x : -x;
    t = -y;
  } else if (ay >= ax) {
    place.face = y >= 0 ? 2 : 3;
    place.major = ay;
    s = x;
    t = y >= 0 ? z : -z;
  } else {
    place.face = x >= 0 ? 0 : 1;
    place.major = ax;
    s = x >= 0 ? -z : z;
    t = -y;
  }
  place.s = (s / place.major + 1) * 0.5f;
  place.t = (t / place.major + 1) * 0.5f;
  return place;
}

/// The level for derivatives of a direction, as if they were at a right angle to it.
CHIP_DEVICE float cube_lod_for(__Texture texture, const __CubePlace &place, const float4 &dx,
                               const float4 &dy) {
  const __Level level = texture->levels ? (__Level)texture->levels : &texture->base;
  const float longer = __builtin_fmaxf(dx.x * dx.x + dx.y * dx.y + dx.z * dx.z,
                                       dy.x * dy.x + dy.y * dy.y + dy.z * dy.z);
  const float scale = static_cast<float>(level->width) * 0.5f / place.major;
  return 0.5f * __builtin_log2f(longer * scale * scale);
}

} // namespace chip_device
