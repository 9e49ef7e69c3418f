// Reading and writing single texels.
#pragma once

#include "../contract/image_data.h"

namespace ze_cpu {

using Float4 = float __attribute__((vector_size(16)));
using Int4 = int32_t __attribute__((vector_size(16)));

/// How texels of one format become components red, green, blue, alpha, and back. Components that
/// the format lacks are 0, and alpha 1; they are ignored when writing.
struct TexelCodec {
  Float4 (*load_float)(const std::byte *texel);
  Int4 (*load_integer)(const std::byte *texel);
  void (*store_float)(std::byte *texel, Float4 value);
  void (*store_integer)(std::byte *texel, Int4 value);
};

const TexelCodec &texel_codec(TexelLayout layout, ChannelType type);

} // namespace ze_cpu
