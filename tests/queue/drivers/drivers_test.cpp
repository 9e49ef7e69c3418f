// Two devices whose Level Zero drivers know nothing of each other: two copies of the CPU driver in one process.
#include "../counted.h"
#include "../fixture.h"

#include <atomic>
#include <chrono>
#include <cstring>
#include <thread>
#include <unistd.h>

using namespace fixture;
using namespace counted;

namespace {

/// Memory, kernels and streams of one device.
struct Side {
  static constexpr size_t count = 4096, bytes = count * sizeof(int);

  explicit Side(int device) : device(device), streams(make_streams(device)) {
    REQUIRE_HIP(hipMalloc(reinterpret_cast<void **>(&data), bytes));
    REQUIRE_HIP(hipMemset(data, 0, bytes));
    REQUIRE_HIP(hipModuleLoad(&module, TEST_KERNELS));
    REQUIRE_HIP(hipModuleGetFunction(&add, module, "add"));
    REQUIRE_HIP(hipModuleGetFunction(&append_digit, module, "append_digit"));
    REQUIRE_HIP(hipModuleGetFunction(&wait_for_flag, module, "wait_for_flag"));
  }
  ~Side() {
    (void)hipSetDevice(device);
    (void)hipModuleUnload(module);
    (void)hipFree(data);
  }
  Side(const Side &) = delete;

  void select() const { REQUIRE_HIP(hipSetDevice(device)); }
  std::vector<int> values() const {
    std::vector<int> values(count);
    REQUIRE_HIP(hipMemcpy(values.data(), data, bytes, hipMemcpyDeviceToHost));
    return values;
  }

  int device;
  Streams streams;
  int *data = nullptr;
  hipModule_t module = nullptr;
  hipFunction_t add = nullptr, append_digit = nullptr, wait_for_flag = nullptr;

private:
  static Streams make_streams(int device) {
    REQUIRE_HIP(hipSetDevice(device));
    return Streams(2, hipStreamNonBlocking);
  }
};

void open(const HostMemory<int> &gate) { std::atomic_ref(gate[0]).store(1); }

} // namespace

TEST_CASE("drivers: each device is of its own driver, and executes kernels") {
  int count = 0;
  REQUIRE_HIP(hipGetDeviceCount(&count));
  REQUIRE(count == 2);
  for (int device : {0, 1, 0}) {
    Side side(device);
    REQUIRE_HIP(launch(side.add, side.streams[0], 1, side.data, 42));
    REQUIRE_HIP(hipDeviceSynchronize());
    REQUIRE(side.values()[0] == 42);
    hipPointerAttribute_t attributes{};
    REQUIRE_HIP(hipPointerGetAttributes(&attributes, side.data));
    REQUIRE(attributes.device == device);
  }
}

TEST_CASE("drivers: devices of different drivers are no peers") {
  for (int device : {0, 1}) {
    int can_access = -1, value = -1;
    REQUIRE_HIP(hipDeviceCanAccessPeer(&can_access, device, 1 - device));
    REQUIRE(can_access == 0);
    REQUIRE_HIP(hipDeviceGetP2PAttribute(&value, hipDevP2PAttrAccessSupported, device, 1 - device));
    REQUIRE(value == 0);
    REQUIRE_HIP(
        hipDeviceGetP2PAttribute(&value, hipDevP2PAttrNativeAtomicSupported, device, 1 - device));
    REQUIRE(value == 0);
    REQUIRE_HIP(hipSetDevice(device));
    REQUIRE(hipDeviceEnablePeerAccess(1 - device, 0) == hipErrorPeerAccessUnsupported);
    REQUIRE(hipDeviceDisablePeerAccess(1 - device) == hipErrorPeerAccessNotEnabled);
  }
}

// ---- Waits

TEST_CASE("drivers: a stream waits for an event of another driver") {
  Side a(0), b(1);
  for (const unsigned flags : {unsigned(hipEventDefault), unsigned(hipEventDisableTiming)}) {
    HostMemory<int> gate(1);
    HostMemory<long long> digits(1);
    a.select();
    Event event(flags);
    REQUIRE_HIP(launch(a.wait_for_flag, a.streams[0], 1, gate.get()));
    REQUIRE_HIP(launch(a.append_digit, a.streams[0], 1, digits.get(), 1));
    REQUIRE_HIP(hipEventRecord(event, a.streams[0]));
    b.select();
    REQUIRE_HIP(hipStreamWaitEvent(b.streams[0], event, 0));
    REQUIRE_HIP(launch(b.append_digit, b.streams[0], 1, digits.get(), 2));
    // Another stream of the same device does not wait.
    REQUIRE_HIP(launch(b.add, b.streams[1], 1, b.data, 1));
    REQUIRE_HIP(hipStreamSynchronize(b.streams[1]));
    REQUIRE(hipStreamQuery(b.streams[0]) == hipErrorNotReady);
    REQUIRE(digits[0] == 0);
    open(gate);
    REQUIRE_HIP(hipDeviceSynchronize()); // of the device that waits
    REQUIRE(digits[0] == 12);
  }
}

