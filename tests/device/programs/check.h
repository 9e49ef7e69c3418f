// A program that checks itself: every wrong value is printed, and the exit code says whether there was one.
#pragma once

#include <hip/hip_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

inline int failures = 0;

// On a simulated device nothing executes: calls are checked, results are not.
inline bool results_count() { return std::getenv("CHIP_SAMPLE_UNCHECKED") == nullptr; }

#define HIP(call)                                                                                  \
  do {                                                                                             \
    const hipError_t error_ = (call);                                                              \
    if (error_ != hipSuccess) {                                                                    \
      std::fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #call, hipGetErrorName(error_)); \
      std::exit(1);                                                                                \
    }                                                                                              \
  } while (0)

#define CHECK(condition)                                                                           \
  do {                                                                                             \
    if (results_count() && !(condition) && ++failures <= 20)                                       \
      std::fprintf(stderr, "%s:%d: wrong: %s\n", __FILE__, __LINE__, #condition);                  \
  } while (0)

#define CHECK_AT(index, condition)                                                                 \
  do {                                                                                             \
    if (results_count() && !(condition) && ++failures <= 20)                                       \
      std::fprintf(stderr, "%s:%d: wrong at %d: %s\n", __FILE__, __LINE__, int(index),             \
                   #condition);                                                                    \
  } while (0)

// Device memory with a copy on the host. It starts as zeros.
template <class T> class Buffer {
public:
  explicit Buffer(size_t count) : host(count) { allocate(); }
  explicit Buffer(std::vector<T> values) : host(std::move(values)) { allocate(); }
  ~Buffer() { (void)hipFree(device); }
  Buffer(const Buffer &) = delete;
  Buffer &operator=(const Buffer &) = delete;

  operator T *() const { return device; }
  // What is on the device now.
  const std::vector<T> &read() {
    HIP(hipMemcpy(host.data(), device, host.size() * sizeof(T), hipMemcpyDeviceToHost));
    return host;
  }

private:
  void allocate() {
    HIP(hipMalloc(reinterpret_cast<void **>(&device), host.size() * sizeof(T)));
    HIP(hipMemcpy(device, host.data(), host.size() * sizeof(T), hipMemcpyHostToDevice));
  }
  std::vector<T> host;
  T *device = nullptr;
};

inline void launched() {
  HIP(hipGetLastError());
  HIP(hipDeviceSynchronize());
}

inline int verdict() {
  std::puts(failures == 0 ? "PASSED" : "FAILED");
  return failures == 0 ? 0 : 1;
}
