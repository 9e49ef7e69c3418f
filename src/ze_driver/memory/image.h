// What the handles of images and samplers stand for.
#pragma once

#include "../api/entry.h"
#include "../backend.h"
#include "image_layout.h"

#include <memory>

namespace ze_driver {

struct Image : Handle {
  using HandleType = ze_image_handle_t;

  ImageLayout layout;
  std::unique_ptr<ImageObject> object; // made for kernels, of the layout
  ze_image_type_t type;
  std::shared_ptr<void> memory; // of the texels, shared with views; null: the program's
  size_t bytes;                 // from the first texel to the end of the last
  size_t texel_bytes;
};

struct Sampler : Handle {
  using HandleType = ze_sampler_handle_t;

  uint64_t value; // kernels are given this number
};

} // namespace ze_driver
