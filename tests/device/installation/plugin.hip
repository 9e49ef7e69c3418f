#include <hip/hip_runtime.h>

__device__ int calls = 0;
__global__ void count(int *p) { *p = ++calls; }

extern "C" int run_plugin() {
  int *p = nullptr;
  if (hipMallocManaged(&p, sizeof(int)) != hipSuccess)
    return -1;
  count<<<1, 1>>>(p);
  int result = hipDeviceSynchronize() == hipSuccess ? *p : -1;
  return hipFree(p) == hipSuccess ? result : -1;
}
