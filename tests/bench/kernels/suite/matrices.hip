// Products and transposes of matrices, which lie row by row.
#if defined(__HIP__) || defined(__OPENCL_VERSION__)
#include "kernel.h"

KERNEL gemv_row(GLOBAL const float *a, GLOBAL const float *x, GLOBAL float *y, int rows,
                int columns) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows)
    return;
  float sum = 0;
  for (int j = 0; j < columns; ++j)
    sum += a[row * columns + j] * x[j];
  y[row] = sum;
}

KERNEL gemm_naive(GLOBAL const float *a, GLOBAL const float *b, GLOBAL float *c, int n) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x,
            row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= n || column >= n)
    return;
  float sum = 0;
  for (int k = 0; k < n; ++k)
    sum += a[row * n + k] * b[k * n + column];
  c[row * n + column] = sum;
}

// The second matrix is transposed.
KERNEL gemm_nt(GLOBAL const float *a, GLOBAL const float *b, GLOBAL float *c, int n) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x,
            row = blockIdx.y * blockDim.y + threadIdx.y;
  float sum = 0;
  for (int k = 0; k < n; ++k)
    sum += a[row * n + k] * b[column * n + k];
  c[row * n + column] = sum;
}

// Tiles of 64 by 64, of which each work-item keeps 4 by 4 in registers.
KERNEL gemm_reg(GLOBAL const float *a, GLOBAL const float *b, GLOBAL float *c, int n) {
  __shared__ float tile_a[16][64], tile_b[16][64];
  const int x = threadIdx.x, y = threadIdx.y, t = y * 16 + x;
  const int row = blockIdx.y * 64, column = blockIdx.x * 64;
  float sums[4][4];
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j)
      sums[i][j] = 0;
  for (int k = 0; k < n; k += 16) {
    for (int i = t; i < 64 * 16; i += 256) {
      tile_a[i % 16][i / 16] = a[(row + i / 16) * n + k + i % 16];
      tile_b[i / 64][i % 64] = b[(k + i / 64) * n + column + i % 64];
    }
    __syncthreads();
    for (int inner = 0; inner < 16; ++inner) {
      float left[4], right[4];
      for (int i = 0; i < 4; ++i) {
        left[i] = tile_a[inner][y * 4 + i];
        right[i] = tile_b[inner][x * 4 + i];
      }
      for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 4; ++j)
          sums[i][j] += left[i] * right[j];
    }
    __syncthreads();
  }
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j)
      c[(row + y * 4 + i) * n + column + x * 4 + j] = sums[i][j];
}

// Many of 16 by 16.
KERNEL gemm_batched(GLOBAL const float *a, GLOBAL const float *b, GLOBAL float *c) {
  __shared__ float s[16][16], r[16][16];
  const int x = threadIdx.x, y = threadIdx.y, at = blockIdx.x * 256 + y * 16 + x;
  s[y][x] = a[at];
  r[y][x] = b[at];
  __syncthreads();
  float sum = 0;
  for (int k = 0; k < 16; ++k)
    sum += s[y][k] * r[k][x];
  c[at] = sum;
}

KERNEL transpose_naive(GLOBAL const float *in, GLOBAL float *out, int n) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  out[x * n + y] = in[y * n + x];
}

KERNEL transpose_32x8(GLOBAL const float *in, GLOBAL float *out, int n) {
  __shared__ float tile[32][33];
  const int x = threadIdx.x, y = threadIdx.y, column = blockIdx.x * 32, row = blockIdx.y * 32;
  for (int j = 0; j < 32; j += 8)
    tile[y + j][x] = in[(row + y + j) * n + column + x];
  __syncthreads();
  for (int j = 0; j < 32; j += 8)
    out[(column + y + j) * n + row + x] = tile[x][y + j];
}

