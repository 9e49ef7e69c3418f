#include "user_object.h"
#include "../../common/handle_table.h"
#include "../../common/program_function.h"
#include "../../ze/error.h"

#include <algorithm>

namespace chip {
namespace {

auto &user_objects() { // outlives static destructors, which may call
  static auto &all = *new common::HandleTable<UserObject>;
  return all;
}

/// Takes references of one kind, and destroys the object with the last one.
void release(UserObject &object, uint64_t UserObject::Counts::*kind, uint64_t count) {
  {
    const auto counts = object.counts.lock();
    (*counts).*kind -= std::min(count, (*counts).*kind);
    if (counts->program != 0 || counts->graphs != 0)
      return;
  }
  // Without a lock: the function may take as long as it likes. Whoever comes second finds no handle.
  if (const auto taken = user_objects().take(&object))
    common::call_program_function("libCHIP", [&] { taken->destroy(taken->data); });
}

} // namespace

UserObject *create_user_object(void *data, hipHostFn_t destroy, unsigned references) {
  auto object = std::make_shared<UserObject>(data, destroy);
  object->counts.lock()->program = references;
  return user_objects().add(std::move(object));
}

std::shared_ptr<UserObject> look_for_user_object(hipUserObject_t handle) {
  return user_objects().find(handle);
}

std::shared_ptr<UserObject> find_user_object(hipUserObject_t handle) {
  if (auto object = look_for_user_object(handle))
    return object;
  throw Error(hipErrorInvalidValue, "`object` is not a live hipUserObject_t");
}

void retain(UserObject &object, unsigned count) { object.counts.lock()->program += count; }

void release(UserObject &object, unsigned count) {
  release(object, &UserObject::Counts::program, count);
}

UserObjectReferences::UserObjectReferences(const UserObjectReferences &other)
    : counts_(other.counts_) {
  for (const auto &[object, count] : counts_)
    object->counts.lock()->graphs += count;
}

UserObjectReferences::~UserObjectReferences() {
  for (const auto &[object, count] : counts_)
    release(*object, &UserObject::Counts::graphs, count);
}

void UserObjectReferences::add(const std::shared_ptr<UserObject> &object, unsigned count,
                               bool moves) {
  uint64_t &own = counts_[object];
  const auto counts = object->counts.lock();
  if (moves)
    counts->program -= std::min<uint64_t>(count, counts->program);
  counts->graphs += count;
  own += count;
}

void UserObjectReferences::remove(const std::shared_ptr<UserObject> &object, unsigned count) {
  const auto found = counts_.find(object);
  if (found == counts_.end() || found->second < count)
    return;
  found->second -= count;
  if (found->second == 0)
    counts_.erase(found);
  release(*object, &UserObject::Counts::graphs, count);
}

} // namespace chip
