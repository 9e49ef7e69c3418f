// HIP API reference: OpenGL interoperability. There is none: arguments are checked, and no context or resource is taken for one.
#include "fixture.h"

#include <hip/hip_gl_interop.h>

using namespace fixture;

namespace {

alignas(64) char nothing[64];
const auto no_resource = reinterpret_cast<hipGraphicsResource_t>(nothing);

} // namespace

TEST_CASE("hip graphics: no device uses an OpenGL context") {
  unsigned count = 77;
  int device = 77;
  for (auto list : {hipGLDeviceListAll, hipGLDeviceListCurrentFrame, hipGLDeviceList(9)})
    REQUIRE(hipGLGetDevices(&count, &device, 1, list) == hipErrorInvalidValue);
  REQUIRE(hipGLGetDevices(&count, &device, 1, hipGLDeviceListNextFrame) == hipErrorNotSupported);
  REQUIRE(hipGLGetDevices(nullptr, &device, 1, hipGLDeviceListAll) == hipErrorInvalidValue);
  REQUIRE(hipGLGetDevices(&count, nullptr, 1, hipGLDeviceListAll) == hipErrorInvalidValue);
  REQUIRE(hipGLGetDevices(&count, &device, 0, hipGLDeviceListAll) == hipErrorInvalidValue);
}

TEST_CASE("hip graphics: nothing can be registered") {
  hipGraphicsResource *resource = nullptr;
  REQUIRE(hipGraphicsGLRegisterBuffer(&resource, 1, hipGraphicsRegisterFlagsReadOnly) ==
          hipErrorInvalidGraphicsContext);
  REQUIRE(hipGraphicsGLRegisterBuffer(nullptr, 1, 0) == hipErrorInvalidValue);
  REQUIRE(hipGraphicsGLRegisterBuffer(&resource, 1, 0x10) == hipErrorInvalidValue);
  REQUIRE(hipGraphicsGLRegisterImage(&resource, 1, 0x0de1, 0) == hipErrorInvalidGraphicsContext);
  REQUIRE(hipGraphicsGLRegisterImage(nullptr, 1, 0x0de1, 0) == hipErrorInvalidValue);
  REQUIRE(hipGraphicsGLRegisterImage(&resource, 1, 0x0de1, 0x10) == hipErrorInvalidValue);
  REQUIRE(resource == nullptr);
}

TEST_CASE("hip graphics: no resource is registered, whatever it is") {
  void *address = nullptr;
  size_t bytes = 0;
  hipArray_t array = nullptr;
  for (hipGraphicsResource_t resource : {hipGraphicsResource_t(nullptr), no_resource}) {
    REQUIRE(hipGraphicsMapResources(1, &resource, nullptr) == hipErrorInvalidHandle);
    REQUIRE(hipGraphicsUnmapResources(1, &resource, nullptr) == hipErrorInvalidHandle);
    REQUIRE(hipGraphicsMapResources(0, &resource, nullptr) == hipErrorInvalidValue);
    REQUIRE(hipGraphicsUnmapResources(-1, &resource, nullptr) == hipErrorInvalidValue);
    REQUIRE(hipGraphicsResourceGetMappedPointer(&address, &bytes, resource) ==
            hipErrorInvalidHandle);
    REQUIRE(hipGraphicsSubResourceGetMappedArray(&array, resource, 0, 0) == hipErrorInvalidHandle);
  }
  REQUIRE(hipGraphicsMapResources(1, nullptr, nullptr) == hipErrorInvalidValue);
  REQUIRE(hipGraphicsUnmapResources(1, nullptr, nullptr) == hipErrorInvalidValue);
  REQUIRE(hipGraphicsResourceGetMappedPointer(nullptr, &bytes, no_resource) ==
          hipErrorInvalidValue);
  REQUIRE(hipGraphicsResourceGetMappedPointer(&address, nullptr, no_resource) ==
          hipErrorInvalidValue);
  REQUIRE(hipGraphicsSubResourceGetMappedArray(nullptr, no_resource, 0, 0) == hipErrorInvalidValue);
  REQUIRE(hipGraphicsUnregisterResource(nullptr) == hipErrorInvalidValue);
  REQUIRE(hipGraphicsUnregisterResource(no_resource) == hipErrorInvalidHandle);
}
