// Kernels with a planted race, and the same without: the argument names one of them. The host prints nothing.
#include "kernels.h"

namespace {

constexpr int items = 256, groups = 4;

// A neighbour's element, with and without a barrier in between.
template <bool wait> __global__ void exchange(int *out) {
  __shared__ int values[items];
  values[threadIdx.x] = static_cast<int>(threadIdx.x);
  if (wait)
    __syncthreads();
  out[blockIdx.x * items + threadIdx.x] = values[(threadIdx.x + 33) % items];
}

// The barrier that keeps the next round's writes apart from this round's reads.
template <bool wait> __global__ void rounds(int *out) {
  __shared__ int values[items];
  int sum = 0;
  for (int round = 0; round < 3; ++round) {
    values[threadIdx.x] = static_cast<int>(threadIdx.x) + round;
    __syncthreads();
    sum += values[items - 1 - threadIdx.x];
    if (wait)
      __syncthreads();
  }
  out[blockIdx.x * items + threadIdx.x] = sum;
}

template <bool before, bool behind> __global__ void histogram(int *out) {
  __shared__ int counts[items];
  counts[threadIdx.x] = 0;
  if (before)
    __syncthreads();
  atomicAdd(&counts[threadIdx.x * 7 % items], 1);
  if (behind)
    __syncthreads();
  out[blockIdx.x * items + threadIdx.x] = counts[threadIdx.x];
}

// Who reads the number behind its own update, or without one, may come before others.
template <bool wait, unsigned counters> __global__ void counted(int *out) {
  __shared__ int count;
  if (threadIdx.x == 0)
    count = 0;
  __syncthreads();
  if (threadIdx.x < counters)
    atomicAdd(&count, 1);
  if (wait)
    __syncthreads();
  if (counters == items || threadIdx.x >= counters)
    out[blockIdx.x * items + threadIdx.x] = count;
}

// Who reads it before knows that it may be old.
__global__ void lowest_of_group(int *out) {
  __shared__ int least;
  if (threadIdx.x == 0)
    least = items;
  __syncthreads();
  const int value = static_cast<int>(threadIdx.x * 37 % items);
  if (value < least)
    atomicMin(&least, value);
  __syncthreads();
  if (threadIdx.x == 0)
    out[blockIdx.x] = least;
}

// Each reads what another has written a few before it: the first ones of a sub-group race with the sub-group before.
template <bool wait> __global__ void shifted(int *out) {
  __shared__ int values[items];
  values[threadIdx.x] = static_cast<int>(threadIdx.x);
  if (wait)
    __syncthreads();
  if (threadIdx.x >= 5)
    out[blockIdx.x * items + threadIdx.x] = values[threadIdx.x - 5];
}

// A row of two sub-groups, of which only the second reads what the other has written.
template <int distance> __global__ void two_warps(int *values, int *out) {
  values[threadIdx.x + distance] = static_cast<int>(threadIdx.x);
  out[threadIdx.x] = values[threadIdx.x];
}

// Of the last of short rows the last work-item is in the second sub-group: it reads what the row before has written.
__global__ void cut_row(const int *in, int *values, int *out, unsigned n) {
  const unsigned x = threadIdx.x, at = threadIdx.y * blockDim.x + x;
  values[at + blockDim.x] = static_cast<int>(at);
  out[at] = in[x < n ? at : at + 1];
}

// Which element is read is chosen, so that only what follows is known to lie side by side.
template <int distance> __global__ void chosen(int *values) {
  const unsigned i = threadIdx.x;
  const int other = values[i % (2 * distance) < distance ? i + distance : i - distance];
  values[i] = other + 1;
}

// Rows of four: the first two layers are one sub-group, the others another.
template <bool wait> __global__ void layers(int *out) {
  __shared__ int values[4][4][4];
  const unsigned x = threadIdx.x, y = threadIdx.y, z = threadIdx.z;
  values[z][y][x] = static_cast<int>(x);
  if (wait)
    __syncthreads();
  out[(z * 4 + y) * 4 + x] = values[3 - z][y][x < 3 ? x + 1 : x] + values[3 - z][y][x];
}

// What was read before the barrier may be written behind it, whether by all or by few.
template <bool wait> __global__ void few_behind(int *out) {
  __shared__ int values[items];
  values[threadIdx.x] = static_cast<int>(threadIdx.x);
  __syncthreads();
  const int other = values[items - 1 - threadIdx.x];
  if (wait)
    __syncthreads();
  if (threadIdx.x < 8)
    values[threadIdx.x] = other;
  __syncthreads();
  out[blockIdx.x * items + threadIdx.x] = values[threadIdx.x] + other;
}

// Halves of a tree that is added up: the last sub-group needs no barrier.
template <bool wait> __global__ void tree(int *out) {
  __shared__ int values[items];
  volatile int *const last = values;
  values[threadIdx.x] = 1;
  __syncthreads();
  for (unsigned half = items / 2; half > 16; half /= 2) {
    if (threadIdx.x < half)
      values[threadIdx.x] += values[threadIdx.x + half];
    if (wait)
      __syncthreads();
  }
  if (threadIdx.x < 16)
    for (unsigned half = 16; half > 0; half /= 2)
      last[threadIdx.x] = last[threadIdx.x] + last[threadIdx.x + half];
  if (threadIdx.x == 0)
    out[blockIdx.x] = values[0];
}

// All write the same: whoever comes last.
__global__ void same_value(int *out) {
  __shared__ int shared;
  shared = 7;
  out[blockIdx.x] = 5;
  __syncthreads();
  out[1024 + blockIdx.x * items + threadIdx.x] = shared;
}

template <bool own> __global__ void one_place(int *out) {
  out[own ? blockIdx.x * items + threadIdx.x : threadIdx.x] = static_cast<int>(blockIdx.x);
}

// In place: who reads a neighbour's element may see what that one has written already.
template <bool in_place> __global__ void smooth(const int *in, int *out) {
  const unsigned i = blockIdx.x * items + threadIdx.x;
  if (i + 1 < groups * items)
    (in_place ? out : out + groups * items)[i] = (in[i] + in[i + 1] + 3) / 2;
}

template <bool atomically> __global__ void total(int *out) {
  if (atomically)
    atomicAdd(out, 1);
  else
    *out = *out + 1;
}

__global__ void bytes(unsigned char *out) {
  out[blockIdx.x * items + threadIdx.x] = static_cast<unsigned char>(threadIdx.x);
}

// The group that comes last adds up what all have written.
template <bool counted> __global__ void last_group(int *out, unsigned *count) {
  __shared__ bool is_last;
  out[blockIdx.x * items + threadIdx.x] = 1;
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0)
    is_last = counted ? atomicInc(count, groups - 1) == groups - 1 : blockIdx.x == groups - 1;
  __syncthreads();
  if (is_last) {
    int sum = 0;
    for (int i = 0; i < groups; ++i)
      sum += out[i * items + threadIdx.x];
    out[groups * items + threadIdx.x] = sum;
  }
}

