// HIP API reference: Device management, what only programs of other times and other run times ask for.
#include "fixture.h"

#include <hip/hip_deprecated.h>

#include <cstring>
#include <dlfcn.h>
#include <string_view>

#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

using namespace fixture;

namespace {

template <class Function> Function *exported(const char *name) {
  const auto found = reinterpret_cast<Function *>(dlsym(RTLD_DEFAULT, name));
  REQUIRE(found != nullptr);
  return found;
}

} // namespace

TEST_CASE("hip device: properties in their older layout say the same") {
  hipDeviceProp_t properties;
  hipDeviceProp_tR0000 old;
  std::memset(&old, 0xff, sizeof old);
  REQUIRE_HIP(hipGetDeviceProperties(&properties, 0));
  REQUIRE_HIP(hipGetDevicePropertiesR0000(&old, 0));
  REQUIRE(std::string_view(old.name) == properties.name);
  REQUIRE(std::string_view(old.gcnArchName) == properties.gcnArchName);
  REQUIRE(old.totalGlobalMem == properties.totalGlobalMem);
  REQUIRE(old.sharedMemPerBlock == properties.sharedMemPerBlock);
  REQUIRE(old.warpSize == properties.warpSize);
  REQUIRE(old.maxThreadsPerBlock == properties.maxThreadsPerBlock);
  for (int i = 0; i < 3; ++i) {
    REQUIRE(old.maxThreadsDim[i] == properties.maxThreadsDim[i]);
    REQUIRE(old.maxGridSize[i] == properties.maxGridSize[i]);
    REQUIRE(old.maxTexture3D[i] == properties.maxTexture3D[i]);
  }
  REQUIRE(old.clockRate == properties.clockRate);
  REQUIRE(old.major == properties.major);
  REQUIRE(old.minor == properties.minor);
  REQUIRE(old.multiProcessorCount == properties.multiProcessorCount);
  REQUIRE(old.arch.hasDoubles == properties.arch.hasDoubles);
  REQUIRE(old.pciBusID == properties.pciBusID);
  REQUIRE(old.gcnArch == 0);
  REQUIRE(old.textureAlignment == properties.textureAlignment);
  REQUIRE(old.managedMemory == properties.managedMemory);
  REQUIRE(old.pageableMemoryAccess == properties.pageableMemoryAccess);
  REQUIRE(hipGetDevicePropertiesR0000(nullptr, 0) == hipErrorInvalidValue);
  REQUIRE(hipGetDevicePropertiesR0000(&old, 99) == hipErrorInvalidDevice);
}

TEST_CASE("hip device: a device is chosen by properties in their older layout") {
  hipDeviceProp_tR0000 wanted{};
  int device = -1;
  REQUIRE_HIP(hipChooseDeviceR0000(&device, &wanted));
  REQUIRE(device == 0);
  REQUIRE(hipChooseDeviceR0000(nullptr, &wanted) == hipErrorInvalidValue);
  REQUIRE(hipChooseDeviceR0000(&device, nullptr) == hipErrorInvalidValue);
}

TEST_CASE("hip device: the plain names are those of the older layout, for programs built before") {
  struct {
    hipDeviceProp_tR0000 properties;
    char behind[sizeof(
        hipDeviceProp_t)]; // where the newer layout, which is longer, would be written
  } old;
  std::memset(&old, 0x5a, sizeof old);
  const auto get_properties =
      exported<hipError_t(hipDeviceProp_tR0000 *, int)>("hipGetDeviceProperties");
  REQUIRE_HIP(get_properties(&old.properties, 0));
  for (char byte : old.behind)
    REQUIRE(byte == 0x5a);
  REQUIRE(old.properties.warpSize == 32);
  int device = -1;
  const auto choose_device =
      exported<hipError_t(int *, const hipDeviceProp_tR0000 *)>("hipChooseDevice");
  REQUIRE_HIP(choose_device(&device, &old.properties));
  REQUIRE(device == 0);
}

TEST_CASE("hip device: programs may start and stop a profiler that there is not") {
  REQUIRE_HIP(hipProfilerStart());
  REQUIRE_HIP(hipProfilerStop());
}

TEST_CASE("hip device: there is no precompiled header") {
  const char *header = "something";
  unsigned size = 77;
  __hipGetPCH(&header, &size);
  REQUIRE(header == nullptr);
  REQUIRE(size == 0);
  __hipGetPCH(nullptr, nullptr);
}

TEST_CASE("hip device: the function whose result HIP 6.4 forgot checks its arguments") {
  hipMemPool_t pool = nullptr;
  REQUIRE(hipDeviceGetTexture1DLinearMaxWidth(&pool, 0) == hipErrorNotSupported);
  REQUIRE(hipDeviceGetTexture1DLinearMaxWidth(&pool, 99) == hipErrorInvalidDevice);
  REQUIRE(hipDeviceGetTexture1DLinearMaxWidth(nullptr, 0) == hipErrorInvalidValue);
}

TEST_CASE("hip device: a link between devices is told, and its ends are checked", "[multidevice]") {
  uint32_t type = 77, hops = 77;
  REQUIRE_HIP(hipExtGetLinkTypeAndHopCount(0, 1, &type, &hops));
  REQUIRE(type == 2);
  int reaches = -1;
  REQUIRE_HIP(hipDeviceCanAccessPeer(&reaches, 0, 1));
  REQUIRE(hops == (reaches ? 1 : 2));
  REQUIRE(hipExtGetLinkTypeAndHopCount(0, 0, &type, &hops) == hipErrorInvalidValue);
  REQUIRE(hipExtGetLinkTypeAndHopCount(-1, 0, &type, &hops) == hipErrorInvalidValue);
  REQUIRE(hipExtGetLinkTypeAndHopCount(0, -1, &type, &hops) == hipErrorInvalidValue);
  REQUIRE(hipExtGetLinkTypeAndHopCount(0, 99, &type, &hops) == hipErrorInvalidDevice);
  REQUIRE(hipExtGetLinkTypeAndHopCount(99, 0, &type, &hops) == hipErrorInvalidDevice);
  REQUIRE(hipExtGetLinkTypeAndHopCount(0, 1, nullptr, &hops) == hipErrorInvalidValue);
  REQUIRE(hipExtGetLinkTypeAndHopCount(0, 1, &type, nullptr) == hipErrorInvalidValue);
}
