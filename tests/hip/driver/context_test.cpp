// HIP API reference: Context management; Primary contexts; what a device prefers.
#include "fixture.h"

#include <thread>
#include <vector>

// Contexts are deprecated as a whole.
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

using namespace fixture;

namespace {

hipCtx_t context(int device) {
  hipCtx_t ctx = nullptr;
  REQUIRE_HIP(hipDevicePrimaryCtxRetain(&ctx, device));
  REQUIRE_HIP(hipDevicePrimaryCtxRelease(device));
  REQUIRE(ctx != nullptr);
  return ctx;
}

int current() {
  int device = -1, of_context = -1;
  hipCtx_t ctx = nullptr;
  REQUIRE_HIP(hipGetDevice(&device));
  REQUIRE_HIP(hipCtxGetDevice(&of_context));
  REQUIRE(of_context == device);
  REQUIRE_HIP(hipCtxGetCurrent(&ctx));
  REQUIRE(ctx == context(device));
  return device;
}

bool is_active(int device) {
  int active = -1;
  REQUIRE_HIP(hipDevicePrimaryCtxGetState(device, nullptr, &active));
  return active == 1;
}

} // namespace

TEST_CASE("hip context: a thread has a current one before it pushes any") {
  REQUIRE(current() == 0);
  hipCtx_t ctx = nullptr;
  REQUIRE(hipCtxPopCurrent(&ctx) == hipErrorInvalidContext);
  REQUIRE(ctx == nullptr);
  REQUIRE_HIP(hipCtxSetCurrent(nullptr));
  REQUIRE(current() == 0);
}

TEST_CASE("hip context: work of any kind is done in one that was created, popped and destroyed",
          "[results]") {
  hipCtx_t ctx = nullptr, popped = nullptr;
  REQUIRE_HIP(hipCtxCreate(&ctx, 0, 0));
  const HostMemory<float> values(4, 10.f);
  REQUIRE_HIP(launch(function("scale"), nullptr, 4, values.get()));
  REQUIRE_HIP(hipCtxSynchronize());
  REQUIRE(values[3] == 40);
  REQUIRE_HIP(hipCtxPopCurrent(&popped));
  REQUIRE(popped == ctx);
  REQUIRE_HIP(hipCtxDestroy(ctx));
  REQUIRE_HIP(launch(function("scale"), nullptr, 4, values.get()));
  REQUIRE_HIP(hipDeviceSynchronize());
  REQUIRE(values[3] == 160);
}

TEST_CASE("hip context: what is destroyed is popped if it was pushed last, and only then") {
  hipCtx_t first = nullptr, second = nullptr, popped = nullptr;
  REQUIRE_HIP(hipCtxCreate(&first, 0, 0));
  REQUIRE_HIP(hipCtxCreate(&second, 0, 0));
  REQUIRE(first == second);
  REQUIRE_HIP(hipCtxDestroy(second));
  REQUIRE_HIP(hipCtxPopCurrent(&popped));
  REQUIRE(popped == first);
  REQUIRE(hipCtxPopCurrent(nullptr) == hipErrorInvalidContext);
  REQUIRE_HIP(hipCtxDestroy(first));
}

TEST_CASE("hip context: popping makes current what was so before the push", "[multidevice]") {
  REQUIRE_HIP(hipSetDevice(2));
  hipCtx_t one = nullptr, popped = nullptr;
  REQUIRE_HIP(hipCtxCreate(&one, 0, 1));
  REQUIRE(one == context(1));
  REQUIRE(current() == 1);
  REQUIRE_HIP(hipCtxPushCurrent(context(0)));
  REQUIRE(current() == 0);
  REQUIRE_HIP(hipCtxPopCurrent(&popped));
  REQUIRE(popped == context(0));
  REQUIRE(current() == 1);
  REQUIRE_HIP(hipCtxPopCurrent(nullptr));
  REQUIRE(current() == 2);
  REQUIRE(hipCtxPopCurrent(nullptr) == hipErrorInvalidContext);
  REQUIRE(current() == 2);
}

