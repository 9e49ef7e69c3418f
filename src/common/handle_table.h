// Objects that handles stand for. Programs pass handles that were never made, or whose objects are gone: nothing behind one is
// touched before it is found here. Objects that are looked up on the way of a launch are in a HandlePool, which takes no lock.
#pragma once

#include "guarded.h"

#include <memory>
#include <shared_mutex>
#include <unordered_map>
#include <utility>
#include <vector>

namespace common {

/// Objects of one type by their handles. Whoever finds an object keeps it alive, even if another thread destroys the handle
/// meanwhile. Thread-safe.
template <class Object> class HandleTable {
public:
  /// The handle is the object's address.
  Object *add(std::shared_ptr<Object> object) {
    Object *handle = object.get();
    add(handle, std::move(object));
    return handle;
  }
  void add(const void *handle, std::shared_ptr<Object> object) {
    objects_.lock()->insert_or_assign(handle, std::move(object));
  }

  /// Null if no live handle has this value.
  std::shared_ptr<Object> find(const void *handle) const {
    const auto objects = objects_.lock_shared();
    const auto found = objects->find(handle);
    return found == objects->end() ? nullptr : found->second;
  }

  /// The same, and the handle is not live from now on; null as well if `is_meant(object)` is false.
  template <class IsMeant>
  std::shared_ptr<Object> take_if(const void *handle, const IsMeant &is_meant) {
    const auto objects = objects_.lock();
    const auto found = objects->find(handle);
    if (found == objects->end() || !is_meant(std::as_const(*found->second)))
      return nullptr;
    return std::move(objects->extract(found).mapped());
  }
  std::shared_ptr<Object> take(const void *handle) {
    return take_if(handle, [](const Object &) { return true; });
  }

  /// All objects for which `is_meant(object)` is true; their handles are not live from now on.
  template <class IsMeant>
  std::vector<std::shared_ptr<Object>> take_all_if(const IsMeant &is_meant) {
    std::vector<std::shared_ptr<Object>> taken; // whose destructors run without the lock
    std::erase_if(*objects_.lock(), [&](auto &entry) {
      if (!is_meant(std::as_const(*entry.second)))
        return false;
      taken.push_back(entry.second);
      return true;
    });
    return taken;
  }

private:
  Guarded<std::unordered_map<const void *, std::shared_ptr<Object>>, std::shared_mutex> objects_;
};

} // namespace common
