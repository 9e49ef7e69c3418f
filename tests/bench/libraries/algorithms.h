// The same algorithms on the same elements, by hipCUB on the device and by the C++ library's parallel algorithms on the host.
#pragma once

#include "../measure.h"

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace bench {

/// One algorithm, ready to run. `run` takes its input from where it is kept and ends when the result is there.
struct Algorithm {
  std::string_view name;
  std::function<void()> run;
  std::function<std::vector<uint32_t>()> result; // of the last run
};

/// Whether an element is one of those that are selected: every other one of random elements.
constexpr bool is_selected(uint32_t element) { return (element & 1) != 0; }

/// A sort, a scan, a sum and a selection, in this order.
std::vector<Algorithm> algorithms_on_device(const std::vector<uint32_t> &elements);
std::vector<Algorithm> algorithms_on_host(const std::vector<uint32_t> &elements);

} // namespace bench
