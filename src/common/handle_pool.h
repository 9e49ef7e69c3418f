// Objects behind handles. They are recycled but never freed, so that a handle that stands for nothing any more, or never did, is
// recognised without following it.
#pragma once

#include "guarded.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace chip {

/// `Object` has a `mark`, which is `Object::alive_mark` while a handle stands for it; the user sets it. Thread-safe.
template <class Object> class HandlePool {
public:
  /// The object of a live handle; null for any other address. Takes no lock.
  Object *find(const void *handle) const {
    const auto address = reinterpret_cast<uintptr_t>(handle);
    for (unsigned i = 0, count = count_.load(std::memory_order_acquire); i < count; ++i) {
      const uintptr_t offset = address - reinterpret_cast<uintptr_t>(blocks_[i]);
      if (offset >= size(i) * sizeof(Object))
        continue;
      Object &object = blocks_[i][offset / sizeof(Object)];
      return offset % sizeof(Object) == 0 && is_alive(object) ? &object : nullptr;
    }
    return nullptr;
  }

  /// Whether the address is that of an object, though perhaps of none that is live.
  bool owns(const void *handle) const {
    const auto address = reinterpret_cast<uintptr_t>(handle);
    for (unsigned i = 0, count = count_.load(std::memory_order_acquire); i < count; ++i)
      if (address - reinterpret_cast<uintptr_t>(blocks_[i]) < size(i) * sizeof(Object))
        return true;
    return false;
  }

  /// An object that no handle stands for, new or as it was given back.
  Object &take() {
    const auto free = free_.lock();
    if (free->empty())
      add_block(*free);
    Object &object = *free->back();
    free->pop_back();
    return object;
  }
  void give_back(Object &object) noexcept {
    free_.lock()->push_back(&object); // there is room for all
  }

  /// Ends the life of a handle. Its object, which is the caller's now; null if the handle is not live, or another thread has
  /// just ended it.
  Object *claim(const void *handle) const {
    Object *object = find(handle);
    return object && end_life(*object) ? object : nullptr;
  }
  /// The same for each live handle whose object `is_meant` says it of: `end(object)`.
  template <class Choose, class End> void end_all_if(Choose &&is_meant, End &&end) {
    for_each([&](Object &object) {
      if (is_meant(object) && end_life(object))
        end(object);
    });
  }
  /// Calls `visit(object)` for each live handle.
  template <class Visit> void for_each(Visit &&visit) {
    for (unsigned i = 0, count = count_.load(std::memory_order_acquire); i < count; ++i)
      for (Object *object = blocks_[i]; object != blocks_[i] + size(i); ++object)
        if (is_alive(*object))
          visit(*object);
  }

private:
  static constexpr size_t size(unsigned block) { return size_t(32) << block; }
  static bool is_alive(const Object &object) {
    return object.mark.load(std::memory_order_acquire) == Object::alive_mark;
  }
  static bool end_life(Object &object) {
    uint32_t alive = Object::alive_mark;
    return object.mark.compare_exchange_strong(alive, 0);
  }

  /// With the lock of `free`.
  void add_block(std::vector<Object *> &free) {
    const unsigned i = count_.load(std::memory_order_relaxed);
    free.reserve(size(i + 1)); // more than all blocks together have
    blocks_[i] = new Object[size(i)];
    for (size_t n = size(i); n-- != 0;)
      free.push_back(&blocks_[i][n]);
    count_.store(i + 1, std::memory_order_release);
  }

  std::array<Object *, 40> blocks_{}; // each twice as large as the one before
  std::atomic<unsigned> count_{0};
  common::Guarded<std::vector<Object *>> free_;
};

/// A pool that is there before anything in the process is constructed, and after everything was destroyed: a tool may call HIP as
/// libCHIP is loaded, and a program's destructors as the process ends.
template <class Object> class LastingHandlePool {
public:
  constexpr LastingHandlePool() : pool_() {}
  constexpr ~LastingHandlePool() {}
  HandlePool<Object> *operator->() { return &pool_; }

private:
  union {
    HandlePool<Object> pool_;
  };
};

} // namespace chip
