// Addressing and filtering as in the OpenCL C specification, section "Image addressing and
// filtering". Nothing outside the image is ever touched: what an address mode leaves outside has
// the border colour.
#include "images.h"

#include <algorithm>
#include <cmath>

namespace ze_cpu {
namespace {

using sampler::Address;

const TexelCodec &codec(const ImageData &image) { return texel_codec(image.layout, image.type); }

std::byte *texel_at(const ImageData &image, const int32_t at[3]) {
  std::byte *texel = image.texels;
  for (unsigned i = 0; i < 3; ++i)
    texel += static_cast<size_t>(static_cast<uint32_t>(at[i])) * image.stride[i];
  return texel;
}

bool is_inside(const ImageData &image, const int32_t at[3]) {
  return static_cast<uint32_t>(at[0]) < image.size[0] &&
         static_cast<uint32_t>(at[1]) < image.size[1] &&
         static_cast<uint32_t>(at[2]) < image.size[2];
}

template <class Vector> Vector load(const ImageData &image, const int32_t at[3]);
template <> Float4 load(const ImageData &image, const int32_t at[3]) {
  return codec(image).load_float(texel_at(image, at));
}
template <> Int4 load(const ImageData &image, const int32_t at[3]) {
  return codec(image).load_integer(texel_at(image, at));
}

/// The texel as kernels see it, or the border.
template <class Vector> Vector fetch(const ImageData &image, const int32_t at[3]) {
  if (!is_inside(image, at))
    return image.border_is_opaque ? Vector{0, 0, 0, 1} : Vector{};
  const Vector components = load<Vector>(image, at);
  if (image.is_plain)
    return components;
  Vector result{};
  for (unsigned i = 0; i < 4; ++i) {
    const Swizzle from = image.swizzle[i];
    if (from <= Swizzle::alpha)
      result[i] = components[static_cast<unsigned>(from)];
    else
      result[i] = from == Swizzle::one;
  }
  return result;
}

/// The integer nearest below, for anything at all.
int32_t to_integer(float value) {
  constexpr float limit = 1 << 30;
  if (!(value > -limit)) // also NaN
    return -(1 << 30);
  return static_cast<int32_t>(std::floor(std::min(value, limit)));
}

int32_t wrap(int64_t i, int64_t size) {
  const int64_t rest = i % size;
  return static_cast<int32_t>(rest < 0 ? rest + size : rest);
}

/// The address mode on a whole coordinate.
int32_t place(Address mode, int32_t i, int32_t size) {
  switch (mode) {
  case Address::clamp_to_edge:
    return std::clamp(i, 0, size - 1);
  case Address::clamp_to_border:
    return std::clamp(i, -1, size);
  case Address::repeat:
    return wrap(i, size);
  case Address::mirror: {
    const int32_t half = wrap(i, size);
    return wrap(i, 2 * int64_t{size}) == half ? half : size - 1 - half;
  }
  default:
    return i;
  }
}

/// Layers are numbers of images, whatever the sampler says.
int32_t layer(const ImageData &image, float value) {
  const auto last = static_cast<float>(image.size[image.dimensions] - 1);
  return static_cast<int32_t>(value > 0 ? std::min(std::rint(value), last) : 0);
}

/// One coordinate in units of texels. Repeated and mirrored ones are brought into the image or onto
/// its edge first.
float scale(float coordinate, Address mode, bool normalized, int32_t size) {
  const auto texels = static_cast<float>(size);
  const float image = normalized ? 1 : texels; // its size in units of the coordinate
  if (mode == Address::repeat)
    coordinate -= image * std::floor(coordinate / image);
  else if (mode == Address::mirror)
    coordinate = std::fabs(coordinate - 2 * image * std::rint(coordinate / (2 * image)));
  return normalized ? coordinate * texels : coordinate;
}

template <class Vector>
Vector sample_nearest(const ImageData &image, uint64_t bits, const float coordinate[3]) {
  int32_t at[3] = {};
  const Address mode = sampler::address(bits);
  for (unsigned i = 0; i < image.dimensions; ++i) {
    const auto size = static_cast<int32_t>(image.size[i]);
    const float u = scale(coordinate[i], mode, bits & sampler::normalized, size);
    at[i] = place(mode, to_integer(u), size);
  }
  if (image.has_layers)
    at[image.dimensions] = layer(image, coordinate[image.dimensions]);
  return fetch<Vector>(image, at);
}

Float4 sample_linear(const ImageData &image, uint64_t bits, const float coordinate[3]) {
  int32_t at[3][2] = {};
  float fraction[3] = {};
  const Address mode = sampler::address(bits);
  for (unsigned i = 0; i < image.dimensions; ++i) {
    const auto size = static_cast<int32_t>(image.size[i]);
    const float u = scale(coordinate[i], mode, bits & sampler::normalized, size) - 0.5f;
    const int32_t first = to_integer(u);
    fraction[i] = std::isfinite(u) ? u - std::floor(u) : 0;
    for (int32_t k = 0; k < 2; ++k)
      at[i][k] = place(mode, first + k, size);
  }
  if (image.has_layers)
    at[image.dimensions][0] = layer(image, coordinate[image.dimensions]);

  Float4 sum{};
  for (unsigned corner = 0; corner < 1u << image.dimensions; ++corner) {
    int32_t place[3];
    float weight = 1;
    for (unsigned i = 0; i < 3; ++i) {
      const unsigned second = corner >> i & 1;
      place[i] = at[i][second];
      if (i < image.dimensions)
        weight *= second ? fraction[i] : 1 - fraction[i];
    }
    if (weight != 0) // infinities next to the point that is asked for do not count
      sum += weight * fetch<Float4>(image, place);
  }
  return sum;
}

Float4 sample_float(const ImageData *image, uint64_t bits, float x, float y, float z) {
  const float at[3] = {x, y, z};
  return bits & sampler::linear ? sample_linear(*image, bits, at)
                                : sample_nearest<Float4>(*image, bits, at);
}

Int4 sample_integer(const ImageData *image, uint64_t bits, float x, float y, float z) {
  const float at[3] = {x, y, z}; // integers have no values between them
  return sample_nearest<Int4>(*image, bits, at);
}

/// With a sampler and whole coordinates, which count texels.
template <class Vector>
Vector fetch_sampled(const ImageData *image, uint64_t bits, int32_t x, int32_t y, int32_t z) {
  int32_t at[3] = {x, y, z};
  for (unsigned i = 0; i < 3; ++i) {
    const auto size = static_cast<int32_t>(image->size[i]);
    if (i < image->dimensions)
      at[i] = place(sampler::address(bits), at[i], size);
    else
      at[i] = std::clamp(at[i], 0, size - 1);
  }
  return fetch<Vector>(*image, at);
}

template <class Vector> Vector read(const ImageData *image, int32_t x, int32_t y, int32_t z) {
  const int32_t at[3] = {x, y, z};
  return fetch<Vector>(*image, at);
}

template <class Vector>
void write(const ImageData *image, int32_t x, int32_t y, int32_t z, Vector value) {
  const int32_t at[3] = {x, y, z};
  if (!is_inside(*image, at))
    return;
  Vector components{};
  if (image->is_plain)
    components = value;
  else
    for (unsigned i = 4; i-- > 0;) // the first channel of several that name a component wins
      if (image->swizzle[i] <= Swizzle::alpha)
        components[static_cast<unsigned>(image->swizzle[i])] = value[i];
  if constexpr (std::is_same_v<Vector, Float4>)
    codec(*image).store_float(texel_at(*image, at), components);
  else
    codec(*image).store_integer(texel_at(*image, at), components);
}

uint32_t query(const ImageData *image, uint32_t what) {
  switch (what) {
  case image_query::channel_type:
    return image->channel_type;
  case image_query::channel_order:
    return image->channel_order;
  default:
    return image->size[what];
  }
}

/// The sampler of an image that is a handle of both.
uint64_t sampler_of(const ImageData *image) { return image->sampler; }

template <class Function> RuntimeFunction entry(const char *name, Function *function) {
  return {name, reinterpret_cast<void *>(function)};
}

} // namespace

std::span<const RuntimeFunction> image_functions() {
  static const RuntimeFunction functions[] = {
      entry("ze_cpu_image_read_float", read<Float4>),
      entry("ze_cpu_image_read_integer", read<Int4>),
      entry("ze_cpu_image_write_float", write<Float4>),
      entry("ze_cpu_image_write_integer", write<Int4>),
      entry("ze_cpu_image_sample_float", sample_float),
      entry("ze_cpu_image_sample_integer", sample_integer),
      entry("ze_cpu_image_fetch_float", fetch_sampled<Float4>),
      entry("ze_cpu_image_fetch_integer", fetch_sampled<Int4>),
      entry("ze_cpu_image_query", query),
      entry("ze_cpu_image_sampler", sampler_of),
  };
  return functions;
}

} // namespace ze_cpu
