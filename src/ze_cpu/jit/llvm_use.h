// LLVM's static objects are destroyed when the process ends, while other threads may be linking or
// unloading.
#pragma once

#include <atomic>
#include <chrono>
#include <pthread.h>
#include <thread>

namespace ze_cpu {

/// While a thread has one of these that is true, LLVM's static objects are there: the end of the
/// process waits for it. Only the thread that ends the process may go on then, since destructors of
/// the program may launch kernels; whoever ends it in the middle of linking, in a signal handler, is
/// waited for in vain, but not for long.
///
/// Every call into LLVM is made with one. What LLVM makes only in such a call (function-local
/// statics) is destroyed before LlvmUse knows of the end: nothing that matters may depend on it.
class LlvmUse {
public:
  LlvmUse() {
    static const End end; // made after LLVM's, so that it goes before
    users.fetch_add(1);
    may_use_ = !ending.load() || pthread_equal(ender, pthread_self());
  }
  LlvmUse(const LlvmUse &) = delete;
  LlvmUse &operator=(const LlvmUse &) = delete;
  ~LlvmUse() { users.fetch_sub(1); }

  explicit operator bool() const { return may_use_; }

  /// Whether the process is ending: then what LLVM has made is left to the system, by whichever
  /// thread. If not, the end waits for this use.
  bool is_last() const { return !may_use_ || ending.load(); }

  static constexpr const char *refusal = "nothing is linked any more: the process is ending";

private:
  struct End {
    ~End() {
      constexpr auto patience = std::chrono::milliseconds(200);
      ender = pthread_self();
      ending.store(true);
      const auto end = std::chrono::steady_clock::now() + patience;
      while (users.load() != 0 && std::chrono::steady_clock::now() < end)
        std::this_thread::yield();
    }
  };
  static inline constinit std::atomic<unsigned> users{0};
  static inline constinit std::atomic<bool> ending{false};
  static inline pthread_t ender{}; // once `ending` is true

  bool may_use_;
};

} // namespace ze_cpu
