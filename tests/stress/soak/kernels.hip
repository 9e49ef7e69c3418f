// Kernels for the soak test.
#include <hip/hip_runtime.h>

extern "C" __global__ void fill(int *p, int count, int tag) {
  for (int i = threadIdx.x; i < count; i += blockDim.x)
    p[i] = tag;
}

extern "C" __global__ void compare(const int *p, int count, int tag, int *wrong) {
  for (int i = threadIdx.x; i < count; i += blockDim.x)
    if (p[i] != tag)
      atomicAdd(wrong, 1);
}

struct Large {
  int words[1000];
};
extern "C" __global__ void take_large(Large large, int tag, int *wrong) {
  for (int i = threadIdx.x; i < 1000; i += blockDim.x)
    if (large.words[i] != tag)
      atomicAdd(wrong, 1);
}

__device__ int loads = 0;
// Each load of the module begins at 0.
extern "C" __global__ void count_loads(int *wrong) {
  if (threadIdx.x == 0 && ++loads != 1)
    atomicAdd(wrong, 1);
}
