// What neural networks do with rows: norms, softmax, attention, quantization.
#if defined(__HIP__) || defined(__OPENCL_VERSION__)
#include "kernel.h"

__device__ float block_sum(SHARED float *s, float x) {
  const int t = threadIdx.x;
  __syncthreads();
  s[t] = x;
  __syncthreads();
  for (int d = 128; d > 0; d /= 2) {
    if (t < d)
      s[t] += s[t + d];
    __syncthreads();
  }
  return s[0];
}

__device__ float block_max(SHARED float *s, float x) {
  const int t = threadIdx.x;
  __syncthreads();
  s[t] = x;
  __syncthreads();
  for (int d = 128; d > 0; d /= 2) {
    if (t < d)
      s[t] = fmaxf(s[t], s[t + d]);
    __syncthreads();
  }
  return s[0];
}

KERNEL layernorm(GLOBAL const float *in, GLOBAL const float *gain, GLOBAL const float *bias,
                 GLOBAL float *out, int n) {
  __shared__ float s[256];
  GLOBAL const float *x = in + blockIdx.x * n;
  float sum = 0, squares = 0;
  for (int j = threadIdx.x; j < n; j += blockDim.x)
    sum += x[j];
  const float mean = block_sum(s, sum) / n;
  for (int j = threadIdx.x; j < n; j += blockDim.x)
    squares += (x[j] - mean) * (x[j] - mean);
  const float scale = rsqrtf(block_sum(s, squares) / n + 1e-5f);
  for (int j = threadIdx.x; j < n; j += blockDim.x)
    out[blockIdx.x * n + j] = (x[j] - mean) * scale * gain[j] + bias[j];
}

KERNEL softmax(GLOBAL const float *in, GLOBAL float *out, int n) {
  __shared__ float s[256];
  GLOBAL const float *x = in + blockIdx.x * n;
  GLOBAL float *y = out + blockIdx.x * n;
  float most = -1e30f, sum = 0;
  for (int j = threadIdx.x; j < n; j += blockDim.x)
    most = fmaxf(most, x[j]);
  most = block_max(s, most);
  for (int j = threadIdx.x; j < n; j += blockDim.x) {
    const float power = expf(x[j] - most);
    y[j] = power;
    sum += power;
  }
  const float scale = 1 / block_sum(s, sum);
  for (int j = threadIdx.x; j < n; j += blockDim.x)
    y[j] *= scale;
}

// To bytes, with one factor for each row.
KERNEL quantize_rows(GLOBAL const float *in, GLOBAL char *out, int n) {
  __shared__ float s[256];
  GLOBAL const float *x = in + blockIdx.x * n;
  float most = 0;
  for (int j = threadIdx.x; j < n; j += 256)
    most = fmaxf(most, fabsf(x[j]));
  const float scale = 127 / block_max(s, most);
  for (int j = threadIdx.x; j < n; j += 256)
    out[blockIdx.x * n + j] = (char)(int)(x[j] * scale);
}

// One query for each work-item, 32 keys and values of 32 numbers at a time.
KERNEL attention(GLOBAL const float *queries, GLOBAL const float *keys, GLOBAL const float *values,
                 GLOBAL float *out, int n) {
  __shared__ float k[32][32], v[32][32];
  const int t = threadIdx.x, head = blockIdx.y * n, query = blockIdx.x * 64 + t;
  float q[32], sums[32], most = -1e30f, total = 0;
  for (int d = 0; d < 32; ++d) {
    q[d] = queries[(head + query) * 32 + d];
    sums[d] = 0;
  }
  for (int tile = 0; tile < n; tile += 32) {
    __syncthreads();
    for (int i = t; i < 32 * 32; i += 64) {
      k[i / 32][i % 32] = keys[(head + tile) * 32 + i];
      v[i / 32][i % 32] = values[(head + tile) * 32 + i];
    }
    __syncthreads();
    for (int j = 0; j < 32; ++j) {
      float score = 0;
      for (int d = 0; d < 32; ++d)
        score += q[d] * k[j][d];
      score *= 0.17677669f;
      const float now = fmaxf(most, score);
      const float shrink = expf(most - now), weight = expf(score - now);
      most = now;
      total = total * shrink + weight;
      for (int d = 0; d < 32; ++d)
        sums[d] = sums[d] * shrink + weight * v[j][d];
    }
  }
  for (int d = 0; d < 32; ++d)
    out[(head + query) * 32 + d] = sums[d] / total;
}

