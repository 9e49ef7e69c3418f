// Work of the host in the order of a device's streams, for libraries that compute there what the device's memory holds.
#pragma once

#include <hip/hip_runtime_api.h>

#include <memory>

namespace hipblas {

/// Whether kernels and host functions see the current device's memory at the same addresses: so the CPU driver has it.
hipError_t shares_memory_with_host(bool &shares);

/// Whether a stream captures, and into which graph.
bool is_capturing(hipStream_t stream, hipGraph_t *graph);

/// Says on stderr that work could not be done.
void report_no_memory() noexcept;

/// Calls a function object, from where nothing may be thrown.
template <class Work> void call(const Work &work) noexcept {
  try {
    work();
  } catch (...) {
    report_no_memory();
  }
}

/// Makes a function object of arguments, which is called on the host in the order of a stream, or, where the stream captures, each
/// time that the graph is launched.
template <class Work, class... Arguments>
hipError_t queue_on_host(hipStream_t stream, const Arguments &...arguments) {
  auto work = std::make_unique<Work>(arguments...);
  hipGraph_t graph = nullptr;
  if (!is_capturing(stream, &graph)) {
    const auto call_once = [](void *object) {
      const std::unique_ptr<const Work> owned(static_cast<const Work *>(object));
      call(*owned);
    };
    const hipError_t error = hipLaunchHostFunc(stream, call_once, work.get());
    if (error == hipSuccess)
      work.release();
    return error;
  }
  // The graph's, which may be launched many times.
  const auto forget = [](void *object) { delete static_cast<const Work *>(object); };
  const auto call_again = [](void *object) { call(*static_cast<const Work *>(object)); };
  hipUserObject_t object = nullptr;
  hipError_t error =
      hipUserObjectCreate(&object, work.get(), forget, 1, hipUserObjectNoDestructorSync);
  if (error != hipSuccess)
    return error;
  Work *const owned = work.release();
  error = hipGraphRetainUserObject(graph, object, 1, hipGraphUserObjectMove);
  if (error != hipSuccess) {
    (void)hipUserObjectRelease(object, 1);
    return error;
  }
  return hipLaunchHostFunc(stream, call_again, owned);
}

} // namespace hipblas
