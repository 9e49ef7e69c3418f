// The lock of a queue (src/queue/queue_lock.h), on its own.
#include "queue/queue_lock.h"

#include <catch2/catch_test_macros.hpp>

#include <atomic>
#include <chrono>
#include <latch>
#include <mutex>
#include <thread>
#include <vector>

using chip::QueueLock;

TEST_CASE("queue lock: one thread at a time has it, and sees what those before it did") {
  constexpr int threads = 4, rounds = 100'000;
  QueueLock lock;
  int count = 0; // no atomic: the lock orders it
  std::latch start(threads);
  std::vector<std::thread> all;
  for (int i = 0; i < threads; ++i)
    all.emplace_back([&] {
      start.arrive_and_wait();
      for (int round = 0; round < rounds; ++round) {
        const std::lock_guard locked(lock);
        ++count;
      }
    });
  for (std::thread &thread : all)
    thread.join();
  CHECK(count == threads * rounds);
}

TEST_CASE("queue lock: whoever waits gets it when it is given back, however many wait") {
  QueueLock lock;
  std::atomic<int> waiting{0}, had{0};
  std::vector<std::thread> all;
  {
    const std::lock_guard locked(lock);
    for (int i = 0; i < 4; ++i)
      all.emplace_back([&] {
        ++waiting;
        const std::lock_guard own(lock);
        ++had;
      });
    while (waiting != 4)
      std::this_thread::yield();
    std::this_thread::sleep_for(std::chrono::milliseconds(20)); // they have begun to sleep
    CHECK(had == 0);
  }
  for (std::thread &thread : all)
    thread.join();
  CHECK(had == 4);
}
