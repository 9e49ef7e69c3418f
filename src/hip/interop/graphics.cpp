// HIP API reference: OpenGL interoperability, and resources of graphics interfaces. Level Zero shares nothing with OpenGL contexts,
// so that no resource can be registered: what takes one refuses whatever it is given.
#include "../entry.h"

#include <hip/hip_gl_interop.h>

using namespace chip;
using chip::hip::entry;
using chip::hip::required;

namespace {

void check_registration(hipGraphicsResource **resource, unsigned flags) {
  constexpr unsigned known =
      hipGraphicsRegisterFlagsReadOnly | hipGraphicsRegisterFlagsWriteDiscard |
      hipGraphicsRegisterFlagsSurfaceLoadStore | hipGraphicsRegisterFlagsTextureGather;
  required(resource);
  if (flags & ~known)
    throw Error(hipErrorInvalidValue, "`flags` is unknown");
  Platform::get();
}

[[noreturn]] void refuse_context() {
  throw Error(hipErrorInvalidGraphicsContext, "devices share nothing with OpenGL contexts");
}

[[noreturn]] void refuse_resource() {
  throw Error(hipErrorInvalidHandle, "no resource of a graphics interface is registered");
}

hipError_t use_resources(int count, hipGraphicsResource_t *resources, hipStream_t stream,
                         const char *entry_point = __builtin_FUNCTION()) {
  return entry(entry_point, [&] {
    check_not_captured(resolve(stream));
    required(resources);
    if (count <= 0)
      throw Error(hipErrorInvalidValue, "`count` is not positive");
    refuse_resource();
  });
}

} // namespace

hipError_t hipGLGetDevices(unsigned int *count, int *devices, unsigned int capacity,
                           hipGLDeviceList list) {
  return entry([&] {
    if (list == hipGLDeviceListNextFrame)
      throw Error(hipErrorNotSupported, "`list` is hipGLDeviceListNextFrame");
    required(count);
    required(devices);
    if (capacity == 0 || (list != hipGLDeviceListAll && list != hipGLDeviceListCurrentFrame))
      throw Error(hipErrorInvalidValue, "`capacity` is 0, or `list` is unknown");
    Platform::get();
    throw Error(hipErrorInvalidValue, "the thread has no OpenGL context that a device uses");
  });
}

hipError_t hipGraphicsGLRegisterBuffer(hipGraphicsResource **resource, GLuint, unsigned int flags) {
  return entry([&] {
    check_registration(resource, flags);
    refuse_context();
  });
}

hipError_t hipGraphicsGLRegisterImage(hipGraphicsResource **resource, GLuint, GLenum,
                                      unsigned int flags) {
  return entry([&] {
    check_registration(resource, flags);
    refuse_context();
  });
}

hipError_t hipGraphicsMapResources(int count, hipGraphicsResource_t *resources,
                                   hipStream_t stream) {
  return use_resources(count, resources, stream);
}

hipError_t hipGraphicsUnmapResources(int count, hipGraphicsResource_t *resources,
                                     hipStream_t stream) {
  return use_resources(count, resources, stream);
}

hipError_t hipGraphicsResourceGetMappedPointer(void **address, size_t *bytes,
                                               hipGraphicsResource_t) {
  return entry([&] {
    required(address);
    required(bytes);
    refuse_resource();
  });
}

hipError_t hipGraphicsSubResourceGetMappedArray(hipArray_t *array, hipGraphicsResource_t,
                                                unsigned int, unsigned int) {
  return entry([&] {
    required(array);
    refuse_resource();
  });
}

hipError_t hipGraphicsUnregisterResource(hipGraphicsResource_t resource) {
  return entry([&] {
    required(resource);
    refuse_resource();
  });
}
