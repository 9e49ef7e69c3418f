#include <hip/hip_runtime_api.h>

template <int value> __global__ void write(int *p) { *p = value; }

template <int value> int answer() {
  int *p = nullptr;
  if (hipMallocManaged(&p, sizeof *p) != hipSuccess)
    return -1;
  write<value><<<1, 1>>>(p);
  const int result = hipDeviceSynchronize() == hipSuccess ? *p : -1;
  return hipFree(p) == hipSuccess ? result : -1;
}
