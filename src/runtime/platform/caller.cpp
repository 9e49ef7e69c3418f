#include "caller.h"

#include <linux/membarrier.h>
#include <sys/syscall.h>
#include <thread>
#include <unistd.h>

namespace chip {
namespace {

using namespace std::chrono_literals;

/// Lets all threads see what the calling one has stored before, and the calling one what they have.
void fence_all_threads() noexcept {
  if (syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0) != 0 ||
      syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0) != 0)
    std::this_thread::sleep_for(
        1ms); // the kernel has none, or forbids it; stores take less to arrive
}

} // namespace

Caller &Caller::take() {
  for (Caller *caller = all_.load(std::memory_order_acquire); caller; caller = caller->next_)
    if (bool free = false;
        caller->taken_.compare_exchange_strong(free, true, std::memory_order_acq_rel))
      return *caller;
  auto *caller = new Caller;
  caller->next_ = all_.load(std::memory_order_relaxed);
  while (!all_.compare_exchange_weak(caller->next_, caller, std::memory_order_release,
                                     std::memory_order_relaxed)) {
  }
  return *caller;
}

unsigned Caller::count() noexcept {
  unsigned count = 0;
  for (Caller *caller = all_.load(std::memory_order_acquire); caller; caller = caller->next_)
    count += caller->taken_.load(std::memory_order_acquire);
  return count;
}

bool Caller::is_other_inside() noexcept {
  for (Caller *caller = all_.load(std::memory_order_acquire); caller; caller = caller->next_)
    if (caller != own_ && caller->depth_.load(std::memory_order_acquire) != 0)
      return true;
  return false;
}

bool Caller::others_have_left(std::chrono::steady_clock::time_point deadline) noexcept {
  fence_all_threads();
  while (is_other_inside()) {
    if (std::chrono::steady_clock::now() >= deadline)
      return false;
    std::this_thread::sleep_for(100us);
  }
  return true;
}

template <class Is> bool Caller::is_another(Is is) const noexcept {
  for (Caller *caller = all_.load(std::memory_order_acquire); caller; caller = caller->next_)
    if (caller != this && is(*caller))
      return true;
  return false;
}

// Each side says what it does before it asks what the others do: at least one of them notices.
void Caller::leave(std::chrono::steady_clock::time_point deadline) noexcept {
  leaves_.store(true);
  while (is_another([](const Caller &other) { return other.loads_.load() != 0; }) &&
         std::chrono::steady_clock::now() < deadline)
    std::this_thread::sleep_for(100us);
}

bool Loading::may_be_too_late() const noexcept {
  return caller_.is_another([](const Caller &other) { return other.leaves_.load(); });
}

ThreadMark::ThreadMark() {
  if (!Caller::own_) {
    Caller &taken = Caller::take();
    Caller::own_ = &taken;
  }
  ++Caller::own_->marks_;
}

ThreadMark::~ThreadMark() {
  Caller *own = Caller::own_;
  if (--own->marks_ == 0) {
    Caller::own_ = nullptr;
    own->leaves_.store(false);
    own->taken_.store(false, std::memory_order_release);
  }
}

} // namespace chip
