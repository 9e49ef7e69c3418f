// What the scheduler's tests share: checked HIP calls, the kernels, memory that cleans up.
#pragma once

#include <hip/hip_runtime_api.h>

#include <catch2/catch_test_macros.hpp>

#include <vector>

#define REQUIRE_HIP(call) REQUIRE((call) == hipSuccess)

namespace fixture {

/// The module with the test kernels, loaded once a process.
inline hipModule_t module() {
  static const hipModule_t loaded = [] {
    hipModule_t module = nullptr;
    REQUIRE_HIP(hipModuleLoad(&module, TEST_KERNELS));
    return module;
  }();
  return loaded;
}

inline hipFunction_t function(const char *name) {
  hipFunction_t function = nullptr;
  REQUIRE_HIP(hipModuleGetFunction(&function, module(), name));
  return function;
}

/// One block of `threads` threads.
template <class... Args>
hipError_t launch(hipFunction_t function, hipStream_t stream, unsigned threads, Args... args) {
  void *pointers[] = {&args...};
  return hipModuleLaunchKernel(function, 1, 1, 1, threads, 1, 1, 0, stream, pointers, nullptr);
}

template <class T> class HostMemory {
public:
  explicit HostMemory(size_t count, T value = {}) {
    REQUIRE_HIP(hipHostMalloc(reinterpret_cast<void **>(&data_), count * sizeof(T), 0));
    for (size_t i = 0; i < count; ++i)
      data_[i] = value;
  }
  ~HostMemory() { (void)hipHostFree(data_); }
  HostMemory(const HostMemory &) = delete;
  T *get() const { return data_; }
  T &operator[](size_t i) const { return data_[i]; }

private:
  T *data_ = nullptr;
};

class Streams {
public:
  explicit Streams(size_t count, unsigned flags = hipStreamDefault) : streams_(count) {
    for (hipStream_t &stream : streams_)
      REQUIRE_HIP(hipStreamCreateWithFlags(&stream, flags));
  }
  ~Streams() {
    for (hipStream_t stream : streams_)
      (void)hipStreamDestroy(stream);
  }
  Streams(const Streams &) = delete;
  hipStream_t operator[](size_t i) const { return streams_[i]; }
  size_t size() const { return streams_.size(); }
  auto begin() const { return streams_.begin(); }
  auto end() const { return streams_.end(); }

private:
  std::vector<hipStream_t> streams_;
};

class Event {
public:
  explicit Event(unsigned flags = hipEventDisableTiming) {
    REQUIRE_HIP(hipEventCreateWithFlags(&event_, flags));
  }
  ~Event() { (void)hipEventDestroy(event_); }
  Event(const Event &) = delete;
  operator hipEvent_t() const { return event_; }

private:
  hipEvent_t event_ = nullptr;
};

} // namespace fixture
