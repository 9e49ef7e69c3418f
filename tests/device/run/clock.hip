// Clocks of the device go forward at the rate that the device names, and a loop that polls one ends, however it pauses.
#include "device_test.h"

#include <chrono>

using namespace device_test;

__global__ void poll(long long *out, long long ticks) {
  const long long start = wall_clock64();
  long long now = start;
  while (now - start < ticks) {
    __builtin_amdgcn_s_sleep(10);
    now = wall_clock64();
  }
  out[0] = start;
  out[1] = now;
  out[2] = clock64();
}

int main() {
  int rate = 0; // ticks for each millisecond
  CALL(hipDeviceGetAttribute(&rate, hipDeviceAttributeWallClockRate, 0));
  CHECK(rate > 0);
  Array<long long> out(3);
  poll<<<1, 1>>>(out.get(), rate);
  wait();
  CHECK(out[1] - out[0] >= rate);
  CHECK(out[2] >= out[1]);
  // It may take longer than the ticks say, on a busy machine, and not be faster.
  const auto before = std::chrono::steady_clock::now();
  poll<<<1, 1>>>(out.get(), 50ll * rate);
  wait();
  CHECK(std::chrono::steady_clock::now() - before >= std::chrono::milliseconds(49));
  return result();
}
