// Solves an equation of one unknown, beside hipBLAS.
#include <hipblas/hipblas.h>
#include <hipsolver/hipsolver.h>

#include <cstdio>

int main() {
  static_assert(hipsolverVersionMajor == 2 && hipsolverVersionMinor == 4, "AMD's of ROCm 6.4");
  double numbers[] = {4, 10};
  double *data = nullptr;
  int *results = nullptr;
  hipsolverHandle_t handle = nullptr;
  if (hipsolverCreate(&handle) || hipMalloc(reinterpret_cast<void **>(&data), sizeof numbers) ||
      hipMalloc(reinterpret_cast<void **>(&results), 2 * sizeof(int)) ||
      hipMemcpy(data, numbers, sizeof numbers, hipMemcpyHostToDevice) ||
      hipsolverDpotrf(handle, HIPSOLVER_FILL_MODE_LOWER, 1, data, 1, nullptr, 0, results) ||
      hipsolverDpotrs(handle, HIPSOLVER_FILL_MODE_LOWER, 1, 1, data, 1, data + 1, 1, nullptr, 0,
                      results + 1) ||
      hipMemcpy(numbers, data, sizeof numbers, hipMemcpyDeviceToHost))
    return 1;
  std::printf("%g %g\n", numbers[0], numbers[1]);
  return numbers[0] == 2 && numbers[1] == 2.5 && !hipFree(data) && !hipFree(results) &&
                 !hipsolverDestroy(handle)
             ? 0
             : 1;
}