TEST_CASE("hip context: one that is set takes the place of the current one", "[multidevice]") {
  REQUIRE_HIP(hipCtxSetCurrent(context(1))); // nothing was pushed: it is pushed
  REQUIRE(current() == 1);
  REQUIRE_HIP(hipCtxSetCurrent(context(2)));
  REQUIRE_HIP(hipSetDevice(1));
  hipCtx_t popped = nullptr;
  REQUIRE_HIP(hipCtxPopCurrent(&popped));
  REQUIRE(popped == context(1));
  REQUIRE(current() == 0);
  REQUIRE_HIP(hipCtxPushCurrent(context(2)));
  REQUIRE_HIP(hipCtxSetCurrent(nullptr));
  REQUIRE(current() == 0);
  REQUIRE(hipCtxPopCurrent(&popped) == hipErrorInvalidContext);
}

TEST_CASE("hip context: destroying one that is not current leaves the stack alone",
          "[multidevice]") {
  REQUIRE_HIP(hipCtxPushCurrent(context(1)));
  REQUIRE_HIP(hipCtxPushCurrent(context(2)));
  REQUIRE_HIP(hipCtxDestroy(context(1)));
  REQUIRE(current() == 2);
  REQUIRE_HIP(hipCtxDestroy(context(2)));
  REQUIRE(current() == 1);
  REQUIRE_HIP(hipSetDevice(0));
  REQUIRE_HIP(hipCtxDestroy(context(1))); // below nothing: not the one that is current
  REQUIRE(current() == 0);
}

TEST_CASE("hip context: each thread has a stack of its own", "[multidevice]") {
  REQUIRE_HIP(hipCtxPushCurrent(context(2)));
  int seen = -1;
  hipError_t popped = hipSuccess;
  std::thread([&] {
    (void)hipGetDevice(&seen);
    popped = hipCtxPopCurrent(nullptr);
  }).join();
  REQUIRE(seen == 0);
  REQUIRE(popped == hipErrorInvalidContext);
  REQUIRE(current() == 2);
}

TEST_CASE("hip context: access to a peer's memory is that of the devices", "[multidevice]") {
  REQUIRE_HIP(hipCtxEnablePeerAccess(context(1), 0));
  REQUIRE(hipDeviceEnablePeerAccess(1, 0) == hipErrorPeerAccessAlreadyEnabled);
  REQUIRE(hipCtxEnablePeerAccess(context(1), 0) == hipErrorPeerAccessAlreadyEnabled);
  REQUIRE_HIP(hipCtxDisablePeerAccess(context(1)));
  REQUIRE(hipCtxDisablePeerAccess(context(1)) == hipErrorPeerAccessNotEnabled);
  REQUIRE(hipCtxEnablePeerAccess(context(1), 1) == hipErrorInvalidValue);
  REQUIRE(hipCtxEnablePeerAccess(nullptr, 0) == hipErrorInvalidContext);
  REQUIRE(hipCtxEnablePeerAccess(context(0), 0) == hipErrorInvalidDevice);
}

TEST_CASE("hip context: threads without a device get the first valid one", "[multidevice]") {
  int devices[] = {2, 1};
  int own = -1, others = -1;
  REQUIRE_HIP(hipGetDevice(&own));
  REQUIRE_HIP(hipSetValidDevices(devices, 2));
  std::thread([&] { (void)hipGetDevice(&others); }).join();
  REQUIRE(others == 2);
  REQUIRE_HIP(hipGetDevice(&own));
  REQUIRE(own == 0);
  REQUIRE_HIP(hipSetValidDevices(devices, 0));
  std::thread([&] { (void)hipGetDevice(&others); }).join();
  REQUIRE(others == 0);

  REQUIRE(hipSetValidDevices(nullptr, 1) == hipErrorInvalidValue);
  REQUIRE(hipSetValidDevices(devices, -1) == hipErrorInvalidValue);
  REQUIRE(hipSetValidDevices(devices, 99) == hipErrorInvalidValue);
  devices[1] = 99;
  REQUIRE(hipSetValidDevices(devices, 2) == hipErrorInvalidDevice);
  std::thread([&] { (void)hipGetDevice(&others); }).join();
  REQUIRE(others == 0);
}

