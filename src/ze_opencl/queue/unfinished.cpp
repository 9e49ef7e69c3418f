#include "unfinished.h"

#include "../platform/enumeration.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <format>
#include <thread>
#include <unistd.h>

namespace ze_opencl {

using ze_driver::Counter;

Unfinished &Unfinished::instance() {
  static auto *const unfinished = new Unfinished;
  return *unfinished;
}

void Unfinished::add(Counter &done) noexcept {
  const std::lock_guard lock(mutex_);
  remember(queues_, &done);
}

void Unfinished::remove(Counter &done) noexcept {
  const std::lock_guard lock(mutex_);
  std::erase(queues_, &done);
  std::erase_if(orphans_, [](const ClEvent &last) { return last.has_ended(); });
  if (ClEvent last = Completions::of(done)->event_for_all(done))
    remember(orphans_, std::move(last));
}

void Unfinished::wait_at_exit() {
  struct EndOfThread {
    ~EndOfThread() { instance().await_all(); }
  };
  if (gettid() == getpid()) {
    thread_local const EndOfThread end_of_main;
  }
  const std::lock_guard lock(mutex_);
  if (!std::exchange(waits_at_exit_, true))
    std::atexit([] { instance().await_all(); });
}

void Unfinished::await_all() noexcept {
  constexpr std::chrono::seconds longest(10);
  const auto deadline = std::chrono::steady_clock::now() + longest;
  const auto is_done = [&] {
    const std::lock_guard lock(mutex_);
    std::erase_if(orphans_, [](const ClEvent &last) { return last.has_ended(); });
    return orphans_.empty() && std::ranges::none_of(queues_, [](Counter *done) {
             return static_cast<bool>(Completions::of(*done)->event_for_all(*done));
           });
  };
  while (!has_given_up_ && !is_forked() && !is_done()) {
    if (std::chrono::steady_clock::now() >= deadline) {
      has_given_up_ = true;
      return tell(std::format("the process ends, and some of its work on OpenCL devices is not "
                              "finished after {} s: it is given up",
                              longest.count()));
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

} // namespace ze_opencl
