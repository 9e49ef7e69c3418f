// Matrix multiplication with tiles in shared memory.
//
// A block of threads computes one tile of C = A * B. It walks along a row of tiles of A and a
// column of tiles of B, copies each pair into shared memory once, and then every thread reads it
// from there 16 times: that divides the traffic to global memory by 16. __syncthreads() separates
// the copying from the reading, in both directions.
//
//   hipcc -O2 matmul.hip -o matmul && ./matmul
#include "check.h"

#include <cmath>
#include <vector>

constexpr int tile = 16;

__global__ void multiply(const float *a, const float *b, float *c, int rows, int inner,
                         int columns) {
  __shared__ float a_tile[tile][tile];
  __shared__ float b_tile[tile][tile];
  const int row = blockIdx.y * tile + threadIdx.y;
  const int column = blockIdx.x * tile + threadIdx.x;

  float sum = 0;
  for (int start = 0; start < inner; start += tile) {
    // The matrices need not be multiples of the tile: what lies outside counts as zero. All threads
    // of the block stay in the loop, because all of them have to reach the barriers.
    const int k_a = start + threadIdx.x;
    const int k_b = start + threadIdx.y;
    a_tile[threadIdx.y][threadIdx.x] = row < rows && k_a < inner ? a[row * inner + k_a] : 0;
    b_tile[threadIdx.y][threadIdx.x] =
        k_b < inner && column < columns ? b[k_b * columns + column] : 0;
    __syncthreads();
    for (int k = 0; k < tile; ++k)
      sum += a_tile[threadIdx.y][k] * b_tile[k][threadIdx.x];
    __syncthreads();
  }
  if (row < rows && column < columns)
    c[row * columns + column] = sum;
}

static std::vector<float> multiply_on_host(const std::vector<float> &a, const std::vector<float> &b,
                                           int rows, int inner, int columns) {
  std::vector<float> c(rows * columns);
  for (int row = 0; row < rows; ++row)
    for (int k = 0; k < inner; ++k)
      for (int column = 0; column < columns; ++column)
        c[row * columns + column] += a[row * inner + k] * b[k * columns + column];
  return c;
}

int main() {
  constexpr int rows = 300, inner = 500, columns = 420;
  std::vector<float> a(rows * inner), b(inner * columns), c(rows * columns, NAN);
  for (int i = 0; i < rows * inner; ++i)
    a[i] = static_cast<float>(i % 17 - 8) / 8;
  for (int i = 0; i < inner * columns; ++i)
    b[i] = static_cast<float>(i % 23 - 11) / 16;

  float *device_a, *device_b, *device_c;
  HIP_CHECK(hipMalloc(&device_a, a.size() * sizeof(float)));
  HIP_CHECK(hipMalloc(&device_b, b.size() * sizeof(float)));
  HIP_CHECK(hipMalloc(&device_c, c.size() * sizeof(float)));
  HIP_CHECK(hipMemcpy(device_a, a.data(), a.size() * sizeof(float), hipMemcpyHostToDevice));
  HIP_CHECK(hipMemcpy(device_b, b.data(), b.size() * sizeof(float), hipMemcpyHostToDevice));

  const dim3 block(tile, tile);
  const dim3 grid((columns + tile - 1) / tile, (rows + tile - 1) / tile);
  multiply<<<grid, block>>>(device_a, device_b, device_c, rows, inner, columns);
  HIP_CHECK(hipGetLastError());
  // hipMemcpy waits for the kernel: both use the null stream.
  HIP_CHECK(hipMemcpy(c.data(), device_c, c.size() * sizeof(float), hipMemcpyDeviceToHost));
  HIP_CHECK(hipFree(device_a));
  HIP_CHECK(hipFree(device_b));
  HIP_CHECK(hipFree(device_c));

  // The sums are rounded in another order and with fused multiply-adds, so the last bits may
  // differ.
  const auto expected = multiply_on_host(a, b, rows, inner, columns);
  float worst = 0;
  bool right = true;
  for (size_t i = 0; i < c.size(); ++i) {
    const float error = std::fabs(c[i] - expected[i]);
    right = right && error <= 1e-3f; // also false for the NaN of an element that was never written
    if (!(error <= worst))
      worst = error;
  }
  std::printf("%d x %d times %d x %d", rows, inner, inner, columns);
  if (!results_unchecked())
    std::printf(", largest error %g", worst);
  std::puts("");
  return report(right);
}
