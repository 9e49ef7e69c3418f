// Compiled with -fgpu-default-stream=per-thread: stream 0 is each thread's own, for launches and for all else.
#include "device_test.h"

#include <atomic>
#include <thread>

using namespace device_test;

__global__ void wait_for_flag(volatile int *flag) {
  while (*flag == 0) {
  }
}
__global__ void add(int *p) { *p += 1; }

int main() {
  int *flag = nullptr, *number = nullptr;
  CALL(hipHostMalloc(&flag, sizeof *flag));
  CALL(hipHostMalloc(&number, sizeof *number));
  *flag = *number = 0;
  const bool executes = !unchecked();
  std::atomic<bool> launched{false};
  std::thread other([&] {
    wait_for_flag<<<1, 1>>>(flag);
    launched = true;
    CHECK(hipStreamQuery(0) == hipErrorNotReady);
    CALL(hipStreamSynchronize(0));
  });
  while (!launched)
    std::this_thread::yield();
  // Nothing of this waits for the other thread's kernel.
  add<<<1, 1>>>(number);
  hipLaunchKernelGGL(add, 1, 1, 0, 0, number);
  int copy = 0;
  CALL(hipMemcpyAsync(&copy, number, sizeof copy, hipMemcpyDefault, 0));
  CALL(hipStreamSynchronize(0));
  CHECK(copy == 2);
  CHECK(hipStreamQuery(0) == hipSuccess);
  if (executes)
    CHECK(hipStreamQuery(hipStreamLegacy) == hipErrorNotReady); // it waits for all threads' streams
  reinterpret_cast<std::atomic<int> *>(flag)->store(1);
  other.join();
  CALL(hipDeviceSynchronize());
  CALL(hipHostFree(flag));
  CALL(hipHostFree(number));
  return result();
}
