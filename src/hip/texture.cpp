// HIP API reference: Texture management, objects.
#include "../runtime/textures/texture.h"
#include "entry.h"

#include <algorithm>

using namespace chip;
using chip::hip::entry;
using chip::hip::required;

namespace {

hipResourceDesc from_driver(const HIP_RESOURCE_DESC &driver) {
  hipResourceDesc resource{};
  resource.resType = hipResourceType(driver.resType);
  switch (driver.resType) {
  case HIP_RESOURCE_TYPE_ARRAY:
    resource.res.array.array = driver.res.array.hArray;
    break;
  case HIP_RESOURCE_TYPE_MIPMAPPED_ARRAY:
    resource.res.mipmap.mipmap = driver.res.mipmap.hMipmappedArray;
    break;
  case HIP_RESOURCE_TYPE_LINEAR: {
    const auto &[memory, format, channels, bytes] = driver.res.linear;
    resource.res.linear = {memory, to_element(format, channels), bytes};
    break;
  }
  case HIP_RESOURCE_TYPE_PITCH2D: {
    const auto &[memory, format, channels, width, height, pitch] = driver.res.pitch2D;
    resource.res.pitch2D = {memory, to_element(format, channels), width, height, pitch};
    break;
  }
  default:
    throw Error(hipErrorInvalidValue, "`resource->resType` is not a HIPresourcetype");
  }
  return resource;
}

HIP_RESOURCE_DESC to_driver(const hipResourceDesc &resource) {
  HIP_RESOURCE_DESC driver{};
  driver.resType = HIPresourcetype(resource.resType);
  switch (resource.resType) {
  case hipResourceTypeArray:
    driver.res.array.hArray = resource.res.array.array;
    break;
  case hipResourceTypeMipmappedArray:
    driver.res.mipmap.hMipmappedArray = resource.res.mipmap.mipmap;
    break;
  case hipResourceTypeLinear: {
    const auto &[memory, element, bytes] = resource.res.linear;
    driver.res.linear = {memory, to_format(element), channel_count(element), bytes};
    break;
  }
  case hipResourceTypePitch2D: {
    const auto &[memory, element, width, height, pitch] = resource.res.pitch2D;
    driver.res.pitch2D = {memory, to_format(element), channel_count(element), width, height, pitch};
    break;
  }
  }
  return driver;
}

hipTextureDesc from_driver(const HIP_TEXTURE_DESC &driver) {
  hipTextureDesc texture{};
  std::ranges::transform(driver.addressMode, texture.addressMode,
                         [](HIPaddress_mode mode) { return hipTextureAddressMode(mode); });
  texture.filterMode = hipTextureFilterMode(driver.filterMode);
  texture.readMode =
      driver.flags & HIP_TRSF_READ_AS_INTEGER ? hipReadModeElementType : hipReadModeNormalizedFloat;
  texture.normalizedCoords = (driver.flags & HIP_TRSF_NORMALIZED_COORDINATES) != 0;
  texture.sRGB = (driver.flags & HIP_TRSF_SRGB) != 0;
  texture.maxAnisotropy = driver.maxAnisotropy;
  texture.mipmapFilterMode = hipTextureFilterMode(driver.mipmapFilterMode);
  texture.mipmapLevelBias = driver.mipmapLevelBias;
  texture.minMipmapLevelClamp = driver.minMipmapLevelClamp;
  texture.maxMipmapLevelClamp = driver.maxMipmapLevelClamp;
  std::ranges::copy(driver.borderColor, texture.borderColor);
  return texture;
}

HIP_TEXTURE_DESC to_driver(const hipTextureDesc &texture) {
  HIP_TEXTURE_DESC driver{};
  std::ranges::transform(texture.addressMode, driver.addressMode,
                         [](hipTextureAddressMode mode) { return HIPaddress_mode(mode); });
  driver.filterMode = HIPfilter_mode(texture.filterMode);
  driver.flags = (texture.readMode == hipReadModeElementType ? HIP_TRSF_READ_AS_INTEGER : 0u) |
                 (texture.normalizedCoords ? HIP_TRSF_NORMALIZED_COORDINATES : 0u) |
                 (texture.sRGB ? HIP_TRSF_SRGB : 0u);
  driver.maxAnisotropy = texture.maxAnisotropy;
  driver.mipmapFilterMode = HIPfilter_mode(texture.mipmapFilterMode);
  driver.mipmapLevelBias = texture.mipmapLevelBias;
  driver.minMipmapLevelClamp = texture.minMipmapLevelClamp;
  driver.maxMipmapLevelClamp = texture.maxMipmapLevelClamp;
  std::ranges::copy(texture.borderColor, driver.borderColor);
  return driver;
}

hipResourceViewDesc from_driver(const HIP_RESOURCE_VIEW_DESC &driver) {
  return {hipResourceViewFormat(driver.format),
          driver.width,
          driver.height,
          driver.depth,
          driver.firstMipmapLevel,
          driver.lastMipmapLevel,
          driver.firstLayer,
          driver.lastLayer};
}

HIP_RESOURCE_VIEW_DESC to_driver(const hipResourceViewDesc &view) {
  return {HIPresourceViewFormat(view.format),
          view.width,
          view.height,
          view.depth,
          view.firstMipmapLevel,
          view.lastMipmapLevel,
          view.firstLayer,
          view.lastLayer,
          {}};
}

const hipResourceViewDesc &view_of(const TextureRecord &record) {
  if (!record.view)
    throw Error(hipErrorInvalidValue, "`texture` was created without a view");
  return *record.view;
}

hipError_t destroy(hipTextureObject_t texture, const char *entry_point = __builtin_FUNCTION()) {
  return entry(entry_point, [&] {
    if (texture)
      destroy_texture(texture);
  });
}

} // namespace

