// HIP API reference: Peer to peer device memory access. The machine presents itself as three devices.
#include "fixture.h"

#include <atomic>
#include <chrono>
#include <memory>
#include <thread>

using namespace fixture;

namespace {

struct OnDevice { // memory of a device, of `count` numbers
  OnDevice(int device, size_t count) {
    REQUIRE_HIP(hipSetDevice(device));
    REQUIRE_HIP(hipMalloc(reinterpret_cast<void **>(&data), count * sizeof(int)));
    REQUIRE_HIP(hipMemset(data, 0, count * sizeof(int)));
  }
  ~OnDevice() { (void)hipFree(data); }
  OnDevice(const OnDevice &) = delete;
  int *data = nullptr;
};

int first_of(const int *data) {
  int value = -1;
  REQUIRE_HIP(hipMemcpy(&value, data, sizeof value, hipMemcpyDeviceToHost));
  return value;
}

/// A kernel of the device that is current.
struct Kernel {
  explicit Kernel(const char *name) {
    REQUIRE_HIP(hipModuleLoad(&module, TEST_KERNELS));
    REQUIRE_HIP(hipModuleGetFunction(&function, module, name));
  }
  ~Kernel() { (void)hipModuleUnload(module); }
  Kernel(const Kernel &) = delete;
  hipModule_t module = nullptr;
  hipFunction_t function = nullptr;
};

} // namespace

TEST_CASE("hip peer: devices can access each other, but are not their own peers") {
  for (int device = 0; device < 3; ++device)
    for (int peer = 0; peer < 3; ++peer) {
      int can_access = -1;
      REQUIRE_HIP(hipDeviceCanAccessPeer(&can_access, device, peer));
      CHECK(can_access == (device != peer));
    }
  int can_access = -1;
  CHECK(hipDeviceCanAccessPeer(nullptr, 0, 1) == hipErrorInvalidValue);
  for (const int none : {-1, 3}) {
    CHECK(hipDeviceCanAccessPeer(&can_access, none, 0) == hipErrorInvalidDevice);
    CHECK(hipDeviceCanAccessPeer(&can_access, 0, none) == hipErrorInvalidDevice);
  }
}

TEST_CASE("hip peer: access is enabled and disabled once, for one direction") {
  REQUIRE_HIP(hipSetDevice(0));
  CHECK(hipDeviceDisablePeerAccess(1) == hipErrorPeerAccessNotEnabled);
  CHECK(hipDeviceEnablePeerAccess(1, 1) == hipErrorInvalidValue);
  REQUIRE_HIP(hipDeviceEnablePeerAccess(1, 0));
  CHECK(hipDeviceEnablePeerAccess(1, 0) == hipErrorPeerAccessAlreadyEnabled);
  REQUIRE_HIP(hipDeviceEnablePeerAccess(2, 0));
  REQUIRE_HIP(hipSetDevice(1));
  CHECK(hipDeviceDisablePeerAccess(0) == hipErrorPeerAccessNotEnabled);
  REQUIRE_HIP(hipDeviceEnablePeerAccess(0, 0));
  REQUIRE_HIP(hipDeviceDisablePeerAccess(0));
  REQUIRE_HIP(hipSetDevice(0));
  REQUIRE_HIP(hipDeviceDisablePeerAccess(1));
  CHECK(hipDeviceDisablePeerAccess(1) == hipErrorPeerAccessNotEnabled);
  for (const int none : {-1, 0, 3}) { // 0 is the current device
    CHECK(hipDeviceEnablePeerAccess(none, 0) == hipErrorInvalidDevice);
    CHECK(hipDeviceDisablePeerAccess(none) == hipErrorInvalidDevice);
  }
  REQUIRE_HIP(hipDeviceReset());
  CHECK(hipDeviceDisablePeerAccess(2) == hipErrorPeerAccessNotEnabled);
}

