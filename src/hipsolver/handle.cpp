// Handles, and what functions of Jacobi's method and those of 64 bits are told.
#include "handle.h"

#include "../hipblas/host/blas_library.h"
#include "../hipblas/host/queue.h"
#include "../hipblas/status.h"
#include "problem.h"

#include <new>

namespace hipsolver {

namespace {

/// Calls `body` with what a handle points to.
template <class Body> hipsolverStatus_t with(hipsolverHandle_t handle, const Body &body) {
  if (!handle)
    return HIPSOLVER_STATUS_NOT_INITIALIZED;
  body(*static_cast<Handle *>(handle));
  return HIPSOLVER_STATUS_SUCCESS;
}

template <class T> hipsolverStatus_t make(void **place) {
  if (!place)
    return HIPSOLVER_STATUS_INVALID_VALUE;
  T *const made = new (std::nothrow) T;
  if (!made)
    return HIPSOLVER_STATUS_ALLOC_FAILED;
  *place = made;
  return HIPSOLVER_STATUS_SUCCESS;
}

template <class T> hipsolverStatus_t destroy(void *object) {
  if (!object)
    return HIPSOLVER_STATUS_INVALID_VALUE;
  delete static_cast<T *>(object);
  return HIPSOLVER_STATUS_SUCCESS;
}

template <class T> hipsolverStatus_t set(void *info, T value, T JacobiInfo::*member) {
  if (!info)
    return HIPSOLVER_STATUS_INVALID_VALUE;
  static_cast<JacobiInfo *>(info)->*member = value;
  return HIPSOLVER_STATUS_SUCCESS;
}

hipsolverStatus_t set_max_sweeps(void *info, int value) {
  return value <= 0 ? HIPSOLVER_STATUS_INVALID_VALUE : set(info, value, &JacobiInfo::max_sweeps);
}

/// What is asked for when a function has been called: LAPACK makes no sweeps, and leaves no residual.
template <class T> hipsolverStatus_t get_zero(hipsolverHandle_t handle, void *info, T *value) {
  if (!handle)
    return HIPSOLVER_STATUS_HANDLE_IS_NULLPTR;
  if (!info || !value)
    return HIPSOLVER_STATUS_INVALID_VALUE;
  switch (static_cast<JacobiInfo *>(info)->last) {
  case JacobiInfo::none:
    return HIPSOLVER_STATUS_INTERNAL_ERROR;
  case JacobiInfo::batch:
    return HIPSOLVER_STATUS_NOT_SUPPORTED;
  case JacobiInfo::single:
    *value = 0;
  }
  return HIPSOLVER_STATUS_SUCCESS;
}

/// What hipsolverDnParams_t points to: there is nothing to choose.
struct Params {};

} // namespace

} // namespace hipsolver

using hipsolver::Handle;
using hipsolver::JacobiInfo;

