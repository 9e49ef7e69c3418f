// Programs that compare what a library makes of an array on the device with what the standard library makes of it on the host.
#pragma once

#include "../device/run/device_test.h"

#include <algorithm>
#include <numeric>
#include <vector>

namespace library_test {

using device_test::failures;

/// Numbers below `end` that are the same in each run.
template <class T> std::vector<T> numbers(size_t count, unsigned end, unsigned seed = 1) {
  std::vector<T> values(count);
  for (T &value : values) {
    seed = seed * 1664525u + 1013904223u;
    value = T((seed >> 8) % end);
  }
  return values;
}

/// Memory of the device with what a vector holds, or with room for so many.
template <class T> class Device {
public:
  explicit Device(size_t count) : count_(count) {
    CALL(hipMalloc(&data_, std::max<size_t>(count, 1) * sizeof(T)));
  }
  explicit Device(const std::vector<T> &values) : Device(values.size()) {
    CALL(hipMemcpy(data_, values.data(), values.size() * sizeof(T), hipMemcpyHostToDevice));
  }
  ~Device() { CALL(hipFree(data_)); }
  Device(const Device &) = delete;
  T *get() const { return data_; }
  std::vector<T> host(size_t count) const {
    std::vector<T> values(count);
    CALL(hipMemcpy(values.data(), data_, count * sizeof(T), hipMemcpyDeviceToHost));
    return values;
  }
  std::vector<T> host() const { return host(count_); }

private:
  T *data_ = nullptr;
  size_t count_;
};

/// Calls an algorithm twice, as these libraries want it: for the size of the memory that it needs, and with that.
template <class Algorithm> void call_with_memory(Algorithm algorithm) {
  size_t bytes = 0;
  CALL(algorithm(nullptr, bytes));
  Device<char> memory(bytes);
  CALL(algorithm(memory.get(), bytes));
}

constexpr size_t sizes[] = {1, 31, 1000, 100003};

} // namespace library_test
