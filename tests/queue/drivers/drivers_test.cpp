// Two devices whose Level Zero drivers know nothing of each other: two copies of the CPU driver in one process.
#include "../counted.h"
#include "side.h"

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace fixture;
using namespace counted;

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
  // On no bus, they have addresses all the same, by which programs tell devices apart.
  char buses[2][32] = {};
  for (int device : {0, 1})
    REQUIRE_HIP(hipDeviceGetPCIBusId(buses[device], sizeof buses[device], device));
  REQUIRE(std::string(buses[0]) != buses[1]);
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

// ---- Copies

TEST_CASE("drivers: copies go from driver to driver, in a stream of either") {
  Side a(0), b(1);
  for (const Side *current : {&a, &b}) {
    const auto values = numbers(1000 * current->device);
    a.select();
    REQUIRE_HIP(hipMemcpy(a.data, values.data(), Side::bytes, hipMemcpyHostToDevice));
    current->select();
    REQUIRE_HIP(hipMemcpy(b.data, a.data, Side::bytes, hipMemcpyDeviceToDevice));
    REQUIRE(b.values() == values);
    REQUIRE_HIP(hipMemsetAsync(b.data, 1, Side::bytes, current->streams[0]));
    REQUIRE_HIP(hipMemcpyAsync(a.data, b.data, Side::bytes, hipMemcpyDefault, current->streams[0]));
    REQUIRE_HIP(hipStreamSynchronize(current->streams[0]));
    REQUIRE(a.values() == std::vector<int>(Side::count, 0x01010101));
    REQUIRE_HIP(hipMemcpyPeer(a.data, 0, b.data, 1, Side::bytes));
    REQUIRE_HIP(hipMemcpyPeerAsync(b.data, 1, a.data, 0, Side::bytes, current->streams[0]));
    REQUIRE_HIP(hipStreamSynchronize(current->streams[0]));
  }
  REQUIRE(hipMemcpy(b.data, a.data, Side::bytes + 1, hipMemcpyDefault) == hipErrorInvalidValue);
}

TEST_CASE("drivers: a copy is made by one list that reaches both sides, or by one for each",
          "[calls]") {
  Side a(0), b(1);
  const char *without = std::getenv("CHIP_WITHOUT");
  const bool is_staged = without && std::strstr(without, "host_memory");
  const auto copies = [](auto &&copy) {
    Calls calls = calls_of(copy);
    return std::pair(calls["zeCommandListAppendMemoryCopy"],
                     calls["zeCommandListAppendMemoryCopyRegion"]);
  };
  const std::pair<uint64_t, uint64_t> one{1, 0}, one_box{0, 1}, staged{0, 2};
  REQUIRE(copies([&] { (void)hipMemcpy(b.data, a.data, Side::bytes, hipMemcpyDefault); }) ==
          (is_staged ? staged : one));
  REQUIRE(copies([&] { (void)hipMemcpy2D(b.data, 512, a.data, 256, 128, 16, hipMemcpyDefault); }) ==
          (is_staged ? staged : one_box));
  HostMemory<int> host(16);
  a.select();
  REQUIRE(copies([&] { (void)hipMemcpy(b.data, host.get(), 64, hipMemcpyDefault); }) == one);
}

TEST_CASE("drivers: a copy larger than what is staged at once arrives whole") {
  constexpr size_t count = (9 << 20) / sizeof(int) + 3;
  int *memory[2];
  std::vector<int> values(count), out(count);
  for (size_t i = 0; i < count; ++i)
    values[i] = int(i);
  for (int device : {0, 1}) {
    REQUIRE_HIP(hipSetDevice(device));
    REQUIRE_HIP(hipMalloc(reinterpret_cast<void **>(&memory[device]), count * sizeof(int)));
  }
  REQUIRE_HIP(hipMemcpy(memory[0], values.data(), count * sizeof(int), hipMemcpyDefault));
  REQUIRE_HIP(hipMemcpy(memory[1], memory[0], count * sizeof(int), hipMemcpyDefault));
  REQUIRE_HIP(hipMemcpy(out.data(), memory[1], count * sizeof(int), hipMemcpyDefault));
  REQUIRE(out == values);
  for (int *pointer : memory)
    REQUIRE_HIP(hipFree(pointer));
}