hipError_t hipCreateTextureObject(hipTextureObject_t *texture, const hipResourceDesc *resource,
                                  const hipTextureDesc *description,
                                  const hipResourceViewDesc *view) {
  return entry(CaptureRule::unsafe, [&] {
    required(texture);
    TextureRecord record{.resource = required(resource), .texture = required(description)};
    if (view)
      record.view = *view;
    *texture = create_texture(record);
  });
}

hipError_t hipTexObjectCreate(hipTextureObject_t *texture, const HIP_RESOURCE_DESC *resource,
                              const HIP_TEXTURE_DESC *description,
                              const HIP_RESOURCE_VIEW_DESC *view) {
  return entry(CaptureRule::unsafe, [&] {
    required(texture);
    TextureRecord record{.resource = from_driver(required(resource)),
                         .texture = from_driver(required(description))};
    if (view)
      record.view = from_driver(*view);
    *texture = create_texture(record);
  });
}

hipError_t hipDestroyTextureObject(hipTextureObject_t texture) { return destroy(texture); }
hipError_t hipTexObjectDestroy(hipTextureObject_t texture) { return destroy(texture); }

hipError_t hipGetTextureObjectResourceDesc(hipResourceDesc *resource, hipTextureObject_t texture) {
  return entry([&] { required(resource) = find_texture(texture).resource; });
}
hipError_t hipGetTextureObjectTextureDesc(hipTextureDesc *description, hipTextureObject_t texture) {
  return entry([&] { required(description) = find_texture(texture).texture; });
}
hipError_t hipGetTextureObjectResourceViewDesc(hipResourceViewDesc *view,
                                               hipTextureObject_t texture) {
  return entry([&] { required(view) = view_of(find_texture(texture)); });
}

hipError_t hipTexObjectGetResourceDesc(HIP_RESOURCE_DESC *resource, hipTextureObject_t texture) {
  return entry([&] { required(resource) = to_driver(find_texture(texture).resource); });
}
hipError_t hipTexObjectGetTextureDesc(HIP_TEXTURE_DESC *description, hipTextureObject_t texture) {
  return entry([&] { required(description) = to_driver(find_texture(texture).texture); });
}
hipError_t hipTexObjectGetResourceViewDesc(HIP_RESOURCE_VIEW_DESC *view,
                                           hipTextureObject_t texture) {
  return entry([&] { required(view) = to_driver(view_of(find_texture(texture))); });
}
