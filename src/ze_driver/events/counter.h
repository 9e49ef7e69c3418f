// A 64-bit number that threads, and command lists, can wait for. Everything that is signalled is
// one: a list counts its finished commands, a pooled event is 0 or 1. What an event stands for is a
// Point: a counter and the value to reach.
#pragma once

#include "clock.h"
#include "ref.h"

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>

namespace ze_driver {

class SharedSlots;
struct SharedSlot;

/// What is told once when a counter reaches a value.
class Waiter {
public:
  Waiter() = default;
  Waiter(const Waiter &) = delete;
  Waiter &operator=(const Waiter &) = delete;

protected:
  virtual ~Waiter() = default;

private:
  friend class Counter;
  /// Called with the counter's lock held: must not call the counter. `lost`: the work that leads
  /// to the value was lost.
  virtual void reached(bool lost) noexcept = 0;

  Waiter *next_ = nullptr;
  Waiter *previous_ = nullptr;
  uint64_t value_ = 0;
  bool subscribed_ = false;
};

class Counter;

/// What knows how far a counter has come, where the device only says so when it is asked. All
/// functions from any thread, with no lock of the counter held.
class CompletionSource {
public:
  virtual ~CompletionSource() = default;

  /// Advances the counter to what is finished by now.
  virtual void refresh(Counter &counter) noexcept = 0;
  /// From now on the counter advances to `value` by itself: somebody has to be told of it.
  virtual void announce(Counter &counter, uint64_t value) noexcept = 0;
  /// Blocks until the counter has reached `value`. False, and at once, if the device does not know
  /// of the work yet.
  virtual bool wait(Counter &counter, uint64_t value) noexcept = 0;
};

class Counter final : public RefCounted {
public:
  Counter() = default;
  /// One that is advanced when somebody asks.
  explicit Counter(std::unique_ptr<CompletionSource> source) : source_(std::move(source)) {}
  /// One that other processes have too (shared_counters.h): 0 or 1, by assign() only.
  Counter(std::shared_ptr<SharedSlots> memory, SharedSlot &slot);

  uint64_t value() const noexcept { return value_.load(std::memory_order_acquire); }
  bool has_reached(uint64_t value) noexcept {
    return this->value() >= value || (source_ && refresh_to(value));
  }
  /// What it was made with, or nullptr.
  CompletionSource *source() const noexcept { return source_.get(); }

  /// Raises a counter that only ever grows. Publishes everything this thread did before, and tells
  /// those who wait for `value` or less.
  void advance(uint64_t value) noexcept {
    value_.store(value, std::memory_order_seq_cst);
    // Sequentially consistent with subscribe(): either this load sees the subscriber or the
    // subscriber sees the value.
    if (subscribers_.load(std::memory_order_seq_cst) != 0)
      notify(value);
  }
  /// Sets a counter that goes up and down. Each waiter that subscribed before is told, even if the
  /// value falls again at once; none that subscribes later is: a step that takes the lock for this.
  /// `lost`: the value stands for work that was not done, until the counter is set again.
  void assign(uint64_t value, bool lost = false) noexcept {
    std::lock_guard lock(mutex_);
    lost_from_.store(lost ? value : none_lost, std::memory_order_relaxed);
    value_.store(value, std::memory_order_seq_cst);
    if (slot_ && value != 0)
      count_signal();
    notify_locked(value);
  }

  /// Tells `waiter` when the counter reaches `value`; false, and nothing else, if it has already.
  bool subscribe(Waiter &waiter, uint64_t value);
  /// Takes `waiter` back. False if it was told; then no call of reached() is under way any more.
  bool unsubscribe(Waiter &waiter);

  /// Blocks the thread until `value` is reached: false when `deadline` comes first. Spins a little
  /// before it sleeps.
  bool wait(uint64_t value, const Deadline &deadline);

  /// Says that what leads to values above `value` will not be done: the values still come, so that
  /// nobody hangs.
  void lose_after(uint64_t value) noexcept {
    uint64_t none = none_lost;
    lost_from_.compare_exchange_strong(none, value + 1, std::memory_order_release);
  }
  bool is_lost() const noexcept { return lost_from_.load(std::memory_order_acquire) != none_lost; }
  /// Whether reaching `value` means nothing because the work before it was lost.
  bool is_lost(uint64_t value) const noexcept {
    const uint64_t from = lost_from_.load(std::memory_order_acquire);
    return from != none_lost && value >= from;
  }

  /// Reads what other processes did to a counter that they have too, and tells the waiters of this
  /// process.
  void poll() noexcept;
  bool is_awaited() const noexcept { return subscribers_.load(std::memory_order_acquire) != 0; }

  /// Where the number lies in memory: zeEventCounterBasedGetDeviceAddress.
  const void *address() const noexcept { return &value_; }

private:
  ~Counter() override = default;
  void notify(uint64_t value) noexcept;
  void notify_locked(uint64_t value) noexcept;
  bool subscribe_here(Waiter &waiter, uint64_t value);
  bool refresh_to(uint64_t value) noexcept {
    source_->refresh(*this);
    return this->value() >= value;
  }
  void count_signal() noexcept;
  void poll_locked() noexcept;

  static constexpr uint64_t none_lost = 0; // no value that can be lost, and what a new slot holds

  // Each append asks whether its list is lost: apart from what the executing thread writes.
  std::atomic<uint64_t> own_lost_from_{none_lost};
  std::atomic<uint64_t> &lost_from_ = own_lost_from_; // the first value that means nothing

  alignas(64) std::atomic<uint64_t> own_value_{0};
  std::atomic<uint64_t> &value_ = own_value_;
  std::atomic<uint32_t> subscribers_{0};
  std::mutex mutex_; // guards the list of waiters
  Waiter *first_ = nullptr;
  SharedSlot *const slot_ = nullptr;
  const std::shared_ptr<SharedSlots> memory_; // with the slot
  uint64_t signals_seen_ = 0;                 // of the slot
  const std::unique_ptr<CompletionSource> source_;
};

/// What an event stands for at one moment. No counter: nothing to wait for.
struct Point {
  Ref<Counter> counter;
  uint64_t value = 0;

  bool is_reached() const noexcept { return !counter || counter->has_reached(value); }
  /// Whether being reached means nothing because the work before it was lost.
  bool is_lost() const noexcept { return counter && counter->is_lost(value); }
};

} // namespace ze_driver
