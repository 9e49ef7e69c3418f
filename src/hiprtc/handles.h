// What the handles of the interface stand for. Programs pass handles that were never made, or are
// gone: nothing behind one is touched before it is found here.
#pragma once

#include <memory>
#include <mutex>
#include <unordered_map>

namespace chip::hiprtc {

/// Objects of one kind by their handles. What was found stays alive while it is in use, even if
/// another thread destroys it.
template <class Object, class Handle> class Handles {
public:
  Handle add(std::shared_ptr<Object> object) {
    const std::lock_guard lock(mutex_);
    Handle handle = reinterpret_cast<Handle>(object.get());
    objects_.emplace(handle, std::move(object));
    return handle;
  }
  /// Null if there is no such object.
  std::shared_ptr<Object> find(Handle handle) {
    const std::lock_guard lock(mutex_);
    auto found = objects_.find(handle);
    return found == objects_.end() ? nullptr : found->second;
  }
  /// The same, and the handle means nothing from now on.
  std::shared_ptr<Object> take(Handle handle) {
    const std::lock_guard lock(mutex_);
    auto found = objects_.find(handle);
    if (found == objects_.end())
      return nullptr;
    std::shared_ptr<Object> object = std::move(found->second);
    objects_.erase(found);
    return object;
  }

  /// The one of this process. Never destroyed: destructors of the program may still call.
  static Handles &all() {
    static Handles &handles = *new Handles;
    return handles;
  }

private:
  std::mutex mutex_;
  std::unordered_map<Handle, std::shared_ptr<Object>> objects_;
};

} // namespace chip::hiprtc
