// The C++ library's parallel algorithms, which run on oneTBB's threads: one for each processor.
#include "algorithms.h"

#include <algorithm>
#include <execution>
#include <memory>
#include <numeric>

namespace bench {
namespace {

/// What algorithms read, and where they put what they make of it.
struct Arrays {
  std::vector<uint32_t> input, output;
  size_t count = 0; // of the elements in the output
};

} // namespace

std::vector<Algorithm> algorithms_on_host(const std::vector<uint32_t> &elements) {
  const auto arrays = std::make_shared<Arrays>();
  arrays->input = elements;
  arrays->output.resize(elements.size());
  const auto algorithm = [&](std::string_view name, auto run) {
    return Algorithm{name, [=] { arrays->count = run(*arrays); },
                     [=] {
                       const auto begin = arrays->output.begin();
                       return std::vector(begin, begin + static_cast<ptrdiff_t>(arrays->count));
                     }};
  };
  // A sort is given a copy, as that of the device leaves its input as it was.
  return {
      algorithm("radix_sort",
                [](Arrays &a) {
                  std::copy(std::execution::par, a.input.begin(), a.input.end(), a.output.begin());
                  std::sort(std::execution::par, a.output.begin(), a.output.end());
                  return a.output.size();
                }),
      algorithm("scan",
                [](Arrays &a) {
                  std::inclusive_scan(std::execution::par, a.input.begin(), a.input.end(),
                                      a.output.begin());
                  return a.output.size();
                }),
      algorithm("reduce",
                [](Arrays &a) {
                  a.output[0] = std::reduce(std::execution::par, a.input.begin(), a.input.end());
                  return size_t(1);
                }),
      algorithm("select", [](Arrays &a) {
        const auto end = std::copy_if(std::execution::par, a.input.begin(), a.input.end(),
                                      a.output.begin(), is_selected);
        return static_cast<size_t>(end - a.output.begin());
      })};
}

} // namespace bench
