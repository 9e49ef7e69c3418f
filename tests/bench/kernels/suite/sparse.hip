// Indirect accesses: sparse matrices, graphs, tables.
#if defined(__HIP__) || defined(__OPENCL_VERSION__)
#include "kernel.h"

KERNEL spmv_scalar(GLOBAL const int *starts, GLOBAL const int *columns, GLOBAL const float *values,
                   GLOBAL const float *x, GLOBAL float *y, int rows) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows)
    return;
  float sum = 0;
  for (int i = starts[row]; i < starts[row + 1]; ++i)
    sum += values[i] * x[columns[i]];
  y[row] = sum;
}

// One level: who has a neighbour that was reached before.
KERNEL bfs_level(GLOBAL const int *starts, GLOBAL const int *neighbours, GLOBAL const int *levels,
                 GLOBAL int *next, int nodes, int level) {
  const int node = blockIdx.x * blockDim.x + threadIdx.x;
  if (node >= nodes || levels[node] != level)
    return;
  for (int i = starts[node]; i < starts[node + 1]; ++i)
    if (levels[neighbours[i]] < 0)
      next[neighbours[i]] = level + 1;
}

KERNEL embed(GLOBAL const int *tokens, GLOBAL const float *table, GLOBAL float *out) {
  const int t = threadIdx.x, token = tokens[blockIdx.x];
  out[blockIdx.x * 256 + t] = table[token * 256 + t];
}

KERNEL gather(GLOBAL const int *indices, GLOBAL const float *values, GLOBAL float *out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = values[indices[i]] * 2;
}

KERNEL binsearch(GLOBAL const float *sorted, GLOBAL const float *wanted, GLOBAL int *out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float x = wanted[i];
  int low = 0, high = n;
  while (low < high) {
    const int middle = (low + high) / 2;
    if (sorted[middle] < x)
      low = middle + 1;
    else
      high = middle;
  }
  out[i] = low;
}

KERNEL hash_insert(GLOBAL const int *keys, GLOBAL int *table, int n, int mask) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  const int key = keys[i];
  unsigned int slot = (unsigned int)key * 2654435769u >> 7 & mask;
  for (;;) {
    const int found = atomicCAS(&table[slot], 0, key);
    if (found == 0 || found == key)
      return;
    slot = (slot + 1) & mask;
  }
}

#ifndef __OPENCL_VERSION__
KERNEL spmv_vector(const int *starts, const int *columns, const float *values, const float *x,
                   float *y) {
  const int lane = threadIdx.x % 32, row = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  float sum = 0;
  for (int i = starts[row] + lane; i < starts[row + 1]; i += 32)
    sum += values[i] * x[columns[i]];
  for (int d = 16; d > 0; d /= 2)
    sum += __shfl_down(sum, d);
  if (lane == 0)
    y[row] = sum;
}
#endif

#else
#include "suite.h"

