// Has a variable, so that each of two loads at once is built.
#include <hip/hip_runtime.h>

__device__ int variable = 1;
extern "C" __global__ void add_variable(int *p) { atomicAdd(p, variable++); }
