#include "run.h"

#include "../hipblas/host/blas_library.h"
#include "../hipblas/host/queue.h"
#include "../hipblas/status.h"
#include "checks.h"
#include "handle.h"
#include "host/execute.h"

#include <new>

namespace hipblas {
const char *const library_name = "hipsolver";
} // namespace hipblas

namespace hipsolver {

namespace {

struct HostWork {
  Problem problem;
  void operator()() const { execute_on_host(problem); }
};

hipsolverStatus_t check_for(hipsolverHandle_t handle, const Problem &problem, bool with_data) {
  if (!handle)
    return HIPSOLVER_STATUS_NOT_INITIALIZED;
  if (const hipsolverStatus_t status = check(problem, with_data);
      status != HIPSOLVER_STATUS_SUCCESS)
    return status;
  if (!static_cast<const Handle *>(handle)->on_host || !fits_lapack(problem))
    return HIPSOLVER_STATUS_NOT_SUPPORTED;
  return HIPSOLVER_STATUS_SUCCESS;
}

hipsolverStatus_t checked_run(const Handle &handle, const Problem &p) {
  if (p.jacobi)
    p.jacobi->last = p.kind == Kind::single ? JacobiInfo::single : JacobiInfo::batch;
  if (p.batch == 0)
    return HIPSOLVER_STATUS_SUCCESS;
  return hipsolverStatus_t(hipblas::status_of(hipblas::queue_on_host<HostWork>(handle.stream, p)));
}

} // namespace

hipsolverStatus_t run(hipsolverHandle_t handle, const Problem &problem) noexcept {
  try {
    const hipsolverStatus_t status = check_for(handle, problem, true);
    return status != HIPSOLVER_STATUS_SUCCESS
               ? status
               : checked_run(*static_cast<const Handle *>(handle), problem);
  } catch (const std::bad_alloc &) {
    return HIPSOLVER_STATUS_ALLOC_FAILED;
  } catch (...) {
    return HIPSOLVER_STATUS_INTERNAL_ERROR;
  }
}

hipsolverStatus_t buffer_size(hipsolverHandle_t handle, const Problem &problem,
                              int *elements) noexcept {
  if (handle && !elements)
    return HIPSOLVER_STATUS_INVALID_VALUE;
  const hipsolverStatus_t status = check_for(handle, problem, false);
  if (status == HIPSOLVER_STATUS_SUCCESS)
    *elements = 1;
  return status;
}

hipsolverStatus_t buffer_size(hipsolverHandle_t handle, const Problem &problem,
                              size_t *bytes) noexcept {
  int elements = 0;
  const hipsolverStatus_t status = buffer_size(handle, problem, bytes ? &elements : nullptr);
  if (status == HIPSOLVER_STATUS_SUCCESS)
    *bytes = size_of(problem.type);
  return status;
}

} // namespace hipsolver