#ifndef __OPENCL_VERSION__
__device__ float sum_lanes(float x) {
  for (int d = 16; d > 0; d /= 2)
    x += __shfl_xor(x, d);
  return x;
}

__device__ float most_of_lanes(float x) {
  for (int d = 16; d > 0; d /= 2)
    x = fmaxf(x, __shfl_xor(x, d));
  return x;
}

// Each row by one work-group, which adds by shuffles.
KERNEL rmsnorm(const float *__restrict__ in, const float *__restrict__ gain,
               float *__restrict__ out, int n) {
  __shared__ float parts[8];
  const int t = threadIdx.x;
  const float *x = in + blockIdx.x * n;
  float sum = 0;
  for (int j = t; j < n; j += blockDim.x)
    sum += x[j] * x[j];
  sum = sum_lanes(sum);
  if (t % 32 == 0)
    parts[t / 32] = sum;
  __syncthreads();
  sum = sum_lanes(t % 32 < 8 ? parts[t % 32] : 0);
  const float scale = rsqrtf(sum / n + 1e-5f);
  for (int j = t; j < n; j += blockDim.x)
    out[blockIdx.x * n + j] = x[j] * scale * gain[j];
}

// Each row by one sub-group, which keeps it in registers.
KERNEL softmax_warp(const float *in, float *out) {
  const int row = blockIdx.x * 4 + threadIdx.y, lane = threadIdx.x;
  float x[8], most = -1e30f, sum = 0;
  for (int k = 0; k < 8; ++k) {
    x[k] = in[row * 256 + k * 32 + lane];
    most = fmaxf(most, x[k]);
  }
  most = most_of_lanes(most);
  for (int k = 0; k < 8; ++k) {
    x[k] = expf(x[k] - most);
    sum += x[k];
  }
  sum = sum_lanes(sum);
  for (int k = 0; k < 8; ++k)
    out[row * 256 + k * 32 + lane] = x[k] / sum;
}
#endif

#else
#include "suite.h"

