// hipblasSetVector and its kin: copies of elements at equal distances, which are copies of matrices whose rows are elements.
#include "handle.h"

#include <hip/hip_runtime_api.h>

#include <algorithm>
#include <cstdint>

namespace {

enum class Wait : bool { no, yes };

hipblasStatus_t copy_matrix(int64_t rows, int64_t columns, int64_t bytes, const void *from,
                            int64_t from_step, void *to, int64_t to_step, hipMemcpyKind kind,
                            hipStream_t stream, Wait wait) {
  if (rows < 0 || columns < 0 || bytes <= 0 || from_step <= 0 || to_step <= 0 || from_step < rows ||
      to_step < rows)
    return HIPBLAS_STATUS_INVALID_VALUE;
  if (rows == 0 || columns == 0)
    return HIPBLAS_STATUS_SUCCESS;
  if (!from || !to)
    return HIPBLAS_STATUS_INVALID_VALUE;
  const size_t to_pitch = size_t(to_step * bytes), from_pitch = size_t(from_step * bytes);
  const size_t width = size_t(rows * bytes);
  hipError_t error;
  if (wait == Wait::yes)
    error = hipMemcpy2D(to, to_pitch, from, from_pitch, width, size_t(columns), kind);
  else
    error = hipMemcpy2DAsync(to, to_pitch, from, from_pitch, width, size_t(columns), kind, stream);
  return error == hipSuccess ? HIPBLAS_STATUS_SUCCESS : HIPBLAS_STATUS_MAPPING_ERROR;
}

hipblasStatus_t copy_vector(int64_t n, int64_t bytes, const void *x, int64_t x_step, void *y,
                            int64_t y_step, hipMemcpyKind kind, hipStream_t stream, Wait wait) {
  if (n < 0)
    return HIPBLAS_STATUS_INVALID_VALUE;
  return copy_matrix(1, n, bytes, x, x_step, y, y_step, kind, stream, wait);
}

} // namespace

extern "C" {

hipblasStatus_t hipblasSetVector(int n, int elemSize, const void *x, int incx, void *y, int incy) {
  return copy_vector(n, elemSize, x, incx, y, incy, hipMemcpyHostToDevice, nullptr, Wait::yes);
}

hipblasStatus_t hipblasGetVector(int n, int elemSize, const void *x, int incx, void *y, int incy) {
  return copy_vector(n, elemSize, x, incx, y, incy, hipMemcpyDeviceToHost, nullptr, Wait::yes);
}

hipblasStatus_t hipblasSetMatrix(int rows, int cols, int elemSize, const void *AP, int lda,
                                 void *BP, int ldb) {
  return copy_matrix(rows, cols, elemSize, AP, lda, BP, ldb, hipMemcpyHostToDevice, nullptr,
                     Wait::yes);
}

hipblasStatus_t hipblasGetMatrix(int rows, int cols, int elemSize, const void *AP, int lda,
                                 void *BP, int ldb) {
  return copy_matrix(rows, cols, elemSize, AP, lda, BP, ldb, hipMemcpyDeviceToHost, nullptr,
                     Wait::yes);
}

hipblasStatus_t hipblasSetVectorAsync(int n, int elemSize, const void *x, int incx, void *y,
                                      int incy, hipStream_t stream) {
  return copy_vector(n, elemSize, x, incx, y, incy, hipMemcpyHostToDevice, stream, Wait::no);
}

hipblasStatus_t hipblasGetVectorAsync(int n, int elemSize, const void *x, int incx, void *y,
                                      int incy, hipStream_t stream) {
  return copy_vector(n, elemSize, x, incx, y, incy, hipMemcpyDeviceToHost, stream, Wait::no);
}

hipblasStatus_t hipblasSetMatrixAsync(int rows, int cols, int elemSize, const void *AP, int lda,
                                      void *BP, int ldb, hipStream_t stream) {
  return copy_matrix(rows, cols, elemSize, AP, lda, BP, ldb, hipMemcpyHostToDevice, stream,
                     Wait::no);
}

hipblasStatus_t hipblasGetMatrixAsync(int rows, int cols, int elemSize, const void *AP, int lda,
                                      void *BP, int ldb, hipStream_t stream) {
  return copy_matrix(rows, cols, elemSize, AP, lda, BP, ldb, hipMemcpyDeviceToHost, stream,
                     Wait::no);
}
}
