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

// So large that the caller's copy of it has to be kept somewhere until the kernel has run.
template <int bytes> struct Words {
  uint32_t words[bytes / 4];
};

template <int bytes> __device__ void check(const Words<bytes> &words, uint32_t first, uint32_t *wrong) {
  for (uint32_t i = 0; i < bytes / 4; ++i)
    if (words.words[i] != first + i) {
      *wrong = 1;
      break;
    }
}

template <int bytes>
__device__ void mark_spilled(uint32_t *marks, uint64_t *seen, uint32_t count, uint32_t index, uint32_t token,
                             uint32_t *wrong, const Words<bytes> &words) {
  look(marks, count, seen);
  check(words, token, wrong);
  __threadfence_system();
  const_cast<volatile uint32_t *>(marks)[index] = token;
}
extern "C" __global__ void mark_1040(uint32_t *marks, uint64_t *seen, uint32_t count, uint32_t index,
                                     uint32_t token, uint32_t *wrong, Words<1040> words) {
  mark_spilled(marks, seen, count, index, token, wrong, words);
}
extern "C" __global__ void mark_4080(uint32_t *marks, uint64_t *seen, uint32_t count, uint32_t index,
                                     uint32_t token, uint32_t *wrong, Words<4080> words) {
  mark_spilled(marks, seen, count, index, token, wrong, words);
}

extern "C" __global__ void repeated(uint32_t *count, uint32_t first, uint32_t *wrong, Words<4080> words) {
  check(words, first, wrong);
  atomicAdd(count, 1u);
}
