// Images and samplers. Texels lie row by row in ordinary memory.
#include "image.h"

#include "allocations.h"
#include "../api/entry_points.h"

#include <algorithm>
#include <array>
#include <new>

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

constexpr ze_image_format_layout_t last_layout = ZE_IMAGE_FORMAT_LAYOUT_32_32_32;

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

ze_result_t check_enumerations(const ze_image_desc_t &desc) {
  if (desc.flags > 0x3 || desc.type > ZE_IMAGE_TYPE_BUFFER || desc.format.layout > last_layout ||
      desc.format.type > ZE_IMAGE_FORMAT_TYPE_FLOAT)
    return ZE_RESULT_ERROR_INVALID_ENUMERATION;
  for (const auto swizzle : {desc.format.x, desc.format.y, desc.format.z, desc.format.w})
    if (swizzle > ZE_IMAGE_FORMAT_SWIZZLE_D)
      return ZE_RESULT_ERROR_INVALID_ENUMERATION;
  return ZE_RESULT_SUCCESS;
}

std::expected<uint64_t, ze_result_t> sampler_value(const ze_sampler_desc_t &desc) {
  using enum sampler::Address;
  static constexpr sampler::Address modes[] = {none, repeat, clamp_to_edge, clamp_to_border,
                                               mirror};
  if (desc.addressMode > ZE_SAMPLER_ADDRESS_MODE_MIRROR ||
      desc.filterMode > ZE_SAMPLER_FILTER_MODE_LINEAR)
    return std::unexpected(ZE_RESULT_ERROR_INVALID_ENUMERATION);
  return sampler::make(modes[desc.addressMode], desc.filterMode == ZE_SAMPLER_FILTER_MODE_LINEAR,
                       desc.isNormalized);
}

/// The sizes that the description gives; zeros where they are not possible.
struct Extent {
  uint64_t size[3];
  uint8_t dimensions;
  bool has_layers;
  bool is_possible;
};
Extent extent_of(const ze_image_desc_t &desc, size_t texel_bytes) {
  const auto within = [](uint64_t size, uint64_t limit) { return size - 1 < limit; };
  const uint64_t width = desc.width, height = desc.height;
  switch (desc.type) {
  case ZE_IMAGE_TYPE_1D:
    return {{width, 1, 1}, 1, false, within(width, max_image_1d)};
  case ZE_IMAGE_TYPE_1DARRAY:
    return {{width, desc.arraylevels, 1},
            1,
            true,
            within(width, max_image_1d) && within(desc.arraylevels, max_image_layers)};
  case ZE_IMAGE_TYPE_2D:
    return {
        {width, height, 1}, 2, false, within(width, max_image_2d) && within(height, max_image_2d)};
  case ZE_IMAGE_TYPE_2DARRAY:
    return {{width, height, desc.arraylevels},
            2,
            true,
            within(width, max_image_2d) && within(height, max_image_2d) &&
                within(desc.arraylevels, max_image_layers)};
  case ZE_IMAGE_TYPE_3D:
    return {{width, height, desc.depth},
            3,
            false,
            within(width, max_image_3d) && within(height, max_image_3d) &&
                within(desc.depth, max_image_3d)};
  default: // the width of a buffer is in bytes
    return {{width / texel_bytes, 1, 1},
            1,
            false,
            width >= texel_bytes && width <= max_image_buffer_bytes};
  }
}