TEST_CASE("hip context: the primary one is in use once it is retained, or something is made") {
  unsigned flags = 77;
  int active = 77;
  REQUIRE_HIP(hipDevicePrimaryCtxSetFlags(0, hipDeviceScheduleYield));
  REQUIRE_HIP(hipDevicePrimaryCtxGetState(0, &flags, &active));
  REQUIRE(flags == hipDeviceScheduleYield);
  REQUIRE(active == 0);
  hipCtx_t ctx = nullptr;
  REQUIRE_HIP(hipDevicePrimaryCtxRetain(&ctx, 0));
  REQUIRE_HIP(hipDevicePrimaryCtxRetain(&ctx, 0));
  REQUIRE_HIP(hipDevicePrimaryCtxRelease(0));
  REQUIRE(is_active(0));
  REQUIRE(hipDevicePrimaryCtxSetFlags(0, 0) == hipErrorContextAlreadyInUse);
  REQUIRE_HIP(hipDevicePrimaryCtxRelease(0));
  REQUIRE_FALSE(is_active(0));
  REQUIRE_HIP(hipDevicePrimaryCtxRelease(0)); // of which there is none left
  REQUIRE_FALSE(is_active(0));
  void *memory = nullptr;
  REQUIRE_HIP(hipMalloc(&memory, 64));
  REQUIRE(is_active(0));
  REQUIRE_HIP(hipFree(memory));
  REQUIRE_FALSE(is_active(0));
  const Streams streams(1);
  REQUIRE(is_active(0));
}

TEST_CASE("hip context: a reset frees what is on the device") {
  void *memory = nullptr;
  REQUIRE_HIP(hipMalloc(&memory, 64));
  REQUIRE_HIP(hipDeviceSetCacheConfig(hipFuncCachePreferL1));
  REQUIRE_HIP(hipDevicePrimaryCtxReset(0));
  REQUIRE(hipFree(memory) == hipErrorInvalidValue);
  hipFuncCache_t config = hipFuncCachePreferEqual;
  REQUIRE_HIP(hipDeviceGetCacheConfig(&config));
  REQUIRE(config == hipFuncCachePreferNone);
}

TEST_CASE("hip context: flags are those of the device") {
  hipCtx_t ctx = nullptr;
  constexpr unsigned all = hipDeviceScheduleSpin | hipDeviceMapHost | hipDeviceLmemResizeToMax;
  REQUIRE_HIP(hipCtxCreate(&ctx, all, 0));
  unsigned flags = 0, of_context = 0;
  int version = 0;
  REQUIRE_HIP(hipGetDeviceFlags(&flags));
  REQUIRE_HIP(hipCtxGetFlags(&of_context));
  REQUIRE(flags == all);
  REQUIRE(of_context == flags);
  REQUIRE_HIP(hipCtxGetApiVersion(ctx, &version));
  REQUIRE(version == 4);
  REQUIRE_HIP(hipCtxGetApiVersion(nullptr, &version));
}

TEST_CASE("hip context: what is prefered of memory on the chip is accepted and told") {
  hipFuncCache_t config = hipFuncCachePreferEqual;
  hipSharedMemConfig width = hipSharedMemBankSizeEightByte;
  REQUIRE_HIP(hipDeviceGetCacheConfig(&config));
  REQUIRE(config == hipFuncCachePreferNone);
  REQUIRE_HIP(hipDeviceSetCacheConfig(hipFuncCachePreferShared));
  REQUIRE_HIP(hipCtxGetCacheConfig(&config));
  REQUIRE(config == hipFuncCachePreferShared);
  REQUIRE_HIP(hipCtxSetCacheConfig(hipFuncCachePreferL1));
  REQUIRE_HIP(hipDeviceGetCacheConfig(&config));
  REQUIRE(config == hipFuncCachePreferL1);
  REQUIRE_HIP(hipDeviceSetSharedMemConfig(hipSharedMemBankSizeEightByte));
  REQUIRE_HIP(hipCtxSetSharedMemConfig(hipSharedMemBankSizeEightByte));
  REQUIRE_HIP(hipDeviceGetSharedMemConfig(&width));
  REQUIRE(width == hipSharedMemBankSizeFourByte);
  REQUIRE_HIP(hipCtxGetSharedMemConfig(&width));
  REQUIRE(width == hipSharedMemBankSizeFourByte);
}

