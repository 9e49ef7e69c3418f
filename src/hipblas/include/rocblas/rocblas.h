/// rocBLAS: linear algebra on matrices and vectors in a device's memory, with the interface of ROCm
/// 6.4. docs/libraries.md says what works on which device.
#ifndef ROCBLAS_H
#define ROCBLAS_H

#include <hip/hip_complex.h>
#include <hip/hip_runtime_api.h>
#include <stddef.h>
#include <stdint.h>

#define ROCBLAS_VERSION_MAJOR 4
#define ROCBLAS_VERSION_MINOR 4
#define ROCBLAS_VERSION_PATCH 0
#define ROCBLAS_EXPORT __attribute__((visibility("default")))

// Elements

typedef int32_t rocblas_int;
typedef int64_t rocblas_stride; ///< Elements from one matrix or vector of a batch to the next.
typedef float rocblas_float;
typedef double rocblas_double;

#ifdef ROCM_USE_FLOAT16
typedef _Float16 rocblas_half;
#else
typedef struct rocblas_half {
  uint16_t data; ///< The bits.
} rocblas_half;
#endif

#if defined(__cplusplus) && defined(__HIPCC__)
#include <hip/hip_bfloat16.h>
typedef hip_bfloat16 rocblas_bfloat16;
#else
typedef struct rocblas_bfloat16 {
  uint16_t data; ///< The upper half of a float.
} rocblas_bfloat16;
#endif

#ifdef ROCM_MATHLIBS_API_USE_HIP_COMPLEX
typedef hipFloatComplex rocblas_float_complex;
typedef hipDoubleComplex rocblas_double_complex;
#elif defined(__cplusplus) && defined(__HIPCC__)
#include <rocblas/rocblas_complex_num.h>
typedef rocblas_complex_num<float> rocblas_float_complex;
typedef rocblas_complex_num<double> rocblas_double_complex;
#else
typedef struct rocblas_float_complex {
  float x, y;
} rocblas_float_complex;
typedef struct rocblas_double_complex {
  double x, y;
} rocblas_double_complex;
#endif

/// Types of elements: f float, bf bfloat, i signed, u unsigned, then the bits; r real, c complex.
typedef enum rocblas_datatype_ {
  rocblas_datatype_f16_r = 150,
  rocblas_datatype_f32_r = 151,
  rocblas_datatype_f64_r = 152,
  rocblas_datatype_f16_c = 153,
  rocblas_datatype_f32_c = 154,
  rocblas_datatype_f64_c = 155,
  rocblas_datatype_i8_r = 160,
  rocblas_datatype_u8_r = 161,
  rocblas_datatype_i32_r = 162,
  rocblas_datatype_u32_r = 163,
  rocblas_datatype_i8_c = 164,
  rocblas_datatype_u8_c = 165,
  rocblas_datatype_i32_c = 166,
  rocblas_datatype_u32_c = 167,
  rocblas_datatype_bf16_r = 168,
  rocblas_datatype_bf16_c = 169,
  rocblas_datatype_invalid = 255
} rocblas_datatype;

// How a handle works

typedef struct _rocblas_handle *rocblas_handle;

typedef enum rocblas_status_ {
  rocblas_status_success = 0,
  rocblas_status_invalid_handle = 1,
  rocblas_status_not_implemented = 2,
  rocblas_status_invalid_pointer = 3,
  rocblas_status_invalid_size = 4,
  rocblas_status_memory_error = 5,
  rocblas_status_internal_error = 6,
  rocblas_status_perf_degraded = 7,
  rocblas_status_size_query_mismatch = 8,
  rocblas_status_size_increased = 9,
  rocblas_status_size_unchanged = 10,
  rocblas_status_invalid_value = 11, ///< Also where AMD's says invalid_pointer or invalid_size.
  rocblas_status_continue = 12,
  rocblas_status_check_numerics_fail = 13,
  rocblas_status_excluded_from_build = 14,
  rocblas_status_arch_mismatch = 15
} rocblas_status;

/// Where scalars and results are.
typedef enum rocblas_pointer_mode_ {
  rocblas_pointer_mode_host = 0,
  rocblas_pointer_mode_device = 1
} rocblas_pointer_mode;

typedef enum rocblas_atomics_mode_ {
  rocblas_atomics_not_allowed = 0,
  rocblas_atomics_allowed = 1
} rocblas_atomics_mode;

/// What may be done for speed.
typedef enum rocblas_math_mode_ {
  rocblas_default_math = 0,
  rocblas_xf32_xdl_math_op = 1
} rocblas_math_mode;

// What a matrix is

typedef enum rocblas_operation_ {
  rocblas_operation_none = 111,
  rocblas_operation_transpose = 112,
  rocblas_operation_conjugate_transpose = 113
} rocblas_operation;

typedef enum rocblas_fill_ {
  rocblas_fill_upper = 121,
  rocblas_fill_lower = 122,
  rocblas_fill_full = 123
} rocblas_fill;

