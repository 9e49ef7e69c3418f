#include "counter.h"

#include "shared_counters.h"

#include <semaphore>

namespace ze_driver {

Counter::Counter(std::shared_ptr<SharedSlots> memory, SharedSlot &slot)
    : lost_from_(slot.lost_from), value_(slot.value), slot_(&slot), memory_(std::move(memory)) {}

void Counter::count_signal() noexcept {
  signals_seen_ = slot_->signals.fetch_add(1, std::memory_order_seq_cst) + 1;
}

void Counter::poll_locked() noexcept {
  const bool is_set = value_.load(std::memory_order_seq_cst) != 0;
  const uint64_t signals = slot_->signals.load(std::memory_order_seq_cst);
  if (is_set || signals != signals_seen_)
    notify_locked(UINT64_MAX); // also of a signal that was taken back meanwhile
  signals_seen_ = signals;
}

void Counter::poll() noexcept {
  std::lock_guard lock(mutex_);
  poll_locked();
}

bool Counter::subscribe(Waiter &waiter, uint64_t value) {
  if (slot_) {
    // It may be gone once the waiter is told.
    Ref<Counter> self = Ref<Counter>::share(this);
    if (!subscribe_here(waiter, value))
      return false;
    SharedCounterWatch::instance().add(std::move(self));
    return true;
  }
  if (source_) {
    const Ref<Counter> self = Ref<Counter>::share(this); // for the same reason
    if (has_reached(value) || !subscribe_here(waiter, value))
      return false;
    source_->announce(*this, value);
    return true;
  }
  return subscribe_here(waiter, value);
}

bool Counter::subscribe_here(Waiter &waiter, uint64_t value) {
  std::lock_guard lock(mutex_);
  if (slot_)
    poll_locked(); // so that no waiter is told of signals from before
  subscribers_.fetch_add(1, std::memory_order_seq_cst);
  if (value_.load(std::memory_order_seq_cst) >= value) {
    subscribers_.fetch_sub(1, std::memory_order_relaxed);
    return false;
  }
  waiter.value_ = value;
  waiter.subscribed_ = true;
  waiter.previous_ = nullptr;
  waiter.next_ = first_;
  if (first_)
    first_->previous_ = &waiter;
  first_ = &waiter;
  return true;
}

bool Counter::unsubscribe(Waiter &waiter) {
  std::lock_guard lock(mutex_);
  if (!waiter.subscribed_)
    return false;
  (waiter.previous_ ? waiter.previous_->next_ : first_) = waiter.next_;
  if (waiter.next_)
    waiter.next_->previous_ = waiter.previous_;
  waiter.subscribed_ = false;
  subscribers_.fetch_sub(1, std::memory_order_relaxed);
  return true;
}

void Counter::notify(uint64_t value) noexcept {
  std::lock_guard lock(mutex_);
  notify_locked(value);
}

void Counter::notify_locked(uint64_t value) noexcept {
  for (Waiter *waiter = first_; waiter;) {
    Waiter *next = waiter->next_;
    if (waiter->value_ <= value) {
      (waiter->previous_ ? waiter->previous_->next_ : first_) = next;
      if (next)
        next->previous_ = waiter->previous_;
      waiter->subscribed_ = false;
      subscribers_.fetch_sub(1, std::memory_order_relaxed);
      // The last touch: a command list may run, and wait for something else, from here on.
      waiter->reached(is_lost(waiter->value_));
    }
    waiter = next;
  }
}

namespace {

class ThreadWaiter final : public Waiter {
public:
  std::binary_semaphore woken{0};

private:
  void reached(bool) noexcept override { woken.release(); }
};

} // namespace

bool Counter::wait(uint64_t value, const Deadline &deadline) {
  if (has_reached(value))
    return true;
  if (deadline.is_immediate())
    return false;
  if (source_ && deadline.is_infinite() && source_->wait(*this, value))
    return true;
  bool reached = false; // once is enough: an event may be reset meanwhile
  spin_until([&] {
    reached = has_reached(value);
    return reached || deadline.has_passed();
  });
  if (reached)
    return true;

  ThreadWaiter waiter;
  if (!subscribe(waiter, value))
    return true;
  if (deadline.is_infinite())
    waiter.woken.acquire();
  else
    (void)waiter.woken.try_acquire_until(deadline.at());
  // Also waits for a notifier that is still inside reached().
  return !unsubscribe(waiter);
}

} // namespace ze_driver
