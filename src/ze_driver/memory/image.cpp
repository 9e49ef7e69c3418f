// Images and samplers. Texels lie row by row in ordinary memory.
#include "image.h"
#include "../../common/align.h"

#include "../api/entry_points.h"
#include "../api/objects.h"
#include "allocations.h"

#include <algorithm>
#include <array>
#include <new>

namespace ze_driver {
namespace {

constexpr ze_image_format_layout_t last_layout = ZE_IMAGE_FORMAT_LAYOUT_32_32_32;

ze_result_t check_enumerations(const ze_image_desc_t &desc) {
  if (desc.flags > 0x3 || desc.type > ZE_IMAGE_TYPE_BUFFER || desc.format.layout > last_layout ||
      desc.format.type > ZE_IMAGE_FORMAT_TYPE_FLOAT)
    return ZE_RESULT_ERROR_INVALID_ENUMERATION;
  for (const auto swizzle : {desc.format.x, desc.format.y, desc.format.z, desc.format.w})
    if (swizzle > ZE_IMAGE_FORMAT_SWIZZLE_D)
      return ZE_RESULT_ERROR_INVALID_ENUMERATION;
  return ZE_RESULT_SUCCESS;
}

ze_result_t check_enumerations(const ze_sampler_desc_t &desc) {
  return desc.addressMode > ZE_SAMPLER_ADDRESS_MODE_MIRROR ||
                 desc.filterMode > ZE_SAMPLER_FILTER_MODE_LINEAR
             ? ZE_RESULT_ERROR_INVALID_ENUMERATION
             : ZE_RESULT_SUCCESS;
}

/// Of the device behind a handle; throws Unsupported if it has none.
ImageBackend &images_of(ze_device_handle_t device) {
  ImageBackend *images = object<Device>(device).backend.images();
  if (!images)
    throw Unsupported();
  return *images;
}

const ImageLimits &limits_of(ze_device_handle_t device) {
  return object<Device>(device).backend.facts().images;
}

/// The sizes that the description gives; zeros where they are not possible.
struct Extent {
  uint64_t size[3];
  uint8_t dimensions;
  bool has_layers;
  bool is_possible;
};
Extent extent_of(const ze_image_desc_t &desc, size_t texel_bytes, const ImageLimits &limits) {
  const auto within = [](uint64_t size, uint64_t limit) { return size - 1 < limit; };
  const uint64_t width = desc.width, height = desc.height;
  switch (desc.type) {
  case ZE_IMAGE_TYPE_1D:
    return {{width, 1, 1}, 1, false, within(width, limits.max_1d)};
  case ZE_IMAGE_TYPE_1DARRAY:
    return {{width, desc.arraylevels, 1},
            1,
            true,
            within(width, limits.max_1d) && within(desc.arraylevels, limits.max_layers)};
  case ZE_IMAGE_TYPE_2D:
    return {{width, height, 1},
            2,
            false,
            within(width, limits.max_2d) && within(height, limits.max_2d)};
  case ZE_IMAGE_TYPE_2DARRAY:
    return {{width, height, desc.arraylevels},
            2,
            true,
            within(width, limits.max_2d) && within(height, limits.max_2d) &&
                within(desc.arraylevels, limits.max_layers)};
  case ZE_IMAGE_TYPE_3D:
    return {{width, height, desc.depth},
            3,
            false,
            within(width, limits.max_3d) && within(height, limits.max_3d) &&
                within(desc.depth, limits.max_3d)};
  default: // the width of a buffer is in bytes
    return {{width / texel_bytes, 1, 1},
            1,
            false,
            width >= texel_bytes && width <= limits.max_buffer_bytes};
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

size_t pitch_for(size_t row_bytes, const ImageLimits &limits) {
  return common::round_up(row_bytes, limits.pitch_alignment);
}

/// Sets the strides of rows and slices; false if the pitches that the program wants are too small.
bool lay_out(Image &image, size_t row_pitch, size_t slice_pitch) {
  ImageLayout &data = image.layout;
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
std::expected<std::unique_ptr<Image>, ze_result_t>
describe(ze_device_handle_t device, const ze_image_desc_t &desc, const Extensions &extensions) {
  if (const ze_result_t error = check_enumerations(desc); error != ZE_RESULT_SUCCESS)
    return std::unexpected(error);
  const size_t texel_bytes = images_of(device).texel_bytes(desc.format);
  if (texel_bytes == 0)
    return std::unexpected(ZE_RESULT_ERROR_UNSUPPORTED_IMAGE_FORMAT);
  const Extent extent = extent_of(desc, texel_bytes, limits_of(device));
  if (!extent.is_possible || desc.miplevels != 0)
    return std::unexpected(ZE_RESULT_ERROR_INVALID_ARGUMENT);

  auto image = std::make_unique<Image>();
  image->type = desc.type;
  image->texel_bytes = texel_bytes;
  ImageLayout &layout = image->layout;
  std::ranges::copy(extent.size, layout.size);
  layout.dimensions = extent.dimensions;
  layout.has_layers = extent.has_layers;
  layout.format = desc.format;
  if (extensions.sampler) {
    if (const ze_result_t error = check_enumerations(*extensions.sampler);
        error != ZE_RESULT_SUCCESS)
      return std::unexpected(error);
    layout.sampler = *extensions.sampler;
  }
  return image;
}

/// The image is complete: kernels may be given it.
ze_image_handle_t hand_out(ze_device_handle_t device, std::unique_ptr<Image> image) {
  image->object = images_of(device).make(image->layout);
  return handle_of(*image.release());
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
  auto image = describe(device, desc, *extensions);
  if (!image)
    return std::unexpected(image.error());
  Image &self = **image;
  if (extensions->pitched) {
    if (!extensions->pitched->ptr)
      return std::unexpected(ZE_RESULT_ERROR_INVALID_NULL_POINTER);
    const auto *custom = extensions->pitch;
    const size_t row = custom && custom->rowPitch != 0
                           ? custom->rowPitch
                           : pitch_for(self.layout.size[0] * self.texel_bytes, limits_of(device));
    if (!lay_out(self, row, custom ? custom->slicePitch : 0))
      return std::unexpected(ZE_RESULT_ERROR_INVALID_ARGUMENT);
    self.layout.texels = static_cast<std::byte *>(extensions->pitched->ptr);
    return hand_out(device, std::move(*image));
  }
  lay_out(self, 0, 0);
  self.memory = allocate_texels(device, self.bytes);
  if (!self.memory)
    return std::unexpected(ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY);
  self.layout.texels = static_cast<std::byte *>(self.memory.get());
  return hand_out(device, std::move(*image));
}

/// The same texels, or the first of them in each direction, in another format of the same size.
std::expected<ze_image_handle_t, ze_result_t>
make_view(ze_device_handle_t device, const ze_image_desc_t &desc, const Image &whole) {
  const auto extensions = read_extensions(desc.pNext);
  if (!extensions)
    return std::unexpected(extensions.error());
  if (extensions->pitched || extensions->pitch)
    return std::unexpected(ZE_RESULT_ERROR_INVALID_ARGUMENT);
  auto view = describe(device, desc, *extensions);
  if (!view)
    return std::unexpected(view.error());
  Image &self = **view;
  if (self.texel_bytes != whole.texel_bytes)
    return std::unexpected(ZE_RESULT_ERROR_UNSUPPORTED_IMAGE_FORMAT);
  for (unsigned i = 0; i < 3; ++i)
    if (self.layout.size[i] > whole.layout.size[i])
      return std::unexpected(ZE_RESULT_ERROR_INVALID_ARGUMENT);
  std::ranges::copy(whole.layout.stride, self.layout.stride);
  self.layout.texels = whole.layout.texels;
  self.memory = whole.memory;
  self.bytes = whole.bytes;
  return hand_out(device, std::move(*view));
}

} // namespace

ze_result_t zeImageGetProperties(ze_device_handle_t device, const ze_image_desc_t *desc,
                                 ze_image_properties_t *properties) {
  return entry(required(device, desc, properties), [&]() -> ze_result_t {
    if (const ze_result_t error = check_enumerations(*desc); error != ZE_RESULT_SUCCESS)
      return error;
    const bool supported = images_of(device).texel_bytes(desc->format) != 0;
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
  return entry(required(context, device, desc, image, view), [&]() -> ze_result_t {
    const auto made = make_view(device, *desc, object<Image>(image));
    if (!made)
      return made.error();
    *view = *made;
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t zeImageViewCreateExp(ze_context_handle_t context, ze_device_handle_t device,
                                 const ze_image_desc_t *desc, ze_image_handle_t image,
                                 ze_image_handle_t *view) {
  return ze_driver::zeImageViewCreateExt(context, device, desc, image, view);
}

ze_result_t zeImageDestroy(ze_image_handle_t image) {
  return entry(required(image), [&]() -> ze_result_t {
    delete &object<Image>(image);
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t zeImageGetAllocPropertiesExt(ze_context_handle_t context, ze_image_handle_t image,
                                         ze_image_allocation_ext_properties_t *properties) {
  return entry(required(context, image, properties), [&]() -> ze_result_t {
    const auto allocation = Allocations::instance().find(object<Image>(image).layout.texels);
    properties->id = allocation ? allocation->id : 0;
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t zeImageGetMemoryPropertiesExp(ze_image_handle_t image,
                                          ze_image_memory_properties_exp_t *properties) {
  return entry(required(image, properties), [&]() -> ze_result_t {
    const Image &self = object<Image>(image);
    properties->size = self.bytes;
    properties->rowPitch = self.layout.stride[1];
    properties->slicePitch = self.layout.stride[2];
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t zeImageGetDeviceOffsetExp(ze_image_handle_t image, uint64_t *offset) {
  return get_from<Image>(image, offset, [](const Image &self) { return self.object->argument; });
}

ze_result_t zeMemGetPitchFor2dImage(ze_context_handle_t context, ze_device_handle_t device,
                                    size_t width, size_t height, unsigned texel_bytes,
                                    size_t *pitch) {
  return entry(required(context, device, pitch), [&]() -> ze_result_t {
    const ImageLimits &limits = limits_of(device);
    if (width - 1 >= limits.max_2d || height - 1 >= limits.max_2d || texel_bytes - 1 >= 16)
      return ZE_RESULT_ERROR_INVALID_ARGUMENT;
    *pitch = pitch_for(width * texel_bytes, limits);
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t zeContextMakeImageResident(ze_context_handle_t context, ze_device_handle_t device,
                                       ze_image_handle_t image) {
  return entry(required(context, device, image)); // it always is
}

ze_result_t zeContextEvictImage(ze_context_handle_t context, ze_device_handle_t device,
                                ze_image_handle_t image) {
  return ze_driver::zeContextMakeImageResident(context, device, image);
}

ze_result_t zeSamplerCreate(ze_context_handle_t context, ze_device_handle_t device,
                            const ze_sampler_desc_t *desc, ze_sampler_handle_t *sampler) {
  return create(
      context, device, desc, sampler,
      [&](const ze_sampler_desc_t &wanted) -> std::expected<ze_sampler_handle_t, ze_result_t> {
        if (const ze_result_t error = check_enumerations(wanted); error != ZE_RESULT_SUCCESS)
          return std::unexpected(error);
        auto created = std::make_unique<Sampler>();
        created->value = images_of(device).sampler(wanted);
        return handle_of(*created.release());
      });
}

ze_result_t zeSamplerDestroy(ze_sampler_handle_t sampler) {
  return entry(required(sampler), [&]() -> ze_result_t {
    delete &object<Sampler>(sampler);
    return ZE_RESULT_SUCCESS;
  });
}

} // namespace ze_driver
