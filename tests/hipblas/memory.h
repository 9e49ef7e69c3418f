// Memory of the device and streams, for the tests of libraries.
#pragma once

#include <catch2/catch_test_macros.hpp>
#include <hip/hip_runtime_api.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#define HIP(call) REQUIRE((call) == hipSuccess)

/// Elements in the device's memory.
template <class T> class Buffer {
public:
  explicit Buffer(const std::vector<T> &elements) : size_(elements.size()) {
    HIP(hipMalloc(reinterpret_cast<void **>(&data_), std::max<size_t>(1, size_) * sizeof(T)));
    HIP(hipMemcpy(data_, elements.data(), size_ * sizeof(T), hipMemcpyHostToDevice));
  }
  explicit Buffer(T element) : Buffer(std::vector<T>{element}) {}
  ~Buffer() { (void)hipFree(data_); }
  Buffer(const Buffer &) = delete;
  Buffer &operator=(const Buffer &) = delete;

  operator T *() const { return data_; }
  /// After all work of the device.
  std::vector<T> read() const {
    std::vector<T> elements(size_);
    HIP(hipDeviceSynchronize());
    HIP(hipMemcpy(elements.data(), data_, size_ * sizeof(T), hipMemcpyDeviceToHost));
    return elements;
  }

private:
  T *data_ = nullptr;
  size_t size_;
};

/// Pointers to each `stride` elements of a buffer, in the device's memory.
template <class T> Buffer<T *> pointers_to(T *data, int64_t stride, int count) {
  std::vector<T *> pointers;
  for (int i = 0; i < count; ++i)
    pointers.push_back(data + i * stride);
  return Buffer<T *>(pointers);
}

struct Stream {
  Stream() { HIP(hipStreamCreate(&stream)); }
  ~Stream() { (void)hipStreamDestroy(stream); }
  operator hipStream_t() const { return stream; }

  hipStream_t stream = nullptr;
};
