// Products of matrices: a block computes a tile of C, whose factors go through memory of the work-group.
#pragma once

#include "matrix.h"

#include <iterator>

namespace hipblas {

/// How a block divides its tile. The threads of a warp have rows beside each other, so that what they read of A is contiguous, and the
/// same columns, so that what they read of B is one value.
template <class T> struct Tiling {
  static constexpr int warp = 32, warps = 8, threads = warp * warps;
  // So many that the sums and what is multiplied fit the registers of Intel's GPUs: a float takes one of 64 bytes for 16 threads.
  static constexpr int thread_rows = 2, thread_columns = 32 / int(sizeof(T));
  static constexpr int rows = warp * thread_rows, columns = warps * thread_columns;
  static constexpr int depth =
      sizeof(T) == 4 ? 32 : 16; ///< Terms. Parts are not smaller than a block.
  static_assert(columns * depth % threads == 0 && rows * depth % threads == 0);
};

/// C = alpha A B + beta C, of what the layouts say of A and B.
struct Product {
  Layout a_layout, b_layout;
  Operand a, b, c;
  int64_t m, n, k;
  int filled = 0;            ///< Only the upper or lower triangle of C is written.
  bool hermitian = false;    ///< The diagonal of C is real.
  bool c_is_strided = false; ///< Also where A and B are not.
  Scale alpha = Scale::own, beta = Scale::own;
};

/// An element of a factor without structure, whose elements are `stored`, or of any factor, where that is none.
template <class T, Type stored>
__device__ T factor(const void *data, const Operand &matrix, const Layout &layout, int64_t i,
                    int64_t j) {
  if constexpr (stored == Type::none)
    return element<T>(data, matrix, layout, i, j);
  if (layout.operation == op_n)
    return load<T>(data, stored, i + j * matrix.step);
  return conj_if(layout.operation == op_c, load<T>(data, stored, j + i * matrix.step));
}

/// Where an element of a part of a factor is in memory of the work-group. A part has `width` lines, which are rows of A or columns of B.
template <class T, int width, bool by_lines> __device__ int place_of(int line, int term) {
  return by_lines ? line * (Tiling<T>::depth + 1) + term : line + term * (width + 1);
}

/// What a part is copied from: a factor from a line and a term on, of which there are so many there.
struct Source {
  const void *data;
  const Operand &matrix;
  const Layout &layout;
  int64_t first_line, first_term, lines, terms;
};

template <class T, Type stored, bool of_a>
__device__ __forceinline__ T element_of(const Source &source, int line, int term) {
  const int64_t l = source.first_line + line, t = source.first_term + term;
  return factor<T, stored>(source.data, source.matrix, source.layout, of_a ? l : t, of_a ? t : l);
}

/// Copies a part, which is `whole`, or has 0 where the factor has no elements.
template <class T, Type stored, bool of_a, int width, bool by_lines, bool whole>
__device__ __forceinline__ void copy_part(T *part, const Source &source) {
  using Tiles = Tiling<T>;
  constexpr int lines_of_warp = Tiles::warp / Tiles::depth;
  constexpr int rounds = width * Tiles::depth / Tiles::threads;
  constexpr int unrolled = stored == Type::none ? 1 : rounds; // Any element takes long code.
  const int lane = int(threadIdx.x), warp = int(threadIdx.y);
  // Threads beside each other read elements beside each other. The numbers of rounds are constants, so that compilers see the same
  // loop in all threads.
  if ((source.layout.operation == op_n) == of_a) {
#pragma unroll unrolled
    for (int round = 0; round < rounds; ++round) {
      // A part of fewer lines than the warp has threads gets several terms from it.
      constexpr bool narrow = width < Tiles::warp;
      constexpr int terms_of_warp = narrow ? Tiles::warp / width : 1;
      constexpr int lines_of_round = narrow ? 1 : width / Tiles::warp;
      const int line = narrow ? lane % width : lane + round % lines_of_round * Tiles::warp;
      const int term = (warp + round / lines_of_round * Tiles::warps) * terms_of_warp +
                       (narrow ? lane / width : 0);
      part[place_of<T, width, by_lines>(line, term)] =
          whole || (line < source.lines && term < source.terms)
              ? element_of<T, stored, of_a>(source, line, term)
              : T(0);
    }
  } else {
#pragma unroll unrolled
    for (int round = 0; round < rounds; ++round) {
      const int line = (warp + round * Tiles::warps) * lines_of_warp + lane / Tiles::depth;
      const int term = lane % Tiles::depth;
      part[place_of<T, width, by_lines>(line, term)] =
          whole || (line < source.lines && term < source.terms)
              ? element_of<T, stored, of_a>(source, line, term)
              : T(0);
    }
  }
}

template <class T, Type stored, bool of_a, int width, bool by_lines>
__device__ __forceinline__ void copy_part(T *part, const Source &source) {
  if (source.lines >= width && source.terms >= Tiling<T>::depth)
    copy_part<T, stored, of_a, width, by_lines, true>(part, source);
  else
    copy_part<T, stored, of_a, width, by_lines, false>(part, source);
}

/// `stored`: what C is stored as, where that is known.
template <class T, Type stored>
__device__ __forceinline__ void write_element(const Product &q, void *c, int64_t i, int64_t j,
                                              T alpha, T beta, T sum) {
  if (i >= q.m || j >= q.n || (q.filled == upper && i > j) || (q.filled == lower && i < j))
    return;
  const Type type = stored == Type::none ? q.c.type : stored;
  const int64_t at = i + j * q.c.step;
  T value = alpha * sum;
  if (!(beta == T(0)))
    value += beta * load<T>(c, type, at);
  store(c, type, at, q.hermitian && i == j ? T(real(value)) : value);
}

/// `b_by_lines`: how parts of B lie.
template <class T, Type stored, bool b_by_lines>
__global__ void __launch_bounds__(Tiling<T>::threads)
    multiply_matrices(Problem p, Product q, Factors<T> factors) {
  using Tiles = Tiling<T>;
  __shared__ T a_part[Tiles::depth * (Tiles::rows + 1)];
  __shared__ T b_part[(Tiles::depth + 1) * (Tiles::columns + 1)];
  const T alpha = factors.get_alpha(q.alpha);
  const T beta = factors.get_beta(q.beta);
  const int64_t terms = alpha == T(0) ? 0 : q.k;
  const int row = int(threadIdx.x), column = int(threadIdx.y) * Tiles::thread_columns;
  const int64_t row_tiles = (q.m + Tiles::rows - 1) / Tiles::rows;
  const int64_t column_tiles = (q.n + Tiles::columns - 1) / Tiles::columns;
  for (int64_t work = blockIdx.x; work < row_tiles * column_tiles * p.batch; work += gridDim.x) {
    const int64_t batch = work / (row_tiles * column_tiles);
    const int64_t i0 = work % row_tiles * Tiles::rows;
    const int64_t j0 = work / row_tiles % column_tiles * Tiles::columns;
    if ((q.filled == upper && i0 >= j0 + Tiles::columns) ||
        (q.filled == lower && j0 >= i0 + Tiles::rows))
      continue;
    const void *const a = terms ? data_of(q.a, p.kind, batch) : nullptr;
    const void *const b = terms ? data_of(q.b, p.kind, batch) : nullptr;
    T sums[Tiles::thread_columns][Tiles::thread_rows];
#pragma unroll
    for (int j = 0; j < Tiles::thread_columns; ++j)
#pragma unroll
      for (int i = 0; i < Tiles::thread_rows; ++i)
        sums[j][i] = T(0);
    for (int64_t l0 = 0; l0 < terms; l0 += Tiles::depth) {
      copy_part<T, stored, true, Tiles::rows, false>(
          a_part, {a, q.a, q.a_layout, i0, l0, q.m - i0, terms - l0});
      copy_part<T, stored, false, Tiles::columns, b_by_lines>(
          b_part, {b, q.b, q.b_layout, j0, l0, q.n - j0, terms - l0});
      __syncthreads();
      // Where a compiler for processors sees a long loop, it vectorises that instead of the threads.
#pragma unroll 4
      for (int l = 0; l < Tiles::depth; ++l) {
        T a_line[Tiles::thread_rows], b_line[Tiles::thread_columns];
#pragma unroll
        for (int i = 0; i < Tiles::thread_rows; ++i)
          a_line[i] = a_part[place_of<T, Tiles::rows, false>(row + i * Tiles::warp, l)];
#pragma unroll
        for (int j = 0; j < Tiles::thread_columns; ++j)
          b_line[j] = b_part[place_of<T, Tiles::columns, b_by_lines>(column + j, l)];
#pragma unroll
        for (int j = 0; j < Tiles::thread_columns; ++j)
#pragma unroll
          for (int i = 0; i < Tiles::thread_rows; ++i)
            add_product(sums[j][i], a_line[i], b_line[j]);
      }
      __syncthreads();
    }
    void *const c = data_of(q.c, q.c_is_strided ? Kind::strided : p.kind, batch);
#pragma unroll
    for (int j = 0; j < Tiles::thread_columns; ++j)
#pragma unroll
      for (int i = 0; i < Tiles::thread_rows; ++i)
        write_element<T, Type::none>(q, c, i0 + row + i * Tiles::warp, j0 + column + j, alpha, beta,
                                     sums[j][i]);
  }
}

constexpr int small_side = 16, small_terms = 256, small_threads = small_side * small_side;

/// Small matrices, as many as a block has threads for: a thread for each element of C.
template <class T, Type stored>
__global__ void __launch_bounds__(small_threads)
    multiply_small_matrices(Problem p, Product q, Factors<T> factors) {
  const unsigned rows = unsigned(q.m), elements = rows * unsigned(q.n);
  const unsigned matrices = small_threads / elements, matrix = threadIdx.x / elements;
  const unsigned at = threadIdx.x - matrix * elements;
  const int64_t batch = int64_t(blockIdx.x) * matrices + matrix;
  if (matrix >= matrices || batch >= p.batch)
    return;
  const unsigned j = at / rows, i = at - j * rows;
  const T alpha = factors.template get_alpha<stored>(q.alpha);
  const T beta = factors.template get_beta<stored>(q.beta);
  T sum(0);
  if (!(alpha == T(0)) && q.k > 0) {
    const void *const a = data_of<stored>(q.a, p.kind, batch);
    const void *const b = data_of<stored>(q.b, p.kind, batch);
    for (int64_t l = 0; l < q.k; ++l)
      add_product(sum, factor<T, stored>(a, q.a, q.a_layout, i, l),
                  factor<T, stored>(b, q.b, q.b_layout, l, j));
  }
  void *const c = data_of(q.c, q.c_is_strided ? Kind::strided : p.kind, batch);
  write_element<T, stored>(q, c, i, j, alpha, beta, sum);
}

/// What elements are stored as of factors that have kernels of their own.
template <class T> inline constexpr Type stored_types[] = {own_type<T>};
template <> inline constexpr Type stored_types<float>[] = {Type::f32, Type::f16, Type::bf16};
template <> inline constexpr Type stored_types<int32_t>[] = {Type::i8};

template <class T> using ProductKernel = void (*)(Problem, Product, Factors<T>);

template <class T, size_t index = 0> ProductKernel<T> product_kernel(Type stored, bool b_by_lines) {
  if constexpr (index == std::size(stored_types<T>)) {
    return multiply_matrices<T, Type::none, false>;
  } else {
    constexpr Type type = stored_types<T>[index];
    if (type != stored)
      return product_kernel<T, index + 1>(stored, b_by_lines);
    return b_by_lines ? multiply_matrices<T, type, true> : multiply_matrices<T, type, false>;
  }
}

template <class T>
hipError_t launch_product(const Problem &p, const Product &q, hipStream_t stream) {
  const bool alike = q.a.type == q.b.type && q.a_layout.structure == Structure::general &&
                     q.b_layout.structure == Structure::general;
  if (q.m <= small_side && q.n <= small_side && q.k <= small_terms) {
    const int64_t matrices = small_threads / (q.m * q.n);
    const int64_t blocks = (p.batch + matrices - 1) / matrices;
    const bool plain = alike && q.a.type == own_type<T> && q.c.type == own_type<T> &&
                       p.alpha.type == own_type<T> &&
                       (q.beta != Scale::own || p.beta.type == own_type<T>);
    if (blocks < (int64_t(1) << 31))
      return launch_kernel(plain ? multiply_small_matrices<T, own_type<T>>
                                 : multiply_small_matrices<T, Type::none>,
                           dim3(unsigned(blocks)), small_threads, stream, p, q, Factors<T>(p));
  }
  using Tiles = Tiling<T>;
  const int64_t tiles = (q.m + Tiles::rows - 1) / Tiles::rows *
                        ((q.n + Tiles::columns - 1) / Tiles::columns) * p.batch;
  const dim3 blocks(unsigned(tiles < (1 << 30) ? tiles : 1 << 30));
  const dim3 threads(Tiles::warp, Tiles::warps);
  const ProductKernel<T> kernel =
      product_kernel<T>(alike ? q.a.type : Type::none, q.b_layout.operation == op_n);
  return launch_kernel(kernel, blocks, threads, stream, p, q, Factors<T>(p));
}

} // namespace hipblas
