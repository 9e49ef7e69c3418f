// The kernel benchmark's cases: what is launched, on which data, and the loop it is compared with.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace bench {

/// All data is of 4 bytes an element.
using Buffer = std::span<float>;
using Buffers = std::span<const Buffer>;

struct Case {
  std::string key;         // of the result, in JSON
  const char *kernel = ""; // its name
  std::array<uint32_t, 2> groups = {1, 1};
  std::array<uint32_t, 2> group_size = {1, 1};
  /// Of the buffers, which are the first arguments; the last one is the output.
  std::vector<size_t> sizes;
  int n = 0; // the argument behind them, 0: there is none
  std::function<void(Buffers)> fill;
  std::function<void(Buffers)> native;
  /// Whether the output is right; `expected` has native's in the place of the output.
  std::function<bool(Buffers output, Buffers expected)> is_right;
  bool clears = false; // the output is cleared before each run, by whoever runs it, which counts
};

std::vector<Case> kernel_cases();

} // namespace bench
