// Multiplies two numbers as complex matrices, in both forms of the interface.
#include <hipblas/hipblas.h>

#include <cstdio>

int main() {
#ifdef HIPBLAS_V2
  using Element = hipComplex;
  const Element numbers[] = {{1, 2}, {3, 4}}, one = {1, 0}, zero = {0, 0};
#else
  using Element = hipblasComplex;
  const Element numbers[] = {{1, 2}, {3, 4}}, one(1), zero(0);
#endif
  Element *data = nullptr;
  float product[2] = {};
  hipblasHandle_t handle = nullptr;
  if (hipblasCreate(&handle) || hipMalloc(reinterpret_cast<void **>(&data), 3 * sizeof(Element)) ||
      hipblasSetVector(2, sizeof(Element), numbers, 1, data, 1) ||
      hipblasCgemm(handle, HIPBLAS_OP_N, HIPBLAS_OP_N, 1, 1, 1, &one, data, 1, data + 1, 1, &zero,
                   data + 2, 1) ||
      hipblasGetVector(1, sizeof(Element), data + 2, 1, product, 1))
    return 1;
  std::printf("%g %g\n", product[0], product[1]);
  return product[0] == -5 && product[1] == 10 && !hipFree(data) && !hipblasDestroy(handle) ? 0 : 1;
}
