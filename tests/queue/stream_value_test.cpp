// HIP API reference: Stream memory operations.
#include "fixture.h"

#include <atomic>
#include <chrono>
#include <thread>

using namespace fixture;

namespace {

/// Memory that streams wait on.
template <class T> struct Signal {
  Signal() {
    REQUIRE_HIP(hipExtMallocWithFlags(reinterpret_cast<void **>(&value), 8, hipMallocSignalMemory));
    *value = 0;
  }
  ~Signal() { CHECK(hipFree(value) == hipSuccess); }
  void set(T next) { std::atomic_ref(*value).store(next); }
  T *value = nullptr;
};

/// Whether the stream still waits after a while in which it would have gone on.
bool still_waits(hipStream_t stream) {
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  return hipStreamQuery(stream) == hipErrorNotReady;
}

} // namespace

TEST_CASE("queue stream value: a wait holds back what comes later, and only in its stream") {
  Signal<uint32_t> signal;
  HostMemory<int> numbers(2);
  Streams streams(2);
  hipFunction_t add = function("add");
  REQUIRE_HIP(hipStreamWaitValue32(streams[0], signal.value, 5, hipStreamWaitValueGte));
  REQUIRE_HIP(launch(add, streams[0], 1, numbers.get(), 1));
  REQUIRE_HIP(launch(add, streams[1], 1, numbers.get() + 1, 1));
  REQUIRE_HIP(hipStreamSynchronize(streams[1]));
  signal.set(4);
  REQUIRE(still_waits(streams[0]));
  REQUIRE(numbers[0] == 0);
  signal.set(6);
  REQUIRE_HIP(hipStreamSynchronize(streams[0]));
  REQUIRE(numbers[0] == 1);
}

TEST_CASE("queue stream value: one stream writes what the other waits for") {
  Signal<uint64_t> signal;
  HostMemory<long long> order(1);
  Streams streams(2, hipStreamNonBlocking);
  hipFunction_t quick = function("append_digit"), late = function("slow_append_digit");
  REQUIRE_HIP(hipStreamWaitValue64(streams[1], signal.value, 1ull << 40, hipStreamWaitValueEq));
  REQUIRE_HIP(launch(quick, streams[1], 1, order.get(), 2));
  REQUIRE_HIP(launch(late, streams[0], 1, order.get(), 1, 2'000'000));
  REQUIRE_HIP(hipStreamWriteValue64(streams[0], signal.value, 1ull << 40, 0));
  REQUIRE_HIP(hipDeviceSynchronize());
  REQUIRE(order[0] == 12);
  REQUIRE(*signal.value == 1ull << 40);
  REQUIRE_HIP(hipStreamWriteValue32(nullptr, signal.value, 7, 0));
  REQUIRE_HIP(hipDeviceSynchronize());
  REQUIRE(*signal.value == (1ull << 40 | 7)); // only the low half
}

TEST_CASE("queue stream value: values in memory of the device are waited for too") {
  void *value = nullptr;
  REQUIRE_HIP(hipMalloc(&value, 8));
  REQUIRE_HIP(hipMemset(value, 0, 8));
  HostMemory<int> number(1);
  Streams streams(2, hipStreamNonBlocking);
  for (int bytes : {4, 8}) {
    const int target = bytes; // greater than what was there
    if (bytes == 4)
      REQUIRE_HIP(hipStreamWaitValue32(streams[0], value, 4, hipStreamWaitValueGte));
    else
      REQUIRE_HIP(hipStreamWaitValue64(streams[0], value, 8, hipStreamWaitValueGte));
    REQUIRE_HIP(launch(function("add"), streams[0], 1, number.get(), 1));
    REQUIRE(still_waits(streams[0]));
    REQUIRE_HIP(hipStreamWriteValue64(streams[1], value, uint64_t(target), 0));
    REQUIRE_HIP(hipStreamSynchronize(streams[0]));
  }
  REQUIRE(number[0] == 2);
  REQUIRE_HIP(hipFree(value));
}

