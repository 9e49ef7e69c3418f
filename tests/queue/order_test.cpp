// HIP's ordering rules as results: kernels write down the order in which they ran.
#include "fixture.h"

#include <atomic>
#include <chrono>
#include <numeric>
#include <thread>

using namespace fixture;

namespace {

constexpr int slow = 2'000'000; // rounds of the slow kernel: some milliseconds

struct Order {
  HostMemory<long long> value{1};
  hipFunction_t fast = function("append_digit");
  hipFunction_t late = function("slow_append_digit");

  void quick(hipStream_t stream, int digit) {
    REQUIRE_HIP(launch(fast, stream, 1, value.get(), digit));
  }
  void slowly(hipStream_t stream, int digit) {
    REQUIRE_HIP(launch(late, stream, 1, value.get(), digit, slow));
  }
  long long result() {
    REQUIRE_HIP(hipDeviceSynchronize());
    return value[0];
  }
};

/// A stream that is busy until released.
class Blocker {
public:
  explicit Blocker(hipStream_t stream) {
    REQUIRE_HIP(launch(function("wait_for_flag"), stream, 1, flag_.get()));
  }
  ~Blocker() { release(); }
  void release() { reinterpret_cast<std::atomic<int> *>(flag_.get())->store(1); }

private:
  HostMemory<int> flag_{1};
};

} // namespace

TEST_CASE("queue order: one stream runs in order") {
  Order order;
  Streams streams(1);
  order.slowly(streams[0], 1);
  order.quick(streams[0], 2);
  order.slowly(streams[0], 3);
  order.quick(streams[0], 4);
  REQUIRE(order.result() == 1234);
}

TEST_CASE("queue order: the null stream comes after blocking streams and they after it") {
  Order order;
  Streams streams(2);
  order.slowly(streams[0], 1);
  order.slowly(nullptr, 2);
  order.quick(streams[1], 3);
  order.slowly(streams[1], 4);
  order.quick(nullptr, 5);
  order.quick(streams[0], 6);
  REQUIRE(order.result() == 123456);
}

TEST_CASE("queue order: hipStreamLegacy is the null stream") {
  Order order;
  Streams streams(1);
  order.slowly(streams[0], 1);
  order.slowly(hipStreamLegacy, 2);
  order.quick(streams[0], 3);
  REQUIRE(order.result() == 123);
}

TEST_CASE("queue order: the per-thread stream is a blocking stream of its own") {
  Order order;
  order.slowly(hipStreamPerThread, 1);
  order.slowly(nullptr, 2);
  order.quick(hipStreamPerThread, 3);
  REQUIRE(order.result() == 123);
}

TEST_CASE("queue order: a non-blocking stream runs beside a busy null stream") {
  Order order;
  Streams streams(1, hipStreamNonBlocking);
  Blocker blocker(nullptr);
  order.quick(streams[0], 7);
  REQUIRE_HIP(hipStreamSynchronize(streams[0]));
  REQUIRE(order.value[0] == 7);
  REQUIRE(hipStreamQuery(nullptr) == hipErrorNotReady);
  blocker.release();
  REQUIRE_HIP(hipDeviceSynchronize());
}

TEST_CASE("queue order: two blocking streams run beside each other") {
  Order order;
  Streams streams(2);
  Blocker blocker(streams[0]);
  order.quick(streams[1], 7);
  REQUIRE_HIP(hipStreamSynchronize(streams[1]));
  REQUIRE(order.value[0] == 7);
  REQUIRE(hipStreamQuery(streams[0]) == hipErrorNotReady);
  blocker.release();
  REQUIRE_HIP(hipStreamSynchronize(streams[0]));
}

TEST_CASE("queue order: an event orders one stream after another") {
  Order order;
  Streams streams(2, hipStreamNonBlocking);
  Event event;
  order.slowly(streams[0], 1);
  REQUIRE_HIP(hipEventRecord(event, streams[0]));
  REQUIRE_HIP(hipStreamWaitEvent(streams[1], event, 0));
  order.quick(streams[1], 2);
  REQUIRE(order.result() == 12);
}

