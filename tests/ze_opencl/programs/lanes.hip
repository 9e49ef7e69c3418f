// Threads of a warp that tell each other values, on an OpenCL device, with sub-groups or without: next to what the host makes of
// the same numbers.
#include <hip/hip_runtime.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <vector>

static int failures = 0;

#define CHECK(condition)                                                                           \
  do {                                                                                             \
    if (!(condition)) {                                                                            \
      std::printf("line %d: FAILED: %s\n", __LINE__, #condition);                                  \
      ++failures;                                                                                  \
    }                                                                                              \
  } while (0)

constexpr int warp = 32, rounds = 34;

__device__ unsigned place() {
  return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
}

template <typename T> __host__ __device__ T value_of(unsigned thread) {
  return static_cast<T>(thread * 2654435761u % 100003 * 0.5) *
         static_cast<T>(sizeof(T) == 8 ? 4294967311. : 1);
}

/// out[thread][round][kind]
template <typename T> __global__ void shuffles(T *out, int width) {
  const unsigned thread = place();
  const T value = value_of<T>(thread);
  for (int k = 0; k < rounds; ++k) {
    T *const mine = out + (thread * rounds + k) * 4;
    mine[0] = __shfl(value, k, width);
    mine[1] = __shfl_up(value, k, width);
    mine[2] = __shfl_down(value, k, width);
    mine[3] = __shfl_xor(value, k, width);
  }
}

template <typename T> void check_shuffles(T *out, dim3 block) {
  const int threads = static_cast<int>(block.x * block.y * block.z);
  for (int width = 1; width <= warp; width *= 2) {
    std::fill_n(out, threads * rounds * 4, T(-1));
    shuffles<<<1, block>>>(out, width);
    CHECK(hipDeviceSynchronize() == hipSuccess);
    bool right = true;
    for (int thread = 0; thread < threads; ++thread)
      for (int k = 0; k < rounds; ++k) {
        const int first = thread / width * width, lane = thread - first, end = first + width;
        const int across = thread - thread % warp + (thread % warp ^ k);
        const int from[] = {first + (k & (width - 1)), k > lane ? thread : thread - k,
                            thread + k >= end ? thread : thread + k,
                            across >= end ? thread : across};
        for (int i = 0; i < 4; ++i)
          if (from[i] < threads) // else there is no such thread, and any value is right
            right &=
                out[(thread * rounds + k) * 4 + i] == value_of<T>(static_cast<unsigned>(from[i]));
      }
    if (!right)
      std::printf("%d threads, width %d, values of %zu bytes:\n", threads, width, sizeof(T));
    CHECK(right);
  }
}

__host__ __device__ bool holds(unsigned thread, int round) {
  return (thread * 7 + thread / 5) % 11 < static_cast<unsigned>(round);
}

/// out[thread][round][kind]
__global__ void votes(unsigned long long *out) {
  const unsigned thread = place();
  for (int k = 0; k < 13; ++k) {
    unsigned long long *const mine = out + (thread * 13 + k) * 5;
    mine[0] = __ballot(holds(thread, k));
    mine[1] = static_cast<unsigned long long>(__any(holds(thread, k)));
    mine[2] = static_cast<unsigned long long>(__all(holds(thread, k)));
    mine[3] = __activemask();
    // Only those of which something holds, and those behind two conditions.
    mine[4] = holds(thread, 6) ? __ballot(holds(thread, k)) : 0;
    if (thread % 3 != 0 && __any(holds(thread, k)) && __all(thread % 3 != 0))
      mine[4] += 1;
  }
}

void check_votes(unsigned long long *out, dim3 block) {
  const unsigned threads = block.x * block.y * block.z;
  votes<<<1, block>>>(out);
  CHECK(hipDeviceSynchronize() == hipSuccess);
  bool right = true;
  for (unsigned thread = 0; thread < threads; ++thread)
    for (int k = 0; k < 13; ++k) {
      unsigned long long ballot = 0, active = 0, some = 0;
      bool any = false;
      const unsigned first = thread / warp * warp;
      for (unsigned other = first; other < std::min<unsigned>(first + warp, threads); ++other) {
        const unsigned long long bit = 1ull << (other - first);
        active |= bit;
        ballot |= holds(other, k) ? bit : 0;
        some |= holds(other, k) && holds(other, 6) ? bit : 0;
        any |= holds(other, k) && other % 3 != 0;
      }
      const unsigned long long *const its = out + (thread * 13 + static_cast<unsigned>(k)) * 5;
      right &= its[0] == ballot && its[1] == (ballot != 0) && its[2] == (ballot == active) &&
               its[3] == active;
      right &= its[4] == (holds(thread, 6) ? some : 0) + (thread % 3 != 0 && any);
    }
  if (!right)
    std::printf("votes of %u threads:\n", threads);
  CHECK(right);
}

// Warps hand values on through shared memory whose size the launch says.
__global__ void hand_on(int *out, int steps) {
  extern __shared__ int buffer[];
  const unsigned thread = place(), threads = blockDim.x * blockDim.y * blockDim.z;
  const unsigned first = thread / warp * warp, count = min(threads - first, unsigned(warp));
  buffer[thread] = static_cast<int>(thread);
  for (int i = 0; i < steps; ++i) {
    __syncwarp();
    const int next = buffer[first + (thread - first + 1) % count];
    __syncwarp();
    buffer[thread] = next;
  }
  out[thread] = buffer[thread];
}

void check_hand_on(int *out, dim3 block) {
  const unsigned threads = block.x * block.y * block.z;
  hand_on<<<1, block, threads * sizeof(int)>>>(out, 5);
  CHECK(hipDeviceSynchronize() == hipSuccess);
  bool right = true;
  for (unsigned thread = 0; thread < threads; ++thread) {
    const unsigned first = thread / warp * warp, count = std::min<unsigned>(threads - first, warp);
    right &= out[thread] == static_cast<int>(first + (thread - first + 5) % count);
  }
  CHECK(right);
}

// The usual sum: over a stride, within warps, over the warps of a block, and only in some threads.
__device__ int sum_of_warp(int value) {
  for (int distance = warpSize / 2; distance > 0; distance /= 2)
    value += __shfl_down(value, distance);
  return value;
}

__global__ void sum(const int *in, int n, int *out) {
  __shared__ int of_warps[warp];
  int value = 0;
  for (int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x); i < n;
       i += static_cast<int>(gridDim.x * blockDim.x))
    value += in[i];
  const unsigned lane = threadIdx.x % warp, number = threadIdx.x / warp;
  value = sum_of_warp(value);
  if (lane == 0)
    of_warps[number] = value;
  __syncthreads();
  if (number == 0) {
    value = lane < blockDim.x / warp ? of_warps[lane] : 0;
    value = sum_of_warp(value);
    if (lane == 0)
      atomicAdd(out, value);
  }
}

