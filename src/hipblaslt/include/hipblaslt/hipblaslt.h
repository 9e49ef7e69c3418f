/// hipBLASLt: products of matrices of many types, with what is often done to their elements next: D = f(alpha op(A) op(B) + beta C).
///
/// Descriptors say what a call does; hipblasLtMatmul does it in the order of a stream. Matrices are in the device's memory. The
/// interface is that of ROCm 6.4 (AMD's documentation: hipBLASLt, API reference). Pointers and sizes that cannot be are
/// HIPBLAS_STATUS_INVALID_VALUE, what libCHIP does not have is HIPBLAS_STATUS_NOT_SUPPORTED.
#ifndef HIPBLASLT_H
#define HIPBLASLT_H

#include <hip/hip_runtime_api.h>
#include <hip/library_types.h>
#include <hipblas-common/hipblas-common.h>
#include <hipblaslt/hipblaslt-export.h>
#include <hipblaslt/hipblaslt-types.h>
#include <hipblaslt/hipblaslt-version.h>

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
#include <hip/hip_complex.h>
#include <hip/hip_runtime.h>
#include <memory>
#include <vector>
#endif

#define HIPBLASLT_DATATYPE_INVALID ((hipDataType)255)

/// What is done to the elements of a product. GELU is computed by its approximation with tanh.
typedef enum {
  HIPBLASLT_EPILOGUE_DEFAULT = 1,
  HIPBLASLT_EPILOGUE_RELU = 2,
  HIPBLASLT_EPILOGUE_BIAS = 4, ///< Adds element i of a vector to row i.
  HIPBLASLT_EPILOGUE_RELU_BIAS = 6,
  HIPBLASLT_EPILOGUE_GELU = 32,
  HIPBLASLT_EPILOGUE_GELU_BIAS = 36,
  HIPBLASLT_EPILOGUE_GELU_AUX = 160, ///< Writes what GELU is applied to into the auxiliary matrix.
  HIPBLASLT_EPILOGUE_GELU_AUX_BIAS = 164,
  HIPBLASLT_EPILOGUE_DGELU = 192, ///< Multiplies by the derivative of GELU at the auxiliary matrix.
  HIPBLASLT_EPILOGUE_DGELU_BGRAD = 208, ///< And writes the sums of D's rows into the bias vector.
  HIPBLASLT_EPILOGUE_BGRADA = 256,      ///< Writes the sums of op(A)'s rows into the bias vector.
  HIPBLASLT_EPILOGUE_BGRADB = 512 ///< Writes the sums of op(B)'s columns into the bias vector.
} hipblasLtEpilogue_t;

/// Attributes of a matrix, and what a value of each is.
typedef enum {
  HIPBLASLT_MATRIX_LAYOUT_BATCH_COUNT = 0,          ///< int32_t; 1
  HIPBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET = 1, ///< int64_t, elements from matrix to matrix; 0
  HIPBLASLT_MATRIX_LAYOUT_TYPE = 2,                 ///< uint32_t: hipDataType
  HIPBLASLT_MATRIX_LAYOUT_ORDER = 3,                ///< int32_t: hipblasLtOrder_t; columns
  HIPBLASLT_MATRIX_LAYOUT_ROWS = 4,                 ///< uint64_t
  HIPBLASLT_MATRIX_LAYOUT_COLS = 5,                 ///< uint64_t
  HIPBLASLT_MATRIX_LAYOUT_LD = 6 ///< int64_t, elements from column to column, or row to row
} hipblasLtMatrixLayoutAttribute_t;

/// Where alpha and beta are.
typedef enum {
  HIPBLASLT_POINTER_MODE_HOST = 0,
  HIPBLASLT_POINTER_MODE_DEVICE = 1,
  HIPBLASLT_POINTER_MODE_ALPHA_DEVICE_VECTOR_BETA_HOST = 4 ///< An alpha for each row of D.
} hipblasLtPointerMode_t;

