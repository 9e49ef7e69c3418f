// rocThrust's algorithms on vectors of the device.
#include "check.h"

#include <thrust/device_vector.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/reduce.h>
#include <thrust/sort.h>
#include <thrust/transform.h>
#include <thrust/transform_reduce.h>

using namespace library_test;

template <class T> std::vector<T> host(const thrust::device_vector<T> &values) {
  std::vector<T> copy(values.size());
  thrust::copy(values.begin(), values.end(), copy.begin());
  return copy;
}

void check_count(size_t count) {
  const std::vector<long> in = numbers<long>(count, 1000);
  const thrust::device_vector<long> input(in.begin(), in.end());

  thrust::device_vector<long> sorted = input;
  thrust::sort(sorted.begin(), sorted.end());
  std::vector<long> expected = in;
  std::sort(expected.begin(), expected.end());
  CHECK(host(sorted) == expected);

  // What is equal stands together, so that there is one sum for each value.
  thrust::device_vector<long> keys(count), sums(count);
  const auto ends = thrust::reduce_by_key(sorted.begin(), sorted.end(), thrust::counting_iterator<long>(0), keys.begin(), sums.begin());
  std::vector<long> expected_keys, expected_sums;
  for (size_t i = 0; i < count; ++i) {
    if (i == 0 || expected[i] != expected[i - 1]) {
      expected_keys.push_back(expected[i]);
      expected_sums.push_back(0);
    }
    expected_sums.back() += long(i);
  }
  keys.resize(size_t(ends.first - keys.begin()));
  sums.resize(size_t(ends.second - sums.begin()));
  CHECK(host(keys) == expected_keys);
  CHECK(host(sums) == expected_sums);

  thrust::device_vector<double> halves(count);
  thrust::transform(input.begin(), input.end(), sorted.begin(), halves.begin(),
                    [] __device__(long x, long y) { return x * 0.5 + y; });
  std::vector<double> expected_halves(count);
  for (size_t i = 0; i < count; ++i)
    expected_halves[i] = in[i] * 0.5 + expected[i];
  CHECK(host(halves) == expected_halves);
  const double sum = thrust::reduce(halves.begin(), halves.end());
  CHECK(sum == std::accumulate(expected_halves.begin(), expected_halves.end(), 0.0));
}

int main() {
  for (size_t count : sizes)
    check_count(count);
  return device_test::result();
}
