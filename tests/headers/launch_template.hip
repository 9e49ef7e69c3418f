// hipLaunchKernelGGL as a function: it converts arguments to what the kernel takes. Not run.
#include <hip/hip_runtime.h>

__global__ void scale(float *values, float factor) { values[0] *= factor; }

void launch(float *values) {
  hipLaunchKernelGGL(scale, dim3(1), dim3(32), 0, nullptr, values, 2);
}
