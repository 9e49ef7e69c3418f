// Little work for each element: what goes through memory, in structures, half precision and integers.
#if defined(__HIP__) || defined(__OPENCL_VERSION__)
#include "kernel.h"

KERNEL saxpy_b32(GLOBAL const float *x, GLOBAL float *y, float a, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = a * x[i] + 1;
}

struct Particle {
  float x, y, z, mass;
};

KERNEL aos(GLOBAL const struct Particle *in, GLOBAL struct Particle *out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  struct Particle p = in[i];
  p.x += 0.5f * p.mass;
  p.y += 0.25f * p.mass;
  p.z += 0.125f * p.mass;
  out[i] = p;
}

KERNEL soa(GLOBAL const float *in, GLOBAL float *out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  const float mass = in[3 * n + i];
  out[i] = in[i] + 0.5f * mass;
  out[n + i] = in[n + i] + 0.25f * mass;
  out[2 * n + i] = in[2 * n + i] + 0.125f * mass;
  out[3 * n + i] = mass;
}

KERNEL polynomial(GLOBAL const double *in, GLOBAL double *out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const double x = in[i];
  double sum = 1;
  for (int k = 0; k < 64; ++k)
    sum = sum * x + 0.5;
  out[i] = sum;
}

KERNEL i64mod(GLOBAL const uint64 *a, GLOBAL uint64 *out, int64 n, int64 modulus) {
  const int64 i = (int64)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = a[i] % (uint64)modulus;
}

KERNEL i64hash(GLOBAL const uint64 *in, GLOBAL uint64 *out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  uint64 h = in[i];
  for (int k = 0; k < 8; ++k) {
    h ^= h >> 33;
    h *= 0xff51afd7ed558ccdull;
    h ^= h >> 29;
    h += k;
  }
  out[i] = h;
}

// Each work-item counts 64 bytes' low halves in an array of its own.
KERNEL private_hist(GLOBAL const byte *in, GLOBAL int *out, int items) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  int bins[16];
  for (int k = 0; k < 16; ++k)
    bins[k] = 0;
  for (int k = 0; k < 64; ++k)
    ++bins[in[k * items + i] & 15];
  for (int k = 0; k < 16; ++k)
    out[k * items + i] = bins[k];
}

// The digits of 4096 keys for each work-group.
KERNEL radix_hist(GLOBAL const unsigned int *in, GLOBAL int *out) {
  __shared__ int bins[256];
  const int t = threadIdx.x;
  bins[t] = 0;
  __syncthreads();
  for (int i = t; i < 4096; i += 256)
    atomicAdd(&bins[in[blockIdx.x * 4096 + i] >> 8 & 255], 1);
  __syncthreads();
  out[blockIdx.x * 256 + t] = bins[t];
}

// A delay line: a ring of a power of two of elements, which is written from somewhere on, and read from somewhere else on.
KERNEL ring(GLOBAL const float *in, GLOBAL const float *delayed, GLOBAL float *out, int mask,
            int head, int tail) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[(i + head) & mask] = in[i] + 0.5f * delayed[(i + tail) & mask];
}

#ifndef __OPENCL_VERSION__
KERNEL axpy_half(const __half2 *x, const __half2 *y, __half2 *out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = __hfma2(x[i], __float2half2_rn(0.5f), y[i]);
}
#endif

#else
#include "suite.h"

