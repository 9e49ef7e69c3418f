// Threads that pass on what they have not set, and make no use of what comes of it. Only the first 16 of 64 threads set x; the
// others must leave the result alone, as a GPU's would.
#include "device_test.h"

#include <chrono>
#include <thread>

#pragma clang diagnostic ignored "-Wreturn-type"
#pragma clang diagnostic ignored "-Wsometimes-uninitialized"
#pragma clang diagnostic ignored "-Wuninitialized"
#pragma clang diagnostic ignored "-Wunused-value"

using namespace device_test;

constexpr int set = 16, threads = 64, untouched = 1000;

__device__ int inlined(int x) { return 3 * x; }
__device__ __attribute__((noinline)) int called(int x) { return 3 * x; }
__device__ __attribute__((noinline)) int of_bool(bool x) { return x ? 5 : 6; }
__device__ __attribute__((noinline)) int of_double(double x) { return x > 1; }
__device__ __attribute__((noinline)) int of_pointer(const int *x) { return x == nullptr; }
__device__ __attribute__((noinline)) int from_threads(const int *in, unsigned t) {
  int x;
  if (t < set)
    x = in[t];
  return x;
}
__device__ int inlined_for_some(int x, unsigned t) {
  if (t < set)
    return x + 1;
}
__device__ __attribute__((noinline)) int called_for_some(int x, unsigned t) {
  if (t < set)
    return x + 1;
}
__device__ __attribute__((noinline)) void of_reference(const int &) { __syncthreads(); }
template <class... T> __device__ int of_all(T... values) { return (called(int(values)) + ...); }

struct Pair {
  int first;
  bool second;
  __device__ __attribute__((noinline)) void wait() const { __syncthreads(); }
};
__device__ __attribute__((noinline)) int of_pair(Pair pair) { return pair.first + pair.second; }

#define KERNEL(name, type, from, use)                                                                                              \
  __global__ void name(const int *in, int *out) {                                                                                  \
    const unsigned t = threadIdx.x;                                                                                                \
    type x;                                                                                                                        \
    if (t < set)                                                                                                                   \
      x = from;                                                                                                                    \
    use;                                                                                                                           \
    if (t < set)                                                                                                                   \
      out[t] = static_cast<int>(x) + 1;                                                                                            \
  }
KERNEL(passes_to_inlined, int, in[t], inlined(x))
KERNEL(passes_to_called, int, in[t], called(x))
KERNEL(passes_bool, bool, in[t] & 1, of_bool(x))
KERNEL(passes_double, double, in[t] * 1.0, of_double(x))
KERNEL(passes_several, long, in[t], of_all(x, t, x))
KERNEL(converts, float, in[t] * 1.0f, called(static_cast<int>(x)))
KERNEL(shuffles, int, in[t], __shfl(x, 3))
KERNEL(shuffles_up, float, in[t], __shfl_up(x, 1))
KERNEL(shuffles_across, unsigned long long, in[t], __shfl_xor(x, 1))
KERNEL(shuffles_in_step, int, in[t], __shfl_down_sync(~0ull, x, 1))
KERNEL(votes, int, in[t], __ballot(x))
KERNEL(asks_any, bool, in[t] & 1, __any(x))
KERNEL(reduces, int, in[t], __reduce_add_sync(~0ull, x))

__global__ void passes_pointer(const int *in, int *out) {
  const unsigned t = threadIdx.x;
  const int *x;
  if (t < set)
    x = in + t;
  of_pointer(x);
  if (t < set)
    out[t] = *x + 1;
}

__global__ void passes_reference(const int *in, int *out) {
  __shared__ const int *volatile pointers[set];
  const unsigned t = threadIdx.x;
  const int *x;
  if (t < set) {
    pointers[t] = in + t;
    x = pointers[t];
  }
  of_reference(*x);
  if (t < set)
    out[t] = *x + 1;
}