// Threads without an element return, the others are whole warps.
__global__ void largest(const int *in, int n, int *out) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= n)
    return;
  int value = in[i];
  for (int distance = warpSize / 2; distance > 0; distance /= 2)
    value = max(value, __shfl_xor(value, distance));
  out[i] = value;
}

__device__ __noinline__ int add_up(int value, int distance) {
  if (distance == 0)
    return value;
  for (; distance > 0; distance /= 2)
    value += __shfl_xor(value, distance);
  return value;
}

// A call, and a reduction whose mask is the warp.
__global__ void call(int *out, int distance) {
  const int value = static_cast<int>(threadIdx.x);
  out[threadIdx.x] = add_up(value, distance) * 1000 + __reduce_max_sync(~0ull, value);
}

// What no device without sub-groups can do: threads of a warp meet in a loop that each leaves when it likes.
__global__ void meet_in_loop(int *out) {
  for (unsigned i = 0; i < threadIdx.x % 5; ++i)
    out[threadIdx.x] += static_cast<int>(__ballot(i == 2));
}

/// Instructions that hipcc makes of nothing in HIP: 0 is a reduction, 1 and 2 are the scans with and without the thread.
#define GROUP __attribute__((convergent)) __device__
GROUP int __spirv_GroupNonUniformIAdd(int scope, int operation, int value) noexcept;
GROUP int __spirv_GroupNonUniformSMin(int scope, int operation, int value) noexcept;
GROUP double __spirv_GroupNonUniformFMax(int scope, int operation, double value) noexcept;
GROUP float __spirv_GroupNonUniformFAdd(int scope, int operation, float value) noexcept;

