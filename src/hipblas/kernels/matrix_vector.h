// Kernels of a matrix and vectors, for the files that instantiate them.
#pragma once

#include "solve.h"

namespace hipblas {

constexpr int row_threads = 128;

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
                                T *products) {
  const int64_t threads = int64_t(gridDim.x) * blockDim.x;
  const int64_t first_x = first_of(columns, p.x.step), first_y = first_of(rows, p.y.step);
  const T alpha = products ? T(1) : value_of<T>(p.alpha);
  const T beta = products ? T(0) : value_of<T>(p.beta);
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

template <class T> __global__ void write_vectors(Problem p, const T *values) {
  const int64_t threads = int64_t(gridDim.x) * blockDim.x, first = first_of(p.n, p.x.step);
  for (int64_t batch = blockIdx.y; batch < p.batch; batch += gridDim.y) {
    void *const x = data_of(p.x, p.kind, batch);
    for (int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x; i < p.n; i += threads)
      store(x, p.x.type, first + i * p.x.step, values[batch * p.n + i]);
  }
}

/// A += alpha x y' and its kin, a thread for each element of A.
template <class T> __global__ void update_matrix(Problem p, Layout layout, int64_t rows) {
  using enum Operation;
  const bool hermitian =
      p.operation == her || p.operation == hpr || p.operation == her2 || p.operation == hpr2;
  const bool general = p.operation == ger || p.operation == geru || p.operation == gerc;
  const bool two =
      p.operation == her2 || p.operation == hpr2 || p.operation == syr2 || p.operation == spr2;
  const int64_t threads = int64_t(gridDim.x) * blockDim.x;
  const int64_t first_x = first_of(rows, p.x.step), first_y = first_of(p.n, p.y.step);
  const T alpha = value_of<T>(p.alpha);
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
  const hipError_t error =
      launch_kernel(multiply_vector<T>, blocks, row_threads, stream, p, layout, p.n, p.n, products);
  return error != hipSuccess
             ? error
             : launch_kernel(write_vectors<T>, blocks, row_threads, stream, p, products);
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
    const int64_t rows = general ? p.m : p.n;
    const dim3 blocks(blocks_for(rows, row_threads), blocks_for(p.n, 1), blocks_for(p.batch, 1));
    return launch_kernel(update_matrix<T>, blocks, row_threads, stream, p, layout, rows);
  }
  case tbmv:
  case tpmv:
  case trmv:
    return multiply_in_place<T>(p, layout, stream);
  case tbsv:
  case tpsv:
  case trsv: {
    Solve solve{layout, p.a, p.x, p.n, 1, first_of(p.n, p.x.step), p.x.step, 0};
    return launch_solve<T>(p, solve, stream);
  }
  default: {
    const bool general = p.operation == gemv || p.operation == gbmv;
    const bool plain = p.trans_a == op_n;
    const int64_t rows = general && plain ? p.m : p.n;
    const int64_t columns = general && !plain ? p.m : p.n;
    const dim3 blocks(blocks_for(rows, row_threads), blocks_for(p.batch, 1));
    return launch_kernel(multiply_vector<T>, blocks, row_threads, stream, p, layout, rows, columns,
                         nullptr);
  }
  }
}

} // namespace hipblas
