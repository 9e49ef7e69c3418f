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

// Arguments of every size, looked at only when the host says so: by then their memory may have been reused too early.
#define LARGE_ARGUMENT(bytes)                                                                      \
  extern "C" __global__ void large_##bytes(Block<bytes> b, volatile int *flag, int *wrong, int seed) { \
    while (*flag == 0) {                                                                           \
    }                                                                                              \
    check_block(b, wrong, seed);                                                                   \
  }
LARGE_ARGUMENT(16)
LARGE_ARGUMENT(1000)
LARGE_ARGUMENT(1024)
LARGE_ARGUMENT(4080)
LARGE_ARGUMENT(65536)
LARGE_ARGUMENT(130048)
LARGE_ARGUMENT(131072)
LARGE_ARGUMENT(1048576)

// Two of them around small ones, each at its own place in a buffer of arguments.
extern "C" __global__ void two_large(char first, Block<65536> a, double second, Block<2048> b, int *wrong,
                                     int seed) {
  check_block(a, wrong, seed);
  check_block(b, wrong, seed + 1);
  if (first != char(seed) || second != seed + 0.5)
    atomicAdd(wrong, 1);
}

extern "C" __global__ void reverse(int *p) {
  extern __shared__ int buffer[];
  buffer[threadIdx.x] = p[threadIdx.x];
  __syncthreads();
  p[threadIdx.x] = buffer[blockDim.x - 1 - threadIdx.x];
}

extern "C" __global__ void count_nonzero(const int *cells, int n, int *out) {
  int count = 0;
  for (int i = 0; i < n; ++i)
    count += cells[i] != 0;
  *out = count;
}
