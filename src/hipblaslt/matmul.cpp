#include "arguments.h"

#include "scratch.h"

#define HIPBLAS_V2
#include <hipblas/hipblas.h>

#include <algorithm>
#include <optional>

namespace hipblaslt {

namespace {

/// What a call multiplies, where it has been checked.
struct Product {
  const MatmulDesc &desc;
  const MatrixLayout &a, &b, &c, &d;
  hipDataType sum_type;
  int64_t k;

  Size size() const { return {int64_t(d.rows), int64_t(d.columns), d.batch_count, 0, 0}; }
};

/// Where the matrices of a call are.
struct Data {
  const void *alpha, *a, *b, *beta, *c;
  void *d;
};

/// What the elements of products are summed in; nothing for what is not supported.
std::optional<hipDataType> sum_type(hipblasComputeType_t type) {
  switch (type) {
  case HIPBLAS_COMPUTE_32F:
  case HIPBLAS_COMPUTE_32F_PEDANTIC:
  case HIPBLAS_COMPUTE_32F_FAST_16F:
  case HIPBLAS_COMPUTE_32F_FAST_16BF:
  case HIPBLAS_COMPUTE_32F_FAST_TF32:
  case HIPBLAS_COMPUTE_32F_FAST_8F_FNUZ:
  case HIPBLAS_COMPUTE_32F_FAST_8BF_FNUZ:
  case HIPBLAS_COMPUTE_32F_FAST_8F8BF_FNUZ:
  case HIPBLAS_COMPUTE_32F_FAST_8BF8F_FNUZ:
    return HIP_R_32F;
  case HIPBLAS_COMPUTE_64F:
  case HIPBLAS_COMPUTE_64F_PEDANTIC:
    return HIP_R_64F;
  case HIPBLAS_COMPUTE_32I:
  case HIPBLAS_COMPUTE_32I_PEDANTIC:
    return HIP_R_32I;
  default:
    return std::nullopt;
  }
}

bool types_fit(const Product &p) {
  const int a = int(p.a.type), b = int(p.b.type), c = int(p.c.type), d = int(p.d.type);
  const int scale = p.desc.scale_type;
  switch (p.sum_type) {
  case HIP_R_32F:
    return scale == HIP_R_32F && is_float(a) && is_float(b) && is_float(c) && is_float(d);
  case HIP_R_64F:
    return scale == HIP_R_64F && a == scale && b == scale && c == scale && d == scale;
  default:
    return (scale == HIP_R_32I || scale == HIP_R_32F) && a == HIP_R_8I && b == HIP_R_8I &&
           is_integer(c) && is_integer(d);
  }
}

Activation activation(uint32_t epilogue) {
  switch (epilogue) {
  case HIPBLASLT_EPILOGUE_RELU:
  case HIPBLASLT_EPILOGUE_RELU_BIAS:
    return Activation::relu;
  case HIPBLASLT_EPILOGUE_GELU:
  case HIPBLASLT_EPILOGUE_GELU_BIAS:
  case HIPBLASLT_EPILOGUE_GELU_AUX:
  case HIPBLASLT_EPILOGUE_GELU_AUX_BIAS:
    return Activation::gelu;
  case HIPBLASLT_EPILOGUE_DGELU:
  case HIPBLASLT_EPILOGUE_DGELU_BGRAD:
    return Activation::gelu_derivative;
  default:
    return Activation::none;
  }
}

bool adds_bias(uint32_t epilogue) {
  return epilogue == HIPBLASLT_EPILOGUE_BIAS || epilogue == HIPBLASLT_EPILOGUE_RELU_BIAS ||
         epilogue == HIPBLASLT_EPILOGUE_GELU_BIAS || epilogue == HIPBLASLT_EPILOGUE_GELU_AUX_BIAS;
}

bool sums_gradient(uint32_t epilogue) {
  return epilogue == HIPBLASLT_EPILOGUE_DGELU_BGRAD || epilogue == HIPBLASLT_EPILOGUE_BGRADA ||
         epilogue == HIPBLASLT_EPILOGUE_BGRADB;
}

bool has_aux(uint32_t epilogue) {
  return epilogue == HIPBLASLT_EPILOGUE_GELU_AUX || epilogue == HIPBLASLT_EPILOGUE_GELU_AUX_BIAS ||
         epilogue == HIPBLASLT_EPILOGUE_DGELU || epilogue == HIPBLASLT_EPILOGUE_DGELU_BGRAD;
}

bool is_known(uint32_t epilogue) {
  return epilogue == HIPBLASLT_EPILOGUE_DEFAULT || activation(epilogue) != Activation::none ||
         adds_bias(epilogue) || sums_gradient(epilogue);
}

int bias_type(const Product &p) {
  return p.desc.bias_type == HIPBLASLT_DATATYPE_INVALID ? int(p.d.type) : p.desc.bias_type;
}

bool epilogue_is_supported(const Product &p) {
  const uint32_t epilogue = p.desc.epilogue;
  const bool floats = p.desc.scale_type != HIP_R_32I;
  if (!is_known(epilogue) || (sums_gradient(epilogue) && p.d.batch_count > 1))
    return false;
  if (p.sum_type == HIP_R_32I && (sums_gradient(epilogue) || has_aux(epilogue)))
    return false;
  if (!floats && activation(epilogue) == Activation::gelu)
    return false;
  if ((adds_bias(epilogue) || sums_gradient(epilogue)) && bias_type(p) != int(p.d.type) &&
      bias_type(p) != p.desc.scale_type && !(p.sum_type == HIP_R_32F && is_float(bias_type(p))))
    return false;
  return !p.desc.amax_d || p.desc.scale_type == HIP_R_32F;
}

bool pointer_mode_is_known(int32_t mode) {
  return mode == HIPBLASLT_POINTER_MODE_HOST || mode == HIPBLASLT_POINTER_MODE_DEVICE ||
         mode == HIPBLASLT_POINTER_MODE_ALPHA_DEVICE_VECTOR_BETA_HOST;
}

/// Whether a product can be computed, as far as its descriptors say.
hipblasStatus_t check(const Product &p) {
  for (const MatrixLayout *layout : {&p.a, &p.b, &p.c, &p.d})
    if (const auto status = check(*layout); status)
      return status;
  if (!is_operation(p.desc.trans_a) || !is_operation(p.desc.trans_b) ||
      !pointer_mode_is_known(p.desc.pointer_mode))
    return HIPBLAS_STATUS_INVALID_VALUE;
  const bool a_plain = p.desc.trans_a == HIPBLAS_OP_N, b_plain = p.desc.trans_b == HIPBLAS_OP_N;
  if ((a_plain ? p.a.rows : p.a.columns) != p.d.rows ||
      (b_plain ? p.b.columns : p.b.rows) != p.d.columns ||
      (b_plain ? p.b.rows : p.b.columns) != uint64_t(p.k) || p.c.rows != p.d.rows ||
      p.c.columns != p.d.columns)
    return HIPBLAS_STATUS_INVALID_VALUE;
  for (const MatrixLayout *layout : {&p.a, &p.b, &p.c})
    if (layout->batch_count != p.d.batch_count)
      return HIPBLAS_STATUS_INVALID_VALUE;
  return types_fit(p) && epilogue_is_supported(p) ? HIPBLAS_STATUS_SUCCESS
                                                  : HIPBLAS_STATUS_NOT_SUPPORTED;
}

/// Where the auxiliary matrices are. What is not said follows from D, as long as something is.
Matrix aux_of(const Product &p) {
  const MatmulDesc &desc = p.desc;
  const int64_t rows = int64_t(p.d.rows);
  const int64_t ld = desc.aux_ld == 0 && desc.aux_batch_stride != 0 ? rows : desc.aux_ld;
  const int64_t stride =
      desc.aux_batch_stride == 0 ? ld * int64_t(p.d.columns) : desc.aux_batch_stride;
  return {desc.aux, int(p.d.type), 1, ld, stride};
}

/// Whether there is all that a product reads and writes.
bool has_data(const Product &p, const Data &data, bool multiplies) {
  const uint32_t epilogue = p.desc.epilogue;
  const bool needs_a = p.k > 0 && (multiplies || epilogue == HIPBLASLT_EPILOGUE_BGRADA);
  const bool needs_b = p.k > 0 && (multiplies || epilogue == HIPBLASLT_EPILOGUE_BGRADB);
  if (!data.d || (needs_a && !data.a) || (needs_b && !data.b))
    return false;
  if ((adds_bias(epilogue) || sums_gradient(epilogue)) && !p.desc.bias)
    return false;
  if (!has_aux(epilogue))
    return true;
  const Matrix aux = aux_of(p);
  return aux.data && aux.column_step >= int64_t(p.d.rows) &&
         (p.d.batch_count == 1 || aux.batch_step / int64_t(p.d.columns) >= aux.column_step);
}

class Blas {
public:
  Blas(hipStream_t stream, hipblasPointerMode_t mode) {
    status = hipblasCreate(&handle_);
    if (!status)
      status = hipblasSetStream(handle_, stream);
    if (!status)
      status = hipblasSetPointerMode(handle_, mode);
  }
  ~Blas() {
    if (handle_)
      (void)hipblasDestroy(handle_);
  }
  Blas(const Blas &) = delete;
  Blas &operator=(const Blas &) = delete;
  operator hipblasHandle_t() const { return handle_; }

