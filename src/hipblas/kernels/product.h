// Products of matrices: blocks of 64 by 64 elements, whose factors go through memory of the work-group.
#pragma once

#include "matrix.h"

namespace hipblas {

constexpr int tile = 64, tile_depth = 16, tile_side = 16, thread_tile = tile / tile_side;

/// C = alpha A B + beta C, of what the layouts say of A and B.
struct Product {
  Layout a_layout, b_layout;
  Operand a, b, c;
  int64_t m, n, k;
  int filled = 0;         ///< Only the upper or lower triangle of C is written.
  bool hermitian = false; ///< The diagonal of C is real.
  bool conj_alpha = false;
  bool c_is_strided = false; ///< Also where A and B are not.
  bool alpha_is_1 = false, beta_is_0 = false, beta_is_1 = false;
};

/// `plain`: matrices without structure, of elements T.
template <class T, bool plain>
__device__ T factor(const void *data, const Operand &matrix, const Layout &layout, int64_t i,
                    int64_t j) {
  if constexpr (!plain)
    return element<T>(data, matrix, layout, i, j);
  const T *const elements = static_cast<const T *>(data);
  if (layout.operation == op_n)
    return elements[i + j * matrix.step];
  return conj_if(layout.operation == op_c, elements[j + i * matrix.step]);
}

template <class T, bool plain>
__global__ void __launch_bounds__(tile_side *tile_side) multiply_matrices(Problem p, Product q) {
  __shared__ T a_tile[tile_depth][tile + 1];
  __shared__ T b_tile[tile_depth][tile + 1];
  const T beta = q.beta_is_0 ? T(0) : q.beta_is_1 ? T(1) : value_of<T>(p.beta);
  const T alpha = q.alpha_is_1 ? T(1) : conj_if(q.conj_alpha, value_of<T>(p.alpha));
  const int64_t terms = alpha == T(0) ? 0 : q.k;
  const int thread = int(threadIdx.x), column = thread / tile_side, row = thread % tile_side;
  const int64_t row_tiles = (q.m + tile - 1) / tile, column_tiles = (q.n + tile - 1) / tile;
  for (int64_t work = blockIdx.x; work < row_tiles * column_tiles * p.batch; work += gridDim.x) {
    const int64_t batch = work / (row_tiles * column_tiles);
    const int64_t i0 = work % row_tiles * tile, j0 = work / row_tiles % column_tiles * tile;
    if ((q.filled == upper && i0 >= j0 + tile) || (q.filled == lower && j0 >= i0 + tile))
      continue;
    const void *const a = terms ? data_of(q.a, p.kind, batch) : nullptr;
    const void *const b = terms ? data_of(q.b, p.kind, batch) : nullptr;
    T sums[thread_tile][thread_tile];
    for (auto &line : sums)
      for (T &sum : line)
        sum = T(0);
    for (int64_t l0 = 0; l0 < terms; l0 += tile_depth) {
      // Threads beside each other read elements beside each other.
      for (int at = thread; at < tile * tile_depth; at += tile_side * tile_side) {
        const bool by_rows = q.a_layout.operation == op_n;
        const int i = by_rows ? at % tile : at / tile_depth;
        const int l = by_rows ? at / tile : at % tile_depth;
        a_tile[l][i] = i0 + i < q.m && l0 + l < terms
                           ? factor<T, plain>(a, q.a, q.a_layout, i0 + i, l0 + l)
                           : T(0);
      }
      for (int at = thread; at < tile * tile_depth; at += tile_side * tile_side) {
        const bool by_terms = q.b_layout.operation == op_n;
        const int l = by_terms ? at % tile_depth : at / tile;
        const int j = by_terms ? at / tile_depth : at % tile;
        b_tile[l][j] = j0 + j < q.n && l0 + l < terms
                           ? factor<T, plain>(b, q.b, q.b_layout, l0 + l, j0 + j)
                           : T(0);
      }
      __syncthreads();
      for (int l = 0; l < tile_depth; ++l) {
        T a_part[thread_tile], b_part[thread_tile];
        for (int i = 0; i < thread_tile; ++i)
          a_part[i] = a_tile[l][row + i * tile_side];
        for (int j = 0; j < thread_tile; ++j)
          b_part[j] = b_tile[l][column + j * tile_side];
        for (int j = 0; j < thread_tile; ++j)
          for (int i = 0; i < thread_tile; ++i)
            sums[j][i] += a_part[i] * b_part[j];
      }
      __syncthreads();
    }
    void *const c = data_of(q.c, q.c_is_strided ? Kind::strided : p.kind, batch);
    for (int j = 0; j < thread_tile; ++j)
      for (int i = 0; i < thread_tile; ++i) {
        const int64_t at_i = i0 + row + i * tile_side, at_j = j0 + column + j * tile_side;
        if (at_i >= q.m || at_j >= q.n || (q.filled == upper && at_i > at_j) ||
            (q.filled == lower && at_i < at_j))
          continue;
        const int64_t at = at_i + at_j * q.c.step;
        T value = alpha * sums[j][i];
        if (!(beta == T(0)))
          value += beta * load<T>(c, q.c.type, at);
        store(c, q.c.type, at, q.hermitian && at_i == at_j ? T(real(value)) : value);
      }
  }
}

template <class T> inline constexpr Type element_type = Type::i32;
template <> inline constexpr Type element_type<float> = Type::f32;
template <> inline constexpr Type element_type<double> = Type::f64;
template <> inline constexpr Type element_type<Complex<float>> = Type::c32;
template <> inline constexpr Type element_type<Complex<double>> = Type::c64;

template <class T>
hipError_t launch_product(const Problem &p, const Product &q, hipStream_t stream) {
  const auto is_plain = [](const Operand &operand, const Layout &layout) {
    return operand.type == element_type<T> && layout.structure == Structure::general;
  };
  const int64_t tiles = (q.m + tile - 1) / tile * ((q.n + tile - 1) / tile) * p.batch;
  const dim3 blocks(unsigned(tiles < (1 << 30) ? tiles : 1 << 30)), threads(tile_side * tile_side);
  const bool plain = is_plain(q.a, q.a_layout) && is_plain(q.b, q.b_layout);
  return launch_kernel(plain ? multiply_matrices<T, true> : multiply_matrices<T, false>, blocks,
                       threads, stream, p, q);
}

} // namespace hipblas
