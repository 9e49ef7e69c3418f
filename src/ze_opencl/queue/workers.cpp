#include "workers.h"

#include "../../common/own_thread.h"

#include <cstdio>
#include <cstdlib>

namespace ze_opencl {

Workers &Workers::instance() {
  static auto *const workers = new Workers;
  return *workers;
}

void Workers::run(std::move_only_function<void()> work) noexcept {
  {
    const std::lock_guard lock(mutex_);
    waiting_.push_back(std::move(work));
    if (waiting_.size() <= idle_) {
      wake_.notify_one();
      return;
    }
  }
  if (common::start_own_thread([this] { serve(); }))
    return;
  const std::lock_guard lock(mutex_);
  if (idle_ != 0 || stopping_)
    return; // later, but it is done
  std::fprintf(stderr, "ze_opencl: no thread can be started for work that the program waits for: "
                       "raise the limit of threads (ulimit -u)\n");
  std::abort();
}

void Workers::stop() {
  const std::lock_guard lock(mutex_);
  stopping_ = true;
  wake_.notify_all();
}

void Workers::serve() {
  std::unique_lock lock(mutex_);
  for (;;) {
    ++idle_;
    wake_.wait(lock, [this] { return !waiting_.empty() || stopping_; });
    --idle_;
    if (stopping_)
      return;
    std::move_only_function<void()> work = std::move(waiting_.front());
    waiting_.erase(waiting_.begin());
    lock.unlock();
    work();
    work = nullptr;
    lock.lock();
  }
}

} // namespace ze_opencl