  hipblasStatus_t status;

private:
  hipblasHandle_t handle_ = nullptr;
};

/// An operand of a product as hipBLAS takes it: by columns.
struct Operand {
  const void *data;
  hipDataType type;
  hipblasOperation_t operation;
  int64_t ld, stride;
};

Operand operand(const MatrixLayout &layout, const void *data, int32_t operation) {
  // By rows it is the transpose of what is by columns.
  const bool transposed = (operation != HIPBLAS_OP_N) != (layout.order == HIPBLASLT_ORDER_ROW);
  return {data, hipDataType(layout.type), transposed ? HIPBLAS_OP_T : HIPBLAS_OP_N,
          std::max<int64_t>(layout.ld, 1), layout.batch_stride};
}

hipblasStatus_t multiply(const Product &p, const Operand &a, const Operand &b,
                         hipblasPointerMode_t mode, const void *alpha, const void *beta, void *c,
                         hipDataType c_type, int64_t c_ld, int64_t c_stride, hipStream_t stream) {
  const Blas blas(stream, mode);
  if (blas.status)
    return blas.status;
  const auto compute_type = p.sum_type == HIP_R_32F   ? HIPBLAS_COMPUTE_32F
                            : p.sum_type == HIP_R_64F ? HIPBLAS_COMPUTE_64F
                                                      : HIPBLAS_COMPUTE_32I;
  const Size size = p.size();
  return hipblasGemmStridedBatchedEx_64(blas, a.operation, b.operation, size.rows, size.columns,
                                        p.k, alpha, a.data, a.type, a.ld, a.stride, b.data, b.type,
                                        b.ld, b.stride, beta, c, c_type, c_ld, c_stride, size.batch,
                                        compute_type, HIPBLAS_GEMM_DEFAULT);
}

/// Whether hipBLAS can write the product to D, and nothing else is done, as far as descriptors say.
bool is_plain(const Product &p, const Operand &a, const Operand &b) {
  const MatmulDesc &desc = p.desc;
  const auto d_type = hipDataType(p.d.type);
  return desc.epilogue == HIPBLASLT_EPILOGUE_DEFAULT && !desc.a_scale && !desc.b_scale &&
         !desc.c_scale && !desc.d_scale && !desc.a_scales && !desc.b_scales && !desc.amax_d &&
         desc.pointer_mode != HIPBLASLT_POINTER_MODE_ALPHA_DEVICE_VECTOR_BETA_HOST &&
         p.d.order == HIPBLASLT_ORDER_COL && desc.scale_type == p.sum_type && a.type == b.type &&
         (d_type == a.type || d_type == p.sum_type) && d_type != HIP_R_8I;
}

/// The product alone, where that is all; else nothing.
std::optional<hipblasStatus_t> multiply_directly(const Product &p, const Data &data,
                                                 const Operand &a, const Operand &b,
                                                 const Scalar &beta, hipStream_t stream) {
  const bool c_is_d = data.c == data.d && p.c.type == p.d.type;
  if (!is_plain(p, a, b) || (!c_is_d && !is_zero(beta)))
    return std::nullopt;
  const auto mode = p.desc.pointer_mode == HIPBLASLT_POINTER_MODE_DEVICE
                        ? HIPBLAS_POINTER_MODE_DEVICE
                        : HIPBLAS_POINTER_MODE_HOST;
  return multiply(p, a, b, mode, data.alpha, data.beta, data.d, hipDataType(p.d.type), p.d.ld,
                  p.d.batch_stride, stream);
}

/// The bytes of a batch of matrices without gaps; nothing where they are more than can be counted.
std::optional<size_t> bytes_of(const Size &size, int type) {
  size_t bytes = size_of(type);
  for (const int64_t factor : {size.rows, size.columns, size.batch})
    if (__builtin_mul_overflow(bytes, size_t(factor), &bytes))
      return std::nullopt;
  return bytes;
}

/// The matrices that are converted where hipBLAS does not take an operand. Where all of a batch are the same one, so is the copy.
Size converted_size(const MatrixLayout &layout) {
  return {int64_t(layout.rows), int64_t(layout.columns),
          layout.batch_stride ? layout.batch_count : 1, 0, 0};
}

/// Puts a copy in `float` in the place of an operand.
hipblasStatus_t convert(const MatrixLayout &layout, Operand &operand, Scratch &scratch,
                        hipStream_t stream) {
  if (operand.type == HIP_R_32F)
    return HIPBLAS_STATUS_SUCCESS;
  Combination work;
  work.size = converted_size(layout);
  const auto bytes = bytes_of(work.size, HIP_R_32F);
  void *const copy = bytes ? scratch.take(*bytes) : nullptr;
  if (!copy)
    return bytes ? status_of(scratch.error) : HIPBLAS_STATUS_ALLOC_FAILED;
  const bool by_columns = layout.order == HIPBLASLT_ORDER_COL;
  const int64_t line = std::max<int64_t>(by_columns ? work.size.rows : work.size.columns, 1);
  work.a = matrix(layout, operand.data);
  work.c = {copy, HIP_R_32F, by_columns ? 1 : line, by_columns ? line : 1,
            work.size.rows * work.size.columns};
  const float one = 1;
  work.alpha = scalar(&one, HIP_R_32F, false);
  operand.data = copy;
  operand.type = HIP_R_32F;
  operand.ld = line;
  operand.stride = layout.batch_stride ? work.c.batch_step : 0;
  return status_of(launch<float>(work, stream));
}

/// Whether hipBLAS does not multiply operands of these types.
bool has_to_convert(const Operand &a, const Operand &b) {
  return a.type != b.type || (is_float(a.type) && size_of(a.type) == 1);
}

Finish finish_of(const Product &p, const Data &data, const Matrix &sums, const Scalar &alpha,
                 const Scalar &beta) {
  const MatmulDesc &desc = p.desc;
  Finish work;
  work.size = p.size();
  work.product = sums;
  work.c = matrix(p.c, data.c);
  work.d = matrix(p.d, data.d);
  work.alpha = alpha;
  work.beta = beta;
  work.alpha_per_row = desc.pointer_mode == HIPBLASLT_POINTER_MODE_ALPHA_DEVICE_VECTOR_BETA_HOST;
  work.activation = activation(desc.epilogue);
  if (has_aux(desc.epilogue))
    work.aux = aux_of(p);
  work.keeps = desc.epilogue == HIPBLASLT_EPILOGUE_DGELU_BGRAD;
  if (adds_bias(desc.epilogue))
    work.bias = desc.bias;
  work.bias_type = bias_type(p);
  work.a_scale = desc.a_scale;
  work.b_scale = desc.b_scale;
  work.c_scale = desc.c_scale;
  work.d_scale = desc.d_scale;
  work.aux_scale = desc.aux_scale;
  work.row_scales = desc.a_scales;
  work.column_scales = desc.b_scales;
  work.amax = static_cast<float *>(desc.amax_d);
  return work;
}

/// D, where the sums of products may be in it until they are finished.
std::optional<Matrix> sums_in_d(const Product &p, const Data &data, const Scalar &beta) {
  const bool c_is_lost = data.c == data.d && !is_zero(beta);
  const bool both_are_needed = p.desc.epilogue == HIPBLASLT_EPILOGUE_DGELU_BGRAD;
  if (c_is_lost || both_are_needed || hipDataType(p.d.type) != p.sum_type ||
      p.d.order != HIPBLASLT_ORDER_COL)
    return std::nullopt;
  return matrix(p.d, data.d);
}

/// The sums that become the gradient of a bias.
RowSums gradient_of(const Product &p, const Data &data, const Finish &finish) {
  RowSums work;
  work.result = p.desc.bias;
  work.result_type = bias_type(p);
  const Size size = p.size();
  if (p.desc.epilogue == HIPBLASLT_EPILOGUE_DGELU_BGRAD) {
    work.size = size;
    work.matrix = finish.product;
  } else if (p.desc.epilogue == HIPBLASLT_EPILOGUE_BGRADA) {
    work.size = {size.rows, p.k, 1};
    work.matrix = matrix(p.a, data.a);
    if (p.desc.trans_a != HIPBLAS_OP_N)
      work.matrix = work.matrix.transposed();
  } else {
    work.size = {size.columns, p.k, 1};
    work.matrix = matrix(p.b, data.b);
    if (p.desc.trans_b == HIPBLAS_OP_N)
      work.matrix = work.matrix.transposed();
  }
  return work;
}

/// The bytes of a workspace with which a call allocates nothing, whatever pointers it gets; nothing where they cannot be counted.
std::optional<size_t> workspace_bytes(const Product &p) {
  const Operand a = operand(p.a, nullptr, p.desc.trans_a);
  const Operand b = operand(p.b, nullptr, p.desc.trans_b);
  const bool converts = has_to_convert(a, b);
  if (!converts && is_plain(p, a, b))
    return 0;
  size_t total = Scratch::alignment;
  const auto add = [&](const Size &size, int type) {
    const auto bytes = bytes_of(size, type);
    return bytes && *bytes < SIZE_MAX / 4 &&
           !__builtin_add_overflow(total, Scratch::rounded(*bytes), &total);
  };
  if (converts && ((a.type != HIP_R_32F && !add(converted_size(p.a), HIP_R_32F)) ||
                   (b.type != HIP_R_32F && !add(converted_size(p.b), HIP_R_32F))))
    return std::nullopt;
  return add(p.size(), p.sum_type) ? std::optional(total) : std::nullopt;
}

/// Writes 0 to a number of the device's.
hipError_t clear(float *number, hipStream_t stream) {
  Combination work;
  work.size = {1, 1, 1, 0, 0};
  work.c = {number, HIP_R_32F, 1, 1, 0};
  return launch<float>(work, stream);
}

hipblasStatus_t run(const Product &p, const Data &data, Scratch scratch, hipStream_t stream) {
  const MatmulDesc &desc = p.desc;
  const Scalar alpha =
      scalar(data.alpha, desc.scale_type, desc.pointer_mode != HIPBLASLT_POINTER_MODE_HOST);
  const Scalar beta =
      scalar(data.beta, desc.scale_type, desc.pointer_mode == HIPBLASLT_POINTER_MODE_DEVICE);
  if (!has_data(p, data, !is_zero(alpha)) || (!data.c && !is_zero(beta)))
    return HIPBLAS_STATUS_INVALID_VALUE;
  Operand a = operand(p.a, data.a, desc.trans_a), b = operand(p.b, data.b, desc.trans_b);
  Product product = p;
  if (is_zero(alpha)) {
    // A and B may be null, and are not looked at: there is nothing to be summed.
    product.k = 0;
    if (p.sum_type == HIP_R_32F)
      a.type = b.type = HIP_R_32F;
  }
  if (!has_to_convert(a, b)) {
    if (const auto status = multiply_directly(product, data, a, b, beta, stream))
      return *status;
  } else {
    auto status = convert(p.a, a, scratch, stream);
    if (!status)
      status = convert(p.b, b, scratch, stream);
    if (status)
      return status;
  }

  const Size size = p.size();
  std::optional<Matrix> sums = sums_in_d(p, data, beta);
  if (!sums) {
    const auto bytes = bytes_of(size, p.sum_type);
    void *const memory = bytes ? scratch.take(*bytes) : nullptr;
    if (!memory)
      return bytes ? status_of(scratch.error) : HIPBLAS_STATUS_ALLOC_FAILED;
    sums = {memory, p.sum_type, 1, size.rows, size.rows * size.columns};
  }

  // The factors are applied with the rest.
  const double one_double = 1, zero = 0;
  const float one_float = 1;
  const int32_t one_integer = 1;
  const void *const one = p.sum_type == HIP_R_64F   ? static_cast<const void *>(&one_double)
                          : p.sum_type == HIP_R_32F ? static_cast<const void *>(&one_float)
                                                    : &one_integer;
  if (const auto status = multiply(product, a, b, HIPBLAS_POINTER_MODE_HOST, one, &zero, sums->data,
                                   p.sum_type, sums->column_step, sums->batch_step, stream);
      status)
    return status;
  const Finish work = finish_of(p, data, *sums, alpha, beta);
  hipError_t error = work.amax ? clear(work.amax, stream) : hipSuccess;
  if (error == hipSuccess)
    error = launch_for(desc.scale_type, work, stream);
  if (error == hipSuccess && sums_gradient(p.desc.epilogue))
    error = launch_for(p.desc.scale_type, gradient_of(p, data, work), stream);
  return status_of(error);
}

/// What a call multiplies, or why it cannot.
hipblasStatus_t product_of(hipblasLtHandle_t handle, hipblasLtMatmulDesc_t desc,
                           hipblasLtMatrixLayout_t a, hipblasLtMatrixLayout_t b,
                           hipblasLtMatrixLayout_t c, hipblasLtMatrixLayout_t d,
                           std::optional<Product> &product) {
  if (!handle)
    return HIPBLAS_STATUS_NOT_INITIALIZED;
  if (!desc || !a || !b || !c || !d)
    return HIPBLAS_STATUS_INVALID_VALUE;
  const auto sum = sum_type(from(desc)->compute_type);
  if (!sum)
    return HIPBLAS_STATUS_NOT_SUPPORTED;
  const bool a_plain = from(desc)->trans_a == HIPBLAS_OP_N;
  const uint64_t k = a_plain ? from(a)->columns : from(a)->rows;
  product.emplace(Product{*from(desc), *from(a), *from(b), *from(c), *from(d), *sum, int64_t(k)});
  return check(*product);
}

} // namespace

} // namespace hipblaslt

