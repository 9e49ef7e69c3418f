// The HIP side of the launch benchmark: checked calls, and launches of the kernel `add` through the
// call that <<< >>> ends in.
#pragma once

#include <hip/hip_runtime.h>

#include <format>
#include <stdexcept>
#include <vector>

extern "C" __global__ void add(int *sum, int value);

namespace bench {

inline void check(hipError_t error, const char *call) {
  if (error != hipSuccess)
    throw std::runtime_error(std::format("{}: {}", call, hipGetErrorString(error)));
}
#define HIP_CHECK(call) ::bench::check(call, #call)

inline void synchronize_device() { HIP_CHECK(hipDeviceSynchronize()); }

/// Memory for `add`, allocated for the object's life.
class DeviceInt {
public:
  DeviceInt() { HIP_CHECK(hipMalloc(&pointer_, sizeof(int))); }
  ~DeviceInt() { static_cast<void>(hipFree(pointer_)); }
  DeviceInt(const DeviceInt &) = delete;
  DeviceInt &operator=(const DeviceInt &) = delete;
  int *get() const { return pointer_; }

private:
  int *pointer_ = nullptr;
};

/// Launches `add` with two arguments, one of them another with each launch.
class HipLauncher {
public:
  explicit HipLauncher(int *sum, hipStream_t stream = nullptr) : sum_(sum), stream_(stream) {}
  void launch() {
    ++value_;
    launch_again();
  }
  /// With the arguments of the launch before.
  void launch_again() {
    void *arguments[] = {&sum_, &value_};
    HIP_CHECK(hipLaunchKernel(reinterpret_cast<const void *>(add), 1, 1, arguments, 0, stream_));
  }

private:
  int *sum_;
  hipStream_t stream_;
  int value_ = 0;
};

/// Blocking streams that have done some work once and are idle.
class Streams {
public:
  explicit Streams(int *sum) : sum_(sum) {}
  ~Streams() {
    for (auto stream : streams_)
      static_cast<void>(hipStreamDestroy(stream));
  }
  Streams(const Streams &) = delete;
  Streams &operator=(const Streams &) = delete;

  void grow_to(size_t count) {
    while (streams_.size() < count) {
      hipStream_t stream;
      HIP_CHECK(hipStreamCreate(&stream));
      streams_.push_back(stream);
      launchers_.emplace_back(sum_, stream).launch();
      HIP_CHECK(hipStreamSynchronize(stream));
    }
  }
  HipLauncher &operator[](size_t i) { return launchers_[i]; }
  void launch_on_each() {
    for (auto &launcher : launchers_)
      launcher.launch();
  }

private:
  int *sum_;
  std::vector<hipStream_t> streams_;
  std::vector<HipLauncher> launchers_;
};

} // namespace bench