TEST_CASE("queue order: a wait means the record before it, whatever is recorded later") {
  Order order;
  Streams streams(3, hipStreamNonBlocking);
  Event event;
  order.slowly(streams[0], 1);
  REQUIRE_HIP(hipEventRecord(event, streams[0]));
  REQUIRE_HIP(hipStreamWaitEvent(streams[1], event, 0));
  Blocker blocker(streams[2]);
  REQUIRE_HIP(hipEventRecord(
      event, streams[2])); // while the first record is in flight and the wait not yet submitted
  order.quick(streams[1], 2);
  REQUIRE_HIP(hipStreamSynchronize(streams[1])); // would hang if it waited for the second record
  REQUIRE(order.value[0] == 12);
  REQUIRE(hipEventQuery(event) == hipErrorNotReady);
  blocker.release();
  REQUIRE_HIP(hipEventSynchronize(event));
}

TEST_CASE("queue order: a later record of another event leaves an earlier one alone") {
  Order order;
  Streams streams(1, hipStreamNonBlocking);
  Event first, second;
  order.slowly(streams[0], 1);
  REQUIRE_HIP(hipEventRecord(first, streams[0]));
  Blocker blocker(streams[0]);
  REQUIRE_HIP(hipEventRecord(second, streams[0]));
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  while (hipEventQuery(first) == hipErrorNotReady && std::chrono::steady_clock::now() < deadline)
    std::this_thread::yield();
  REQUIRE(hipEventQuery(first) == hipSuccess);
  REQUIRE(hipEventQuery(second) == hipErrorNotReady);
  blocker.release();
  REQUIRE_HIP(hipEventSynchronize(second));
}

TEST_CASE("queue order: an event destroyed while a stream waits for it still orders") {
  Order order;
  Streams streams(2, hipStreamNonBlocking);
  order.slowly(streams[0], 1);
  {
    Event event;
    REQUIRE_HIP(hipEventRecord(event, streams[0]));
    REQUIRE_HIP(hipStreamWaitEvent(streams[1], event, 0));
  }
  order.quick(streams[1], 2);
  REQUIRE(order.result() == 12);
}

TEST_CASE("queue order: a wait before any record is nothing") {
  Order order;
  Streams streams(1);
  Event event;
  REQUIRE_HIP(hipStreamWaitEvent(streams[0], event, 0));
  order.quick(streams[0], 1);
  REQUIRE(order.result() == 1);
}

TEST_CASE("queue order: the null stream's wait for an event is between blocking streams, whatever "
          "the event") {
  Order order;
  Streams streams(2);
  Event event;
  order.slowly(streams[0], 1);
  REQUIRE_HIP(hipStreamWaitEvent(nullptr, event, 0));
  order.quick(streams[1], 2);
  REQUIRE(order.result() == 12);
}

TEST_CASE("queue order: an event recorded on the null stream covers blocking streams") {
  Order order;
  Streams blocking(1), other(1, hipStreamNonBlocking);
  Event event;
  order.slowly(blocking[0], 1);
  REQUIRE_HIP(hipEventRecord(event, nullptr));
  REQUIRE_HIP(hipStreamWaitEvent(other[0], event, 0));
  order.quick(other[0], 2);
  REQUIRE(order.result() == 12);
}

TEST_CASE("queue order: synchronising the null stream waits for blocking streams") {
  Order order;
  Streams streams(2);
  order.slowly(streams[0], 1);
  REQUIRE_HIP(hipStreamSynchronize(nullptr));
  REQUIRE(order.value[0] == 1);
}

TEST_CASE("queue order: a synchronous copy comes after blocking streams") {
  Order order;
  Streams streams(1);
  order.slowly(streams[0], 1);
  long long copy = 0;
  REQUIRE_HIP(hipMemcpy(&copy, order.value.get(), sizeof copy, hipMemcpyDefault));
  REQUIRE(copy == 1);
}

TEST_CASE("queue order: a stream destroyed with work pending completes it") {
  Order order;
  hipStream_t stream = nullptr;
  REQUIRE_HIP(hipStreamCreate(&stream));
  order.slowly(stream, 1);
  order.slowly(stream, 2);
  REQUIRE_HIP(hipStreamDestroy(stream));
  REQUIRE(order.result() == 12);
}

TEST_CASE("queue order: the null stream comes after the work of a destroyed stream") {
  Order order;
  hipStream_t stream = nullptr;
  REQUIRE_HIP(hipStreamCreate(&stream));
  order.slowly(stream, 1);
  REQUIRE_HIP(hipStreamDestroy(stream));
  order.quick(nullptr, 2);
  REQUIRE(order.result() == 12);
}

