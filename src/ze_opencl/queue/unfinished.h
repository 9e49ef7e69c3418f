// What OpenCL still does for the program when the process ends. Implementations compile and execute on threads of their own, which
// crash when the static objects under them are destroyed (PoCL): so the end of the process waits for what they were given.
#pragma once

#include "completions.h"

#include <atomic>
#include <mutex>
#include <new>
#include <utility>
#include <vector>

namespace ze_opencl {

/// The queues of the process, and the last commands of those that are gone.
class Unfinished {
public:
  /// Never destroyed: threads may outlive static objects.
  static Unfinished &instance();

  /// `done` is a queue's, whose commands count from now on.
  void add(ze_driver::Counter &done) noexcept;
  /// The queue goes: what it was given goes on.
  void remove(ze_driver::Counter &done) noexcept;
  /// From now on the end of the process waits, for a time: what never ends does not keep it. To be called when the
  /// implementation has done some work, since static objects that it makes later are destroyed earlier; but where the main thread
  /// has called this, its end comes before all of them.
  void wait_at_exit();

private:
  /// What there is no memory to remember may end with the process.
  template <class T> static void remember(std::vector<T> &all, T one) noexcept {
    try {
      all.push_back(std::move(one));
    } catch (const std::bad_alloc &) {
    }
  }
  void await_all() noexcept;

  std::mutex mutex_; // guards what follows; taken before the locks of Completions
  std::vector<ze_driver::Counter *> queues_;
  std::vector<ClEvent> orphans_;
  bool waits_at_exit_ = false;
  std::atomic<bool> has_given_up_{false};
};

} // namespace ze_opencl
