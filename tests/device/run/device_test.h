// Self-checking HIP programs: each check names itself, and main() returns how many failed.
#pragma once

#include <hip/hip_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

namespace device_test {

inline int failures = 0, checks = 0;

/// On the simulated GPU nothing executes, so only calls and compilation are tested there.
inline bool unchecked() {
  static const bool value = std::getenv("CHIP_SAMPLE_UNCHECKED") != nullptr;
  return value;
}

inline void check(bool good, const char *what, int line) {
  ++checks;
  if (!good && !unchecked()) {
    ++failures;
    std::printf("line %d: FAILED: %s\n", line, what);
  }
}
#define CHECK(...) device_test::check((__VA_ARGS__), #__VA_ARGS__, __LINE__)

inline void call(hipError_t error, const char *what, int line) {
  ++checks;
  if (error != hipSuccess) {
    ++failures;
    std::printf("line %d: %s: %s\n", line, what, hipGetErrorName(error));
  }
}
#define CALL(...) device_test::call((__VA_ARGS__), #__VA_ARGS__, __LINE__)

/// Managed memory, zeroed.
template <class T> class Array {
public:
  explicit Array(size_t count) : count_(count) {
    CALL(hipMallocManaged(&data_, count * sizeof(T)));
    for (size_t i = 0; i < count; ++i)
      data_[i] = T();
  }
  ~Array() { CALL(hipFree(data_)); }
  Array(const Array &) = delete;
  T *get() const { return data_; }
  T &operator[](size_t i) const { return data_[i]; }
  size_t size() const { return count_; }

private:
  T *data_ = nullptr;
  size_t count_;
};

inline void wait() {
  CALL(hipGetLastError());
  CALL(hipDeviceSynchronize());
}

inline int result() {
  if (checks == 0)
    ++failures;
  std::printf("%d checks, %d failed%s\n", checks, failures, unchecked() ? " (calls only)" : "");
  return failures != 0;
}

} // namespace device_test
