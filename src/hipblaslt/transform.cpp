#include "arguments.h"

namespace hipblaslt {

namespace {

bool types_fit(int scale_type, int element) {
  switch (scale_type) {
  case HIP_R_32F:
  case HIP_R_16F:
    return is_float(element) || is_integer(element);
  case HIP_R_32I:
    return is_integer(element);
  default:
    return scale_type == HIP_R_64F && element == HIP_R_64F;
  }
}

/// Whether `term`, as an operation makes it, has the shape and types of the result.
hipblasStatus_t check_term(const TransformDesc &desc, const MatrixLayout &term, int32_t operation,
                           const MatrixLayout &result) {
  if (const auto status = check(term); status)
    return status;
  const bool plain = operation == HIPBLAS_OP_N;
  if ((plain ? term.rows : term.columns) != result.rows ||
      (plain ? term.columns : term.rows) != result.columns ||
      term.batch_count != result.batch_count)
    return HIPBLAS_STATUS_INVALID_VALUE;
  return types_fit(desc.scale_type, int(term.type)) ? HIPBLAS_STATUS_SUCCESS
                                                    : HIPBLAS_STATUS_NOT_SUPPORTED;
}

Matrix term(const MatrixLayout *layout, const void *data, int32_t operation, const Scalar &factor) {
  if (!layout || is_zero(factor))
    return {};
  const Matrix plain = matrix(*layout, data);
  return operation == HIPBLAS_OP_N ? plain : plain.transposed();
}

hipblasStatus_t transform(const TransformDesc &desc, const void *alpha, const void *a,
                          const MatrixLayout *a_layout, const void *beta, const void *b,
                          const MatrixLayout *b_layout, void *c, const MatrixLayout &c_layout,
                          hipStream_t stream) {
  if (!is_operation(desc.trans_a) || !is_operation(desc.trans_b) || (a_layout && !alpha) ||
      (b_layout && !beta))
    return HIPBLAS_STATUS_INVALID_VALUE;
  if (desc.pointer_mode != HIPBLASLT_POINTER_MODE_HOST &&
      desc.pointer_mode != HIPBLASLT_POINTER_MODE_DEVICE)
    return HIPBLAS_STATUS_NOT_SUPPORTED;
  if (!types_fit(desc.scale_type, int(c_layout.type)))
    return HIPBLAS_STATUS_NOT_SUPPORTED;
  auto status = check(c_layout);
  if (!status && a_layout)
    status = check_term(desc, *a_layout, desc.trans_a, c_layout);
  if (!status && b_layout)
    status = check_term(desc, *b_layout, desc.trans_b, c_layout);
  if (status)
    return status;

  Combination work;
  work.size = {int64_t(c_layout.rows), int64_t(c_layout.columns), c_layout.batch_count};
  if (!work.size.rows || !work.size.columns)
    return HIPBLAS_STATUS_SUCCESS;
  const bool on_device = desc.pointer_mode == HIPBLASLT_POINTER_MODE_DEVICE;
  if (a_layout)
    work.alpha = scalar(alpha, desc.scale_type, on_device);
  if (b_layout)
    work.beta = scalar(beta, desc.scale_type, on_device);
  work.a = term(a_layout, a, desc.trans_a, work.alpha);
  work.b = term(b_layout, b, desc.trans_b, work.beta);
  work.c = matrix(c_layout, c);
  if (!c || (a_layout && !is_zero(work.alpha) && !a) || (b_layout && !is_zero(work.beta) && !b))
    return HIPBLAS_STATUS_INVALID_VALUE;
  return status_of(launch_for(desc.scale_type, work, stream));
}

} // namespace

} // namespace hipblaslt

using namespace hipblaslt;

extern "C" hipblasStatus_t hipblasLtMatrixTransform(
    hipblasLtHandle_t lightHandle, hipblasLtMatrixTransformDesc_t transformDesc, const void *alpha,
    const void *A, hipblasLtMatrixLayout_t Adesc, const void *beta, const void *B,
    hipblasLtMatrixLayout_t Bdesc, void *C, hipblasLtMatrixLayout_t Cdesc, hipStream_t stream) {
  if (!lightHandle)
    return HIPBLAS_STATUS_NOT_INITIALIZED;
  if (!transformDesc || !Cdesc)
    return HIPBLAS_STATUS_INVALID_VALUE;
  return transform(*from(transformDesc), alpha, A, from(Adesc), beta, B, from(Bdesc), C,
                   *from(Cdesc), stream);
}