TEST_CASE("hip peer: a pool remembers who may use it, and serves streams of another device") {
  hipMemPoolProps properties{};
  properties.allocType = hipMemAllocationTypePinned;
  properties.location = {hipMemLocationTypeDevice, 1};
  hipMemPool_t pool = nullptr, current = nullptr;
  REQUIRE_HIP(hipMemPoolCreate(&pool, &properties));
  const auto access_of = [&](int device) {
    hipMemAccessFlags flags{};
    hipMemLocation location{hipMemLocationTypeDevice, device};
    REQUIRE_HIP(hipMemPoolGetAccess(&flags, pool, &location));
    return flags;
  };
  CHECK(access_of(1) == hipMemAccessFlagsProtReadWrite);
  CHECK(access_of(0) == hipMemAccessFlagsProtNone);
  const hipMemAccessDesc both[] = {{{hipMemLocationTypeDevice, 0}, hipMemAccessFlagsProtReadWrite},
                                   {{hipMemLocationTypeDevice, 2}, hipMemAccessFlagsProtRead}};
  REQUIRE_HIP(hipMemPoolSetAccess(pool, both, 2));
  CHECK(access_of(0) == hipMemAccessFlagsProtReadWrite);
  CHECK(access_of(2) == hipMemAccessFlagsProtRead);
  const hipMemAccessDesc none{{hipMemLocationTypeDevice, 2}, hipMemAccessFlagsProtNone};
  REQUIRE_HIP(hipMemPoolSetAccess(pool, &none, 1));
  CHECK(access_of(2) == hipMemAccessFlagsProtNone);
  // An element that is not valid leaves all as it was.
  const hipMemAccessDesc wrong[] = {{{hipMemLocationTypeDevice, 2}, hipMemAccessFlagsProtRead},
                                    {{hipMemLocationTypeDevice, 3}, hipMemAccessFlagsProtRead}};
  CHECK(hipMemPoolSetAccess(pool, wrong, 2) == hipErrorInvalidDevice);
  CHECK(access_of(2) == hipMemAccessFlagsProtNone);

  CHECK(hipDeviceSetMemPool(0, pool) == hipErrorInvalidDevice);
  REQUIRE_HIP(hipDeviceSetMemPool(1, pool));
  REQUIRE_HIP(hipDeviceGetMemPool(&current, 1));
  CHECK(current == pool);

  REQUIRE_HIP(hipSetDevice(0));
  Streams streams(1);
  int *memory = nullptr;
  REQUIRE_HIP(hipMallocFromPoolAsync(reinterpret_cast<void **>(&memory), 4096, pool, streams[0]));
  REQUIRE_HIP(hipMemsetAsync(memory, 1, 4096, streams[0]));
  REQUIRE_HIP(hipStreamSynchronize(streams[0]));
  CHECK(first_of(memory) == 0x01010101);
  hipPointerAttribute_t attributes;
  REQUIRE_HIP(hipPointerGetAttributes(&attributes, memory));
  CHECK(attributes.device == 1);
  REQUIRE_HIP(hipFreeAsync(memory, streams[0]));
  // Of the current pool of the stream's device.
  REQUIRE_HIP(hipMallocAsync(&memory, 4096, streams[0]));
  REQUIRE_HIP(hipPointerGetAttributes(&attributes, memory));
  CHECK(attributes.device == 0);
  REQUIRE_HIP(hipSetDevice(1));
  REQUIRE_HIP(hipFreeAsync(memory, nullptr));
  REQUIRE_HIP(hipMemPoolDestroy(pool));
  REQUIRE_HIP(hipDeviceSynchronize());
  REQUIRE_HIP(hipSetDevice(0));
}

TEST_CASE("hip peer: a connection says its attributes") {
  const auto attribute = [](hipDeviceP2PAttr which) {
    int value = -1;
    REQUIRE_HIP(hipDeviceGetP2PAttribute(&value, which, 0, 1));
    return value;
  };
  CHECK(attribute(hipDevP2PAttrPerformanceRank) == 0);
  CHECK(attribute(hipDevP2PAttrAccessSupported) == 1);
  CHECK(attribute(hipDevP2PAttrNativeAtomicSupported) == 1);
  CHECK(attribute(hipDevP2PAttrHipArrayAccessSupported) == 0);
  int value = -1;
  CHECK(hipDeviceGetP2PAttribute(nullptr, hipDevP2PAttrAccessSupported, 0, 1) ==
        hipErrorInvalidValue);
  CHECK(hipDeviceGetP2PAttribute(&value, hipDeviceP2PAttr(9), 0, 1) == hipErrorInvalidValue);
  CHECK(hipDeviceGetP2PAttribute(&value, hipDevP2PAttrAccessSupported, 0, 0) ==
        hipErrorInvalidDevice);
  CHECK(hipDeviceGetP2PAttribute(&value, hipDevP2PAttrAccessSupported, 3, 0) ==
        hipErrorInvalidDevice);
  CHECK(hipDeviceGetP2PAttribute(&value, hipDevP2PAttrAccessSupported, 0, -1) ==
        hipErrorInvalidDevice);
}

