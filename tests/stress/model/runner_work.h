// What the runner asks of streams, and of graphs in the same words.
#pragma once

#include "runner.h"

#include <array>
#include <numeric>

namespace model {

constexpr size_t snapshot_words = max_ops + 1;
constexpr uint32_t last_word = 0x6c617374; // follows the marks: a whole copy has it
constexpr size_t staging_bytes = 80'000;
constexpr size_t pool_bytes = 2 << 20; // so much that the pool has no block to spare

struct Runner::Shared {
  Board board;
  uint32_t values[max_values];
  uint32_t snapshots[max_ops][snapshot_words]; // of those that go to the host
};

/// A launch of one of the kernels, for the row of the board that an operation has.
class Runner::KernelCall {
public:
  KernelCall(const Runner &runner, const Op &op, int row);
  KernelCall(const KernelCall &) = delete;

  const hipFunction_t function;
  void **arguments() { return arguments_.data(); }

private:
  void fill_words(uint32_t first) {
    first_ = first;
    std::iota(words_.begin(), words_.end(), first);
  }

  Board *const board_;
  const uint32_t count_, row_, rounds_;
  uint32_t first_;
  std::array<uint32_t, 1020> words_; // kernels take these, or the beginning of them
  std::array<void *, 5> arguments_;
};

/// A copy between memory that lives as long as the program.
struct Runner::Copy {
  void *to;
  const void *from;
  size_t bytes;
  hipMemcpyKind kind;
};

} // namespace model
