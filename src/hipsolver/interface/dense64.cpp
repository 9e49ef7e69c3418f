// The functions whose sizes have 64 bits and whose arguments say the types.
#include "entry_points.h"

using namespace hipsolver;

namespace {

/// Type::none where types are not known or do not go together.
Type type_of(hipDataType type, hipDataType same) {
  if (type != same)
    return Type::none;
  switch (type) {
  case HIP_R_32F:
    return Type::f32;
  case HIP_R_64F:
    return Type::f64;
  case HIP_C_32F:
    return Type::c32;
  case HIP_C_64F:
    return Type::c64;
  default:
    return Type::none;
  }
}

hipsolverStatus_t check_types(hipsolverHandle_t handle, hipsolverDnParams_t params,
                              const Problem &p) {
  if (!handle)
    return HIPSOLVER_STATUS_NOT_INITIALIZED;
  if (!params)
    return HIPSOLVER_STATUS_INVALID_VALUE;
  return p.type == Type::none ? HIPSOLVER_STATUS_INVALID_ENUM : HIPSOLVER_STATUS_SUCCESS;
}

hipsolverStatus_t run64(hipsolverHandle_t handle, hipsolverDnParams_t params, const Problem &p) {
  const hipsolverStatus_t status = check_types(handle, params, p);
  return status != HIPSOLVER_STATUS_SUCCESS ? status : run(handle, p);
}

hipsolverStatus_t buffer_size64(hipsolverHandle_t handle, hipsolverDnParams_t params,
                                const Problem &p, size_t *on_device, size_t *on_host) {
  hipsolverStatus_t status = check_types(handle, params, p);
  if (status == HIPSOLVER_STATUS_SUCCESS && !on_host)
    status = HIPSOLVER_STATUS_INVALID_VALUE;
  if (status == HIPSOLVER_STATUS_SUCCESS)
    status = buffer_size(handle, p, on_device);
  if (status == HIPSOLVER_STATUS_SUCCESS)
    *on_host = 0;
  return status;
}

Problem matrix_problem(Operation operation, Type type, int64_t m, int64_t n, const void *a,
                       int64_t lda, int *info) {
  Problem p(operation, type);
  p.m = m;
  p.n = n;
  p.a = Matrix{a, lda};
  p.info = info;
  p.wide_pivots = true;
  return p;
}

Problem system(Operation operation, Type type, int64_t n, int64_t nrhs, const void *a, int64_t lda,
               void *b, int64_t ldb, int *info) {
  Problem p = matrix_problem(operation, type, 0, n, a, lda, info);
  p.k = nrhs;
  p.b = Matrix{b, ldb};
  return p;
}

} // namespace

extern "C" {

hipsolverStatus_t hipsolverDnXgeqrf_bufferSize(hipsolverDnHandle_t handle,
                                               hipsolverDnParams_t params, int64_t m, int64_t n,
                                               hipDataType dataTypeA, const void *A, int64_t lda,
                                               hipDataType dataTypeTau, const void *,
                                               hipDataType computeType, size_t *lworkOnDevice,
                                               size_t *lworkOnHost) {
  const Type type = dataTypeTau == dataTypeA ? type_of(dataTypeA, computeType) : Type::none;
  return buffer_size64(handle, params,
                       matrix_problem(Operation::geqrf, type, m, n, A, lda, nullptr), lworkOnDevice,
                       lworkOnHost);
}

hipsolverStatus_t hipsolverDnXgeqrf(hipsolverDnHandle_t handle, hipsolverDnParams_t params,
                                    int64_t m, int64_t n, hipDataType dataTypeA, void *A,
                                    int64_t lda, hipDataType dataTypeTau, void *tau,
                                    hipDataType computeType, void *, size_t, void *, size_t,
                                    int *devInfo) {
  const Type type = dataTypeTau == dataTypeA ? type_of(dataTypeA, computeType) : Type::none;
  Problem p = matrix_problem(Operation::geqrf, type, m, n, A, lda, devInfo);
  p.tau = tau;
  return run64(handle, params, p);
}

hipsolverStatus_t hipsolverDnXgetrf_bufferSize(hipsolverDnHandle_t handle,
                                               hipsolverDnParams_t params, int64_t m, int64_t n,
                                               hipDataType dataTypeA, const void *A, int64_t lda,
                                               hipDataType computeType, size_t *lworkOnDevice,
                                               size_t *lworkOnHost) {
  return buffer_size64(
      handle, params,
      matrix_problem(Operation::getrf, type_of(dataTypeA, computeType), m, n, A, lda, nullptr),
      lworkOnDevice, lworkOnHost);
}

hipsolverStatus_t hipsolverDnXgetrf(hipsolverDnHandle_t handle, hipsolverDnParams_t params,
                                    int64_t m, int64_t n, hipDataType dataTypeA, void *A,
                                    int64_t lda, int64_t *devIpiv, hipDataType computeType, void *,
                                    size_t, void *, size_t, int *devInfo) {
  Problem p =
      matrix_problem(Operation::getrf, type_of(dataTypeA, computeType), m, n, A, lda, devInfo);
  p.pivots = devIpiv;
  return run64(handle, params, p);
}

hipsolverStatus_t hipsolverDnXgetrs(hipsolverDnHandle_t handle, hipsolverDnParams_t params,
                                    hipsolverOperation_t trans, int64_t n, int64_t nrhs,
                                    hipDataType dataTypeA, const void *A, int64_t lda,
                                    const int64_t *devIpiv, hipDataType dataTypeB, void *B,
                                    int64_t ldb, int *devInfo) {
  Problem p =
      system(Operation::getrs, type_of(dataTypeA, dataTypeB), n, nrhs, A, lda, B, ldb, devInfo);
  p.trans = trans;
  p.pivots = const_cast<int64_t *>(devIpiv);
  return run64(handle, params, p);
}

hipsolverStatus_t hipsolverDnXpotrf_bufferSize(hipsolverDnHandle_t handle,
                                               hipsolverDnParams_t params, hipsolverFillMode_t uplo,
                                               int64_t n, hipDataType dataTypeA, const void *A,
                                               int64_t lda, hipDataType computeType,
                                               size_t *lworkOnDevice, size_t *lworkOnHost) {
  Problem p =
      matrix_problem(Operation::potrf, type_of(dataTypeA, computeType), 0, n, A, lda, nullptr);
  p.uplo = uplo;
  return buffer_size64(handle, params, p, lworkOnDevice, lworkOnHost);
}

hipsolverStatus_t hipsolverDnXpotrf(hipsolverDnHandle_t handle, hipsolverDnParams_t params,
                                    hipsolverFillMode_t uplo, int64_t n, hipDataType dataTypeA,
                                    void *A, int64_t lda, hipDataType computeType, void *, size_t,
                                    void *, size_t, int *info) {
  Problem p = matrix_problem(Operation::potrf, type_of(dataTypeA, computeType), 0, n, A, lda, info);
  p.uplo = uplo;
  return run64(handle, params, p);
}

hipsolverStatus_t hipsolverDnXpotrs(hipsolverDnHandle_t handle, hipsolverDnParams_t params,
                                    hipsolverFillMode_t uplo, int64_t n, int64_t nrhs,
                                    hipDataType dataTypeA, const void *A, int64_t lda,
                                    hipDataType dataTypeB, void *B, int64_t ldb, int *info) {
  Problem p =
      system(Operation::potrs, type_of(dataTypeA, dataTypeB), n, nrhs, A, lda, B, ldb, info);
  p.uplo = uplo;
  return run64(handle, params, p);
}
}
