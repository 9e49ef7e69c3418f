// Barriers that not all work-items of a group reach, and those that all reach that have not ended.
#include "kernels.h"

namespace {

constexpr int items = 64;

__global__ void some(int *out) {
  if (threadIdx.x < 48)
    __syncthreads();
  out[threadIdx.x] = 1;
}

__global__ void two_ways(int *out) {
  if (threadIdx.x < 48) {
    out[threadIdx.x] = 1;
    __syncthreads();
  } else {
    out[threadIdx.x] = 2;
    __syncthreads();
  }
}

// Both barriers of each are on one line.
__global__ void one_line(int *out) {
  if (threadIdx.x < 10) __syncthreads(); out[threadIdx.x] = 1; if (threadIdx.x >= 10) __syncthreads();
}
__global__ void arms_on_one_line(int *out) {
  if (threadIdx.x % 2) { out[threadIdx.x] = 1; __syncthreads(); } else { out[threadIdx.x] = 2; __syncthreads(); }
}

// Copies of one barrier.
__device__ inline void write_and_wait(int *out, int value) {
  out[threadIdx.x] = value;
  __syncthreads();
}
__global__ void inlined_twice(int *out) {
  if (threadIdx.x % 2) write_and_wait(out, 1); else write_and_wait(out, 2);
  out[items + threadIdx.x] = out[items - 1 - threadIdx.x];
}
__global__ void unrolled(int *out) {
#pragma unroll
  for (unsigned i = 0; i < 4; ++i) {
    if (threadIdx.x > 10 + i)
      return;
    out[threadIdx.x] = static_cast<int>(i);
    __syncthreads();
  }
}

__global__ void in_loop(int *out) {
  for (unsigned i = 0; i < 2 + threadIdx.x / 40; ++i) {
    out[threadIdx.x] = static_cast<int>(i);
    __syncthreads();
  }
  out[items + threadIdx.x] = 1;
}

__global__ void then_another(int *out) {
  if (threadIdx.x != 5)
    __syncthreads();
  out[threadIdx.x] = 1;
  __syncthreads();
  out[items + threadIdx.x] = out[items - 1 - threadIdx.x];
}

__device__ void helper(int *out) {
  if (threadIdx.x == 7)
    return;
  __syncthreads();
  out[threadIdx.x] = 1;
}
__global__ void in_function(int *out) {
  helper(out);
  out[items + threadIdx.x] = 1;
}

__global__ void all(int *out) {
  out[threadIdx.x] = 1;
  __syncthreads();
  out[items + threadIdx.x] = out[items - 1 - threadIdx.x];
}

__global__ void early(int *out, int count) {
  if (static_cast<int>(threadIdx.x) >= count)
    return;
  out[threadIdx.x] = 1;
  __syncthreads();
  out[items + threadIdx.x] = out[0];
}

__global__ void uniform(int *out, int count) {
  for (int i = 0; i < count; ++i) {
    out[2 * items * blockIdx.x + threadIdx.x] = i;
    if (blockIdx.x == 0)
      __syncthreads();
  }
  if (count > 2)
    __syncthreads();
  out[2 * items * blockIdx.x + items + threadIdx.x] = 1;
}

__global__ void leaves_loop(int *out, int count) {
  for (int i = 0; i < count; ++i) {
    if (static_cast<int>(threadIdx.x) > 10 + i)
      return;
    out[threadIdx.x] = i;
    __syncthreads();
  }
}

// Half of a warp, which names all of it. The other half goes on without.
__global__ void half_shuffles(int *out) {
  int value = static_cast<int>(threadIdx.x);
  if (threadIdx.x % 32 < 16)
    value = __shfl_sync(0xffffffff, value, 3);
  out[threadIdx.x] = value;
}

__global__ void half_shuffles_itself(int *out) {
  int value = static_cast<int>(threadIdx.x);
  if (threadIdx.x % 32 < 16)
    value = __shfl_sync(0xffff, value, 3);
  out[threadIdx.x] = value;
}

// Names the others, and not itself.
template <bool itself> __global__ void votes(int *out) {
  const unsigned others = 0xffffffff & ~(1u << threadIdx.x % 32);
  out[threadIdx.x] = __any_sync(itself ? 0xffffffff : others, threadIdx.x == 7);
}

// Turns of a loop that not all lanes take as often.
template <bool fewer> __global__ void turns(int *out) {
  int sum = 0;
  const unsigned count = 2 + (threadIdx.x % 32 >= 24), all = 0xffffffff;
  for (unsigned i = 0; i < count; ++i)
    sum += static_cast<int>(__ballot_sync(fewer && i == 2 ? all << 24 : all, threadIdx.x % 2 == 0));
  out[threadIdx.x] = sum;
}

template <bool all> __global__ void waits(int *out) {
  out[threadIdx.x] = 1;
  if (all || threadIdx.x % 2 == 0)
    __syncwarp();
  out[items + threadIdx.x] = out[threadIdx.x ^ 2];
}

// Who has ended is not waited for.
__global__ void ended(int *out, int count) {
  if (static_cast<int>(threadIdx.x) >= count)
    return;
  out[threadIdx.x] = __shfl_down_sync(0xffffffff, static_cast<int>(threadIdx.x), 1);
}

// Each group of lanes names its own, at the same place.
__global__ void parts(int *out) {
  out[threadIdx.x] = static_cast<int>(__reduce_add_sync(0xffu << (threadIdx.x % 32 / 8 * 8), threadIdx.x));
}

} // namespace

int main(int count, char **arguments) {
  int *const out = zeroes<int>(4 * items);
  const Cases cases = {
      {"some", [&] { some<<<1, items>>>(out); }},
      {"two-ways", [&] { two_ways<<<1, items>>>(out); }},
      {"one-line", [&] { one_line<<<1, items>>>(out); }},
      {"arms-on-one-line", [&] { arms_on_one_line<<<1, items>>>(out); }},
      {"inlined-twice-clean", [&] { inlined_twice<<<1, items>>>(out); }},
      {"unrolled-clean", [&] { unrolled<<<1, items>>>(out); }},
      {"in-loop", [&] { in_loop<<<1, items>>>(out); }},
      {"then-another", [&] { then_another<<<1, items>>>(out); }},
      {"in-function", [&] { in_function<<<1, items>>>(out); }},
      {"half-shuffles", [&] { half_shuffles<<<1, items>>>(out); }},
      {"half-shuffles-clean", [&] { half_shuffles_itself<<<1, items>>>(out); }},
      {"votes", [&] { votes<false><<<1, items>>>(out); }},
      {"votes-clean", [&] { votes<true><<<1, items>>>(out); }},
      {"turns", [&] { turns<false><<<1, items>>>(out); }},
      {"turns-clean", [&] { turns<true><<<1, items>>>(out); }},
      {"waits", [&] { waits<false><<<1, items>>>(out); }},
      {"waits-clean", [&] { waits<true><<<1, items>>>(out); }},
      {"ended-clean", [&] { ended<<<1, items>>>(out, 20); }},
      {"parts-clean", [&] { parts<<<1, items>>>(out); }},
      {"all-clean", [&] { all<<<1, items>>>(out); }},
      {"early-clean", [&] { early<<<1, items>>>(out, 40); }},
      {"uniform-clean", [&] { uniform<<<2, items>>>(out, 3); }},
      {"leaves-loop-clean", [&] { leaves_loop<<<1, items>>>(out, 20); }},
  };
  return run(cases, count, arguments, {out});
}
