// Kernels that give up, each in its own way.
#include <hip/hip_runtime.h>

#include <cassert>

extern "C" __global__ void traps(int *p) {
  if (p[0] == 0)
    __builtin_trap();
}

extern "C" __global__ void aborts(int *p) {
  if (p[0] == 0)
    abort();
}

extern "C" __global__ void asserts(int *p) { assert(p[0] != 0); }

extern "C" __global__ void says_and_faults(int *p) {
  printf("about to fail\n");
  p[0] = 1;
}

// Deeper than any stack: each call keeps something of its own.
__device__ __attribute__((noinline)) int dig(volatile int *p, int n) {
  volatile int kept[16];
  kept[n & 15] = n;
  return p[0] > 0 ? n : dig(p, n + 1) + kept[n & 15];
}
__global__ void digs(int *p) { p[1] = dig(p, 0); }
extern "C" __global__ void digs_with_barrier(int *p) {
  __shared__ int sum;
  if (threadIdx.x == 0)
    sum = 0;
  __syncthreads();
  atomicAdd(&sum, dig(p, 0));
  __syncthreads();
  p[1] = sum;
}

// What would follow never ends.
__device__ __attribute__((noinline)) int descend(volatile int *p, int n) {
  if (n == 0)
    __builtin_trap();
  return n < 0 ? 0 : descend(p, n - 1) + p[0];
}
extern "C" __global__ void traps_deep(int *p) {
  p[1] = descend(p, p[0] + 3);
  while (__hip_atomic_load(p, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_SYSTEM) == 0) {
  }
}
