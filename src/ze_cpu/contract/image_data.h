// What a kernel holds when it holds an image or a sampler. The entry points make it, the functions
// that generated code calls (jit/runtime/images.cpp) read it.
#pragma once

#include <cstddef>
#include <cstdint>

namespace ze_cpu {

enum class ChannelType : uint8_t { uint, sint, unorm, snorm, floating, count };

/// The arrangement of a texel's components in memory. In packed ones the first component has the
/// low bits, except that 5_6_5, 5_5_5_1 and 4_4_4_4 begin with blue, as GPUs have them.
enum class TexelLayout : uint8_t {
  c8,
  c16,
  c32,
  c8_8,
  c16_16,
  c32_32,
  c8_8_8,
  c16_16_16,
  c32_32_32,
  c8_8_8_8,
  c16_16_16_16,
  c32_32_32_32,
  c10_10_10_2,
  c11_11_10,
  c5_6_5,
  c5_5_5_1,
  c4_4_4_4,
  count
};

/// A channel of what kernels see: one of the texel's components, or a constant.
enum class Swizzle : uint8_t { red, green, blue, alpha, zero, one, count };

/// A sampler is a number in the form of OpenCL's literal samplers: no memory to keep alive.
namespace sampler {
inline constexpr uint64_t normalized = 1, address_mask = 7 << 1, linear = 2 << 4;
enum Address : uint64_t { none, clamp_to_edge, clamp_to_border, repeat, mirror, count };
constexpr Address address(uint64_t bits) { return Address((bits & address_mask) >> 1); }
constexpr uint64_t make(Address address, bool linear_filter, bool normalized_coordinates) {
  return uint64_t{address} << 1 | (linear_filter ? linear : uint64_t{1} << 4) |
         (normalized_coordinates ? normalized : 0);
}
} // namespace sampler

struct ImageData {
  std::byte *texels;
  // By coordinate: x, then y and z as far as there are such, then the layer. What an image does
  // not have is 1.
  uint32_t size[3];
  size_t stride[3];   // in bytes
  uint8_t dimensions; // 1 to 3, without the layer
  bool has_layers;
  TexelLayout layout;
  ChannelType type;
  Swizzle swizzle[4];
  bool is_plain;          // each channel is its own component
  bool border_is_opaque;  // border colour (0, 0, 0, 1) instead of zeros
  uint32_t channel_order; // in SPIR-V's numbers
  uint32_t channel_type;  // in SPIR-V's numbers
  uint64_t sampler;       // of images that are handles of sampled images
};

/// What ze_cpu_image_query can be asked for.
namespace image_query {
enum : uint32_t { size_x, size_y, size_z, channel_type, channel_order };
}

} // namespace ze_cpu
