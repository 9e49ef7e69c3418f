#include "handle.h"

#include "host/blas_library.h"
#include "host/queue.h"
#include "status.h"

#include <cstdlib>
#include <new>
#include <string_view>

namespace hipblas {

namespace {

bool wants_kernels() {
  const char *value = std::getenv("CHIP_BLAS");
  return value && std::string_view(value) == "kernels";
}

/// Calls `body` with what a handle points to.
template <class Body> hipblasStatus_t with(hipblasHandle_t handle, const Body &body) {
  return handle ? body(*static_cast<Handle *>(handle)) : HIPBLAS_STATUS_NOT_INITIALIZED;
}

template <class T> hipblasStatus_t get(hipblasHandle_t handle, T *value, T Handle::*member) {
  return with(handle, [&](Handle &h) {
    if (!value)
      return HIPBLAS_STATUS_INVALID_VALUE;
    *value = h.*member;
    return HIPBLAS_STATUS_SUCCESS;
  });
}

template <class T>
hipblasStatus_t set(hipblasHandle_t handle, T value, T Handle::*member, int last) {
  return with(handle, [&](Handle &h) {
    if (int(value) < 0 || int(value) > last)
      return HIPBLAS_STATUS_INVALID_ENUM;
    h.*member = value;
    return HIPBLAS_STATUS_SUCCESS;
  });
}

} // namespace

} // namespace hipblas

using hipblas::Handle;

extern "C" {

hipblasStatus_t hipblasCreate(hipblasHandle_t *handle) {
  if (!handle)
    return HIPBLAS_STATUS_HANDLE_IS_NULLPTR;
  bool shares = false;
  if (const hipError_t error = hipblas::shares_memory_with_host(shares); error != hipSuccess)
    return hipblas::status_of(error);
  auto *made = new (std::nothrow) Handle;
  if (!made)
    return HIPBLAS_STATUS_ALLOC_FAILED;
  made->on_host = shares && !hipblas::wants_kernels() && hipblas::has_blas();
  *handle = made;
  return HIPBLAS_STATUS_SUCCESS;
}

hipblasStatus_t hipblasDestroy(hipblasHandle_t handle) {
  return hipblas::with(handle, [](Handle &h) {
    // Work that is queued owns what it needs.
    delete &h;
    return HIPBLAS_STATUS_SUCCESS;
  });
}

hipblasStatus_t hipblasSetStream(hipblasHandle_t handle, hipStream_t stream) {
  return hipblas::with(handle, [&](Handle &h) {
    h.stream = stream;
    return HIPBLAS_STATUS_SUCCESS;
  });
}

hipblasStatus_t hipblasGetStream(hipblasHandle_t handle, hipStream_t *stream) {
  return hipblas::get(handle, stream, &Handle::stream);
}

hipblasStatus_t hipblasSetPointerMode(hipblasHandle_t handle, hipblasPointerMode_t mode) {
  return hipblas::set(handle, mode, &Handle::pointer_mode, HIPBLAS_POINTER_MODE_DEVICE);
}

hipblasStatus_t hipblasGetPointerMode(hipblasHandle_t handle, hipblasPointerMode_t *mode) {
  return hipblas::get(handle, mode, &Handle::pointer_mode);
}

hipblasStatus_t hipblasSetMathMode(hipblasHandle_t handle, hipblasMath_t mode) {
  // The others stand for what other devices have.
  if (handle && mode > HIPBLAS_XF32_XDL_MATH && mode <= HIPBLAS_TENSOR_OP_MATH)
    return HIPBLAS_STATUS_NOT_SUPPORTED;
  return hipblas::set(handle, mode, &Handle::math_mode, HIPBLAS_XF32_XDL_MATH);
}

hipblasStatus_t hipblasGetMathMode(hipblasHandle_t handle, hipblasMath_t *mode) {
  return hipblas::get(handle, mode, &Handle::math_mode);
}

hipblasStatus_t hipblasSetAtomicsMode(hipblasHandle_t handle, hipblasAtomicsMode_t mode) {
  return hipblas::set(handle, mode, &Handle::atomics_mode, HIPBLAS_ATOMICS_ALLOWED);
}

hipblasStatus_t hipblasGetAtomicsMode(hipblasHandle_t handle, hipblasAtomicsMode_t *mode) {
  return hipblas::get(handle, mode, &Handle::atomics_mode);
}

const char *hipblasStatusToString(hipblasStatus_t status) {
  switch (status) {
#define CASE(NAME)                                                                                 \
  case NAME:                                                                                       \
    return #NAME;
    CASE(HIPBLAS_STATUS_SUCCESS)
    CASE(HIPBLAS_STATUS_NOT_INITIALIZED)
    CASE(HIPBLAS_STATUS_ALLOC_FAILED)
    CASE(HIPBLAS_STATUS_INVALID_VALUE)
    CASE(HIPBLAS_STATUS_MAPPING_ERROR)
    CASE(HIPBLAS_STATUS_EXECUTION_FAILED)
    CASE(HIPBLAS_STATUS_INTERNAL_ERROR)
    CASE(HIPBLAS_STATUS_NOT_SUPPORTED)
    CASE(HIPBLAS_STATUS_ARCH_MISMATCH)
    CASE(HIPBLAS_STATUS_HANDLE_IS_NULLPTR)
    CASE(HIPBLAS_STATUS_INVALID_ENUM)
    CASE(HIPBLAS_STATUS_UNKNOWN)
#undef CASE
  }
  return "<undefined hipblasStatus_t value>";
}
}
