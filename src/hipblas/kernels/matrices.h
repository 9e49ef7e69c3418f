// Kernels of matrices, for the files that instantiate them.
#pragma once

#include "product.h"
#include "solve.h"

namespace hipblas {

/// geam, dgmm, and copies of matrices from where one follows the other: a thread for each element of C.
template <class T> __global__ void map_matrices(Problem p, const T *values, Factors<T> factors) {
  const int64_t threads = int64_t(gridDim.x) * blockDim.x;
  const bool by_rows = p.side == left;
  const int64_t first = first_of(by_rows ? p.m : p.n, p.x.step);
  const T alpha = factors.alpha.get(), beta = factors.beta.get();
  for (int64_t batch = blockIdx.y; batch < p.batch; batch += gridDim.y) {
    void *const c = data_of(p.c, p.kind, batch);
    for (int64_t at = int64_t(blockIdx.x) * blockDim.x + threadIdx.x; at < p.m * p.n;
         at += threads) {
      const int64_t i = at % p.m, j = at / p.m;
      T value(0);
      if (values) {
        value = values[batch * p.m * p.n + at];
      } else if (p.operation == Operation::dgmm) {
        const T factor =
            load<T>(data_of(p.x, p.kind, batch), p.x.type, first + (by_rows ? i : j) * p.x.step);
        value = load<T>(data_of(p.a, p.kind, batch), p.a.type, i + j * p.a.step) * factor;
      } else {
        const auto term = [&](const Operand &matrix, int operation) {
          const bool is_plain = operation == op_n;
          return conj_if(operation == op_c,
                         load<T>(data_of(matrix, p.kind, batch), matrix.type,
                                 is_plain ? i + j * matrix.step : j + i * matrix.step));
        };
        if (!(alpha == T(0)))
          value += alpha * term(p.a, p.trans_a);
        if (!(beta == T(0)))
          value += beta * term(p.b, p.trans_b);
      }
      store(c, p.c.type, i + j * p.c.step, value);
    }
  }
}

template <class T> hipError_t launch_map(const Problem &p, const T *values, hipStream_t stream) {
  constexpr int threads = 256;
  const dim3 blocks(blocks_for(p.m * p.n, threads), blocks_for(p.batch, 1));
  return launch_kernel(map_matrices<T>, blocks, threads, stream, p, values, Factors<T>(p));
}

/// The products of an operation. C is what both factors are read for, before it is written.
template <class T>
hipError_t multiply_triangular(const Problem &p, const Product &product, hipStream_t stream) {
  const StreamMemory workspace(size_t(p.m) * size_t(p.n) * size_t(p.batch) * sizeof(T), stream);
  if (workspace.error != hipSuccess)
    return workspace.error;
  Product q = product;
  q.c = {workspace.data, p.m, p.m * p.n, p.c.type};
  q.c_is_strided = true;
  q.beta = Scale::zero;
  if (const hipError_t error = launch_product<T>(p, q, stream); error != hipSuccess)
    return error;
  return launch_map<T>(p, static_cast<const T *>(workspace.data), stream);
}

/// trsm: the right-hand sides are the columns of B, or its rows where A is on the right.
template <class T>
hipError_t solve_matrix(const Problem &p, const Layout &layout, hipStream_t stream) {
  const bool on_left = p.side == left;
  const int64_t count = on_left ? p.n : p.m;
  const auto part_of_b = [&](int64_t first) {
    Operand part = p.b;
    part.offset += on_left ? first : first * p.b.step;
    return part;
  };
  const auto system_of = [&](Part part, bool is_first) {
    return Solve{layout,
                 block_of(p.a, layout, part.first, part.first),
                 part_of_b(part.first),
                 part.size,
                 count,
                 on_left ? 1 : p.b.step,
                 on_left ? p.b.step : 1,
                 !on_left,
                 is_first ? Scale::own : Scale::one_or_zero};
  };
  const Part all{0, on_left ? p.m : p.n};
  // Where one block for each right-hand side does as much in the time of several launches.
  constexpr int64_t few_vectors = 16, few_elements = 1000;
  if (all.size > solve_side && count < few_vectors && all.size * count < few_elements)
    return launch_solve<T>(p, system_of(all, true), stream);
  const auto solve = [&](Part part, bool is_first) {
    return launch_block_solve<T>(p, system_of(part, is_first), stream);
  };
  const auto take_out = [&](Part solved, Part rest, bool is_first) {
    Layout a_layout, plain;
    a_layout.operation = layout.operation;
    const Operand x = part_of_b(solved.first), b = part_of_b(rest.first);
    const int64_t i = on_left ? rest.first : solved.first, j = on_left ? solved.first : rest.first;
    const Operand a = block_of(p.a, layout, i, j);
    Product q = on_left ? Product{a_layout, plain, a, x, b, rest.size, count, solved.size}
                        : Product{plain, a_layout, x, a, b, count, rest.size, solved.size};
    q.alpha = Scale::minus_one_or_zero;
    q.beta = is_first ? Scale::alpha : Scale::one;
    return launch_product<T>(p, q, stream);
  };
  return solve_in_parts(all, is_lower(layout, !on_left), true, solve, take_out);
}

/// Symmetric, hermitian and triangular factors, on the side that the problem says.
inline Product structured_product(const Problem &p) {
  using enum Operation;
  Layout structured, plain;
  structured.structure = p.operation == trmm   ? Structure::triangular
                         : p.operation == hemm ? Structure::hermitian
                                               : Structure::symmetric;
  structured.operation = p.operation == trmm ? p.trans_a : op_n;
  structured.uplo = p.uplo;
  structured.unit_diagonal = p.diag == unit;
  return p.side == left ? Product{structured, plain, p.a, p.b, p.c, p.m, p.n, p.m}
                        : Product{plain, structured, p.b, p.a, p.c, p.m, p.n, p.n};
}

/// Products whose result is symmetric or hermitian, in one launch or two.
template <class T> hipError_t update_rank(const Problem &p, hipStream_t stream) {
  using enum Operation;
  const bool hermitian = p.operation == herk || p.operation == her2k || p.operation == herkx;
  const bool two = p.operation == syr2k || p.operation == her2k;
  const bool one_factor = p.operation == syrk || p.operation == herk;
  const bool is_plain = p.trans_a == op_n;
  Layout first, second;
  const int transposed = hermitian ? op_c : op_t;
  first.operation = is_plain ? op_n : transposed;
  second.operation = is_plain ? transposed : op_n;
  Product q{first, second, p.a, one_factor ? p.a : p.b, p.c, p.n, p.n, p.k};
  q.filled = p.uplo;
  q.hermitian = hermitian;
  const hipError_t error = launch_product<T>(p, q, stream);
  if (error != hipSuccess || !two)
    return error;
  q.a = p.b;
  q.b = p.a;
  if (hermitian)
    q.alpha = Scale::conjugated;
  q.beta = Scale::one;
  return launch_product<T>(p, q, stream);
}

template <class T> hipError_t launch_matrices(const Problem &p, hipStream_t stream) {
  using enum Operation;
  Layout a_layout, b_layout;
  switch (p.operation) {
  case gemm:
    a_layout.operation = p.trans_a;
    b_layout.operation = p.trans_b;
    return launch_product<T>(p, {a_layout, b_layout, p.a, p.b, p.c, p.m, p.n, p.k}, stream);
  case symm:
  case hemm:
    return launch_product<T>(p, structured_product(p), stream);
  case trmm:
    return multiply_triangular<T>(p, structured_product(p), stream);
  case geam:
  case dgmm:
    return launch_map<T>(p, nullptr, stream);
  case trsm:
  case trtri: {
    Layout layout;
    layout.structure = Structure::triangular;
    layout.operation = p.trans_a;
    layout.uplo = p.uplo;
    layout.unit_diagonal = p.diag == unit;
    if (p.operation == trsm)
      return solve_matrix<T>(p, layout, stream);
    return launch_solve<T>(p, {layout, p.a, p.b, p.n, p.n, 1, p.b.step, false, Scale::one, true},
                           stream);
  }
  default:
    return update_rank<T>(p, stream);
  }
}

} // namespace hipblas
