// Images on the processors: generated code reads ImageData (contract/image_data.h) and the texels that
// lie row by row.
#include "images.h"

#include "contract/image_data.h"

#include "../ze_driver/memory/image_layout.h"

#include <algorithm>
#include <array>

namespace ze_cpu {
namespace {

struct LayoutInfo {
  ze_image_format_layout_t name;
  TexelLayout layout;
  uint8_t bytes, components, widest; // of a texel; bits of its widest component
};

constexpr LayoutInfo layouts[] = {
    {ZE_IMAGE_FORMAT_LAYOUT_8, TexelLayout::c8, 1, 1, 8},
    {ZE_IMAGE_FORMAT_LAYOUT_16, TexelLayout::c16, 2, 1, 16},
    {ZE_IMAGE_FORMAT_LAYOUT_32, TexelLayout::c32, 4, 1, 32},
    {ZE_IMAGE_FORMAT_LAYOUT_8_8, TexelLayout::c8_8, 2, 2, 8},
    {ZE_IMAGE_FORMAT_LAYOUT_16_16, TexelLayout::c16_16, 4, 2, 16},
    {ZE_IMAGE_FORMAT_LAYOUT_32_32, TexelLayout::c32_32, 8, 2, 32},
    {ZE_IMAGE_FORMAT_LAYOUT_8_8_8, TexelLayout::c8_8_8, 3, 3, 8},
    {ZE_IMAGE_FORMAT_LAYOUT_16_16_16, TexelLayout::c16_16_16, 6, 3, 16},
    {ZE_IMAGE_FORMAT_LAYOUT_32_32_32, TexelLayout::c32_32_32, 12, 3, 32},
    {ZE_IMAGE_FORMAT_LAYOUT_8_8_8_8, TexelLayout::c8_8_8_8, 4, 4, 8},
    {ZE_IMAGE_FORMAT_LAYOUT_16_16_16_16, TexelLayout::c16_16_16_16, 8, 4, 16},
    {ZE_IMAGE_FORMAT_LAYOUT_32_32_32_32, TexelLayout::c32_32_32_32, 16, 4, 32},
    {ZE_IMAGE_FORMAT_LAYOUT_10_10_10_2, TexelLayout::c10_10_10_2, 4, 4, 10},
    {ZE_IMAGE_FORMAT_LAYOUT_11_11_10, TexelLayout::c11_11_10, 4, 3, 11},
    {ZE_IMAGE_FORMAT_LAYOUT_5_6_5, TexelLayout::c5_6_5, 2, 3, 6},
    {ZE_IMAGE_FORMAT_LAYOUT_5_5_5_1, TexelLayout::c5_5_5_1, 2, 4, 5},
    {ZE_IMAGE_FORMAT_LAYOUT_4_4_4_4, TexelLayout::c4_4_4_4, 2, 4, 4},
};

constexpr ChannelType channel_types[] = {ChannelType::uint, ChannelType::sint, ChannelType::unorm,
                                         ChannelType::snorm, ChannelType::floating};

/// Null if there is no such format here.
const LayoutInfo *find_layout(const ze_image_format_t &format) {
  const auto *found = std::ranges::find(layouts, format.layout, &LayoutInfo::name);
  if (found == std::end(layouts))
    return nullptr;
  for (const auto swizzle : {format.x, format.y, format.z, format.w})
    if (swizzle == ZE_IMAGE_FORMAT_SWIZZLE_D)
      return nullptr;
  const bool has_floats =
      found->widest == 16 || found->widest == 32 || found->layout == TexelLayout::c11_11_10;
  const bool is_normalized =
      format.type == ZE_IMAGE_FORMAT_TYPE_UNORM || format.type == ZE_IMAGE_FORMAT_TYPE_SNORM;
  if (format.type == ZE_IMAGE_FORMAT_TYPE_FLOAT ? !has_floats
                                                : is_normalized && found->widest == 32)
    return nullptr;
  return found;
}

/// SPIR-V's "Image Channel Data Type": where it has none, the narrowest that holds the values.
uint32_t channel_type_number(const LayoutInfo &layout, ChannelType type) {
  if (type == ChannelType::unorm)
    switch (layout.layout) {
    case TexelLayout::c5_6_5:
      return 4;
    case TexelLayout::c5_5_5_1:
      return 5;
    case TexelLayout::c10_10_10_2:
      return 16;
    default:
      break;
    }
  const uint32_t width = layout.widest <= 8 ? 0 : layout.widest <= 16 ? 1 : 2;
  switch (type) {
  case ChannelType::snorm:
    return 0 + width;
  case ChannelType::unorm:
    return 2 + width;
  case ChannelType::sint:
    return 7 + width;
  case ChannelType::uint:
    return 10 + width;
  default:
    return 12 + width;
  }
}

/// SPIR-V's "Image Channel Order".
uint32_t channel_order_number(const LayoutInfo &layout, const ImageData &data) {
  enum : uint32_t { r, a, rg, ra, rgb, rgba, bgra, argb, intensity, luminance, abgr = 19 };
  using enum Swizzle;
  const auto is = [&](Swizzle x, Swizzle y, Swizzle z, Swizzle w) {
    const Swizzle wanted[] = {x, y, z, w};
    return std::ranges::equal(wanted, data.swizzle);
  };
  switch (layout.components) {
  case 1:
    return is(red, red, red, red)                             ? intensity
           : is(red, red, red, one)                           ? luminance
           : data.swizzle[0] != red && data.swizzle[3] == red ? a
                                                              : r;
  case 2:
    return data.swizzle[3] == green ? ra : rg;
  case 3:
    return rgb;
  default:
    return is(blue, green, red, alpha)   ? bgra
           : is(green, blue, alpha, red) ? argb
           : is(alpha, blue, green, red) ? abgr
                                         : rgba;
  }
}

uint64_t sampler_value(const ze_sampler_desc_t &desc) {
  using enum sampler::Address;
  static constexpr sampler::Address modes[] = {none, repeat, clamp_to_edge, clamp_to_border,
                                               mirror};
  return sampler::make(modes[desc.addressMode], desc.filterMode == ZE_SAMPLER_FILTER_MODE_LINEAR,
                       desc.isNormalized);
}

/// Kernels are given the address of the data.
class ImageOfData final : public ze_driver::ImageObject {
public:
  ImageOfData() : ImageObject(reinterpret_cast<uintptr_t>(&data)) {}

