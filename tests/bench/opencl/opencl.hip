// Kernels that run on an OpenCL device, through libCHIP and by plain OpenCL: of the same SPIR-V, so that nothing is used here
// that plain OpenCL does not have.
#include <hip/hip_runtime.h>

extern "C" __global__ void add(int *sum, int value) {
  if (threadIdx.x == 0)
    *sum += value;
}

// What is behind it waits until somebody writes to the flag.
extern "C" __global__ void hold(int *flag) {
  while (__hip_atomic_load(flag, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_SYSTEM) == 0)
    ;
}

extern "C" __global__ void triad(float *a, const float *b, const float *c, float scale) {
  const size_t i = size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  a[i] = b[i] + scale * c[i];
}

// The sum of each block of 256, by a tree in shared memory.
extern "C" __global__ void group_sums(float *sums, const float *values) {
  __shared__ float partial[256];
  const unsigned item = threadIdx.x;
  partial[item] = values[size_t{blockIdx.x} * blockDim.x + item];
  for (unsigned half_size = blockDim.x / 2; half_size > 0; half_size /= 2) {
    __syncthreads();
    if (item < half_size)
      partial[item] += partial[item + half_size];
  }
  if (item == 0)
    sums[blockIdx.x] = partial[0];
}

// Much arithmetic, little memory.
extern "C" __global__ void polynomial(float *a) {
  const size_t i = size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const float x = a[i];
  float y = x;
  for (int step = 0; step < 256; ++step)
    y = y * x + 0.25f;
  a[i] = y;
}
