// What the host asks and sets of a kernel, its name, and launches on several devices at once.
#include "../device_test.h"

#include <hip/hip_ext.h>

#include <climits>
#include <cstring>

using namespace device_test;

__global__ void add(int *out, int value) {
  __shared__ int local[100];
  local[threadIdx.x] = value;
  __syncthreads();
  *out += local[threadIdx.x];
}

void *const kernel = reinterpret_cast<void *>(add);

hipFuncAttributes attributes() {
  hipFuncAttributes result{};
  CALL(hipFuncGetAttributes(&result, kernel));
  return result;
}

void test_attributes() {
  int shared = 0, value = 0;
  CALL(hipDeviceGetAttribute(&shared, hipDeviceAttributeMaxSharedMemoryPerBlock, 0));
  const hipFuncAttributes before = attributes();
  CHECK(before.binaryVersion > 0 && before.ptxVersion > 0 && before.maxThreadsPerBlock > 0);
  const int most = shared - int(before.sharedSizeBytes);
  CHECK(before.maxDynamicSharedSizeBytes == most);
  CHECK(before.preferredShmemCarveout == -1);

  constexpr auto dynamic = hipFuncAttributeMaxDynamicSharedMemorySize;
  CALL(hipFuncSetAttribute(kernel, dynamic, most));
  CALL(hipFuncSetAttribute(kernel, dynamic, 1024));
  CHECK(attributes().maxDynamicSharedSizeBytes == 1024);
  CHECK(hipFuncSetAttribute(kernel, dynamic, -1) == hipErrorInvalidValue);
  CHECK(hipFuncSetAttribute(kernel, dynamic, most + 1) == hipErrorInvalidValue);
  CHECK(hipFuncSetAttribute(nullptr, dynamic, 1) == hipErrorInvalidDeviceFunction);
  CHECK(hipFuncSetAttribute(kernel, hipFuncAttribute(-1), 1) == hipErrorInvalidValue);

  constexpr auto carveout = hipFuncAttributePreferredSharedMemoryCarveout;
  for (int percent : {0, 100, -1, 50})
    CALL(hipFuncSetAttribute(kernel, carveout, percent));
  CHECK(attributes().preferredShmemCarveout == 50);
  CHECK(hipFuncSetAttribute(kernel, carveout, -2) == hipErrorInvalidValue);
  CHECK(hipFuncSetAttribute(kernel, carveout, 101) == hipErrorInvalidValue);

  hipFunction_t function = nullptr;
  CALL(hipGetFuncBySymbol(&function, kernel));
  CALL(hipFuncGetAttribute(&value, HIP_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, function));
  CHECK(value == 1024);
  CALL(hipFuncGetAttribute(&value, HIP_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, function));
  CHECK(value == before.maxThreadsPerBlock);
  CHECK(hipFuncGetAttribute(&value, HIP_FUNC_ATTRIBUTE_MAX, function) == hipErrorInvalidValue);
  CHECK(hipFuncGetAttribute(nullptr, HIP_FUNC_ATTRIBUTE_NUM_REGS, function) == hipErrorInvalidValue);
  CHECK(hipFuncGetAttribute(&value, HIP_FUNC_ATTRIBUTE_NUM_REGS, nullptr) == hipErrorInvalidResourceHandle);

  CALL(hipFuncSetCacheConfig(kernel, hipFuncCachePreferL1));
  CHECK(hipFuncSetCacheConfig(kernel, hipFuncCache_t(-1)) == hipErrorInvalidValue);
  CHECK(hipFuncSetCacheConfig(nullptr, hipFuncCachePreferL1) == hipErrorInvalidDeviceFunction);
  CALL(hipFuncSetSharedMemConfig(kernel, hipSharedMemBankSizeEightByte));
  CHECK(hipFuncSetSharedMemConfig(kernel, hipSharedMemConfig(-1)) == hipErrorInvalidValue);
  CHECK(hipFuncSetSharedMemConfig(nullptr, hipSharedMemBankSizeDefault) == hipErrorInvalidDeviceFunction);
}

void test_names() {
  hipFunction_t function = nullptr;
  CALL(hipGetFuncBySymbol(&function, kernel));
  const char *name = hipKernelNameRef(function);
  CHECK(name && std::strcmp(name, "_Z3addPii") == 0);
  name = hipKernelNameRefByPtr(kernel, nullptr);
  CHECK(name && std::strcmp(name, "_Z3addPii") == 0);
  CHECK(hipKernelNameRef(nullptr) == nullptr);
  CHECK(hipKernelNameRefByPtr(nullptr, nullptr) == nullptr);
  for (const uint32_t unknown : {0u, 50u, 4096u, ~0u})
    CHECK(std::strcmp(hipApiName(unknown), "unknown") == 0);
  CHECK(std::strcmp(hipApiName(1), "__hipPopCallConfiguration") == 0);
  CHECK(std::strcmp(hipApiName(108), "hipMalloc") == 0);
  CHECK(std::strcmp(hipApiName(365), "hipChooseDeviceR0600") == 0);
  CHECK(std::strcmp(hipApiName(460), "hipMemPrefetchBatchAsync") == 0);
}

template <class Launch> void test_many_devices(Launch launch) {
  int devices = 0;
  CALL(hipGetDeviceCount(&devices));
  hipStream_t streams[2];
  for (hipStream_t &stream : streams)
    CALL(hipStreamCreate(&stream));
  Array<int> out(1);
  int *address = out.get(), value = 5;
  void *arguments[] = {&address, &value};
  hipLaunchParams launches[2];
  for (int i = 0; i < 2; ++i)
    launches[i] = {kernel, dim3(1), dim3(1), arguments, 0, streams[i]};
  CALL(launch(launches, 1, 0));
  CALL(hipStreamSynchronize(streams[0]));
  CHECK(out[0] == 5);

  const auto refused = [&](hipLaunchParams *list, int count, unsigned flags) {
    return launch(list, count, flags) == hipErrorInvalidValue;
  };
  CHECK(refused(nullptr, 1, 0));
  CHECK(refused(launches, 0, 0));
  CHECK(refused(launches, devices + 1, 0));
  CHECK(refused(launches, 2, 0)); // on one device
  CHECK(refused(launches, 1, 999));
  launches[0].stream = nullptr;
  CHECK(refused(launches, 1, 0));
  CALL(hipDeviceSynchronize());
  CHECK(out[0] == 5);
  for (hipStream_t stream : streams)
    CALL(hipStreamDestroy(stream));
}

int main() {
  test_attributes();
  test_names();
  test_many_devices([](hipLaunchParams *list, int count, unsigned flags) {
    return hipExtLaunchMultiKernelMultiDevice(list, count, flags);
  });
  test_many_devices([](hipLaunchParams *list, int count, unsigned flags) {
    return hipLaunchCooperativeKernelMultiDevice(list, count, flags);
  });
  return result();
}