  ImageData data{};
};

} // namespace

size_t Images::texel_bytes(const ze_image_format_t &format) const {
  const LayoutInfo *layout = find_layout(format);
  return layout ? layout->bytes : 0;
}

std::unique_ptr<ze_driver::ImageObject> Images::make(const ze_driver::ImageLayout &image) {
  const ze_image_format_t &format = image.format;
  const LayoutInfo &layout = *find_layout(format);
  auto made = std::make_unique<ImageOfData>();
  ImageData &data = made->data;
  data.texels = image.texels;
  std::ranges::copy(image.size, data.size);
  std::ranges::copy(image.stride, data.stride);
  data.dimensions = image.dimensions;
  data.has_layers = image.has_layers;
  data.layout = layout.layout;
  data.type = channel_types[format.type];
  const ze_image_format_swizzle_t swizzle[] = {format.x, format.y, format.z, format.w};
  for (unsigned i = 0; i < 4; ++i)
    data.swizzle[i] =
        swizzle[i] == ZE_IMAGE_FORMAT_SWIZZLE_X ? Swizzle::zero : static_cast<Swizzle>(swizzle[i]);
  data.is_plain = std::ranges::equal(
      data.swizzle, std::array{Swizzle::red, Swizzle::green, Swizzle::blue, Swizzle::alpha});
  data.border_is_opaque = std::ranges::find(data.swizzle, Swizzle::alpha) == std::end(data.swizzle);
  data.channel_type = channel_type_number(layout, data.type);
  data.channel_order = channel_order_number(layout, data);
  if (image.sampler)
    data.sampler = sampler_value(*image.sampler);
  return made;
}

uint64_t Images::sampler(const ze_sampler_desc_t &description) const {
  return sampler_value(description);
}

} // namespace ze_cpu
