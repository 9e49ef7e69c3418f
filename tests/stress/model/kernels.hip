// Kernels of the model test: each tells which marks it saw when it began, and sets its own at its end.
#include "board.h"

#include <hip/hip_runtime.h>

namespace {

__device__ uint32_t take_turn(Board *board, uint32_t row) {
  volatile uint32_t *turn = board->turn + row;
  const uint32_t self = *turn;
  *turn = board->after[self];
  return self;
}

__device__ void look(Board *board, uint32_t count, uint32_t self) {
  const volatile uint32_t *marks = board->marks;
  for (uint32_t first = 0; first < count; first += 64) {
    uint64_t seen = 0;
    for (uint32_t i = first; i < first + 64 && i < count; ++i)
      if (marks[i])
        seen |= uint64_t(1) << (i - first);
    board->seen[self][first / 64] = seen;
  }
}

__device__ void take_time(uint32_t rounds) {
  volatile uint32_t sink = 0;
  for (uint32_t i = 0; i < rounds; ++i)
    sink = sink + i;
}

// A mark that is set already is spoilt: nothing runs twice.
__device__ void set_mark(Board *board, uint32_t self) {
  volatile uint32_t *mark = board->marks + self;
  __threadfence_system();
  *mark = *mark ? 0xbad : board->tokens[self];
}

} // namespace

extern "C" __global__ void mark(Board *board, uint32_t count, uint32_t row, uint32_t rounds) {
  const uint32_t self = take_turn(board, row);
  look(board, count, self);
  take_time(rounds);
  set_mark(board, self);
}

// So large that the caller's copy of it has to be kept somewhere until the kernel has run.
template <int bytes> struct Words {
  uint32_t words[bytes / 4];
};

template <int bytes>
__device__ void check(const Words<bytes> &words, uint32_t first, uint32_t *wrong) {
  for (uint32_t i = 0; i < bytes / 4; ++i)
    if (words.words[i] != first + i) {
      *wrong = 1;
      break;
    }
}

template <int bytes>
__device__ void mark_spilled(Board *board, uint32_t count, uint32_t row, uint32_t first,
                             const Words<bytes> &words) {
  const uint32_t self = take_turn(board, row);
  look(board, count, self);
  check(words, first, &board->wrong[self]);
  set_mark(board, self);
}
extern "C" __global__ void mark_1040(Board *board, uint32_t count, uint32_t row, uint32_t first,
                                     Words<1040> words) {
  mark_spilled(board, count, row, first, words);
}
extern "C" __global__ void mark_4080(Board *board, uint32_t count, uint32_t row, uint32_t first,
                                     Words<4080> words) {
  mark_spilled(board, count, row, first, words);
}

extern "C" __global__ void repeated(Board *board, uint32_t first, Words<4080> words) {
  check(words, first, &board->repeated_wrong);
  atomicAdd(&board->repeated, 1u);
}
