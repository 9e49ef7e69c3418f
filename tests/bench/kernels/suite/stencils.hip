// Neighbours on grids. What is shared has a border, a halo, around the work-group's part.
#if defined(__HIP__) || defined(__OPENCL_VERSION__)
#include "kernel.h"

KERNEL jacobi2d(GLOBAL const float *in, GLOBAL float *out, int n) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x <= 0 || y <= 0 || x >= n - 1 || y >= n - 1)
    return;
  out[y * n + x] =
      0.25f * (in[y * n + x - 1] + in[y * n + x + 1] + in[(y - 1) * n + x] + in[(y + 1) * n + x]);
}

// n by n cells within a border of 1.
KERNEL stencil2d_shared(GLOBAL const float *in, GLOBAL float *out, int n) {
  __shared__ float s[10][34];
  const int x = threadIdx.x + 1, y = threadIdx.y + 1, pitch = n + 2;
  const int at = (blockIdx.y * 8 + y) * pitch + blockIdx.x * 32 + x;
  s[y][x] = in[at];
  if (x == 1)
    s[y][0] = in[at - 1];
  if (x == 32)
    s[y][33] = in[at + 1];
  if (y == 1)
    s[0][x] = in[at - pitch];
  if (y == 8)
    s[9][x] = in[at + pitch];
  __syncthreads();
  out[at] = 0.5f * s[y][x] + 0.125f * (s[y][x - 1] + s[y][x + 1] + s[y - 1][x] + s[y + 1][x]);
}

// The same in 3 dimensions, with small work-groups.
KERNEL jacobi3d(GLOBAL const float *in, GLOBAL float *out, int n) {
  __shared__ float s[6][10][10];
  const int x = threadIdx.x, y = threadIdx.y, z = threadIdx.z, row = n + 2, plane = row * row;
  const int at =
      (blockIdx.z * 4 + z + 1) * plane + (blockIdx.y * 8 + y + 1) * row + blockIdx.x * 8 + x + 1;
  s[z + 1][y + 1][x + 1] = in[at];
  if (x == 0)
    s[z + 1][y + 1][0] = in[at - 1];
  if (x == 7)
    s[z + 1][y + 1][9] = in[at + 1];
  if (y == 0)
    s[z + 1][0][x + 1] = in[at - row];
  if (y == 7)
    s[z + 1][9][x + 1] = in[at + row];
  if (z == 0)
    s[0][y + 1][x + 1] = in[at - plane];
  if (z == 3)
    s[5][y + 1][x + 1] = in[at + plane];
  __syncthreads();
  out[at] = (s[z + 1][y + 1][x] + s[z + 1][y + 1][x + 2] + s[z + 1][y][x + 1] +
             s[z + 1][y + 2][x + 1] + s[z][y + 1][x + 1] + s[z + 2][y + 1][x + 1]) *
            (1 / 6.0f);
}

// Plane by plane: of a column each work-item keeps three cells.
KERNEL stencil3d_march(GLOBAL const float *in, GLOBAL float *out, int n) {
  __shared__ float s[10][34];
  const int x = threadIdx.x + 1, y = threadIdx.y + 1, row = n + 2, plane = row * row;
  int at = (blockIdx.y * 8 + y) * row + blockIdx.x * 32 + x;
  float behind = in[at], here = in[at + plane];
  for (int z = 0; z < n; ++z) {
    at += plane;
    const float ahead = in[at + plane];
    __syncthreads();
    s[y][x] = here;
    if (x == 1)
      s[y][0] = in[at - 1];
    if (x == 32)
      s[y][33] = in[at + 1];
    if (y == 1)
      s[0][x] = in[at - row];
    if (y == 8)
      s[9][x] = in[at + row];
    __syncthreads();
    out[at] = 0.4f * here +
              0.1f * (s[y][x - 1] + s[y][x + 1] + s[y - 1][x] + s[y + 1][x] + behind + ahead);
    behind = here;
    here = ahead;
  }
}