__global__ void calls_member(const int *in, int *out) {
  __shared__ Pair pairs[set];
  __shared__ Pair *volatile pointers[set];
  const unsigned t = threadIdx.x;
  Pair *x;
  if (t < set) {
    pointers[t] = pairs + t;
    x = pointers[t];
    *x = {in[t], true};
  }
  x->wait();
  if (t < set)
    out[t] = x->first + x->second;
}

__global__ void returns_for_some(const int *in, int *out) {
  const unsigned t = threadIdx.x;
  const int first = inlined_for_some(in[t % set], t), second = called_for_some(first, t);
  if (t < set)
    out[t] = second - 1;
}

__global__ void passes_struct(const int *in, int *out) {
  const unsigned t = threadIdx.x;
  Pair x;
  if (t < set)
    x = {in[t], true};
  of_pair(x);
  if (t < set)
    out[t] = x.first + x.second;
}

__global__ void returns(const int *in, int *out) {
  const int x = from_threads(in, threadIdx.x);
  if (threadIdx.x < set)
    out[threadIdx.x] = x + 1;
}

/// What threads exchange through shared memory.
__global__ void exchanges(const int *in, int *out) {
  __shared__ int shared[threads];
  const unsigned t = threadIdx.x;
  int x;
  if (t < set)
    x = in[t];
  shared[t] = x;
  __syncthreads();
  const int other = called(shared[t ^ 1]);
  __syncthreads();
  if (t < set)
    out[t] = other - 3 * in[t ^ 1] + in[t] + 1;
}

/// The value is looked at in a condition before it is known whether there is one.
__global__ void branches(const int *in, int *out) {
  const unsigned t = threadIdx.x;
  int x;
  if (t < set)
    x = in[t];
  const bool large = inlined(x) > -1;
  if (t < set && large)
    out[t] = x + 1;
}

/// Waits for the host, in each of the ways that programs poll.
__global__ void waits(int *flags) {
  while (__hip_atomic_load(&flags[0], __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_SYSTEM) == 0)
    ;
  while (*static_cast<volatile int *>(&flags[1]) == 0)
    ;
  while (flags[2] == 0)
    __threadfence_system();
  while (flags[3] == 0)
    __builtin_amdgcn_s_sleep(1);
  flags[4] = flags[0] + flags[1] + flags[2] + flags[3];
}

void check_kernel(const char *name, void (*kernel)(const int *, int *), int expected(int)) {
  Array<int> in(set), out(threads);
  for (int i = 0; i < set; ++i)
    in[i] = 10 * i;
  for (int i = 0; i < threads; ++i)
    out[i] = untouched;
  kernel<<<1, threads>>>(in.get(), out.get());
  wait();
  bool good = true;
  for (int i = 0; i < threads; ++i)
    good = good && out[i] == (i < set ? expected(10 * i) : untouched);
  check(good, name, __LINE__);
}

int main() {
  const auto same = [](int x) { return x + 1; };
  const auto low_bit = [](int x) { return (x & 1) + 1; };
#define RUN(kernel, expected) check_kernel(#kernel, kernel, expected)
  RUN(passes_to_inlined, same);
  RUN(passes_to_called, same);
  RUN(passes_bool, low_bit);
  RUN(passes_double, same);
  RUN(passes_several, same);
  RUN(converts, same);
  RUN(shuffles, same);
  RUN(shuffles_up, same);
  RUN(shuffles_across, same);
  RUN(shuffles_in_step, same);
  RUN(votes, same);
  RUN(asks_any, low_bit);
  RUN(reduces, same);
  RUN(passes_pointer, same);
  RUN(passes_reference, same);
  RUN(calls_member, same);
  RUN(returns_for_some, same);
  RUN(passes_struct, same);
  RUN(returns, same);
  RUN(exchanges, same);
  RUN(branches, same);

  Array<int> flags(5);
  waits<<<1, 1>>>(flags.get());
  CALL(hipGetLastError());
  // Time in which a kernel that does not wait would end.
  for (int i = 0; i < 4; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
    __atomic_store_n(&flags[i], i + 1, __ATOMIC_SEQ_CST);
  }
  wait();
  CHECK(flags[4] == 10);
  return result();
}
