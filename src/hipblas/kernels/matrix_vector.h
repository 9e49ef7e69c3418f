// Kernels of a matrix and vectors, for the files that instantiate them.
#pragma once

#include "solve.h"

#include <algorithm>

namespace hipblas {

constexpr int row_threads = 64;

/// How the matrix of an operation of a matrix and vectors is stored.
inline Layout layout_of(const Problem &p) {
  using enum Operation;
  Layout layout;
  layout.operation = p.trans_a;
  layout.uplo = p.uplo;
  layout.n = p.n;
  layout.unit_diagonal = p.diag == unit;
  switch (p.operation) {
  case gbmv:
    layout.storage = Storage::band;
    layout.below = p.kl;
    layout.above = p.ku;
    break;
  case hbmv:
  case sbmv:
  case tbmv:
  case tbsv:
    layout.storage = Storage::band;
    layout.below = p.uplo == upper ? 0 : p.k;
    layout.above = p.uplo == upper ? p.k : 0;
    break;
  case hpmv:
  case spmv:
  case tpmv:
  case tpsv:
  case hpr:
  case hpr2:
  case spr:
  case spr2:
    layout.storage = Storage::packed;
    break;
  default:
    break;
  }
  switch (p.operation) {
  case hbmv:
  case hemv:
  case hpmv:
    layout.structure = Structure::hermitian;
    break;
  case sbmv:
  case symv:
  case spmv:
    layout.structure = Structure::symmetric;
    break;
  case tbmv:
  case tpmv:
  case trmv:
  case tbsv:
  case tpsv:
  case trsv:
    layout.structure = Structure::triangular;
    break;
  default:
    break;
  }
  return layout;
}

/// y = alpha A x + beta y, a thread for each element of y. With `products`, which takes one vector after the other, those of A x.
template <class T>
__global__ void multiply_vector(Problem p, Layout layout, int64_t rows, int64_t columns,
                                T *products, Factors<T> factors) {
  const int64_t threads = int64_t(gridDim.x) * blockDim.x;
  const int64_t first_x = first_of(columns, p.x.step), first_y = first_of(rows, p.y.step);
  const T alpha = products ? T(1) : factors.alpha.get();
  const T beta = products ? T(0) : factors.beta.get();
  for (int64_t batch = blockIdx.y; batch < p.batch; batch += gridDim.y) {
    // What is multiplied by 0 is not read, and need not be there.
    const bool reads = !(alpha == T(0));
    const void *const a = reads ? data_of(p.a, p.kind, batch) : nullptr;
    const void *const x = reads ? data_of(p.x, p.kind, batch) : nullptr;
    void *const y = products ? nullptr : data_of(p.y, p.kind, batch);
    for (int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x; i < rows; i += threads) {
      int64_t begin = 0, end = columns;
      if (layout.storage == Storage::band) {
        const int64_t width = layout.below > layout.above ? layout.below : layout.above;
        begin = i > width ? i - width : 0;
        end = i + width + 1 < columns ? i + width + 1 : columns;
      }
      T sum(0);
      if (reads)
        for (int64_t j = begin; j < end; ++j)
          sum += element<T>(a, p.a, layout, i, j) * load<T>(x, p.x.type, first_x + j * p.x.step);
      if (products) {
        products[batch * rows + i] = sum;
        continue;
      }
      const int64_t at = first_y + i * p.y.step;
      T value = alpha * sum;
      if (!(beta == T(0)))
        value += beta * load<T>(y, p.y.type, at);
      store(y, p.y.type, at, value);
    }
  }
}

/// beta y + alpha times the sum of a row.
template <class T, Type stored>
__device__ void write_sum(const Problem &p, int64_t batch, int64_t i, int64_t rows, T sum,
                          const Factors<T> &factors) {
  void *const y = data_of<stored>(p.y, p.kind, batch);
  const int64_t at = first_of(rows, p.y.step) + i * p.y.step;
  const T beta = factors.beta.template get<stored>();
  T value = factors.alpha.template get<stored>() * sum;
  if (!(beta == T(0)))
    value += beta * load<T>(y, stored, at);
  store(y, stored, at, value);
}

/// y = alpha A x + beta y, of a matrix without structure whose elements are `stored`: a thread for each row of a slice of columns, of
/// which there are several where rows alone are too few for the device. The sums of several slices go to `sums`.
template <class T, Type stored>
__global__ void multiply_rows(Problem p, int64_t rows, int64_t columns, int64_t width,
                              Factors<T> factors, T *sums) {
  const int64_t batch = batch_of_block(), row_blocks = (rows + row_threads - 1) / row_threads;
  const int64_t slice = blockIdx.x / row_blocks;
  const int64_t i = blockIdx.x % row_blocks * row_threads + threadIdx.x;
  if (batch >= p.batch || i >= rows)
    return;
  T sum(0);
  // What is multiplied by 0 is not read, and need not be there.
  if (!(factors.alpha.template get<stored>() == T(0))) {
    const void *const a = data_of<stored>(p.a, p.kind, batch);
    const void *const x = data_of<stored>(p.x, p.kind, batch);
    const int64_t first = first_of(columns, p.x.step);
    const int64_t end = columns < (slice + 1) * width ? columns : (slice + 1) * width;
    int64_t j = slice * width;
    constexpr int together = 8;
    for (; j + together <= end; j += together)
#pragma unroll
      for (int k = 0; k < together; ++k)
        add_product(sum, load<T>(a, stored, i + (j + k) * p.a.step),
                    load<T>(x, stored, first + (j + k) * p.x.step));
    for (; j < end; ++j)
      add_product(sum, load<T>(a, stored, i + j * p.a.step),
                  load<T>(x, stored, first + j * p.x.step));
  }
  if (sums)
    sums[(slice * p.batch + batch) * rows + i] = sum;
  else
    write_sum<T, stored>(p, batch, i, rows, sum, factors);
}

template <class T, Type stored>
__global__ void add_slices(Problem p, int64_t rows, int slices, Factors<T> factors, const T *sums) {
  const int64_t batch = batch_of_block(), i = int64_t(blockIdx.x) * row_threads + threadIdx.x;
  if (batch >= p.batch || i >= rows)
    return;
  T sum(0);
  for (int slice = 0; slice < slices; ++slice)
    sum += sums[(slice * p.batch + batch) * rows + i];
  write_sum<T, stored>(p, batch, i, rows, sum, factors);
}

constexpr int column_threads = 32, columns_of_block = 8;

template <class T, Type stored, bool dense>
__device__ __forceinline__ T multiply_column(const Problem &p, int64_t batch, int64_t column,
                                             int64_t terms) {
  const void *const a = data_of<stored>(p.a, p.kind, batch);
  const void *const x = data_of<stored>(p.x, p.kind, batch);
  const int64_t first = first_of(terms, p.x.step);
  const bool conjugated = p.trans_a == op_c;
  T sum(0);
  for (int64_t i = threadIdx.x; i < terms; i += column_threads)
    add_product(sum, conj_if(conjugated, load<T>(a, stored, i + column * p.a.step)),
                load<T>(x, stored, dense ? i : first + i * p.x.step));
  return sum;
}

/// The same of a transposed matrix: the threads of a warp have elements of a column beside each other.
template <class T, Type stored>
__global__ void multiply_columns(Problem p, int64_t rows, int64_t columns, Factors<T> factors) {
  __shared__ T sums[columns_of_block][column_threads];
  const int64_t batch = batch_of_block();
  if (batch >= p.batch)
    return;
  const int64_t i = int64_t(blockIdx.x) * columns_of_block + threadIdx.y;
  const int64_t column = i < rows ? i : rows - 1;
  T sum(0);
  if (!(factors.alpha.template get<stored>() == T(0)))
    sum = p.x.step == 1 ? multiply_column<T, stored, true>(p, batch, column, columns)
                        : multiply_column<T, stored, false>(p, batch, column, columns);
  sums[threadIdx.y][threadIdx.x] = sum;
  __syncthreads();
  for (int half = column_threads / 2; half > 0; half /= 2) {
    if (int(threadIdx.x) < half)
      sums[threadIdx.y][threadIdx.x] += sums[threadIdx.y][threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0 && i < rows)
    write_sum<T, stored>(p, batch, i, rows, sums[threadIdx.y][0], factors);
}

/// Whether all of an operation is stored as it is computed with.
template <class T> bool is_plain(const Problem &p) {
  const auto plain = [](Type type) { return type == own_type<T>; };
  return plain(p.a.type) && plain(p.x.type) && plain(p.y.type) && plain(p.alpha.type) &&
         (p.beta.type == Type::none || plain(p.beta.type));
}

/// How many blocks keep the current device busy.
inline hipError_t get_busy_blocks(int64_t &blocks) {
  int device = 0, processors = 0;
  hipError_t error = hipGetDevice(&device);
  if (error == hipSuccess)
    error = hipDeviceGetAttribute(&processors, hipDeviceAttributeMultiprocessorCount, device);
  blocks = 4 * int64_t(processors);
  return error;
}

template <class T>
hipError_t multiply_rows(const Problem &p, int64_t rows, int64_t columns, hipStream_t stream) {
  constexpr int64_t least_columns = 32; // of a slice
  int64_t busy = 0;
  if (const hipError_t error = get_busy_blocks(busy); error != hipSuccess)
    return error;
  const int64_t row_blocks = (rows + row_threads - 1) / row_threads;
  const int64_t slices =
      std::max<int64_t>(std::min(busy / (row_blocks * p.batch), columns / least_columns), 1);
  const int64_t width = (columns + slices - 1) / slices;
  const auto kernel = multiply_rows<T, own_type<T>>;
  const dim3 blocks = blocks_of_batch(row_blocks * slices, p.batch);
  const Factors<T> factors(p);
  if (slices == 1)
    return launch_kernel(kernel, blocks, row_threads, stream, p, rows, columns, width, factors,
                         nullptr);
  const StreamMemory memory(size_t(slices * p.batch * rows) * sizeof(T), stream);
  if (memory.error != hipSuccess)
    return memory.error;
  auto *const sums = static_cast<T *>(memory.data);
  const hipError_t error =
      launch_kernel(kernel, blocks, row_threads, stream, p, rows, columns, width, factors, sums);
  return error != hipSuccess
             ? error
             : launch_kernel(add_slices<T, own_type<T>>, blocks_of_batch(row_blocks, p.batch),
                             row_threads, stream, p, rows, int(slices), factors, sums);
}

template <class T>
hipError_t multiply_columns(const Problem &p, int64_t rows, int64_t columns, hipStream_t stream) {
  const int64_t blocks = (rows + columns_of_block - 1) / columns_of_block;
  return launch_kernel(multiply_columns<T, own_type<T>>, blocks_of_batch(blocks, p.batch),
                       dim3(column_threads, columns_of_block), stream, p, rows, columns,
                       Factors<T>(p));
}

constexpr int updated_columns = 8; ///< By a thread.

/// A += alpha x y', of a matrix without structure.
template <class T, Type stored> __global__ void update_general(Problem p, Factors<T> factors) {
  const int64_t batch = batch_of_block(), row_blocks = (p.m + row_threads - 1) / row_threads;
  const int64_t i = blockIdx.x % row_blocks * row_threads + threadIdx.x;
  const int64_t begin = blockIdx.x / row_blocks * updated_columns;
  const T alpha = factors.alpha.template get<stored>();
  if (batch >= p.batch || i >= p.m || alpha == T(0))
    return;
  void *const a = data_of<stored>(p.a, p.kind, batch);
  const void *const x = data_of<stored>(p.x, p.kind, batch);
  const void *const y = data_of<stored>(p.y, p.kind, batch);
  const int64_t first_y = first_of(p.n, p.y.step);
  const T product = alpha * load<T>(x, stored, first_of(p.m, p.x.step) + i * p.x.step);
  const auto update = [&](int64_t j) __attribute__((always_inline)) {
    const int64_t at = i + j * p.a.step;
    T sum = load<T>(a, stored, at);
    add_product(
        sum, product,
        conj_if(p.operation == Operation::gerc, load<T>(y, stored, first_y + j * p.y.step)));
    store(a, stored, at, sum);
  };
  if (begin + updated_columns <= p.n) {
#pragma unroll
    for (int k = 0; k < updated_columns; ++k)
      update(begin + k);
  } else {
    for (int64_t j = begin; j < p.n; ++j)
      update(j);
  }
}

template <class T> hipError_t update_general(const Problem &p, hipStream_t stream) {
  const int64_t blocks =
      (p.m + row_threads - 1) / row_threads * ((p.n + updated_columns - 1) / updated_columns);
  return launch_kernel(update_general<T, own_type<T>>, blocks_of_batch(blocks, p.batch),
                       row_threads, stream, p, Factors<T>(p));
}

template <class T> __global__ void write_vectors(Problem p, const T *values) {
  const int64_t threads = int64_t(gridDim.x) * blockDim.x, first = first_of(p.n, p.x.step);
  for (int64_t batch = blockIdx.y; batch < p.batch; batch += gridDim.y) {
    void *const x = data_of(p.x, p.kind, batch);
    for (int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x; i < p.n; i += threads)
      store(x, p.x.type, first + i * p.x.step, values[batch * p.n + i]);
  }
}

/// A += alpha x y' and its kin, a thread for each element of A.
template <class T>
__global__ void update_matrix(Problem p, Layout layout, int64_t rows, Factors<T> factors) {
  using enum Operation;
  const bool hermitian =
      p.operation == her || p.operation == hpr || p.operation == her2 || p.operation == hpr2;
  const bool general = p.operation == ger || p.operation == geru || p.operation == gerc;
  const bool two =
      p.operation == her2 || p.operation == hpr2 || p.operation == syr2 || p.operation == spr2;
  const int64_t threads = int64_t(gridDim.x) * blockDim.x;
  const int64_t first_x = first_of(rows, p.x.step), first_y = first_of(p.n, p.y.step);
  const T alpha = factors.alpha.get();
  if (alpha == T(0))
    return;
  for (int64_t batch = blockIdx.z; batch < p.batch; batch += gridDim.z) {
    void *const a = data_of(p.a, p.kind, batch);
    const void *const x_data = data_of(p.x, p.kind, batch);
    const void *const y_data = general || two ? data_of(p.y, p.kind, batch) : nullptr;
    const auto x = [&](int64_t i) { return load<T>(x_data, p.x.type, first_x + i * p.x.step); };
    const auto y = [&](int64_t i) { return load<T>(y_data, p.y.type, first_y + i * p.y.step); };
    for (int64_t j = blockIdx.y; j < p.n; j += gridDim.y) {
      const int64_t begin = general || p.uplo == upper ? 0 : j;
      const int64_t end = general || p.uplo == lower ? rows : j + 1;
      for (int64_t i = begin + int64_t(blockIdx.x) * blockDim.x + threadIdx.x; i < end;
           i += threads) {
        int64_t at = i + j * p.a.step;
        if (layout.storage == Storage::packed)
          at = p.uplo == upper ? i + j * (j + 1) / 2 : i + (2 * p.n - j - 1) * j / 2;
        T sum;
        if (general)
          sum = alpha * x(i) * conj_if(p.operation == gerc, y(j));
        else if (two)
          sum = alpha * x(i) * conj_if(hermitian, y(j)) +
                conj_if(hermitian, alpha) * y(i) * conj_if(hermitian, x(j));
        else
          sum = alpha * x(i) * conj_if(hermitian, x(j));
        sum += load<T>(a, p.a.type, at);
        store(a, p.a.type, at, hermitian && i == j ? T(real(sum)) : sum);
      }
    }
  }
}

/// x = A x, by way of memory for the products.
template <class T>
hipError_t multiply_in_place(const Problem &p, const Layout &layout, hipStream_t stream) {
  const StreamMemory workspace(size_t(p.n) * size_t(p.batch) * sizeof(T), stream);
  if (workspace.error != hipSuccess)
    return workspace.error;
  auto *const products = static_cast<T *>(workspace.data);
  const dim3 blocks(blocks_for(p.n, row_threads), blocks_for(p.batch, 1));
  const hipError_t error = launch_kernel(multiply_vector<T>, blocks, row_threads, stream, p, layout,
                                         p.n, p.n, products, Factors<T>(p));
  return error != hipSuccess
             ? error
             : launch_kernel(write_vectors<T>, blocks, row_threads, stream, p, products);
}

constexpr int64_t parts_from = 256; ///< Elements of a vector that several launches are worth.

/// trsv of long vectors.
template <class T>
hipError_t solve_vector(const Problem &p, const Layout &layout, hipStream_t stream) {
  const auto element_of_x = [&](int64_t i) {
    Operand element = p.x;
    element.offset += first_of(p.n, p.x.step) + i * p.x.step;
    return element;
  };
  // Where the step is negative, a vector of BLAS begins with its last element.
  const auto part_of_x = [&](Part part) {
    Operand vector = element_of_x(part.first);
    vector.offset -= first_of(part.size, p.x.step);
    return vector;
  };
  const auto solve = [&](Part part, bool) {
    const Operand diagonal = block_of(p.a, layout, part.first, part.first);
    return launch_block_solve<T>(
        p, {layout, diagonal, element_of_x(part.first), part.size, 1, p.x.step, 0}, stream);
  };
  const auto take_out = [&](Part solved, Part rest, bool) {
    Problem q(Operation::gemv, p.kind, p.type);
    q.trans_a = p.trans_a;
    q.batch = p.batch;
    q.a = block_of(p.a, layout, rest.first, solved.first);
    q.x = part_of_x(solved);
    q.y = part_of_x(rest);
    set_value(q.alpha, T(-1));
    set_value(q.beta, T(1));
    return p.trans_a == op_n ? multiply_rows<T>(q, rest.size, solved.size, stream)
                             : multiply_columns<T>(q, rest.size, solved.size, stream);
  };
  return solve_in_parts({0, p.n}, is_lower(layout, false), true, solve, take_out);
}

template <class T> hipError_t launch_matrix_vector(const Problem &p, hipStream_t stream) {
  using enum Operation;
  const Layout layout = layout_of(p);
  switch (p.operation) {
  case ger:
  case geru:
  case gerc:
  case her:
  case hpr:
  case her2:
  case hpr2:
  case syr:
  case spr:
  case syr2:
  case spr2: {
    const bool general = p.operation == ger || p.operation == geru || p.operation == gerc;
    if (general && is_plain<T>(p))
      return update_general<T>(p, stream);
    const int64_t rows = general ? p.m : p.n;
    const dim3 blocks(blocks_for(rows, row_threads), blocks_for(p.n, 1), blocks_for(p.batch, 1));
    return launch_kernel(update_matrix<T>, blocks, row_threads, stream, p, layout, rows,
                         Factors<T>(p));
  }
  case tbmv:
  case tpmv:
  case trmv:
    return multiply_in_place<T>(p, layout, stream);
  case tbsv:
  case tpsv:
  case trsv: {
    if (p.operation == trsv && p.n > parts_from)
      return solve_vector<T>(p, layout, stream);
    Operand x = p.x;
    x.offset += first_of(p.n, x.step);
    return launch_solve<T>(p, {layout, p.a, x, p.n, 1, x.step, 0}, stream);
  }
  default: {
    const bool general = p.operation == gemv || p.operation == gbmv;
    const bool plain = p.trans_a == op_n;
    const int64_t rows = general && plain ? p.m : p.n;
    const int64_t columns = general && !plain ? p.m : p.n;
    if (p.operation == gemv && is_plain<T>(p))
      return plain ? multiply_rows<T>(p, rows, columns, stream)
                   : multiply_columns<T>(p, rows, columns, stream);
    const dim3 blocks(blocks_for(rows, row_threads), blocks_for(p.batch, 1));
    return launch_kernel(multiply_vector<T>, blocks, row_threads, stream, p, layout, rows, columns,
                         nullptr, Factors<T>(p));
  }
  }
}

} // namespace hipblas
