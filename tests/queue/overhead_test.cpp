// What a launch costs beside the driver's part: no heap allocation, and no mutex. The lock of its queue is none (QueueLock).
#include "counted.h"
#include "fixture.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <numeric>

using namespace fixture;

namespace {

struct Block {
  int words[1020];
};

/// What a program may do in a loop; each goes to the streams that it needs.
struct Operations {
  hipFunction_t nothing = function("nothing"), block = function("block_4080"),
                reverse = function("reverse");
  HostMemory<int> numbers{256};
  HostMemory<char> pinned{4096};
  Streams blocking{3}, other{2, hipStreamNonBlocking};
  Event event, timed{hipEventDefault};
  char *device = nullptr;
  Block large{};
  int value = 0;

  Operations() {
    REQUIRE_HIP(hipMalloc(reinterpret_cast<void **>(&device), 4096));
    std::iota(std::begin(large.words), std::end(large.words), 0);
  }
  ~Operations() { (void)hipFree(device); }

  hipError_t plain(hipStream_t stream) { return launch(nothing, stream, 1, numbers.get(), 0); }
  hipError_t changed(hipStream_t stream) {
    return launch(nothing, stream, 1, numbers.get(), ++value);
  }
  hipError_t spilled(hipStream_t stream) {
    return launch(block, stream, 1, large, numbers.get(), 0);
  }
  hipError_t spilled_changed(hipStream_t stream) {
    ++large.words[500];
    return spilled(stream);
  }
  hipError_t with_shared_memory(hipStream_t stream) {
    int *pointer = numbers.get();
    void *arguments[] = {&pointer};
    return hipModuleLaunchKernel(reverse, 1, 1, 1, 64, 1, 1, 256, stream, arguments, nullptr);
  }
};

struct Step {
  const char *name;
  std::function<hipError_t(Operations &)> run;
};

hipError_t after_dirty_streams(Operations &o) {
  for (hipStream_t stream : o.blocking)
    if (hipError_t result = o.plain(stream))
      return result;
  return o.plain(nullptr);
}

hipError_t after_null_stream(Operations &o) {
  if (hipError_t result = o.plain(nullptr))
    return result;
  return o.plain(o.blocking[0]);
}

const Step steps[] = {
    {"null stream", [](Operations &o) { return o.plain(nullptr); }},
    {"blocking stream", [](Operations &o) { return o.plain(o.blocking[0]); }},
    {"non-blocking stream", [](Operations &o) { return o.plain(o.other[0]); }},
    {"thread's own stream", [](Operations &o) { return o.plain(hipStreamPerThread); }},
    {"changed arguments", [](Operations &o) { return o.changed(o.other[0]); }},
    {"spilled arguments", [](Operations &o) { return o.spilled(o.other[0]); }},
    {"spilled arguments that change", [](Operations &o) { return o.spilled_changed(o.other[0]); }},
    {"dynamic shared memory", [](Operations &o) { return o.with_shared_memory(o.other[0]); }},
    {"null stream after dirty streams", after_dirty_streams},
    {"blocking stream after the null stream", after_null_stream},
    {"record",
     [](Operations &o) {
       if (hipError_t result = o.plain(o.other[0]))
         return result;
       return hipEventRecord(o.event, o.other[0]);
     }},
    {"record with timing", [](Operations &o) { return hipEventRecord(o.timed, o.other[0]); }},
    {"wait for an event",
     [](Operations &o) {
       if (hipError_t result = o.plain(o.other[0]))
         return result;
       if (hipError_t result = hipEventRecord(o.event, o.other[0]))
         return result;
       if (hipError_t result = hipStreamWaitEvent(o.other[1], o.event, 0))
         return result;
       return o.plain(o.other[1]);
     }},
    {"copy",
     [](Operations &o) {
       return hipMemcpyAsync(o.device, o.pinned.get(), 64, hipMemcpyDefault, o.other[0]);
     }},
    {"fill", [](Operations &o) { return hipMemsetAsync(o.device, 1, 64, o.other[0]); }},
    {"copy from pageable memory",
     [](Operations &o) {
       return hipMemcpyAsync(o.device, &o.large, 64, hipMemcpyDefault, o.other[0]);
     }},
    {"allocate and free in order",
     [](Operations &o) {
       void *memory = nullptr;
       if (hipError_t result = hipMallocAsync(&memory, 4096, o.other[0]))
         return result;
       return hipFreeAsync(memory, o.other[0]);
     }},
    {"function of the host",
     [](Operations &o) { return hipLaunchHostFunc(o.other[0], [](void *) {}, nullptr); }},
};

bool can_count() {
  if (!counted::can_count_memory_and_locks)
    SUCCEED("a sanitizer owns malloc and the locks");
  return counted::can_count_memory_and_locks;
}

} // namespace

