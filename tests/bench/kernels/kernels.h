// The kernel benchmark's cases: what is launched, on which data, and the loop it is compared with.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <variant>
#include <vector>

namespace bench {

/// All data is of 4 bytes an element.
using Buffer = std::span<float>;
using Buffers = std::span<const Buffer>;

struct Extent {
  uint32_t x = 1, y = 1, z = 1;
};

struct Case {
  std::string key;              // of the result, in JSON
  const char *kernel = nullptr; // its name, null: the key
  Extent groups;
  Extent group_size;
  /// Of the buffers, which are the first arguments; the last one is the output.
  std::vector<size_t> sizes;
  std::vector<std::variant<int, float, int64_t>> numbers = {}; // the arguments behind them
  std::function<void(Buffers)> fill;
  std::function<void(Buffers)> native;
  /// Whether the output is right; `expected` has native's in the place of the output.
  std::function<bool(Buffers output, Buffers expected)> is_right;
  bool clears = false; // the output is cleared before each run, by whoever runs it, which counts

  const char *kernel_name() const { return kernel ? kernel : key.c_str(); }
};

std::vector<Case> kernel_cases();

} // namespace bench
