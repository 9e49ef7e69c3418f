// Device code whose variables have initialisers with addresses in them: a kernel completes them when it is loaded.
#include <hip/hip_runtime.h>

__device__ int target = 7;
__device__ int *pointer = &target;
__managed__ int shared_value = 3;

extern "C" __global__ void read_pointer(int *out) { *out = *pointer; }
extern "C" __global__ void read_managed(int *out) { *out = shared_value; }
