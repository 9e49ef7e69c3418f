// hipCUB's algorithms for whole arrays.
#include "check.h"

#include <hipcub/hipcub.hpp>

using namespace library_test;

void check_scans(size_t count) {
  const std::vector<int> in = numbers<int>(count, 1000);
  Device<int> input(in), sums(count), before(count);
  call_with_memory([&](void *memory, size_t &bytes) {
    return hipcub::DeviceScan::InclusiveSum(memory, bytes, input.get(), sums.get(), int(count));
  });
  call_with_memory([&](void *memory, size_t &bytes) {
    return hipcub::DeviceScan::ExclusiveScan(memory, bytes, input.get(), before.get(), hipcub::Max(), -7, int(count));
  });
  std::vector<int> expected(count);
  std::inclusive_scan(in.begin(), in.end(), expected.begin());
  CHECK(sums.host() == expected);
  std::exclusive_scan(in.begin(), in.end(), expected.begin(), -7, [](int x, int y) { return std::max(x, y); });
  CHECK(before.host() == expected);
}

void check_reductions(size_t count) {
  const std::vector<int> in = numbers<int>(count, 1000000);
  Device<int> input(in), result(1);
  call_with_memory([&](void *memory, size_t &bytes) {
    return hipcub::DeviceReduce::Sum(memory, bytes, input.get(), result.get(), int(count));
  });
  CHECK(unsigned(result.host()[0]) == std::accumulate(in.begin(), in.end(), 0u));
  Device<hipcub::KeyValuePair<int, int>> smallest(1);
  call_with_memory([&](void *memory, size_t &bytes) {
    return hipcub::DeviceReduce::ArgMin(memory, bytes, input.get(), smallest.get(), int(count));
  });
  const auto expected = std::min_element(in.begin(), in.end());
  CHECK(smallest.host()[0].key == expected - in.begin() && smallest.host()[0].value == *expected);
}

struct IsOdd {
  __host__ __device__ bool operator()(int x) const { return x % 2 != 0; }
};

void check_selections(size_t count) {
  const std::vector<int> in = numbers<int>(count, 50);
  Device<int> input(in), selected(count), selected_count(1);
  call_with_memory([&](void *memory, size_t &bytes) {
    return hipcub::DeviceSelect::If(memory, bytes, input.get(), selected.get(), selected_count.get(), int(count), IsOdd());
  });
  std::vector<int> expected;
  std::copy_if(in.begin(), in.end(), std::back_inserter(expected), IsOdd());
  CHECK(selected_count.host()[0] == int(expected.size()));
  CHECK(selected.host(expected.size()) == expected);
}

int main() {
  for (size_t count : sizes) {
    check_scans(count);
    check_reductions(count);
    check_selections(count);
  }
  return device_test::result();
}
