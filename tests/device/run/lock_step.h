// Warp-synchronous kernels: threads of a warp exchange values through volatile memory or between fences, and count on going in lock
// step. Results go to `out`, also where it is used as memory to exchange values in.
#pragma once

#include "device_test.h"

// ---- carried from chunk to chunk

__global__ void carried(int *out, const int *in, int n) {
  __shared__ volatile int s[32];
  __shared__ volatile int carry;
  const int lane = threadIdx.x;
  if (lane == 0)
    carry = 0;
  for (int first = 0; first < n; first += 32) {
    const int v = first + lane < n ? in[first + lane] : 0;
    s[lane] = v;
    for (int d = 1; d < 32; d *= 2) {
      const int left = lane >= d ? s[lane - d] : 0;
      s[lane] = s[lane] + left;
    }
    int x = s[lane];
    x += carry;
    if (lane == 31)
      carry = x;
    if (first + lane < n)
      out[first + lane] = x;
  }
}

// by the same thread in several steps
__global__ void carried_2(int *out, const int *in, int n) {
  __shared__ volatile int s[32];
  __shared__ volatile int carry;
  const int lane = threadIdx.x;
  if (lane == 0)
    carry = 0;
  for (int first = 0; first < n; first += 32) {
    s[lane] = first + lane < n ? in[first + lane] : 0;
    for (int d = 1; d < 32; d *= 2)
      if (lane >= d)
        s[lane] += s[lane - d];
    const int v = s[lane];
    int x = v;
    x += carry;
    if (lane == 31)
      carry += v;
    if (first + lane < n)
      out[first + lane] = x;
  }
}

// one carry for each warp, a row for each
__global__ void carried_rows(int *out, const int *in, int n) {
  __shared__ volatile int s[8][33];
  __shared__ volatile int carry[8];
  const int lane = threadIdx.x & 31, w = threadIdx.x >> 5, row = blockIdx.x * (blockDim.x >> 5) + w;
  if (lane == 0)
    carry[w] = 0;
  for (int first = 0; first < n; first += 32) {
    s[w][lane] = first + lane < n ? in[row * n + first + lane] : 0;
    for (int d = 1; d < 32; d *= 2)
      if (lane >= d)
        s[w][lane] += s[w][lane - d];
    const int x = s[w][lane] + carry[w];
    if (lane == 31)
      carry[w] = x;
    if (first + lane < n)
      out[row * n + first + lane] = x;
  }
}

// ---- a stack for each warp

