// HIP API reference: Surface object.
#include "../runtime/textures/texture.h"
#include "entry.h"

using namespace chip;
using chip::hip::entry;
using chip::hip::make_into;
using chip::hip::required;

hipError_t hipCreateSurfaceObject(hipSurfaceObject_t *surface, const hipResourceDesc *resource) {
  return entry(CaptureRule::unsafe,
               [&] { make_into(surface, [&] { return create_surface(required(resource)); }); });
}

hipError_t hipDestroySurfaceObject(hipSurfaceObject_t surface) {
  return entry([&] {
    if (surface)
      destroy_surface(surface);
  });
}
