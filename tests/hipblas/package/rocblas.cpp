// Multiplies a vector of complex numbers by one.
#include <rocblas/rocblas.h>

int main() {
  const rocblas_float_complex numbers[] = {{1, 2}, {3, 4}}, i = {0, 1};
  rocblas_float_complex *data = nullptr, results[2] = {};
  rocblas_handle handle = nullptr;
  if (rocblas_create_handle(&handle) ||
      hipMalloc(reinterpret_cast<void **>(&data), sizeof numbers) ||
      rocblas_set_vector(2, sizeof *data, numbers, 1, data, 1) ||
      rocblas_cscal(handle, 2, &i, data, 1) ||
      rocblas_get_vector(2, sizeof *data, data, 1, results, 1))
    return 1;
  const bool right =
      results[0].x == -2 && results[0].y == 1 && results[1].x == -4 && results[1].y == 3;
  return right && !hipFree(data) && !rocblas_destroy_handle(handle) ? 0 : 1;
}
