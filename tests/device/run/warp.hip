// Functions of a warp of 32 threads.
#include "device_test.h"

using namespace device_test;

__global__ void shuffles(int *out, double *sums) {
  int lane = int(threadIdx.x % 32);
  out[threadIdx.x] = __shfl(lane * 10, 5) + __shfl_up(lane, 1) * 100 + __shfl_down(lane, 2) * 10000 +
                     __shfl_xor(lane, 1) * 1000000;
  double sum = lane + 0.5;
  for (int step = 16; step > 0; step /= 2)
    sum += __shfl_xor(sum, step);
  sums[threadIdx.x] = sum;
}

__global__ void votes(unsigned long long *out) {
  bool odd = threadIdx.x % 2;
  unsigned long long ballot = __ballot(odd);
  int any = __any(threadIdx.x == 31), all = __all(threadIdx.x < 31);
  unsigned long long inside = 0;
  if (threadIdx.x % 32 < 8)
    inside = __ballot(odd); // only the threads that are here count
  if (threadIdx.x == 0) {
    out[0] = ballot;
    out[1] = static_cast<unsigned long long>(any);
    out[2] = static_cast<unsigned long long>(all);
    out[3] = inside;
  }
}

// Threads of a warp hand values on through shared memory, also where only some of them are.
__global__ void exchange(int *out) {
  __shared__ int buffer[64];
  unsigned lane = threadIdx.x % 32, first = threadIdx.x - lane;
  buffer[threadIdx.x] = int(threadIdx.x);
  __syncwarp();
  int next = buffer[first + (lane + 1) % 32];
  __syncwarp();
  if (lane < 16) {
    buffer[threadIdx.x] = 100 + next;
    __syncwarp(0xffff);
    next = buffer[first + (lane + 1) % 16];
  }
  out[threadIdx.x] = next;
}

int main() {
  Array<int> out(64);
  Array<double> sums(64);
  shuffles<<<1, 64>>>(out.get(), sums.get());
  wait();
  bool good = true, summed = true;
  for (int t = 0; t < 64; ++t) {
    int lane = t % 32;
    int up = lane == 0 ? 0 : lane - 1, down = lane > 29 ? lane : lane + 2;
    good &= out[size_t(t)] == 50 + up * 100 + down * 10000 + (lane ^ 1) * 1000000;
    summed &= sums[size_t(t)] == 31 * 16 + 16;
  }
  CHECK(good);
  CHECK(summed);
  exchange<<<1, 64>>>(out.get());
  wait();
  bool exchanged = true;
  for (int t = 0; t < 64; ++t) {
    int lane = t % 32, first = t - lane;
    exchanged &= out[size_t(t)] == (lane < 16 ? 100 + first + (lane + 1) % 16 + 1 : first + (lane + 1) % 32);
  }
  CHECK(exchanged);
  Array<unsigned long long> v(4);
  votes<<<1, 32>>>(v.get());
  wait();
  CHECK(v[0] == 0xaaaaaaaaull);
  CHECK(v[1] == 1);
  CHECK(v[2] == 0);
  CHECK(v[3] == 0xaa);
  return result();
}
