/// hipBLAS: linear algebra on matrices and vectors in a device's memory, with the interface of ROCm
/// 6.4. docs/libraries.md says what works on which device.
#ifndef HIPBLAS_H
#define HIPBLAS_H

#include <hip/hip_complex.h>
#include <hip/hip_runtime_api.h>
#include <hip/library_types.h>
#include <hipblas-common/hipblas-common.h>
#include <hipblas/hipblas-export.h>
#include <hipblas/hipblas-version.h>
#include <stdint.h>

// Elements

#if defined(__cplusplus) && defined(HIPBLAS_USE_HIP_HALF)
#include <hip/hip_fp16.h>
typedef __half hipblasHalf;
#else
typedef uint16_t hipblasHalf; ///< The bits.
#endif

typedef int8_t hipblasInt8;
typedef int64_t hipblasStride; ///< Elements from one matrix or vector of a batch to the next.

#ifdef HIPBLAS_USE_HIP_BFLOAT16
#include <hip/hip_bfloat16.h>
typedef hip_bfloat16 hipblasBfloat16;
#else
#if defined(__cplusplus) && defined(HIPBLAS_BFLOAT16_CLASS)
/// The upper half of a float, to which floats are rounded.
class hipblasBfloat16 {
public:
  uint16_t data;

  hipblasBfloat16() = default;
  explicit hipblasBfloat16(float value) : data(rounded(value)) {}
  operator float() const {
    const uint32_t bits = uint32_t(data) << 16;
    float value;
    __builtin_memcpy(&value, &bits, sizeof value);
    return value;
  }
  explicit operator bool() const { return (data & 0x7fff) != 0; }
  hipblasBfloat16 &operator+=(const hipblasBfloat16 &other) {
    return *this = hipblasBfloat16(float(*this) + float(other));
  }
  static float bfloat16_to_float(hipblasBfloat16 value) { return value; }
  static hipblasBfloat16 float_to_bfloat16(float value) { return hipblasBfloat16(value); }

private:
  static uint16_t rounded(float value) {
    uint32_t bits;
    __builtin_memcpy(&bits, &value, sizeof bits);
    if (value != value)
      return uint16_t(bits >> 16 | 1); // not an infinity
    return uint16_t((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
  }
};
#else
typedef struct hipblasBfloat16 {
  uint16_t data; ///< The upper half of a float.
} hipblasBfloat16;
#endif
#endif

#ifdef ROCM_MATHLIBS_API_USE_HIP_COMPLEX
typedef hipFloatComplex hipblasComplex;
typedef hipDoubleComplex hipblasDoubleComplex;
#else
#ifdef __cplusplus
#define HIPBLAS_COMPLEX_MEMBERS(NAME, REAL)                                                        \
  NAME() = default;                                                                                \
  NAME(REAL real, REAL imaginary = 0) : x(real), y(imaginary) {}                                   \
  REAL real() const { return x; }                                                                  \
  REAL imag() const { return y; }                                                                  \
  void real(REAL value) { x = value; }                                                             \
  void imag(REAL value) { y = value; }                                                             \
                                                                                                   \
private:
#else
#define HIPBLAS_COMPLEX_MEMBERS(NAME, REAL)
#endif
typedef struct hipblasComplex {
  HIPBLAS_COMPLEX_MEMBERS(hipblasComplex, float)
  float x, y;
} hipblasComplex;
typedef struct hipblasDoubleComplex {
  HIPBLAS_COMPLEX_MEMBERS(hipblasDoubleComplex, double)
  double x, y;
} hipblasDoubleComplex;
#undef HIPBLAS_COMPLEX_MEMBERS
#endif

#ifdef HIPBLAS_V2
typedef hipDataType hipblasDatatype_t;
#define HIPBLAS_R_16F HIP_R_16F
#define HIPBLAS_R_32F HIP_R_32F
#define HIPBLAS_R_64F HIP_R_64F
#define HIPBLAS_C_16F HIP_C_16F
#define HIPBLAS_C_32F HIP_C_32F
#define HIPBLAS_C_64F HIP_C_64F
#define HIPBLAS_R_8I HIP_R_8I
#define HIPBLAS_R_8U HIP_R_8U
#define HIPBLAS_R_32I HIP_R_32I
#define HIPBLAS_R_32U HIP_R_32U
#define HIPBLAS_C_8I HIP_C_8I
#define HIPBLAS_C_8U HIP_C_8U
#define HIPBLAS_C_32I HIP_C_32I
#define HIPBLAS_C_32U HIP_C_32U
#define HIPBLAS_R_16B HIP_R_16BF
#define HIPBLAS_C_16B HIP_C_16BF
#define HIPBLAS_DATATYPE_INVALID ((hipDataType)31)
#else
/// Types of elements: R real, C complex, then the bits: F float, B bfloat, I signed, U unsigned.
typedef enum {
  HIPBLAS_R_16F = 150,
  HIPBLAS_R_32F = 151,
  HIPBLAS_R_64F = 152,
  HIPBLAS_C_16F = 153,
  HIPBLAS_C_32F = 154,
  HIPBLAS_C_64F = 155,
  HIPBLAS_R_8I = 160,
  HIPBLAS_R_8U = 161,
  HIPBLAS_R_32I = 162,
  HIPBLAS_R_32U = 163,
  HIPBLAS_C_8I = 164,
  HIPBLAS_C_8U = 165,
  HIPBLAS_C_32I = 166,
  HIPBLAS_C_32U = 167,
  HIPBLAS_R_16B = 168,
  HIPBLAS_C_16B = 169,
  HIPBLAS_DATATYPE_INVALID = 255
} hipblasDatatype_t;
#endif

// How a handle works

typedef void *hipblasHandle_t;

/// Where scalars and results are.
typedef enum { HIPBLAS_POINTER_MODE_HOST, HIPBLAS_POINTER_MODE_DEVICE } hipblasPointerMode_t;

/// What may be done for speed.
typedef enum {
  HIPBLAS_DEFAULT_MATH,
  HIPBLAS_XF32_XDL_MATH,
  HIPBLAS_PEDANTIC_MATH,
  HIPBLAS_TF32_TENSOR_OP_MATH,
  HIPBLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION,
  HIPBLAS_TENSOR_OP_MATH
} hipblasMath_t;

typedef enum { HIPBLAS_ATOMICS_NOT_ALLOWED = 0, HIPBLAS_ATOMICS_ALLOWED = 1 } hipblasAtomicsMode_t;

// What a matrix is

#ifndef HIPBLAS_FILL_MODE_DECLARED
#define HIPBLAS_FILL_MODE_DECLARED
typedef enum {
  HIPBLAS_FILL_MODE_UPPER = 121,
  HIPBLAS_FILL_MODE_LOWER = 122,
  HIPBLAS_FILL_MODE_FULL = 123
} hipblasFillMode_t;
#endif
#ifndef HIPBLAS_DIAG_TYPE_DECLARED
#define HIPBLAS_DIAG_TYPE_DECLARED
typedef enum { HIPBLAS_DIAG_NON_UNIT = 131, HIPBLAS_DIAG_UNIT = 132 } hipblasDiagType_t;
#endif
#ifndef HIPBLAS_SIDE_MODE_DECLARED
#define HIPBLAS_SIDE_MODE_DECLARED
typedef enum {
  HIPBLAS_SIDE_LEFT = 141,
  HIPBLAS_SIDE_RIGHT = 142,
  HIPBLAS_SIDE_BOTH = 143
} hipblasSideMode_t;
#endif

// How a product is computed: libCHIP chooses by itself.

typedef enum { HIPBLAS_GEMM_DEFAULT = 160 } hipblasGemmAlgo_t;
typedef enum {
  HIPBLAS_GEMM_FLAGS_NONE = 0x0,
  HIPBLAS_GEMM_FLAGS_USE_CU_EFFICIENCY = 0x2,
  HIPBLAS_GEMM_FLAGS_FP16_ALT_IMPL = 0x4,
  HIPBLAS_GEMM_FLAGS_CHECK_SOLUTION_INDEX = 0x8,
  HIPBLAS_GEMM_FLAGS_FP16_ALT_IMPL_RNZ = 0x10
} hipblasGemmFlags_t;

#ifdef __cplusplus
extern "C" {
#endif

/// A handle for the current device, whose work goes to the null stream and whose scalars are on the
/// host until something else is set.
HIPBLAS_EXPORT hipblasStatus_t hipblasCreate(hipblasHandle_t *handle);
HIPBLAS_EXPORT hipblasStatus_t hipblasDestroy(hipblasHandle_t handle);
HIPBLAS_EXPORT hipblasStatus_t hipblasSetStream(hipblasHandle_t handle, hipStream_t streamId);
HIPBLAS_EXPORT hipblasStatus_t hipblasGetStream(hipblasHandle_t handle, hipStream_t *streamId);
HIPBLAS_EXPORT hipblasStatus_t hipblasSetPointerMode(hipblasHandle_t handle,
                                                     hipblasPointerMode_t mode);
HIPBLAS_EXPORT hipblasStatus_t hipblasGetPointerMode(hipblasHandle_t handle,
                                                     hipblasPointerMode_t *mode);
HIPBLAS_EXPORT hipblasStatus_t hipblasSetMathMode(hipblasHandle_t handle, hipblasMath_t mode);
HIPBLAS_EXPORT hipblasStatus_t hipblasGetMathMode(hipblasHandle_t handle, hipblasMath_t *mode);
HIPBLAS_EXPORT hipblasStatus_t hipblasSetAtomicsMode(hipblasHandle_t handle,
                                                     hipblasAtomicsMode_t atomics_mode);
HIPBLAS_EXPORT hipblasStatus_t hipblasGetAtomicsMode(hipblasHandle_t handle,
                                                     hipblasAtomicsMode_t *atomics_mode);

/// The name of a result.
HIPBLAS_EXPORT const char *hipblasStatusToString(hipblasStatus_t status);

/// Copies of vectors and matrices, of elements of any size, from the host to the device (Set) and
/// back (Get).
HIPBLAS_EXPORT hipblasStatus_t hipblasSetVector(int n, int elemSize, const void *x, int incx,
                                                void *y, int incy);
HIPBLAS_EXPORT hipblasStatus_t hipblasGetVector(int n, int elemSize, const void *x, int incx,
                                                void *y, int incy);
HIPBLAS_EXPORT hipblasStatus_t hipblasSetMatrix(int rows, int cols, int elemSize, const void *AP,
                                                int lda, void *BP, int ldb);
HIPBLAS_EXPORT hipblasStatus_t hipblasGetMatrix(int rows, int cols, int elemSize, const void *AP,
                                                int lda, void *BP, int ldb);
HIPBLAS_EXPORT hipblasStatus_t hipblasSetVectorAsync(int n, int elemSize, const void *x, int incx,
                                                     void *y, int incy, hipStream_t stream);
HIPBLAS_EXPORT hipblasStatus_t hipblasGetVectorAsync(int n, int elemSize, const void *x, int incx,
                                                     void *y, int incy, hipStream_t stream);
HIPBLAS_EXPORT hipblasStatus_t hipblasSetMatrixAsync(int rows, int cols, int elemSize,
                                                     const void *AP, int lda, void *BP, int ldb,
                                                     hipStream_t stream);
HIPBLAS_EXPORT hipblasStatus_t hipblasGetMatrixAsync(int rows, int cols, int elemSize,
                                                     const void *AP, int lda, void *BP, int ldb,
                                                     hipStream_t stream);

#include <hipblas/hipblas-functions.h>

#ifdef __cplusplus
}
#endif

#ifdef HIPBLAS_V2
#include <hipblas/hipblas-v2.h>
#endif

#endif
