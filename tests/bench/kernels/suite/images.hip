// Images and what convolutional networks do with them.
#if defined(__HIP__) || defined(__OPENCL_VERSION__)
#include "kernel.h"

KERNEL rgba_gray(GLOBAL const byte *in, GLOBAL byte *out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  out[i] = (77 * in[4 * i] + 150 * in[4 * i + 1] + 29 * in[4 * i + 2]) >> 8;
}

KERNEL blur_u8(GLOBAL const byte *in, GLOBAL byte *out, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height)
    return;
  int sum = 0;
  for (int dy = -1; dy <= 1; ++dy)
    for (int dx = -1; dx <= 1; ++dx)
      sum += in[min(max(y + dy, 0), height - 1) * width + min(max(x + dx, 0), width - 1)];
  out[y * width + x] = sum / 9;
}

#define EXCHANGE(a, b)                                                                             \
  {                                                                                                \
    const float low = fminf(v[a], v[b]), high = fmaxf(v[a], v[b]);                                 \
    v[a] = low;                                                                                    \
    v[b] = high;                                                                                   \
  }

// The middle one of 9, which lie in a private array. The image has a border of 1.
KERNEL median3x3(GLOBAL const float *in, GLOBAL float *out, int n) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  float v[9];
  for (int i = 0; i < 9; ++i)
    v[i] = in[(y + i / 3) * (n + 2) + x + i % 3];
  for (int round = 0; round < 5; ++round)
    for (int i = 8; i > round; --i)
      EXCHANGE(i - 1, i)
  out[y * n + x] = v[4];
}

KERNEL conv1d_shared(GLOBAL const float *in, GLOBAL const float *weights, GLOBAL float *out) {
  __shared__ float s[256 + 16];
  const int t = threadIdx.x, base = blockIdx.x * 256;
  s[t] = in[base + t];
  if (t < 16)
    s[256 + t] = in[base + 256 + t];
  __syncthreads();
  float sum = 0;
  for (int k = 0; k < 17; ++k)
    sum += s[t + k] * weights[k];
  out[base + t] = sum;
}

KERNEL conv5x5(GLOBAL const float *in, GLOBAL const float *weights, GLOBAL float *out, int width,
               int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height)
    return;
  float sum = 0;
  for (int dy = 0; dy < 5; ++dy)
    for (int dx = 0; dx < 5; ++dx) {
      const int column = x + dx - 2, row = y + dy - 2;
      if (column >= 0 && column < width && row >= 0 && row < height)
        sum += in[row * width + column] * weights[dy * 5 + dx];
    }
  out[y * width + x] = sum;
}

// Tiles of 16 by 16 with their borders, 3 by 3 weights.
KERNEL conv3x3_shared(GLOBAL const float *in, GLOBAL const float *weights, GLOBAL float *out,
                      int n) {
  __shared__ float s[18][18];
  const int x = threadIdx.x, y = threadIdx.y, pitch = n + 2;
  const int row = blockIdx.y * 16, column = blockIdx.x * 16;
  for (int i = y * 16 + x; i < 18 * 18; i += 256)
    s[i / 18][i % 18] = in[(row + i / 18) * pitch + column + i % 18];
  __syncthreads();
  float sum = 0;
  for (int dy = 0; dy < 3; ++dy)
    for (int dx = 0; dx < 3; ++dx)
      sum += s[y + dy][x + dx] * weights[dy * 3 + dx];
  out[(row + y) * n + column + x] = sum;
}

// A work-item for each output, whose coordinates come of divisions.
KERNEL maxpool(GLOBAL const float *in, GLOBAL float *out, int count, int width, int height) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count)
    return;
  const int x = i % width, y = i / width % height, channel = i / width / height;
  GLOBAL const float *from = in + (channel * height * 2 + y * 2) * width * 2 + x * 2;
  out[i] = fmaxf(fmaxf(from[0], from[1]), fmaxf(from[2 * width], from[2 * width + 1]));
}

#else
#include "suite.h"

