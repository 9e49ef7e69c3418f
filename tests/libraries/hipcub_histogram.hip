// hipCUB's histograms of more bins than the memory of a work-group holds: samples of 2 bytes are loaded as int where they lie so.
#include "check.h"

#include <hipcub/hipcub.hpp>

using namespace library_test;

void check_histogram(size_t count) {
  constexpr int bins = 65536;
  const std::vector<unsigned short> samples = numbers<unsigned short>(count, bins);
  std::vector<int> expected(bins);
  for (unsigned short sample : samples)
    ++expected[sample];
  Device<unsigned short> in(samples);
  Device<int> out(bins);
  call_with_memory([&](void *memory, size_t &bytes) {
    return hipcub::DeviceHistogram::HistogramEven(memory, bytes, in.get(), out.get(), bins + 1, 0, bins, int(count));
  });
  CHECK(out.host() == expected);
}

int main() {
  for (size_t count : sizes)
    check_histogram(count);
  return device_test::result();
}