/// What may hang on an image's description.
struct Extensions {
  const ze_image_bindless_exp_desc_t *bindless = nullptr;
  const ze_image_pitched_exp_desc_t *pitched = nullptr;
  const ze_custom_pitch_exp_desc_t *pitch = nullptr;
  const ze_sampler_desc_t *sampler = nullptr;
};
std::expected<Extensions, ze_result_t> read_extensions(const void *next) {
  Extensions found;
  for (auto *link = static_cast<const ze_base_desc_t *>(next); link;
       link = static_cast<const ze_base_desc_t *>(link->pNext))
    switch (static_cast<uint32_t>(link->stype)) {
    case ZE_STRUCTURE_TYPE_BINDLESS_IMAGE_EXP_DESC:
      found.bindless = reinterpret_cast<const ze_image_bindless_exp_desc_t *>(link);
      break;
    case ZE_STRUCTURE_TYPE_PITCHED_IMAGE_EXP_DESC:
      found.pitched = reinterpret_cast<const ze_image_pitched_exp_desc_t *>(link);
      break;
    case ZE_STRUCTURE_TYPE_CUSTOM_PITCH_EXP_DESC:
      found.pitch = reinterpret_cast<const ze_custom_pitch_exp_desc_t *>(link);
      break;
    case ZE_STRUCTURE_TYPE_SAMPLER_DESC:
      found.sampler = reinterpret_cast<const ze_sampler_desc_t *>(link);
      break;
    default: // it would change what the image is
      return std::unexpected(ZE_RESULT_ERROR_UNSUPPORTED_FEATURE);
    }
  if (found.bindless) {
    constexpr uint32_t sampled = ZE_IMAGE_BINDLESS_EXP_FLAG_SAMPLED_IMAGE;
    if (found.bindless->flags & ~(sampled | ZE_IMAGE_BINDLESS_EXP_FLAG_BINDLESS))
      return std::unexpected(ZE_RESULT_ERROR_INVALID_ENUMERATION);
    if (found.bindless->flags & sampled && !found.sampler)
      return std::unexpected(ZE_RESULT_ERROR_INVALID_ARGUMENT);
  }
  return found;
}

size_t pitch_for(size_t row_bytes) {
  return (row_bytes + image_pitch_alignment - 1) / image_pitch_alignment * image_pitch_alignment;
}

/// Sets the strides of rows and slices; false if the pitches that the program wants are too small.
bool lay_out(Image &image, size_t row_pitch, size_t slice_pitch) {
  ImageData &data = image.data;
  const size_t row_bytes = data.size[0] * image.texel_bytes;
  const bool rows_are_layers = data.dimensions == 1;
  if (rows_are_layers && slice_pitch != 0)
    row_pitch = slice_pitch;
  if (row_pitch == 0)
    row_pitch = row_bytes;
  if (slice_pitch == 0 || rows_are_layers)
    slice_pitch = row_pitch * data.size[1];
  if (row_pitch < row_bytes || slice_pitch < row_pitch * data.size[1])
    return false;
  data.stride[0] = image.texel_bytes;
  data.stride[1] = row_pitch;
  data.stride[2] = slice_pitch;
  image.bytes = (data.size[2] - 1) * slice_pitch + (data.size[1] - 1) * row_pitch + row_bytes;
  return true;
}

/// Everything of the image except where its texels lie.
std::expected<std::unique_ptr<Image>, ze_result_t> describe(const ze_image_desc_t &desc,
                                                            const Extensions &extensions) {
  if (const ze_result_t error = check_enumerations(desc); error != ZE_RESULT_SUCCESS)
    return std::unexpected(error);
  const LayoutInfo *layout = find_layout(desc.format);
  if (!layout)
    return std::unexpected(ZE_RESULT_ERROR_UNSUPPORTED_IMAGE_FORMAT);
  const Extent extent = extent_of(desc, layout->bytes);
  if (!extent.is_possible || desc.miplevels != 0)
    return std::unexpected(ZE_RESULT_ERROR_INVALID_ARGUMENT);

  auto image = std::make_unique<Image>();
  image->type = desc.type;
  image->texel_bytes = layout->bytes;
  ImageData &data = image->data;
  data = {};
  std::ranges::copy(extent.size, data.size);
  data.dimensions = extent.dimensions;
  data.has_layers = extent.has_layers;
  data.layout = layout->layout;
  data.type = channel_types[desc.format.type];
  const ze_image_format_swizzle_t swizzle[] = {desc.format.x, desc.format.y, desc.format.z,
                                               desc.format.w};
  for (unsigned i = 0; i < 4; ++i)
    data.swizzle[i] =
        swizzle[i] == ZE_IMAGE_FORMAT_SWIZZLE_X ? Swizzle::zero : static_cast<Swizzle>(swizzle[i]);
  data.is_plain = std::ranges::equal(
      data.swizzle, std::array{Swizzle::red, Swizzle::green, Swizzle::blue, Swizzle::alpha});
  data.border_is_opaque = std::ranges::find(data.swizzle, Swizzle::alpha) == std::end(data.swizzle);
  data.channel_type = channel_type_number(*layout, data.type);
  data.channel_order = channel_order_number(*layout, data);
  if (extensions.sampler) {
    const auto value = sampler_value(*extensions.sampler);
    if (!value)
      return std::unexpected(value.error());
    data.sampler = *value;
  }
  return image;
}