TEST_CASE("queue order: memory is freed only after the work that uses it") {
  Streams streams(1);
  void *device = nullptr;
  REQUIRE_HIP(hipMalloc(&device, 64));
  Blocker blocker(streams[0]);
  std::atomic<bool> freed{false};
  std::thread other([&] {
    (void)hipFree(device);
    freed = true;
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  REQUIRE_FALSE(freed);
  blocker.release();
  other.join();
  REQUIRE(freed);
}

TEST_CASE("queue order: a thread that waits stops no other") {
  Order order;
  Streams streams(2, hipStreamNonBlocking);
  Blocker blocker(streams[0]);
  std::thread waiting([&] { (void)hipStreamSynchronize(streams[0]); });
  std::thread waiting_for_all([&] { (void)hipDeviceSynchronize(); });
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  // Everything here would hang behind a lock that the waiting threads hold.
  order.quick(streams[1], 1);
  order.quick(streams[0], 2);
  Event event;
  REQUIRE_HIP(hipEventRecord(event, streams[1]));
  REQUIRE_HIP(hipEventSynchronize(event));
  REQUIRE(hipStreamQuery(streams[0]) == hipErrorNotReady);
  {
    Streams more(1);
  }
  REQUIRE(order.value[0] == 1);
  blocker.release();
  waiting.join();
  waiting_for_all.join();
  REQUIRE(order.result() == 12);
}

TEST_CASE("queue order: arguments of any size arrive whole, however soon the caller changes them") {
  Streams streams(1);
  HostMemory<int> wrong(1);
  auto run = [&]<size_t words>(const char *name, std::integral_constant<size_t, words>) {
    struct Block {
      int words_[words];
    } block;
    hipFunction_t kernel = function(name);
    Blocker blocker(streams[0]); // nothing runs before all is submitted
    for (int seed = 0; seed < 300; ++seed) {
      std::iota(std::begin(block.words_), std::end(block.words_), seed);
      REQUIRE_HIP(launch(kernel, streams[0], 64, block, wrong.get(), seed));
    }
    std::fill(std::begin(block.words_), std::end(block.words_), -1);
    blocker.release();
    REQUIRE_HIP(hipStreamSynchronize(streams[0]));
    REQUIRE(wrong[0] == 0);
  };
  run("block_1000", std::integral_constant<size_t, 250>());
  run("block_1024", std::integral_constant<size_t, 256>());
  run("block_4080", std::integral_constant<size_t, 1020>());
}

TEST_CASE("queue order: dynamic shared memory is as large as asked") {
  Streams streams(1);
  constexpr unsigned n = 256;
  HostMemory<int> values(n);
  std::iota(values.get(), values.get() + n, 0);
  int *pointer = values.get();
  void *args[] = {&pointer};
  REQUIRE_HIP(hipModuleLaunchKernel(function("reverse"), 1, 1, 1, n, 1, 1, n * sizeof(int),
                                    streams[0], args, nullptr));
  REQUIRE_HIP(hipStreamSynchronize(streams[0]));
  for (unsigned i = 0; i < n; ++i)
    REQUIRE(values[i] == int(n - 1 - i));
}

TEST_CASE("queue order: eight threads on one stream and on their own lose nothing") {
  constexpr int threads = 8, launches = 200;
  hipFunction_t add = function("add");
  HostMemory<int> shared(1), own(threads);
  Streams streams(threads + 1, hipStreamNonBlocking);
  std::vector<std::thread> workers;
  std::atomic<int> failures{0};
  for (int t = 0; t < threads; ++t)
    workers.emplace_back([&, t] {
      for (int i = 0; i < launches; ++i) {
        failures += launch(add, streams[threads], 1, shared.get(), 1) != hipSuccess;
        failures += launch(add, streams[size_t(t)], 1, own.get() + t, 1) != hipSuccess;
        if (i % 50 == 0)
          failures += hipStreamSynchronize(streams[size_t(t)]) != hipSuccess;
      }
    });
  for (std::thread &worker : workers)
    worker.join();
  REQUIRE(failures == 0);
  REQUIRE_HIP(hipDeviceSynchronize());
  REQUIRE(shared[0] == threads * launches);
  for (int t = 0; t < threads; ++t)
    REQUIRE(own[size_t(t)] == launches);
}

TEST_CASE("queue order: threads mixing null, blocking and event-ordered work end in order") {
  constexpr int threads = 4, rounds = 50;
  hipFunction_t add = function("add");
  HostMemory<int> counter(1);
  Streams streams(threads);
  std::vector<std::thread> workers;
  std::atomic<int> failures{0};
  for (int t = 0; t < threads; ++t)
    workers.emplace_back([&, t] {
      for (int i = 0; i < rounds; ++i) {
        // All of this is ordered by the null stream, so the additions need no atomics.
        failures += launch(add, nullptr, 1, counter.get(), 1) != hipSuccess;
        failures += hipStreamSynchronize(streams[size_t(t)]) != hipSuccess;
      }
    });
  for (std::thread &worker : workers)
    worker.join();
  REQUIRE(failures == 0);
  REQUIRE_HIP(hipDeviceSynchronize());
  REQUIRE(counter[0] == threads * rounds);
}

TEST_CASE("queue order: elapsed time is that between the records") {
  Order order;
  Streams streams(1);
  Event start(hipEventDefault), stop(hipEventDefault);
  REQUIRE_HIP(hipEventRecord(start, streams[0]));
  REQUIRE_HIP(hipEventSynchronize(start)); // else it may be late, and the time too short
  {
    Blocker blocker(streams[0]);
    REQUIRE_HIP(hipEventRecord(stop, streams[0]));
    float ms = 0;
    REQUIRE(hipEventElapsedTime(&ms, start, stop) == hipErrorNotReady);
    std::this_thread::sleep_for(std::chrono::milliseconds(30));
  }
  REQUIRE_HIP(hipEventSynchronize(stop));
  float ms = 0;
  REQUIRE_HIP(hipEventElapsedTime(&ms, start, stop));
  REQUIRE(ms >= 29);
  REQUIRE(ms < 10'000);
  float backwards = 0;
  REQUIRE_HIP(hipEventElapsedTime(&backwards, stop, start));
  REQUIRE(backwards == -ms);
}

TEST_CASE("queue order: a host function runs in its stream's place and may block") {
  Order order;
  Streams streams(2, hipStreamNonBlocking);
  struct Seen {
    std::atomic<bool> release{false};
    long long *value;
    std::atomic<long long> at_call{-1};
  } seen{.value = order.value.get()};
  order.slowly(streams[0], 1);
  REQUIRE_HIP(hipLaunchHostFunc(
      streams[0],
      [](void *data) {
        auto &s = *static_cast<Seen *>(data);
        s.at_call = *s.value;
        while (!s.release)
          std::this_thread::yield();
      },
      &seen));
  order.quick(streams[0], 2);
  // The other stream goes on, and so does every call, while the function blocks its own stream.
  HostMemory<long long> other(1);
  REQUIRE_HIP(launch(order.fast, streams[1], 1, other.get(), 5));
  REQUIRE_HIP(hipStreamSynchronize(streams[1]));
  REQUIRE(other[0] == 5);
  REQUIRE(hipStreamQuery(streams[0]) == hipErrorNotReady);
  seen.release = true;
  REQUIRE(order.result() == 12);
  REQUIRE(seen.at_call == 1);
}

TEST_CASE("queue order: a callback is told its stream and runs once") {
  Streams streams(1);
  struct Told {
    std::atomic<int> calls{0};
    hipStream_t stream = nullptr;
    hipError_t status = hipErrorUnknown;
  } told;
  REQUIRE(hipStreamAddCallback(streams[0], nullptr, nullptr, 0) == hipErrorInvalidValue);
  auto callback = [](hipStream_t stream, hipError_t status, void *data) {
    auto &t = *static_cast<Told *>(data);
    t.stream = stream;
    t.status = status;
    ++t.calls;
  };
  REQUIRE(hipStreamAddCallback(streams[0], callback, &told, 1) == hipErrorInvalidValue);
  REQUIRE_HIP(hipStreamAddCallback(streams[0], callback, &told, 0));
  REQUIRE_HIP(hipStreamSynchronize(streams[0]));
  REQUIRE(told.calls == 1);
  REQUIRE(told.stream == streams[0]);
  REQUIRE(told.status == hipSuccess);
}