TEST_CASE("hip peer: copies go from device to device, whichever is current") {
  constexpr size_t count = 1000, bytes = count * sizeof(int);
  OnDevice a(0, count), b(1, count);
  std::vector<int> values(count), out(count);
  for (int current = 0; current < 3; ++current) {
    REQUIRE_HIP(hipSetDevice(current));
    for (size_t i = 0; i < count; ++i)
      values[i] = int(i) + 1000 * current;
    REQUIRE_HIP(hipMemcpy(a.data, values.data(), bytes, hipMemcpyHostToDevice));
    REQUIRE_HIP(hipMemcpyPeer(b.data, 1, a.data, 0, bytes));
    REQUIRE_HIP(hipMemcpy(out.data(), b.data, bytes, hipMemcpyDeviceToHost));
    CHECK(out == values);
    Streams stream(1);
    REQUIRE_HIP(hipMemsetAsync(b.data, current, bytes, stream[0]));
    REQUIRE_HIP(hipMemcpyPeerAsync(a.data, 0, b.data, 1, bytes, stream[0]));
    REQUIRE_HIP(hipStreamSynchronize(stream[0]));
    CHECK(first_of(a.data) == 0x01010101 * current);
  }
  CHECK(hipMemcpyPeer(b.data, 3, a.data, 0, bytes) == hipErrorInvalidDevice);
  CHECK(hipMemcpyPeer(b.data, 1, a.data, -1, bytes) == hipErrorInvalidDevice);
  CHECK(hipMemcpyPeer(nullptr, 1, a.data, 0, bytes) == hipErrorInvalidValue);
  CHECK(hipMemcpyPeer(b.data, 1, nullptr, 0, bytes) == hipErrorInvalidValue);
  CHECK(hipMemcpyPeer(b.data, 1, a.data, 0, bytes + 4096) == hipErrorInvalidValue);
  CHECK(hipMemcpyPeerAsync(b.data, 1, a.data, 3, bytes, nullptr) == hipErrorInvalidDevice);
  CHECK(hipMemcpyPeerAsync(nullptr, 1, a.data, 0, bytes, nullptr) == hipErrorInvalidValue);
  CHECK(hipMemcpyPeer(nullptr, 1, nullptr, 0, 0) == hipSuccess);
}

TEST_CASE("hip peer: a copy comes after the work of both devices") {
  OnDevice a(0, 1), b(1, 1);
  HostMemory<int> flag(1);
  REQUIRE_HIP(hipSetDevice(0));
  const Kernel wait("wait_for_flag");
  const int one = 1;
  for (const int current : {0, 1, 2}) {
    flag[0] = 0;
    REQUIRE_HIP(hipSetDevice(0));
    REQUIRE_HIP(hipMemset(a.data, 0, sizeof one));
    Streams stream(1); // a blocking stream of the source: the null stream comes after it
    REQUIRE_HIP(launch(wait.function, stream[0], 1, flag.get()));
    REQUIRE_HIP(hipMemsetAsync(a.data, 7, sizeof one, stream[0]));
    REQUIRE_HIP(hipSetDevice(current));
    std::thread other([&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
      std::atomic_ref<int> value(flag[0]);
      value = 1;
    });
    const hipError_t result = hipMemcpyPeer(b.data, 1, a.data, 0, sizeof one);
    other.join();
    CHECK(result == hipSuccess);
    CHECK(first_of(b.data) == 0x07070707);
  }
}

TEST_CASE("hip peer: a kernel uses memory of another device") {
  OnDevice a(0, 4);
  REQUIRE_HIP(hipSetDevice(1));
  REQUIRE_HIP(hipDeviceEnablePeerAccess(0, 0));
  const Kernel count("count");
  REQUIRE_HIP(launch(count.function, nullptr, 1, a.data));
  REQUIRE_HIP(hipDeviceSynchronize());
  CHECK(first_of(a.data) == 41);
  REQUIRE_HIP(hipDeviceDisablePeerAccess(0));
}