namespace bench {
namespace {

struct Particle {
  float x, y, z, mass;
};

void scale_and_add(const float *x, float *y, float a, int n) {
#pragma omp parallel for simd
  for (int i = 0; i < n; ++i)
    y[i] = a * x[i] + 1;
}

void move(const Particle *in, Particle *out, int n) {
#pragma omp parallel for simd
  for (int i = 0; i < n; ++i) {
    const float mass = in[i].mass;
    out[i].x = in[i].x + 0.5f * mass;
    out[i].y = in[i].y + 0.25f * mass;
    out[i].z = in[i].z + 0.125f * mass;
    out[i].mass = mass;
  }
}

void move_arrays(const float *in, float *out, int n) {
#pragma omp parallel for simd
  for (int i = 0; i < n; ++i) {
    const float mass = in[3 * n + i];
    out[i] = in[i] + 0.5f * mass;
    out[n + i] = in[n + i] + 0.25f * mass;
    out[2 * n + i] = in[2 * n + i] + 0.125f * mass;
    out[3 * n + i] = mass;
  }
}

void evaluate(const double *in, double *out, int n) {
#pragma omp parallel for simd
  for (int i = 0; i < n; ++i) {
    double sum = 1;
    for (int k = 0; k < 64; ++k)
      sum = sum * in[i] + 0.5;
    out[i] = sum;
  }
}

void reduce_modulo(const uint64_t *a, uint64_t *out, int n, uint64_t modulus) {
#pragma omp parallel for simd
  for (int i = 0; i < n; ++i)
    out[i] = a[i] % modulus;
}

void hash(const uint64_t *in, uint64_t *out, int n) {
#pragma omp parallel for simd
  for (int i = 0; i < n; ++i) {
    uint64_t h = in[i];
    for (uint64_t k = 0; k < 8; ++k) {
      h ^= h >> 33;
      h *= 0xff51afd7ed558ccdull;
      h ^= h >> 29;
      h += k;
    }
    out[i] = h;
  }
}

void count_each(const uint8_t *in, int *out, int items) {
#pragma omp parallel for
  for (int i = 0; i < items; ++i) {
    int bins[16] = {};
    for (int k = 0; k < 64; ++k)
      ++bins[in[k * items + i] & 15];
    for (int k = 0; k < 16; ++k)
      out[k * items + i] = bins[k];
  }
}

void count_digits(const uint32_t *in, int *out, int parts) {
#pragma omp parallel for
  for (int part = 0; part < parts; ++part) {
    int bins[256] = {};
    for (int i = 0; i < 4096; ++i)
      ++bins[in[part * 4096 + i] >> 8 & 255];
    std::copy_n(bins, 256, out + part * 256);
  }
}

// Each part without the ring's end.
void delay(const float *in, const float *delayed, float *out, int n, int head, int tail) {
  for (int begin = 0; begin < n;) {
    const int to = (begin + head) % n, from = (begin + tail) % n,
              count = std::min({n - begin, n - to, n - from});
#pragma omp parallel for simd
    for (int i = 0; i < count; ++i)
      out[to + i] = in[begin + i] + 0.5f * delayed[from + i];
    begin += count;
  }
}

void scale_and_add_halves(const _Float16 *x, const _Float16 *y, _Float16 *out, int n) {
#pragma omp parallel for simd
  for (int i = 0; i < n; ++i)
    out[i] = static_cast<_Float16>(static_cast<float>(x[i]) * 0.5f + static_cast<float>(y[i]));
}

void fill_with_halves(Buffers buffers) {
  for (const Buffer &buffer : buffers.first(2))
    for (size_t i = 0; i < 2 * buffer.size(); ++i)
      as<_Float16>(buffer)[i] = static_cast<_Float16>(static_cast<float>(i * 7 % 1000) * 0.01f - 4);
}

void fill_with_doubles(Buffers buffers) {
  const size_t n = buffers[0].size() / 2;
  for (size_t i = 0; i < n; ++i)
    as<double>(buffers[0])[i] = static_cast<double>(i) / static_cast<double>(n);
}

bool doubles_are_close(Buffers output, Buffers expected) {
  const double *got = as<double>(output.back()), *wanted = as<double>(expected.back());
  for (size_t i = 0; i < output.back().size() / 2; ++i)
    if (!(std::fabs(got[i] - wanted[i]) <= 1e-12 * std::fabs(wanted[i])))
      return false;
  return true;
}

} // namespace

Cases stream_cases(Scale scale) {
  const uint32_t n = scale(1 << 23, 1 << 12), items = scale(1 << 17, 1 << 10);
  const int m = static_cast<int>(n), i = static_cast<int>(items);
  return {
      {.key = "saxpy_b32",
       .groups = {n / 32},
       .group_size = {32},
       .sizes = {n, n},
       .numbers = {2.5f, m},
       .fill = fill_randomly,
       .native = [=](Buffers b) { scale_and_add(b[0].data(), b[1].data(), 2.5f, m); },
       .is_right = close(1e-6f)},
      {.key = "aos",
       .groups = {n / 4 / 256},
       .group_size = {256},
       .sizes = {n, n},
       .numbers = {m / 4},
       .fill = fill_randomly,
       .native = [=](Buffers b) { move(as<Particle>(b[0]), as<Particle>(b[1]), m / 4); },
       .is_right = close(1e-6f)},
      {.key = "soa",
       .groups = {n / 4 / 256},
       .group_size = {256},
       .sizes = {n, n},
       .numbers = {m / 4},
       .fill = fill_randomly,
       .native = [=](Buffers b) { move_arrays(b[0].data(), b[1].data(), m / 4); },
       .is_right = close(1e-6f)},
      {.key = "polynomial",
       .groups = {n / 8 / 256},
       .group_size = {256},
       .sizes = {n / 4, n / 4},
       .fill = fill_with_doubles,
       .native = [=](Buffers b) { evaluate(as<double>(b[0]), as<double>(b[1]), m / 8); },
       .is_right = doubles_are_close},
      {.key = "i64mod",
       .groups = {n / 4 / 256},
       .group_size = {256},
       .sizes = {n / 2, n / 2},
       .numbers = {int64_t{m / 4}, int64_t{1000003}},
       .fill = fill_with_bits,
       .native =
           [=](Buffers b) {
             reduce_modulo(as<uint64_t>(b[0]), as<uint64_t>(b[1]), m / 4, 1000003);
           },
       .is_right = is_equal},
      {.key = "i64hash",
       .groups = {n / 4 / 256},
       .group_size = {256},
       .sizes = {n / 2, n / 2},
       .fill = fill_with_bits,
       .native = [=](Buffers b) { hash(as<uint64_t>(b[0]), as<uint64_t>(b[1]), m / 4); },
       .is_right = is_equal},
      {.key = "private_hist",
       .groups = {items / 256},
       .group_size = {256},
       .sizes = {items * 16, items * 16},
       .numbers = {i},
       .fill = fill_with_bits,
       .native = [=](Buffers b) { count_each(as<uint8_t>(b[0]), as<int>(b[1]), i); },
       .is_right = is_equal},
      {.key = "radix_hist",
       .groups = {n / 4096},
       .group_size = {256},
       .sizes = {n, n / 16},
       .fill = fill_with_bits,
       .native = [=](Buffers b) { count_digits(as<uint32_t>(b[0]), as<int>(b[1]), m / 4096); },
       .is_right = is_equal},
      {.key = "ring",
       .groups = {n / 4 / 256},
       .group_size = {256},
       .sizes = {n / 4, n / 4, n / 4},
       .numbers = {m / 4 - 1, 1000, 77},
       .fill = fill_randomly,
       .native =
           [=](Buffers b) { delay(b[0].data(), b[1].data(), b[2].data(), m / 4, 1000, 77); },
       .is_right = close(1e-6f)},
      {.key = "axpy_half",
       .groups = {n / 256},
       .group_size = {256},
       .sizes = {n, n, n},
       .numbers = {m},
       .fill = fill_with_halves,
       .native =
           [=](Buffers b) {
             scale_and_add_halves(as<_Float16>(b[0]), as<_Float16>(b[1]), as<_Float16>(b[2]),
                                  2 * m);
           },
       .is_right = is_equal},
  };
}

} // namespace bench
#endif
