// The kernels, for the files that instantiate them.
#pragma once

#include "../../hipblas/kernels/launch_kernel.h"
#include "../work.h"
#include "elements.h"

#include <algorithm>
#include <climits>
#include <cstring>

namespace hipblaslt {

using hipblas::launch_kernel;

/// The element that a thread takes: there is one thread for each, and others behind the last row of each column.
struct Place {
  int64_t row, column, batch;

  __device__ explicit Place(const Size &size)
      : row(int64_t(blockIdx.x) * blockDim.x + threadIdx.x), column(size.first_column + blockIdx.y),
        batch(size.first_batch + blockIdx.z) {}
};

__device__ inline int64_t index_in(const Matrix &matrix, int64_t row, int64_t column,
                                   int64_t batch) {
  return row * matrix.row_step + column * matrix.column_step + batch * matrix.batch_step;
}

/// A number of the device's, or else `host`, which is what `on_host` makes of the same scalar. Kernels get it as an argument of its own:
/// a structure is copied for each thread if a kernel chooses between the address of a member and another.
template <class T> __device__ T value_of(const Scalar &scalar, T host, int64_t index = 0) {
  return scalar.pointer ? load<T>(scalar.pointer, scalar.type, index) : host;
}

template <class T> T on_host(const Scalar &scalar) {
  const auto as = [&](auto value) {
    std::memcpy(&value, scalar.bytes, sizeof value);
    return value;
  };
  switch (scalar.type) {
  case HIP_R_64F:
    return T(as(double()));
  case HIP_R_32I:
    return T(as(int32_t()));
  case HIP_R_16F:
    return T(hipblas::from_half(as(uint16_t())));
  default:
    return T(as(float()));
  }
}

template <class T> __device__ T scale_at(const void *scales, int64_t index = 0) {
  return scales ? static_cast<const T *>(scales)[index] : T(1);
}

// GELU is x P(x), by its approximation with tanh: P(x) = 0.5 (1 + tanh(u)) = 1 / (1 + exp(-2 u)), u = sqrt(2 / pi) (x + 0.044715 x^3).
template <class T> inline constexpr T gelu_factor = T(0.7978845608028654);
// Powers that 1 does not change are left out: those that are denormal take processors long.
template <class T> __device__ T gelu_probability(T x) {
  const T exponent = T(-2) * gelu_factor<T> * (x + T(0.044715) * x * x * x);
  return T(1) / (T(1) + std::exp(std::max(exponent, T(-80))));
}
template <class T> __device__ T gelu(T x) { return x * gelu_probability(x); }
template <class T> __device__ T gelu_derivative(T x) {
  const T p = gelu_probability(x), u_derivative = gelu_factor<T> * (T(1) + T(0.134145) * x * x);
  return p + T(2) * x * p * (T(1) - p) * u_derivative;
}

template <class T> __device__ T activated(Activation activation, T x) {
  if (activation == Activation::relu)
    return x > T(0) ? x : T(0);
  if constexpr (std::is_floating_point_v<T>)
    if (activation == Activation::gelu)
      return gelu(x);
  return x;
}

/// One element of D for each thread. `with_amax` is known when the kernel is compiled, since threads that exchange values are slower.
template <class T, bool with_amax> __global__ void finish(Finish work, T host_alpha, T host_beta) {
  const auto [row, column, batch] = Place(work.size);
  T largest = 0;
  if (row < work.size.rows) {
    const T alpha = value_of(work.alpha, host_alpha, work.alpha_per_row ? row : 0) *
                    scale_at<T>(work.a_scale) * scale_at<T>(work.b_scale) *
                    scale_at<T>(work.row_scales, row) * scale_at<T>(work.column_scales, column);
    const T beta = value_of(work.beta, host_beta) * scale_at<T>(work.c_scale);
    const int64_t at_product = index_in(work.product, row, column, batch);
    // What is multiplied by zero is not looked at: it may be no number.
    T x = alpha == T(0) ? T(0) : alpha * load<T>(work.product.data, work.product.type, at_product);
    if (beta != T(0))
      x += beta * load<T>(work.c.data, work.c.type, index_in(work.c, row, column, batch));
    if (work.bias)
      x += load<T>(work.bias, work.bias_type, row);
    if constexpr (std::is_floating_point_v<T>)
      if (work.aux.data) {
        const int64_t at_aux = index_in(work.aux, row, column, batch);
        const T aux_scale = scale_at<T>(work.aux_scale);
        if (work.activation == Activation::gelu_derivative)
          x *= gelu_derivative(load<T>(work.aux.data, work.aux.type, at_aux) * aux_scale);
        else
          store(work.aux.data, work.aux.type, at_aux, x * aux_scale);
      }
    x = activated(work.activation, x);
    if (work.keeps)
      store(work.product.data, work.product.type, at_product, x);
    if constexpr (with_amax)
      largest = x < T(0) ? -x : x;
    store(work.d.data, work.d.type, index_in(work.d, row, column, batch),
          x * scale_at<T>(work.d_scale));
  }
  if constexpr (with_amax) {
    for (int distance = warpSize / 2; distance; distance /= 2)
      largest = fmaxf(largest, __shfl_xor(largest, distance));
    // The bits of floats that are not negative have the order of the floats.
    if (threadIdx.x % warpSize == 0)
      atomicMax(reinterpret_cast<unsigned int *>(work.amax), __float_as_uint(largest));
  }
}

/// Elements by columns, as a kernel takes them that knows their type.
template <class T> struct Columns {
  T *data = nullptr;
  int64_t ld = 0, stride = 0;

  /// From a column and a matrix on.
  Columns(const Matrix &matrix, const Size &first)
      : data(static_cast<T *>(matrix.data)), ld(matrix.column_step), stride(matrix.batch_step) {
    if (data)
      data += first.first_column * ld + first.first_batch * stride;
  }
  __device__ T &at(int64_t row) const { return data[row + blockIdx.y * ld + blockIdx.z * stride]; }
};

/// The same where floats are by columns, and there are only a factor of the host's, a bias and what the activation is applied to, both
/// of the type of D, as in most products of neural networks. Without branches on what else there could be, it is several times as fast.
template <class D, Activation activation, bool with_aux>
__global__ void finish_floats(Columns<float> product, Columns<D> d, Columns<D> aux, const D *bias,
                              float alpha, bool keeps, int64_t rows) {
  const int64_t row = int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (row >= rows)
    return;
  float x = alpha * product.at(row);
  if (bias)
    x += to_float(bias[row]);
  if constexpr (activation == Activation::gelu_derivative) {
    x *= gelu_derivative(to_float(aux.at(row)));
    if (keeps)
      product.at(row) = x;
  } else if constexpr (with_aux) {
    from_float(x, aux.at(row));
  }
  from_float(activated(activation, x), d.at(row));
}

template <class T> __global__ void combine(Combination work, T host_alpha, T host_beta) {
  const auto [row, column, batch] = Place(work.size);
  if (row >= work.size.rows)
    return;
  const T alpha = value_of(work.alpha, host_alpha), beta = value_of(work.beta, host_beta);
  T x = 0;
  if (work.a.data && alpha != T(0))
    x += alpha * load<T>(work.a.data, work.a.type, index_in(work.a, row, column, batch));
  if (work.b.data && beta != T(0))
    x += beta * load<T>(work.b.data, work.b.type, index_in(work.b, row, column, batch));
  store(work.c.data, work.c.type, index_in(work.c, row, column, batch), x);
}

/// Each thread takes a row.
template <class T> __global__ void sum_rows(RowSums work) {
  const int64_t threads = int64_t(gridDim.x) * blockDim.x;
  for (int64_t row = int64_t(blockIdx.x) * blockDim.x + threadIdx.x; row < work.size.rows;
       row += threads) {
    // Errors that sums of many elements lose are carried along.
    T sum = 0, lost = 0;
    for (int64_t column = 0; column < work.size.columns; ++column) {
      const T term =
          load<T>(work.matrix.data, work.matrix.type, index_in(work.matrix, row, column, 0)) - lost;
      const T next = sum + term;
      lost = (next - sum) - term;
      sum = next;
    }
    store(work.result, work.result_type, row, sum);
  }
}

inline unsigned int blocks_for(int64_t elements, int64_t for_each, int64_t most) {
  return static_cast<unsigned int>(
      std::clamp<int64_t>((elements + for_each - 1) / for_each, 1, most));
}

/// Calls `launch` with the grids and blocks of kernels that have a thread for each element, in whole warps, and with the size that
/// tells a kernel where it begins. Grids are of up to 65,535 columns and matrices.
template <class Launch> hipError_t launch_for_elements(Size size, const Launch &launch) {
  constexpr int64_t most = 65535;
  const dim3 block(blocks_for(size.rows, 32, 8) * 32);
  const unsigned int blocks = blocks_for(size.rows, block.x, INT_MAX);
  for (size.first_batch = 0; size.first_batch < size.batch; size.first_batch += most)
    for (size.first_column = 0; size.first_column < size.columns; size.first_column += most) {
      const dim3 grid(blocks, unsigned(std::min(most, size.columns - size.first_column)),
                      unsigned(std::min(most, size.batch - size.first_batch)));
      if (const hipError_t error = launch(grid, block, size); error != hipSuccess)
        return error;
    }
  return hipSuccess;
}

/// Queues the kernel for floats.
template <class D, Activation activation, bool with_aux>
hipError_t launch_floats(const Finish &work, hipStream_t stream) {
  const auto alpha = on_host<float>(work.alpha);
  return launch_for_elements(work.size, [&](dim3 grid, dim3 block, const Size &size) {
    return launch_kernel(finish_floats<D, activation, with_aux>, grid, block, stream,
                         Columns<float>(work.product, size), Columns<D>(work.d, size),
                         Columns<D>(work.aux, size), static_cast<const D *>(work.bias), alpha,
                         work.keeps, size.rows);
  });
}

/// The same for the activation.
template <class D> hipError_t launch_floats(const Finish &work, hipStream_t stream) {
  switch (work.activation) {
  case Activation::none:
    return launch_floats<D, Activation::none, false>(work, stream);
  case Activation::relu:
    return launch_floats<D, Activation::relu, false>(work, stream);
  case Activation::gelu:
    return work.aux.data ? launch_floats<D, Activation::gelu, true>(work, stream)
                         : launch_floats<D, Activation::gelu, false>(work, stream);
  default:
    return launch_floats<D, Activation::gelu_derivative, true>(work, stream);
  }
}

/// Whether that kernel does all there is to do.
inline bool is_of_floats(const Finish &work) {
  const bool is_known =
      work.d.type == HIP_R_32F || work.d.type == HIP_R_16F || work.d.type == HIP_R_16BF;
  return is_known && work.product.type == HIP_R_32F && work.d.row_step == 1 &&
         !work.alpha.pointer && !is_zero(work.alpha) && is_zero(work.beta) && !work.a_scale &&
         !work.b_scale && !work.d_scale && (!work.aux_scale || !work.aux.data) &&
         !work.row_scales && !work.column_scales && !work.amax &&
         (!work.bias || work.bias_type == work.d.type);
}

template <class T> hipError_t launch(const Finish &work, hipStream_t stream) {
  if constexpr (std::is_same_v<T, float>)
    if (is_of_floats(work))
      return work.d.type == HIP_R_32F   ? launch_floats<float>(work, stream)
             : work.d.type == HIP_R_16F ? launch_floats<Half>(work, stream)
                                        : launch_floats<Bfloat>(work, stream);
  auto kernel = finish<T, false>;
  if constexpr (std::is_same_v<T, float>)
    if (work.amax)
      kernel = finish<float, true>;
  return launch_for_elements(work.size, [&](dim3 grid, dim3 block, const Size &size) {
    Finish part = work;
    part.size = size;
    return launch_kernel(kernel, grid, block, stream, part, on_host<T>(work.alpha),
                         on_host<T>(work.beta));
  });
}

template <class T> hipError_t launch(const Combination &work, hipStream_t stream) {
  return launch_for_elements(work.size, [&](dim3 grid, dim3 block, const Size &size) {
    Combination part = work;
    part.size = size;
    return launch_kernel(combine<T>, grid, block, stream, part, on_host<T>(work.alpha),
                         on_host<T>(work.beta));
  });
}

template <class T> hipError_t launch(const RowSums &work, hipStream_t stream) {
  return launch_kernel(sum_rows<T>, blocks_for(work.size.rows, 64, 65535), 64, stream, work);
}

#define HIPBLASLT_INSTANTIATE(T)                                                                   \
  template hipError_t launch<T>(const Finish &, hipStream_t);                                      \
  template hipError_t launch<T>(const Combination &, hipStream_t);                                 \
  template hipError_t launch<T>(const RowSums &, hipStream_t);

} // namespace hipblaslt