typedef enum rocblas_diagonal_ {
  rocblas_diagonal_non_unit = 131,
  rocblas_diagonal_unit = 132
} rocblas_diagonal;

typedef enum rocblas_side_ {
  rocblas_side_left = 141,
  rocblas_side_right = 142,
  rocblas_side_both = 143
} rocblas_side;

// How a product is computed: libCHIP chooses by itself.

typedef enum rocblas_gemm_algo_ {
  rocblas_gemm_algo_standard = 0x0,
  rocblas_gemm_algo_solution_index = 0x1
} rocblas_gemm_algo;

typedef enum rocblas_gemm_flags_ {
  rocblas_gemm_flags_none = 0x0,
  rocblas_gemm_flags_use_cu_efficiency = 0x2,
  rocblas_gemm_flags_fp16_alt_impl = 0x4,
  rocblas_gemm_flags_check_solution_index = 0x8,
  rocblas_gemm_flags_fp16_alt_impl_rnz = 0x10,
  rocblas_gemm_flags_stochastic_rounding = 0x20
} rocblas_gemm_flags;

#ifdef __cplusplus
extern "C" {
#endif

/// Does nothing: there is nothing to prepare.
ROCBLAS_EXPORT void rocblas_initialize(void);

/// A handle for the current device, whose work goes to the null stream and whose scalars are on the
/// host until something else is set.
ROCBLAS_EXPORT rocblas_status rocblas_create_handle(rocblas_handle *handle);
ROCBLAS_EXPORT rocblas_status rocblas_destroy_handle(rocblas_handle handle);
ROCBLAS_EXPORT rocblas_status rocblas_set_stream(rocblas_handle handle, hipStream_t stream);
ROCBLAS_EXPORT rocblas_status rocblas_get_stream(rocblas_handle handle, hipStream_t *stream);
ROCBLAS_EXPORT rocblas_status rocblas_set_pointer_mode(rocblas_handle handle,
                                                       rocblas_pointer_mode pointer_mode);
ROCBLAS_EXPORT rocblas_status rocblas_get_pointer_mode(rocblas_handle handle,
                                                       rocblas_pointer_mode *pointer_mode);
ROCBLAS_EXPORT rocblas_status rocblas_set_atomics_mode(rocblas_handle handle,
                                                       rocblas_atomics_mode atomics_mode);
ROCBLAS_EXPORT rocblas_status rocblas_get_atomics_mode(rocblas_handle handle,
                                                       rocblas_atomics_mode *atomics_mode);
ROCBLAS_EXPORT rocblas_status rocblas_set_math_mode(rocblas_handle handle,
                                                    rocblas_math_mode math_mode);
ROCBLAS_EXPORT rocblas_status rocblas_get_math_mode(rocblas_handle handle,
                                                    rocblas_math_mode *math_mode);

/// Whether a pointer is to be read on the host or on the device.
ROCBLAS_EXPORT rocblas_pointer_mode rocblas_pointer_to_mode(void *ptr);

/// The name of a result.
ROCBLAS_EXPORT const char *rocblas_status_to_string(rocblas_status status);

/// The version, with a null byte: its bytes (size), and what is copied to buf, which has len bytes.
ROCBLAS_EXPORT rocblas_status rocblas_get_version_string_size(size_t *len);
ROCBLAS_EXPORT rocblas_status rocblas_get_version_string(char *buf, size_t len);

/// Copies of vectors and matrices, of elements of any size, from the host to the device (set) and
/// back (get).
ROCBLAS_EXPORT rocblas_status rocblas_set_vector(rocblas_int n, rocblas_int elem_size,
                                                 const void *x, rocblas_int incx, void *y,
                                                 rocblas_int incy);
ROCBLAS_EXPORT rocblas_status rocblas_get_vector(rocblas_int n, rocblas_int elem_size,
                                                 const void *x, rocblas_int incx, void *y,
                                                 rocblas_int incy);
ROCBLAS_EXPORT rocblas_status rocblas_set_matrix(rocblas_int rows, rocblas_int cols,
                                                 rocblas_int elem_size, const void *a,
                                                 rocblas_int lda, void *b, rocblas_int ldb);
ROCBLAS_EXPORT rocblas_status rocblas_get_matrix(rocblas_int rows, rocblas_int cols,
                                                 rocblas_int elem_size, const void *a,
                                                 rocblas_int lda, void *b, rocblas_int ldb);
ROCBLAS_EXPORT rocblas_status rocblas_set_vector_async(rocblas_int n, rocblas_int elem_size,
                                                       const void *x, rocblas_int incx, void *y,
                                                       rocblas_int incy, hipStream_t stream);
ROCBLAS_EXPORT rocblas_status rocblas_get_vector_async(rocblas_int n, rocblas_int elem_size,
                                                       const void *x, rocblas_int incx, void *y,
                                                       rocblas_int incy, hipStream_t stream);
ROCBLAS_EXPORT rocblas_status rocblas_set_matrix_async(rocblas_int rows, rocblas_int cols,
                                                       rocblas_int elem_size, const void *a,
                                                       rocblas_int lda, void *b, rocblas_int ldb,
                                                       hipStream_t stream);
ROCBLAS_EXPORT rocblas_status rocblas_get_matrix_async(rocblas_int rows, rocblas_int cols,
                                                       rocblas_int elem_size, const void *a,
                                                       rocblas_int lda, void *b, rocblas_int ldb,
                                                       hipStream_t stream);

/// d = alpha * op(a) * op(b) + beta * c, computed in `compute_type`. `c` may be `d`; c_type must be
/// d_type. Batches of pointers need c == d and ldc == ldd.
ROCBLAS_EXPORT rocblas_status rocblas_gemm_ex(
    rocblas_handle handle, rocblas_operation transA, rocblas_operation transB, rocblas_int m,
    rocblas_int n, rocblas_int k, const void *alpha, const void *a, rocblas_datatype a_type,
    rocblas_int lda, const void *b, rocblas_datatype b_type, rocblas_int ldb, const void *beta,
    const void *c, rocblas_datatype c_type, rocblas_int ldc, void *d, rocblas_datatype d_type,
    rocblas_int ldd, rocblas_datatype compute_type, rocblas_gemm_algo algo, int32_t solution_index,
    uint32_t flags);
ROCBLAS_EXPORT rocblas_status rocblas_gemm_ex_64(
    rocblas_handle handle, rocblas_operation transA, rocblas_operation transB, int64_t m, int64_t n,
    int64_t k, const void *alpha, const void *a, rocblas_datatype a_type, int64_t lda,
    const void *b, rocblas_datatype b_type, int64_t ldb, const void *beta, const void *c,
    rocblas_datatype c_type, int64_t ldc, void *d, rocblas_datatype d_type, int64_t ldd,
    rocblas_datatype compute_type, rocblas_gemm_algo algo, int32_t solution_index, uint32_t flags);
ROCBLAS_EXPORT rocblas_status rocblas_gemm_batched_ex(
    rocblas_handle handle, rocblas_operation transA, rocblas_operation transB, rocblas_int m,
    rocblas_int n, rocblas_int k, const void *alpha, const void *a, rocblas_datatype a_type,
    rocblas_int lda, const void *b, rocblas_datatype b_type, rocblas_int ldb, const void *beta,
    const void *c, rocblas_datatype c_type, rocblas_int ldc, void *d, rocblas_datatype d_type,
    rocblas_int ldd, rocblas_int batch_count, rocblas_datatype compute_type, rocblas_gemm_algo algo,
    int32_t solution_index, uint32_t flags);
ROCBLAS_EXPORT rocblas_status rocblas_gemm_batched_ex_64(
    rocblas_handle handle, rocblas_operation transA, rocblas_operation transB, int64_t m, int64_t n,
    int64_t k, const void *alpha, const void *a, rocblas_datatype a_type, int64_t lda,
    const void *b, rocblas_datatype b_type, int64_t ldb, const void *beta, const void *c,
    rocblas_datatype c_type, int64_t ldc, void *d, rocblas_datatype d_type, int64_t ldd,
    int64_t batch_count, rocblas_datatype compute_type, rocblas_gemm_algo algo,
    int32_t solution_index, uint32_t flags);
ROCBLAS_EXPORT rocblas_status rocblas_gemm_strided_batched_ex(
    rocblas_handle handle, rocblas_operation transA, rocblas_operation transB, rocblas_int m,
    rocblas_int n, rocblas_int k, const void *alpha, const void *a, rocblas_datatype a_type,
    rocblas_int lda, rocblas_stride stride_a, const void *b, rocblas_datatype b_type,
    rocblas_int ldb, rocblas_stride stride_b, const void *beta, const void *c,
    rocblas_datatype c_type, rocblas_int ldc, rocblas_stride stride_c, void *d,
    rocblas_datatype d_type, rocblas_int ldd, rocblas_stride stride_d, rocblas_int batch_count,
    rocblas_datatype compute_type, rocblas_gemm_algo algo, int32_t solution_index, uint32_t flags);
ROCBLAS_EXPORT rocblas_status rocblas_gemm_strided_batched_ex_64(
    rocblas_handle handle, rocblas_operation transA, rocblas_operation transB, int64_t m, int64_t n,
    int64_t k, const void *alpha, const void *a, rocblas_datatype a_type, int64_t lda,
    rocblas_stride stride_a, const void *b, rocblas_datatype b_type, int64_t ldb,
    rocblas_stride stride_b, const void *beta, const void *c, rocblas_datatype c_type, int64_t ldc,
    rocblas_stride stride_c, void *d, rocblas_datatype d_type, int64_t ldd, rocblas_stride stride_d,
    int64_t batch_count, rocblas_datatype compute_type, rocblas_gemm_algo algo,
    int32_t solution_index, uint32_t flags);

#include <rocblas/rocblas-functions.h>

#ifdef __cplusplus
}
#endif

#endif
