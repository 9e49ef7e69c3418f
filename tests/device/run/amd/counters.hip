// AMD's counters that begin anew at a limit: what each thread is given, and what is left.
#include "../device_test.h"

using namespace device_test;

constexpr unsigned threads = 1000, limit = 6;

template <typename T> __global__ void count(T *counters, unsigned *given) {
  T up, down;
  if constexpr (sizeof(T) == 4) {
    up = __builtin_amdgcn_atomic_inc32(&counters[0], limit, __ATOMIC_RELAXED, "agent");
    down = __builtin_amdgcn_atomic_dec32(&counters[1], limit, __ATOMIC_SEQ_CST, "");
  } else {
    up = __builtin_amdgcn_atomic_inc64(&counters[0], limit, __ATOMIC_ACQ_REL, "workgroup");
    down = __builtin_amdgcn_atomic_dec64(&counters[1], limit, __ATOMIC_RELEASE, "agent");
  }
  atomicAdd(&given[up], 1u);
  atomicAdd(&given[limit + 1 + down], 1u);
}

/// What is beyond the limit, for each thread an own counter.
__global__ void count_beyond(unsigned *counters) {
  unsigned *const own = &counters[threadIdx.x];
  if (threadIdx.x % 2 == 0)
    __builtin_amdgcn_atomic_inc32(own, limit, __ATOMIC_ACQUIRE, "agent");
  else
    __builtin_amdgcn_atomic_dec32(own, limit, __ATOMIC_ACQUIRE, "agent");
}

template <typename T> void check() {
  Array<T> counters(2);
  Array<unsigned> given(2 * (limit + 1));
  count<T><<<threads / 100, 100>>>(counters.get(), given.get());
  wait();
  // Up from 0 and down from 0, which is followed by the limit: all values as often, but for the last of them.
  for (unsigned value = 0; value <= limit; ++value) {
    CHECK(given[value] == (threads + limit - value) / (limit + 1));
    const unsigned place = value == 0 ? 0 : limit + 1 - value;
    CHECK(given[limit + 1 + value] == (threads + limit - place) / (limit + 1));
  }
  CHECK(counters[0] == threads % (limit + 1));
  CHECK(counters[1] == (limit + 1 - threads % (limit + 1)) % (limit + 1));
}

int main() {
  check<unsigned>();
  check<unsigned long>();
  Array<unsigned> counters(64);
  for (unsigned t = 0; t < 64; ++t)
    counters[t] = limit - 1 + t / 2;
  count_beyond<<<1, 64>>>(counters.get());
  wait();
  for (unsigned t = 0; t < 64; ++t) {
    const unsigned was = limit - 1 + t / 2;
    CHECK(counters[t] == (t % 2 == 0 ? (was >= limit ? 0 : was + 1) : was > limit ? limit : was - 1));
  }
  return result();
}
