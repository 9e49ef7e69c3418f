// Kernels on vectors, for the files that instantiate them.
#pragma once

#include "../rotations.h"
#include "matrix.h"

namespace hipblas {

constexpr int vector_threads = 256;

/// Elements that do not depend on each other: each thread takes some.
template <class T> __global__ void map_vectors(Problem p) {
  using enum Operation;
  const int64_t first_x = first_of(p.n, p.x.step), first_y = first_of(p.n, p.y.step);
  const int64_t threads = int64_t(gridDim.x) * blockDim.x;
  for (int64_t batch = blockIdx.y; batch < p.batch; batch += gridDim.y) {
    void *const x_data = data_of(p.x, p.kind, batch);
    void *const y_data = p.operation == scal ? nullptr : data_of(p.y, p.kind, batch);
    for (int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x; i < p.n; i += threads) {
      const int64_t at_x = first_x + i * p.x.step, at_y = first_y + i * p.y.step;
      const T x = load<T>(x_data, p.x.type, at_x);
      if (p.operation == scal) {
        store(x_data, p.x.type, at_x, value_of<T>(p.alpha) * x);
        continue;
      }
      if (p.operation == copy) {
        store(y_data, p.y.type, at_y, x);
        continue;
      }
      const T y = load<T>(y_data, p.y.type, at_y);
      if (p.operation == axpy) {
        store(y_data, p.y.type, at_y, y + value_of<T>(p.alpha) * x);
      } else if (p.operation == swap) {
        store(y_data, p.y.type, at_y, x);
        store(x_data, p.x.type, at_x, y);
      } else if (p.operation == rot) {
        const T c = value_of<T>(p.alpha), s = value_of<T>(p.beta);
        store(x_data, p.x.type, at_x, c * x + s * y);
        store(y_data, p.y.type, at_y, c * y - conj(s) * x);
      } else if constexpr (!is_complex_v<T>) { // rotm
        const void *parameters = p.a.data ? data_of(p.a, p.kind, batch) : p.parameters;
        const ModifiedRotation<T> h([&](int k) { return load<T>(parameters, p.x.type, k); });
        if (h.identity)
          continue;
        store(x_data, p.x.type, at_x, h.h11 * x + h.h12 * y);
        store(y_data, p.y.type, at_y, h.h21 * x + h.h22 * y);
      }
    }
  }
}

template <class T> __device__ void set_result(const Problem &p, int64_t batch, T value) {
  store(p.result.pointer, p.result.type, batch, value);
}

/// Sums, one block for each problem of a batch.
template <class T> __global__ void reduce_vectors(Problem p) {
  using enum Operation;
  using R = Real<T>;
  __shared__ T sums[vector_threads];
  __shared__ R sizes[vector_threads];
  const int64_t first_x = first_of(p.n, p.x.step), first_y = first_of(p.n, p.y.step);
  for (int64_t batch = blockIdx.x; batch < p.batch; batch += gridDim.x) {
    const void *const x_data = data_of(p.x, p.kind, batch);
    const auto x = [&](int64_t i) { return load<T>(x_data, p.x.type, first_x + i * p.x.step); };
    if (p.operation == asum) {
      R sum = 0;
      for (int64_t i = threadIdx.x; i < p.n; i += blockDim.x)
        sum += size(x(i));
      sum = sum_of_block<R, vector_threads>(sum, sizes);
      if (threadIdx.x == 0)
        set_result(p, batch, sum);
    } else if (p.operation == nrm2) {
      // Scaled by the largest part, so that no square overflows or vanishes.
      R largest = 0;
      bool not_a_number = false;
      for (int64_t i = threadIdx.x; i < p.n; i += blockDim.x) {
        const R s = size(x(i));
        not_a_number = not_a_number || s != s;
        largest = s > largest ? s : largest;
      }
      sizes[threadIdx.x] = not_a_number ? largest * 0 / R(0) : largest;
      __syncthreads();
      for (int half = vector_threads / 2; half > 0; half /= 2) {
        if (int(threadIdx.x) < half) {
          const R other = sizes[threadIdx.x + half];
          if (!(other <= sizes[threadIdx.x]) && sizes[threadIdx.x] == sizes[threadIdx.x])
            sizes[threadIdx.x] = other;
        }
        __syncthreads();
      }
      largest = sizes[0];
      __syncthreads();
      R sum = 0;
      if (largest > 0 && largest - largest == 0)
        for (int64_t i = threadIdx.x; i < p.n; i += blockDim.x) {
          const T value = x(i);
          if constexpr (is_complex_v<T>) {
            const R re = value.re / largest, im = value.im / largest;
            sum += re * re + im * im;
          } else {
            sum += value / largest * (value / largest);
          }
        }
      sum = sum_of_block<R, vector_threads>(sum, sizes);
      if (threadIdx.x == 0)
        set_result(p, batch, largest - largest == 0 ? largest * root(sum) : largest);
    } else {
      const void *const y_data = data_of(p.y, p.kind, batch);
      T sum(0);
      for (int64_t i = threadIdx.x; i < p.n; i += blockDim.x)
        sum +=
            conj_if(p.operation == dotc, x(i)) * load<T>(y_data, p.y.type, first_y + i * p.y.step);
      sum = sum_of_block<T, vector_threads>(sum, sums);
      if (threadIdx.x == 0)
        set_result(p, batch, sum);
    }
  }
}

/// The first of the largest or smallest elements, one block for each problem of a batch.
template <class T> __global__ void find_in_vectors(Problem p) {
  using R = Real<T>;
  __shared__ R sizes[vector_threads];
  __shared__ int64_t indices[vector_threads];
  const bool largest = p.operation == Operation::iamax;
  const auto is_better = [&](R a, int64_t index_a, R b, int64_t index_b) {
    if (index_a < 0 || index_b < 0)
      return index_a >= 0;
    return (largest ? a > b : a < b) || (a == b && index_a < index_b);
  };
  for (int64_t batch = blockIdx.x; batch < p.batch; batch += gridDim.x) {
    const void *const data = data_of(p.x, p.kind, batch);
    R best = 0;
    int64_t index = -1;
    for (int64_t i = threadIdx.x; i < p.n; i += blockDim.x) {
      const R value = size(load<T>(data, p.x.type, i * p.x.step));
      if (is_better(value, i, best, index)) {
        best = value;
        index = i;
      }
    }
    sizes[threadIdx.x] = best;
    indices[threadIdx.x] = index;
    __syncthreads();
    for (int half = vector_threads / 2; half > 0; half /= 2) {
      if (int(threadIdx.x) < half &&
          is_better(sizes[threadIdx.x + half], indices[threadIdx.x + half], sizes[threadIdx.x],
                    indices[threadIdx.x])) {
        sizes[threadIdx.x] = sizes[threadIdx.x + half];
        indices[threadIdx.x] = indices[threadIdx.x + half];
      }
      __syncthreads();
    }
    if (threadIdx.x == 0) {
      if (p.result.type == Type::i64)
        static_cast<int64_t *>(p.result.pointer)[batch] = indices[0] + 1;
      else
        static_cast<int32_t *>(p.result.pointer)[batch] = int32_t(indices[0] + 1);
    }
    __syncthreads();
  }
}

template <class T> __global__ void make_rotations(Problem p) {
  const int64_t threads = int64_t(gridDim.x) * blockDim.x;
  for (int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x; i < p.batch; i += threads)
    make_rotation<T>(p, i);
}

template <class T> hipError_t launch_vectors(const Problem &p, hipStream_t stream) {
  using enum Operation;
  const dim3 threads(vector_threads);
  switch (p.operation) {
  case rotg:
  case rotmg:
    return launch_kernel(make_rotations<T>, blocks_for(p.batch, 64), 64, stream, p);
  case iamax:
  case iamin:
    return launch_kernel(find_in_vectors<T>, blocks_for(p.batch, 1), threads, stream, p);
  case asum:
  case nrm2:
  case dot:
  case dotc:
  case dotu:
    return launch_kernel(reduce_vectors<T>, blocks_for(p.batch, 1), threads, stream, p);
  default:
    return launch_kernel(map_vectors<T>,
                         dim3(blocks_for(p.n, vector_threads), blocks_for(p.batch, 1)), threads,
                         stream, p);
  }
}

} // namespace hipblas