TEST_CASE("queue overhead: the counting finds allocations and locks", "[calls]") {
  if (!can_count())
    return;
  // Of this program, then of libCHIP: a new stream's list and what belongs to it.
  auto allocate = [] {
    void *volatile memory = std::malloc(10);
    std::free(memory);
  };
  REQUIRE(counted::allocations_of(allocate) == 1);
  hipStream_t stream = nullptr;
  REQUIRE(counted::allocations_of([&] { (void)hipStreamCreateWithPriority(&stream, 0, -1); }) > 0);
  REQUIRE(counted::locks_of([&] { (void)hipStreamDestroy(stream); }).size() > 0);
}

TEST_CASE("queue overhead: what a loop does allocates nothing", "[calls]") {
  if (!can_count())
    return;
  Operations o;
  for (const Step &step : steps) {
    INFO(step.name);
    auto rounds = [&](int count) {
      for (int i = 0; i < count; ++i)
        if (step.run(o) != hipSuccess)
          return false;
      return true;
    };
    // Warm: as much in flight as later, several times, so that no container has to grow.
    for (int i = 0; i < 4; ++i) {
      REQUIRE(rounds(100));
      REQUIRE_HIP(hipDeviceSynchronize());
    }
    bool all = false;
    REQUIRE(counted::allocations_of([&] { all = rounds(100); }) == 0);
    REQUIRE(all);
    REQUIRE_HIP(hipDeviceSynchronize());
  }
}

TEST_CASE("queue overhead: a launch takes no mutex", "[calls]") {
  if (!can_count())
    return;
  Operations o;
  for (const Step &step : steps) {
    const std::string_view name = step.name;
    if (name.find("after") != name.npos || name.find("event") != name.npos ||
        name.find("record") != name.npos)
      continue; // those meet other streams, or the markers that streams share
    if (name.find("pageable") != name.npos || name.find("allocate") != name.npos)
      continue; // such memory is looked for each time; pools have locks of their own
    INFO(step.name);
    for (int i = 0; i < 3; ++i)
      REQUIRE_HIP(step.run(o));
    REQUIRE_HIP(hipDeviceSynchronize());
    REQUIRE(counted::locks_of([&] { (void)step.run(o); }).empty());
    REQUIRE(counted::locks_of([&] { (void)step.run(o); }).empty());
    REQUIRE_HIP(hipDeviceSynchronize());
  }
}

TEST_CASE("queue overhead: what is allocated and freed in order locks its pool twice", "[calls]") {
  if (!can_count())
    return;
  Operations o;
  const auto pair = [&] {
    void *memory = nullptr;
    (void)hipMallocAsync(&memory, 4096, o.other[0]);
    (void)hipFreeAsync(memory, o.other[0]);
  };
  // Also after somebody has looked at the attributes of a block.
  void *looked_at = nullptr;
  uint32_t number = 0;
  REQUIRE_HIP(hipMallocAsync(&looked_at, 4096, o.other[0]));
  REQUIRE_HIP(hipPointerGetAttribute(&number, HIP_POINTER_ATTRIBUTE_BUFFER_ID, looked_at));
  REQUIRE_HIP(hipFreeAsync(looked_at, o.other[0]));
  pair();
  const std::vector<const void *> locks = counted::locks_of(pair);
  REQUIRE(locks.size() == 2);
  CHECK(locks[0] == locks[1]);
}