TEST_CASE("drivers: streams of two drivers wait for each other, in turns") {
  Side a(0), b(1);
  HostMemory<long long> digits(1);
  a.select();
  Event from_a;
  b.select();
  Event from_b;
  for (int round = 0; round < 5; ++round) {
    REQUIRE_HIP(launch(a.append_digit, a.streams[0], 1, digits.get(), 1 + 2 * (round % 4)));
    REQUIRE_HIP(hipEventRecord(from_a, a.streams[0]));
    REQUIRE_HIP(hipStreamWaitEvent(b.streams[0], from_a, 0));
    REQUIRE_HIP(launch(b.append_digit, b.streams[0], 1, digits.get(), 2 + 2 * (round % 4)));
    REQUIRE_HIP(hipEventRecord(from_b, b.streams[0]));
    REQUIRE_HIP(hipStreamWaitEvent(a.streams[0], from_b, 0));
  }
  REQUIRE_HIP(hipStreamSynchronize(a.streams[0]));
  REQUIRE(digits[0] == 1234567812);
}

TEST_CASE("drivers: a wait for another driver's work makes two calls, and its event is used again",
          "[calls]") {
  Side a(0), b(1);
  a.select();
  Event event;
  const auto wait_once = [&](bool is_complete) {
    HostMemory<int> gate(1);
    REQUIRE_HIP(launch(a.wait_for_flag, a.streams[0], 1, gate.get()));
    REQUIRE_HIP(hipEventRecord(event, a.streams[0]));
    if (is_complete) {
      open(gate);
      REQUIRE_HIP(hipEventSynchronize(event));
    }
    Calls calls = calls_of([&] { (void)hipStreamWaitEvent(b.streams[0], event, 0); });
    calls.erase("zeEventHostSynchronize"); // of the thread that looks after the event
    open(gate);
    REQUIRE_HIP(hipStreamSynchronize(b.streams[0]));
    return calls;
  };
  REQUIRE(wait_once(true) == Calls{});
  (void)wait_once(false);
  for (int i = 0; i < 10; ++i)
    REQUIRE(wait_once(false) == Calls{{"zeEventQueryStatus", 1},
                                      {"zeCommandListAppendWaitOnEvents", 1},
                                      {"zeCommandListAppendEventReset", 1}});
  REQUIRE(wait_once(true) == Calls{});
}

TEST_CASE("drivers: the null stream of one driver waits for events of another") {
  Side a(0), b(1);
  HostMemory<int> gate(1);
  HostMemory<long long> digits(1);
  a.select();
  Event event;
  REQUIRE_HIP(launch(a.wait_for_flag, nullptr, 1, gate.get()));
  REQUIRE_HIP(launch(a.append_digit, nullptr, 1, digits.get(), 1));
  REQUIRE_HIP(hipEventRecord(event, nullptr));
  b.select();
  Streams blocking(2);
  REQUIRE_HIP(hipStreamWaitEvent(nullptr, event, 0));
  // A blocking stream comes after the null stream, and so after what that waits for.
  REQUIRE_HIP(launch(b.append_digit, blocking[0], 1, digits.get(), 2));
  REQUIRE(hipStreamQuery(blocking[0]) == hipErrorNotReady);
  open(gate);
  REQUIRE_HIP(hipStreamSynchronize(blocking[0]));
  REQUIRE(digits[0] == 12);
}

TEST_CASE("drivers: events of different drivers have no time between them") {
  Side a(0), b(1);
  a.select();
  Event start(hipEventDefault);
  REQUIRE_HIP(hipEventRecord(start, a.streams[0]));
  REQUIRE(hipEventRecord(start, b.streams[0]) == hipErrorInvalidHandle);
  b.select();
  Event stop(hipEventDefault);
  REQUIRE_HIP(hipEventRecord(stop, b.streams[0]));
  REQUIRE_HIP(hipEventSynchronize(start));
  REQUIRE_HIP(hipEventSynchronize(stop));
  float milliseconds = 0;
  REQUIRE(hipEventElapsedTime(&milliseconds, start, stop) == hipErrorInvalidHandle);
}

// ---- Losses, of which losses/loss_test.cpp has more

TEST_CASE("drivers: a device whose stream waits for lost work of another driver is lost") {
  Side &a = *new Side(0), &b = *new Side(1); // nothing is to be had of lost devices
  HostMemory<int> gate(1);
  a.select();
  Event event;
  REQUIRE_HIP(launch(a.wait_for_flag, a.streams[0], 1, gate.get()));
  REQUIRE_HIP(launch(a.add, a.streams[0], 1, reinterpret_cast<int *>(64), 1));
  REQUIRE_HIP(hipEventRecord(event, a.streams[0]));
  b.select();
  Event behind;
  REQUIRE_HIP(hipStreamWaitEvent(b.streams[0], event, 0));
  REQUIRE_HIP(launch(b.add, b.streams[0], 1, b.data, 1));
  REQUIRE_HIP(hipEventRecord(behind, b.streams[0]));
  std::atomic<int> told{-1};
  REQUIRE_HIP(hipStreamAddCallback(
      b.streams[0],
      [](hipStream_t, hipError_t error, void *told) {
        *static_cast<std::atomic<int> *>(told) = error;
      },
      &told, 0));
  open(gate);
  REQUIRE(hipEventSynchronize(behind) == hipErrorLaunchFailure);
  REQUIRE(hipStreamSynchronize(b.streams[0]) == hipErrorLaunchFailure);
  REQUIRE(hipDeviceSynchronize() == hipErrorLaunchFailure);
  REQUIRE(hipEventQuery(behind) == hipErrorLaunchFailure);
  REQUIRE(hipMemset(b.data, 0, Side::bytes) == hipErrorLaunchFailure);
  for (int i = 0; i < 1000 && told == -1; ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  REQUIRE(told == hipErrorLaunchFailure);
  REQUIRE(hipStreamWaitEvent(b.streams[1], event, 0) == hipErrorLaunchFailure);
}
