// __shared__ memory of both kinds and __syncthreads.
#include "device_test.h"

using namespace device_test;

__global__ void reverse_static(int *p) {
  __shared__ int buffer[256];
  buffer[threadIdx.x] = p[blockIdx.x * 256 + threadIdx.x];
  __syncthreads();
  p[blockIdx.x * 256 + threadIdx.x] = buffer[255 - threadIdx.x];
}

extern __shared__ char dynamic_bytes[];

__device__ int *dynamic_ints() { return reinterpret_cast<int *>(dynamic_bytes); }

__global__ void sum_dynamic(const int *p, int *sums) {
  int *buffer = dynamic_ints();
  buffer[threadIdx.x] = p[blockIdx.x * blockDim.x + threadIdx.x];
  for (unsigned half = blockDim.x / 2; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half)
      buffer[threadIdx.x] += buffer[threadIdx.x + half];
  }
  if (threadIdx.x == 0)
    sums[blockIdx.x] = buffer[0];
}

// Static and dynamic shared memory do not overlap.
__global__ void both(int *wrong) {
  __shared__ int fixed[64];
  extern __shared__ char other_name[];
  int *dynamic = reinterpret_cast<int *>(other_name);
  fixed[threadIdx.x] = int(threadIdx.x);
  dynamic[threadIdx.x] = 1000 + int(threadIdx.x);
  __syncthreads();
  unsigned next = (threadIdx.x + 1) % 64;
  if (fixed[next] != int(next) || dynamic[next] != 1000 + int(next))
    atomicAdd(wrong, 1);
}

// Threads that leave early do not take part in barriers that the others reach no more... all here reach both.
__global__ void loop_of_barriers(int *out, int rounds) {
  __shared__ int value;
  if (threadIdx.x == 0)
    value = 0;
  __syncthreads();
  for (int i = 0; i < rounds; ++i) {
    if (threadIdx.x == unsigned(i) % blockDim.x)
      value += i;
    __syncthreads();
  }
  out[threadIdx.x] = value;
}

int main() {
  Array<int> p(1024), sums(4), wrong(1), out(96);
  for (int i = 0; i < 1024; ++i)
    p[size_t(i)] = i;
  reverse_static<<<4, 256>>>(p.get());
  wait();
  bool reversed = true;
  for (int i = 0; i < 1024; ++i)
    reversed &= p[size_t(i)] == i / 256 * 256 + 255 - i % 256;
  CHECK(reversed);
  sum_dynamic<<<4, 256, 256 * sizeof(int)>>>(p.get(), sums.get());
  wait();
  CHECK(sums[0] == 255 * 128);
  CHECK(sums[3] == 255 * 128 + 768 * 256);
  both<<<8, 64, 64 * sizeof(int)>>>(wrong.get());
  wait();
  CHECK(wrong[0] == 0);
  loop_of_barriers<<<1, 96>>>(out.get(), 200);
  wait();
  bool same = true;
  for (size_t i = 0; i < 96; ++i)
    same &= out[i] == 199 * 100;
  CHECK(same);
  return result();
}
