/// What hipBLAS and hipBLASLt share: results, operations on matrices, and types to compute in.
#ifndef HIPBLAS_COMMON_H
#define HIPBLAS_COMMON_H

/// How a call ended.
typedef enum {
  HIPBLAS_STATUS_SUCCESS = 0,
  HIPBLAS_STATUS_NOT_INITIALIZED = 1, ///< The handle is null.
  HIPBLAS_STATUS_ALLOC_FAILED = 2,
  HIPBLAS_STATUS_INVALID_VALUE = 3, ///< A size is negative or too small, or a pointer is null.
  HIPBLAS_STATUS_MAPPING_ERROR = 4,
  HIPBLAS_STATUS_EXECUTION_FAILED = 5,
  HIPBLAS_STATUS_INTERNAL_ERROR = 6,
  HIPBLAS_STATUS_NOT_SUPPORTED = 7,
  HIPBLAS_STATUS_ARCH_MISMATCH = 8,
  HIPBLAS_STATUS_HANDLE_IS_NULLPTR = 9, ///< There is no place for a new handle.
  HIPBLAS_STATUS_INVALID_ENUM = 10,
  HIPBLAS_STATUS_UNKNOWN = 11
} hipblasStatus_t;

/// What a matrix stands for: itself, its transpose, its conjugate transpose.
#ifndef HIPBLAS_OPERATION_DECLARED
#define HIPBLAS_OPERATION_DECLARED
typedef enum { HIPBLAS_OP_N = 111, HIPBLAS_OP_T = 112, HIPBLAS_OP_C = 113 } hipblasOperation_t;
#endif

/// What products are computed in, and what inputs may be rounded to before.
typedef enum {
  HIPBLAS_COMPUTE_16F = 0,
  HIPBLAS_COMPUTE_16F_PEDANTIC = 1,
  HIPBLAS_COMPUTE_32F = 2,
  HIPBLAS_COMPUTE_32F_PEDANTIC = 3,
  HIPBLAS_COMPUTE_32F_FAST_16F = 4,
  HIPBLAS_COMPUTE_32F_FAST_16BF = 5,
  HIPBLAS_COMPUTE_32F_FAST_TF32 = 6,
  HIPBLAS_COMPUTE_64F = 7,
  HIPBLAS_COMPUTE_64F_PEDANTIC = 8,
  HIPBLAS_COMPUTE_32I = 9,
  HIPBLAS_COMPUTE_32I_PEDANTIC = 10,
  HIPBLAS_COMPUTE_32F_FAST_8F_FNUZ = 100,
  HIPBLAS_COMPUTE_32F_FAST_8BF_FNUZ = 101,
  HIPBLAS_COMPUTE_32F_FAST_8F8BF_FNUZ = 102,
  HIPBLAS_COMPUTE_32F_FAST_8BF8F_FNUZ = 103
} hipblasComputeType_t;

#endif
