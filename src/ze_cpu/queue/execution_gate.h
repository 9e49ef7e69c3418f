// Lets a process fork while it executes lists: nothing of any of them executes meanwhile.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <mutex>

namespace ze_cpu {

class ExecutionGate {
public:
  static ExecutionGate &instance();

  /// A thread executes commands while it has one of these.
  class Inside {
  public:
    Inside() { instance().enter(); }
    Inside(const Inside &) = delete;
    Inside &operator=(const Inside &) = delete;
    ~Inside() { instance().leave(); }
  };
  /// Enters for a thread that must not wait here: false if the gate is closed.
  class TryInside {
  public:
    TryInside() : is_inside_(instance().try_enter()) {}
    TryInside(const TryInside &) = delete;
    TryInside &operator=(const TryInside &) = delete;
    ~TryInside() {
      if (is_inside_)
        instance().leave();
    }
    explicit operator bool() const { return is_inside_; }

  private:
    const bool is_inside_;
  };
  /// Within an Inside: the thread runs code of the program, which may take long, and may fork itself.
  class Outside {
  public:
    Outside() { instance().leave(); }
    Outside(const Outside &) = delete;
    Outside &operator=(const Outside &) = delete;
    ~Outside() { instance().enter(); }
  };
  /// While it exists, threads that fork wait. Not within an Inside.
  class NoFork {
    const std::lock_guard<std::mutex> lock_{instance().forking_};
  };

  /// Whether a fork is waited for or under way: a thread inside then leaves after the command at
  /// hand.
  bool is_closed() const { return closed_.load(std::memory_order_relaxed); }
  /// Returns when the gate is open.
  void wait() const { closed_.wait(true); }

  // Around a fork.

  /// Waits until no command is being executed, and keeps it so; one that takes longer than
  /// `patience` goes on. What waits for an event does not count.
  void close_for_fork(std::chrono::milliseconds patience);
  void open_after_fork();
  /// In the child, which has none of the threads that were inside.
  void reset_after_fork();

private:
  bool try_enter();
  void enter();
  void leave();

  std::atomic<uint32_t> inside_{0};
  std::atomic<bool> closed_{false};
  std::mutex forking_;
};

} // namespace ze_cpu