__global__ void fold(int *out, double *largest, float *sums) {
  const int thread = static_cast<int>(place()), scope = 3;
  out[thread * 4] = __spirv_GroupNonUniformIAdd(scope, 0, thread);
  out[thread * 4 + 1] = __spirv_GroupNonUniformIAdd(scope, 1, thread);
  out[thread * 4 + 2] = __spirv_GroupNonUniformIAdd(scope, 2, thread);
  out[thread * 4 + 3] = __spirv_GroupNonUniformSMin(scope, 0, -thread);
  largest[thread] = __spirv_GroupNonUniformFMax(scope, 1, -1.5 * thread);
  sums[thread] = __spirv_GroupNonUniformFAdd(scope, 2, 0.5f);
}

void check_folds(dim3 block) {
  const int threads = static_cast<int>(block.x * block.y * block.z);
  int *out = nullptr;
  double *largest = nullptr;
  float *sums = nullptr;
  CHECK(hipMallocManaged(&out, sizeof(int) * 4 * size_t(threads)) == hipSuccess);
  CHECK(hipMallocManaged(&largest, sizeof(double) * size_t(threads)) == hipSuccess);
  CHECK(hipMallocManaged(&sums, sizeof(float) * size_t(threads)) == hipSuccess);
  fold<<<1, block>>>(out, largest, sums);
  CHECK(hipDeviceSynchronize() == hipSuccess);
  bool right = true;
  for (int thread = 0; thread < threads; ++thread) {
    const int first = thread / warp * warp, end = std::min(first + warp, threads);
    const auto sum = [&](int behind) { return (behind - first) * (first + behind - 1) / 2; };
    right &= out[thread * 4] == sum(end) && out[thread * 4 + 1] == sum(thread + 1) &&
             out[thread * 4 + 2] == sum(thread);
    right &= out[thread * 4 + 3] == 1 - end && largest[thread] == -1.5 * first &&
             sums[thread] == 0.5f * float(thread - first);
  }
  CHECK(right);
  CHECK(hipFree(out) == hipSuccess && hipFree(largest) == hipSuccess &&
        hipFree(sums) == hipSuccess);
}

int main() {
  constexpr unsigned most = 1024;
  void *memory = nullptr;
  CHECK(hipMallocManaged(&memory, most * rounds * 4 * sizeof(double)) == hipSuccess);
  int *const numbers = static_cast<int *>(memory);
  for (const dim3 block :
       {dim3(1), dim3(31), dim3(32), dim3(33), dim3(96), dim3(most), dim3(16, 6), dim3(5, 4, 3)}) {
    check_shuffles(numbers, block);
    check_shuffles(static_cast<double *>(memory), block);
    check_votes(static_cast<unsigned long long *>(memory), block);
    check_hand_on(numbers, block);
    check_folds(block);
  }
  check_shuffles(static_cast<unsigned long long *>(memory), dim3(70));
  check_shuffles(static_cast<float *>(memory), dim3(70));

  constexpr int n = 5000;
  long long expected = 0;
  for (int i = 0; i < n; ++i) {
    numbers[i] = i * 37 % 1001 - 300;
    expected += numbers[i];
  }
  int *const result = numbers + n;
  for (const unsigned threads : {32u, 256u, 96u}) {
    *result = 0;
    sum<<<3, threads>>>(numbers, n, result);
    CHECK(hipDeviceSynchronize() == hipSuccess);
    CHECK(*result == expected);
  }
  largest<<<40, 128>>>(numbers, n / warp * warp, result);
  CHECK(hipDeviceSynchronize() == hipSuccess);
  bool right = true;
  for (int i = 0; i < n / warp * warp; ++i)
    right &=
        result[i] == *std::max_element(numbers + i / warp * warp, numbers + i / warp * warp + warp);
  CHECK(right);
  for (const int distance : {16, 4, 0}) {
    call<<<1, 64>>>(numbers, distance);
    CHECK(hipDeviceSynchronize() == hipSuccess);
    right = true;
    for (int i = 0; i < 64; ++i) {
      const int part = distance == 0 ? 1 : 2 * distance, first = i / part * part;
      right &= numbers[i] == (2 * first + part - 1) * part / 2 * 1000 + i / warp * warp + warp - 1;
    }
    CHECK(right);
  }

  hipDeviceProp_t properties;
  CHECK(hipGetDeviceProperties(&properties, 0) == hipSuccess);
  meet_in_loop<<<1, 32>>>(numbers);
  CHECK(hipGetLastError() ==
        (properties.arch.hasWarpBallot ? hipSuccess : hipErrorSharedObjectInitFailed));
  CHECK(hipDeviceSynchronize() == hipSuccess);

  std::puts(failures == 0 ? "PASSED" : "FAILED");
  return failures != 0;
}
