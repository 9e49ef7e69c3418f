// What a loop may make for ever: nothing, also where the host never learns by waiting how far a stream is.
#include "counted.h"
#include "fixture.h"

#include <atomic>
#include <cstdlib>
#include <initializer_list>
#include <memory>

using namespace fixture;
using counted::Calls;
using counted::calls_of;

namespace {

// On the simulated Ponte Vecchio nothing executes, and a list that nobody has waited for may look complete or busy.
bool executes() { return std::getenv("CHIP_DEVICE"); }

uint64_t sum(const Calls &calls, std::initializer_list<const char *> names) {
  uint64_t total = 0;
  for (const char *name : names)
    if (auto found = calls.find(name); found != calls.end())
      total += found->second;
  return total;
}
uint64_t events_made(const Calls &calls) {
  return sum(calls, {"zeEventCounterBasedCreate", "zeEventCreate"});
}
uint64_t device_allocations(const Calls &calls) { return sum(calls, {"zeMemAllocDevice"}); }
uint64_t lists_made(const Calls &calls) { return sum(calls, {"zeCommandListCreateImmediate"}); }

using Flag = std::shared_ptr<std::atomic<bool>>;

void signal(std::atomic<bool> &flag) {
  flag = true;
  flag.notify_all();
}

/// Runs `function(flag)` in the stream's place; nothing on a device where nothing executes.
void call_in_order(hipStream_t stream, void (*function)(std::atomic<bool> &), const Flag &flag) {
  struct Call {
    void (*function)(std::atomic<bool> &);
    Flag flag;
  };
  if (executes())
    REQUIRE_HIP(hipLaunchHostFunc(
        stream,
        [](void *data) {
          const std::unique_ptr<Call> call(static_cast<Call *>(data));
          call->function(*call->flag);
        },
        new Call{function, flag}));
}

/// Keeps a stream busy, by a function of the host, until released.
class Held {
public:
  explicit Held(hipStream_t stream) {
    call_in_order(stream, [](std::atomic<bool> &released) { released.wait(false); }, released_);
  }
  ~Held() { release(); }
  Held(const Held &) = delete;
  void release() { signal(*released_); }

private:
  const Flag released_ = std::make_shared<std::atomic<bool>>(false);
};

/// Waits for what was submitted to `stream` so far without asking about the stream or an event of it.
void reach(hipStream_t stream) {
  const Flag reached = std::make_shared<std::atomic<bool>>(!executes());
  call_in_order(stream, signal, reached);
  reached->wait(false);
}

void *allocate(size_t bytes, hipStream_t stream) {
  void *memory = nullptr;
  REQUIRE_HIP(hipMallocAsync(&memory, bytes, stream));
  return memory;
}

} // namespace

TEST_CASE("queue growth: timed events of a stream that only other streams wait for are used again",
          "[calls]") {
  hipFunction_t nothing = function("nothing");
  HostMemory<int> memory(1);
  Streams streams(2, hipStreamNonBlocking);
  Event start(hipEventDefault), stop(hipEventDefault);
  auto fork_and_join = [&] {
    REQUIRE_HIP(hipEventRecord(start, streams[0]));
    REQUIRE_HIP(launch(nothing, streams[0], 1, memory.get(), 0));
    REQUIRE_HIP(hipEventRecord(stop, streams[0]));
    REQUIRE_HIP(hipStreamWaitEvent(streams[1], stop, 0));
    REQUIRE_HIP(launch(nothing, streams[1], 1, memory.get(), 0));
    REQUIRE_HIP(hipStreamSynchronize(streams[1]));
  };
  for (int i = 0; i < 3; ++i)
    fork_and_join();
  const Calls calls = calls_of([&] {
    for (int i = 0; i < 100; ++i)
      fork_and_join();
  });
  REQUIRE(calls == Calls{{"zeCommandListAppendWriteGlobalTimestamp", 200},
                         {"zeCommandListAppendLaunchKernel", 200},
                         {"zeCommandListHostSynchronize", 100}});
  if (counted::can_count_memory_and_locks)
    REQUIRE(counted::allocations_of([&] {
              for (int i = 0; i < 100; ++i)
                REQUIRE_HIP(hipEventRecord(start, streams[0]));
            }) == 0);
  REQUIRE_HIP(hipDeviceSynchronize());
}