/// Attributes of a product, and what a value of each is. Scales are on the device, in the type that is computed in; null is 1.
typedef enum {
  HIPBLASLT_MATMUL_DESC_TRANSA = 0,          ///< int32_t: hipblasOperation_t; N
  HIPBLASLT_MATMUL_DESC_TRANSB = 1,          ///< int32_t: hipblasOperation_t; N
  HIPBLASLT_MATMUL_DESC_EPILOGUE = 2,        ///< uint32_t: hipblasLtEpilogue_t; DEFAULT
  HIPBLASLT_MATMUL_DESC_BIAS_POINTER = 3,    ///< A pointer.
  HIPBLASLT_MATMUL_DESC_BIAS_DATA_TYPE = 4,  ///< int32_t: hipDataType; that of D
  HIPBLASLT_MATMUL_DESC_A_SCALE_POINTER = 5, ///< A pointer to one number; so are the next.
  HIPBLASLT_MATMUL_DESC_B_SCALE_POINTER = 6,
  HIPBLASLT_MATMUL_DESC_C_SCALE_POINTER = 7,
  HIPBLASLT_MATMUL_DESC_D_SCALE_POINTER = 8,
  HIPBLASLT_MATMUL_DESC_EPILOGUE_AUX_SCALE_POINTER = 9,
  HIPBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER = 10,      ///< A pointer.
  HIPBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD = 11,           ///< int64_t
  HIPBLASLT_MATMUL_DESC_EPILOGUE_AUX_BATCH_STRIDE = 12, ///< int64_t
  HIPBLASLT_MATMUL_DESC_POINTER_MODE = 13,              ///< int32_t: hipblasLtPointerMode_t; HOST
  HIPBLASLT_MATMUL_DESC_AMAX_D_POINTER =
      14, ///< A pointer to a float: the largest magnitude in D before its scale.
  HIPBLASLT_MATMUL_DESC_COMPUTE_INPUT_TYPE_A_EXT =
      100,                                        ///< int32_t: hipDataType; kept, changes nothing
  HIPBLASLT_MATMUL_DESC_COMPUTE_INPUT_TYPE_B_EXT, ///< int32_t: hipDataType; kept, changes nothing
  HIPBLASLT_MATMUL_DESC_A_SCALE_POINTER_VEC_EXT,  ///< A pointer to a scale for each row of op(A).
  HIPBLASLT_MATMUL_DESC_B_SCALE_POINTER_VEC_EXT, ///< A pointer to a scale for each column of op(B).
  HIPBLASLT_MATMUL_DESC_MAX
} hipblasLtMatmulDescAttributes_t;

/// What a caller of hipblasLtMatmulAlgoGetHeuristic wants.
typedef enum {
  HIPBLASLT_MATMUL_PREF_SEARCH_MODE = 0,         ///< uint32_t
  HIPBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES = 1, ///< uint64_t; 0
  HIPBLASLT_MATMUL_PREF_MAX = 2
} hipblasLtMatmulPreferenceAttributes_t;

/// What is next to what in memory.
typedef enum { HIPBLASLT_ORDER_COL = 0, HIPBLASLT_ORDER_ROW = 1 } hipblasLtOrder_t;

/// Attributes of a transformation.
typedef enum {
  HIPBLASLT_MATRIX_TRANSFORM_DESC_SCALE_TYPE,   ///< int32_t: hipDataType, of alpha and beta
  HIPBLASLT_MATRIX_TRANSFORM_DESC_POINTER_MODE, ///< int32_t: hipblasLtPointerMode_t; HOST
  HIPBLASLT_MATRIX_TRANSFORM_DESC_TRANSA,       ///< int32_t: hipblasOperation_t; N
  HIPBLASLT_MATRIX_TRANSFORM_DESC_TRANSB        ///< int32_t: hipblasOperation_t; N
} hipblasLtMatrixTransformDescAttributes_t;

typedef struct {
  uint64_t data[4];
} hipblasLtMatmulDescOpaque_t;
typedef struct {
  uint64_t data[4];
} hipblasLtMatrixLayoutOpaque_t;
typedef struct {
  uint64_t data[5];
} hipblasLtMatmulPreferenceOpaque_t;
typedef struct {
  uint64_t data[8];
} hipblasLtMatrixTransformDescOpaque_t;

typedef void *hipblasLtHandle_t;
typedef hipblasLtMatmulDescOpaque_t *hipblasLtMatmulDesc_t;
typedef hipblasLtMatrixLayoutOpaque_t *hipblasLtMatrixLayout_t;
typedef hipblasLtMatmulPreferenceOpaque_t *hipblasLtMatmulPreference_t;
typedef hipblasLtMatrixTransformDescOpaque_t *hipblasLtMatrixTransformDesc_t;

#ifdef __cplusplus
#define HIPBLASLT_INITIALLY(...) = __VA_ARGS__
#else
#define HIPBLASLT_INITIALLY(...)
#endif

/// How a product is computed. There is one way.
typedef struct _hipblasLtMatmulAlgo_t {
  uint8_t data[16] HIPBLASLT_INITIALLY({0});
  size_t max_workspace_bytes HIPBLASLT_INITIALLY(0);
} hipblasLtMatmulAlgo_t;

