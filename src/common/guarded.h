// Data behind a mutex that can be reached only while the mutex is locked.
#pragma once

#include <mutex>
#include <shared_mutex>
#include <utility>

namespace common {

template <class State, class Mutex = std::mutex> class Guarded {
public:
  Guarded() = default;
  template <class... Arguments>
  explicit Guarded(std::in_place_t, Arguments &&...arguments)
      : state_(std::forward<Arguments>(arguments)...) {}
  Guarded(const Guarded &) = delete;
  Guarded &operator=(const Guarded &) = delete;

  /// The data for as long as this lives, which holds a lock of the kind `Lock`.
  template <class Owner, class Lock> class [[nodiscard]] Access {
  public:
    auto &operator*() const { return owner_.state_; }
    auto *operator->() const { return &owner_.state_; }

  private:
    friend class Guarded;
    explicit Access(Owner &owner) : lock_(owner.mutex_), owner_(owner) {}
    Access(const Access &) = delete;

    Lock lock_;
    Owner &owner_;
  };

  auto lock() { return Access<Guarded, std::lock_guard<Mutex>>(*this); }
  auto lock() const { return Access<const Guarded, std::lock_guard<Mutex>>(*this); }
  /// With others that only read. Where `Mutex` is a std::shared_mutex.
  auto lock_shared() const { return Access<const Guarded, std::shared_lock<Mutex>>(*this); }

private:
  mutable Mutex mutex_;
  State state_;
};

} // namespace common
