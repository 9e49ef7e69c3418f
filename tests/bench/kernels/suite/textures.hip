// What textures are for: neighbours that lie anywhere, borders, filters, and elements that are converted.
#if defined(__HIP__) || defined(__OPENCL_VERSION__)
#include "kernel.h"

#ifndef __OPENCL_VERSION__
KERNEL tex_fetch(hipTextureObject_t texture, const float *, float *out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = 0.25f * tex1Dfetch<float>(texture, i - 1) + 0.5f * tex1Dfetch<float>(texture, i) +
             0.25f * tex1Dfetch<float>(texture, i + 1);
}

// The nearest elements, at the edge of the image those of the edge.
KERNEL tex_points(hipTextureObject_t texture, const float *, float *out, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height)
    return;
  const float u = x + 0.5f, v = y + 0.5f;
  out[y * width + x] = tex2D<float>(texture, u - 1, v) + tex2D<float>(texture, u + 1, v) +
                       tex2D<float>(texture, u, v - 1) + tex2D<float>(texture, u, v + 1) -
                       4 * tex2D<float>(texture, u, v);
}

KERNEL tex_rotate(hipTextureObject_t texture, const float *, float *out, int width, int height,
                  float cosine, float sine) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height)
    return;
  const float u = x - 0.5f * width, v = y - 0.5f * height;
  out[y * width + x] = tex2D<float>(texture, cosine * u - sine * v + 0.5f * width,
                                    sine * u + cosine * v + 0.5f * height);
}

// Bytes that are read as fractions.
KERNEL tex_gray(hipTextureObject_t texture, const float *, float *out, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height)
    return;
  const float4 color = tex2D<float4>(texture, x + 0.5f, y + 0.5f);
  out[y * width + x] = 0.299f * color.x + 0.587f * color.y + 0.114f * color.z;
}
#endif

#else
#include "suite.h"

#include <hip/spirv_detail/textures/texture_descriptor.h>