// Each group waits for the one before it.
template <bool waits> __global__ void chain(int *out, volatile int *ready) {
  if (threadIdx.x == 0) {
    if (waits && blockIdx.x > 0) {
      while (ready[blockIdx.x - 1] == 0) {
      }
      __threadfence();
    }
    out[0] += 2;
    __threadfence();
    ready[blockIdx.x] = 1;
  }
}

template <bool locks> __global__ void locked(int *out, int *lock) {
  if (threadIdx.x != 0)
    return;
  if (locks)
    while (atomicCAS(lock, 0, 1) != 0) {
    }
  out[0] = out[0] * 3 + 1;
  if (locks) {
    __threadfence();
    atomicExch(lock, 0);
  }
}

template <bool waits> __global__ void whole_grid(int *out) {
  const unsigned i = blockIdx.x * items + threadIdx.x;
  out[i] = 1;
  if (waits)
    cooperative_groups::this_grid().sync();
  out[groups * items + i] = out[groups * items - 1 - i];
}

// What a group reads behind a barrier of the grid, and the group before it writes: behind it as well, or before.
template <bool before> __global__ void behind_grid(int *out) {
  const unsigned i = blockIdx.x * items + threadIdx.x;
  if (before)
    out[i] = 1;
  cooperative_groups::this_grid().sync();
  if (!before)
    out[i] = 1;
  if (blockIdx.x > 0)
    out[groups * items + i] = out[i - items];
}

// Lanes of one warp access bytes of a word one after the other, and another warp the first of them, or one that is nobody's.
template <bool writes, int other> __global__ void bytes_of_word(char *word, int *out) {
  if (threadIdx.x < 3) {
    for (unsigned i = 0; i < 3; ++i)
      if (threadIdx.x == i) {
        if (writes)
          word[i] = 1;
        else
          out[items + i] = word[i];
      }
  } else if (threadIdx.x == 64) {
    if (writes)
      out[0] = word[other];
    else
      word[other] = 1;
  }
}

__global__ void lowest(int *out) {
  const int value = static_cast<int>(blockIdx.x * items + threadIdx.x) - 500;
  if (*out > value)
    atomicMin(out, value);
}

void cooperative(void (*kernel)(int *), int *out) {
  void *arguments[] = {&out};
  check(hipLaunchCooperativeKernel(reinterpret_cast<void *>(kernel), groups, items, arguments, 0, nullptr));
}

} // namespace

