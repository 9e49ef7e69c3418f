// The process may end while other threads of it use HIP and its memory.
#include "device_test.h"

#include <atomic>
#include <thread>

using namespace device_test;

constexpr int thread_count = 4, size = 1 << 16;
std::atomic<int> ready{0};

void work() {
  int *host = nullptr, *device = nullptr;
  CALL(hipHostMalloc(&host, size * sizeof(int)));
  CALL(hipMalloc(&device, size * sizeof(int)));
  ++ready;
  // Calls fail from some point on; nothing may crash.
  for (;;) {
    for (int i = 0; i < size; ++i)
      host[i] = i;
    (void)hipMemcpyAsync(device, host, size * sizeof(int), hipMemcpyHostToDevice, hipStreamPerThread);
  }
}

int main() {
  CALL(hipFree(nullptr));
  for (int i = 0; i < thread_count; ++i)
    std::thread(work).detach();
  while (ready < thread_count)
    std::this_thread::yield();
  return result();
}
