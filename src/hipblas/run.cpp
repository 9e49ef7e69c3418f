#include "run.h"

#include "checks.h"
#include "handle.h"
#include "host/blas_library.h"
#include "host/execute.h"
#include "host/queue.h"
#include "kernels/launch.h"
#include "rotations.h"
#include "status.h"
#include "stream_memory.h"

#include <cstring>
#include <new>

namespace hipblas {

const char *const library_name = "hipblas";

namespace {

using enum Operation;

void take_value(Scalar &scalar) {
  if (!scalar.pointer)
    return;
  std::memcpy(scalar.bytes, scalar.pointer, size_of(scalar.type));
  scalar.pointer = nullptr;
}

/// The host's scalars may change when the call returns.
void take_values(Problem &p) {
  take_value(p.alpha);
  take_value(p.beta);
  if (p.operation == rotm && p.kind == Kind::single) {
    std::memcpy(p.parameters, p.a.data, 5 * size_of(p.a.type));
    p.a.data = nullptr;
  }
}

struct HostWork {
  Problem problem;
  void operator()() const { execute_on_host(problem); }
};

size_t bytes_of(const Result &result, const Problem &p) {
  return size_of(result.type) * size_t(p.batch);
}

/// Kernels whose results go to the host.
hipError_t launch_for_host(const Problem &p, hipStream_t stream) {
  StreamMemory memory(bytes_of(p.result, p), stream);
  if (memory.error != hipSuccess)
    return memory.error;
  Problem on_device = p;
  on_device.result.pointer = memory.data;
  if (const hipError_t error = launch(on_device, stream); error != hipSuccess)
    return error;
  return hipMemcpyAsync(p.result.pointer, memory.data, bytes_of(p.result, p), hipMemcpyDeviceToHost,
                        stream);
}

/// Rotations are made of numbers that are all on the host or all on the device.
void make_rotations_now(const Problem &p) {
  for (int64_t index = 0; index < p.batch; ++index) {
    if (p.type == Type::f32)
      make_rotation<float>(p, index);
    else if (p.type == Type::f64)
      make_rotation<double>(p, index);
    else if (p.type == Type::c32)
      make_rotation<Complex<float>>(p, index);
    else
      make_rotation<Complex<double>>(p, index);
  }
}

hipError_t start(const Handle &handle, Problem &p, bool for_host) {
  const bool solver = p.operation > trtri;
  if (handle.on_host && fits_blas(p))
    return solver && !has_lapack() ? hipErrorNotSupported
                                   : queue_on_host<HostWork>(handle.stream, p);
  if (solver)
    return hipErrorNotSupported;
  return for_host ? launch_for_host(p, handle.stream) : launch(p, handle.stream);
}

hipblasStatus_t checked_run(const Handle &handle, Problem &p) {
  if (p.operation == trsm) // The extended form says one type for all.
    for (Operand *operand : {&p.a, &p.b})
      operand->type = p.alpha.type = p.type;
  p.type = arithmetic(p.type);
  // The norm of complex numbers is computed in the type of its result, which is what the caller says.
  if (p.operation == nrm2 && is_complex(p.x.type) && p.type == p.result.type)
    p.type = size_of(p.type) * 2 == size_of(p.x.type) ? p.x.type : Type::none;
  p.device_scalars = handle.pointer_mode == HIPBLAS_POINTER_MODE_DEVICE;
  const Verdict verdict = check(p);
  if (verdict.nothing_to_do)
    return verdict.status;

  const bool rotation = p.operation == rotg || p.operation == rotmg;
  const bool for_host = !p.device_scalars && (p.result.pointer || rotation);
  hipGraph_t graph = nullptr;
  if (for_host && is_capturing(handle.stream, &graph))
    return HIPBLAS_STATUS_NOT_SUPPORTED; // It has to be there when the call returns.
  if (verdict.result_is_zero) {
    if (!for_host)
      return status_of(hipMemsetAsync(p.result.pointer, 0, bytes_of(p.result, p), handle.stream));
    std::memset(p.result.pointer, 0, bytes_of(p.result, p));
    return HIPBLAS_STATUS_SUCCESS;
  }
  if (rotation && for_host) {
    // Batches of the host's may have been written by the stream's earlier work.
    if (const hipError_t error = hipStreamSynchronize(handle.stream); error != hipSuccess)
      return status_of(error);
    make_rotations_now(p);
    return HIPBLAS_STATUS_SUCCESS;
  }
  if (!p.device_scalars)
    take_values(p);
  hipError_t error = start(handle, p, for_host);
  if (error == hipSuccess && for_host)
    error = hipStreamSynchronize(handle.stream);
  return status_of(error);
}

} // namespace

hipblasStatus_t run(hipblasHandle_t handle, Problem &problem) noexcept {
  if (!handle)
    return HIPBLAS_STATUS_NOT_INITIALIZED;
  try {
    return checked_run(*static_cast<const Handle *>(handle), problem);
  } catch (const std::bad_alloc &) {
    return HIPBLAS_STATUS_ALLOC_FAILED;
  } catch (...) {
    return HIPBLAS_STATUS_INTERNAL_ERROR;
  }
}

} // namespace hipblas