TEST_CASE("queue stream value: a wait ends as its condition and mask say") {
  struct Case {
    unsigned condition;
    uint32_t value, mask, waits_with, goes_on_with;
  };
  const Case cases[] = {
      {hipStreamWaitValueGte, 0x10, 0xff, 0x10f, 0x210},
      {hipStreamWaitValueEq, 0x3, 0xf, 0x2, 0xf3},
      {hipStreamWaitValueAnd, 0x6, 0xfffffffe, 0x9, 0x4},
      {hipStreamWaitValueNor, 0xfffffff0, 0xffffffff, 0xf, 0xe},
  };
  Streams streams(1);
  for (const Case &c : cases) {
    CAPTURE(c.condition);
    Signal<uint32_t> signal;
    signal.set(c.waits_with);
    REQUIRE_HIP(hipStreamWaitValue32(streams[0], signal.value, c.value, c.condition, c.mask));
    REQUIRE(still_waits(streams[0]));
    signal.set(c.goes_on_with);
    REQUIRE_HIP(hipStreamSynchronize(streams[0]));
  }
}

TEST_CASE("queue stream value: a batch runs in order") {
  Signal<uint32_t> go, done;
  hipStreamBatchMemOpParams operations[3]{};
  operations[0].operation = hipStreamMemOpWaitValue32;
  operations[0].waitValue.address = go.value;
  operations[0].waitValue.value = 1;
  operations[0].waitValue.flags = hipStreamWaitValueEq;
  operations[1].operation = hipStreamMemOpBarrier;
  operations[2].operation = hipStreamMemOpWriteValue32;
  operations[2].writeValue.address = done.value;
  operations[2].writeValue.value = 9;
  Streams streams(1);
  REQUIRE_HIP(hipStreamBatchMemOp(streams[0], 3, operations, 0));
  REQUIRE(still_waits(streams[0]));
  REQUIRE(*done.value == 0);
  go.set(1);
  REQUIRE_HIP(hipStreamSynchronize(streams[0]));
  REQUIRE(*done.value == 9);
  REQUIRE(hipStreamBatchMemOp(streams[0], 0, operations, 0) == hipErrorInvalidValue);
  REQUIRE(hipStreamBatchMemOp(streams[0], 1, nullptr, 0) == hipErrorInvalidValue);
  operations[0].operation = hipStreamBatchMemOpType(99);
  REQUIRE(hipStreamBatchMemOp(streams[0], 1, operations, 0) == hipErrorInvalidValue);
}

TEST_CASE("queue stream value: bad addresses and unknown flags are refused") {
  Signal<uint64_t> signal;
  int ordinary = 0;
  void *device_memory = nullptr;
  REQUIRE_HIP(hipMalloc(&device_memory, 8));
  char *bytes = reinterpret_cast<char *>(signal.value);
  REQUIRE(hipStreamWaitValue32(nullptr, &ordinary, 1, hipStreamWaitValueEq) ==
          hipErrorInvalidValue);
  REQUIRE(hipStreamWaitValue32(nullptr, nullptr, 1, hipStreamWaitValueEq) == hipErrorInvalidValue);
  REQUIRE(hipStreamWaitValue64(nullptr, static_cast<char *>(device_memory) + 8, 1,
                               hipStreamWaitValueEq) == hipErrorInvalidValue);
  REQUIRE(hipStreamWaitValue32(nullptr, signal.value, 1, 4) == hipErrorInvalidValue);
  REQUIRE(hipStreamWaitValue64(nullptr, bytes + 4, 1, hipStreamWaitValueEq) ==
          hipErrorInvalidValue);
  REQUIRE(hipStreamWriteValue32(nullptr, bytes + 2, 1, 0) == hipErrorInvalidValue);
  REQUIRE(hipStreamWriteValue32(nullptr, bytes, 1, 1) == hipErrorInvalidValue);
  REQUIRE_HIP(hipStreamWriteValue64(nullptr, device_memory, 1, 0));
  REQUIRE_HIP(hipFree(device_memory));
  int can = 0;
  REQUIRE_HIP(hipDeviceGetAttribute(&can, hipDeviceAttributeCanUseStreamWaitValue, 0));
  REQUIRE(can == 1);
}
