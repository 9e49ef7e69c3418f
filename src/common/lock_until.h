// Locks of a process that ends.
#pragma once

#include <chrono>
#include <mutex>
#include <thread>

namespace common {

/// Waits for `mutex` until `deadline`; the result says whether it was to be had. For what runs as a process ends: a signal
/// handler may have called exit(), and interrupted the very thread that holds the mutex.
inline std::unique_lock<std::mutex> lock_until(std::mutex &mutex,
                                               std::chrono::steady_clock::time_point deadline) {
  constexpr auto pause = std::chrono::microseconds(100);
  std::unique_lock lock(mutex, std::try_to_lock);
  while (!lock && std::chrono::steady_clock::now() < deadline) {
    std::this_thread::sleep_for(pause);
    (void)lock.try_lock();
  }
  return lock;
}

} // namespace common