// Central differences; the border's are one-sided.
KERNEL gradient3d(GLOBAL const float *in, GLOBAL float *out, int n) {
  const int x = blockIdx.x * 4 + threadIdx.x, y = blockIdx.y * 4 + threadIdx.y,
            z = blockIdx.z * 4 + threadIdx.z;
  const int at = (z * n + y) * n + x, size = n * n * n;
  out[at] = in[x < n - 1 ? at + 1 : at] - in[x > 0 ? at - 1 : at];
  out[size + at] = in[y < n - 1 ? at + n : at] - in[y > 0 ? at - n : at];
  out[2 * size + at] = in[z < n - 1 ? at + n * n : at] - in[z > 0 ? at - n * n : at];
}

// Scores of aligning two sequences of 64 letters (Needleman and Wunsch): a wave goes over the diagonals of their matrix.
KERNEL nw_wave(GLOBAL const int *a, GLOBAL const int *b, GLOBAL int *out) {
  __shared__ int rows[3][65], letters[64];
  const int t = threadIdx.x, base = blockIdx.x * 64, letter = a[base + t];
  letters[t] = b[base + t];
  __syncthreads();
  int last = 0;
  for (int d = 0; d < 127; ++d) {
    const int column = d - t;
    if (column >= 0 && column < 64) {
      const int corner = column == 0 ? -t : t == 0 ? -column : rows[(d + 1) % 3][t];
      const int left = column == 0 ? -(t + 1) : rows[(d + 2) % 3][t + 1];
      const int above = t == 0 ? -(column + 1) : rows[(d + 2) % 3][t];
      last = max(corner + (letter == letters[column] ? 2 : -1), max(left, above) - 1);
      rows[d % 3][t + 1] = last;
    }
    __syncthreads();
  }
  if (t == 63)
    out[blockIdx.x] = last;
}

#else
#include "suite.h"