__global__ void stack(int *out, const int *in, int n) {
  __shared__ volatile int st[8][64], sp[8];
  const int lane = threadIdx.x & 31, w = threadIdx.x >> 5;
  int sum = 0;
  if (lane == 0) {
    st[w][0] = 0;
    sp[w] = 1;
  }
  while (sp[w] > 0) {
    const int node = st[w][sp[w] - 1];
    if (lane == 0) {
      sp[w]--;
      if (2 * node + 1 < n)
        st[w][sp[w]++] = 2 * node + 1;
      if (2 * node + 2 < n)
        st[w][sp[w]++] = 2 * node + 2;
    }
    sum = 3 * sum + in[node] * (lane + 1);
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

// depth held by each thread, nodes by the warp
__global__ void stack_of_votes(int *out, const int *in, int n) {
  __shared__ volatile int st[8][64];
  const int lane = threadIdx.x & 31, w = threadIdx.x >> 5;
  int sum = 0, depth = 1;
  if (lane == 0)
    st[w][0] = 0;
  while (depth > 0) {
    const int node = st[w][--depth];
    sum = 3 * sum + in[node] * (lane + 1);
    const bool wants = in[node] % 32 >= lane - 8;
    if (__any(wants) && 2 * node + 2 < n) {
      if (lane == 0) {
        st[w][depth] = 2 * node + 1;
        st[w][depth + 1] = 2 * node + 2;
      }
      depth += 2;
    }
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

// ---- reductions

__device__ __attribute__((noinline)) void warp_reduce(volatile int *s, int t) {
  s[t] += s[t + 32];
  s[t] += s[t + 16];
  s[t] += s[t + 8];
  s[t] += s[t + 4];
  s[t] += s[t + 2];
  s[t] += s[t + 1];
}

__global__ void reduce_called(int *out, const int *in, int) {
  __shared__ int s[256];
  const int t = threadIdx.x;
  s[t] = in[blockIdx.x * 256 + t];
  __syncthreads();
  for (int width = 128; width > 32; width /= 2) {
    if (t < width)
      s[t] += s[t + width];
    __syncthreads();
  }
  if (t < 32)
    warp_reduce(s, t);
  if (t == 0)
    out[blockIdx.x] = s[0];
}

__device__ inline void warp_reduce_inline(volatile int *s, int t) {
  s[t] += s[t + 32];
  s[t] += s[t + 16];
  s[t] += s[t + 8];
  s[t] += s[t + 4];
  s[t] += s[t + 2];
  s[t] += s[t + 1];
}
__global__ void reduce_inline(int *out, const int *in, int) {
  extern __shared__ int dynamic[];
  const int t = threadIdx.x;
  dynamic[t] = in[blockIdx.x * 256 + t];
  __syncthreads();
  for (int width = 128; width > 32; width >>= 1) {
    if (t < width)
      dynamic[t] += dynamic[t + width];
    __syncthreads();
  }
  if (t < 32)
    warp_reduce_inline(dynamic, t);
  if (t == 0)
    out[blockIdx.x] = dynamic[0];
}

// in global memory: out is the scratch
__global__ void reduce_global(volatile int *out, const int *in, int) {
  const int t = threadIdx.x & 31, base = blockIdx.x * blockDim.x + (threadIdx.x & ~31);
  volatile int *s = out + 2 * base;
  s[t] = in[base + t];
  s[t + 32] = 0;
  s[t] += s[t + 16];
  s[t] += s[t + 8];
  s[t] += s[t + 4];
  s[t] += s[t + 2];
  s[t] += s[t + 1];
}
__device__ volatile int scratch[4096];
__global__ void reduce_global_variable(int *out, const int *in, int) {
  const int t = threadIdx.x & 31, base = blockIdx.x * blockDim.x + (threadIdx.x & ~31);
  scratch[base + t] = in[base + t];
  for (int d = 16; d > 0; d /= 2)
    if (t < d)
      scratch[base + t] += scratch[base + t + d];
  out[base + t] = scratch[base];
}

__device__ __attribute__((noinline)) int recursive_sum(volatile int *s, int t, int d) {
  if (d == 0)
    return s[0];
  if (t < d)
    s[t] += s[t + d];
  return recursive_sum(s, t, d / 2);
}
__global__ void reduce_recursive(int *out, const int *in, int) {
  __shared__ volatile int s[8][32];
  const int t = threadIdx.x & 31, i = blockIdx.x * blockDim.x + threadIdx.x;
  s[threadIdx.x >> 5][t] = in[i];
  out[i] = recursive_sum(s[threadIdx.x >> 5], t, 16);
}

using Step = void (*)(volatile int *, int);
__device__ void step_sum(volatile int *s, int t) {
  for (int d = 16; d > 0; d /= 2)
    if (t < d)
      s[t] += s[t + d];
}
__device__ void step_max(volatile int *s, int t) {
  for (int d = 16; d > 0; d /= 2)
    if (t < d)
      s[t] = s[t] > s[t + d] ? s[t] : s[t + d];
}
__global__ void reduce_by_pointer(int *out, const int *in, int n) {
  __shared__ volatile int s[8][32];
  const int t = threadIdx.x & 31, i = blockIdx.x * blockDim.x + threadIdx.x;
  const Step steps[] = {step_sum, step_max};
  s[threadIdx.x >> 5][t] = in[i];
  steps[n & 1](s[threadIdx.x >> 5], t);
  out[i] = s[threadIdx.x >> 5][0];
}

__device__ __attribute__((noinline)) void put(volatile int *p, int v) { *p = v; }
__device__ __attribute__((noinline)) int get(volatile int *p) { return *p; }
__global__ void rotate_called(int *out, const int *in, int n) {
  __shared__ int s[256];
  const int t = threadIdx.x, lane = t & 31, first = t & ~31, i = blockIdx.x * blockDim.x + t;
  int v = in[i];
  for (int k = 0; k < n; ++k) {
    put(s + t, v);
    v = get(s + first + ((lane + 1) & 31)) + k;
  }
  out[i] = v;
}

struct Totals {
  volatile int sum;
  int plain;
  volatile float largest;
};
__global__ void members(int *out, const int *in, int) {
  __shared__ Totals s[256];
  const int t = threadIdx.x, lane = t & 31, i = blockIdx.x * blockDim.x + t;
  s[t].sum = in[i];
  s[t].largest = in[i];
  for (int d = 16; d > 0; d /= 2)
    if (lane < d) {
      s[t].sum += s[t + d].sum;
      s[t].largest =
          s[t].largest > s[t + d].largest ? float(s[t].largest) : float(s[t + d].largest);
    }
  out[i] = s[t - lane].sum + int(s[t - lane].largest);
}

class Reducer {
public:
  __device__ Reducer(volatile int *p, int lane) : p_(p), lane_(lane) {}
  __device__ int sum(int v) const {
    p_[lane_] = v;
    for (int d = 16; d > 0; d /= 2)
      step(d);
    return p_[0];
  }

private:
  __device__ void step(int d) const {
    if (lane_ < d)
      p_[lane_] += p_[lane_ + d];
  }
  volatile int *p_;
  int lane_;
};
__global__ void in_class(int *out, const int *in, int n) {
  __shared__ int s[8][32];
  const int w = threadIdx.x >> 5, i = blockIdx.x * blockDim.x + threadIdx.x;
  const Reducer reducer(s[w], threadIdx.x & 31);
  int v = in[i];
  for (int k = 0; k < n; ++k)
    v = reducer.sum(v + k) % 1000 + int(threadIdx.x & 31);
  out[i] = v;
}

// ---- scans and sorts

__global__ void scan_sdk(int *out, const int *in, int) {
  __shared__ volatile int s[512];
  const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  unsigned pos = 2 * t - (t & 31);
  s[pos] = 0;
  pos += 32;
  s[pos] = in[i];
  for (unsigned d = 1; d < 32; d <<= 1)
    s[pos] += s[pos - d];
  out[i] = s[pos];
}

__global__ void scan_double_buffer(int *out, const int *in, int) {
  __shared__ volatile int b[8][2][32];
  const int lane = threadIdx.x & 31, w = threadIdx.x >> 5,
            i = blockIdx.x * blockDim.x + threadIdx.x;
  int from = 0;
  b[w][0][lane] = in[i];
  for (int d = 1; d < 32; d <<= 1) {
    const int to = 1 - from;
    b[w][to][lane] = lane >= d ? b[w][from][lane] + b[w][from][lane - d] : b[w][from][lane];
    from = to;
  }
  out[i] = b[w][from][lane];
}

__global__ void bitonic(int *out, const int *in, int) {
  __shared__ volatile int s[256];
  const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  s[t] = in[i];
  for (int k = 2; k <= 32; k *= 2)
    for (int j = k / 2; j > 0; j /= 2) {
      const int p = t ^ j;
      if (p > t) {
        const int a = s[t], b = s[p];
        if ((a > b) == ((t & k & 31) == 0)) {
          s[t] = b;
          s[p] = a;
        }
      }
    }
  out[i] = s[t];
}

// until nothing changes, which the warp's flag says
__global__ void odd_even_until(int *out, const int *in, int) {
  __shared__ volatile int s[256], changed[8];
  const int t = threadIdx.x, lane = t & 31, w = t >> 5, i = blockIdx.x * blockDim.x + t;
  s[t] = in[i];
  do {
    if (lane == 0)
      changed[w] = 0;
    for (int odd = 0; odd < 2; ++odd)
      if ((lane & 1) == odd && lane < 31) {
        const int a = s[t], b = s[t + 1];
        if (a > b) {
          s[t] = b;
          s[t + 1] = a;
          changed[w] = 1;
        }
      }
  } while (changed[w]);
  out[i] = s[t];
}

__global__ void segmented(int *out, const int *in, int) {
  __shared__ volatile int s[256];
  __shared__ volatile unsigned char head[256];
  const int t = threadIdx.x, lane = t & 31, i = blockIdx.x * blockDim.x + t;
  s[t] = in[i];
  head[t] = lane == 0 || in[i] % 5 == 0;
  for (int d = 1; d < 32; d *= 2)
    if (lane >= d) {
      const int v = head[t] ? 0 : s[t - d];
      const unsigned char h = head[t] | head[t - d];
      s[t] += v;
      head[t] = h;
    }
  out[i] = s[t];
}

__global__ void pointer_jumping(int *out, const int *in, int) {
  __shared__ volatile int next[256];
  const int t = threadIdx.x, lane = t & 31, i = blockIdx.x * blockDim.x + t;
  const int up = lane - 1 - (in[i] & 3);
  next[t] = t - lane + (up > 0 ? up : 0);
  while (next[t] != next[next[t]])
    next[t] = next[next[t]];
  out[i] = next[t] - (t - lane) + lane;
}

// ---- leaders, queues, counters

// lane 0 fetches work for all
__device__ int fetched;
__global__ void persistent(int *out, const int *in, int n) {
  __shared__ volatile int task[8];
  const int lane = threadIdx.x & 31, w = threadIdx.x >> 5;
  for (;;) {
    if (lane == 0)
      task[w] = atomicAdd(&fetched, 1);
    const int mine = task[w];
    if (mine >= n)
      break;
    out[mine * 32 + lane] = in[mine * 32 + lane] + mine;
  }
}

// a pool that lane 0 fills when it is empty
__global__ void pool(int *out, const int *in, int n) {
  __shared__ volatile int next[8], count[8];
  const int lane = threadIdx.x & 31, w = threadIdx.x >> 5;
  if (lane == 0)
    count[w] = 0;
  while (true) {
    if (lane == 0 && count[w] <= 0) {
      next[w] = atomicAdd(&fetched, 3);
      count[w] = 3;
    }
    const int mine = next[w];
    if (mine >= n)
      return;
    if (lane == 0) {
      next[w]++;
      count[w]--;
    }
    out[mine * 32 + lane] = in[mine * 32 + lane] + mine;
  }
}

// those that want append to the warp's queue; ballots between
__global__ void queue(int *out, const int *in, int n) {
  __shared__ volatile int q[8][1024], tail[8], base[8];
  const int lane = threadIdx.x & 31, w = threadIdx.x >> 5, row = blockIdx.x * (blockDim.x >> 5) + w;
  if (lane == 0)
    tail[w] = 0;
  for (int first = 0; first < n; first += 32) {
    const int v = in[row * n + first + lane];
    const bool wants = v % 3 == 0;
    const unsigned long long votes = __ballot(wants);
    if (lane == 0) {
      base[w] = tail[w];
      tail[w] += __popcll(votes);
    }
    if (wants)
      q[w][base[w] + __popcll(votes & ((1ull << lane) - 1))] = v;
  }
  for (int k = lane; k < n; k += 32)
    out[row * n + k] = k < tail[w] ? q[w][k] : -1;
}

// NVIDIA's histogram without atomics: tags tell who has won
__global__ void tagged(int *out, const int *in, int n) {
  __shared__ volatile unsigned bins[8][16];
  const int lane = threadIdx.x & 31, w = threadIdx.x >> 5, row = blockIdx.x * (blockDim.x >> 5) + w;
  const unsigned tag = unsigned(lane) << 27;
  if (lane < 16)
    bins[w][lane] = 0;
  for (int k = lane; k < n; k += 32) {
    const int bin = in[row * n + k] & 15;
    unsigned count;
    do {
      count = bins[w][bin] & 0x07ffffffu;
      count = tag | (count + 1);
      bins[w][bin] = count;
    } while (bins[w][bin] != count);
  }
  if (lane < 16)
    out[row * n + lane] = bins[w][lane] & 0x07ffffffu;
}

// a machine whose state lane 0 sets
__global__ void machine(int *out, const int *in, int n) {
  __shared__ volatile int state[8], at[8];
  const int lane = threadIdx.x & 31, w = threadIdx.x >> 5,
            i = blockIdx.x * blockDim.x + threadIdx.x;
  int v = lane;
  if (lane == 0) {
    state[w] = 0;
    at[w] = 0;
  }
  bool runs = true;
  while (runs) {
    switch (state[w]) {
    case 0:
      v += in[at[w]];
      if (lane == 0)
        state[w] = in[at[w]] % 2 ? 1 : 2;
      break;
    case 1:
      v = v * 3 + at[w];
      if (lane == 0)
        state[w] = 2;
      break;
    case 2:
      v ^= at[w];
      if (lane == 0) {
        at[w] = at[w] + 1;
        state[w] = at[w] < n ? 0 : 3;
      }
      break;
    default:
      runs = false;
    }
  }
  out[i] = v;
}

// each lane in turn
__global__ void turns(int *out, const int *in, int) {
  __shared__ volatile int value[8];
  const int lane = threadIdx.x & 31, w = threadIdx.x >> 5,
            i = blockIdx.x * blockDim.x + threadIdx.x;
  if (lane == 0)
    value[w] = 1;
  int seen = 0;
  for (int k = 0; k < 32; ++k) {
    seen += value[w] * (k + 1);
    if (lane == k)
      value[w] = (value[w] * 5 + in[i]) & 1023;
  }
  out[i] = seen;
}

// trip counts differ between lanes: those in the loop see what each other stored in the same trip
__global__ void trips(int *out, const int *in, int) {
  __shared__ volatile int s[256];
  const int t = threadIdx.x, lane = t & 31, i = blockIdx.x * blockDim.x + t;
  s[t] = in[i];
  int v = 0;
  for (int k = 0; k < 1 + (lane * 7 & 15); ++k) {
    s[t] = s[t - lane + ((lane + 1) & 31)] + k;
    v = v * 3 + s[t - lane + ((lane + 5) & 31)];
  }
  out[i] = v + s[t];
}

// virtual warps of 8
__global__ void virtual_warps(int *out, const int *in, int n) {
  __shared__ volatile int s[256], total[32];
  const int t = threadIdx.x, lane = t & 7, v = t >> 3, row = blockIdx.x * (blockDim.x >> 3) + v;
  if (lane == 0)
    total[v] = 0;
  for (int k = 0; k < n; k += 8) {
    s[t] = in[row * n + k + lane];
    for (int d = 4; d > 0; d >>= 1)
      if (lane < d)
        s[t] += s[t + d];
    if (lane == 0)
      total[v] += s[t];
    out[row * n + k + lane] = total[v];
  }
}

// ---- shapes

__global__ void scan_2d(int *out, const int *in, int) {
  __shared__ volatile int s[512];
  const int t = threadIdx.y * blockDim.x + threadIdx.x, lane = t & 31;
  const int i = (blockIdx.x * blockDim.y) * blockDim.x + t;
  s[t] = in[i];
  for (int d = 1; d < 32; d *= 2)
    if (lane >= d)
      s[t] += s[t - d];
  out[i] = s[t];
}
__global__ void scan_3d(int *out, const int *in, int) {
  __shared__ volatile int s[512];
  const int t = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x, lane = t & 31;
  const int i = blockIdx.x * blockDim.x * blockDim.y * blockDim.z + t;
  s[t] = in[i];
  for (int d = 1; d < 32; d *= 2)
    if (lane >= d)
      s[t] += s[t - d];
  out[i] = s[t];
}
// two branches in a row that ask for the same, of memory that is not volatile
__global__ void branches_in_a_row(int *out, const int *in, int n) {
  __shared__ int s[256];
  const unsigned t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  s[t] = in[i];
  __syncthreads();
  int left = 0;
  if (t > 0)
    left = s[t - 1];
  if (t == 0)
    s[0] = n;
  __syncthreads();
  out[i] = left + s[0];
}

// rows are warps
__global__ void rows(int *out, const int *in, int) {
  __shared__ volatile int s[8][32];
  const int x = threadIdx.x, y = threadIdx.y, i = (blockIdx.x * blockDim.y + y) * 32 + x;
  s[y][x] = in[i];
  for (int d = 16; d > 0; d /= 2)
    if (x < d)
      s[y][x] += s[y][x + d];
  out[i] = s[y][0];
}
