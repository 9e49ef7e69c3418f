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
  template <class Data, class Lock> class [[nodiscard]] Access {
  public:
    Data &operator*() const { return data_; }
    Data *operator->() const { return &data_; }

  private:
    friend class Guarded;
    Access(Data &data, Mutex &mutex) : lock_(mutex), data_(data) {}
    Access(const Access &) = delete;

    Lock lock_;
    Data &data_;
  };

  auto lock() { return Access<State, std::lock_guard<Mutex>>(state_, mutex_); }
  auto lock() const { return Access<const State, std::lock_guard<Mutex>>(state_, mutex_); }
  /// With others that only read. Where `Mutex` is a std::shared_mutex.
  auto lock_shared() const { return Access<const State, std::shared_lock<Mutex>>(state_, mutex_); }

private:
  mutable Mutex mutex_;
  State state_;
};

} // namespace common
