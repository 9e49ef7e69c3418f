// A source chooses the version of HIP's interface itself, though hipcc has read headers before its first line.
#define HIP_FORCE_API_VERSION 700
#include <hip/hip_runtime.h>

static_assert(HIP_VERSION_MAJOR == 7, "the version is that of the definition above");

__global__ void kernel(int *number) { *number = 7; }

hipError_t use(hipLibrary_t *library, int *number) {
  kernel<<<1, 1>>>(number);
  const hipLaunchConfig_t config{};
  if (hipError_t error = hipLaunchKernelEx(&config, kernel, number))
    return error;
  const char *constant = "";
  if (hipError_t error = hipMemcpyHtoD(number, constant, 1))
    return error;
  return hipLibraryLoadData(library, constant, nullptr, nullptr, 0, nullptr, nullptr, 0);
}
