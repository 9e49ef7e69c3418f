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
  int64_t step, next;   ///< From one element of a vector to the next, and from vector to vector.
  bool swapped = false; ///< The matrix is the transpose of what `layout` says.
  Scale scale = Scale::one; ///< What b is multiplied by.
  bool identity = false;    ///< b are the columns of the identity; only the triangle is written.
};

/// Whether the first elements are those that no others are needed for.
HIPBLAS_BOTH inline bool is_lower(const Layout &layout, bool swapped) {
  return (layout.uplo == lower) == ((layout.operation == op_n) != swapped);
}

/// A block for each right-hand side: element after element is taken out of those that follow.
template <class T> __global__ void solve_triangular(Problem p, Solve s, Factors<T> factors) {
  const bool forward = is_lower(s.layout, s.swapped);
  const T alpha = factors.get_alpha(s.scale);
  for (int64_t batch = blockIdx.y; batch < p.batch; batch += gridDim.y) {
    // What is multiplied by 0 is not read, and need not be there.
    const void *const a = alpha == T(0) ? nullptr : data_of(s.matrix, p.kind, batch);
    const auto element_at = [&](int64_t i, int64_t j) {
      return s.swapped ? element<T>(a, s.matrix, s.layout, j, i)
                       : element<T>(a, s.matrix, s.layout, i, j);
    };
    for (int64_t vector = blockIdx.x; vector < s.count; vector += gridDim.x) {
      T *const x = static_cast<T *>(data_of(s.vectors, p.kind, batch)) + vector * s.next;
      const int64_t begin = s.identity && forward ? vector : 0;
      const int64_t end = s.identity && !forward ? vector + 1 : s.n;
      for (int64_t i = begin + threadIdx.x; i < end; i += blockDim.x) {
        if (s.identity)
          x[i * s.step] = T(i == vector ? 1 : 0);
        else if (s.scale != Scale::one)
          x[i * s.step] = alpha == T(0) ? T(0) : alpha * x[i * s.step];
      }
      __syncthreads();
      if (alpha == T(0))
        continue;
      for (int64_t step = begin; step < end; ++step) {
        const int64_t i = forward ? step : begin + end - 1 - step;
        if (threadIdx.x == 0 && !s.layout.unit_diagonal)
          x[i * s.step] = x[i * s.step] / element_at(i, i);
        __syncthreads();
        const T solved = x[i * s.step];
        const int64_t rest_begin = forward ? i + 1 : begin, rest_end = forward ? end : i;
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

/// A thread for each right-hand side of small systems.
template <class T>
__global__ void __launch_bounds__(solve_threads)
    solve_small(Problem p, Solve s, Factors<T> factors) {
  const int64_t work = int64_t(blockIdx.x) * solve_threads + threadIdx.x;
  const int64_t batch = work / s.count, vector = work % s.count;
  if (batch >= p.batch)
    return;
  const bool forward = is_lower(s.layout, s.swapped);
  const T alpha = factors.get_alpha(s.scale);
  const bool is_zero = alpha == T(0); // Then the matrix is not read, and need not be there.
  const void *const a = is_zero ? nullptr : data_of(s.matrix, p.kind, batch);
  T *const x = static_cast<T *>(data_of(s.vectors, p.kind, batch)) + vector * s.next;
  for (int64_t step = 0; step < s.n; ++step) {
    const int64_t i = forward ? step : s.n - 1 - step;
    T value(0);
    if (!is_zero) {
      const auto element_of = [&](int64_t j) {
        return s.swapped ? element<T>(a, s.matrix, s.layout, j, i)
                         : element<T>(a, s.matrix, s.layout, i, j);
      };
      value = alpha * x[i * s.step];
      for (int64_t before = 0; before < step; ++before) {
        const int64_t j = forward ? before : s.n - 1 - before;
        value = value - element_of(j) * x[j * s.step];
      }
      value = value / element_of(i);
    }
    x[i * s.step] = value;
  }
}

constexpr int solve_side = 32, solve_warps = 8;

/// A system that is not larger than a block's memory, for as many right-hand sides as a warp has threads: what is solved is taken out of
/// the rest by all threads.
template <class T>
__global__ void __launch_bounds__(solve_side *solve_warps)
    solve_block(Problem p, Solve s, Factors<T> factors) {
  constexpr int rounds = solve_side / solve_warps;
  __shared__ T matrix[solve_side][solve_side + 1];
  __shared__ T vectors[solve_side][solve_side + 1];
  const int64_t batch = batch_of_block();
  if (batch >= p.batch)
    return;
  const int lane = int(threadIdx.x), warp = int(threadIdx.y), n = int(s.n);
  const bool forward = is_lower(s.layout, s.swapped);
  const auto row_of = [&](int step) { return int64_t(forward ? step : n - 1 - step); };
  const T alpha = factors.get_alpha(s.scale);
  const bool is_zero = alpha == T(0); // Then the matrix is not read, and need not be there.
  const void *const a = is_zero ? nullptr : data_of(s.matrix, p.kind, batch);
  const int64_t first = int64_t(blockIdx.x) * solve_side;
  T *const x = static_cast<T *>(data_of(s.vectors, p.kind, batch)) + first * s.next;
  // Threads beside each other read and write elements beside each other.
  const bool by_vectors = s.next == 1;
#pragma unroll
  for (int round = 0; round < rounds; ++round) {
    const int other = warp + round * solve_warps;
    T value(lane == other ? 1 : 0);
    if (lane < n && other <= lane && !is_zero) {
      const int64_t i = row_of(lane), j = row_of(other);
      value = s.swapped ? element<T>(a, s.matrix, s.layout, j, i)
                        : element<T>(a, s.matrix, s.layout, i, j);
    }
    matrix[lane][other] = value;
    const int step = by_vectors ? other : lane, vector = by_vectors ? lane : other;
    vectors[step][vector] = step < n && first + vector < s.count && !is_zero
                                ? alpha * x[row_of(step) * s.step + vector * s.next]
                                : T(0);
  }
  __syncthreads();
  for (int step = 0; step < solve_side; ++step) {
    const T solved = vectors[step][lane] / matrix[step][step];
#pragma unroll
    for (int round = 0; round < rounds; ++round) {
      const int row = warp + round * solve_warps;
      if (row > step)
        vectors[row][lane] = vectors[row][lane] - matrix[row][step] * solved;
    }
    __syncthreads();
  }
#pragma unroll
  for (int round = 0; round < rounds; ++round) {
    const int other = warp + round * solve_warps;
    const int step = by_vectors ? other : lane, vector = by_vectors ? lane : other;
    if (step < n && first + vector < s.count)
      x[row_of(step) * s.step + vector * s.next] = vectors[step][vector] / matrix[step][step];
  }
}

/// A system of at most `solve_side` elements for each right-hand side.
template <class T>
hipError_t launch_block_solve(const Problem &p, const Solve &solve, hipStream_t stream) {
  constexpr int64_t small = 16, few = 8;
  const int64_t all_blocks = (solve.count * p.batch + solve_threads - 1) / solve_threads;
  if (solve.n <= small && all_blocks < (int64_t(1) << 31))
    return launch_kernel(solve_small<T>, dim3(unsigned(all_blocks)), solve_threads, stream, p,
                         solve, Factors<T>(p));
  if (solve.count < few)
    return launch_solve<T>(p, solve, stream);
  const dim3 blocks = blocks_of_batch((solve.count + solve_side - 1) / solve_side, p.batch);
  return launch_kernel(solve_block<T>, blocks, dim3(solve_side, solve_warps), stream, p, solve,
                       Factors<T>(p));
}

/// The part of a stored matrix that begins with element (i, j) of what it stands for.
inline Operand block_of(const Operand &matrix, const Layout &layout, int64_t i, int64_t j) {
  Operand block = matrix;
  block.offset += layout.operation == op_n ? i + j * matrix.step : j + i * matrix.step;
  return block;
}

struct Part {
  int64_t first, size;
};

/// Solves one half, takes that out of the other, and solves this: most of it are products. `solve` does a part that fits a block, and
/// `take_out` the middle step. Both are told whether what they write is still to be multiplied by alpha, as `all` is where `is_first`.
template <class SolvePart, class TakeOut>
hipError_t solve_in_parts(Part all, bool forward, bool is_first, const SolvePart &solve,
                          const TakeOut &take_out) {
  if (all.size <= solve_side)
    return solve(all, is_first);
  const int64_t half = (all.size / 2 + solve_side - 1) / solve_side * solve_side,
                rest = all.size - half;
  const Part one{forward ? all.first : all.first + rest, half};
  const Part other{forward ? all.first + half : all.first, rest};
  hipError_t error = solve_in_parts(one, forward, is_first, solve, take_out);
  if (error == hipSuccess)
    error = take_out(one, other, is_first);
  return error == hipSuccess ? solve_in_parts(other, forward, false, solve, take_out) : error;
}

} // namespace hipblas