TEST_CASE(
    "drivers: a copy comes after the work of its stream, and of both devices if it has none") {
  Side a(0), b(1);
  for (const bool has_stream : {false, true}) {
    HostMemory<int> gate(1);
    a.select();
    REQUIRE_HIP(hipMemset(a.data, 0, Side::bytes));
    Streams stream(1);
    REQUIRE_HIP(launch(a.wait_for_flag, stream[0], 1, gate.get()));
    REQUIRE_HIP(hipMemsetAsync(a.data, 7, Side::bytes, stream[0]));
    if (!has_stream)
      b.select();
    std::jthread opener([&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(30));
      open(gate);
    });
    if (has_stream)
      REQUIRE_HIP(hipMemcpyAsync(b.data, a.data, Side::bytes, hipMemcpyDefault, stream[0]));
    else
      REQUIRE_HIP(hipMemcpyPeer(b.data, 1, a.data, 0, Side::bytes));
    REQUIRE_HIP(hipStreamSynchronize(stream[0]));
    REQUIRE(b.values()[0] == 0x07070707);
  }
}

TEST_CASE("drivers: boxes and arrays are copied from driver to driver") {
  Side a(0), b(1);
  constexpr size_t width = 100 * sizeof(int), pitch = 128 * sizeof(int), height = 20;
  const auto values = numbers(5);
  REQUIRE_HIP(hipMemcpy(a.data, values.data(), Side::bytes, hipMemcpyDefault));
  for (const Side *current : {&a, &b}) {
    current->select();
    REQUIRE_HIP(hipMemset(b.data, 0, Side::bytes));
    REQUIRE_HIP(hipMemcpy2D(b.data, pitch, a.data, width, width, height, hipMemcpyDefault));
    const auto out = b.values();
    for (size_t y = 0; y < height; ++y) {
      REQUIRE(out[y * 128] == values[y * 100]);
      REQUIRE(out[y * 128 + 99] == values[y * 100 + 99]);
      REQUIRE(out[y * 128 + 100] == 0);
    }
    REQUIRE_HIP(hipMemset2DAsync(a.data, pitch, 3, width, height, current->streams[0]));
    REQUIRE_HIP(hipStreamSynchronize(current->streams[0]));
    REQUIRE(a.values()[129] == 0x03030303);
    REQUIRE_HIP(hipMemcpy(a.data, values.data(), Side::bytes, hipMemcpyDefault));
  }
  b.select();
  const hipChannelFormatDesc element =
      hipCreateChannelDesc(32, 0, 0, 0, hipChannelFormatKindSigned);
  hipArray_t array = nullptr;
  REQUIRE_HIP(hipMallocArray(&array, &element, 100, height, hipArrayDefault));
  REQUIRE_HIP(hipMemcpy2DToArray(array, 0, 0, a.data, width, width, height, hipMemcpyDefault));
  std::vector<int> out(100 * height);
  REQUIRE_HIP(
      hipMemcpy2DFromArray(out.data(), width, array, 0, 0, width, height, hipMemcpyDefault));
  REQUIRE(std::equal(out.begin(), out.end(), values.begin()));
  REQUIRE_HIP(hipFreeArray(array));
}

TEST_CASE("drivers: a stream fills and writes memory of another driver in its own order") {
  Side a(0), b(1);
  HostMemory<int> gate(1);
  b.select();
  REQUIRE_HIP(launch(b.wait_for_flag, b.streams[0], 1, gate.get()));
  REQUIRE_HIP(hipMemsetD32Async(a.data, 11, Side::count, b.streams[0]));
  REQUIRE_HIP(hipStreamWriteValue32(b.streams[0], a.data + 1, 12, 0));
  REQUIRE_HIP(hipStreamWaitValue32(b.streams[1], a.data + 1, 12, hipStreamWaitValueEq, ~0u));
  REQUIRE_HIP(launch(b.add, b.streams[1], 1, b.data, 1));
  REQUIRE(a.values()[0] == 0);
  open(gate);
  REQUIRE_HIP(hipDeviceSynchronize());
  REQUIRE(a.values()[0] == 11);
  REQUIRE(a.values()[1] == 12);
  REQUIRE(b.values()[0] == 1);
}

// ---- Memory

TEST_CASE("drivers: memory of a pool that another driver's stream frees is not given out before") {
  Side a(0), b(1);
  HostMemory<int> gate(1);
  a.select();
  void *first = nullptr, *second = nullptr, *third = nullptr;
  REQUIRE_HIP(hipMallocAsync(&first, 1 << 21, a.streams[0])); // a block that is a chunk of its own
  Event made, used;
  REQUIRE_HIP(hipEventRecord(made, a.streams[0]));
  b.select();
  REQUIRE_HIP(hipStreamWaitEvent(b.streams[0], made, 0));
  REQUIRE_HIP(launch(b.wait_for_flag, b.streams[0], 1, gate.get()));
  REQUIRE_HIP(hipFreeAsync(first, b.streams[0]));
  a.select();
  REQUIRE_HIP(hipMallocAsync(&second, 1 << 21, a.streams[0]));
  REQUIRE(second != first);
  open(gate);
  REQUIRE_HIP(hipStreamSynchronize(b.streams[0]));
  REQUIRE_HIP(hipMallocAsync(&third, 1 << 21, a.streams[0]));
  REQUIRE(third == first);
  REQUIRE_HIP(hipFreeAsync(second, a.streams[0]));
  REQUIRE_HIP(hipFreeAsync(third, a.streams[0]));
  REQUIRE_HIP(hipStreamSynchronize(a.streams[0]));
}

