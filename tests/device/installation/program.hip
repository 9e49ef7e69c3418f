#include <hip/hip_runtime.h>

#include <cstdio>

__global__ void add(const float *a, const float *b, float *c, int n) {
  int i = int(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n)
    c[i] = a[i] + b[i];
}

int main() {
  constexpr int n = 1000;
  float *memory = nullptr;
  if (hipMallocManaged(&memory, 3 * n * sizeof(float)) != hipSuccess)
    return 1;
  for (int i = 0; i < 2 * n; ++i)
    memory[i] = float(i);
  add<<<(n + 255) / 256, 256>>>(memory, memory + n, memory + 2 * n, n);
  if (hipDeviceSynchronize() != hipSuccess)
    return 1;
  for (int i = 0; i < n; ++i)
    if (memory[2 * n + i] != float(i + i + n))
      return 1;
  if (hipFree(memory) != hipSuccess)
    return 1;
  std::puts("ok");
  return 0;
}