extern "C" {

hipsolverStatus_t hipsolverCreate(hipsolverHandle_t *handle) {
  if (!handle)
    return HIPSOLVER_STATUS_HANDLE_IS_NULLPTR;
  bool shares = false;
  if (const hipError_t error = hipblas::shares_memory_with_host(shares); error != hipSuccess)
    return hipsolverStatus_t(hipblas::status_of(error));
  const hipsolverStatus_t status = hipsolver::make<Handle>(handle);
  if (status == HIPSOLVER_STATUS_SUCCESS)
    static_cast<Handle *>(*handle)->on_host = shares && hipblas::has_lapack();
  return status;
}

hipsolverStatus_t hipsolverDestroy(hipsolverHandle_t handle) {
  // Work that is queued owns what it needs.
  return handle ? hipsolver::destroy<Handle>(handle) : HIPSOLVER_STATUS_NOT_INITIALIZED;
}

hipsolverStatus_t hipsolverSetStream(hipsolverHandle_t handle, hipStream_t stream) {
  return hipsolver::with(handle, [&](Handle &h) { h.stream = stream; });
}

hipsolverStatus_t hipsolverGetStream(hipsolverHandle_t handle, hipStream_t *stream) {
  if (handle && !stream)
    return HIPSOLVER_STATUS_INVALID_VALUE;
  return hipsolver::with(handle, [&](Handle &h) { *stream = h.stream; });
}

hipsolverStatus_t hipsolverSetDeterministicMode(hipsolverHandle_t handle,
                                                hipsolverDeterministicMode_t mode) {
  if (handle && mode != HIPSOLVER_DETERMINISTIC_RESULTS &&
      mode != HIPSOLVER_ALLOW_NON_DETERMINISTIC_RESULTS)
    return HIPSOLVER_STATUS_INVALID_ENUM;
  return hipsolver::with(handle, [&](Handle &h) { h.mode = mode; });
}

hipsolverStatus_t hipsolverGetDeterministicMode(hipsolverHandle_t handle,
                                                hipsolverDeterministicMode_t *mode) {
  if (handle && !mode)
    return HIPSOLVER_STATUS_INVALID_VALUE;
  return hipsolver::with(handle, [&](Handle &h) { *mode = h.mode; });
}

hipsolverStatus_t hipsolverDnCreate(hipsolverHandle_t *handle) { return hipsolverCreate(handle); }
hipsolverStatus_t hipsolverDnDestroy(hipsolverHandle_t handle) { return hipsolverDestroy(handle); }
hipsolverStatus_t hipsolverDnSetStream(hipsolverHandle_t handle, hipStream_t stream) {
  return hipsolverSetStream(handle, stream);
}
hipsolverStatus_t hipsolverDnGetStream(hipsolverHandle_t handle, hipStream_t *stream) {
  return hipsolverGetStream(handle, stream);
}
hipsolverStatus_t hipsolverDnSetDeterministicMode(hipsolverHandle_t handle,
                                                  hipsolverDeterministicMode_t mode) {
  return hipsolverSetDeterministicMode(handle, mode);
}
hipsolverStatus_t hipsolverDnGetDeterministicMode(hipsolverHandle_t handle,
                                                  hipsolverDeterministicMode_t *mode) {
  return hipsolverGetDeterministicMode(handle, mode);
}

/// The functions of both interfaces for what those of Jacobi's method are told.
#define JACOBI(PREFIX, NAME, SHORT)                                                                \
  hipsolverStatus_t PREFIX##Create##NAME##Info(hipsolver##NAME##Info_t *info) {                    \
    return hipsolver::make<JacobiInfo>(info);                                                      \
  }                                                                                                \
  hipsolverStatus_t PREFIX##Destroy##NAME##Info(hipsolver##NAME##Info_t info) {                    \
    return hipsolver::destroy<JacobiInfo>(info);                                                   \
  }                                                                                                \
  hipsolverStatus_t PREFIX##X##SHORT##SetMaxSweeps(hipsolver##NAME##Info_t info, int max_sweeps) { \
    return hipsolver::set_max_sweeps(info, max_sweeps);                                            \
  }                                                                                                \
  hipsolverStatus_t PREFIX##X##SHORT##SetSortEig(hipsolver##NAME##Info_t info, int sort_eig) {     \
    return hipsolver::set(info, sort_eig, &JacobiInfo::sort);                                      \
  }                                                                                                \
  hipsolverStatus_t PREFIX##X##SHORT##SetTolerance(hipsolver##NAME##Info_t info,                   \
                                                   double tolerance) {                             \
    return hipsolver::set(info, tolerance, &JacobiInfo::tolerance);                                \
  }                                                                                                \
  hipsolverStatus_t PREFIX##X##SHORT##GetResidual(                                                 \
      hipsolverHandle_t handle, hipsolver##NAME##Info_t info, double *residual) {                  \
    return hipsolver::get_zero(handle, info, residual);                                            \
  }                                                                                                \
  hipsolverStatus_t PREFIX##X##SHORT##GetSweeps(                                                   \
      hipsolverHandle_t handle, hipsolver##NAME##Info_t info, int *executed_sweeps) {              \
    return hipsolver::get_zero(handle, info, executed_sweeps);                                     \
  }

JACOBI(hipsolver, Gesvdj, gesvdj)
JACOBI(hipsolver, Syevj, syevj)
JACOBI(hipsolverDn, Gesvdj, gesvdj)
JACOBI(hipsolverDn, Syevj, syevj)

hipsolverStatus_t hipsolverDnCreateParams(hipsolverDnParams_t *params) {
  return hipsolver::make<hipsolver::Params>(params);
}
hipsolverStatus_t hipsolverDnDestroyParams(hipsolverDnParams_t params) {
  return hipsolver::destroy<hipsolver::Params>(params);
}
hipsolverStatus_t hipsolverDnSetAdvOptions(hipsolverDnParams_t, hipsolverDnFunction_t,
                                           hipsolverAlgMode_t) {
  return HIPSOLVER_STATUS_NOT_SUPPORTED;
}
}
