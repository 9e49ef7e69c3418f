// Kernels of the model test: each tells which marks it saw when it began, and sets its own at its end.
#include <hip/hip_runtime.h>

#include <stdint.h>

namespace {

__device__ void look(const volatile uint32_t *marks, uint32_t count, uint64_t *seen) {
  uint64_t low = 0, high = 0;
  for (uint32_t i = 0; i < count; ++i)
    if (marks[i])
      (i < 64 ? low : high) |= uint64_t(1) << (i & 63);
  seen[0] = low;
  seen[1] = high;
}

__device__ void take_time(uint32_t rounds) {
  volatile uint32_t sink = 0;
  for (uint32_t i = 0; i < rounds; ++i)
    sink = sink + i;
}

} // namespace

extern "C" __global__ void mark(uint32_t *marks, uint64_t *seen, uint32_t count, uint32_t index, uint32_t token,
                                uint32_t rounds) {
  look(marks, count, seen);
  take_time(rounds);
  __threadfence_system();
  const_cast<volatile uint32_t *>(marks)[index] = token;
}

template <int bytes> struct Spilled {
  uint32_t *marks;
  uint64_t *seen;
  uint32_t *wrong;
  uint32_t count, index, token, rounds;
  uint32_t words[bytes / 4 - 10];
};

template <int bytes> __device__ void mark_spilled(const Spilled<bytes> &s) {
  look(s.marks, s.count, s.seen);
  take_time(s.rounds);
  for (uint32_t i = 0; i < bytes / 4 - 10; ++i)
    if (s.words[i] != s.token + i) {
      *s.wrong = 1;
      break;
    }
  __threadfence_system();
  const_cast<volatile uint32_t *>(s.marks)[s.index] = s.token;
}
extern "C" __global__ void mark_1040(Spilled<1040> s) { mark_spilled(s); }
extern "C" __global__ void mark_4080(Spilled<4080> s) { mark_spilled(s); }

struct Repeated {
  uint32_t *count;
  uint32_t *wrong;
  uint32_t token, unused;
  uint32_t words[1014];
};
extern "C" __global__ void repeated(Repeated r) {
  for (uint32_t i = 0; i < 1014; ++i)
    if (r.words[i] != r.token + i) {
      *r.wrong = 1;
      break;
    }
  atomicAdd(r.count, 1u);
}
