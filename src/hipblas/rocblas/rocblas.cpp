// The functions of rocBLAS that do not follow from the table of hipBLAS's.
#include "call.h"

#include <cstring>
#include <string_view>

namespace hipblas {

rocblas_status rocblas_status_of(hipblasStatus_t status) {
  switch (status) {
  case HIPBLAS_STATUS_SUCCESS:
    return rocblas_status_success;
  case HIPBLAS_STATUS_NOT_INITIALIZED:
  case HIPBLAS_STATUS_HANDLE_IS_NULLPTR:
    return rocblas_status_invalid_handle;
  case HIPBLAS_STATUS_NOT_SUPPORTED:
    return rocblas_status_not_implemented;
  case HIPBLAS_STATUS_ALLOC_FAILED:
    return rocblas_status_memory_error;
  case HIPBLAS_STATUS_INVALID_VALUE:
  case HIPBLAS_STATUS_INVALID_ENUM:
    return rocblas_status_invalid_value;
  case HIPBLAS_STATUS_ARCH_MISMATCH:
    return rocblas_status_arch_mismatch;
  default:
    return rocblas_status_internal_error;
  }
}

namespace {

#define TEXT_OF(VALUE) #VALUE
#define VERSION_OF(MAJOR, MINOR, PATCH) TEXT_OF(MAJOR) "." TEXT_OF(MINOR) "." TEXT_OF(PATCH)
constexpr std::string_view version =
    VERSION_OF(ROCBLAS_VERSION_MAJOR, ROCBLAS_VERSION_MINOR, ROCBLAS_VERSION_PATCH);

size_t bytes_of(rocblas_datatype type) {
  switch (type) {
  case rocblas_datatype_i8_r:
    return 1;
  case rocblas_datatype_f16_r:
  case rocblas_datatype_bf16_r:
    return 2;
  case rocblas_datatype_f32_r:
  case rocblas_datatype_i32_r:
    return 4;
  case rocblas_datatype_f64_r:
  case rocblas_datatype_f32_c:
    return 8;
  case rocblas_datatype_f64_c:
    return 16;
  default:
    return 0;
  }
}

/// The matrices `c` and `d` of a product, each `stride` elements behind the one before.
struct Target {
  int64_t m, n, batch;
  const void *c;
  rocblas_datatype c_type;
  int64_t ldc, stride_c;
  void *d;
  rocblas_datatype d_type;
  int64_t ldd, stride_d;
};

/// Products of hipBLAS are added to the matrix that they go to: makes `d` what `c` is.
rocblas_status copy_to_result(rocblas_handle handle, const Target &t) {
  if (!handle)
    return rocblas_status_invalid_handle;
  if (t.c_type != t.d_type)
    return rocblas_status_not_implemented;
  // What is wrong with other arguments is for the product to say.
  if (!t.c || !t.d || t.m <= 0 || t.n <= 0 || t.batch <= 0 || t.ldd < t.m)
    return rocblas_status_success;
  if (t.c == t.d)
    return t.ldc == t.ldd && (t.stride_c == t.stride_d || t.batch == 1)
               ? rocblas_status_success
               : rocblas_status_invalid_value;
  if (t.ldc < t.m)
    return rocblas_status_invalid_value;
  const size_t bytes = bytes_of(t.c_type);
  if (!bytes)
    return rocblas_status_not_implemented;
  hipStream_t stream = nullptr;
  if (const auto status = rocblas_get_stream(handle, &stream))
    return status;
  for (int64_t index = 0; index < t.batch; ++index)
    if (hipMemcpy2DAsync(static_cast<char *>(t.d) + index * t.stride_d * int64_t(bytes),
                         size_t(t.ldd) * bytes,
                         static_cast<const char *>(t.c) + index * t.stride_c * int64_t(bytes),
                         size_t(t.ldc) * bytes, size_t(t.m) * bytes, size_t(t.n),
                         hipMemcpyDeviceToDevice, stream) != hipSuccess)
      return rocblas_status_internal_error;
  return rocblas_status_success;
}

} // namespace

} // namespace hipblas

using namespace hipblas;

