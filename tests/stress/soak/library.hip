// A library that the soak test loads and unloads. Several are built of it, with kernels and variables of the same names.
#include <hip/hip_runtime.h>

__device__ int variable = 5;
__managed__ int managed = 6;

template <class T> __global__ void check(T *wrong) {
  if (variable != 5 || managed != 6)
    atomicAdd(wrong, 1);
}

extern "C" hipError_t run(int *wrong, hipStream_t stream) {
  check<<<1, 1, 0, stream>>>(wrong);
  return hipGetLastError();
}
