// The threads that execute command lists. A list with work to do is queued here; a list without
// work, or one that waits for an event, holds no thread. Threads come when all are busy, and go
// when there has been nothing to do for a while.
#pragma once

#include "../../ze_driver/events/clock.h"

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <pthread.h>

namespace ze_cpu {

class Stream;

class Dispatcher {
public:
  /// The process's dispatcher. Never destroyed: threads may outlive static objects.
  static Dispatcher &instance();

  /// Queues a list that has become ready: its state is set, and it is linked, in one step.
  /// `expected_idle` queues it only if its state is idle (then with a reference of its own);
  /// otherwise it is parked or running, and the caller's.
  void push(Stream &stream, bool expected_idle);
  /// Takes a list out that the caller has claimed (set to running). After this no thread of the
  /// dispatcher knows it.
  void forget(Stream &stream);

  /// Whether other lists wait for a thread.
  bool has_ready() const { return ready_count_.load(std::memory_order_relaxed) != 0; }
  /// Whether the process is going down: threads leave after the command at hand.
  bool is_stopping() const { return stopping_.load(std::memory_order_relaxed); }

  /// Spins for new work of a list that has just run dry, as long as nothing else needs the
  /// processor; whether there is some. Lists that are queued meanwhile wake nobody.
  template <class HasWork> bool linger(HasWork has_work) {
    const unsigned others = lingering_.fetch_add(1, std::memory_order_relaxed);
    bool found = false;
    if (others < ze_driver::processor_count() / 2)
      found = ze_driver::spin_until([&] { return has_work() || has_ready() || is_stopping(); }) &&
              has_work();
    lingering_.fetch_sub(1, std::memory_order_seq_cst);
    return found;
  }
  /// For a thread that has lingered and goes on with its own list all the same: who queued another meanwhile may have counted on
  /// it.
  void pass_on_ready() {
    if (ready_count_.load(std::memory_order_seq_cst) != 0)
      wake_one();
  }

  /// For a thread that is about to sleep while lists wait for threads that were woken: these get its processor. Systems may have
  /// them wait behind another of our threads until a clock ticks, with a processor idle beside it.
  void give_way();

  /// Stops taking new work and waits for the threads to leave, but not for one that is stuck in a
  /// kernel or a host function.
  void stop();

  /// Called by fork.cpp, in this order.
  void before_fork();
  void after_fork(bool is_child);

  /// While one exists, its thread does not count: another may take its place.
  class BlockingSection {
  public:
    BlockingSection();
    ~BlockingSection();
  };

private:
  Dispatcher() = default;

  void work();
  void wake_one();
  bool sleep(std::unique_lock<std::mutex> &lock);
  void add_thread_if_needed();
  Stream *take_first();
  void unlink(Stream &stream);

  std::mutex mutex_;
  std::condition_variable ready_;   // a list was queued
  std::condition_variable leaving_; // a thread left
  Stream *first_ = nullptr;
  Stream *last_ = nullptr;
  unsigned threads_ = 0;
  /// One that sleeps, or was woken and is not at work yet.
  struct IdleThread {
    pthread_t thread;
    IdleThread *next;
  };
  IdleThread *idle_threads_ = nullptr;
  unsigned idle_ = 0;
  unsigned blocked_ = 0;
  std::atomic<unsigned> ready_count_{0};
  std::atomic<unsigned> lingering_{0};
  std::atomic<bool> stopping_{false};
};

} // namespace ze_cpu
