// Lets memory be moved under running programs: nothing of any list executes meanwhile.
#pragma once

#include <atomic>
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

    /// Between two commands: makes room for somebody who waits for a pause.
    void yield() {
      if (instance().closed_.load(std::memory_order_relaxed)) [[unlikely]] {
        instance().leave();
        instance().enter();
      }
    }
  };
  /// Within an Inside: the thread runs code of the program, which may take long, and may want a
  /// pause itself.
  class Outside {
  public:
    Outside() { instance().leave(); }
    Outside(const Outside &) = delete;
    Outside &operator=(const Outside &) = delete;
    ~Outside() { instance().enter(); }
  };
  /// Waits until no command is being executed, and keeps it so. What waits for an event does not
  /// count. Not within an Inside.
  class Pause {
  public:
    Pause() { instance().close(); }
    Pause(const Pause &) = delete;
    Pause &operator=(const Pause &) = delete;
    ~Pause() { instance().open(); }
  };

  /// In a child of fork, which has none of the threads that are inside.
  void reset_after_fork();

private:
  void enter();
  void leave();
  void close();
  void open();

  std::atomic<uint32_t> inside_{0};
  std::atomic<bool> closed_{false};
  std::mutex pausing_;
};

} // namespace ze_cpu
