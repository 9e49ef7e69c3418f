// HIP API reference: Graph management, objects that live as long as a graph.
#include "nodes.h"

#include <climits>

using namespace chip;
using chip::hip::entry;
using chip::hip::required;

namespace {

void check_count(unsigned count) {
  if (count == 0 || count > INT_MAX)
    throw Error(hipErrorInvalidValue, "the number of references is 0 or above INT_MAX");
}

} // namespace

hipError_t hipUserObjectCreate(hipUserObject_t *object, void *data, hipHostFn_t destroy,
                               unsigned int references, unsigned int flags) {
  return entry([&] {
    required(object);
    if (!destroy)
      throw Error(hipErrorInvalidValue, "`destroy` is null");
    check_count(references);
    if (flags != hipUserObjectNoDestructorSync)
      throw Error(hipErrorInvalidValue, "`flags` is not hipUserObjectNoDestructorSync");
    *object = create_user_object(data, destroy, references);
  });
}

hipError_t hipUserObjectRetain(hipUserObject_t object, unsigned int count) {
  return entry([&] {
    const auto found = find_user_object(object);
    check_count(count);
    retain(*found, count);
  });
}

hipError_t hipUserObjectRelease(hipUserObject_t object, unsigned int count) {
  return entry([&] {
    required(object);
    check_count(count);
    if (const auto found = look_for_user_object(object))
      release(*found, count);
  });
}

hipError_t hipGraphRetainUserObject(hipGraph_t graph, hipUserObject_t object, unsigned int count,
                                    unsigned int flags) {
  return entry([&] {
    const auto owner = find_graph(graph);
    const auto found = find_user_object(object);
    check_count(count);
    if (flags & ~unsigned(hipGraphUserObjectMove))
      throw Error(hipErrorInvalidValue, "`flags` is neither hipGraphUserObjectMove nor 0");
    owner->user_objects.add(found, count, flags & hipGraphUserObjectMove);
  });
}

hipError_t hipGraphReleaseUserObject(hipGraph_t graph, hipUserObject_t object, unsigned int count) {
  return entry([&] {
    const auto owner = find_graph(graph);
    required(object);
    check_count(count);
    if (const auto found = look_for_user_object(object))
      owner->user_objects.remove(found, count);
  });
}
