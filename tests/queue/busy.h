// Streams that are busy for as long as a test wants.
#pragma once

#include "fixture.h"

#include <atomic>

namespace fixture {

/// A stream that is busy until released.
class Busy {
public:
  explicit Busy(hipStream_t stream) : flag_(next_flag()) {
    flag_.store(0);
    REQUIRE_HIP(launch(function("wait_for_flag"), stream, 1, reinterpret_cast<int *>(&flag_)));
  }
  ~Busy() { release(); }
  Busy(const Busy &) = delete;
  void release() { flag_.store(1); }

private:
  /// Freeing a flag would wait for the device, and so for other streams that are busy.
  static std::atomic<int> &next_flag() {
    constexpr size_t most = 64; // at once
    static HostMemory<int> *const flags = new HostMemory<int>(most);
    static size_t next = 0;
    return *reinterpret_cast<std::atomic<int> *>(flags->get() + next++ % most);
  }

  std::atomic<int> &flag_;
};

} // namespace fixture
