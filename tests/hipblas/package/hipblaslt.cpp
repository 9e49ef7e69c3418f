// Multiplies two numbers as matrices of one element.
#include <hipblaslt/hipblaslt.h>

int main() {
  const float numbers[] = {3, 4}, one = 1, zero = 0;
  float *data = nullptr, result = 0;
  hipblasLtHandle_t handle = nullptr;
  hipblasLtMatmulDesc_t desc = nullptr;
  hipblasLtMatrixLayout_t layout = nullptr;
  if (hipblasLtCreate(&handle) || hipMalloc(reinterpret_cast<void **>(&data), 3 * sizeof(float)) ||
      hipMemcpy(data, numbers, sizeof numbers, hipMemcpyHostToDevice) ||
      hipblasLtMatmulDescCreate(&desc, HIPBLAS_COMPUTE_32F, HIP_R_32F) ||
      hipblasLtMatrixLayoutCreate(&layout, HIP_R_32F, 1, 1, 1) ||
      hipblasLtMatmul(handle, desc, &one, data, layout, data + 1, layout, &zero, data + 2, layout,
                      data + 2, layout, nullptr, nullptr, 0, nullptr) ||
      hipMemcpy(&result, data + 2, sizeof result, hipMemcpyDeviceToHost))
    return 1;
  const bool cleaned = !hipblasLtMatrixLayoutDestroy(layout) && !hipblasLtMatmulDescDestroy(desc) &&
                       !hipblasLtDestroy(handle) && !hipFree(data);
  return result == 12 && cleaned ? 0 : 1;
}
