// Which threads use HIP, and which of them are inside of a call: what the thread that ends the process has to know.
#pragma once

#include <atomic>
#include <chrono>

namespace chip {

/// What the thread that ends the process may know of another. Never freed: a thread that ends leaves it to a later one. So it
/// can be read, made and left without a lock, also in a signal handler.
class alignas(64) Caller { // each thread writes its own all the time
public:
  /// The calling thread's; null before its first ThreadMark and after its last.
  static Caller *of_this_thread() noexcept { return own_; }
  /// How many threads have a ThreadMark.
  static unsigned count() noexcept;
  /// Whether no other thread than the calling one is inside of a call. Waits for that until `deadline`.
  static bool others_have_left(std::chrono::steady_clock::time_point deadline) noexcept;
  /// Whether the calling thread is inside of a call: in a signal handler, or in a function of a stream.
  static bool own_is_inside() noexcept { return own_ && own_->is_inside(); }

  bool is_inside() const noexcept { return depth_.load(std::memory_order_relaxed) != 0; }
  /// The thread's thread_local objects are being destroyed: it has called exit(), or it ends and will soon have no ThreadMark.
  /// Waits until `deadline` for other threads that load something (Loading).
  void leave(std::chrono::steady_clock::time_point deadline) noexcept;

private:
  friend class ThreadMark;
  friend class Inside;
  friend class Loading;
  static Caller &take();
  static bool is_other_inside() noexcept;
  template <class Is> bool is_another(Is is) const noexcept;

  std::atomic<bool> taken_{true};
  std::atomic<unsigned> depth_{0}; // of calls; written by its own thread only
  std::atomic<unsigned> loads_{0};
  std::atomic<bool> leaves_{false};
  unsigned marks_ = 0;
  Caller *next_ = nullptr; // of all

  static inline constinit std::atomic<Caller *> all_{nullptr};
  // In the thread's static block, which is found without a call; it has room for this much however we are loaded.
  [[gnu::tls_model("initial-exec")]] static inline constinit thread_local Caller *own_ = nullptr;
};

/// While a thread has one of these, it counts as one that may use HIP: nothing is freed then that it may be using.
class ThreadMark {
public:
  ThreadMark();
  ThreadMark(const ThreadMark &) = delete;
  ThreadMark &operator=(const ThreadMark &) = delete;
  ~ThreadMark();
};

/// While a thread that has a mark has one of these, it may be inside of the driver, which must not be destroyed then.
class Inside {
public:
  // No locked instructions: each launch does this. Caller::others_have_left() makes the other threads' stores visible.
  Inside() noexcept : caller_(*Caller::own_) {
    caller_.depth_.store(caller_.depth_.load(std::memory_order_relaxed) + 1,
                         std::memory_order_relaxed);
    std::atomic_signal_fence(std::memory_order_seq_cst);
  }
  Inside(const Inside &) = delete;
  Inside &operator=(const Inside &) = delete;
  ~Inside() {
    caller_.depth_.store(caller_.depth_.load(std::memory_order_relaxed) - 1,
                         std::memory_order_release);
  }

private:
  Caller &caller_;
};

/// While a thread that has a mark has one of these, it may load libraries. exit() destroys their static objects as soon as they
/// exist, even while others of the same library are being constructed: so it waits.
class Loading {
public:
  Loading() noexcept : caller_(*Caller::own_) { caller_.loads_.fetch_add(1); }
  Loading(const Loading &) = delete;
  Loading &operator=(const Loading &) = delete;
  ~Loading() { caller_.loads_.fetch_sub(1); }

  /// Whether a thread has called exit(), or is just ending, and may not have seen that this one loads.
  bool may_be_too_late() const noexcept;

private:
  Caller &caller_;
};

} // namespace chip
