// Compiled with -O3 -march=native -fopenmp, and without -ffast-math, which would change results.
#include "native.h"

#include <algorithm>
#include <cmath>
#include <omp.h>

namespace bench::native {
namespace {

/// To the `index`th of `allowed`.
void keep_on_one(const cpu_set_t &allowed, int index) {
  index %= CPU_COUNT(&allowed);
  for (int processor = 0; processor < CPU_SETSIZE; ++processor)
    if (CPU_ISSET(processor, &allowed) && index-- == 0) {
      cpu_set_t one;
      CPU_ZERO(&one);
      CPU_SET(processor, &one);
      sched_setaffinity(0, sizeof one, &one);
      return;
    }
}

} // namespace

OnOwnProcessors::OnOwnProcessors() {
  CPU_ZERO(&before_);
  // A machine with more processors than the set has room for: they stay where they are.
  if (sched_getaffinity(0, sizeof before_, &before_) != 0)
    return;
#pragma omp parallel
  keep_on_one(before_, omp_get_thread_num());
}

// The others do nothing else.
OnOwnProcessors::~OnOwnProcessors() { sched_setaffinity(0, sizeof before_, &before_); }

void add(const float *a, const float *b, float *c, int n) {
#pragma omp parallel for
  for (int i = 0; i < n; ++i)
    c[i] = a[i] + b[i];
}

// The C library's scalar function: the compiler takes the vectorised one only with -ffast-math.
void exp_add(const float *a, const float *b, float *c, int n) {
#pragma omp parallel for
  for (int i = 0; i < n; ++i)
    c[i] = std::exp(a[i]) + b[i];
}

// The loops in the order row, inner, column: the last one is vectorised.
void multiply_matrices(const float *a, const float *b, float *c, int n) {
#pragma omp parallel for
  for (int row = 0; row < n; ++row) {
    float *__restrict out = c + row * n;
    std::fill_n(out, n, 0.0f);
    for (int k = 0; k < n; ++k) {
      const float factor = a[row * n + k];
      for (int column = 0; column < n; ++column)
        out[column] += factor * b[k * n + column];
    }
  }
}

// A plain loop, which keeps the order of the additions within a thread.
float sum(const float *in, int n) {
  float total = 0;
#pragma omp parallel for reduction(+ : total)
  for (int i = 0; i < n; ++i)
    total += in[i];
  return total;
}

// In blocks, like the kernel: row by row the writes would miss the cache.
void transpose(const float *in, float *out, int n) {
  constexpr int block = 16;
#pragma omp parallel for
  for (int row = 0; row < n; row += block)
    for (int column = 0; column < n; column += block)
      for (int x = column; x < column + block; ++x)
        for (int y = row; y < row + block; ++y)
          out[x * n + y] = in[y * n + x];
}

void stencil(const float *in, float *out, int n) {
#pragma omp parallel for
  for (int y = 0; y < n; ++y)
    for (int x = 0; x < n; ++x) {
      const int at = y * n + x;
      if (x == 0 || y == 0 || x == n - 1 || y == n - 1)
        out[at] = in[at];
      else
        out[at] = 0.5f * in[at] + 0.125f * (in[at - 1] + in[at + 1] + in[at - n] + in[at + n]);
    }
}

// One body after the other. The sums keep their order: what is added is computed in vectors.
void nbody(const float *bodies, float *accelerations, int n) {
#pragma omp parallel for
  for (int self = 0; self < n; ++self) {
    const float *me = bodies + 4 * self;
    float ax = 0, ay = 0, az = 0;
    for (int i = 0; i < n; ++i) {
      const float *other = bodies + 4 * i;
      const float dx = other[0] - me[0], dy = other[1] - me[1], dz = other[2] - me[2];
      const float inverse = 1 / std::sqrt(dx * dx + dy * dy + dz * dz + 1e-3f);
      const float pull = other[3] * inverse * inverse * inverse;
      ax += pull * dx;
      ay += pull * dy;
      az += pull * dz;
    }
    float *out = accelerations + 4 * self;
    out[0] = ax;
    out[1] = ay;
    out[2] = az;
    out[3] = 0;
  }
}

// The same atomic additions as the kernel's, not a histogram for each thread, which the kernel has no counterpart of.
void histogram(const uint32_t *in, uint32_t *bins, int n) {
#pragma omp parallel for
  for (int i = 0; i < n; ++i) {
#pragma omp atomic
    ++bins[in[i] & 255];
  }
}

} // namespace bench::native
