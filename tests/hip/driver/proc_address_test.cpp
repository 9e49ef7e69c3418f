// HIP API reference: Module management, functions of HIP by name.
#include "fixture.h"

#include <hip/hip_deprecated.h>

#include <dlfcn.h>
#include <string>

#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

using namespace fixture;

namespace {

constexpr uint64_t by_default = 0, null_stream = 1, per_thread = 2;

void *named(const char *name, int version = HIP_VERSION, uint64_t flags = by_default) {
  void *function = nullptr;
  auto status = hipDriverProcAddressQueryResult(77);
  REQUIRE_HIP(hipGetProcAddress(name, &function, version, flags, &status));
  REQUIRE(status == HIP_GET_PROC_ADDRESS_SUCCESS);
  REQUIRE_HIP(hipGetProcAddress(name, &function, version, flags, nullptr));
  return function;
}

void *symbol(const char *name) {
  void *const found = dlsym(RTLD_DEFAULT, name);
  REQUIRE(found != nullptr);
  return found;
}

} // namespace

TEST_CASE("hip functions by name: a function that was looked up works") {
  const auto allocate = reinterpret_cast<hipError_t (*)(void **, size_t)>(named("hipMalloc"));
  const auto release = reinterpret_cast<hipError_t (*)(void *)>(named("hipFree"));
  void *memory = nullptr;
  REQUIRE_HIP(allocate(&memory, 64));
  REQUIRE(memory != nullptr);
  REQUIRE_HIP(release(memory));
}

TEST_CASE("hip functions by name: each has the address under which the library exports it") {
  for (const char *name :
       {"__hipRegisterFatBinary", "hipApiName", "hipCtxCreate", "hipGLGetDevices",
        "hipGetProcAddress", "hipMemcpy_spt", "hipModuleLaunchKernel",
        "hipGetDevicePropertiesR0600", "hipGetDevicePropertiesR0000", "hipUserObjectRetain"})
    REQUIRE(named(name) == symbol(name));
}

TEST_CASE("hip functions by name: names that HIP 6 gave another meaning depend on the version") {
  for (const char *name : {"hipGetDeviceProperties", "hipChooseDevice"}) {
    void *const current = symbol((std::string(name) + "R0600").c_str());
    void *const old = symbol((std::string(name) + "R0000").c_str());
    for (int version : {HIP_VERSION, 60000000, 600, 604, 700})
      REQUIRE(named(name, version) == current);
    for (int version : {50731921, 507, 0})
      REQUIRE(named(name, version) == old);
  }
  REQUIRE(named("hipMalloc", 507) == symbol("hipMalloc"));
}

TEST_CASE("hip functions by name: flags choose the functions that use the thread's own stream") {
  REQUIRE(named("hipMemcpy", HIP_VERSION, null_stream) == symbol("hipMemcpy"));
  REQUIRE(named("hipMemcpy", HIP_VERSION, per_thread) == symbol("hipMemcpy_spt"));
  REQUIRE(named("hipLaunchKernel", HIP_VERSION, per_thread) == symbol("hipLaunchKernel_spt"));
  REQUIRE(named("hipMalloc", HIP_VERSION, per_thread) == symbol("hipMalloc"));
}

TEST_CASE("hip functions by name: what is not there is not found, and the status says why") {
  int anything = 0;
  void *function = &anything;
  auto status = HIP_GET_PROC_ADDRESS_SUCCESS;
  REQUIRE(hipGetProcAddress("hipNothing", &function, HIP_VERSION, 0, &status) ==
          hipErrorInvalidValue);
  REQUIRE(status == HIP_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND);
  REQUIRE(function == nullptr);
  for (const char *name : {"hip", "hipMallo", "hipMalloc ", "a", "~", "malloc", "zeInit"})
    REQUIRE(hipGetProcAddress(name, &function, HIP_VERSION, 0, &status) == hipErrorInvalidValue);
  REQUIRE(hipGetProcAddress("hipChooseDeviceR0600", &function, 507, 0, &status) ==
          hipErrorInvalidValue);
  REQUIRE(status == HIP_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT);
}

TEST_CASE("hip functions by name: arguments that are not valid are refused") {
  void *function = nullptr;
  REQUIRE(hipGetProcAddress(nullptr, &function, HIP_VERSION, 0, nullptr) == hipErrorInvalidValue);
  REQUIRE(hipGetProcAddress("", &function, HIP_VERSION, 0, nullptr) == hipErrorInvalidValue);
  REQUIRE(hipGetProcAddress("hipMalloc", nullptr, HIP_VERSION, 0, nullptr) == hipErrorInvalidValue);
  REQUIRE(hipGetProcAddress("hipMalloc", &function, HIP_VERSION, 3, nullptr) ==
          hipErrorInvalidValue);
}
