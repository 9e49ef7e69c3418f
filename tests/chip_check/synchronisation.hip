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

} // namespace

int main(int count, char **arguments) {
  int *const out = zeroes<int>(4 * items);
  const Cases cases = {
      {"some", [&] { some<<<1, items>>>(out); }},
      {"two-ways", [&] { two_ways<<<1, items>>>(out); }},
      {"in-loop", [&] { in_loop<<<1, items>>>(out); }},
      {"then-another", [&] { then_another<<<1, items>>>(out); }},
      {"in-function", [&] { in_function<<<1, items>>>(out); }},
      {"all-clean", [&] { all<<<1, items>>>(out); }},
      {"early-clean", [&] { early<<<1, items>>>(out, 40); }},
      {"uniform-clean", [&] { uniform<<<2, items>>>(out, 3); }},
      {"leaves-loop-clean", [&] { leaves_loop<<<1, items>>>(out, 20); }},
  };
  return run(cases, count, arguments, {out});
}
