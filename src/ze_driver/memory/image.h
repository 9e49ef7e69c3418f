// What the handles of images and samplers stand for.
#pragma once

#include "../../ze_cpu/contract/image_data.h"
#include "../api/entry.h"

#include <memory>

namespace ze_cpu {

struct Image : Handle {
  using HandleType = ze_image_handle_t;

  ImageData data; // kernels are given its address
  ze_image_type_t type;
  std::shared_ptr<void> memory; // of the texels, shared with views; null: the program's
  size_t bytes;                 // from the first texel to the end of the last
  size_t texel_bytes;
};

struct Sampler : Handle {
  using HandleType = ze_sampler_handle_t;

  uint64_t value; // see contract/image_data.h: kernels are given this number
};

inline constexpr uint32_t max_image_1d = 65536, max_image_2d = 65536, max_image_3d = 16384,
                          max_image_layers = 16384;
inline constexpr uint64_t max_image_buffer_bytes = INT32_MAX; // what a texel's index reaches
inline constexpr size_t image_pitch_alignment = 64; // of zeMemGetPitchFor2dImage; others work too

} // namespace ze_cpu