namespace bench {
namespace {

void multiply(const int *starts, const int *columns, const float *values, const float *x, float *y,
              int rows) {
#pragma omp parallel for
  for (int row = 0; row < rows; ++row) {
    float sum = 0;
    for (int i = starts[row]; i < starts[row + 1]; ++i)
      sum += values[i] * x[columns[i]];
    y[row] = sum;
  }
}

void search_level(const int *starts, const int *neighbours, const int *levels, int *next, int nodes,
                  int level) {
#pragma omp parallel for
  for (int node = 0; node < nodes; ++node)
    if (levels[node] == level)
      for (int i = starts[node]; i < starts[node + 1]; ++i)
        if (levels[neighbours[i]] < 0)
          next[neighbours[i]] = level + 1;
}

void gather_rows(const int *tokens, const float *table, float *out, int count) {
#pragma omp parallel for
  for (int i = 0; i < count; ++i)
    std::copy_n(table + tokens[i] * 256, 256, out + i * 256);
}

void gather(const int *indices, const float *values, float *out, int n) {
#pragma omp parallel for simd
  for (int i = 0; i < n; ++i)
    out[i] = values[indices[i]] * 2;
}

void search(const float *sorted, const float *wanted, int *out, int n, int count) {
#pragma omp parallel for
  for (int i = 0; i < count; ++i)
    out[i] = static_cast<int>(std::lower_bound(sorted, sorted + n, wanted[i]) - sorted);
}

void insert(const int *keys, int *table, int n, int mask) {
#pragma omp parallel for
  for (int i = 0; i < n; ++i) {
    uint32_t slot =
        (static_cast<uint32_t>(keys[i]) * 2654435769u) >> 7 & static_cast<uint32_t>(mask);
    for (;;) {
      int found = 0;
      if (__atomic_compare_exchange_n(&table[slot], &found, keys[i], false, __ATOMIC_RELAXED,
                                      __ATOMIC_RELAXED) ||
          found == keys[i])
        break;
      slot = (slot + 1) & static_cast<uint32_t>(mask);
    }
  }
}

/// In which order keys come decides where they lie.
bool has_the_same(Buffers output, Buffers expected) {
  std::vector<float> got(output.back().begin(), output.back().end()),
      wanted(expected.back().begin(), expected.back().end());
  const auto bits = [](float value) {
    uint32_t word = 0;
    std::memcpy(&word, &value, sizeof word);
    return word;
  };
  std::ranges::sort(got, {}, bits);
  std::ranges::sort(wanted, {}, bits);
  return std::memcmp(got.data(), wanted.data(), got.size() * sizeof(float)) == 0;
}

/// Rows of `average` elements, more or fewer by half.
void fill_rows(Buffers b, uint32_t rows, uint32_t columns, uint32_t average) {
  fill_below(b[0], average + 1, 7);
  fill_below(b[1], columns, 8);
  uint32_t *starts = as<uint32_t>(b[0]), next = 0;
  for (uint32_t row = 0; row <= rows; ++row) {
    const uint32_t length = average / 2 + starts[row];
    starts[row] = next;
    next = std::min<uint32_t>(next + length, static_cast<uint32_t>(b[1].size()));
  }
}

} // namespace

Cases sparse_cases(Scale scale) {
  const uint32_t rows = scale(1 << 17, 1 << 10), long_rows = scale(1 << 15, 1 << 8),
                 tokens = scale(16384, 16), vocabulary = scale(8192, 64),
                 n = scale(1 << 21, 1 << 12), table = scale(1 << 16, 1 << 8);
  const auto product = [](uint32_t count) {
    return [=](Buffers b) {
      multiply(as<int>(b[0]), as<int>(b[1]), b[2].data(), b[3].data(), b[4].data(),
               static_cast<int>(count));
    };
  };
  const auto matrix = [](uint32_t count, uint32_t average) {
    return [=](Buffers b) {
      fill_rows(b, count, count, average);
      fill_uniformly(b[2], -1, 1, 9);
      fill_uniformly(b[3], -1, 1, 10);
    };
  };
  return {
      {.key = "spmv_scalar",
       .groups = {rows / 256},
       .group_size = {256},
       .sizes = {rows + 1, rows * 18, rows * 18, rows, rows},
       .numbers = {static_cast<int>(rows)},
       .fill = matrix(rows, 16),
       .native = product(rows),
       .is_right = close(1e-5f)},
      {.key = "spmv_vector",
       .groups = {long_rows / 8},
       .group_size = {256},
       .sizes = {long_rows + 1, long_rows * 72, long_rows * 72, long_rows, long_rows},
       .fill = matrix(long_rows, 64),
       .native = product(long_rows),
       .is_right = close(1e-5f)},
      {.key = "spmv_short",
       .kernel = "spmv_vector",
       .groups = {rows / 8},
       .group_size = {256},
       .sizes = {rows + 1, rows * 18, rows * 18, rows, rows},
       .fill = matrix(rows, 16),
       .native = product(rows),
       .is_right = close(1e-5f)},
      {.key = "bfs_level",
       .groups = {rows / 256},
       .group_size = {256},
       .sizes = {rows + 1, rows * 18, rows, rows},
       .numbers = {static_cast<int>(rows), 1},
       .fill =
           [=](Buffers b) {
             fill_rows(b, rows, rows, 16);
             fill_below(b[2], 4, 11);
             for (uint32_t i = 0; i < rows; ++i)
               as<int>(b[2])[i] -= 1; // not reached, or level 0 to 2
           },
       .native =
           [=](Buffers b) {
             search_level(as<int>(b[0]), as<int>(b[1]), as<int>(b[2]), as<int>(b[3]),
                          static_cast<int>(rows), 1);
           },
       .is_right = is_equal},
      {.key = "embed",
       .groups = {tokens},
       .group_size = {256},
       .sizes = {tokens, vocabulary * 256, tokens * 256},
       .fill =
           [=](Buffers b) {
             fill_below(b[0], vocabulary);
             fill_uniformly(b[1], -1, 1);
           },
       .native =
           [=](Buffers b) {
             gather_rows(as<int>(b[0]), b[1].data(), b[2].data(), static_cast<int>(tokens));
           },
       .is_right = is_equal},
      {.key = "gather",
       .groups = {n / 256},
       .group_size = {256},
       .sizes = {n, table, n},
       .numbers = {static_cast<int>(n)},
       .fill =
           [=](Buffers b) {
             fill_below(b[0], table);
             fill_uniformly(b[1], -1, 1);
           },
       .native =
           [=](Buffers b) { gather(as<int>(b[0]), b[1].data(), b[2].data(), static_cast<int>(n)); },
       .is_right = is_equal},
      {.key = "binsearch",
       .groups = {n / 8 / 256},
       .group_size = {256},
       .sizes = {table, n / 8, n / 8},
       .numbers = {static_cast<int>(table)},
       .fill =
           [](Buffers b) {
             fill_randomly(b);
             std::ranges::sort(b[0]);
           },
       .native =
           [=](Buffers b) {
             search(b[0].data(), b[1].data(), as<int>(b[2]), static_cast<int>(table),
                    static_cast<int>(n / 8));
           },
       .is_right = is_equal},
      {.key = "hash_insert",
       .groups = {n / 4 / 256},
       .group_size = {256},
       .sizes = {n / 4, n / 2},
       .numbers = {static_cast<int>(n / 4), static_cast<int>(n / 2 - 1)},
       .fill =
           [=](Buffers b) {
             for (uint32_t i = 0; i < n / 4; ++i)
               as<uint32_t>(b[0])[i] = (2 * i + 1) * 2654435761u; // each another, none 0
           },
       .native =
           [=](Buffers b) {
             insert(as<int>(b[0]), as<int>(b[1]), static_cast<int>(n / 4),
                    static_cast<int>(n / 2 - 1));
           },
       .is_right = has_the_same,
       .clears = true},
  };
}

} // namespace bench
#endif
