// A module with a variable that kernels write and the host cannot find.
#include <hip/hip_runtime.h>

extern "C" __global__ void count_calls(int *out) {
  static int calls = 0;
  *out = ++calls;
}