std::shared_ptr<void> allocate_texels(ze_device_handle_t device, size_t bytes) try {
  return {Allocations::instance().allocate(bytes, 0, MemoryKind::device, &driver_memory, device),
          [](void *texels) { Allocations::instance().free(texels, &driver_memory); }};
} catch (const std::bad_alloc &) {
  return nullptr;
}

std::expected<ze_image_handle_t, ze_result_t> make_image(ze_device_handle_t device,
                                                         const ze_image_desc_t &desc) {
  const auto extensions = read_extensions(desc.pNext);
  if (!extensions)
    return std::unexpected(extensions.error());
  auto image = describe(desc, *extensions);
  if (!image)
    return std::unexpected(image.error());
  Image &self = **image;
  if (extensions->pitched) {
    if (!extensions->pitched->ptr)
      return std::unexpected(ZE_RESULT_ERROR_INVALID_NULL_POINTER);
    const auto *custom = extensions->pitch;
    const size_t row = custom && custom->rowPitch != 0
                           ? custom->rowPitch
                           : pitch_for(self.data.size[0] * self.texel_bytes);
    if (!lay_out(self, row, custom ? custom->slicePitch : 0))
      return std::unexpected(ZE_RESULT_ERROR_INVALID_ARGUMENT);
    self.data.texels = static_cast<std::byte *>(extensions->pitched->ptr);
    return handle_of(*image->release());
  }
  lay_out(self, 0, 0);
  self.memory = allocate_texels(device, self.bytes);
  if (!self.memory)
    return std::unexpected(ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY);
  self.data.texels = static_cast<std::byte *>(self.memory.get());
  return handle_of(*image->release());
}

/// The same texels, or the first of them in each direction, in another format of the same size.
std::expected<ze_image_handle_t, ze_result_t> make_view(const ze_image_desc_t &desc,
                                                        const Image &whole) {
  const auto extensions = read_extensions(desc.pNext);
  if (!extensions)
    return std::unexpected(extensions.error());
  if (extensions->pitched || extensions->pitch)
    return std::unexpected(ZE_RESULT_ERROR_INVALID_ARGUMENT);
  auto view = describe(desc, *extensions);
  if (!view)
    return std::unexpected(view.error());
  Image &self = **view;
  if (self.texel_bytes != whole.texel_bytes)
    return std::unexpected(ZE_RESULT_ERROR_UNSUPPORTED_IMAGE_FORMAT);
  for (unsigned i = 0; i < 3; ++i)
    if (self.data.size[i] > whole.data.size[i])
      return std::unexpected(ZE_RESULT_ERROR_INVALID_ARGUMENT);
  std::ranges::copy(whole.data.stride, self.data.stride);
  self.data.texels = whole.data.texels;
  self.memory = whole.memory;
  self.bytes = whole.bytes;
  return handle_of(*view->release());
}

} // namespace

