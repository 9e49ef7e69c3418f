// hipCUB's radix sort: up to a million keys rocPRIM merges sorted blocks, above that each pass over the keys goes by a digit, and
// each block waits for the sums of the blocks before it.
#include "check.h"

#include <hipcub/hipcub.hpp>

using namespace library_test;

void check_pairs(size_t count) {
  constexpr int bits = 24;
  const std::vector<uint64_t> keys = numbers<uint64_t>(count, 1u << bits);
  std::vector<unsigned> places(count);
  std::iota(places.begin(), places.end(), 0u);
  std::vector<unsigned> expected_places = places;
  std::vector<uint64_t> expected_keys(count);
  std::stable_sort(expected_places.begin(), expected_places.end(), [&](unsigned x, unsigned y) { return keys[x] < keys[y]; });
  std::transform(expected_places.begin(), expected_places.end(), expected_keys.begin(), [&](unsigned x) { return keys[x]; });

  Device<uint64_t> keys_in(keys), keys_out(count);
  Device<unsigned> values_in(places), values_out(count);
  call_with_memory([&](void *memory, size_t &bytes) {
    return hipcub::DeviceRadixSort::SortPairs(memory, bytes, keys_in.get(), keys_out.get(), values_in.get(), values_out.get(),
                                              int(count), 0, bits);
  });
  CHECK(keys_out.host() == expected_keys);
  CHECK(values_out.host() == expected_places);
}

int main() {
  for (size_t count : sizes)
    check_pairs(count);
  check_pairs(1500000);
  return device_test::result();
}
