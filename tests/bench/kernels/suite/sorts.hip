// Butterflies in work-group memory: sorting networks and Fourier transforms.
#if defined(__HIP__) || defined(__OPENCL_VERSION__)
#include "kernel.h"

// Each work-group sorts 512.
KERNEL bitonic(GLOBAL const int *in, GLOBAL int *out) {
  __shared__ int s[512];
  const int t = threadIdx.x, base = blockIdx.x * 512;
  s[t] = in[base + t];
  s[t + 256] = in[base + t + 256];
  for (int size = 2; size <= 512; size *= 2)
    for (int stride = size / 2; stride > 0; stride /= 2) {
      __syncthreads();
      const int low = 2 * t - (t & (stride - 1)), high = low + stride;
      const int a = s[low], b = s[high];
      if ((a > b) == ((low & size) == 0)) {
        s[low] = b;
        s[high] = a;
      }
    }
  __syncthreads();
  out[base + t] = s[t];
  out[base + t + 256] = s[t + 256];
}

// One step of a network in global memory: work-items with the lower of two numbers exchange.
KERNEL bitonic_step(GLOBAL const int *in, GLOBAL int *out, int distance, int size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int mine = in[i], other = in[i ^ distance];
  const bool is_lower = (i & distance) == 0, ascends = (i & size) == 0;
  out[i] = is_lower == ascends ? min(mine, other) : max(mine, other);
}

// Transforms of 512 complex numbers, each by a work-group of 256.
KERNEL fft512(GLOBAL const float *re, GLOBAL const float *im, GLOBAL const float *roots,
              GLOBAL float *out, int n) {
  __shared__ float a[2][512], b[2][512];
  const int t = threadIdx.x, base = blockIdx.x * 512;
  a[0][t] = re[base + t];
  b[0][t] = im[base + t];
  a[0][t + 256] = re[base + t + 256];
  b[0][t + 256] = im[base + t + 256];
  int from = 0;
  for (int stride = 1; stride < 512; stride *= 2) {
    __syncthreads();
    const int k = t & (stride - 1), to = 2 * t - k, root = k * (256 / stride);
    const float c = roots[root], s = roots[256 + root];
    const float x = a[from][t], y = b[from][t];
    const float u = a[from][t + 256] * c - b[from][t + 256] * s,
                v = a[from][t + 256] * s + b[from][t + 256] * c;
    a[1 - from][to] = x + u;
    b[1 - from][to] = y + v;
    a[1 - from][to + stride] = x - u;
    b[1 - from][to + stride] = y - v;
    from = 1 - from;
  }
  __syncthreads();
  out[base + t] = a[from][t];
  out[n + base + t] = b[from][t];
  out[base + t + 256] = a[from][t + 256];
  out[n + base + t + 256] = b[from][t + 256];
}

#else
#include "suite.h"

#include <numbers>

namespace bench {
namespace {

void sort_parts(const int *in, int *out, int n) {
#pragma omp parallel for
  for (int base = 0; base < n; base += 512) {
    std::copy_n(in + base, 512, out + base);
    std::sort(out + base, out + base + 512);
  }
}

void exchange(const int *in, int *out, int n, int distance, int size) {
#pragma omp parallel for
  for (int base = 0; base < n; base += 2 * distance) {
    const bool ascends = (base & size) == 0;
#pragma omp simd
    for (int i = base; i < base + distance; ++i) {
      const int low = std::min(in[i], in[i + distance]), high = std::max(in[i], in[i + distance]);
      out[i] = ascends ? low : high;
      out[i + distance] = ascends ? high : low;
    }
  }
}

// The same butterflies: those with one root lie side by side.
void transform(const float *re, const float *im, const float *roots, float *out, int n) {
#pragma omp parallel for
  for (int base = 0; base < n; base += 512) {
    float a[2][512], b[2][512];
    std::copy_n(re + base, 512, a[0]);
    std::copy_n(im + base, 512, b[0]);
    int from = 0;
    for (int stride = 1; stride < 512; stride *= 2, from = 1 - from)
      for (int block = 0; block < 256; block += stride)
#pragma omp simd
        for (int k = 0; k < stride; ++k) {
          const int t = block + k, to = 2 * block + k, root = k * (256 / stride);
          const float c = roots[root], s = roots[256 + root], x = a[from][t], y = b[from][t];
          const float u = a[from][t + 256] * c - b[from][t + 256] * s,
                      v = a[from][t + 256] * s + b[from][t + 256] * c;
          a[1 - from][to] = x + u;
          b[1 - from][to] = y + v;
          a[1 - from][to + stride] = x - u;
          b[1 - from][to + stride] = y - v;
        }
    std::copy_n(a[from], 512, out + base);
    std::copy_n(b[from], 512, out + n + base);
  }
}

} // namespace

Cases sort_cases(Scale scale) {
  const uint32_t n = scale(1 << 19, 1 << 11);
  const int size = static_cast<int>(n);
  return {
      {.key = "bitonic",
       .groups = {n / 512},
       .group_size = {256},
       .sizes = {n, n},
       .fill = fill_with_bits,
       .native = [=](Buffers b) { sort_parts(as<int>(b[0]), as<int>(b[1]), size); },
       .is_right = is_equal},
      {.key = "bitonic_step",
       .groups = {n / 256},
       .group_size = {256},
       .sizes = {n, n},
       .numbers = {64, 1024},
       .fill = fill_with_bits,
       .native = [=](Buffers b) { exchange(as<int>(b[0]), as<int>(b[1]), size, 64, 1024); },
       .is_right = is_equal},
      {.key = "fft512",
       .groups = {n / 512},
       .group_size = {256},
       .sizes = {n, n, 512, 2 * n},
       .numbers = {size},
       .fill =
           [](Buffers b) {
             fill_randomly(b);
             for (uint32_t k = 0; k < 256; ++k) {
               const double angle = -std::numbers::pi * k / 256;
               b[2][k] = static_cast<float>(std::cos(angle));
               b[2][256 + k] = static_cast<float>(std::sin(angle));
             }
           },
       .native =
           [=](Buffers b) { transform(b[0].data(), b[1].data(), b[2].data(), b[3].data(), size); },
       .is_right = close(1e-5f)},
  };
}

} // namespace bench
#endif