extern "C" {

void rocblas_initialize() {}

rocblas_status rocblas_create_handle(rocblas_handle *handle) { return call(hipblasCreate, handle); }
rocblas_status rocblas_destroy_handle(rocblas_handle handle) {
  return call(hipblasDestroy, handle);
}
rocblas_status rocblas_set_stream(rocblas_handle handle, hipStream_t stream) {
  return call(hipblasSetStream, handle, stream);
}
rocblas_status rocblas_get_stream(rocblas_handle handle, hipStream_t *stream) {
  return call(hipblasGetStream, handle, stream);
}
rocblas_status rocblas_set_pointer_mode(rocblas_handle handle, rocblas_pointer_mode mode) {
  return call(hipblasSetPointerMode, handle, mode);
}
rocblas_status rocblas_get_pointer_mode(rocblas_handle handle, rocblas_pointer_mode *mode) {
  return call(hipblasGetPointerMode, handle, mode);
}
rocblas_status rocblas_set_atomics_mode(rocblas_handle handle, rocblas_atomics_mode mode) {
  return call(hipblasSetAtomicsMode, handle, mode);
}
rocblas_status rocblas_get_atomics_mode(rocblas_handle handle, rocblas_atomics_mode *mode) {
  return call(hipblasGetAtomicsMode, handle, mode);
}
rocblas_status rocblas_set_math_mode(rocblas_handle handle, rocblas_math_mode mode) {
  if (mode != rocblas_default_math && mode != rocblas_xf32_xdl_math_op)
    return rocblas_status_invalid_value;
  return call(hipblasSetMathMode, handle, mode);
}
rocblas_status rocblas_get_math_mode(rocblas_handle handle, rocblas_math_mode *mode) {
  return call(hipblasGetMathMode, handle, mode);
}

rocblas_pointer_mode rocblas_pointer_to_mode(void *pointer) {
  hipPointerAttribute_t attributes{};
  const bool on_device = hipPointerGetAttributes(&attributes, pointer) == hipSuccess &&
                         attributes.type == hipMemoryTypeDevice;
  return on_device ? rocblas_pointer_mode_device : rocblas_pointer_mode_host;
}

const char *rocblas_status_to_string(rocblas_status status) {
  switch (status) {
#define CASE(NAME)                                                                                 \
  case NAME:                                                                                       \
    return #NAME;
    CASE(rocblas_status_success)
    CASE(rocblas_status_invalid_handle)
    CASE(rocblas_status_not_implemented)
    CASE(rocblas_status_invalid_pointer)
    CASE(rocblas_status_invalid_size)
    CASE(rocblas_status_memory_error)
    CASE(rocblas_status_internal_error)
    CASE(rocblas_status_perf_degraded)
    CASE(rocblas_status_size_query_mismatch)
    CASE(rocblas_status_size_increased)
    CASE(rocblas_status_size_unchanged)
    CASE(rocblas_status_invalid_value)
    CASE(rocblas_status_continue)
    CASE(rocblas_status_check_numerics_fail)
    CASE(rocblas_status_excluded_from_build)
    CASE(rocblas_status_arch_mismatch)
#undef CASE
  }
  return "<undefined rocblas_status value>";
}

rocblas_status rocblas_get_version_string_size(size_t *bytes) {
  if (!bytes)
    return rocblas_status_invalid_pointer;
  *bytes = version.size() + 1;
  return rocblas_status_success;
}

rocblas_status rocblas_get_version_string(char *text, size_t bytes) {
  if (!text)
    return rocblas_status_invalid_pointer;
  if (bytes < version.size() + 1)
    return rocblas_status_invalid_size;
  std::memcpy(text, version.data(), version.size());
  text[version.size()] = 0;
  return rocblas_status_success;
}

rocblas_status rocblas_set_vector(rocblas_int n, rocblas_int bytes, const void *x, rocblas_int incx,
                                  void *y, rocblas_int incy) {
  return call(hipblasSetVector, n, bytes, x, incx, y, incy);
}
rocblas_status rocblas_get_vector(rocblas_int n, rocblas_int bytes, const void *x, rocblas_int incx,
                                  void *y, rocblas_int incy) {
  return call(hipblasGetVector, n, bytes, x, incx, y, incy);
}
rocblas_status rocblas_set_matrix(rocblas_int rows, rocblas_int cols, rocblas_int bytes,
                                  const void *a, rocblas_int lda, void *b, rocblas_int ldb) {
  return call(hipblasSetMatrix, rows, cols, bytes, a, lda, b, ldb);
}
rocblas_status rocblas_get_matrix(rocblas_int rows, rocblas_int cols, rocblas_int bytes,
                                  const void *a, rocblas_int lda, void *b, rocblas_int ldb) {
  return call(hipblasGetMatrix, rows, cols, bytes, a, lda, b, ldb);
}
rocblas_status rocblas_set_vector_async(rocblas_int n, rocblas_int bytes, const void *x,
                                        rocblas_int incx, void *y, rocblas_int incy,
                                        hipStream_t stream) {
  return call(hipblasSetVectorAsync, n, bytes, x, incx, y, incy, stream);
}
rocblas_status rocblas_get_vector_async(rocblas_int n, rocblas_int bytes, const void *x,
                                        rocblas_int incx, void *y, rocblas_int incy,
                                        hipStream_t stream) {
  return call(hipblasGetVectorAsync, n, bytes, x, incx, y, incy, stream);
}
rocblas_status rocblas_set_matrix_async(rocblas_int rows, rocblas_int cols, rocblas_int bytes,
                                        const void *a, rocblas_int lda, void *b, rocblas_int ldb,
                                        hipStream_t stream) {
  return call(hipblasSetMatrixAsync, rows, cols, bytes, a, lda, b, ldb, stream);
}
rocblas_status rocblas_get_matrix_async(rocblas_int rows, rocblas_int cols, rocblas_int bytes,
                                        const void *a, rocblas_int lda, void *b, rocblas_int ldb,
                                        hipStream_t stream) {
  return call(hipblasGetMatrixAsync, rows, cols, bytes, a, lda, b, ldb, stream);
}

// Both sizes of integers.
#define PRODUCTS(SUFFIX, INT)                                                                      \
  rocblas_status rocblas_gemm_ex##SUFFIX(                                                          \
      rocblas_handle handle, rocblas_operation transA, rocblas_operation transB, INT m, INT n,     \
      INT k, const void *alpha, const void *a, rocblas_datatype a_type, INT lda, const void *b,    \
      rocblas_datatype b_type, INT ldb, const void *beta, const void *c, rocblas_datatype c_type,  \
      INT ldc, void *d, rocblas_datatype d_type, INT ldd, rocblas_datatype compute_type,           \
      rocblas_gemm_algo, int32_t, uint32_t) {                                                      \
    if (const auto status =                                                                        \
            copy_to_result(handle, {m, n, 1, c, c_type, ldc, 0, d, d_type, ldd, 0}))               \
      return status;                                                                               \
    return call(hipblasGemmEx##SUFFIX, handle, transA, transB, m, n, k, alpha, a, a_type, lda, b,  \
                b_type, ldb, beta, d, d_type, ldd, compute_type, HIPBLAS_GEMM_DEFAULT);            \
  }                                                                                                \
  rocblas_status rocblas_gemm_batched_ex##SUFFIX(                                                  \
      rocblas_handle handle, rocblas_operation transA, rocblas_operation transB, INT m, INT n,     \
      INT k, const void *alpha, const void *a, rocblas_datatype a_type, INT lda, const void *b,    \
      rocblas_datatype b_type, INT ldb, const void *beta, const void *c, rocblas_datatype c_type,  \
      INT ldc, void *d, rocblas_datatype d_type, INT ldd, INT batch_count,                         \
      rocblas_datatype compute_type, rocblas_gemm_algo, int32_t, uint32_t) {                       \
    /* The pointers are on the device. */                                                          \
    if (handle && (c != d || ldc != ldd || c_type != d_type))                                      \
      return rocblas_status_not_implemented;                                                       \
    return call(hipblasGemmBatchedEx##SUFFIX, handle, transA, transB, m, n, k, alpha, a, a_type,   \
                lda, b, b_type, ldb, beta, d, d_type, ldd, batch_count, compute_type,              \
                HIPBLAS_GEMM_DEFAULT);                                                             \
  }                                                                                                \
  rocblas_status rocblas_gemm_strided_batched_ex##SUFFIX(                                          \
      rocblas_handle handle, rocblas_operation transA, rocblas_operation transB, INT m, INT n,     \
      INT k, const void *alpha, const void *a, rocblas_datatype a_type, INT lda,                   \
      rocblas_stride stride_a, const void *b, rocblas_datatype b_type, INT ldb,                    \
      rocblas_stride stride_b, const void *beta, const void *c, rocblas_datatype c_type, INT ldc,  \
      rocblas_stride stride_c, void *d, rocblas_datatype d_type, INT ldd, rocblas_stride stride_d, \
      INT batch_count, rocblas_datatype compute_type, rocblas_gemm_algo, int32_t, uint32_t) {      \
    if (const auto status = copy_to_result(                                                        \
            handle, {m, n, batch_count, c, c_type, ldc, stride_c, d, d_type, ldd, stride_d}))      \
      return status;                                                                               \
    return call(hipblasGemmStridedBatchedEx##SUFFIX, handle, transA, transB, m, n, k, alpha, a,    \
                a_type, lda, stride_a, b, b_type, ldb, stride_b, beta, d, d_type, ldd, stride_d,   \
                batch_count, compute_type, HIPBLAS_GEMM_DEFAULT);                                  \
  }
PRODUCTS(, rocblas_int)
PRODUCTS(_64, int64_t)
}
