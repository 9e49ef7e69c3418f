// Complex numbers of rocBLAS, which kernels compute with, and the library multiplies.
#include "../device/run/device_test.h"

#include <rocblas/rocblas.h>

#include <complex>

using Complex = rocblas_double_complex;

__global__ void compute(const Complex *z, Complex *results) {
  results[0] = z[0] + z[1];
  results[1] = z[0] - z[1];
  results[2] = z[0] * z[1];
  results[3] = z[0] / z[1];
  results[4] = -z[0];
  results[5] = z[0] == z[1] ? Complex(0) : Complex(1);
  results[6] = Complex(1e300, 1e300) / Complex(1e300, -1e300);
}

int main() {
  const std::complex<double> a(3, -1), b(-2, 5);
  device_test::Array<Complex> z(2), results(8);
  z[0] = a, z[1] = b;
  compute<<<1, 1>>>(&z[0], &results[0]);
  CALL(hipDeviceSynchronize());
  const std::complex<double> expected[] = {a + b, a - b, a * b, a / b, -a, 1, {0, 1}};
  for (int i = 0; i < 7; ++i)
    CHECK(std::abs(std::complex<double>(results[i]) - expected[i]) < 1e-14);

  rocblas_handle handle = nullptr;
  CHECK(rocblas_create_handle(&handle) == rocblas_status_success);
  CHECK(rocblas_zdotc(handle, 1, &z[0], 1, &z[1], 1, &results[7]) == rocblas_status_success);
  CHECK(results[7] == Complex(std::conj(a) * b));
  CHECK(rocblas_destroy_handle(handle) == rocblas_status_success);
  return device_test::result();
}