/// What hipblasLtMatmulAlgoGetHeuristic says of a way to compute a product.
typedef struct _hipblasLtMatmulHeuristicResult_t {
  hipblasLtMatmulAlgo_t algo;
  size_t workspaceSize
      HIPBLASLT_INITIALLY(0); ///< Bytes of the device's memory with which nothing is allocated.
  hipblasStatus_t state HIPBLASLT_INITIALLY(HIPBLAS_STATUS_SUCCESS);
  float wavesCount HIPBLASLT_INITIALLY(1.0f);
  int reserved[4];
} hipblasLtMatmulHeuristicResult_t;

#undef HIPBLASLT_INITIALLY

#ifdef __cplusplus
extern "C" {
#endif

/// 100000 times the major version, 100 times the minor, and the patch.
HIPBLASLT_EXPORT hipblasStatus_t hipblasLtGetVersion(hipblasLtHandle_t handle, int *version);
/// Writes the version as text into `rev`, with the byte at its end no more than 16.
HIPBLASLT_EXPORT hipblasStatus_t hipblasLtGetGitRevision(hipblasLtHandle_t handle, char *rev);
/// The name of the current device's architecture, as hipDeviceProp_t::gcnArchName has it. The caller frees it with free().
HIPBLASLT_EXPORT hipblasStatus_t hipblasLtGetArchName(char **archName);

/// Makes a handle for the current device. Several threads may use it at a time.
HIPBLASLT_EXPORT hipblasStatus_t hipblasLtCreate(hipblasLtHandle_t *handle);
/// Forgets a handle. What was queued with it goes on.
HIPBLASLT_EXPORT hipblasStatus_t hipblasLtDestroy(const hipblasLtHandle_t handle);

/// Describes a matrix of `rows` by `cols` elements, `ld` of them from column to column.
HIPBLASLT_EXPORT hipblasStatus_t hipblasLtMatrixLayoutCreate(hipblasLtMatrixLayout_t *matLayout,
                                                             hipDataType type, uint64_t rows,
                                                             uint64_t cols, int64_t ld);
HIPBLASLT_EXPORT hipblasStatus_t
hipblasLtMatrixLayoutDestroy(const hipblasLtMatrixLayout_t matLayout);
/// Sets an attribute to the `sizeInBytes` bytes at `buf`, which are no fewer than it has.
HIPBLASLT_EXPORT hipblasStatus_t hipblasLtMatrixLayoutSetAttribute(
    hipblasLtMatrixLayout_t matLayout, hipblasLtMatrixLayoutAttribute_t attr, const void *buf,
    size_t sizeInBytes);
/// Copies an attribute to `buf`, if `sizeInBytes` bytes are enough, and its size to `sizeWritten`, if that is not null. With 0
/// for `sizeInBytes` it only says the size.
HIPBLASLT_EXPORT hipblasStatus_t hipblasLtMatrixLayoutGetAttribute(
    hipblasLtMatrixLayout_t matLayout, hipblasLtMatrixLayoutAttribute_t attr, void *buf,
    size_t sizeInBytes, size_t *sizeWritten);

/// Describes a product that is computed in a type, with alpha and beta of `scaleType`.
HIPBLASLT_EXPORT hipblasStatus_t hipblasLtMatmulDescCreate(hipblasLtMatmulDesc_t *matmulDesc,
                                                           hipblasComputeType_t computeType,
                                                           hipDataType scaleType);
HIPBLASLT_EXPORT hipblasStatus_t hipblasLtMatmulDescDestroy(const hipblasLtMatmulDesc_t matmulDesc);
/// As hipblasLtMatrixLayoutSetAttribute.
HIPBLASLT_EXPORT hipblasStatus_t hipblasLtMatmulDescSetAttribute(
    hipblasLtMatmulDesc_t matmulDesc, hipblasLtMatmulDescAttributes_t attr, const void *buf,
    size_t sizeInBytes);
/// As hipblasLtMatrixLayoutGetAttribute.
HIPBLASLT_EXPORT hipblasStatus_t hipblasLtMatmulDescGetAttribute(
    hipblasLtMatmulDesc_t matmulDesc, hipblasLtMatmulDescAttributes_t attr, void *buf,
    size_t sizeInBytes, size_t *sizeWritten);

HIPBLASLT_EXPORT hipblasStatus_t hipblasLtMatmulPreferenceCreate(hipblasLtMatmulPreference_t *pref);
HIPBLASLT_EXPORT hipblasStatus_t
hipblasLtMatmulPreferenceDestroy(const hipblasLtMatmulPreference_t pref);
/// As hipblasLtMatrixLayoutSetAttribute.
HIPBLASLT_EXPORT hipblasStatus_t hipblasLtMatmulPreferenceSetAttribute(
    hipblasLtMatmulPreference_t pref, hipblasLtMatmulPreferenceAttributes_t attr, const void *buf,
    size_t sizeInBytes);
/// As hipblasLtMatrixLayoutGetAttribute.
HIPBLASLT_EXPORT hipblasStatus_t hipblasLtMatmulPreferenceGetAttribute(
    hipblasLtMatmulPreference_t pref, hipblasLtMatmulPreferenceAttributes_t attr, void *buf,
    size_t sizeInBytes, size_t *sizeWritten);

/// Says how a product can be computed: writes one result, if at least one is requested, and 1 to `returnAlgoCount`. For what
/// hipblasLtMatmul does not take it writes 0 and returns what hipblasLtMatmul would.
HIPBLASLT_EXPORT hipblasStatus_t hipblasLtMatmulAlgoGetHeuristic(
    hipblasLtHandle_t handle, hipblasLtMatmulDesc_t matmulDesc, hipblasLtMatrixLayout_t Adesc,
    hipblasLtMatrixLayout_t Bdesc, hipblasLtMatrixLayout_t Cdesc, hipblasLtMatrixLayout_t Ddesc,
    hipblasLtMatmulPreference_t pref, int requestedAlgoCount,
    hipblasLtMatmulHeuristicResult_t heuristicResultsArray[], int *returnAlgoCount);

/// Queues D = f(alpha op(A) op(B) + beta C) in a stream. C may be D. `algo` may be null. `workspace` is used as far as it goes, and
/// may be null. A and B may be null where alpha is 0 on the host, C where beta is. Values of attributes that cannot be are refused
/// here, and by the heuristic. The auxiliary matrix is by columns, and of the type of D.
HIPBLASLT_EXPORT hipblasStatus_t hipblasLtMatmul(
    hipblasLtHandle_t handle, hipblasLtMatmulDesc_t matmulDesc, const void *alpha, const void *A,
    hipblasLtMatrixLayout_t Adesc, const void *B, hipblasLtMatrixLayout_t Bdesc, const void *beta,
    const void *C, hipblasLtMatrixLayout_t Cdesc, void *D, hipblasLtMatrixLayout_t Ddesc,
    const hipblasLtMatmulAlgo_t *algo, void *workspace, size_t workspaceSizeInBytes,
    hipStream_t stream);

/// Describes a transformation whose alpha and beta are of `scaleType`.
HIPBLASLT_EXPORT hipblasStatus_t hipblasLtMatrixTransformDescCreate(
    hipblasLtMatrixTransformDesc_t *transformDesc, hipDataType scaleType);
HIPBLASLT_EXPORT hipblasStatus_t
hipblasLtMatrixTransformDescDestroy(hipblasLtMatrixTransformDesc_t transformDesc);
/// As hipblasLtMatrixLayoutSetAttribute.
HIPBLASLT_EXPORT hipblasStatus_t hipblasLtMatrixTransformDescSetAttribute(
    hipblasLtMatrixTransformDesc_t transformDesc, hipblasLtMatrixTransformDescAttributes_t attr,
    const void *buf, size_t sizeInBytes);
/// As hipblasLtMatrixLayoutGetAttribute.
HIPBLASLT_EXPORT hipblasStatus_t hipblasLtMatrixTransformDescGetAttribute(
    hipblasLtMatrixTransformDesc_t transformDesc, hipblasLtMatrixTransformDescAttributes_t attr,
    void *buf, size_t sizeInBytes, size_t *sizeWritten);

/// Queues C = alpha op(A) + beta op(B) in a stream, for matrices of any orders, and of any types but double, which
/// goes with itself only. A or B may be null where alpha or beta
/// is 0 on the host.
HIPBLASLT_EXPORT hipblasStatus_t hipblasLtMatrixTransform(
    hipblasLtHandle_t lightHandle, hipblasLtMatrixTransformDesc_t transformDesc, const void *alpha,
    const void *A, hipblasLtMatrixLayout_t Adesc, const void *beta, const void *B,
    hipblasLtMatrixLayout_t Bdesc, void *C, hipblasLtMatrixLayout_t Cdesc, hipStream_t stream);

#ifdef __cplusplus
}
#endif

#endif
