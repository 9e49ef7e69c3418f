// The kernel of the launch benchmark: as little work as a kernel can have. It is compiled twice,
// into the program, where HIP launches it, and alone, where raw Level Zero does.
#include <hip/hip_runtime.h>

extern "C" __global__ void add(int *sum, int value) { *sum += value; }