TEST_CASE("queue growth: a stream that is busy for long keeps no timed events of others",
          "[calls]") {
  Streams streams(2, hipStreamNonBlocking);
  Held held(streams[0]);
  {
    Event never_reached(hipEventDefault);
    REQUIRE_HIP(hipEventRecord(never_reached, streams[0]));
  }
  Event event(hipEventDefault);
  auto record = [&] {
    REQUIRE_HIP(hipEventRecord(event, streams[1]));
    REQUIRE_HIP(hipStreamSynchronize(streams[1]));
  };
  for (int i = 0; i < 3; ++i)
    record();
  REQUIRE(events_made(calls_of([&] {
            for (int i = 0; i < 100; ++i)
              record();
          })) == 0);
  held.release();
  REQUIRE_HIP(hipDeviceSynchronize());
}

TEST_CASE("queue growth: timed events go from stream to stream once they are known complete",
          "[calls]") {
  Streams streams(20, hipStreamNonBlocking);
  std::vector<std::unique_ptr<Event>> events(10);
  for (auto &event : events)
    event = std::make_unique<Event>(hipEventDefault);
  auto record_all = [&](hipStream_t stream) {
    for (auto &event : events)
      REQUIRE_HIP(hipEventRecord(*event, stream));
    REQUIRE_HIP(hipStreamSynchronize(stream));
  };
  record_all(streams[0]);
  record_all(streams[1]);
  REQUIRE(events_made(calls_of([&] {
            for (hipStream_t stream : streams)
              record_all(stream);
          })) == 0);
}

TEST_CASE("queue growth: waits that nothing is submitted behind hold one event for each stream",
          "[calls]") {
  hipFunction_t nothing = function("nothing");
  HostMemory<int> memory(1);
  Streams streams(2, hipStreamNonBlocking);
  Event event;
  const Calls calls = calls_of([&] {
    for (int i = 0; i < 2000; ++i) {
      REQUIRE_HIP(launch(nothing, streams[0], 1, memory.get(), 0));
      REQUIRE_HIP(hipEventRecord(event, streams[0]));
      REQUIRE_HIP(hipStreamWaitEvent(streams[1], event, 0));
    }
  });
  REQUIRE(events_made(calls) <= 200);
  // The wait for the last of them is there still.
  REQUIRE(sum(calls_of([&] { REQUIRE_HIP(hipStreamSynchronize(streams[1])); }),
              {"zeCommandListAppendWaitOnEvents"}) == 1);
  REQUIRE_HIP(hipDeviceSynchronize());
}

TEST_CASE(
    "queue growth: a destroyed stream that is busy for long keeps no others from being lent again",
    "[calls]") {
  hipFunction_t nothing = function("nothing");
  HostMemory<int> memory(1);
  REQUIRE_HIP(hipDeviceSynchronize());
  hipStream_t busy = nullptr;
  REQUIRE_HIP(hipStreamCreateWithFlags(&busy, hipStreamNonBlocking));
  Held held(busy);
  REQUIRE_HIP(hipStreamDestroy(busy));
  auto use = [&] {
    hipStream_t stream = nullptr;
    REQUIRE_HIP(hipStreamCreateWithFlags(&stream, hipStreamNonBlocking));
    REQUIRE_HIP(launch(nothing, stream, 1, memory.get(), 0));
    reach(stream);
    REQUIRE_HIP(hipStreamDestroy(stream));
  };
  const Calls calls = calls_of([&] {
    for (int i = 0; i < 200; ++i)
      use();
  });
  // Each is complete very soon after its last function ran; some may not be at once.
  REQUIRE(lists_made(calls) <= 20);
  held.release();
  REQUIRE_HIP(hipDeviceSynchronize());
}

TEST_CASE("queue growth: memory freed on a stream that the host never waits for is used again",
          "[calls]") {
  constexpr size_t bytes = 9 << 20; // a chunk of its own
  Streams streams(2, hipStreamNonBlocking);
  Event event;
  auto pass_on = [&] {
    void *memory = allocate(bytes, streams[0]);
    REQUIRE_HIP(hipMemsetAsync(memory, 0, 1024, streams[0]));
    REQUIRE_HIP(hipEventRecord(event, streams[0]));
    REQUIRE_HIP(hipStreamWaitEvent(streams[1], event, 0));
    REQUIRE_HIP(hipMemsetAsync(memory, 1, 1024, streams[1]));
    REQUIRE_HIP(hipFreeAsync(memory, streams[1]));
    reach(streams[1]);
    REQUIRE_HIP(hipStreamSynchronize(streams[0]));
  };
  const Calls calls = calls_of([&] {
    for (int i = 0; i < 100; ++i)
      pass_on();
  });
  REQUIRE(device_allocations(calls) <= 10);
  REQUIRE_HIP(hipDeviceSynchronize());
}

