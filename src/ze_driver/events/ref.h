// Intrusive reference counting: what commands in flight, events and lists share is freed by the
// last of them.
#pragma once

#include <atomic>
#include <cstdint>
#include <utility>

namespace ze_driver {

/// Base of shared objects; a new object has one reference.
class RefCounted {
public:
  RefCounted() = default;
  RefCounted(const RefCounted &) = delete;
  RefCounted &operator=(const RefCounted &) = delete;

  void retain() noexcept { references_.fetch_add(1, std::memory_order_relaxed); }
  void release() noexcept {
    if (references_.fetch_sub(1, std::memory_order_acq_rel) == 1)
      delete this;
  }
  /// True while the caller's is the only reference: nothing else can make another.
  bool is_unique() const noexcept { return references_.load(std::memory_order_acquire) == 1; }

protected:
  virtual ~RefCounted() = default;

private:
  std::atomic<uint32_t> references_{1};
};

/// An owning pointer to a RefCounted object, or none.
template <class T> class Ref {
public:
  Ref() = default;
  Ref(const Ref &other) : object_(other.object_) {
    if (object_)
      object_->retain();
  }
  Ref(Ref &&other) noexcept : object_(std::exchange(other.object_, nullptr)) {}
  Ref &operator=(Ref other) noexcept {
    std::swap(object_, other.object_);
    return *this;
  }
  ~Ref() {
    if (object_)
      object_->release();
  }

  /// Takes over a reference that the caller owns.
  static Ref adopt(T *object) noexcept {
    Ref ref;
    ref.object_ = object;
    return ref;
  }
  /// Adds a reference to an object that the caller keeps alive now.
  static Ref share(T *object) noexcept {
    if (object)
      object->retain();
    return adopt(object);
  }
  template <class... Args> static Ref make(Args &&...args) {
    return adopt(new T(std::forward<Args>(args)...));
  }

  /// Gives the reference to the caller, who releases it.
  T *detach() noexcept { return std::exchange(object_, nullptr); }
  T *get() const noexcept { return object_; }
  T *operator->() const noexcept { return object_; }
  T &operator*() const noexcept { return *object_; }
  explicit operator bool() const noexcept { return object_ != nullptr; }

private:
  T *object_ = nullptr;
};

} // namespace ze_driver
