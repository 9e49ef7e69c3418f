// Scans, and what places elements by them, each within a work-group.
#if defined(__HIP__) || defined(__OPENCL_VERSION__)
#include "kernel.h"

KERNEL scan_hs(GLOBAL const float *in, GLOBAL float *out) {
  __shared__ float s[256];
  const int t = threadIdx.x, i = blockIdx.x * 256 + t;
  s[t] = in[i];
  __syncthreads();
  for (int d = 1; d < 256; d *= 2) {
    const float before = t >= d ? s[t - d] : 0;
    __syncthreads();
    s[t] += before;
    __syncthreads();
  }
  out[i] = s[t];
}

KERNEL scan_blelloch(GLOBAL const float *in, GLOBAL float *out) {
  __shared__ float s[512];
  const int t = threadIdx.x, base = blockIdx.x * 512;
  s[2 * t] = in[base + 2 * t];
  s[2 * t + 1] = in[base + 2 * t + 1];
  int offset = 1;
  for (int d = 256; d > 0; d /= 2) {
    __syncthreads();
    if (t < d)
      s[offset * (2 * t + 2) - 1] += s[offset * (2 * t + 1) - 1];
    offset *= 2;
  }
  if (t == 0)
    s[511] = 0;
  for (int d = 1; d < 512; d *= 2) {
    offset /= 2;
    __syncthreads();
    if (t < d) {
      const int a = offset * (2 * t + 1) - 1, b = offset * (2 * t + 2) - 1;
      const float left = s[a];
      s[a] = s[b];
      s[b] += left;
    }
  }
  __syncthreads();
  out[base + 2 * t] = s[2 * t];
  out[base + 2 * t + 1] = s[2 * t + 1];
}

KERNEL radix_split(GLOBAL const int *in, GLOBAL int *out, int bit) {
  __shared__ int s[256];
  const int t = threadIdx.x, base = blockIdx.x * 256;
  const int key = in[base + t], is_one = key >> bit & 1;
  s[t] = 1 - is_one;
  __syncthreads();
  for (int d = 1; d < 256; d *= 2) {
    const int before = t >= d ? s[t - d] : 0;
    __syncthreads();
    s[t] += before;
    __syncthreads();
  }
  out[base + (is_one ? s[255] + t - s[t] : s[t] - 1)] = key;
}

#ifndef __OPENCL_VERSION__
__device__ float scan_lanes(float x) {
  for (int d = 1; d < 32; d *= 2) {
    const float before = __shfl_up(x, d);
    if (threadIdx.x % 32 >= d)
      x += before;
  }
  return x;
}

KERNEL scan_warp(const float *in, float *out) {
  __shared__ float totals[8];
  const int t = threadIdx.x, i = blockIdx.x * 256 + t;
  float x = scan_lanes(in[i]);
  if (t % 32 == 31)
    totals[t / 32] = x;
  __syncthreads();
  if (t < 32) {
    const float sum = scan_lanes(t < 8 ? totals[t] : 0);
    if (t < 8)
      totals[t] = sum;
  }
  __syncthreads();
  if (t >= 32)
    x += totals[t / 32 - 1];
  out[i] = x;
}

KERNEL compact_ballot(const float *in, float *out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, lane = i % 32;
  const float x = in[i];
  const bool is_kept = x > 0;
  const uint64 kept = __ballot(is_kept);
  if (is_kept)
    out[i - lane + __popcll(kept & ((1ull << lane) - 1))] = x;
  if (lane == 0)
    out[gridDim.x * blockDim.x + i / 32] = __popcll(kept);
}
#endif

#else
#include "suite.h"

namespace bench {
namespace {

// The kernel's algorithm: lanes side by side add what is d before them.
void scan_by_doubling(const float *in, float *out, int n) {
#pragma omp parallel for
  for (int base = 0; base < n; base += 256) {
    float s[256], next[256];
    std::copy_n(in + base, 256, s);
    for (int d = 1; d < 256; d *= 2) {
      std::copy_n(s, d, next);
#pragma omp simd
      for (int t = d; t < 256; ++t)
        next[t] = s[t] + s[t - d];
      std::copy_n(next, 256, s);
    }
    std::copy_n(s, 256, out + base);
  }
}

// A running sum, which no processor needs a tree for.
void scan_in_order(const float *in, float *out, int n, int part, bool is_inclusive) {
#pragma omp parallel for
  for (int base = 0; base < n; base += part) {
    float sum = 0;
    for (int i = base; i < base + part; ++i) {
      const float before = sum;
      sum += in[i];
      out[i] = is_inclusive ? sum : before;
    }
  }
}

void split(const int *in, int *out, int n, int bit) {
#pragma omp parallel for
  for (int base = 0; base < n; base += 256) {
    int zeros = 0;
    for (int t = 0; t < 256; ++t)
      zeros += 1 - (in[base + t] >> bit & 1);
    int next[2] = {base, base + zeros};
    for (int t = 0; t < 256; ++t)
      out[next[in[base + t] >> bit & 1]++] = in[base + t];
  }
}

void compact(const float *in, float *out, int n) {
#pragma omp parallel for
  for (int base = 0; base < n; base += 32) {
    int count = 0;
    for (int i = base; i < base + 32; ++i)
      if (in[i] > 0)
        out[base + count++] = in[i];
    out[n + base / 32] = static_cast<float>(count);
  }
}

} // namespace

Cases scan_cases(Scale scale) {
  const uint32_t n = scale(1 << 22, 1 << 12);
  const int size = static_cast<int>(n);
  return {
      {.key = "scan_hs",
       .groups = {n / 256},
       .group_size = {256},
       .sizes = {n, n},
       .fill = fill_randomly,
       .native = [=](Buffers b) { scan_by_doubling(b[0].data(), b[1].data(), size); },
       .is_right = close(1e-5f)},
      {.key = "scan_blelloch",
       .groups = {n / 512},
       .group_size = {256},
       .sizes = {n, n},
       .fill = fill_randomly,
       .native = [=](Buffers b) { scan_in_order(b[0].data(), b[1].data(), size, 512, false); },
       .is_right = close(1e-5f)},
      {.key = "scan_warp",
       .groups = {n / 256},
       .group_size = {256},
       .sizes = {n, n},
       .fill = fill_randomly,
       .native = [=](Buffers b) { scan_in_order(b[0].data(), b[1].data(), size, 256, true); },
       .is_right = close(1e-5f)},
      {.key = "radix_split",
       .groups = {n / 256},
       .group_size = {256},
       .sizes = {n, n},
       .numbers = {3},
       .fill = fill_with_bits,
       .native = [=](Buffers b) { split(as<int>(b[0]), as<int>(b[1]), size, 3); },
       .is_right = is_equal},
      {.key = "compact_ballot",
       .groups = {n / 256},
       .group_size = {256},
       .sizes = {n, n + n / 32},
       .fill = fill_randomly,
       .native = [=](Buffers b) { compact(b[0].data(), b[1].data(), size); },
       .is_right = is_equal},
  };
}

} // namespace bench
#endif
