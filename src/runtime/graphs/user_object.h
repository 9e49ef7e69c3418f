// Objects of the program that live as long as the graphs that refer to them.
#pragma once

#include "../../common/guarded.h"

#include <hip/hip_runtime_api.h>

#include <map>
#include <memory>

/// References of the program and of graphs are counted apart, so that what the program releases is never a graph's.
struct hipUserObject {
  hipUserObject(void *object, hipHostFn_t destroy_object) : data(object), destroy(destroy_object) {}

  struct Counts {
    uint64_t program = 0, graphs = 0;
  };
  void *const data;
  const hipHostFn_t destroy;
  common::Guarded<Counts> counts;
};

namespace chip {

using UserObject = hipUserObject;

UserObject *create_user_object(void *data, hipHostFn_t destroy, unsigned references);
/// Null for what is not a live user object: nobody has references to it.
std::shared_ptr<UserObject> look_for_user_object(hipUserObject_t object);
/// Throws hipErrorInvalidValue for it.
std::shared_ptr<UserObject> find_user_object(hipUserObject_t object);
void retain(UserObject &object, unsigned count);
/// Takes at most as many references as the program has. With the last one, `destroy` is called.
void release(UserObject &object, unsigned count);

/// The references of one graph. A copy has as many of its own.
class UserObjectReferences {
public:
  UserObjectReferences() = default;
  UserObjectReferences(const UserObjectReferences &other);
  UserObjectReferences &operator=(const UserObjectReferences &) = delete;
  ~UserObjectReferences();
  bool is_empty() const { return counts_.empty(); }
  void swap(UserObjectReferences &other) noexcept { counts_.swap(other.counts_); }

  /// With `moves`, takes references of the program, and makes new ones where it has too few.
  void add(const std::shared_ptr<UserObject> &object, unsigned count, bool moves);
  /// Nothing if there are not so many.
  void remove(const std::shared_ptr<UserObject> &object, unsigned count);

private:
  std::map<std::shared_ptr<UserObject>, uint64_t> counts_;
};

} // namespace chip
