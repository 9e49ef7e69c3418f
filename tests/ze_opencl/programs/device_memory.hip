// A device that shares no memory with the host: what can work does, and the rest is refused.
#include <hip/hip_runtime.h>

#include <cstdio>
#include <cstring>

static int failures = 0;

#define CHECK(condition)                                                                           \
  do {                                                                                             \
    if (!(condition)) {                                                                            \
      std::printf("line %d: FAILED: %s\n", __LINE__, #condition);                                  \
      ++failures;                                                                                  \
    }                                                                                              \
  } while (0)

constexpr int length = 1000;

__device__ int offset = 5;

struct Lists {
  int *first, *second;
};

// Follows pointers that it finds in memory.
__global__ void add(const Lists *lists) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < length)
    lists->second[i] = lists->first[i] + offset;
}

int main() {
  hipDeviceProp_t properties;
  CHECK(hipGetDeviceProperties(&properties, 0) == hipSuccess);
  CHECK(properties.canMapHostMemory == 0);
  CHECK(properties.managedMemory == 0);
  void *refused = nullptr;
  CHECK(hipHostMalloc(&refused, 64) == hipErrorNotSupported);
  CHECK(hipMallocManaged(&refused, 64) == hipErrorNotSupported);
  CHECK(hipHostRegister(&failures, sizeof failures, hipHostRegisterDefault) ==
        hipErrorNotSupported);
  CHECK(hipGetLastError() == hipErrorNotSupported);

  hipStream_t stream;
  hipEvent_t begin, end;
  CHECK(hipStreamCreate(&stream) == hipSuccess);
  CHECK(hipEventCreate(&begin) == hipSuccess);
  CHECK(hipEventCreate(&end) == hipSuccess);

  static int values[length], results[length], copies[length];
  for (int i = 0; i < length; ++i)
    values[i] = i * i;
  int *arrays = nullptr;
  Lists *lists = nullptr;
  CHECK(hipMalloc(&arrays, 2 * sizeof values) == hipSuccess);
  CHECK(hipMallocAsync(&lists, sizeof *lists, stream) == hipSuccess);
  const Lists both = {arrays, arrays + length};
  CHECK(hipEventRecord(begin, stream) == hipSuccess);
  CHECK(hipMemsetAsync(arrays, 255, 2 * sizeof values, stream) == hipSuccess);
  CHECK(hipMemcpyAsync(lists, &both, sizeof both, hipMemcpyDefault, stream) == hipSuccess);
  CHECK(hipMemcpyAsync(arrays + 1, values + 1, sizeof values - sizeof(int), hipMemcpyDefault,
                       stream) == hipSuccess);
  add<<<(length + 63) / 64, 64, 0, stream>>>(lists);
  CHECK(hipGetLastError() == hipSuccess);
  // Within device memory, out of it, and within the host's.
  CHECK(hipMemcpyAsync(arrays, arrays + length, sizeof values, hipMemcpyDefault, stream) ==
        hipSuccess);
  CHECK(hipMemcpyAsync(results, arrays, sizeof results, hipMemcpyDefault, stream) == hipSuccess);
  CHECK(hipMemcpyAsync(copies, results, sizeof copies, hipMemcpyDefault, stream) == hipSuccess);
  CHECK(hipEventRecord(end, stream) == hipSuccess);
  CHECK(hipStreamSynchronize(stream) == hipSuccess);
  CHECK(results[0] == -1 + 5);
  bool right = true;
  for (int i = 1; i < length; ++i)
    right &= results[i] == i * i + 5;
  CHECK(right);
  CHECK(std::memcmp(results, copies, sizeof copies) == 0);
  float milliseconds = -1;
  CHECK(hipEventElapsedTime(&milliseconds, begin, end) == hipSuccess);
  CHECK(milliseconds >= 0);

  CHECK(hipFreeAsync(lists, stream) == hipSuccess);
  CHECK(hipFree(arrays) == hipSuccess);
  std::puts(failures == 0 ? "PASSED" : "FAILED");
  return failures != 0;
}