ze_result_t zeImageGetProperties(ze_device_handle_t device, const ze_image_desc_t *desc,
                                 ze_image_properties_t *properties) {
  return entry([&]() -> ze_result_t {
    if (!device)
      return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
    if (any_null(desc, properties))
      return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
    if (const ze_result_t error = check_enumerations(*desc); error != ZE_RESULT_SUCCESS)
      return error;
    const bool supported = find_layout(desc->format);
    const bool has_integers = desc->format.type == ZE_IMAGE_FORMAT_TYPE_UINT ||
                              desc->format.type == ZE_IMAGE_FORMAT_TYPE_SINT;
    properties->samplerFilterFlags =
        !supported ? 0
                   : ZE_IMAGE_SAMPLER_FILTER_FLAG_POINT |
                         (has_integers ? 0 : ZE_IMAGE_SAMPLER_FILTER_FLAG_LINEAR);
    if (auto *support = find_output<ze_image_format_support_ext_properties_t>(
            properties->pNext, ZE_STRUCTURE_TYPE_IMAGE_FORMAT_SUPPORT_EXT_PROPERTIES))
      support->supported = supported;
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t zeImageCreate(ze_context_handle_t context, ze_device_handle_t device,
                          const ze_image_desc_t *desc, ze_image_handle_t *image) {
  return create(context, device, desc, image,
                [&](const ze_image_desc_t &wanted) { return make_image(device, wanted); });
}

ze_result_t zeImageViewCreateExt(ze_context_handle_t context, ze_device_handle_t device,
                                 const ze_image_desc_t *desc, ze_image_handle_t image,
                                 ze_image_handle_t *view) {
  return create(
      context, device, desc, view,
      [&](const ze_image_desc_t &wanted) -> std::expected<ze_image_handle_t, ze_result_t> {
        if (!image)
          return std::unexpected(ZE_RESULT_ERROR_INVALID_NULL_HANDLE);
        return make_view(wanted, object<Image>(image));
      });
}

ze_result_t zeImageViewCreateExp(ze_context_handle_t context, ze_device_handle_t device,
                                 const ze_image_desc_t *desc, ze_image_handle_t image,
                                 ze_image_handle_t *view) {
  return ze_cpu::zeImageViewCreateExt(context, device, desc, image, view);
}

ze_result_t zeImageDestroy(ze_image_handle_t image) {
  return entry([&]() -> ze_result_t {
    if (!image)
      return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
    delete &object<Image>(image);
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t zeImageGetAllocPropertiesExt(ze_context_handle_t context, ze_image_handle_t image,
                                         ze_image_allocation_ext_properties_t *properties) {
  return entry([&]() -> ze_result_t {
    if (any_null(context, image))
      return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
    if (!properties)
      return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
    const auto allocation = Allocations::instance().find(object<Image>(image).data.texels);
    properties->id = allocation ? allocation->id : 0;
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t zeImageGetMemoryPropertiesExp(ze_image_handle_t image,
                                          ze_image_memory_properties_exp_t *properties) {
  return entry([&]() -> ze_result_t {
    if (!image)
      return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
    if (!properties)
      return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
    const Image &self = object<Image>(image);
    properties->size = self.bytes;
    properties->rowPitch = self.data.stride[1];
    properties->slicePitch = self.data.stride[2];
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t zeImageGetDeviceOffsetExp(ze_image_handle_t image, uint64_t *offset) {
  return get_from<Image>(image, offset, [](const Image &self) {
    return static_cast<uint64_t>(reinterpret_cast<uintptr_t>(&self.data));
  });
}

ze_result_t zeMemGetPitchFor2dImage(ze_context_handle_t context, ze_device_handle_t device,
                                    size_t width, size_t height, unsigned texel_bytes,
                                    size_t *pitch) {
  return entry([&]() -> ze_result_t {
    if (any_null(context, device))
      return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
    if (!pitch)
      return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
    if (width - 1 >= max_image_2d || height - 1 >= max_image_2d || texel_bytes - 1 >= 16)
      return ZE_RESULT_ERROR_INVALID_ARGUMENT;
    *pitch = pitch_for(width * texel_bytes);
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t zeContextMakeImageResident(ze_context_handle_t context, ze_device_handle_t device,
                                       ze_image_handle_t image) {
  return entry([&]() -> ze_result_t {
    return any_null(context, device) || !image ? ZE_RESULT_ERROR_INVALID_NULL_HANDLE
                                               : ZE_RESULT_SUCCESS; // it always is
  });
}

ze_result_t zeContextEvictImage(ze_context_handle_t context, ze_device_handle_t device,
                                ze_image_handle_t image) {
  return ze_cpu::zeContextMakeImageResident(context, device, image);
}

ze_result_t zeSamplerCreate(ze_context_handle_t context, ze_device_handle_t device,
                            const ze_sampler_desc_t *desc, ze_sampler_handle_t *sampler) {
  return create(
      context, device, desc, sampler,
      [](const ze_sampler_desc_t &wanted) -> std::expected<ze_sampler_handle_t, ze_result_t> {
        const auto value = sampler_value(wanted);
        if (!value)
          return std::unexpected(value.error());
        auto created = std::make_unique<Sampler>();
        created->value = *value;
        return handle_of(*created.release());
      });
}

ze_result_t zeSamplerDestroy(ze_sampler_handle_t sampler) {
  return entry([&]() -> ze_result_t {
    if (!sampler)
      return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
    delete &object<Sampler>(sampler);
    return ZE_RESULT_SUCCESS;
  });
}

} // namespace ze_cpu
