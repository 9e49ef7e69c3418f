// Systems of equations with triangular matrices.
#pragma once

#include "matrix.h"

namespace hipblas {

constexpr int solve_threads = 64;

/// What is solved: A x = b for `count` right-hand sides, each of `n` elements of `vectors`.
struct Solve {
  Layout layout;
  Operand matrix, vectors;
  int64_t n, count;
  int64_t first, step,
      next; ///< Elements to the first one of a vector, from one to the next, and from vector to vector.
  bool swapped = false;  ///< The matrix is the transpose of what `layout` says.
  bool scaled = false;   ///< alpha b instead of b.
  bool identity = false; ///< b are the columns of the identity; only the triangle is written.
};

/// A block for each right-hand side: element after element is taken out of those that follow.
template <class T> __global__ void solve_triangular(Problem p, Solve s, Factors<T> factors) {
  const bool is_lower = (s.layout.uplo == lower) == ((s.layout.operation == op_n) != s.swapped);
  const T alpha = s.scaled ? factors.alpha.get() : T(1);
  for (int64_t batch = blockIdx.y; batch < p.batch; batch += gridDim.y) {
    // What is multiplied by 0 is not read, and need not be there.
    const void *const a = alpha == T(0) ? nullptr : data_of(s.matrix, p.kind, batch);
    const auto element_at = [&](int64_t i, int64_t j) {
      return s.swapped ? element<T>(a, s.matrix, s.layout, j, i)
                       : element<T>(a, s.matrix, s.layout, i, j);
    };
    for (int64_t vector = blockIdx.x; vector < s.count; vector += gridDim.x) {
      T *const x = static_cast<T *>(data_of(s.vectors, p.kind, batch)) + s.first + vector * s.next;
      const int64_t begin = s.identity && is_lower ? vector : 0;
      const int64_t end = s.identity && !is_lower ? vector + 1 : s.n;
      for (int64_t i = begin + threadIdx.x; i < end; i += blockDim.x) {
        if (s.identity)
          x[i * s.step] = T(i == vector ? 1 : 0);
        else if (s.scaled)
          x[i * s.step] = alpha == T(0) ? T(0) : alpha * x[i * s.step];
      }
      __syncthreads();
      if (alpha == T(0))
        continue;
      for (int64_t step = begin; step < end; ++step) {
        const int64_t i = is_lower ? step : begin + end - 1 - step;
        if (threadIdx.x == 0 && !s.layout.unit_diagonal)
          x[i * s.step] = x[i * s.step] / element_at(i, i);
        __syncthreads();
        const T solved = x[i * s.step];
        const int64_t rest_begin = is_lower ? i + 1 : begin, rest_end = is_lower ? end : i;
        for (int64_t row = rest_begin + threadIdx.x; row < rest_end; row += blockDim.x)
          x[row * s.step] = x[row * s.step] - element_at(row, i) * solved;
        __syncthreads();
      }
    }
  }
}

template <class T>
hipError_t launch_solve(const Problem &p, const Solve &solve, hipStream_t stream) {
  const dim3 blocks(blocks_for(solve.count, 1), blocks_for(p.batch, 1));
  return launch_kernel(solve_triangular<T>, blocks, solve_threads, stream, p, solve, Factors<T>(p));
}

} // namespace hipblas
