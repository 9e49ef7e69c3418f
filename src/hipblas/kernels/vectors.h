// Kernels on vectors, for the files that instantiate them.
#pragma once

#include "../rotations.h"
#include "matrix.h"

namespace hipblas {

constexpr int vector_threads = 256;

/// A vector of one problem, whose elements are `stored`, or of its type, where that is none. `dense`: beside each other.
template <class T, Type stored, bool dense> struct Vector {
  __device__ Vector(const Problem &p, const Operand &operand, int64_t batch)
      : data_(data_of<stored>(operand, p.kind, batch)),
        type_(stored == Type::none ? operand.type : stored), first_(first_of(p.n, operand.step)),
        step_(operand.step) {}

  __device__ T operator[](int64_t i) const { return load<T>(data_, type(), at(i)); }
  __device__ void set(int64_t i, T value) const { store(data_, type(), at(i), value); }

private:
  __device__ Type type() const { return stored == Type::none ? type_ : stored; }
  __device__ int64_t at(int64_t i) const { return dense ? i : first_ + i * step_; }

  void *data_;
  Type type_;
  int64_t first_, step_;
};

constexpr bool has_y(Operation operation) {
  using enum Operation;
  return operation != scal && operation != asum && operation != nrm2 && operation != iamax &&
         operation != iamin;
}

constexpr bool has_alpha(Operation operation) {
  using enum Operation;
  return operation == scal || operation == axpy || operation == rot;
}

template <class T, Type stored, Operation operation, bool dense>
__device__ __forceinline__ void map_element(const Problem &p, const Factors<T> &factors,
                                            int64_t batch) {
  using enum Operation;
  const Vector<T, stored, dense> x(p, p.x, batch),
      y(p, has_y(operation) ? p.y : p.x, batch); // what has no y does not look at it
  const T alpha = has_alpha(operation) ? factors.alpha.template get<stored>() : T(0);
  const T beta = operation == rot ? factors.beta.template get<stored>() : T(0);
  const int64_t i = int64_t(blockIdx.x) * vector_threads + threadIdx.x;
  if (i >= p.n)
    return;
  if constexpr (operation == scal) {
    x.set(i, alpha * x[i]);
  } else if constexpr (operation == copy) {
    y.set(i, x[i]);
  } else if constexpr (operation == axpy) {
    y.set(i, y[i] + alpha * x[i]);
  } else if constexpr (operation == swap) {
    const T value = x[i];
    x.set(i, y[i]);
    y.set(i, value);
  } else if constexpr (operation == rot) {
    const T from_x = x[i], from_y = y[i];
    x.set(i, alpha * from_x + beta * from_y);
    y.set(i, alpha * from_y - conj(beta) * from_x);
  } else {
    static_assert(operation == rotm);
    const void *parameters = p.a.data ? data_of(p.a, p.kind, batch) : p.parameters;
    const ModifiedRotation<T> h([&](int k) { return load<T>(parameters, p.x.type, k); });
    if (h.identity)
      return;
    const T from_x = x[i], from_y = y[i];
    x.set(i, h.h11 * from_x + h.h12 * from_y);
    y.set(i, h.h21 * from_x + h.h22 * from_y);
  }
}

constexpr bool is_dense(const Problem &p, Operation operation) {
  return p.x.step == 1 && (!has_y(operation) || p.y.step == 1);
}

/// Elements that do not depend on each other, one of each vector for a thread.
template <class T, Type stored, Operation operation>
__global__ void map_vectors(Problem p, Factors<T> factors) {
  const int64_t batch = batch_of_block();
  if (batch >= p.batch)
    return;
  if (is_dense(p, operation))
    map_element<T, stored, operation, true>(p, factors, batch);
  else
    map_element<T, stored, operation, false>(p, factors, batch);
}

// What vectors are reduced to. A partial result is made of nothing, takes elements, and others into itself.

template <class T> __device__ void set_result(const Problem &p, int64_t batch, T value) {
  store(p.result.pointer, p.result.type, batch, value);
}

template <class T, Operation op> struct Sum {
  static constexpr Operation operation = op;
  std::conditional_t<op == Operation::asum, Real<T>, T> sum;

  __device__ void clear() { sum = 0; }
  __device__ void add(T x, T y, int64_t) {
    if constexpr (op == Operation::asum)
      sum += size(x);
    else
      sum += conj_if(op == Operation::dotc, x) * y;
  }
  __device__ void add(const Sum &other) { sum += other.sum; }
  __device__ void finish(const Problem &p, int64_t batch) const { set_result(p, batch, sum); }
};

/// The root of the sum of squares. Those of very small and very large numbers, which vanish and overflow, are summed for themselves, as
/// multiples of what is exact (Blue, A portable Fortran program to find the Euclidean norm of a vector, 1978).
template <class T> struct Norm {
  using R = Real<T>;
  static constexpr Operation operation = Operation::nrm2;
  static constexpr bool single = sizeof(R) == 4;
  static constexpr R small_limit = single ? R(0x1p-63) : R(0x1p-511);
  static constexpr R large_limit = single ? R(0x1p52) : R(0x1p486);
  static constexpr R small_scale = single ? R(0x1p75) : R(0x1p537);
  static constexpr R large_scale = single ? R(0x1p-76) : R(0x1p-538);
  R small, medium, large;

  __device__ void clear() { small = medium = large = 0; }
  __device__ void add_part(R part) {
    const R size = magnitude(part);
    const bool is_small = size<small_limit, is_large = size> large_limit;
    const R scaled = size * (is_small ? small_scale : is_large ? large_scale : R(1));
    const R square = scaled * scaled;
    small += is_small ? square : R(0);
    medium += is_small || is_large ? R(0) : square; // what is not a number, too
    large += is_large ? square : R(0);
  }
  __device__ void add(T x, T, int64_t) {
    if constexpr (is_complex_v<T>) {
      add_part(x.re);
      add_part(x.im);
    } else {
      add_part(x);
    }
  }
  __device__ void add(const Norm &other) {
    small += other.small;
    medium += other.medium;
    large += other.large;
  }
  __device__ void finish(const Problem &p, int64_t batch) const {
    R norm;
    if (large > 0) {
      norm = root(large + medium * large_scale * large_scale) / large_scale;
    } else if (small > 0) {
      const R a = root(medium), b = root(small) / small_scale;
      // Those that are not numbers are no more than the others, and no less.
      const R most = a < b ? b : a, least = a < b ? a : b, ratio = least / most;
      norm = most * root(R(1) + ratio * ratio);
    } else {
      norm = root(medium);
    }
    set_result(p, batch, norm);
  }
};

/// The first of the largest or smallest elements.
template <class T, Operation op> struct Best {
  static constexpr Operation operation = op;
  Real<T> value;
  int64_t index;

  __device__ void clear() {
    value = 0;
    index = -1;
  }
  __device__ void add(T x, T, int64_t i) { add(Best{size(x), i}); }
  __device__ void add(const Best &other) {
    const bool better = op == Operation::iamax ? other.value > value : other.value < value;
    if (other.index >= 0 && (index < 0 || better || (other.value == value && other.index < index)))
      *this = other;
  }
  __device__ void finish(const Problem &p, int64_t batch) const {
    if (p.result.type == Type::i64)
      static_cast<int64_t *>(p.result.pointer)[batch] = index + 1;
    else
      static_cast<int32_t *>(p.result.pointer)[batch] = int32_t(index + 1);
  }
};

/// All threads of the block get what all of them have together.
template <class Reduction> __device__ Reduction combine_in_block(const Reduction &mine) {
  __shared__ Reduction all[vector_threads];
  all[threadIdx.x] = mine;
  __syncthreads();
  for (int half = vector_threads / 2; half > 0; half /= 2) {
    if (int(threadIdx.x) < half)
      all[threadIdx.x].add(all[threadIdx.x + half]);
    __syncthreads();
  }
  const Reduction total = all[0];
  __syncthreads();
  return total;
}

template <class T, Type stored, class Reduction, bool dense>
__device__ __forceinline__ Reduction reduce_elements(const Problem &p, int64_t batch) {
  constexpr bool with_y = has_y(Reduction::operation);
  const Vector<T, stored, dense> x(p, p.x, batch), y(p, with_y ? p.y : p.x, batch);
  Reduction mine;
  mine.clear();
  const int64_t threads = int64_t(gridDim.x) * vector_threads;
  for (int64_t i = int64_t(blockIdx.x) * vector_threads + threadIdx.x; i < p.n; i += threads)
    mine.add(x[i], with_y ? y[i] : T(0), i);
  return mine;
}

/// Several blocks for each problem of a batch, whose results go to `partials`, or one, whose result is the problem's.
template <class T, Type stored, class Reduction>
__global__ void reduce_vectors(Problem p, Reduction *partials) {
  for (int64_t batch = blockIdx.y; batch < p.batch; batch += gridDim.y) {
    const Reduction mine = is_dense(p, Reduction::operation)
                               ? reduce_elements<T, stored, Reduction, true>(p, batch)
                               : reduce_elements<T, stored, Reduction, false>(p, batch);
    const Reduction total = combine_in_block(mine);
    if (threadIdx.x != 0)
      continue;
    if (partials)
      partials[batch * gridDim.x + blockIdx.x] = total;
    else
      total.finish(p, batch);
  }
}

template <class Reduction>
__global__ void finish_reduction(Problem p, const Reduction *partials, int count) {
  for (int64_t batch = blockIdx.x; batch < p.batch; batch += gridDim.x) {
    Reduction mine;
    mine.clear();
    for (int i = int(threadIdx.x); i < count; i += int(blockDim.x))
      mine.add(partials[batch * count + i]);
    const Reduction total = combine_in_block(mine);
    if (threadIdx.x == 0)
      total.finish(p, batch);
  }
}

template <class T> __global__ void make_rotations(Problem p) {
  const int64_t threads = int64_t(gridDim.x) * blockDim.x;
  for (int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x; i < p.batch; i += threads)
    make_rotation<T>(p, i);
}

/// Whether all is stored as it is computed with.
template <class T> bool is_plain(const Problem &p, Operation operation) {
  return p.x.type == own_type<T> && (!has_y(operation) || p.y.type == own_type<T>) &&
         (!has_alpha(operation) || p.alpha.type == own_type<T>) &&
         (operation != Operation::rot || p.beta.type == own_type<T>);
}

template <class T, Operation operation>
hipError_t launch_map(const Problem &p, hipStream_t stream) {
  const dim3 blocks = blocks_of_batch((p.n + vector_threads - 1) / vector_threads, p.batch);
  return launch_kernel(is_plain<T>(p, operation) ? map_vectors<T, own_type<T>, operation>
                                                 : map_vectors<T, Type::none, operation>,
                       blocks, vector_threads, stream, p, Factors<T>(p));
}

template <class T, class Reduction>
hipError_t launch_reduction(const Problem &p, hipStream_t stream) {
  constexpr int64_t elements_of_thread = 16, most = 512;
  const int64_t wanted = p.n / (vector_threads * elements_of_thread);
  const int64_t blocks = wanted < 1 ? 1 : wanted < most ? wanted : most;
  const auto kernel = is_plain<T>(p, Reduction::operation)
                          ? reduce_vectors<T, own_type<T>, Reduction>
                          : reduce_vectors<T, Type::none, Reduction>;
  const dim3 grid(unsigned(blocks), blocks_for(p.batch, 1));
  if (blocks == 1)
    return launch_kernel(kernel, grid, vector_threads, stream, p, nullptr);
  const StreamMemory memory(size_t(blocks) * size_t(p.batch) * sizeof(Reduction), stream);
  if (memory.error != hipSuccess)
    return memory.error;
  auto *const partials = static_cast<Reduction *>(memory.data);
  const hipError_t error = launch_kernel(kernel, grid, vector_threads, stream, p, partials);
  return error != hipSuccess ? error
                             : launch_kernel(finish_reduction<Reduction>, blocks_for(p.batch, 1),
                                             vector_threads, stream, p, partials, int(blocks));
}

template <class T> hipError_t launch_vectors(const Problem &p, hipStream_t stream) {
  using enum Operation;
  switch (p.operation) {
  case rotg:
  case rotmg:
    return launch_kernel(make_rotations<T>, blocks_for(p.batch, 64), 64, stream, p);
  case iamax:
    return launch_reduction<T, Best<T, iamax>>(p, stream);
  case iamin:
    return launch_reduction<T, Best<T, iamin>>(p, stream);
  case asum:
    return launch_reduction<T, Sum<T, asum>>(p, stream);
  case nrm2:
    return launch_reduction<T, Norm<T>>(p, stream);
  case dot:
  case dotu:
    return launch_reduction<T, Sum<T, dot>>(p, stream);
  case dotc:
    return launch_reduction<T, Sum<T, dotc>>(p, stream);
  case scal:
    return launch_map<T, scal>(p, stream);
  case copy:
    return launch_map<T, copy>(p, stream);
  case axpy:
    return launch_map<T, axpy>(p, stream);
  case swap:
    return launch_map<T, swap>(p, stream);
  case rot:
    return launch_map<T, rot>(p, stream);
  case rotm:
    if constexpr (!is_complex_v<T>)
      return launch_map<T, rotm>(p, stream);
    [[fallthrough]];
  default:
    return hipErrorNotSupported;
  }
}

} // namespace hipblas