using namespace hipblaslt;

extern "C" {

hipblasStatus_t hipblasLtMatmulAlgoGetHeuristic(
    hipblasLtHandle_t handle, hipblasLtMatmulDesc_t matmulDesc, hipblasLtMatrixLayout_t Adesc,
    hipblasLtMatrixLayout_t Bdesc, hipblasLtMatrixLayout_t Cdesc, hipblasLtMatrixLayout_t Ddesc,
    hipblasLtMatmulPreference_t pref, int requestedAlgoCount,
    hipblasLtMatmulHeuristicResult_t heuristicResultsArray[], int *returnAlgoCount) {
  if (returnAlgoCount)
    *returnAlgoCount = 0;
  std::optional<Product> product;
  if (const auto status = product_of(handle, matmulDesc, Adesc, Bdesc, Cdesc, Ddesc, product);
      status)
    return status;
  if (!pref || !returnAlgoCount || !heuristicResultsArray || requestedAlgoCount < 1)
    return HIPBLAS_STATUS_INVALID_VALUE;
  heuristicResultsArray[0] = {};
  heuristicResultsArray[0].algo.max_workspace_bytes = from(pref)->max_workspace_bytes;
  const auto bytes = workspace_bytes(*product);
  if (bytes && *bytes <= from(pref)->max_workspace_bytes)
    heuristicResultsArray[0].workspaceSize = *bytes;
  *returnAlgoCount = 1;
  return HIPBLAS_STATUS_SUCCESS;
}

hipblasStatus_t hipblasLtMatmul(hipblasLtHandle_t handle, hipblasLtMatmulDesc_t matmulDesc,
                                const void *alpha, const void *A, hipblasLtMatrixLayout_t Adesc,
                                const void *B, hipblasLtMatrixLayout_t Bdesc, const void *beta,
                                const void *C, hipblasLtMatrixLayout_t Cdesc, void *D,
                                hipblasLtMatrixLayout_t Ddesc, const hipblasLtMatmulAlgo_t *,
                                void *workspace, size_t workspaceSizeInBytes, hipStream_t stream) {
  std::optional<Product> product;
  if (const auto status = product_of(handle, matmulDesc, Adesc, Bdesc, Cdesc, Ddesc, product);
      status)
    return status;
  if (!alpha || !beta)
    return HIPBLAS_STATUS_INVALID_VALUE;
  if (!product->d.rows || !product->d.columns)
    return HIPBLAS_STATUS_SUCCESS;
  const Data data{alpha, A, B, beta, C, D};
  return run(*product, data, Scratch(workspace, workspaceSizeInBytes, stream), stream);
}
}