TEST_CASE("hip context: arguments that are not valid are refused") {
  hipCtx_t ctx = nullptr;
  int number = 0;
  const auto no_context = reinterpret_cast<hipCtx_t>(&number);
  REQUIRE(hipCtxCreate(nullptr, 0, 0) == hipErrorInvalidValue);
  REQUIRE(hipCtxCreate(&ctx, 0x1000, 0) == hipErrorInvalidValue);
  REQUIRE(hipCtxCreate(&ctx, 0, 99) == hipErrorInvalidDevice);
  REQUIRE(hipCtxPopCurrent(&ctx) == hipErrorInvalidContext);
  REQUIRE(hipCtxDestroy(nullptr) == hipErrorInvalidValue);
  REQUIRE(hipCtxDestroy(no_context) == hipErrorInvalidContext);
  REQUIRE(hipCtxPushCurrent(nullptr) == hipErrorInvalidContext);
  REQUIRE(hipCtxPushCurrent(no_context) == hipErrorInvalidContext);
  REQUIRE(hipCtxSetCurrent(no_context) == hipErrorInvalidContext);
  REQUIRE(hipCtxGetCurrent(nullptr) == hipErrorInvalidValue);
  REQUIRE(hipCtxGetDevice(nullptr) == hipErrorInvalidValue);
  REQUIRE(hipCtxGetFlags(nullptr) == hipErrorInvalidValue);
  REQUIRE(hipCtxGetApiVersion(nullptr, nullptr) == hipErrorInvalidValue);
  REQUIRE(hipCtxGetApiVersion(no_context, &number) == hipErrorInvalidContext);
  REQUIRE(hipCtxDisablePeerAccess(no_context) == hipErrorInvalidContext);
  REQUIRE(hipCtxSetCacheConfig(hipFuncCache_t(9)) == hipErrorInvalidValue);
  REQUIRE(hipDeviceSetCacheConfig(hipFuncCache_t(-1)) == hipErrorInvalidValue);
  REQUIRE(hipCtxGetCacheConfig(nullptr) == hipErrorInvalidValue);
  REQUIRE(hipCtxSetSharedMemConfig(hipSharedMemConfig(9)) == hipErrorInvalidValue);
  REQUIRE(hipDeviceSetSharedMemConfig(hipSharedMemConfig(-1)) == hipErrorInvalidValue);
  REQUIRE(hipDeviceGetSharedMemConfig(nullptr) == hipErrorInvalidValue);
  REQUIRE(hipDevicePrimaryCtxGetState(99, nullptr, nullptr) == hipErrorInvalidDevice);
  REQUIRE(hipDevicePrimaryCtxRetain(nullptr, 0) == hipErrorInvalidValue);
  REQUIRE(hipDevicePrimaryCtxRetain(&ctx, -1) == hipErrorInvalidDevice);
  REQUIRE(hipDevicePrimaryCtxRelease(99) == hipErrorInvalidDevice);
  REQUIRE(hipDevicePrimaryCtxReset(99) == hipErrorInvalidDevice);
  REQUIRE(hipDevicePrimaryCtxSetFlags(0, 0x1000) == hipErrorInvalidValue);
  REQUIRE(hipDevicePrimaryCtxSetFlags(99, 0) == hipErrorInvalidDevice);
  REQUIRE_FALSE(is_active(0));
}