namespace bench {
namespace {

void relax(const float *in, float *out, int n) {
#pragma omp parallel for
  for (int y = 1; y < n - 1; ++y)
#pragma omp simd
    for (int x = 1; x < n - 1; ++x)
      out[y * n + x] = 0.25f * (in[y * n + x - 1] + in[y * n + x + 1] + in[(y - 1) * n + x] +
                                in[(y + 1) * n + x]);
}

void relax_bordered(const float *in, float *out, int n) {
  const int pitch = n + 2;
#pragma omp parallel for
  for (int y = 1; y <= n; ++y)
#pragma omp simd
    for (int x = 1; x <= n; ++x) {
      const int at = y * pitch + x;
      out[at] =
          0.5f * in[at] + 0.125f * (in[at - 1] + in[at + 1] + in[at - pitch] + in[at + pitch]);
    }
}

void relax_volume(const float *in, float *out, int n, float middle, float others) {
  const int row = n + 2, plane = row * row;
#pragma omp parallel for collapse(2)
  for (int z = 1; z <= n; ++z)
    for (int y = 1; y <= n; ++y)
#pragma omp simd
      for (int x = 1; x <= n; ++x) {
        const int at = z * plane + y * row + x;
        out[at] = middle * in[at] + others * (in[at - 1] + in[at + 1] + in[at - row] +
                                              in[at + row] + in[at - plane] + in[at + plane]);
      }
}

void differentiate(const float *in, float *out, int n) {
  const int size = n * n * n;
#pragma omp parallel for collapse(2)
  for (int z = 0; z < n; ++z)
    for (int y = 0; y < n; ++y) {
      const int row = (z * n + y) * n;
      const int up = y < n - 1 ? n : 0, down = y > 0 ? n : 0, far = z < n - 1 ? n * n : 0,
                near = z > 0 ? n * n : 0;
      out[row] = in[row + 1] - in[row];
      out[row + n - 1] = in[row + n - 1] - in[row + n - 2];
#pragma omp simd
      for (int at = row + 1; at < row + n - 1; ++at)
        out[at] = in[at + 1] - in[at - 1];
#pragma omp simd
      for (int at = row; at < row + n; ++at) {
        out[size + at] = in[at + up] - in[at - down];
        out[2 * size + at] = in[at + far] - in[at - near];
      }
    }
}

void align(const int *a, const int *b, int *out, int pairs) {
#pragma omp parallel for
  for (int pair = 0; pair < pairs; ++pair) {
    int row[65];
    for (int j = 0; j <= 64; ++j)
      row[j] = -j;
    for (int i = 0; i < 64; ++i) {
      int corner = row[0];
      row[0] = -(i + 1);
      for (int j = 1; j <= 64; ++j) {
        const int score = std::max(corner + (a[pair * 64 + i] == b[pair * 64 + j - 1] ? 2 : -1),
                                   std::max(row[j - 1], row[j]) - 1);
        corner = row[j];
        row[j] = score;
      }
    }
    out[pair] = row[64];
  }
}

} // namespace

Cases stencil_cases(Scale scale) {
  const uint32_t n = scale(3072, 64), edge = scale(160, 32), plane = n * n, pairs = scale(1024, 8);
  const uint32_t bordered = (n + 2) * (n + 2), volume = (edge + 2) * (edge + 2) * (edge + 2),
                 cube = edge * edge * edge;
  const int m = static_cast<int>(n), e = static_cast<int>(edge);
  return {
      {.key = "jacobi2d",
       .groups = {n / 32, n / 8},
       .group_size = {32, 8},
       .sizes = {plane, plane},
       .numbers = {m},
       .fill = fill_randomly,
       .native = [=](Buffers b) { relax(b[0].data(), b[1].data(), m); },
       .is_right = close(1e-6f)},
      {.key = "stencil2d_shared",
       .groups = {n / 32, n / 8},
       .group_size = {32, 8},
       .sizes = {bordered, bordered},
       .numbers = {m},
       .fill = fill_randomly,
       .native = [=](Buffers b) { relax_bordered(b[0].data(), b[1].data(), m); },
       .is_right = close(1e-6f)},
      {.key = "jacobi3d",
       .groups = {edge / 8, edge / 8, edge / 4},
       .group_size = {8, 8, 4},
       .sizes = {volume, volume},
       .numbers = {e},
       .fill = fill_randomly,
       .native = [=](Buffers b) { relax_volume(b[0].data(), b[1].data(), e, 0, 1 / 6.0f); },
       .is_right = close(1e-6f)},
      {.key = "stencil3d_march",
       .groups = {edge / 32, edge / 8},
       .group_size = {32, 8},
       .sizes = {volume, volume},
       .numbers = {e},
       .fill = fill_randomly,
       .native = [=](Buffers b) { relax_volume(b[0].data(), b[1].data(), e, 0.4f, 0.1f); },
       .is_right = close(1e-6f)},
      {.key = "gradient3d",
       .groups = {edge / 4, edge / 4, edge / 4},
       .group_size = {4, 4, 4},
       .sizes = {cube, 3 * cube},
       .numbers = {e},
       .fill = fill_randomly,
       .native = [=](Buffers b) { differentiate(b[0].data(), b[1].data(), e); },
       .is_right = is_equal},
      {.key = "nw_wave",
       .groups = {pairs},
       .group_size = {64},
       .sizes = {pairs * 64, pairs * 64, pairs},
       .fill =
           [](Buffers b) {
             fill_below(b[0], 4, 12);
             fill_below(b[1], 4, 13);
           },
       .native =
           [=](Buffers b) {
             align(as<int>(b[0]), as<int>(b[1]), as<int>(b[2]), static_cast<int>(pairs));
           },
       .is_right = is_equal},
  };
}

} // namespace bench
#endif
