// Kernels for the tests of the scheduler.
#include <hip/hip_runtime.h>

extern "C" __global__ void add(int *p, int value) { p[blockIdx.x * blockDim.x + threadIdx.x] += value; }

extern "C" __global__ void nothing(int *, int) {}

// Busy until the host says so: `flag` is host memory.
extern "C" __global__ void wait_for_flag(volatile int *flag) {
  while (*flag == 0) {
  }
}

// p = 2 * p + digit: the value tells the order in which launches ran.
extern "C" __global__ void append_digit(long long *p, int digit) { *p = *p * 10 + digit; }

// Takes its time, so that a later command that does not wait overtakes it.
extern "C" __global__ void slow_append_digit(long long *p, int digit, int rounds) {
  volatile int sink = 0;
  for (int i = 0; i < rounds; ++i)
    sink = sink + i;
  *p = *p * 10 + digit;
}

template <int bytes> struct Block {
  int words[bytes / 4];
};
template <int bytes> __device__ void check_block(const Block<bytes> &block, int *wrong, int seed) {
  for (int i = threadIdx.x; i < bytes / 4; i += blockDim.x)
    if (block.words[i] != seed + i)
      atomicAdd(wrong, 1);
}
extern "C" __global__ void block_1000(Block<1000> b, int *wrong, int seed) { check_block(b, wrong, seed); }
extern "C" __global__ void block_1024(Block<1024> b, int *wrong, int seed) { check_block(b, wrong, seed); }
extern "C" __global__ void block_4080(Block<4080> b, int *wrong, int seed) { check_block(b, wrong, seed); }

extern "C" __global__ void reverse(int *p) {
  extern __shared__ int buffer[];
  buffer[threadIdx.x] = p[threadIdx.x];
  __syncthreads();
  p[threadIdx.x] = buffer[blockDim.x - 1 - threadIdx.x];
}