namespace bench {
namespace {

float sum_of(const float *x, int n) {
  float sum = 0;
#pragma omp simd reduction(+ : sum)
  for (int j = 0; j < n; ++j)
    sum += x[j];
  return sum;
}

void layer_norm(const float *in, const float *gain, const float *bias, float *out, int rows,
                int n) {
#pragma omp parallel for
  for (int row = 0; row < rows; ++row) {
    const float *x = in + row * n;
    const float mean = sum_of(x, n) / static_cast<float>(n);
    float squares = 0;
#pragma omp simd reduction(+ : squares)
    for (int j = 0; j < n; ++j)
      squares += (x[j] - mean) * (x[j] - mean);
    const float scale = 1 / std::sqrt(squares / static_cast<float>(n) + 1e-5f);
#pragma omp simd
    for (int j = 0; j < n; ++j)
      out[row * n + j] = (x[j] - mean) * scale * gain[j] + bias[j];
  }
}

void rms_norm(const float *in, const float *gain, float *out, int rows, int n) {
#pragma omp parallel for
  for (int row = 0; row < rows; ++row) {
    const float *x = in + row * n;
    float squares = 0;
#pragma omp simd reduction(+ : squares)
    for (int j = 0; j < n; ++j)
      squares += x[j] * x[j];
    const float scale = 1 / std::sqrt(squares / static_cast<float>(n) + 1e-5f);
#pragma omp simd
    for (int j = 0; j < n; ++j)
      out[row * n + j] = x[j] * scale * gain[j];
  }
}

void softmax(const float *in, float *out, int rows, int n) {
#pragma omp parallel for
  for (int row = 0; row < rows; ++row) {
    const float *x = in + row * n;
    float *y = out + row * n;
    float most = -1e30f;
#pragma omp simd reduction(max : most)
    for (int j = 0; j < n; ++j)
      most = std::max(most, x[j]);
    for (int j = 0; j < n; ++j)
      y[j] = std::exp(x[j] - most);
    const float scale = 1 / sum_of(y, n);
#pragma omp simd
    for (int j = 0; j < n; ++j)
      y[j] *= scale;
  }
}

void quantize(const float *in, signed char *out, int rows, int n) {
#pragma omp parallel for
  for (int row = 0; row < rows; ++row) {
    float most = 0;
#pragma omp simd reduction(max : most)
    for (int j = 0; j < n; ++j)
      most = std::max(most, std::fabs(in[row * n + j]));
    const float scale = 127 / most;
#pragma omp simd
    for (int j = 0; j < n; ++j)
      out[row * n + j] = static_cast<signed char>(static_cast<int>(in[row * n + j] * scale));
  }
}

void attend(const float *queries, const float *keys, const float *values, float *out, int heads,
            int n) {
#pragma omp parallel for collapse(2)
  for (int head = 0; head < heads; ++head)
    for (int query = 0; query < n; ++query) {
      const float *q = queries + (head * n + query) * 32, *k = keys + head * n * 32,
                  *v = values + head * n * 32;
      std::vector<float> weights(static_cast<size_t>(n));
      float most = -1e30f, total = 0, sums[32] = {};
      for (int j = 0; j < n; ++j) {
        float score = 0;
#pragma omp simd reduction(+ : score)
        for (int d = 0; d < 32; ++d)
          score += q[d] * k[j * 32 + d];
        weights[static_cast<size_t>(j)] = score * 0.17677669f;
        most = std::max(most, score * 0.17677669f);
      }
      for (int j = 0; j < n; ++j) {
        const float weight = std::exp(weights[static_cast<size_t>(j)] - most);
        total += weight;
#pragma omp simd
        for (int d = 0; d < 32; ++d)
          sums[d] += weight * v[j * 32 + d];
      }
      for (int d = 0; d < 32; ++d)
        out[(head * n + query) * 32 + d] = sums[d] / total;
    }
}

} // namespace

Cases norm_cases(Scale scale) {
  const uint32_t rows = scale(8192, 8), n = 1000, tokens = scale(512, 64), heads = scale(8, 2);
  const int r = static_cast<int>(rows), c = static_cast<int>(n);
  return {
      {.key = "layernorm",
       .groups = {rows},
       .group_size = {256},
       .sizes = {rows * n, n, n, rows * n},
       .numbers = {c},
       .fill = fill_randomly,
       .native =
           [=](Buffers b) { layer_norm(b[0].data(), b[1].data(), b[2].data(), b[3].data(), r, c); },
       .is_right = close(1e-5f)},
      {.key = "rmsnorm",
       .groups = {rows},
       .group_size = {256},
       .sizes = {rows * n, n, rows * n},
       .numbers = {c},
       .fill = fill_randomly,
       .native = [=](Buffers b) { rms_norm(b[0].data(), b[1].data(), b[2].data(), r, c); },
       .is_right = close(1e-5f)},
      {.key = "softmax",
       .groups = {rows / 4},
       .group_size = {256},
       .sizes = {rows / 4 * n, rows / 4 * n},
       .numbers = {c},
       .fill = fill_randomly,
       .native = [=](Buffers b) { softmax(b[0].data(), b[1].data(), r / 4, c); },
       .is_right = close(1e-5f)},
      {.key = "softmax_warp",
       .groups = {rows / 4},
       .group_size = {32, 4},
       .sizes = {rows * 256, rows * 256},
       .fill = fill_randomly,
       .native = [=](Buffers b) { softmax(b[0].data(), b[1].data(), r, 256); },
       .is_right = close(1e-5f)},
      {.key = "quantize_rows",
       .groups = {rows},
       .group_size = {256},
       .sizes = {rows * n, rows * n / 4},
       .numbers = {c},
       .fill = fill_randomly,
       .native = [=](Buffers b) { quantize(b[0].data(), as<signed char>(b[1]), r, c); },
       .is_right = is_equal},
      {.key = "attention",
       .groups = {tokens / 64, heads},
       .group_size = {64},
       .sizes = {heads * tokens * 32, heads * tokens * 32, heads * tokens * 32,
                 heads * tokens * 32},
       .numbers = {static_cast<int>(tokens)},
       .fill = fill_randomly,
       .native =
           [=](Buffers b) {
             attend(b[0].data(), b[1].data(), b[2].data(), b[3].data(), static_cast<int>(heads),
                    static_cast<int>(tokens));
           },
       .is_right = close(1e-4f)},
  };
}

} // namespace bench
#endif