TEST_CASE("drivers: host memory of one driver is memory to copies of another") {
  Side a(0), b(1);
  const auto values = numbers(9);
  a.select();
  HostMemory<int> host(Side::count);
  int *managed = nullptr;
  REQUIRE_HIP(hipMallocManaged(reinterpret_cast<void **>(&managed), Side::bytes));
  std::memcpy(host.get(), values.data(), Side::bytes);
  std::vector<int> own(values);
  REQUIRE_HIP(hipHostRegister(own.data(), Side::bytes, 0));
  b.select();
  for (int *source : {host.get(), own.data()}) {
    REQUIRE_HIP(hipMemsetAsync(b.data, 0, Side::bytes, b.streams[0]));
    REQUIRE_HIP(hipMemcpyAsync(b.data, source, Side::bytes, hipMemcpyDefault, b.streams[0]));
    REQUIRE_HIP(hipMemcpyAsync(managed, b.data, Side::bytes, hipMemcpyDefault, b.streams[0]));
    REQUIRE_HIP(hipMemPrefetchAsync(managed, Side::bytes, 1, b.streams[0]));
    REQUIRE_HIP(hipStreamSynchronize(b.streams[0]));
    REQUIRE(std::memcmp(managed, values.data(), Side::bytes) == 0);
  }
  REQUIRE_HIP(hipHostUnregister(own.data()));
  REQUIRE_HIP(hipFree(managed));
}

TEST_CASE("drivers: memory is freed when copies of other drivers' streams have read it") {
  Side a(0), b(1);
  HostMemory<int> gate(1);
  b.select();
  REQUIRE_HIP(launch(b.wait_for_flag, b.streams[0], 1, gate.get()));
  a.select();
  int *memory = nullptr;
  REQUIRE_HIP(hipMalloc(reinterpret_cast<void **>(&memory), Side::bytes));
  REQUIRE_HIP(hipMemset(memory, 5, Side::bytes));
  std::jthread opener([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(30));
    open(gate);
  });
  REQUIRE_HIP(hipMemcpyAsync(b.data, memory, Side::bytes, hipMemcpyDefault, b.streams[0]));
  REQUIRE_HIP(hipFree(memory));
  REQUIRE(hipStreamQuery(b.streams[0]) == hipSuccess);
  REQUIRE(b.values()[0] == 0x05050505);
}

TEST_CASE("drivers: both go on when the process has forked") {
  Side a(0), b(1);
  for (const Side *side : {&a, &b})
    REQUIRE_HIP(launch(side->add, side->streams[0], 1, side->data, 1));
  const pid_t child = fork();
  REQUIRE(child >= 0);
  if (child == 0)
    _exit(7);
  int status = 0;
  REQUIRE(waitpid(child, &status, 0) == child);
  REQUIRE(WIFEXITED(status));
  REQUIRE(WEXITSTATUS(status) == 7);
  for (const Side *side : {&a, &b}) {
    REQUIRE_HIP(launch(side->add, side->streams[0], 1, side->data, 1));
    REQUIRE_HIP(hipStreamSynchronize(side->streams[0]));
    REQUIRE(side->values()[0] == 2);
  }
}

// ---- Losses, of which losses/loss_test.cpp has more

TEST_CASE("drivers: a device whose stream waits for lost work of another driver is lost") {
  Side &a = kept<Side>(0), &b = kept<Side>(1); // nothing is to be had of lost devices
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

TEST_CASE("drivers: each tells of its own faults, in turns") {
  Side &a = kept<Side>(0), &b = kept<Side>(1);
  const auto fault = [](const Side &side) {
    REQUIRE_HIP(launch(side.add, side.streams[0], 1, reinterpret_cast<int *>(64), 1));
    REQUIRE(hipStreamSynchronize(side.streams[0]) == hipErrorLaunchFailure);
  };
  fault(a);
  REQUIRE_HIP(launch(b.add, b.streams[0], 1, b.data, 1));
  REQUIRE_HIP(hipStreamSynchronize(b.streams[0]));
  fault(b);
}
