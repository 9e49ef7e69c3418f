// AMD's fences, barriers and waits by what programs do with them. Each value passes from thread to thread through memory, so
// that one which is read too early is an old one.
#include "../device_test.h"

using namespace device_test;

constexpr int threads = 256;

/// A scan of each warp in shared memory, with a barrier of warps and nothing else between its steps.
__global__ void scan_by_wave_barrier(int *out) {
  __shared__ int shared[threads];
  const int t = int(threadIdx.x), lane = t & 31;
  shared[t] = t + 1;
  __builtin_amdgcn_wave_barrier();
  for (int distance = 1; distance < 32; distance *= 2) {
    const int left = lane >= distance ? shared[t - distance] : 0;
    __builtin_amdgcn_wave_barrier();
    shared[t] += left;
    __builtin_amdgcn_wave_barrier();
  }
  out[t] = shared[t];
}

/// As rocPRIM's own barrier of a warp is made.
__global__ void turn_by_fences(int *out) {
  __shared__ int shared[threads];
  const int t = int(threadIdx.x), lane = t & 31;
  int value = t;
  for (int step = 0; step < 40; ++step) {
    shared[t] = value;
    __builtin_amdgcn_fence(__ATOMIC_RELEASE, "wavefront");
    __builtin_amdgcn_wave_barrier();
    __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "wavefront");
    value = shared[t - lane + (lane + 1) % 32];
    __builtin_amdgcn_fence(__ATOMIC_RELEASE, "wavefront", "local");
    __builtin_amdgcn_wave_barrier();
    __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "wavefront", "local");
  }
  out[t] = value;
}

__global__ void reverse_by_barrier(int *out) {
  __shared__ int shared[threads];
  shared[threadIdx.x] = int(threadIdx.x);
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
  __builtin_amdgcn_s_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
  out[threadIdx.x] = shared[threads - 1 - threadIdx.x];
}

/// Each block adds to what the one before it has left, and says so by a flag, in each way that a fence can be written.
__global__ void pass_on(int *sums, int *flags, int fence) {
  if (threadIdx.x != 0)
    return;
  const int block = int(blockIdx.x);
  int sum = block;
  if (block > 0) {
    while (__hip_atomic_load(&flags[block - 1], __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT) == 0)
      __builtin_amdgcn_s_sleep(1);
    __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "agent");
    sum += sums[block - 1];
  }
  sums[block] = sum;
  if (fence == 0)
    __builtin_amdgcn_fence(__ATOMIC_RELEASE, "agent");
  else if (fence == 1)
    __builtin_amdgcn_fence(__ATOMIC_SEQ_CST, "");
  else if (fence == 2)
    __builtin_amdgcn_fence(__ATOMIC_ACQ_REL, "agent-one-as");
  else if (fence == 3)
    __builtin_amdgcn_fence(__ATOMIC_SEQ_CST, "agent", "global");
  else {
    __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
    __builtin_amdgcn_s_waitcnt(0x0f70);
  }
  __hip_atomic_store(&flags[block], 1, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
}

int main() {
  Array<int> out(threads);
  scan_by_wave_barrier<<<1, threads>>>(out.get());
  wait();
  bool scanned = true;
  for (int t = 0, sum = 0; t < threads; ++t) {
    sum = t % 32 == 0 ? t + 1 : sum + t + 1;
    scanned &= out[size_t(t)] == sum;
  }
  CHECK(scanned);

  turn_by_fences<<<1, threads>>>(out.get());
  wait();
  bool turned = true;
  for (int t = 0; t < threads; ++t)
    turned &= out[size_t(t)] == t / 32 * 32 + (t + 40) % 32;
  CHECK(turned);

  reverse_by_barrier<<<1, threads>>>(out.get());
  wait();
  bool reversed = true;
  for (int t = 0; t < threads; ++t)
    reversed &= out[size_t(t)] == threads - 1 - t;
  CHECK(reversed);

  constexpr int blocks = 500;
  for (int fence = 0; fence < 5; ++fence) {
    Array<int> sums(blocks), flags(blocks);
    pass_on<<<blocks, 32>>>(sums.get(), flags.get(), fence);
    wait();
    bool passed = true;
    for (int block = 0; block < blocks; ++block)
      passed &= sums[size_t(block)] == block * (block + 1) / 2;
    CHECK(passed);
  }
  return result();
}
