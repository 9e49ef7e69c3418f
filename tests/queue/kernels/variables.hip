// A module with variables that kernels write and the host can find.
#include <hip/hip_runtime.h>

extern "C" {
__device__ int counter = 40;
__device__ float table[100] = {1, 2, 3};
__device__ int *pointer = &counter;

__global__ void count(int *out) { *out = atomicAdd(&counter, 1) + 1; }
__global__ void count_through_pointer(int *out) { *out = atomicAdd(pointer, 1) + 1; }
__global__ void fill(float value) { table[threadIdx.x] = value; }
}
