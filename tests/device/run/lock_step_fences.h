// Kernels like those of lock_step.h that exchange values without volatile, or in memory of all.
#pragma once

#include "lock_step.h"

// ---- without volatile

__global__ void scan_syncwarp(int *out, const int *in, int) {
  __shared__ int s[256];
  const int t = threadIdx.x, lane = t & 31, i = blockIdx.x * blockDim.x + t;
  s[t] = in[i];
  __syncwarp();
  for (int d = 1; d < 32; d *= 2) {
    const int left = lane >= d ? s[t - d] : 0;
    __syncwarp();
    s[t] += left;
    __syncwarp();
  }
  out[i] = s[t];
}
__global__ void carried_syncwarp(int *out, const int *in, int n) {
  __shared__ int s[32], carry;
  const int lane = threadIdx.x;
  if (lane == 0)
    carry = 0;
  __syncwarp();
  for (int first = 0; first < n; first += 32) {
    s[lane] = first + lane < n ? in[first + lane] : 0;
    __syncwarp();
    for (int d = 1; d < 32; d *= 2) {
      const int left = lane >= d ? s[lane - d] : 0;
      __syncwarp();
      s[lane] += left;
      __syncwarp();
    }
    const int x = s[lane] + carry;
    __syncwarp();
    if (lane == 31)
      carry = x;
    __syncwarp();
    if (first + lane < n)
      out[first + lane] = x;
  }
}
__global__ void scan_fences(int *out, const int *in, int) {
  __shared__ int s[256];
  const int t = threadIdx.x, lane = t & 31, i = blockIdx.x * blockDim.x + t;
  s[t] = in[i];
  __threadfence_block();
  for (int d = 1; d < 32; d *= 2) {
    const int left = lane >= d ? s[t - d] : 0;
    __threadfence_block();
    s[t] += left;
    __threadfence_block();
  }
  out[i] = s[t];
}
__global__ void carried_fences(int *out, const int *in, int n) {
  __shared__ int s[32], carry;
  const int lane = threadIdx.x;
  if (lane == 0)
    carry = 0;
  __threadfence_block();
  for (int first = 0; first < n; first += 32) {
    s[lane] = first + lane < n ? in[first + lane] : 0;
    __threadfence_block();
    for (int d = 1; d < 32; d *= 2) {
      const int left = lane >= d ? s[lane - d] : 0;
      __threadfence_block();
      s[lane] += left;
      __threadfence_block();
    }
    const int x = s[lane] + carry;
    __threadfence_block();
    if (lane == 31)
      carry = x;
    __threadfence_block();
    if (first + lane < n)
      out[first + lane] = x;
  }
}
__global__ void stack_fences(int *out, const int *in, int n) {
  __shared__ int st[8][64], sp[8];
  const int lane = threadIdx.x & 31, w = threadIdx.x >> 5;
  int sum = 0;
  if (lane == 0) {
    st[w][0] = 0;
    sp[w] = 1;
  }
  __threadfence_block();
  while (sp[w] > 0) {
    const int top = sp[w] - 1, node = st[w][top];
    __threadfence_block();
    if (lane == 0) {
      int depth = top;
      if (2 * node + 1 < n)
        st[w][depth++] = 2 * node + 1;
      if (2 * node + 2 < n)
        st[w][depth++] = 2 * node + 2;
      sp[w] = depth;
    }
    __threadfence_block();
    sum = 3 * sum + in[node] * (lane + 1);
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
__device__ __attribute__((noinline)) void fence_called() { __threadfence_block(); }
__global__ void scan_fences_called(int *out, const int *in, int) {
  __shared__ int s[256];
  const int t = threadIdx.x, lane = t & 31, i = blockIdx.x * blockDim.x + t;
  s[t] = in[i];
  fence_called();
  for (int d = 1; d < 32; d *= 2) {
    const int left = lane >= d ? s[t - d] : 0;
    fence_called();
    s[t] += left;
    fence_called();
  }
  out[i] = s[t];
}

// ---- global memory

// the values that lane 0 publishes, and lanes' own, through one pointer
__global__ void turns_global(volatile int *out, const int *in, int n) {
  const int lane = threadIdx.x & 31, w = blockIdx.x * (blockDim.x >> 5) + (threadIdx.x >> 5);
  volatile int *row = out + w * 40;
  if (lane == 0)
    row[32] = 1;
  int seen = 0;
  for (int k = 0; k < n; ++k) {
    seen += row[32] * (k + 1);
    if (lane == (k & 31))
      row[32] = (row[32] * 5 + in[w * 32 + lane]) & 1023;
  }
  row[lane] = seen;
}
// plain in the type, volatile in the access
__global__ void scan_global_cast(int *out, const int *in, int) {
  const int lane = threadIdx.x & 31, i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i];
  for (int d = 1; d < 32; d *= 2)
    if (lane >= d)
      *(volatile int *)&out[i] += *(volatile int *)&out[i - d];
}
__global__ void stack_global(int *out, const int *in, int n) {
  const int lane = threadIdx.x & 31, w = blockIdx.x * (blockDim.x >> 5) + (threadIdx.x >> 5);
  volatile int *const st = out + w * 128 + 32, *const sp = out + w * 128 + 127;
  int sum = 0;
  if (lane == 0) {
    st[0] = 0;
    *sp = 1;
  }
  while (*sp > 0) {
    const int node = st[*sp - 1];
    if (lane == 0) {
      --*sp;
      if (2 * node + 1 < n)
        st[(*sp)++] = 2 * node + 1;
      if (2 * node + 2 < n)
        st[(*sp)++] = 2 * node + 2;
    }
    sum = 3 * sum + in[node] * (lane + 1);
  }
  out[w * 128 + lane] = sum;
}
