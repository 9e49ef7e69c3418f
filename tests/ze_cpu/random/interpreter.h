// What a kernel means: its statements executed one after the other for all lanes of a work-group,
// with masks.
#pragma once

#include "kernel.h"

namespace random_kernels {

/// What a launch leaves behind. Floats are stored as their bits, booleans as 0 and 1.
struct Result {
  std::vector<uint64_t> output; // output_words() for each work-item, group after group
  std::vector<uint32_t> cells;  // global atomics
  std::vector<uint32_t> own;    // elements of work-items, and what is between them
  bool operator==(const Result &) const = default;
};

/// What it holds before.
Result initial_result(const Kernel &kernel);

/// The result of the whole grid.
Result interpret(const Kernel &kernel);

} // namespace random_kernels
