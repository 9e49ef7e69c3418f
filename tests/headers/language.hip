// What programs in the HIP language write against the host interface. It is compiled for host and
// device and not run.
#include <hip/hip_bf16.h>
#include <hip/hip_bfloat16.h>
#include <hip/hip_cooperative_groups.h>
#include <hip/hip_ext.h>
#include <hip/hip_fp16.h>
#include <hip/hip_fp8.h>
#include <hip/hip_runtime.h>
#include <type_traits>

__constant__ int table[4];
__device__ int counter;
__device__ volatile int flag;
__managed__ float shared_by_all;
texture<float, hipTextureType2D, hipReadModeElementType> image;

__global__ void scale(float *values, float factor) { values[0] *= factor; }
template <class T, int n> __global__ void fill(T *values) { values[0] = n; }
__host__ __device__ inline dim3 one_warp() { return dim3(32); }
__device__ __noinline__ float not_inlined(float x) { return x; }
__device__ __forceinline__ float inlined(float x) { return x; }
__global__ void store(hip_bfloat16 *values) {
  values[0] = values[1] * values[2] + hip_bfloat16(inlined(1.5f));
  values[0] += hip_bfloat16(not_inlined(0.5f), hip_bfloat16::truncate);
}
__global__ void __launch_bounds__(256) bounded(float *values) {
  HIP_DYNAMIC_SHARED(float, buffer);
  const unsigned int i = hipBlockIdx_x * hipBlockDim_x + hipThreadIdx_x;
  buffer[hipThreadIdx_x] = values[i];
  __syncthreads();
  values[i] = i < hipGridDim_x * blockDim.x ? buffer[threadIdx.x] : 0.0f;
}
__global__ void __launch_bounds__(256, 2) bounded_twice(float *values) { values[0] = 0.0f; }

// Programs overload HIP's names for types of their own choice, and define what HIP 6.4 lacks.
__device__ float4 __shfl_down(const float4 value, const unsigned lane, const unsigned width = 32) {
  return make_float4(__shfl_down(value.x, lane, width), __shfl_down(value.y, lane, width),
                     __shfl_down(value.z, lane, width), __shfl_down(value.w, lane, width));
}
inline __device__ __hip_bfloat162 __float2bfloat162_rn(const float x) {
  return __hip_bfloat162{__float2bfloat16(x), __float2bfloat16(x)};
}
__global__ void own_names(float4 *values, __hip_bfloat162 *pairs, half *halves, hip_bfloat16 *other) {
  values[0] = __shfl_down(values[0], 1u) * 2 + 0.5f / values[1];
  values[1] *= 3;
  pairs[0] = __float2bfloat162_rn(values[0].x);
  halves[0] = static_cast<half>(other[0]);
}
static_assert(!std::is_convertible<float, float4>::value &&
                  std::is_constructible<float4, float>::value,
              "a number becomes a vector where the program says so");
static_assert(uchar4{~1}.w == 254 && short1{-2l}.x == -2 && float2{3}.y == 3 && int3(2.5f).z == 2,
              "whatever type the number has");

// Programs that know operators of __half for the device only write those for the host, taking values.
static const char *operator==(__half, __half) { return "own"; }
static const char *operator!=(__half2, __half2) { return "own"; }
static const char *operator+(__half, __half) { return "own"; }
const char *own_operators(__half a, __half2 b) { return a == a ? a + a : b != b; }
__global__ void given_operators(bool *values, const __half a, const __half2 b) {
  values[0] = a == a && b != b && a + a == a;
}
static_assert(std::is_constructible<__half, volatile __half_raw &>::value &&
                  std::is_assignable<__half, volatile __half_raw &&>::value &&
                  std::is_convertible<__half, volatile __half_raw>::value,
              "raw bits in volatile memory");

// And types that become any of HIP's, which of these are none.
struct Number {
  __host__ __device__ operator __half() const { return value; }
  __host__ __device__ operator __half2() const { return {value, value}; }
  __host__ __device__ operator float() const { return value; }
  float value;
};
__host__ __device__ float negative(Number a) { return -a + +a; }

// Programs that forget to include what AMD's compiler includes by itself.
std::string count_of_ones(const std::complex<float> *values, int count) {
  std::stringstream text;
  text << std::count(values, values + count, std::complex<float>(1));
  return text.str();
}

hipError_t launches(float *values, int *numbers, hipStream_t stream) {
  scale<<<1, one_warp()>>>(values, 2.0f);
  scale<<<dim3(1), dim3(32), 256, stream>>>(values, 2.0f);
  fill<int, 3><<<1, 32>>>(numbers);
  hipLaunchKernelGGL(scale, dim3(1), dim3(32), 0, stream, values, 2.0f);
  hipLaunchKernelGGL(HIP_KERNEL_NAME(fill<int, 3>), 1, 32, 0, nullptr, numbers);
  hipLaunchKernelGGL((fill<int, 4>), dim3(1), dim3(32), 0, 0, numbers);
  hipExtLaunchKernelGGL(scale, dim3(1), dim3(32), 0, stream, nullptr, nullptr, 0, values, 2.0f);
  void *arguments[] = {&values};
  if (hipError_t error = hipLaunchCooperativeKernel(scale, dim3(1), dim3(1), arguments, 0, stream))
    return error;
  return hipLaunchKernel(reinterpret_cast<const void *>(scale), 1, 32, arguments, 0, stream);
}

hipError_t symbols(int *numbers) {
  void *address = nullptr;
  size_t size = 0;
  hipError_t error = hipMemcpyToSymbol(HIP_SYMBOL(table), numbers, sizeof table);
  if (error == hipSuccess)
    error = hipMemcpyToSymbol(counter, numbers, sizeof counter, 0, hipMemcpyHostToDevice);
  if (error == hipSuccess)
    error = hipMemcpyFromSymbol(numbers, flag, sizeof flag);
  if (error == hipSuccess)
    error = hipMemcpyFromSymbolAsync(numbers, HIP_SYMBOL(counter), 4, 0, hipMemcpyDeviceToHost);
  if (error == hipSuccess)
    error = hipGetSymbolAddress(&address, table);
  if (error == hipSuccess)
    error = hipGetSymbolSize(&size, HIP_SYMBOL(table));
  return error;
}

hipError_t occupancy() {
  int grid = 0, block = 0;
  hipError_t error = hipOccupancyMaxPotentialBlockSize(&grid, &block, scale);
  if (error == hipSuccess)
    error = hipOccupancyMaxPotentialBlockSize(&grid, &block, scale, 0, 256);
  if (error == hipSuccess)
    error = hipOccupancyMaxActiveBlocksPerMultiprocessor(&grid, scale, 64, 0);
  if (error == hipSuccess)
    error = hipOccupancyMaxPotentialBlockSizeVariableSMem(&grid, &block, scale,
                                                          [](int threads) { return threads; });
  return error;
}
