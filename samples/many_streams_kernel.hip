// The kernel of many_streams.hip, in a file of its own.
#include "many_streams.h"

__global__ void add(float *array, float value, int length) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < length)
    array[i] += value;
}
