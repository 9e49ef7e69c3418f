/// What texture and surface objects point to: the library writes it, kernels read it.
#pragma once

#include <hip/api/types/integers.h>

namespace chip_device {

/// The encoding of one channel. The two lowest bits are the binary logarithm of its bytes.
enum __ChannelFormat : uint8_t {
  unsigned_8 = 0,
  unsigned_16 = 1,
  unsigned_32 = 2,
  signed_8 = 4,
  signed_16 = 5,
  signed_32 = 6,
  float_16 = 9,
  float_32 = 10
};
/// The bits of a ChannelFormat that tell integers with a sign and floating point from others.
enum __ChannelFormatBits : uint8_t { signed_format = 4, float_format = 8 };

/// An element: what the memory has, and what a read makes of it. One number, so that a kernel finds
/// with one comparison that it may load its own type.
enum __ElementBits : uint32_t {
  element_format = 0xf,      ///< ChannelFormat
  element_channels = 0x70,   ///< 1, 2 or 4
  element_normalized = 0x80, ///< Integers become fractions of their largest value.
  element_srgb = 0x100       ///< Three channels are converted to linear values.
};

/// One level of a texture. Sizes are in elements, at least 1 in each dimension.
struct TextureLevel {
  uint64_t data;        ///< The address.
  uint64_t slice_pitch; ///< Bytes from slice to slice: of three dimensions, layers, or faces.
  uint32_t pitch;       ///< Bytes from row to row.
  uint32_t width, height, depth;
};

struct TextureDescriptor {
  TextureLevel base;     ///< The level of reads that name none.
  uint64_t levels;       ///< The address of all levels, the largest first; 0 if there is only one.
  uint32_t last_level;   ///< The index of the smallest.
  uint32_t layers;       ///< Of a layered texture; of cubes, each has six slices.
  uint32_t element;      ///< ElementBits
  uint8_t address[3];    ///< hipTextureAddressMode of each dimension.
  uint8_t normalized;    ///< Coordinates run from 0 to 1.
  uint8_t linear;        ///< hipFilterModeLinear
  uint8_t linear_levels; ///< hipFilterModeLinear between levels.
  float border[4];
  float level_bias, least_level, greatest_level;
};

} // namespace chip_device
