// Sums within work-groups and sub-groups.
#if defined(__HIP__) || defined(__OPENCL_VERSION__)
#include "kernel.h"

KERNEL reduce_tree(GLOBAL const float *in, GLOBAL float *out) {
  __shared__ float s[256];
  const int t = threadIdx.x;
  s[t] = in[blockIdx.x * 256 + t];
  __syncthreads();
  for (int d = 128; d > 0; d /= 2) {
    if (t < d)
      s[t] += s[t + d];
    __syncthreads();
  }
  if (t == 0)
    out[blockIdx.x] = s[0];
}

KERNEL reduce_b64(GLOBAL const float *in, GLOBAL float *out) {
  __shared__ float s[64];
  const int t = threadIdx.x;
  s[t] = in[blockIdx.x * 64 + t];
  __syncthreads();
  for (int d = 32; d > 0; d /= 2) {
    if (t < d)
      s[t] += s[t + d];
    __syncthreads();
  }
  if (t == 0)
    out[blockIdx.x] = s[0];
}

KERNEL dot_stride(GLOBAL const float *a, GLOBAL const float *b, GLOBAL float *out, int n) {
  __shared__ float s[256];
  const int t = threadIdx.x;
  float sum = 0;
  for (int i = blockIdx.x * 256 + t; i < n; i += gridDim.x * 256)
    sum += a[i] * b[i];
  s[t] = sum;
  for (int d = 128; d > 0; d /= 2) {
    __syncthreads();
    if (t < d)
      s[t] += s[t + d];
  }
  if (t == 0)
    out[blockIdx.x] = s[0];
}

KERNEL argmax_rows(GLOBAL const float *in, GLOBAL int *out, int columns) {
  __shared__ float best[128];
  __shared__ int where[128];
  const int t = threadIdx.x;
  float most = -1e30f;
  int at = 0;
  for (int j = t; j < columns; j += 128) {
    const float x = in[blockIdx.x * columns + j];
    if (x > most) {
      most = x;
      at = j;
    }
  }
  best[t] = most;
  where[t] = at;
  for (int d = 64; d > 0; d /= 2) {
    __syncthreads();
    if (t < d && (best[t + d] > best[t] || (best[t + d] == best[t] && where[t + d] < where[t]))) {
      best[t] = best[t + d];
      where[t] = where[t + d];
    }
  }
  if (t == 0)
    out[blockIdx.x] = where[0];
}

#ifndef __OPENCL_VERSION__
KERNEL reduce_shfl(const float *in, float *out) {
  __shared__ float s[8];
  const int t = threadIdx.x;
  float x = in[blockIdx.x * 256 + t];
  for (int d = 16; d > 0; d /= 2)
    x += __shfl_down(x, d);
  if (t % 32 == 0)
    s[t / 32] = x;
  __syncthreads();
  if (t < 32) {
    x = t < 8 ? s[t] : 0;
    for (int d = 4; d > 0; d /= 2)
      x += __shfl_down(x, d);
    if (t == 0)
      out[blockIdx.x] = x;
  }
}

// The last stage is left to as many work-items as there are sums.
KERNEL reduce_few(const float *in, float *out) {
  __shared__ float s[8];
  const int t = threadIdx.x;
  float x = in[blockIdx.x * 256 + t];
  for (int d = 16; d > 0; d /= 2)
    x += __shfl_down(x, d);
  if (t % 32 == 0)
    s[t / 32] = x;
  __syncthreads();
  if (t < 8) {
    x = s[t];
    for (int d = 4; d > 0; d /= 2)
      x += __shfl_down(x, d, 8);
    if (t == 0)
      out[blockIdx.x] = x;
  }
}

KERNEL cg_reduce(const float *in, float *out) {
  const auto block = cooperative_groups::this_thread_block();
  const auto tile = cooperative_groups::tiled_partition<32>(block);
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float x = in[i];
  for (int d = tile.size() / 2; d > 0; d /= 2)
    x += tile.shfl_down(x, d);
  if (tile.thread_rank() == 0)
    out[i / 32] = x;
}
#endif

#else
#include "suite.h"

namespace bench {
namespace {

void sum_parts(const float *in, float *out, int parts, int size) {
#pragma omp parallel for
  for (int part = 0; part < parts; ++part) {
    float sum = 0;
#pragma omp simd reduction(+ : sum)
    for (int i = 0; i < size; ++i)
      sum += in[part * size + i];
    out[part] = sum;
  }
}

void dot(const float *a, const float *b, float *out, int n) {
  float sum = 0;
#pragma omp parallel for simd reduction(+ : sum)
  for (int i = 0; i < n; ++i)
    sum += a[i] * b[i];
  out[0] = sum;
}

bool is_dot(Buffers output, Buffers expected) {
  double sum = 0;
  for (const float part : output.back())
    sum += part;
  const double wanted = expected.back()[0];
  return std::fabs(sum - wanted) <= 1e-4 * static_cast<double>(output[0].size());
}

void argmax(const float *in, int *out, int rows, int columns) {
#pragma omp parallel for
  for (int row = 0; row < rows; ++row) {
    const float *x = in + row * columns;
    float most = -1e30f;
#pragma omp simd reduction(max : most)
    for (int j = 0; j < columns; ++j)
      most = std::max(most, x[j]);
    out[row] = static_cast<int>(std::find(x, x + columns, most) - x);
  }
}

} // namespace

Cases reduction_cases(Scale scale) {
  const uint32_t n = scale(1 << 23, 1 << 12), rows = scale(4096, 8), columns = 1000;
  const auto sum_of = [=](int part) {
    return
        [=](Buffers b) { sum_parts(b[0].data(), b[1].data(), static_cast<int>(n) / part, part); };
  };
  return {
      {.key = "reduce_tree",
       .groups = {n / 256},
       .group_size = {256},
       .sizes = {n, n / 256},
       .fill = fill_randomly,
       .native = sum_of(256),
       .is_right = close(1e-5f)},
      {.key = "reduce_b64",
       .groups = {n / 64},
       .group_size = {64},
       .sizes = {n, n / 64},
       .fill = fill_randomly,
       .native = sum_of(64),
       .is_right = close(1e-5f)},
      {.key = "dot_stride",
       .groups = {64},
       .group_size = {256},
       .sizes = {n, n, 64},
       .numbers = {static_cast<int>(n)},
       .fill = fill_randomly,
       .native =
           [=](Buffers b) { dot(b[0].data(), b[1].data(), b[2].data(), static_cast<int>(n)); },
       .is_right = is_dot},
      {.key = "argmax_rows",
       .groups = {rows},
       .group_size = {128},
       .sizes = {rows * columns, rows},
       .numbers = {static_cast<int>(columns)},
       .fill = fill_randomly,
       .native =
           [=](Buffers b) {
             argmax(b[0].data(), as<int>(b[1]), static_cast<int>(rows), static_cast<int>(columns));
           },
       .is_right = is_equal},
      {.key = "reduce_shfl",
       .groups = {n / 256},
       .group_size = {256},
       .sizes = {n, n / 256},
       .fill = fill_randomly,
       .native = sum_of(256),
       .is_right = close(1e-5f)},
      {.key = "reduce_few",
       .groups = {n / 256},
       .group_size = {256},
       .sizes = {n, n / 256},
       .fill = fill_randomly,
       .native = sum_of(256),
       .is_right = close(1e-5f)},
      {.key = "cg_reduce",
       .groups = {n / 256},
       .group_size = {256},
       .sizes = {n, n / 32},
       .fill = fill_randomly,
       .native = sum_of(32),
       .is_right = close(1e-5f)},
  };
}

} // namespace bench
#endif
