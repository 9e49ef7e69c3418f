// Device code with what the driver for OpenCL devices changes in modules: variables and constants made of their addresses, structs
// that kernels write to, what work-items know of their warps.
#include <hip/hip_fp16.h>
#include <hip/hip_runtime.h>

struct Pair {
  int first, second;
};

__device__ int table[16] = {1, 2, 3};
__device__ int *middle = table + 8;
__constant__ double weights[4] = {0.25, 0.5, 0.75, 1};

__global__ void variables(int *out) {
  atomicAdd(&table[threadIdx.x % 16], 1);
  out[threadIdx.x] = middle[threadIdx.x % 8] + int(weights[threadIdx.x % 4]);
}

__global__ void parameters(Pair pair, int *out) {
  pair.first += int(threadIdx.x);
  for (int i = 0; i < pair.second; ++i)
    pair.first ^= i;
  out[threadIdx.x] = pair.first;
}

__global__ void warps(int *out) {
  const int other = __shfl_xor(out[threadIdx.x], 3);
  out[threadIdx.x] = __popcll(__ballot(other > 0)) + int(threadIdx.x) / warpSize;
}

__global__ void shared(__half *out) {
  __shared__ __half sums[64];
  extern __shared__ float more[];
  sums[threadIdx.x] = out[threadIdx.x];
  more[threadIdx.x] = 1;
  __syncthreads();
  out[threadIdx.x] = __hadd(sums[63 - threadIdx.x], __float2half(more[63 - threadIdx.x]));
}
