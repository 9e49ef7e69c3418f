// Clocks of the device go forward at the rate that the device names, and a loop that polls one ends, however it pauses.
#include "device_test.h"

#include <algorithm>
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

// Each waits for its own time: on hardware, all of a block do so at once.
__global__ void wait_each(long long *begins, long long *ends, long long ticks) {
  begins[threadIdx.x] = ends[threadIdx.x] = 0;
  const long long start = wall_clock64();
  long long now = start;
  while (now - start < ticks)
    now = wall_clock64();
  begins[threadIdx.x] = start;
  ends[threadIdx.x] = now;
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

  constexpr unsigned threads = 256;
  Array<long long> begins(threads), ends(threads);
  wait_each<<<1, threads>>>(begins.get(), ends.get(), rate * 20ll);
  wait();
  long long last_begin = begins[0], first_end = ends[0];
  for (unsigned i = 1; i < threads; ++i) {
    last_begin = std::max(last_begin, begins[i]);
    first_end = std::min(first_end, ends[i]);
  }
  CHECK(last_begin < first_end);
  return result();
}
