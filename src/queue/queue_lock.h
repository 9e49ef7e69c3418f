// The lock of a queue: hardly ever contended, and taken by each launch.
#pragma once

#include <atomic>
#include <cstdint>

namespace chip {

/// A mutex (BasicLockable). Taking it is one locked instruction, giving it back none: who gives it back may miss a thread that
/// has just begun to wait, which therefore never sleeps for long without looking itself.
class QueueLock {
public:
  QueueLock() = default;
  QueueLock(const QueueLock &) = delete;
  QueueLock &operator=(const QueueLock &) = delete;

  void lock() {
    if (!try_lock()) [[unlikely]]
      wait();
  }
  void unlock() {
    is_taken_.store(0, std::memory_order_release);
    if (waiting_.load(std::memory_order_relaxed) != 0) [[unlikely]]
      wake();
  }

private:
  bool try_lock() { return is_taken_.exchange(1, std::memory_order_acquire) == 0; }
  void wait();
  void wake();

  std::atomic<uint32_t> is_taken_{0};
  std::atomic<uint32_t> waiting_{0}; // threads
};

} // namespace chip
