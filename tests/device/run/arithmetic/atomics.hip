// Atomic functions on global and shared memory, from many threads at once.
#include "../device_test.h"

#include <climits>

using namespace device_test;

constexpr int blocks = 16, threads = 128, all = blocks * threads;

template <class T> __global__ void arithmetic(T *p) {
  T i = T(blockIdx.x * blockDim.x + threadIdx.x);
  atomicAdd(&p[0], T(1));
  atomicMax(&p[1], i);
  atomicMin(&p[2], i);
  atomicExch(&p[3], T(7));
}

template <class T> __global__ void bits(T *p) {
  T bit = T(1) << (threadIdx.x % 31);
  atomicOr(&p[0], bit);
  atomicAnd(&p[1], ~bit);
  atomicXor(&p[2], T(1));
}

__global__ void unsigned_only(unsigned *p) {
  atomicInc(&p[0], 99);
  atomicDec(&p[1], 9);
  atomicSub(&p[2], 1);
}

template <class T> __global__ void by_compare_and_swap(T *p) {
  T seen = *p, expected;
  do {
    expected = seen;
    seen = atomicCAS(p, expected, T(expected + 3));
  } while (seen != expected);
}

template <class T> __global__ void floats(T *p) { atomicAdd(p, T(0.5)); }

__global__ void in_shared(int *out) {
  __shared__ int counter;
  __shared__ float sum;
  if (threadIdx.x == 0) {
    counter = 0;
    sum = 0;
  }
  __syncthreads();
  atomicAdd(&counter, 1);
  atomicAdd(&sum, 0.25f);
  __syncthreads();
  if (threadIdx.x == 0)
    out[blockIdx.x] = counter * 1000 + int(sum);
}

__global__ void tickets(int *counter, int *taken) { taken[atomicAdd(counter, 1)] += 1; }

template <class T> __global__ void by_amds_names(T *p) {
  unsafeAtomicAdd(&p[0], T(0.5));
  safeAtomicAdd(&p[1], T(0.25));
  unsafeAtomicMax(&p[2], T(threadIdx.x));
  safeAtomicMax(&p[3], T(threadIdx.x));
  unsafeAtomicMin(&p[4], -T(threadIdx.x));
  safeAtomicMin(&p[5], -T(threadIdx.x));
}

// The compiler's own, with an order and a scope.
template <class T> __global__ void builtins(T *p) {
  __hip_atomic_fetch_add(&p[0], T(1), __ATOMIC_SEQ_CST, __HIP_MEMORY_SCOPE_AGENT);
  __hip_atomic_fetch_add(&p[1], T(1), __ATOMIC_ACQ_REL, __HIP_MEMORY_SCOPE_SYSTEM);
  __hip_atomic_fetch_max(&p[2], T(threadIdx.x), __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_WORKGROUP);
  __hip_atomic_fetch_min(&p[3], T(threadIdx.x), __ATOMIC_RELEASE, __HIP_MEMORY_SCOPE_AGENT);
  __hip_atomic_store(&p[4], T(7), __ATOMIC_RELEASE, __HIP_MEMORY_SCOPE_AGENT);
  p[5] = __hip_atomic_load(&p[4], __ATOMIC_ACQUIRE, __HIP_MEMORY_SCOPE_SYSTEM);
  __hip_atomic_exchange(&p[6], T(9), __ATOMIC_ACQUIRE, __HIP_MEMORY_SCOPE_AGENT);
  T expected = 0;
  while (!__hip_atomic_compare_exchange_weak(&p[7], &expected, T(expected + 1), __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE,
                                             __HIP_MEMORY_SCOPE_AGENT))
    ;
  T own = T(threadIdx.x);
  __hip_atomic_fetch_add(&own, T(1), __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_SINGLETHREAD);
  __hip_atomic_fetch_add(&p[8], own, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_WAVEFRONT);
}

template <class T> void test_builtins() {
  Array<T> p(9);
  p[3] = 100;
  builtins<<<1, 32>>>(p.get());
  wait();
  CHECK(p[0] == 32 && p[1] == 32);
  CHECK(p[2] == 31 && p[3] == 0);
  CHECK(p[4] == 7 && p[5] == 7 && p[6] == 9);
  CHECK(p[7] == 32);
  CHECK(p[8] == 32 * 33 / 2);
}

template <class T> void test_amds_names() {
  Array<T> p(6);
  by_amds_names<<<blocks, threads>>>(p.get());
  wait();
  CHECK(p[0] == all / 2 && p[1] == all / 4);
  CHECK(p[2] == threads - 1 && p[3] == threads - 1);
  CHECK(p[4] == 1 - threads && p[5] == 1 - threads);
}

template <class T> void test_integers() {
  Array<T> p(4), b(3), c(1);
  p[2] = T(INT_MAX);
  b[1] = T(-1);
  arithmetic<<<blocks, threads>>>(p.get());
  bits<<<blocks, threads>>>(b.get());
  by_compare_and_swap<<<blocks, threads>>>(c.get());
  wait();
  CHECK(p[0] == all);
  CHECK(p[1] == all - 1);
  CHECK(p[2] == 0);
  CHECK(p[3] == 7);
  CHECK(b[0] == T(0x7fffffff));
  CHECK(b[1] == T(~T(0x7fffffff)));
  CHECK(b[2] == 0);
  CHECK(c[0] == 3 * all);
}

int main() {
  test_integers<int>();
  test_integers<unsigned>();
  test_integers<unsigned long long>();
  test_builtins<int>();
  test_builtins<unsigned long>();
  test_builtins<float>();
  test_builtins<double>();
  test_amds_names<float>();
  test_amds_names<double>();
  Array<unsigned> u(3);
  u[2] = all;
  unsigned_only<<<blocks, threads>>>(u.get());
  wait();
  CHECK(u[0] == all % 100);
  CHECK(u[1] == (10 - all % 10) % 10);
  CHECK(u[2] == 0);
  Array<float> f(1);
  Array<double> d(1);
  floats<<<blocks, threads>>>(f.get());
  floats<<<blocks, threads>>>(d.get());
  wait();
  CHECK(f[0] == all / 2);
  CHECK(d[0] == all / 2);
  Array<int> out(blocks), counter(1), taken(all);
  in_shared<<<blocks, threads>>>(out.get());
  tickets<<<blocks, threads>>>(counter.get(), taken.get());
  wait();
  bool each = true, once = true;
  for (size_t i = 0; i < blocks; ++i)
    each &= out[i] == threads * 1000 + threads / 4;
  for (size_t i = 0; i < all; ++i)
    once &= taken[i] == 1;
  CHECK(each);
  CHECK(once);
  return result();
}
