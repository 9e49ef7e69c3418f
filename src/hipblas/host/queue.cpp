#include "queue.h"

#include "../../common/driver_contract.h"
#include "blas_library.h"

#include <cstdio>
#include <string_view>

namespace hipblas {

hipError_t shares_memory_with_host(bool &shares) {
  int device = 0;
  hipUUID uuid{};
  hipError_t error = hipGetDevice(&device);
  if (error == hipSuccess)
    error = hipDeviceGetUuid(&uuid, device);
  shares =
      error == hipSuccess &&
      std::string_view(uuid.bytes, sizeof uuid.bytes).starts_with(driver_contract::cpu_uuid_prefix);
  return error;
}

bool is_capturing(hipStream_t stream, hipGraph_t *graph) {
  hipStreamCaptureStatus status = hipStreamCaptureStatusNone;
  return hipStreamGetCaptureInfo_v2(stream, &status, nullptr, graph, nullptr, nullptr) ==
             hipSuccess &&
         status == hipStreamCaptureStatusActive;
}

void report_no_memory() noexcept {
  std::fprintf(stderr,
               "%s: there is no memory for what a function computes with, and its results are not "
               "written\n",
               library_name);
}

} // namespace hipblas
