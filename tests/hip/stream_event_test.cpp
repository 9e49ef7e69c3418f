// HIP API reference: Stream management; Event management. Order and driver calls are tested in tests/queue.
#include "fixture.h"

#include <chrono>
#include <cmath>
#include <cstdlib>
#include <memory>
#include <set>
#include <thread>

using namespace fixture;

TEST_CASE("hip stream: flags and priorities are kept") {
  int least = 0, greatest = 0;
  REQUIRE_HIP(hipDeviceGetStreamPriorityRange(&least, &greatest));
  REQUIRE(greatest < least);
  hipStream_t stream = nullptr;
  REQUIRE_HIP(hipStreamCreateWithPriority(&stream, hipStreamNonBlocking, greatest));
  unsigned flags = 0;
  int priority = 0;
  REQUIRE_HIP(hipStreamGetFlags(stream, &flags));
  REQUIRE(flags == hipStreamNonBlocking);
  REQUIRE_HIP(hipStreamGetPriority(stream, &priority));
  REQUIRE(priority == greatest);
  REQUIRE_HIP(hipStreamDestroy(stream));
  REQUIRE_HIP(hipStreamCreateWithPriority(&stream, hipStreamDefault, greatest - 100));
  REQUIRE_HIP(hipStreamGetPriority(stream, &priority));
  REQUIRE(priority == greatest);
  hipDevice_t device = -1;
  REQUIRE_HIP(hipStreamGetDevice(stream, &device));
  REQUIRE(device == 0);
  REQUIRE_HIP(hipStreamDestroy(stream));
}

TEST_CASE("hip stream: the default streams have flags and a priority") {
  for (hipStream_t stream : {hipStream_t(nullptr), hipStreamLegacy, hipStreamPerThread}) {
    unsigned flags = 77;
    int priority = 77;
    if (stream) {
      REQUIRE_HIP(hipStreamGetFlags(stream, &flags));
      REQUIRE(flags == hipStreamDefault);
    } else {
      REQUIRE(hipStreamGetFlags(stream, &flags) == hipErrorInvalidValue);
      REQUIRE_HIP(hipStreamGetFlags_spt(stream, &flags));
    }
    REQUIRE_HIP(hipStreamGetPriority(stream, &priority));
    REQUIRE(priority == 0);
  }
}

TEST_CASE("hip stream: bad flags and handles are refused") {
  hipStream_t stream = nullptr;
  REQUIRE(hipStreamCreate(nullptr) == hipErrorInvalidValue);
  REQUIRE(hipStreamCreateWithFlags(&stream, 0x77) == hipErrorInvalidValue);
  REQUIRE(hipStreamDestroy(nullptr) == hipErrorInvalidResourceHandle);
  REQUIRE(hipStreamDestroy(hipStreamPerThread) == hipErrorInvalidResourceHandle);
  REQUIRE_HIP(hipStreamCreate(&stream));
  REQUIRE_HIP(hipStreamDestroy(stream));
  REQUIRE(hipStreamDestroy(stream) == hipErrorContextIsDestroyed);
  REQUIRE(hipStreamSynchronize(stream) == hipErrorContextIsDestroyed);
  REQUIRE(hipStreamQuery(stream) == hipErrorContextIsDestroyed);
  REQUIRE(hipStreamSynchronize(reinterpret_cast<hipStream_t>(-1)) == hipErrorContextIsDestroyed);
  REQUIRE(hipStreamWaitEvent(nullptr, nullptr, 0) == hipErrorInvalidHandle);
  Event event;
  REQUIRE(hipStreamWaitEvent(nullptr, event, 1) == hipErrorInvalidValue);
}

TEST_CASE("hip stream: thousands are created and destroyed") {
  for (int i = 0; i < 2000; ++i) {
    Streams streams(2);
    REQUIRE_HIP(hipStreamSynchronize(streams[i % 2]));
  }
}

TEST_CASE("hip stream: each thread has its own default stream") {
  hipFunction_t nothing = function("nothing");
  for (int i = 0; i < 20; ++i) {
    hipError_t errors[3];
    std::thread([&] {
      errors[0] = launch(nothing, hipStreamPerThread, 1);
      errors[1] = hipStreamSynchronize(hipStreamPerThread);
      errors[2] = hipStreamSynchronize_spt(nullptr);
    }).join();
    for (hipError_t error : errors)
      REQUIRE_HIP(error);
  }
}

TEST_CASE("hip event: bad flags and handles are refused") {
  hipEvent_t event = nullptr;
  REQUIRE_HIP(hipEventCreate(&event));
  REQUIRE(hipStreamWaitEvent(reinterpret_cast<hipStream_t>(0xffff), event, 0) ==
          hipErrorInvalidHandle);
  REQUIRE_HIP(hipEventDestroy(event));
  REQUIRE(hipEventCreate(nullptr) == hipErrorInvalidValue);
  REQUIRE(hipEventCreateWithFlags(&event, 0x8000) == hipErrorInvalidValue);
  REQUIRE(hipEventCreateWithFlags(&event, hipEventInterprocess) == hipErrorInvalidValue);
  REQUIRE(hipEventRecord(nullptr, nullptr) == hipErrorInvalidHandle);
  REQUIRE(hipEventQuery(nullptr) == hipErrorInvalidHandle);
  REQUIRE(hipEventSynchronize(nullptr) == hipErrorInvalidHandle);
  REQUIRE(hipEventDestroy(nullptr) == hipErrorInvalidHandle);
  REQUIRE_HIP(hipEventCreate(&event));
  REQUIRE_HIP(hipEventDestroy(event));
  REQUIRE(hipEventDestroy(event) == hipErrorContextIsDestroyed);
  REQUIRE(hipEventRecord(event, nullptr) == hipErrorInvalidHandle);
}