namespace bench {
namespace {

void smooth(const float *in, float *out, int n) {
#pragma omp parallel for simd
  for (int i = 0; i < n; ++i)
    out[i] = 0.25f * (i > 0 ? in[i - 1] : 0) + 0.5f * in[i] + 0.25f * (i < n - 1 ? in[i + 1] : 0);
}

void find_edges(const float *in, float *out, int width, int height) {
#pragma omp parallel for
  for (int y = 0; y < height; ++y) {
    const float *row = in + y * width, *above = in + std::max(y - 1, 0) * width,
                *below = in + std::min(y + 1, height - 1) * width;
#pragma omp simd
    for (int x = 0; x < width; ++x)
      out[y * width + x] = row[std::max(x - 1, 0)] + row[std::min(x + 1, width - 1)] + above[x] +
                           below[x] - 4 * row[x];
  }
}

void rotate(const float *in, float *out, int width, int height, float cosine, float sine) {
#pragma omp parallel for
  for (int y = 0; y < height; ++y)
#pragma omp simd
    for (int x = 0; x < width; ++x) {
      const float u = static_cast<float>(x) - 0.5f * static_cast<float>(width),
                  v = static_cast<float>(y) - 0.5f * static_cast<float>(height);
      const float s = cosine * u - sine * v + 0.5f * static_cast<float>(width),
                  t = sine * u + cosine * v + 0.5f * static_cast<float>(height);
      const int i = static_cast<int>(std::floor(s * 256 - 127.5f)),
                j = static_cast<int>(std::floor(t * 256 - 127.5f));
      const float right = static_cast<float>(i & 255) / 256, low = static_cast<float>(j & 255) / 256;
      const auto at = [&](int column, int row) {
        return in[std::clamp(row, 0, height - 1) * width + std::clamp(column, 0, width - 1)];
      };
      const int column = i >> 8, row = j >> 8;
      out[y * width + x] =
          (1 - low) * ((1 - right) * at(column, row) + right * at(column + 1, row)) +
          low * ((1 - right) * at(column, row + 1) + right * at(column + 1, row + 1));
    }
}

void make_gray(const uint8_t *in, float *out, int n) {
#pragma omp parallel for simd
  for (int i = 0; i < n; ++i)
    out[i] = 0.299f * (static_cast<float>(in[4 * i]) / 255) +
             0.587f * (static_cast<float>(in[4 * i + 1]) / 255) +
             0.114f * (static_cast<float>(in[4 * i + 2]) / 255);
}

constexpr size_t descriptor_size =
    (sizeof(chip_device::TextureDescriptor) + sizeof(float) - 1) / sizeof(float);

/// Describes what is in the second buffer, with coordinates that count elements.
void describe(Buffers b, uint32_t width, uint32_t height, uint32_t element, bool is_linear) {
  chip_device::TextureDescriptor texture{};
  texture.base = {.data = reinterpret_cast<uint64_t>(b[1].data()),
                  .slice_pitch = uint64_t{width} * height * 4,
                  .pitch = width * 4,
                  .width = width,
                  .height = height,
                  .depth = 1};
  texture.layers = 1;
  texture.element = element;
  std::ranges::fill(texture.address, uint8_t{1}); // hipAddressModeClamp
  texture.linear = is_linear;
  std::memcpy(b[0].data(), &texture, sizeof texture);
}

} // namespace

Cases texture_cases(Scale scale) {
  const uint32_t width = scale(2048, 128), height = scale(1024, 16), n = width * height;
  const int w = static_cast<int>(width), h = static_cast<int>(height), m = static_cast<int>(n);
  constexpr uint32_t one_float = chip_device::float_32 | 1 << 4;
  constexpr uint32_t four_bytes =
      chip_device::unsigned_8 | 4 << 4 | chip_device::element_normalized;
  const auto fill_image = [=](bool is_linear) {
    return [=](Buffers b) {
      fill_uniformly(b[1], -2, 2);
      describe(b, width, height, one_float, is_linear);
    };
  };
  const float cosine = std::cos(0.3f), sine = std::sin(0.3f);
  return {
      {.key = "tex_fetch",
       .groups = {n / 256},
       .group_size = {256},
       .sizes = {descriptor_size, n, n},
       .numbers = {m},
       .fill =
           [=](Buffers b) {
             fill_uniformly(b[1], -2, 2);
             describe(b, n, 1, one_float, false);
           },
       .native = [=](Buffers b) { smooth(b[1].data(), b[2].data(), m); },
       .is_right = close(1e-6f)},
      {.key = "tex_points",
       .groups = {width / 32, height / 8},
       .group_size = {32, 8},
       .sizes = {descriptor_size, n, n},
       .numbers = {w, h},
       .fill = fill_image(false),
       .native = [=](Buffers b) { find_edges(b[1].data(), b[2].data(), w, h); },
       .is_right = close(1e-6f)},
      {.key = "tex_rotate",
       .groups = {width / 16, height / 16},
       .group_size = {16, 16},
       .sizes = {descriptor_size, n, n},
       .numbers = {w, h, cosine, sine},
       .fill = fill_image(true),
       .native = [=](Buffers b) { rotate(b[1].data(), b[2].data(), w, h, cosine, sine); },
       .is_right = close(0.02f)}, // another fraction where a coordinate is rounded otherwise
      {.key = "tex_gray",
       .groups = {width / 16, height / 16},
       .group_size = {16, 16},
       .sizes = {descriptor_size, n, n},
       .numbers = {w, h},
       .fill =
           [=](Buffers b) {
             fill_with_bits(b.subspan(1));
             describe(b, width, height, four_bytes, false);
           },
       .native = [=](Buffers b) { make_gray(as<uint8_t>(b[1]), b[2].data(), m); },
       .is_right = close(1e-6f)},
  };
}

} // namespace bench
#endif