#ifndef __OPENCL_VERSION__
KERNEL gemv_warp(const float *a, const float *x, float *y, int columns) {
  const int lane = threadIdx.x % 32, row = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  float sum = 0;
  for (int j = lane; j < columns; j += 32)
    sum += a[row * columns + j] * x[j];
  for (int d = 16; d > 0; d /= 2)
    sum += __shfl_down(sum, d);
  if (lane == 0)
    y[row] = sum;
}

KERNEL gemm_half(const __half *a, const __half *b, __half *c, int n) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x,
            row = blockIdx.y * blockDim.y + threadIdx.y;
  float sum = 0;
  for (int k = 0; k < n; ++k)
    sum += __half2float(a[row * n + k]) * __half2float(b[k * n + column]);
  c[row * n + column] = __float2half(sum);
}
#endif

#else
#include "suite.h"

namespace bench {
namespace {

void multiply_vector(const float *a, const float *x, float *y, int rows, int columns) {
#pragma omp parallel for
  for (int row = 0; row < rows; ++row) {
    float sum = 0;
#pragma omp simd reduction(+ : sum)
    for (int j = 0; j < columns; ++j)
      sum += a[row * columns + j] * x[j];
    y[row] = sum;
  }
}

// The loops in the order row, inner, column: the last one is vectorised.
void multiply(const float *a, const float *b, float *c, int n) {
#pragma omp parallel for
  for (int row = 0; row < n; ++row) {
    float *__restrict sums = c + row * n;
    std::fill_n(sums, n, 0.0f);
    for (int k = 0; k < n; ++k) {
      const float factor = a[row * n + k];
#pragma omp simd
      for (int column = 0; column < n; ++column)
        sums[column] += factor * b[k * n + column];
    }
  }
}

// In single precision, to which the matrices are converted once: the compiler does not vectorise conversions.
void multiply_halves(const _Float16 *a, const _Float16 *b, _Float16 *c, int n) {
  const int size = n * n;
  std::vector<float> left(static_cast<size_t>(size)), right(left), product(left);
  float *l = left.data(), *r = right.data(), *p = product.data();
#pragma omp parallel for
  for (int i = 0; i < size; ++i) {
    l[i] = static_cast<float>(a[i]);
    r[i] = static_cast<float>(b[i]);
  }
  multiply(l, r, p, n);
#pragma omp parallel for
  for (int i = 0; i < size; ++i)
    c[i] = static_cast<_Float16>(p[i]);
}

void multiply_transposed(const float *a, const float *b, float *c, int n) {
#pragma omp parallel for
  for (int row = 0; row < n; ++row)
    for (int column = 0; column < n; ++column) {
      float sum = 0;
#pragma omp simd reduction(+ : sum)
      for (int k = 0; k < n; ++k)
        sum += a[row * n + k] * b[column * n + k];
      c[row * n + column] = sum;
    }
}

void multiply_batch(const float *a, const float *b, float *c, int batch) {
#pragma omp parallel for
  for (int i = 0; i < batch; ++i)
    for (int row = 0; row < 16; ++row) {
      float sums[16] = {};
      for (int k = 0; k < 16; ++k)
#pragma omp simd
        for (int column = 0; column < 16; ++column)
          sums[column] += a[i * 256 + row * 16 + k] * b[i * 256 + k * 16 + column];
      std::copy_n(sums, 16, c + i * 256 + row * 16);
    }
}

void transpose(const float *in, float *out, int n) {
  constexpr int block = 16;
#pragma omp parallel for
  for (int row = 0; row < n; row += block)
    for (int column = 0; column < n; column += block)
      for (int x = column; x < column + block; ++x)
        for (int y = row; y < row + block; ++y)
          out[x * n + y] = in[y * n + x];
}

void fill_with_halves(Buffers buffers) {
  fill_randomly(buffers);
  for (const Buffer &buffer : buffers.first(2)) {
    const std::vector<float> values(buffer.begin(), buffer.end());
    for (size_t i = 0; i < 2 * values.size(); ++i)
      as<_Float16>(buffer)[i] = static_cast<_Float16>(values[i / 2] * (i % 2 ? 1.0f : -0.5f));
  }
}

bool halves_are_close(Buffers output, Buffers expected) {
  const _Float16 *got = as<_Float16>(output.back()), *wanted = as<_Float16>(expected.back());
  for (size_t i = 0; i < 2 * output.back().size(); ++i)
    if (!(std::fabs(static_cast<float>(got[i]) - static_cast<float>(wanted[i])) <= 0.06f))
      return false;
  return true;
}

} // namespace

Cases matrix_cases(Scale scale) {
  const uint32_t rows = scale(8192, 64), columns = 1024, n = scale(512, 64), edge = scale(2048, 64),
                 batch = scale(8192, 16);
  const int r = static_cast<int>(rows), c = static_cast<int>(columns), m = static_cast<int>(n),
            e = static_cast<int>(edge);
  const auto vector = [=](Buffers b) {
    multiply_vector(b[0].data(), b[1].data(), b[2].data(), r, c);
  };
  const auto product = [=](Buffers b) { multiply(b[0].data(), b[1].data(), b[2].data(), m); };
  const auto transposed = [=](Buffers b) { transpose(b[0].data(), b[1].data(), e); };
  const std::vector<size_t> squares = {n * n, n * n, n * n};
  return {
      {.key = "gemv_row",
       .groups = {rows / 64},
       .group_size = {64},
       .sizes = {rows * columns, columns, rows},
       .numbers = {r, c},
       .fill = fill_randomly,
       .native = vector,
       .is_right = close(1e-5f)},
      {.key = "gemv_warp",
       .groups = {rows / 8},
       .group_size = {256},
       .sizes = {rows * columns, columns, rows},
       .numbers = {c},
       .fill = fill_randomly,
       .native = vector,
       .is_right = close(1e-5f)},
      {.key = "gemm_naive",
       .groups = {n / 16, n / 16},
       .group_size = {16, 16},
       .sizes = squares,
       .numbers = {m},
       .fill = fill_randomly,
       .native = product,
       .is_right = close(1e-5f)},
      {.key = "gemm_nt",
       .groups = {n / 16, n / 16},
       .group_size = {16, 16},
       .sizes = squares,
       .numbers = {m},
       .fill = fill_randomly,
       .native = [=](Buffers b) { multiply_transposed(b[0].data(), b[1].data(), b[2].data(), m); },
       .is_right = close(1e-5f)},
      {.key = "gemm_reg",
       .groups = {n / 64, n / 64},
       .group_size = {16, 16},
       .sizes = squares,
       .numbers = {m},
       .fill = fill_randomly,
       .native = product,
       .is_right = close(1e-5f)},
      {.key = "gemm_half",
       .groups = {n / 32, n / 8},
       .group_size = {32, 8},
       .sizes = {n * n / 2, n * n / 2, n * n / 2},
       .numbers = {m},
       .fill = fill_with_halves,
       .native =
           [=](Buffers b) {
             multiply_halves(as<_Float16>(b[0]), as<_Float16>(b[1]), as<_Float16>(b[2]), m);
           },
       .is_right = halves_are_close},
      {.key = "gemm_batched",
       .groups = {batch},
       .group_size = {16, 16},
       .sizes = {batch * 256, batch * 256, batch * 256},
       .fill = fill_randomly,
       .native =
           [=](Buffers b) {
             multiply_batch(b[0].data(), b[1].data(), b[2].data(), static_cast<int>(batch));
           },
       .is_right = close(1e-5f)},
      {.key = "transpose_naive",
       .groups = {edge / 16, edge / 16},
       .group_size = {16, 16},
       .sizes = {edge * edge, edge * edge},
       .numbers = {e},
       .fill = fill_randomly,
       .native = transposed,
       .is_right = is_equal},
      {.key = "transpose_32x8",
       .groups = {edge / 32, edge / 32},
       .group_size = {32, 8},
       .sizes = {edge * edge, edge * edge},
       .numbers = {e},
       .fill = fill_randomly,
       .native = transposed,
       .is_right = is_equal},
  };
}

} // namespace bench
#endif