TEST_CASE(
    "hip peer: one call launches a kernel on several devices, in the order of all their streams") {
  constexpr unsigned no_pre = hipCooperativeLaunchMultiDeviceNoPreSync;
  constexpr unsigned no_post = hipCooperativeLaunchMultiDeviceNoPostSync;
  constexpr unsigned devices = 2;
  HostMemory<int> flags(devices + 1);
  std::vector<std::unique_ptr<Kernel>> kernels;
  std::vector<std::unique_ptr<Streams>> streams;
  for (unsigned device = 0; device < devices; ++device) {
    REQUIRE_HIP(hipSetDevice(int(device)));
    kernels.push_back(std::make_unique<Kernel>("wait_for_flag"));
    streams.push_back(std::make_unique<Streams>(1));
  }
  const auto stream = [&](unsigned device) { return (*streams[device])[0]; };
  int *addresses[devices] = {&flags[0], &flags[1]};
  void *arguments[devices][1] = {{&addresses[0]}, {&addresses[1]}};
  const auto set = [&](size_t i) { std::atomic_ref<int>{flags[i]}.store(1); };
  const auto stays_busy = [&](unsigned device) {
    for (int i = 0; i < 20; ++i) {
      if (hipStreamQuery(stream(device)) != hipErrorNotReady)
        return false;
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return true;
  };
  const auto launch_all = [&](unsigned which) {
    hipFunctionLaunchParams launches[devices];
    for (unsigned i = 0; i < devices; ++i)
      launches[i] = {kernels[i]->function, 1, 1, 1, 1, 1, 1, 0, stream(i), arguments[i]};
    return hipModuleLaunchCooperativeKernelMultiDevice(launches, devices, which);
  };
  for (const unsigned which : {0u, no_pre, no_post, no_pre | no_post}) {
    CAPTURE(which);
    for (size_t i = 0; i <= devices; ++i)
      flags[i] = 0;
    REQUIRE_HIP(hipSetDevice(0));
    REQUIRE_HIP(launch(kernels[0]->function, stream(0), 1, &flags[devices])); // the earlier work
    REQUIRE_HIP(launch_all(which));                                           // does not wait
    set(1); // the second kernel could end, if it has begun
    if (which == (no_pre | no_post)) {
      CHECK(hipStreamSynchronize(stream(1)) == hipSuccess);
      set(devices);
    } else if (which == no_pre) {
      set(devices);
      CHECK(stays_busy(1)); // the other kernel is not at its end
    } else {
      CHECK(stays_busy(1));
      set(devices);
      if (which == no_post)
        CHECK(hipStreamSynchronize(stream(1)) == hipSuccess);
    }
    CHECK(hipStreamQuery(stream(0)) == hipErrorNotReady);
    set(0);
    CHECK(hipStreamSynchronize(stream(0)) == hipSuccess);
    CHECK(hipStreamSynchronize(stream(1)) == hipSuccess);
  }

  CHECK(hipModuleLaunchCooperativeKernelMultiDevice(nullptr, 1, 0) == hipErrorInvalidValue);
  hipFunctionLaunchParams launches[devices];
  for (unsigned i = 0; i < devices; ++i)
    launches[i] = {kernels[i]->function, 1, 1, 1, 1, 1, 1, 0, stream(i), arguments[i]};
  const auto refused = [&](unsigned count, unsigned which) {
    return hipModuleLaunchCooperativeKernelMultiDevice(launches, count, which);
  };
  CHECK(refused(0, 0) == hipErrorInvalidValue);
  CHECK(refused(4, 0) == hipErrorInvalidValue);
  CHECK(refused(2, 4) == hipErrorInvalidValue);
  launches[1].blockDimX = 2;
  CHECK(refused(2, 0) == hipErrorInvalidValue);
  launches[1] = launches[0];
  CHECK(refused(2, 0) == hipErrorInvalidValue);
  launches[1].hStream = nullptr;
  CHECK(refused(2, 0) == hipErrorInvalidValue);
  launches[1].hStream = stream(1); // of a device that the function is not of
  CHECK(refused(2, 0) == hipErrorInvalidResourceHandle);
  set(0);
  REQUIRE_HIP(hipDeviceSynchronize());
}

TEST_CASE("hip peer: a device is found again by its PCI bus address") {
  int count = 0;
  REQUIRE_HIP(hipGetDeviceCount(&count));
  REQUIRE(count == 3);
  for (int device = 0; device < count; ++device) {
    char address[32];
    int found = -1;
    REQUIRE_HIP(hipDeviceGetPCIBusId(address, sizeof address, device));
    REQUIRE_HIP(hipDeviceGetByPCIBusId(&found, address));
    CHECK(found == device);
  }
}