int main(int count, char **arguments) {
  int *const out = zeroes<int>(4 * groups * items), *const in = zeroes<int>(groups * items);
  auto *const word = zeroes<int>(1024);
  const Cases cases = {
      {"exchange", [&] { exchange<false><<<groups, items>>>(out); }},
      {"exchange-clean", [&] { exchange<true><<<groups, items>>>(out); }},
      {"rounds", [&] { rounds<false><<<groups, items>>>(out); }},
      {"rounds-clean", [&] { rounds<true><<<groups, items>>>(out); }},
      {"shifted", [&] { shifted<false><<<groups, items>>>(out); }},
      {"shifted-clean", [&] { shifted<true><<<groups, items>>>(out); }},
      {"shifted-in-warp-clean", [&] { shifted<false><<<groups, 32>>>(out); }},
      {"two-warps", [&] { two_warps<5><<<1, 64>>>(in, out); }},
      {"two-warps-clean", [&] { two_warps<0><<<1, 64>>>(in, out); }},
      {"cut-row", [&] { cut_row<<<1, dim3(11, 3)>>>(in, in, out, items); }},
      {"cut-row-clean", [&] { cut_row<<<1, dim3(11, 3)>>>(in, out + items, out, items); }},
      {"cut-row-of-three", [&] { cut_row<<<1, dim3(3, 11)>>>(in, in, out, items); }},
      {"cut-row-of-three-clean", [&] { cut_row<<<1, dim3(3, 11)>>>(in, out + items, out, items); }},
      {"chosen", [&] { chosen<32><<<1, items>>>(out); }},
      {"chosen-in-warp-clean", [&] { chosen<4><<<1, items>>>(out); }},
      {"layers", [&] { layers<false><<<1, dim3(4, 4, 4)>>>(out); }},
      {"layers-clean", [&] { layers<true><<<1, dim3(4, 4, 4)>>>(out); }},
      {"few-behind", [&] { few_behind<false><<<groups, items>>>(out); }},
      {"few-behind-clean", [&] { few_behind<true><<<groups, items>>>(out); }},
      {"histogram-before", [&] { histogram<false, true><<<groups, items>>>(out); }},
      {"histogram-behind", [&] { histogram<true, false><<<groups, items>>>(out); }},
      {"histogram-clean", [&] { histogram<true, true><<<groups, items>>>(out); }},
      {"counted", [&] { counted<false, items><<<groups, items>>>(out); }},
      {"counted-by-some", [&] { counted<false, items / 2><<<groups, items>>>(out); }},
      {"counted-clean", [&] { counted<true, items><<<groups, items>>>(out); }},
      {"counted-by-some-clean", [&] { counted<true, items / 2><<<groups, items>>>(out); }},
      {"lowest-of-group-clean", [&] { lowest_of_group<<<groups, items>>>(out); }},
      {"tree", [&] { tree<false><<<groups, items>>>(out); }},
      {"tree-clean", [&] { tree<true><<<groups, items>>>(out); }},
      {"same-value-clean", [&] { same_value<<<groups, items>>>(out); }},
      {"one-place", [&] { one_place<false><<<groups, items>>>(out); }},
      {"one-place-clean", [&] { one_place<true><<<groups, items>>>(out); }},
      {"smooth", [&] { smooth<true><<<groups, items>>>(out, out); }},
      {"smooth-clean", [&] { smooth<false><<<groups, items>>>(in, out); }},
      {"total", [&] { total<false><<<groups, items>>>(out); }},
      {"total-clean", [&] { total<true><<<groups, items>>>(out); }},
      {"bytes-clean", [&] { bytes<<<groups, items>>>(reinterpret_cast<unsigned char *>(out)); }},
      {"last-group", [&] { last_group<false><<<groups, items>>>(out, reinterpret_cast<unsigned *>(word)); }},
      {"last-group-clean", [&] { last_group<true><<<groups, items>>>(out, reinterpret_cast<unsigned *>(word)); }},
      {"chain", [&] { chain<false><<<groups, items>>>(out, word); }},
      {"chain-clean", [&] { chain<true><<<groups, items>>>(out, word); }},
      {"locked", [&] { locked<false><<<groups, items>>>(out, word); }},
      {"locked-clean", [&] { locked<true><<<groups, items>>>(out, word); }},
      {"whole-grid", [&] { cooperative(whole_grid<false>, out); }},
      {"whole-grid-clean", [&] { cooperative(whole_grid<true>, out); }},
      {"behind-grid", [&] { cooperative(behind_grid<false>, out); }},
      {"behind-grid-clean", [&] { cooperative(behind_grid<true>, out); }},
      {"bytes-written", [&] { bytes_of_word<true, 0><<<1, items>>>(reinterpret_cast<char *>(word), out); }},
      {"bytes-written-clean", [&] { bytes_of_word<true, 3><<<1, items>>>(reinterpret_cast<char *>(word), out); }},
      {"bytes-read", [&] { bytes_of_word<false, 0><<<1, items>>>(reinterpret_cast<char *>(word), out); }},
      {"bytes-read-clean", [&] { bytes_of_word<false, 3><<<1, items>>>(reinterpret_cast<char *>(word), out); }},
      {"lowest-clean", [&] { lowest<<<groups, items>>>(out); }},
  };
  return run(cases, count, arguments, {out, in, word});
}
