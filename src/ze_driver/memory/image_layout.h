// What a device must know of an image: its format, and where its texels lie.
#pragma once

#include <level_zero/ze_api.h>

#include <cstddef>
#include <cstdint>
#include <optional>

namespace ze_driver {

struct ImageLayout {
  std::byte *texels = nullptr;
  // By coordinate: x, then y and z as far as there are such, then the layer. What an image does
  // not have is 1.
  uint32_t size[3] = {1, 1, 1};
  size_t stride[3] = {0, 0, 0}; // in bytes
  uint8_t dimensions = 1;       // 1 to 3, without the layer
  bool has_layers = false;
  ze_image_format_t format{};
  std::optional<ze_sampler_desc_t> sampler; // of images that are handles of sampled images
};

} // namespace ze_driver