TEST_CASE("hip event: one that was never recorded is complete") {
  Event event;
  REQUIRE_HIP(hipEventQuery(event));
  REQUIRE_HIP(hipEventSynchronize(event));
}

TEST_CASE("hip event: elapsed time needs two timed and recorded events") {
  Event timed(hipEventDefault), other(hipEventDefault), untimed(hipEventDisableTiming);
  float ms = 0;
  REQUIRE(hipEventElapsedTime(nullptr, timed, other) == hipErrorInvalidValue);
  REQUIRE(hipEventElapsedTime(&ms, nullptr, other) == hipErrorInvalidHandle);
  REQUIRE(hipEventElapsedTime(&ms, timed, other) == hipErrorInvalidHandle);
  REQUIRE_HIP(hipEventRecord(timed, nullptr));
  REQUIRE_HIP(hipEventRecord(untimed, nullptr));
  REQUIRE(hipEventElapsedTime(&ms, timed, untimed) == hipErrorInvalidHandle);
  REQUIRE_HIP(hipStreamSynchronize(nullptr));
  REQUIRE_HIP(hipEventElapsedTime(&ms, timed, timed));
  REQUIRE(ms == 0);
}

TEST_CASE("hip event: an event is recorded hundreds of times without a wait") {
  Streams streams(1);
  Event event(hipEventDefault), plain;
  hipFunction_t nothing = function("nothing");
  for (int i = 0; i < 500; ++i) {
    REQUIRE_HIP(launch(nothing, streams[0], 1));
    REQUIRE_HIP(hipEventRecord(event, streams[0]));
    REQUIRE_HIP(hipEventRecord(plain, streams[0]));
  }
  REQUIRE_HIP(hipStreamSynchronize(streams[0]));
  REQUIRE_HIP(hipEventQuery(event));
  REQUIRE_HIP(hipEventQuery(plain));
}

TEST_CASE("hip stream: each has a number of its own, recycled or not") {
  std::set<unsigned long long> numbers;
  for (int i = 0; i < 10; ++i) {
    Streams streams(2);
    for (hipStream_t stream : streams) {
      unsigned long long number = 0;
      REQUIRE_HIP(hipStreamGetId(stream, &number));
      REQUIRE(numbers.insert(number).second);
    }
  }
  unsigned long long first = 0, second = 0;
  REQUIRE_HIP(hipStreamGetId(nullptr, &first));
  REQUIRE_HIP(hipStreamGetId(hipStreamLegacy, &second));
  REQUIRE(first == second);
  REQUIRE(numbers.insert(first).second);
  REQUIRE_HIP(hipStreamGetId(hipStreamPerThread, &second));
  REQUIRE(numbers.insert(second).second);
  REQUIRE(hipStreamGetId(nullptr, nullptr) == hipErrorInvalidValue);
}

TEST_CASE("hip stream: a mask of compute units is remembered") {
  hipStream_t stream = nullptr;
  const uint32_t wanted[2] = {0x5, 0};
  uint32_t seen[32]{};
  REQUIRE_HIP(hipExtStreamCreateWithCUMask(&stream, 2, wanted));
  REQUIRE_HIP(hipExtStreamGetCUMask(stream, 32, seen));
  REQUIRE(seen[0] == 0x5);
  REQUIRE_HIP(hipStreamDestroy(stream));
  REQUIRE_HIP(hipStreamCreate(&stream));
  REQUIRE_HIP(hipExtStreamGetCUMask(stream, 32, seen));
  REQUIRE(seen[0] != 0x5); // all units, and not the mask of the stream before
  REQUIRE(hipExtStreamGetCUMask(stream, 0, seen) == hipErrorInvalidValue);
  REQUIRE(hipExtStreamGetCUMask(stream, 32, nullptr) == hipErrorInvalidValue);
  REQUIRE_HIP(hipStreamDestroy(stream));
  REQUIRE(hipExtStreamCreateWithCUMask(&stream, 0, wanted) == hipErrorInvalidValue);
  REQUIRE(hipExtStreamCreateWithCUMask(&stream, 2, nullptr) == hipErrorInvalidValue);
  REQUIRE(hipExtStreamCreateWithCUMask(nullptr, 2, wanted) == hipErrorInvalidValue);
}

TEST_CASE("hip event: elapsed times add up, also where the device's timer wraps around",
          "[timer]") {
  constexpr int records = 8;
  hipFunction_t nothing = function("nothing");
  std::vector<std::unique_ptr<Event>> events;
  for (int i = 0; i < records; ++i) {
    events.push_back(std::make_unique<Event>(hipEventDefault));
    REQUIRE_HIP(launch(nothing, nullptr, 1));
    REQUIRE_HIP(hipEventRecord(*events.back(), nullptr));
    REQUIRE_HIP(hipEventSynchronize(*events.back()));
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  float sum = 0, all = 0, back = 0;
  for (int i = 1; i < records; ++i) {
    float ms = -1;
    REQUIRE_HIP(hipEventElapsedTime(&ms, *events[size_t(i - 1)], *events[size_t(i)]));
    if (std::getenv("CHIP_DEVICE")) // the simulated device has no timer
      REQUIRE(ms >= 9);
    sum += ms;
  }
  REQUIRE_HIP(hipEventElapsedTime(&all, *events.front(), *events.back()));
  REQUIRE_HIP(hipEventElapsedTime(&back, *events.back(), *events.front()));
  REQUIRE(std::abs(all - sum) < 0.01f);
  REQUIRE(back == -all);
}
