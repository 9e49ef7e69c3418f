// What kernels do beside the products, which hipBLAS computes. Types are values of hipDataType.
#pragma once

#include <hip/hip_runtime_api.h>
#include <hip/library_types.h>

#include <cstdint>

namespace hipblaslt {

/// A batch of matrices, with the elements from row to row, from column to column, and from matrix to matrix.
struct Matrix {
  void *data = nullptr;
  int type = HIP_R_32F;
  int64_t row_step = 1, column_step = 0, batch_step = 0;

  Matrix transposed() const { return {data, type, column_step, row_step, batch_step}; }
};

struct Size {
  int64_t rows = 0, columns = 0, batch = 1;
  int64_t first_column = 0, first_batch = 0; ///< Of what one of several kernels does.
};

/// A number of the host's, in `bytes`, or one or more of the device's.
struct Scalar {
  const void *pointer = nullptr;
  int type = HIP_R_32F;
  alignas(8) unsigned char bytes[8] = {};
};

/// Whether a number of the host's is 0.
bool is_zero(const Scalar &scalar);

enum class Activation : uint8_t { none, relu, gelu, gelu_derivative };

/// D = activation(alpha product + beta C + bias), each with its scale. Null is a scale of 1.
struct Finish {
  Size size;
  Matrix product, c, d;
  Scalar alpha, beta;
  bool alpha_per_row = false;
  Activation activation = Activation::none;
  Matrix aux;         ///< What the activation is applied to: written, or read for a derivative.
  bool keeps = false; ///< Whether elements of D before their scale replace those of the product.
  const void *bias = nullptr;
  int bias_type = HIP_R_32F;
  const void *a_scale = nullptr, *b_scale = nullptr, *c_scale = nullptr, *d_scale = nullptr;
  const void *aux_scale = nullptr;
  const void *row_scales = nullptr, *column_scales = nullptr;
  float *amax = nullptr; ///< Is 0 before.
};

/// C = alpha A + beta B. A matrix without data is zero.
struct Combination {
  Size size;
  Matrix a, b, c;
  Scalar alpha, beta;
};

/// result[i] = the sum of row i.
struct RowSums {
  Size size;
  Matrix matrix;
  void *result = nullptr;
  int result_type = HIP_R_32F;
};

// Queue kernels, for what is computed in: float, double, or int32_t. A product may be of integers where floats are computed in.
template <class T> hipError_t launch(const Finish &work, hipStream_t stream);
template <class T> hipError_t launch(const Combination &work, hipStream_t stream);
template <class T> hipError_t launch(const RowSums &work, hipStream_t stream);

} // namespace hipblaslt