TEST_CASE("queue growth: memory freed on a stream that always has work is used again", "[calls]") {
  if (!executes())
    return;
  constexpr size_t bytes = 11 << 20;
  Streams streams(2, hipStreamNonBlocking);
  Event event;
  auto held = std::make_unique<Held>(streams[1]);
  const Calls calls = calls_of([&] {
    for (int i = 0; i < 100; ++i) {
      void *memory = allocate(bytes, streams[0]);
      REQUIRE_HIP(hipMemsetAsync(memory, 0, 1024, streams[0]));
      REQUIRE_HIP(hipEventRecord(event, streams[0]));
      REQUIRE_HIP(hipStreamWaitEvent(streams[1], event, 0));
      REQUIRE_HIP(hipFreeAsync(memory, streams[1]));
      const Flag passed = std::make_shared<std::atomic<bool>>(false);
      call_in_order(streams[1], signal, passed);
      held = std::make_unique<Held>(streams[1]); // before the one that it replaces is released
      passed->wait(false);
      REQUIRE_HIP(hipStreamSynchronize(streams[0]));
    }
  });
  REQUIRE(device_allocations(calls) <= 30);
  held->release();
  REQUIRE_HIP(hipDeviceSynchronize());
}

TEST_CASE("queue growth: large arguments of a stream that the host never waits for take the same "
          "memory again",
          "[calls]") {
  if (!executes()) // or else nothing is complete soon
    return;
  Streams streams(1, hipStreamNonBlocking);
  hipFunction_t kernel = function("block_4080");
  struct Block {
    int words[1020];
  } block{};
  HostMemory<int> wrong(1);
  const Calls calls = calls_of([&] {
    for (int i = 0; i < 2000; ++i) { // 8 MB of arguments
      block.words[0] = i;
      REQUIRE_HIP(launch(kernel, streams[0], 32, block, wrong.get(), 0));
      if (i % 50 == 49)
        reach(streams[0]);
    }
  });
  REQUIRE(sum(calls, {"zeMemAllocHost"}) <= 8);
  REQUIRE_HIP(hipDeviceSynchronize());
}

TEST_CASE("queue growth: a stream's own memory is found behind any number of others' blocks") {
  constexpr size_t bytes = 13 << 10;
  Streams streams(2, hipStreamNonBlocking);
  void *own = allocate(bytes, streams[0]);
  std::vector<void *> others;
  for (int i = 0; i < 400; ++i)
    others.push_back(allocate(bytes, streams[1]));
  Held held_own(streams[0]), held(streams[1]);
  REQUIRE_HIP(hipFreeAsync(own, streams[0]));
  for (void *other : others)
    REQUIRE_HIP(hipFreeAsync(other, streams[1]));
  REQUIRE(allocate(bytes, streams[0]) == own);
  held.release();
  held_own.release();
  REQUIRE_HIP(hipDeviceSynchronize());
  REQUIRE_HIP(hipFree(own));
}

TEST_CASE("queue growth: a stream has its own memory again before what any stream may have") {
  constexpr size_t bytes = 15 << 20;
  Streams streams(2, hipStreamNonBlocking);
  void *own = allocate(bytes, streams[0]), *other = allocate(bytes, streams[1]);
  Held held(streams[0]);
  REQUIRE_HIP(hipFreeAsync(own, streams[0]));
  REQUIRE_HIP(hipFreeAsync(other, streams[1]));
  REQUIRE_HIP(hipStreamSynchronize(streams[1]));
  REQUIRE(allocate(bytes, streams[0]) == own);
  // So that it is left to the stream that needs it.
  REQUIRE(allocate(bytes, streams[1]) == other);
  held.release();
  REQUIRE_HIP(hipDeviceSynchronize());
  for (void *memory : {own, other})
    REQUIRE_HIP(hipFree(memory));
}