namespace bench {
namespace {

void to_gray(const uint8_t *in, uint8_t *out, int n) {
#pragma omp parallel for simd
  for (int i = 0; i < n; ++i)
    out[i] = static_cast<uint8_t>((77 * in[4 * i] + 150 * in[4 * i + 1] + 29 * in[4 * i + 2]) >> 8);
}

void blur(const uint8_t *in, uint8_t *out, int width, int height) {
  const auto at = [=](int x, int y) {
    return in[std::clamp(y, 0, height - 1) * width + std::clamp(x, 0, width - 1)];
  };
#pragma omp parallel for
  for (int y = 0; y < height; ++y)
#pragma omp simd
    for (int x = 0; x < width; ++x) {
      int sum = 0;
      for (int dy = -1; dy <= 1; ++dy)
        for (int dx = -1; dx <= 1; ++dx)
          sum += at(x + dx, y + dy);
      out[y * width + x] = static_cast<uint8_t>(sum / 9);
    }
}

void median(const float *in, float *out, int n) {
#pragma omp parallel for
  for (int y = 0; y < n; ++y)
#pragma omp simd
    for (int x = 0; x < n; ++x) {
      float v[9];
#pragma GCC unroll 9
      for (int i = 0; i < 9; ++i)
        v[i] = in[(y + i / 3) * (n + 2) + x + i % 3];
#pragma GCC unroll 5
      for (int round = 0; round < 5; ++round)
#pragma GCC unroll 8
        for (int i = 8; i > round; --i) {
          const float low = v[i] < v[i - 1] ? v[i] : v[i - 1],
                      high = v[i] < v[i - 1] ? v[i - 1] : v[i];
          v[i - 1] = low;
          v[i] = high;
        }
      out[y * n + x] = v[4];
    }
}

void convolve_line(const float *in, const float *weights, float *out, int n) {
#pragma omp parallel for simd
  for (int i = 0; i < n; ++i) {
    float sum = 0;
    for (int k = 0; k < 17; ++k)
      sum += in[i + k] * weights[k];
    out[i] = sum;
  }
}

// Only what is near the border asks whether it is outside.
void convolve(const float *in, const float *weights, float *out, int width, int height) {
#pragma omp parallel for
  for (int y = 0; y < height; ++y) {
    const int top = std::max(0, 2 - y), bottom = std::min(5, height + 2 - y);
    const auto at = [=](int x, int left, int right) {
      float sum = 0;
      for (int dy = top; dy < bottom; ++dy)
        for (int dx = left; dx < right; ++dx)
          sum += in[(y + dy - 2) * width + x + dx - 2] * weights[dy * 5 + dx];
      return sum;
    };
    for (int x = 0; x < 2; ++x) {
      out[y * width + x] = at(x, 2 - x, 5);
      out[y * width + width - 1 - x] = at(width - 1 - x, 0, 3 + x);
    }
#pragma omp simd
    for (int x = 2; x < width - 2; ++x)
      out[y * width + x] = at(x, 0, 5);
  }
}

void convolve_bordered(const float *in, const float *weights, float *out, int n) {
#pragma omp parallel for
  for (int y = 0; y < n; ++y)
#pragma omp simd
    for (int x = 0; x < n; ++x) {
      float sum = 0;
      for (int dy = 0; dy < 3; ++dy)
        for (int dx = 0; dx < 3; ++dx)
          sum += in[(y + dy) * (n + 2) + x + dx] * weights[dy * 3 + dx];
      out[y * n + x] = sum;
    }
}

void pool(const float *in, float *out, int channels, int width, int height) {
#pragma omp parallel for collapse(2)
  for (int channel = 0; channel < channels; ++channel)
    for (int y = 0; y < height; ++y) {
      const float *from = in + (channel * height * 2 + y * 2) * width * 2,
                  *below = from + 2 * width;
#pragma omp simd
      for (int x = 0; x < width; ++x)
        out[(channel * height + y) * width + x] = std::max(
            std::max(from[2 * x], from[2 * x + 1]), std::max(below[2 * x], below[2 * x + 1]));
    }
}

} // namespace

Cases image_cases(Scale scale) {
  const uint32_t pixels = scale(1 << 23, 1 << 12), width = scale(2000, 100),
                 height = scale(1000, 50), n = scale(2048, 64), pooled = scale(500, 20),
                 channels = scale(16, 2), count = channels * pooled * pooled;
  const int p = static_cast<int>(pixels), w = static_cast<int>(width), h = static_cast<int>(height),
            m = static_cast<int>(n), edge = static_cast<int>(pooled);
  const auto blocks = [](uint32_t size, uint32_t block) { return (size + block - 1) / block; };
  return {
      {.key = "rgba_gray",
       .groups = {pixels / 256},
       .group_size = {256},
       .sizes = {pixels, pixels / 4},
       .numbers = {p},
       .fill = fill_with_bits,
       .native = [=](Buffers b) { to_gray(as<uint8_t>(b[0]), as<uint8_t>(b[1]), p); },
       .is_right = is_equal},
      {.key = "blur_u8",
       .groups = {blocks(width, 32), blocks(height, 8)},
       .group_size = {32, 8},
       .sizes = {width * height / 4, width * height / 4},
       .numbers = {w, h},
       .fill = fill_with_bits,
       .native = [=](Buffers b) { blur(as<uint8_t>(b[0]), as<uint8_t>(b[1]), w, h); },
       .is_right = is_equal},
      {.key = "median3x3",
       .groups = {n / 32, n / 8},
       .group_size = {32, 8},
       .sizes = {(n + 2) * (n + 2), n * n},
       .numbers = {m},
       .fill = fill_randomly,
       .native = [=](Buffers b) { median(b[0].data(), b[1].data(), m); },
       .is_right = is_equal},
      {.key = "conv1d_shared",
       .groups = {pixels / 256},
       .group_size = {256},
       .sizes = {pixels + 16, 17, pixels},
       .fill = fill_randomly,
       .native = [=](Buffers b) { convolve_line(b[0].data(), b[1].data(), b[2].data(), p); },
       .is_right = close(1e-5f)},
      {.key = "conv5x5",
       .groups = {blocks(width, 16), blocks(height, 16)},
       .group_size = {16, 16},
       .sizes = {width * height, 25, width * height},
       .numbers = {w, h},
       .fill = fill_randomly,
       .native = [=](Buffers b) { convolve(b[0].data(), b[1].data(), b[2].data(), w, h); },
       .is_right = close(1e-5f)},
      {.key = "conv3x3_shared",
       .groups = {n / 16, n / 16},
       .group_size = {16, 16},
       .sizes = {(n + 2) * (n + 2), 9, n * n},
       .numbers = {m},
       .fill = fill_randomly,
       .native = [=](Buffers b) { convolve_bordered(b[0].data(), b[1].data(), b[2].data(), m); },
       .is_right = close(1e-5f)},
      {.key = "maxpool",
       .groups = {blocks(count, 256)},
       .group_size = {256},
       .sizes = {4 * count, count},
       .numbers = {static_cast<int>(count), edge, edge},
       .fill = fill_randomly,
       .native =
           [=](Buffers b) {
             pool(b[0].data(), b[1].data(), static_cast<int>(channels), edge, edge);
           },
       .is_right = is_equal},
  };
}

} // namespace bench
#endif
